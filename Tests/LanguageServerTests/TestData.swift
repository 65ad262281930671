import ExpressionCoding
import ExpressionSyntax
import FilterCorpus
import Foundation
import TestSupport

/// The filters of the golden corpus, right and wrong ones.
enum CorpusFilters {
  struct Entry {
    var dialect: Dialect.Name
    var text: String
  }

  static let all: [Entry] = [
    "diagnostics/habits", "diagnostics/lints", "diagnostics/syntax", "diagnostics/tokens",
    "diagnostics/evaluation", "diagnostics/syntax-cel", "diagnostics/checks-cel",
    "cookbook/audiences", "cookbook/audiences-cel", "superscript/macros", "superscript/realistic",
  ].flatMap { name -> [Entry] in
    let path = "corpus/\(name).corpus"
    guard let text = try? TestFiles.text(path),
      let file = try? CorpusFile(reading: text, path: path)
    else { return [] }
    return file.entries.compactMap { entry in
      guard case .expression(let text) = entry.request.question else { return nil }
      return Entry(dialect: file.dialect, text: text)
    }
  }

  static let superscript = all.filter { $0.dialect == .superscript }.map(\.text)

  /// A fourth of the filters, for what takes long; more of them with `SWEXPR_EFFORT`.
  static let sample = stride(
    from: 0, to: superscript.count, by: max(1, 4 / Effort.factor)
  ).map { superscript[$0] }
}

/// Campaign configs as texts.
enum Configs {
  /// A config of one placement with an audience for each filter.
  ///
  /// - Parameter spell: Writes a filter as a JSON string with its quotes.
  static func text(_ filters: [String], spell: (String) -> String = quoted) -> String {
    let rules = filters.enumerated().map { index, filter in
      """
            {
              "experiment_group_id": "g", "experiment_id": "e\(index)",
              "expression_cel": \(spell(filter)),
              "variants": [{"variant_type": "HOLDOUT", "variant_id": "v\(index)", "percentage": 100}],
              "preload": {"behavior": "NEVER"}
            }
      """
    }
    return """
      {
        "build_id": "test",
        "trigger_options": [
          {
            "event_name": "opened_menu",
            "rules": [
      \(rules.joined(separator: ",\n"))
            ]
          }
        ],
        "paywall_responses": [], "log_level": 10, "localization": {"locales": []},
        "app_session_timeout_ms": 3600000, "toggles": [],
        "disable_preload": {"all": false, "triggers": []}
      }

      """
  }

  /// A text as a JSON string, with only the escapes that are needed.
  static func quoted(_ text: String) -> String {
    var writer = JSONWriter()
    writer.string(text)
    return writer.text
  }

  /// A text as a JSON string in which many characters are escaped that need not be.
  static func quotedAtRandom(_ text: String, _ random: inout SeededGenerator) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      let mustEscape = scalar == "\"" || scalar == "\\" || scalar.value < 0x20
      guard mustEscape || Int.random(in: 0..<6, using: &random) == 0 else {
        result.unicodeScalars.append(scalar)
        continue
      }
      let short: [Unicode.Scalar: String] = [
        "\"": "\\\"", "\\": "\\\\", "/": "\\/", "\n": "\\n", "\t": "\\t", "\r": "\\r",
      ]
      if let spelled = short[scalar], Bool.random(using: &random) {
        result += spelled
      } else {
        for unit in String(Character(scalar)).utf16 {
          let digits = String(unit, radix: 16, uppercase: Bool.random(using: &random))
          result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      }
    }
    return result + "\""
  }
}
