import ExpressionSyntax

extension FilterEnvironment {
  /// A function of the app that filters call by its name, such as `isVIP(user.id)`.
  ///
  /// Functions of one name are overloads. A call takes the first one, in the order in which they
  /// were added, that accepts the kinds of its arguments.
  public struct Function: Sendable {
    /// The name in calls.
    public let name: String
    /// The types of the parameters and of the result.
    ///
    /// During evaluation only the kind of a value counts: `list(string)` accepts every list.
    public let type: FunctionType
    /// A sentence that editors show with the signature; empty for none.
    public let documentation: String
    /// The implementation. Its arguments are of the kinds that ``type`` has.
    package let body: HostFunction

    /// Creates a function.
    ///
    /// - Parameters:
    ///   - name: The name in calls: letters, digits and underscores.
    ///   - type: The types of the parameters and of the result, and whether the function is called
    ///     as a method of its first parameter.
    ///   - documentation: A sentence that editors show with the signature.
    ///   - body: The implementation. It is called synchronously, with evaluated arguments and the
    ///     context's ``Context/hostState``. An error that it throws, or a result of another kind
    ///     than declared, becomes an ``EvaluationError``.
    public init(
      _ name: String, _ type: FunctionType, documentation: String = "",
      body: @escaping HostFunction
    ) {
      self.name = name
      self.type = type
      self.documentation = documentation
      self.body = body
    }

    /// The form of calls, with types: `isVIP(string) -> bool`.
    public var signature: String {
      let receiver = type.isMember ? (type.parameters.first ?? "") + "." : ""
      let parameters = type.parameters.dropFirst(type.isMember ? 1 : 0)
      return "\(receiver)\(name)(\(parameters.joined(separator: ", "))) -> \(type.result)"
    }

    /// Returns whether a value is of the kind of a type.
    package func accepts(_ value: Value, as type: String) -> Bool {
      var arena = Arena(firstChunk: 128)
      guard let slot = Slot.make(value, in: &arena),
        let parameter = FunctionSignature.Parameter(type)
      else { return true }
      return parameter.kinds.contains(tagOf: slot)
    }
  }

  /// The reason why a function cannot be added to an environment.
  public struct FunctionError: Error, Hashable, CustomStringConvertible {
    /// The name of the function.
    public let function: String
    /// The problem with it.
    public let message: String

    /// A message of one line that is complete in itself.
    public var description: String { "cannot add the function `\(function)`: \(message)" }
  }

  /// Adds a function that filters of this environment can call by its name.
  ///
  /// A function never replaces one that the dialect has. In the superscript dialect it cannot
  /// change the result of a filter that does not call it: attributes of its name stay attributes,
  /// `hasFn` does not know it, and a call that begins with `device.` or `computed.` calls another
  /// function.
  ///
  /// - Parameter function: The function. It is one more overload if there is one of that name.
  /// - Throws: ``FunctionError`` if the name is not a name, or is that of a function or macro of
  ///   the dialect or of a host function; if a type is not one; and if a call could not tell two
  ///   overloads apart.
  public mutating func add(_ function: Function) throws(FunctionError) {
    let name = function.name
    func refuse(_ message: String) -> FunctionError {
      FunctionError(function: name, message: message)
    }
    guard Self.isName(name), !dialect.keywords.contains(name),
      !dialect.reservedWords.contains(name)
    else { throw refuse("it is not a name that filters can call") }
    if FunctionDefinition.all(in: dialect.name).contains(where: { $0.name == name }) {
      throw refuse("the \(dialect.name.rawValue) dialect has a function of that name")
    }
    if deviceFunctions[name] != nil || computedFunctions[name] != nil {
      throw refuse("`device` or `computed` has a function of that name")
    }
    let type = function.type
    if type.isMember, type.parameters.isEmpty { throw refuse("a method needs a receiver") }
    var parameters: [SlotKinds] = []
    for text in type.parameters + [type.result] {
      guard Self.isType(text), let kinds = FunctionSignature.Parameter(text)?.kinds else {
        throw refuse("`\(text)` is not a type")
      }
      parameters.append(kinds)
    }
    let overload = FunctionImplementation(
      function: function, parameters: Array(parameters.dropLast()),
      result: parameters.last ?? .any)
    for other in implementations(of: name)
    where other.function.type.isMember == type.isMember && other.parameters == overload.parameters {
      throw refuse(
        "a call cannot tell `\(function.signature)` from `\(other.function.signature)`")
    }
    append(overload)
  }

