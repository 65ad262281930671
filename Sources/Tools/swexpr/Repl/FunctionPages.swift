import AudienceFilters
import ExpressionEngine
import ExpressionPrinting
import ExpressionSyntax
import FilterAnalysis

/// The tool's pages about functions, operators and errors, generated from their tables.
enum FunctionPages {
  /// Returns the functions that are worth calling: all but those that the reference evaluator has
  /// for its own tests, which always return null.
  static func all(in dialect: Dialect.Name) -> [FunctionDefinition] {
    FunctionDefinition.all(in: dialect)
      .filter { !FunctionDefinition.testFunctions.contains($0.name) }
  }

  /// Returns the functions whose names match a pattern: a part of a name, or a name with `*` for
  /// anything.
  static func matching(_ pattern: String, in dialect: Dialect.Name) -> [FunctionDefinition] {
    let all = all(in: dialect)
    guard !pattern.isEmpty else { return all }
    let parts = pattern.lowercased().split(separator: "*", omittingEmptySubsequences: false)
    guard parts.count > 1 else {
      let found = all.filter { $0.name.lowercased().contains(text: parts[0]) }
      return found.filter { $0.name.lowercased().hasPrefix(parts[0]) }
        + found.filter { !$0.name.lowercased().hasPrefix(parts[0]) }
    }
    return all.filter { isMatch($0.name.lowercased(), parts) }
  }

  private static func isMatch(_ name: String, _ parts: [Substring]) -> Bool {
    guard name.hasPrefix(parts[0]) else { return false }
    var rest = name.dropFirst(parts[0].count)
    for part in parts.dropFirst().dropLast() {
      guard let range = range(of: part, in: rest) else { return false }
      rest = rest[range.upperBound...]
    }
    guard let last = parts.last else { return true }
    return rest.hasSuffix(last)
  }

  private static func range(
    of part: Substring, in text: Substring
  ) -> Range<Substring.Index>? {
    var start = text.startIndex
    while true {
      if text[start...].hasPrefix(part) {
        return start..<text.index(start, offsetBy: part.count)
      }
      guard start < text.endIndex else { return nil }
      start = text.index(after: start)
    }
  }

  /// Returns a line for each function: its signatures and its summary.
  static func table(_ functions: [FunctionDefinition]) -> String {
    let widths = functions.map { $0.signatures.first?.count ?? $0.name.count }
    let width = min(44, widths.max() ?? 0)
    var text = ""
    for function in functions {
      let signature = function.signatures.first ?? function.name
      let space =
        signature.count > width
        ? "\n" + String(repeating: " ", count: width + 2)
        : String(repeating: " ", count: width - signature.count + 2)
      text += signature + space + function.summary + "\n"
    }
    return text
  }

  /// A function of the SDKs, which takes the name of an event.
  struct FunctionOfSDKs {
    let name: String
    let summary: String

    /// The form in which filters call it.
    var call: String { "device.\(name)(event)" }
    var signatures: [String] { [call + " -> int", "computed.\(name)(event) -> int"] }
    var example: String { "device.\(name)(\"app_open\") > 3" }
  }

  /// Returns the functions of the SDKs whose calls have a part.
  static func functionsOfSDKs(_ pattern: String) -> [FunctionOfSDKs] {
    let part = pattern.lowercased().filter { $0 != "*" }
    return HistoryFunctionInfo.all
      .map { FunctionOfSDKs(name: $0.name, summary: $0.summary) }
      .filter { part.isEmpty || $0.call.lowercased().contains(text: part) }
  }

  /// Returns a line for each function of the SDKs.
  static func table(ofSDKs functions: [FunctionOfSDKs]) -> String {
    let width = functions.map(\.call.count).max() ?? 0
    return functions.map {
      $0.call + String(repeating: " ", count: width - $0.call.count + 2) + $0.summary + "\n"
    }
    .joined()
  }

  /// Returns a function as JSON has it.
  static func value(_ function: FunctionDefinition) -> Value {
    value(
      function.name, function.signatures, function.summary,
      examples: function.examples.map {
        .map(["expression": .string($0.expression), "value": .string($0.value)])
      })
  }

  /// Returns a function of the SDKs as JSON has it. The value of its example depends on the user.
  static func value(_ function: FunctionOfSDKs) -> Value {
    value(
      function.name, function.signatures, function.summary,
      examples: [.map(["expression": .string(function.example)])])
  }

  private static func value(
    _ name: String, _ signatures: [String], _ summary: String, examples: [Value]
  ) -> Value {
    .map([
      "name": .string(name), "signatures": .list(signatures.map(Value.string)),
      "summary": .string(summary), "examples": .list(examples),
    ])
  }

  /// Returns the page of a function of the SDKs, by `daysSince`, `device.daysSince` or
  /// `computed.daysSince`.
  private static func pageOfSDKs(_ name: String) -> String? {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard let last = parts.last, parts.count == 1 || ["device", "computed"].contains(parts[0]),
      let function = functionsOfSDKs("").first(where: { $0.name == last })
    else { return nil }
    return """
      \(function.signatures.joined(separator: "\n"))
          \(function.summary)
          a function of the SDKs; the event is a text

          \(function.example)

      """
  }

  /// Returns the page of a function, an operator, a keyword or an error; `nil` if the name is
  /// unknown.
  static func page(_ name: String, in dialect: Dialect.Name) -> String? {
    if let function = FunctionDefinition.all(in: dialect).first(where: { $0.name == name }) {
      return page(function)
    }
    if let row = operators(of: dialect).first(where: { matches($0, name) }) {
      return "\(row.spelling)    \(row.summary)\n"
    }
    if let summary = keywords[name] { return "\(name)    \(summary)\n" }
    if let id = DiagnosticCatalog.id(code: name) { return ExplainError.page(id) }
    return pageOfSDKs(name)
  }

  /// The words that denote values.
  private static let keywords = [
    "true": "the condition holds; only this value is a match",
    "false": "the condition does not hold",
    "null": "no value",
  ]

  private static func page(_ function: FunctionDefinition) -> String {
    var text = function.signatures.map { $0 + "\n" }.joined()
    text += "    \(function.summary)\n"
    if !function.examples.isEmpty { text += "\n" }
    for example in function.examples { text += "    \(example.expression)  →  \(example.value)\n" }
    return text
  }

  /// Returns the name that was perhaps meant.
  static func suggestion(for name: String, in dialect: Dialect.Name) -> String? {
    Suggestions.help(for: name, among: all(in: dialect).map(\.name))
  }

  private static func matches(_ row: OperatorInfo, _ name: String) -> Bool {
    row.spelling == name || row.spelling.filter { $0 != " " } == name.filter { $0 != " " }
  }

  static func operators(of dialect: Dialect.Name) -> [OperatorInfo] {
    OperatorTable.rows.filter { $0.dialects.contains(dialect) }
  }
}
