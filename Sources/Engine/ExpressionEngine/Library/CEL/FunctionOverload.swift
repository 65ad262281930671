/// An overload of a function of the cel dialect: its style, its parameter kinds and its
/// implementation.
struct FunctionOverload: Sendable {
  /// The signature with types: `string.charAt(int) -> string`.
  let signature: String
  /// Whether it is called as a method of its first argument.
  let isMember: Bool
  /// The kinds of the parameters, the receiver first.
  let parameters: [SlotKinds]
  /// An expression that calls it, with its result.
  let example: FunctionDefinition.Example
  /// The arguments that must be a network address or a block.
  private let networks: [(index: Int, isBlock: Bool)]
  private let body: Builtin

  /// Creates an overload.
  ///
  /// - Parameters:
  ///   - text: The signature; see ``FunctionSignature``.
  ///   - expression: An expression that calls it.
  ///   - value: The printed result of the expression.
  ///   - body: The implementation, for arguments of the right kinds.
  init(_ text: String, _ expression: String, _ value: String, _ body: @escaping Builtin) {
    let parsed = FunctionSignature(text)
    assert(parsed != nil, "\(text) is not a signature")
    signature = text
    isMember = parsed?.isMember ?? false
    let parameters = parsed?.parameters ?? []
    self.parameters = parameters.map { $0.kinds }
    networks = parameters.enumerated().compactMap { index, parameter in
      parameter.kinds == SlotKinds(.network) ? (index, parameter.text == "net.CIDR") : nil
    }
    example = FunctionDefinition.Example(expression, value)
    self.body = body
  }

  /// Returns whether the arguments, of the right number, are of the right kinds.
  func accepts(_ arguments: UnsafeBufferPointer<Slot>) -> Bool {
    for (index, kinds) in parameters.enumerated() where !kinds.contains(tagOf: arguments[index]) {
      return false
    }
    return networks.allSatisfy { (arguments[$0.index].extra != 0) == $0.isBlock }
  }

  /// Returns the function for calls in one style with a number of arguments, which calls the first
  /// overload that accepts them.
  ///
  /// - Returns: `nil` when no overload has that style and number.
  static func dispatch(
    _ overloads: [FunctionOverload], isMember: Bool, argumentCount: Int
  ) -> Builtin? {
    let candidates = overloads.filter {
      $0.isMember == isMember && $0.parameters.count == argumentCount
    }
    guard let first = candidates.first else { return nil }
    if candidates.count == 1 {
      return { machine, arguments in
        first.accepts(arguments)
          ? first.body(&machine, arguments) : machine.failWithoutOverload(arguments)
      }
    }
    return { machine, arguments in
      for candidate in candidates where candidate.accepts(arguments) {
        return candidate.body(&machine, arguments)
      }
      return machine.failWithoutOverload(arguments)
    }
  }
}

extension Machine {
  /// Fails because no overload accepts the arguments.
  mutating func failWithoutOverload(_ arguments: UnsafeBufferPointer<Slot>) -> Slot {
    let list = orOutOfMemory(arena.copyList(arguments))
    return list.isA(.error) ? list : fail(.noMatchingOverload, list)
  }
}

extension FunctionDefinition {
  /// Creates a function of the cel dialect.
  ///
  /// - Parameters:
  ///   - name: The name in calls, including the name space.
  ///   - summary: A one-line description.
  ///   - overloads: The overloads.
  ///   - intrinsic: The compiler's special knowledge of the function.
  static func cel(
    _ name: String, _ summary: String, _ overloads: [FunctionOverload],
    intrinsic: Intrinsic? = nil
  ) -> FunctionDefinition {
    FunctionDefinition(
      name, signatures: overloads.map { $0.signature }, summary: summary,
      examples: overloads.map { $0.example }, form: .overloads(overloads), intrinsic: intrinsic)
  }

  /// Creates a construct of the cel dialect that receives its arguments unevaluated.
  ///
  /// - Parameters:
  ///   - name: The name in calls, including the name space.
  ///   - summary: A one-line description.
  ///   - signatures: The forms of calls.
  ///   - examples: An expression and its value for each form.
  static func celMacro(
    _ name: String, _ summary: String, _ signatures: [String], _ examples: [Example]
  ) -> FunctionDefinition {
    FunctionDefinition(
      name, signatures: signatures, summary: summary, examples: examples, form: .macro(.cel))
  }
}
