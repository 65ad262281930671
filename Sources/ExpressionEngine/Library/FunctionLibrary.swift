/// The functions of a dialect, by name.
struct FunctionLibrary: Sendable {
  /// All definitions, in the order in which documentation lists them.
  let definitions: [FunctionDefinition]
  private let byName: [String: Int]

  init(_ definitions: [FunctionDefinition]) {
    self.definitions = definitions
    byName = Dictionary(
      definitions.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { _, last in last })
  }

  /// The definition of the function with that name.
  subscript(name: String) -> FunctionDefinition? { byName[name].map { definitions[$0] } }
}