  /// The functions that were added, in that order.
  public var functions: [Function] { allImplementations.map { $0.function } }

  /// Returns whether a function of that name was added.
  package func hasAdded(_ name: String) -> Bool { !implementations(of: name).isEmpty }

  /// Returns whether a call of that name may call the host: a function that was added, or one of
  /// `device` or `computed`.
  package func callsHost(_ name: String) -> Bool {
    deviceFunctions[name] != nil || computedFunctions[name] != nil || hasAdded(name)
  }

  /// Replaces the implementation of each function that was added.
  package mutating func mapFunctions(_ body: (Function) -> HostFunction) {
    replaceImplementations { function in
      Function(
        function.name, function.type, documentation: function.documentation, body: body(function))
    }
  }

  private static func isName(_ text: String) -> Bool {
    var isFirst = true
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "_"):
        break
      case UInt8(ascii: "0")...UInt8(ascii: "9") where !isFirst: break
      default: return false
      }
      isFirst = false
    }
    return !isFirst
  }

  /// Returns whether a text is a type: a name, and types in parentheses where it takes any.
  private static func isType(_ text: String) -> Bool {
    guard text.utf8.count <= 256 else { return false }
    // The number of types that each open parenthesis still takes.
    var open: [Int] = []
    var name = ""
    func arity(_ name: String) -> Int? {
      ["list": 1, "map": 2, "type": 1, "optional_type": 1][name]
    }
    func ends() -> Bool { name.isEmpty || FunctionSignature.Parameter(name) != nil }
    for character in text where character != " " {
      switch character {
      case "(":
        guard let count = arity(name) else { return false }
        open.append(count - 1)
        name = ""
      case ",", ")":
        guard let left = open.last, ends(), character == "," ? left > 0 : left == 0 else {
          return false
        }
        if character == "," { open[open.count - 1] = left - 1 } else { open.removeLast() }
        name = character == "," ? "" : "dyn"
      default: name.append(character)
      }
    }
    return open.isEmpty && !name.isEmpty && ends()
  }
}

/// A function that was added to an environment, with the kinds of value that it accepts.
struct FunctionImplementation: Sendable {
  let function: FilterEnvironment.Function
  let parameters: [SlotKinds]
  let result: SlotKinds

  /// Returns whether a call may have these arguments.
  func accepts(_ arguments: UnsafeBufferPointer<Slot>) -> Bool {
    parameters.count == arguments.count
      && parameters.indices.allSatisfy { parameters[$0].contains(tagOf: arguments[$0]) }
  }
}

extension FunctionDefinition {
  /// The page of functions that were added to an environment under one name.
  init(_ functions: [FilterEnvironment.Function], named name: String) {
    var texts: [String] = []
    for function in functions where !function.documentation.isEmpty {
      if !texts.contains(function.documentation) { texts.append(function.documentation) }
    }
    self.init(
      name, signatures: functions.map { $0.signature }, summary: texts.joined(separator: "\n\n"),
      examples: [], form: .overloads([]))
  }
}

extension IR {
  /// Adds a call of functions that were added to the environment.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - arguments: The arguments, the receiver first.
  ///   - isMember: Whether the call has a receiver.
  ///   - environment: The environment.
  /// - Returns: The node and the call, or `nil` if there is no such function.
  mutating func call(
    _ name: String, _ arguments: [UInt32], isMember: Bool, in environment: FilterEnvironment,
    span: SourceSpan
  ) -> (node: UInt32, call: Requirements.HostCall)? {
    let overloads = environment.implementations(of: name).filter {
      $0.function.type.isMember == isMember
    }
    guard !overloads.isEmpty else { return nil }
    let literals = arguments.compactMap { constantSlot($0) }.map { Value($0) }
    let call = Requirements.HostCall(
      table: "", name: name, arguments: literals.count == arguments.count ? literals : nil)
    let number = hostFunction(
      HostFunctionReference(name: name, table: isMember ? "." : "", form: .overloads(overloads)))
    return (add(.hostCall, first: number, children: arguments, span: span), call)
  }
}
