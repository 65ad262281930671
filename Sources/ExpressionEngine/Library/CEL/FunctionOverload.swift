/// One way to call a function of the cel dialect: how, with what, and what it does then.
struct FunctionOverload: Sendable {
  /// How it is called, with types: `string.charAt(int) -> string`.
  let signature: String
  /// Whether it is called as a method of its first argument.
  let isMember: Bool
  /// What it takes, the receiver first.
  let parameters: [SlotKinds]
  /// An expression that calls it, with what it answers.
  let example: FunctionDefinition.Example
  /// Whether an argument number is a network address and not a block, or the other way round.
  private let networks: [(index: Int, isBlock: Bool)]
  private let body: Builtin

  /// Creates an overload.
  ///
  /// - Parameters:
  ///   - text: The signature; see ``FunctionSignature``.
  ///   - expression: An expression that calls it.
  ///   - value: What the expression answers, printed.
  ///   - body: What it does, with arguments of the right kinds.
  init(_ text: String, _ expression: String, _ value: String, _ body: @escaping Builtin) {
    let parsed = FunctionSignature(text)
    assert(parsed != nil, "\(text) is no signature")
    signature = text
    isMember = parsed?.isMember ?? false
    let parameters = parsed?.parameters ?? []
    self.parameters = parameters.map(\.kinds)
    networks = parameters.enumerated().compactMap { index, parameter in
      parameter.kinds == SlotKinds(.network) ? (index, parameter.text == "net.CIDR") : nil
    }
    example = FunctionDefinition.Example(expression, value)
    self.body = body
  }

  /// Whether the arguments, of the right number, are of the right kinds.
  func accepts(_ arguments: UnsafeBufferPointer<Slot>) -> Bool {
    for (index, kinds) in parameters.enumerated() where !kinds.contains(tagOf: arguments[index]) {
      return false
    }
    return networks.allSatisfy { (arguments[$0.index].extra != 0) == $0.isBlock }
  }

  /// What a call in one style with a number of arguments does: the first overload that takes them.
  ///
  /// - Returns: `nil` when no overload is called so.
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
  /// Fails because no overload takes the arguments.
  mutating func failWithoutOverload(_ arguments: UnsafeBufferPointer<Slot>) -> Slot {
    let list = orOutOfMemory(arena.copyList(arguments))
    return list.isA(.error) ? list : fail(.noMatchingOverload, list)
  }
}

extension FunctionDefinition {
  /// A function of the cel dialect.
  ///
  /// - Parameters:
  ///   - name: The name that is called, with its name space.
  ///   - summary: What it does, in one line.
  ///   - overloads: The ways to call it.
  ///   - intrinsic: What the compiler knows of it.
  static func cel(
    _ name: String, _ summary: String, _ overloads: [FunctionOverload],
    intrinsic: Intrinsic? = nil
  ) -> FunctionDefinition {
    FunctionDefinition(
      name, signatures: overloads.map(\.signature), summary: summary,
      examples: overloads.map(\.example), form: .overloads(overloads), intrinsic: intrinsic)
  }

  /// A construct of the cel dialect that sees its arguments before they are evaluated.
  ///
  /// - Parameters:
  ///   - name: The name that is called, with its name space.
  ///   - summary: What it does, in one line.
  ///   - signatures: The ways to call it.
  ///   - examples: An expression and its value for each of them.
  static func celMacro(
    _ name: String, _ summary: String, _ signatures: [String], _ examples: [Example]
  ) -> FunctionDefinition {
    FunctionDefinition(
      name, signatures: signatures, summary: summary, examples: examples, form: .macro(.cel))
  }
}
