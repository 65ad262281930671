import ExpressionSyntax

extension FilterEnvironment {
  /// Creates an environment with functions that filters call by their names.
  ///
  ///     let environment = try FilterEnvironment(functions: [
  ///       "isVIP(string) -> bool": { arguments, _ in .bool(vips.contains(arguments[0])) }
  ///     ])
  ///
  /// - Parameters:
  ///   - dialect: The dialect that filters are written in.
  ///   - functions: The implementations, by the form of their calls with types; see
  ///     ``Function/signature``. The form of a method has the type of the receiver before a dot:
  ///     `string.isShouted() -> bool`.
  /// - Throws: ``FunctionError`` for a form that cannot be read, and what ``add(_:)`` throws.
  public init(
    dialect: Dialect = .superscript, functions: [String: HostFunction]
  ) throws(FunctionError) {
    self.init(dialect: dialect)
    // In one order, so that overloads are the same in every process.
    for (signature, body) in functions.sorted(by: { $0.key < $1.key }) {
      try add(signature, body)
    }
  }

  /// Adds a function that filters of this environment can call by its name; see ``add(_:)``.
  ///
  ///     try environment.add("isVIP(string) -> bool") { arguments, _ in .bool(arguments[0] == "ann") }
  ///
  /// - Parameters:
  ///   - signature: The form of calls, with types; see ``Function/signature``.
  ///   - body: The implementation.
  /// - Throws: ``FunctionError`` for a form that cannot be read, and what ``add(_:)`` throws.
  public mutating func add(
    _ signature: String, _ body: @escaping HostFunction
  ) throws(FunctionError) {
    guard let (name, type) = Self.parts(of: signature) else {
      throw FunctionError(
        function: signature,
        message: "write the form of its calls with types, such as `isVIP(string) -> bool`")
    }
    try add(Function(name, type, body: body))
  }

  /// Returns the name and the types of a signature.
  private static func parts(of signature: String) -> (name: String, type: FunctionType)? {
    let text = signature.filter { $0 != " " }
    guard let (head, result) = text.halves(around: "->"), !result.isEmpty, head.hasSuffix(")"),
      // The receiver may have parentheses of its own.
      let open = head.openingOfLastParenthesis
    else { return nil }
    var name = head[..<open]
    var parameters: [String] = []
    let dot = name.lastIndex(of: ".")
    if let dot {
      parameters.append(String(name[..<dot]))
      name = name[name.index(after: dot)...]
    }
    let list = head[head.index(after: open)...].dropLast()
    if !list.isEmpty { parameters += list.typesBetweenCommas }
    // As types are written everywhere: `map(string, int)`.
    func spaced(_ type: String) -> String { type.split(separator: ",").joined(separator: ", ") }
    return (
      String(name),
      FunctionType(
        isMember: dot != nil, parameters: parameters.map(spaced), result: spaced(result))
    )
  }
}

extension String {
  /// The parts before and after a separator; `nil` unless it occurs once.
  fileprivate func halves(around separator: String) -> (String, String)? {
    let mark = Array(separator.utf8)
    let bytes = Array(utf8)
    guard bytes.count >= mark.count else { return nil }
    let places = (0...(bytes.count - mark.count)).filter {
      bytes[$0..<($0 + mark.count)].elementsEqual(mark)
    }
    guard places.count == 1 else { return nil }
    return (
      String(decoding: bytes[..<places[0]], as: UTF8.self),
      String(decoding: bytes[(places[0] + mark.count)...], as: UTF8.self)
    )
  }

  /// The place of the parenthesis that the last character closes.
  fileprivate var openingOfLastParenthesis: Index? {
    var depth = 0
    for index in indices.reversed() {
      if self[index] == ")" { depth += 1 }
      guard self[index] == "(" else { continue }
      depth -= 1
      if depth == 0 { return index }
    }
    return nil
  }
}

extension Substring {
  /// The pieces between commas that are in no parentheses.
  fileprivate var typesBetweenCommas: [String] {
    var pieces = [""]
    var depth = 0
    for character in self {
      if character == "," && depth == 0 {
        pieces.append("")
        continue
      }
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      pieces[pieces.count - 1].append(character)
    }
    return pieces
  }
}
