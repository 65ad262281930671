import Foundation

/// The examples of `docs/spec/superscript.md` as cases of the corpus, which the tool can run.
struct SpecificationExamples {
  /// A row of a table of expressions.
  struct Example: Sendable {
    let line: Int
    let expression: String
    let result: String
  }

  let examples: [Example]

  init() {
    var examples: [Example] = []
    var isInTable = false
    for (index, line) in Repository.lines(of: Specification.superscript.path).enumerated() {
      if line == "| expression | result |" {
        isInTable = true
      } else if !line.hasPrefix("|") {
        isInTable = false
      } else if isInTable, !line.hasPrefix("|---") {
        let cells = Self.cells(line)
        guard cells.count == 2 else { continue }
        examples.append(
          Example(
            line: index + 1, expression: Self.code(cells[0]), result: Self.code(cells[1])))
      }
    }
    self.examples = examples
  }

  /// The cells of a row; `\|` is a bar within a cell.
  private static func cells(_ line: Substring) -> [String] {
    let bar = "\u{1F}"
    return line.replacing("\\|", with: bar).split(separator: "|")
      .map { $0.trimmingCharacters(in: .whitespaces).replacing(bar, with: "|") }
      .filter { !$0.isEmpty }
  }

  /// The text of a cell in code font. `⏎` is a line break, and `ˋ` a backtick.
  private static func code(_ cell: String) -> String {
    let mark = cell.prefix { $0 == "`" }.count
    guard mark > 0, cell.count >= 2 * mark else { return cell }
    return String(cell.dropFirst(mark).dropLast(mark))
      .replacing("⏎", with: "\n").replacing("ˋ", with: "`")
  }

  /// A corpus file with a case `line123` for each example.
  func corpus() -> String {
    var text = """
      # topic: specification
      # description: the examples of the specification
      # dialect: superscript

      @context base
        vars {
          "n": 5, "u": 5u, "f": 2.5, "s": "hello", "nul": null, "l": [1, 2, 3],
          "m": {"k": 1, "j": 2},
          "user": {
            "age": 25, "name": "Ann", "nul": null, "flag": "true", "no": "false", "score": "42",
            "tags": ["a", "b"], "list": [10, 20]
          },
          "x": 99, "mx": 9223372036854775807, "mn": -9223372036854775808, "by": b"hi",
          "ts": timestamp("2023-11-14T22:13:20Z"),
          "device": {
            "platform": "iOS", "ver": "002.010.000", "activeEntitlements": ["gold"]
          },
          "dt": "2024-02-29T12:34:56.789Z", "uf": "Unknown function", "pad": "007", "sz": {"k": 1}
        }
        device {"daysSince": ["event_name"], "none": [], "txt": [], "echo": [], "obj": []}
        computed {"daysSince": ["event_name"], "onlyC": []}
        host {
          "daysSince(app_install)": 3, "daysSince": 9, "txt": "7", "obj": {"a": "false"},
          "onlyC": 11, "echo": 1
        }

      @use base

      """
    for example in examples {
      guard let answer = Self.answer(example.result) else { continue }
      text += "\n== line\(example.line)\n  quoted \(Self.quoted(example.expression))\n\(answer)\n"
    }
    return text
  }

  /// The answer line of a result; `nil` for function values, which the notation writes otherwise.
  private static func answer(_ result: String) -> String? {
    let text = result.split(separator: "  calls:").first.map(String.init) ?? result
    if text.hasPrefix("Err ") { return "!!" }
    guard text.hasPrefix("Ok ") else { return "-- any" }
    if text.contains("function(") { return nil }
    var reader = NotationReader(text.dropFirst(3))
    guard let value = reader.value() else { return "?? unreadable: \(text)" }
    return "-- \(value.literal) : \(value.kind)"
  }

  /// A text as a literal that any corpus reader reads back.
  private static func quoted(_ text: String) -> String {
    var literal = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": literal += "\\\(scalar)"
      case " "..."~": literal.unicodeScalars.append(scalar)
      default:
        let digits = String(scalar.value, radix: 16)
        literal += "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
      }
    }
    return literal + "\""
  }
}

/// Reads the notation of results, such as `{a: int(2)}`, as a literal with its kind.
private struct NotationReader {
  private var rest: Substring

  init(_ text: Substring) { rest = text }

  mutating func value() -> (literal: String, kind: String)? {
    skipSpace()
    if take("Null") { return ("null", "null") }
    if take("[") { return elements("]").map { ("[\($0)]", "list") } }
    if take("{") { return elements("}").map { ("{\($0)}", "map") } }
    for kind in ["int", "uint", "float", "bool", "timestamp", "string", "bytes"] {
      if take(kind + "(") { return scalar(kind) }
    }
    return nil
  }

  private mutating func scalar(_ kind: String) -> (literal: String, kind: String)? {
    if kind == "string" {
      guard let end = rest.dropFirst().indices.first(where: { isClosingQuote(at: $0) }) else {
        return nil
      }
      let literal = String(rest[...end])
      rest = rest[rest.index(after: end)...]
      return take(")") ? (literal, kind) : nil
    }
    guard let end = rest.firstIndex(of: ")") else { return nil }
    let content = String(rest[..<end])
    rest = rest[rest.index(after: end)...]
    switch kind {
    case "uint": return (content + "u", kind)
    case "float": return (content == "null" ? "double(\"NaN\")" : content, "double")
    case "timestamp":
      guard let seconds = Double(content) else { return nil }
      let date = Date(timeIntervalSince1970: seconds)
      return ("timestamp(\"\(date.formatted(.iso8601))\")", kind)
    case "bytes":
      let numbers = content.filter { $0 != "[" && $0 != "]" && $0 != " " }.split(separator: ",")
      let octets = numbers.compactMap { UInt8($0) }.map { octet in
        "\\x" + (octet < 16 ? "0" : "") + String(octet, radix: 16)
      }
      return ("b\"\(octets.joined())\"", kind)
    default: return (content, kind)
    }
  }

  /// The elements up to a closing bracket; those of a map have a name in front.
  private mutating func elements(_ end: String) -> String? {
    var parts: [String] = []
    skipSpace()
    while !take(end) {
      var part = ""
      if end == "}" {
        guard let colon = rest.firstIndex(of: ":") else { return nil }
        part = "\"\(rest[..<colon])\": "
        rest = rest[rest.index(after: colon)...]
      }
      guard let value = value() else { return nil }
      parts.append(part + value.literal)
      skipSpace()
      _ = take(",")
      skipSpace()
    }
    return parts.joined(separator: ", ")
  }

  private func isClosingQuote(at index: Substring.Index) -> Bool {
    let backslashes = rest[..<index].reversed().prefix { $0 == "\\" }.count
    return rest[index] == "\"" && backslashes.isMultiple(of: 2)
  }

  private mutating func skipSpace() { rest = rest.drop { $0 == " " } }

  private mutating func take(_ text: String) -> Bool {
    guard rest.hasPrefix(text) else { return false }
    rest = rest.dropFirst(text.count)
    return true
  }
}
