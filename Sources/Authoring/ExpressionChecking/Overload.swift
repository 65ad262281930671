/// One way to call a function: its parameters and its result.
package struct Overload: Sendable, Hashable {
  /// The types that a receiver or an argument may have, in most cases one.
  package struct Parameter: Sendable, Hashable {
    /// The types that fit; at least one.
    package let alternatives: [Type]

    /// A parameter of one type.
    package init(_ type: Type) { alternatives = [type] }

    /// A parameter of one of several types.
    init(alternatives: [Type]) { self.alternatives = alternatives }

    /// The alternatives as text: `int | uint`.
    package var text: String { alternatives.map { $0.text }.joined(separator: " | ") }
  }

  /// The receiver before the dot; `nil` for a call in global style.
  package let receiver: Parameter?
  /// The arguments in parentheses.
  package let parameters: [Parameter]
  /// Whether the last parameter may be given any number of times, but at least once.
  package let isVariadic: Bool
  /// The type of the result.
  package let result: Type
  /// The signature of the call: `string.contains(string) -> bool`.
  package let text: String

  /// Whether a type parameter occurs, so every call needs fresh types.
  let isGeneric: Bool

  /// Creates the overload of a function from its types.
  ///
  /// - Parameters:
  ///   - name: The function's name, for `text`.
  ///   - receiver: The types before the dot; `nil` for a call in global style.
  ///   - parameters: The types in parentheses.
  ///   - result: The type of the result.
  package init(_ name: String, receiver: Type? = nil, parameters: [Type], result: Type) {
    self.init(
      name, receiver: receiver.map { Parameter($0) }, parameters: parameters.map { Parameter($0) },
      isVariadic: false, result: result, text: nil)
  }

  private init(
    _ name: String, receiver: Parameter?, parameters: [Parameter], isVariadic: Bool, result: Type,
    text: String?
  ) {
    self.receiver = receiver
    self.parameters = parameters
    self.isVariadic = isVariadic
    self.result = result
    let target =
      receiver.map { $0.alternatives.count == 1 ? "\($0.text)." : "(\($0.text))." } ?? ""
    let arguments = parameters.map { $0.text }.joined(separator: ", ")
    self.text =
      text ?? "\(target)\(name)(\(arguments)\(isVariadic ? ", ..." : "")) -> \(result.text)"
    let types = ([receiver].compactMap { $0 } + parameters).flatMap { $0.alternatives } + [result]
    isGeneric = types.contains { type in
      type.contains {
        if case .parameter = $0 { true } else { false }
      }
    }
  }

  /// Reads an overload from its signature, as documentation shows it.
  ///
  /// `name(T, …) -> R` is a call in global style, `T.name(T, …) -> R` one in receiver style. A
  /// parameter may be one of several types (`int | uint`, a receiver in parentheses), and `...`
  /// after the last one lets it repeat; `...` alone means one or more arguments of any types.
  /// Types are read as `Type/init(text:)` reads them.
  ///
  /// - Parameters:
  ///   - name: The function's name, which may have dots.
  ///   - signature: The text.
  /// - Throws: `TypeTextError` if the text is not a signature of that name.
  package init(_ name: String, signature: String) throws(TypeTextError) {
    var reader = TypeReader(signature)
    var receiver: Parameter?
    // A receiver comes first: in `map(K, V).map(…)` the name is not the first word.
    if let (head, rest) = Self.split(signature, before: ".\(name)(") {
      receiver = Parameter(alternatives: try Self.receiver(head))
      reader = TypeReader(rest)
      _ = reader.take(".\(name)(")
    } else if !reader.take("\(name)(") {
      throw reader.failure("expected a call of `\(name)`")
    }
    var parameters: [Parameter] = []
    var isVariadic = false
    while !reader.take(")") {
      guard parameters.isEmpty || reader.take(","), !isVariadic else {
        throw reader.failure("expected `,` or `)`")
      }
      if reader.take("...") {
        isVariadic = true
        if parameters.isEmpty { parameters = [Parameter(.dyn)] }
      } else {
        parameters.append(Parameter(alternatives: try reader.alternatives()))
      }
    }
    guard reader.take("->") else { throw reader.failure("expected `->` and the result") }
    let result = try reader.type()
    guard reader.isAtEnd else { throw reader.failure("unexpected text after the result") }
    self.init(
      name, receiver: receiver, parameters: parameters, isVariadic: isVariadic, result: result,
      text: signature)
  }

  /// The types before the dot, in parentheses if there are several.
  private static func receiver(_ text: String) throws(TypeTextError) -> [Type] {
    var reader = TypeReader(text)
    let isGroup = reader.take("(")
    let types = try reader.alternatives()
    guard !isGroup || reader.take(")"), reader.isAtEnd else {
      throw reader.failure("unexpected text after the receiver")
    }
    return types
  }

  /// The text before and from the first `mark` outside parentheses.
  private static func split(_ text: String, before mark: String) -> (String, String)? {
    let bytes = Array(text.utf8)
    var depth = 0
    for index in bytes.indices {
      if depth == 0, bytes[index...].starts(with: mark.utf8) {
        return (
          String(decoding: bytes[..<index], as: UTF8.self),
          String(decoding: bytes[index...], as: UTF8.self)
        )
      }
      if bytes[index] == UInt8(ascii: "(") { depth += 1 }
      if bytes[index] == UInt8(ascii: ")") { depth -= 1 }
    }
    return nil
  }

  /// Returns whether the overload can be called with that many arguments.
  func accepts(count: Int) -> Bool {
    isVariadic ? count >= parameters.count : count == parameters.count
  }

  /// The types that the argument at `index` may have.
  func parameter(at index: Int) -> Parameter { parameters[min(index, parameters.count - 1)] }

  /// The overload without the names of its type parameters; two overloads that are equal then
  /// cannot be told apart by a call (docs/spec/cel.md §13).
  var erased: [[Type]] {
    let all = (receiver.map { [$0] } ?? []) + parameters
    return all.map { $0.alternatives.map { $0.erased } }
  }
}

extension Type {
  /// The type with `dyn` for every type parameter.
  fileprivate var erased: Type {
    if case .parameter = self { return .dyn }
    return mapArguments({ $0.erased })
  }
}
