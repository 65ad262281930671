import ExpressionEngine
import ExpressionSyntax

extension CorpusCase {
  /// The lines of a question: the name, the expression, and `options`.
  static func questionLines(
    name: String, question: CaseRequest.Question, options: [String]
  ) -> [String] {
    var lines = ["== \(name)"]
    switch question {
    case .expression(let text):
      if text.isPlainExpression {
        lines += text.split(separator: "\n", omittingEmptySubsequences: false).map { "  \($0)" }
      } else {
        lines.append("  quoted \(Value.string(text).literal)")
      }
    case .definition(let text):
      lines.append(
        text.isPlainLine
          ? "  definition \(text)" : "  quoted-definition \(Value.string(text).literal)")
    }
    return lines + options.map { "  \($0)" }
  }

  /// The options of a request other than its context.
  static func optionLines(of request: CaseRequest, needs: [String]) -> [String] {
    var lines: [String] = []
    if !request.container.isEmpty { lines.append("container \(request.container)") }
    for declaration in request.declarations {
      switch declaration.kind {
      case .variable(let type): lines.append("declare \(declaration.name) : \(type)")
      case .function(let overloads):
        for overload in overloads {
          lines.append(
            "declare \(overload.isMember ? "member " : "")\(declaration.name)"
              + "(\(overload.parameters.joined(separator: ", "))) -> \(overload.result)"
              + (overload.id.isEmpty ? "" : " as \(overload.id)"))
        }
      }
    }
    let flags = CorpusOption.flagNames.filter { request.flags.contains($0.flag) }.map(\.name)
    if !flags.isEmpty { lines.append("flags \(flags.joined(separator: " "))") }
    if !needs.isEmpty { lines.append("needs \(needs.joined(separator: " "))") }
    return lines
  }
}

extension Expectation {
  /// The expectation as answer lines of a `.corpus` file.
  var answerLines: [String] {
    switch self {
    case .any: return ["-- any"]
    case .anyError(let advice):
      let isPlain = !advice.isEmpty && advice != "*" && advice.isPlainLine
      return [isPlain ? "!! any: \(advice)" : "!!"]
    case .error(var error):
      if !error.message.isPlainLine { error.message = "" }
      let summary = error.summary
      let lines = error.rendered?.split(separator: "\n", omittingEmptySubsequences: false) ?? []
      return [summary.isEmpty ? "!!" : "!! \(summary)"]
        + lines.map { $0.isEmpty ? "|" : "| \($0)" }
    case .type(let type): return ["-> \(type)"]
    case .value(let value, let type):
      return ["-- \(value.literal) : \(value.kindName)"] + (type.map { ["-> \($0)"] } ?? [])
    }
  }
}

extension CorpusContextContent {
  /// The sections of a context as indented lines: one line per entry, which keeps changes readable;
  /// an entry that does not fit a line is broken up in the same way.
  var lines: [String] {
    section("vars", variables.mapValues { $0.wrappedLiteral(indentation: 4) })
      + section("device", deviceFunctions.mapValues { Value.list($0).literal })
      + section("computed", computedFunctions.mapValues { Value.list($0).literal })
      + section("host", hostAnswers.mapValues(\.literal))
  }

  /// The sections as options of one case, one line each.
  var optionLines: [String] {
    var lines: [String] = []
    let tables: [(String, [String: String])] = [
      ("with", variables.mapValues(\.literal)),
      ("device", deviceFunctions.mapValues { Value.list($0).literal }),
      ("computed", computedFunctions.mapValues { Value.list($0).literal }),
      ("host", hostAnswers.mapValues(\.literal)),
    ]
    for (name, entries) in tables where !entries.isEmpty {
      lines.append("\(name) {\(Self.members(entries).joined(separator: ", "))}")
    }
    return lines
  }

  private func section(_ name: String, _ entries: [String: String]) -> [String] {
    guard !entries.isEmpty else { return [] }
    let members = Self.members(entries).flatMap { member in
      "    \(member),".split(separator: "\n").map(String.init)
    }
    return ["  \(name) {"] + members + ["  }"]
  }

  private static func members(_ entries: [String: String]) -> [String] {
    entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      .map { "\(Value.string($0.key).literal): \($0.value)" }
  }
}

extension Value {
  /// The literal, over several lines where it does not fit one; the first line is not indented.
  fileprivate func wrappedLiteral(indentation: Int) -> String {
    let text = literal
    guard text.utf8.count + indentation > 80 else { return text }
    let inner = String(repeating: " ", count: indentation + 2)
    let outer = String(repeating: " ", count: indentation)
    switch self {
    case .map(let entries):
      let members = entries.map { key, value in
        "\(inner)\(key.literal): \(value.wrappedLiteral(indentation: indentation + 2)),\n"
      }
      return "{\n\(members.sorted().joined())\(outer)}"
    case .list(let elements):
      let members = elements.map { element in
        "\(inner)\(element.wrappedLiteral(indentation: indentation + 2)),\n"
      }
      return "[\n\(members.joined())\(outer)]"
    default: return text
    }
  }
}

extension HostAnswer {
  fileprivate var literal: String {
    switch self {
    case .value(let value): value.literal
    case .raw(let text): "raw(\(Value.string(text).literal))"
    }
  }
}

extension String {
  /// Whether the text, written as the lines of an expression, is read back unchanged.
  fileprivate var isPlainExpression: Bool {
    split(separator: "\n", omittingEmptySubsequences: false).allSatisfy { line in
      line.isPlainLine && CorpusOption.split(line) == nil
    }
  }
}

extension StringProtocol {
  /// Whether the text can end a line: it is visible, not empty, and has no space at either end.
  fileprivate var isPlainLine: Bool {
    guard let first, let last, first != " ", last != " " else { return false }
    // A combining mark would merge with the space before it.
    guard let scalar = unicodeScalars.first, !scalar.properties.isGraphemeExtend else {
      return false
    }
    let text = String(self)
    // A text that needs escapes besides those of quotes and backslashes is not fully visible.
    let escaped = Value.string(text).literal
    return escaped.utf8.count == text.utf8.count + 2
      + text.utf8.reduce(0) { $0 + ($1 == 0x22 || $1 == 0x5C ? 1 : 0) }
  }
}
