import ExpressionCoding
import ExpressionEngine
import ExpressionSyntax

/// The TextMate grammar of filters, made from the tables of the tokenizer and the parser.
///
/// Editors without semantic tokens colour filters by it. It covers both dialects at once, because a
/// file does not say which one it is in before it is parsed.
package enum TextMateGrammar {
  /// The grammar as the JSON that VS Code and other editors read.
  package static var json: String {
    JSONWriter.document(pretty: true) { writer in
      writer.member("name", "Audience filter")
      writer.member("scopeName", "source.audience-filter")
      writer.member("fileTypes", texts: ["filter", "expr"])
      writer.member("patterns", rules) { $1.write(to: &$0) }
    } + "\n"
  }

  private struct Rule {
    var scope: String
    var match: String?
    var begin: String?
    var end: String?
    var inner: [Rule] = []

    func write(to writer: inout JSONWriter) {
      writer.object { writer in
        for case (let key, let text?) in [
          ("name", scope), ("match", match), ("begin", begin), ("end", end),
        ] {
          writer.member(key, text)
        }
        if !inner.isEmpty { writer.member("patterns", inner) { $1.write(to: &$0) } }
      }
    }
  }

  private static var rules: [Rule] {
    let name = "[A-Za-z_][A-Za-z_0-9]*"
    let dialects = Dialect.Name.allCases.map { Dialect.named($0) }
    let words = unique(dialects.flatMap(\.keywords))
    let spelled = Set(OperatorTable.rows.map(\.spelling))
    let wordOperators = words.filter { spelled.contains($0) }
    let constants = words.filter { !spelled.contains($0) }
    let reserved = unique(dialects.flatMap(\.reservedWords))
    let functions = Dialect.Name.allCases.flatMap { FunctionDefinition.all(in: $0) }
      .filter { !FunctionDefinition.testFunctions.contains($0.name) }
    let macros = unique(functions.filter(\.isMacro).map(\.name))
    let library = unique(functions.filter { !$0.isMacro }.map(\.name))
    return [Rule(scope: "comment.line.double-slash.audience-filter", match: "//.*$")]
      + strings
      + [
        Rule(
          scope: "constant.numeric.audience-filter",
          match:
            #"\b0[xX][0-9A-Fa-f]+u?\b|(?:\b[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?u?\b"#
        ),
        Rule(scope: "constant.language.audience-filter", match: word(constants)),
        Rule(scope: "keyword.operator.word.audience-filter", match: word(wordOperators)),
        Rule(scope: "keyword.control.audience-filter", match: word(macros) + #"(?=\s*\()"#),
        Rule(scope: "support.function.audience-filter", match: word(library) + #"(?=\s*\()"#),
        Rule(
          scope: "invalid.illegal.reserved.audience-filter", match: #"(?<!\.)"# + word(reserved)),
        Rule(scope: "entity.name.function.audience-filter", match: #"\b\#(name)(?=\s*\()"#),
        Rule(scope: "variable.other.member.audience-filter", match: #"(?<=\.)\#(name)\b"#),
        Rule(scope: "variable.other.audience-filter", match: #"\b\#(name)\b"#),
        Rule(scope: "keyword.operator.audience-filter", match: operators),
      ]
  }

  /// The rules of strings: raw ones without escapes, longer quotes first.
  private static var strings: [Rule] {
    let escape = Rule(
      scope: "constant.character.escape.audience-filter",
      match: #"\\(?:[xX][0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|[0-3][0-7]{2}|.)"#)
    return ["\"\"\"", "'''", "\"", "'"].flatMap { quote in
      [
        Rule(
          scope: "string.quoted.raw.audience-filter", begin: #"\b(?:[rR]|[bB][rR])"# + quote,
          end: quote),
        Rule(
          scope: "string.quoted.audience-filter", begin: #"(?:\b[bB])?"# + quote, end: quote,
          inner: [escape]),
      ]
    }
  }

  /// The operators that are not words, longest first.
  private static var operators: String {
    let rows = OperatorTable.rows.filter { $0.fixity != .postfix }
    let symbols = unique(rows.flatMap { $0.spelling.split(separator: " ").map(String.init) })
      .filter { $0.utf8.allSatisfy { !isNameByte($0) } }
    return symbols.sorted { ($1.utf8.count, $0) < ($0.utf8.count, $1) }.map(escaped)
      .joined(separator: "|")
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte == UInt8(ascii: "_")
  }

  private static func word(_ words: [String]) -> String {
    let sorted = words.sorted { ($1.utf8.count, $0) < ($0.utf8.count, $1) }
    return #"\b(?:\#(sorted.map(escaped).joined(separator: "|")))\b"#
  }

  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { text, character in
      if "\\^$.|?*+()[]{}".contains(character) { text.append("\\") }
      text.append(character)
    }
  }

  private static func unique(_ texts: [String]) -> [String] {
    var seen: Set<String> = []
    return texts.filter { seen.insert($0).inserted }
  }
}
