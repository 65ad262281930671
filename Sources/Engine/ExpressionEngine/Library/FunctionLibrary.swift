/// The functions of a dialect, by name.
struct FunctionLibrary: Sendable {
  /// All definitions, in the order in which documentation lists them.
  let definitions: [FunctionDefinition]
  /// The names of types that are values.
  let types: Set<String>
  private let byName: [String: Int]
  /// For each first byte, modulo 64, the lengths of the names as bits modulo 64. This cheap filter
  /// rejects most attribute names before they are hashed.
  private let lengths: [UInt64]

  init(_ definitions: [FunctionDefinition], types: Set<String> = []) {
    self.definitions = definitions
    self.types = types
    var byName: [String: Int] = [:]
    for (number, definition) in definitions.enumerated() { byName[definition.name] = number }
    self.byName = byName
    var lengths = [UInt64](repeating: 0, count: 64)
    for definition in definitions {
      let name = definition.name.utf8
      lengths[Int(name.first ?? 0) & 63] |= 1 << (UInt64(name.count) & 63)
    }
    self.lengths = lengths
  }

  /// Returns the definition of the function with that name.
  subscript(name: String) -> FunctionDefinition? {
    contains(name) ? byName[name].map { definitions[$0] } : nil
  }

  /// Returns whether there is a function with that name.
  func contains(_ name: String) -> Bool {
    mayContain(name.utf8) && byName[name] != nil
  }

  /// Returns whether there may be a function with that name; `false` is certain.
  @inline(__always)
  func mayContain(_ name: some Collection<UInt8>) -> Bool {
    lengths[Int(name.first ?? 0) & 63] & 1 << (UInt64(name.count) & 63) != 0
  }

  /// Returns `name`, if it is the name of a type.
  func type(named name: String) -> String? { types.contains(name) ? name : nil }
}
