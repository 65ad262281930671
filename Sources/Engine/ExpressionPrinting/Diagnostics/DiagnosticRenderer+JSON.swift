public import ExpressionSyntax

extension DiagnosticRenderer {
  /// Returns diagnostics of a text as a JSON array, for editors and servers.
  ///
  /// - Parameters:
  ///   - diagnostics: The diagnostics.
  ///   - text: The text that they are about.
  ///   - name: The name of the text, such as a file name.
  public static func json(
    _ diagnostics: [Diagnostic], in text: String, named name: String? = nil
  ) -> String {
    json(diagnostics, in: SourceText(text, name: name))
  }

  /// The diagnostics as one JSON array on one line.
  ///
  /// Offsets (`start`, `end`) count UTF-8 bytes from 0; lines and columns count from 1.
  package static func json(_ diagnostics: [Diagnostic], in source: SourceText) -> String {
    var writer = JSONWriter()
    let lines = SourceLines(source)
    writer.array(diagnostics) { writer, diagnostic in
      writer.object { writer in
        writer.member("id", diagnostic.id.rawValue)
        writer.member("severity", diagnostic.severity.rawValue)
        writer.member("message", diagnostic.message)
        if let name = source.name { writer.member("source", name) }
        writer.key("primary")
        write(diagnostic.primary, to: &writer, lines)
        writer.key("secondary")
        writer.array(diagnostic.secondary) { writer, label in write(label, to: &writer, lines) }
        writer.key("notes")
        writer.array(diagnostic.notes) { writer, note in writer.string(note) }
        writer.key("helps")
        writer.array(diagnostic.helps) { writer, help in writer.string(help) }
        writer.key("fixIts")
        writer.array(diagnostic.fixIts) { writer, fixIt in
          writer.object { writer in
            writer.member("message", fixIt.message)
            writer.key("edits")
            writer.array(fixIt.edits) { writer, edit in
              writer.object { writer in
                writer.member("start", Int(edit.span.start))
                writer.member("end", Int(edit.span.end))
                writer.member("replacement", edit.replacement)
              }
            }
          }
        }
      }
    }
    return writer.text
  }

  private static func write(
    _ label: Diagnostic.Label, to writer: inout JSONWriter, _ lines: SourceLines
  ) {
    let start = lines.location(of: label.span.start)
    let end = lines.location(of: label.span.end)
    writer.object { writer in
      writer.member("start", Int(label.span.start))
      writer.member("end", Int(label.span.end))
      writer.member("line", start.line)
      writer.member("column", start.column)
      writer.member("endLine", end.line)
      writer.member("endColumn", end.column)
      writer.member("message", label.message)
    }
  }
}

/// Writes JSON text; small, because this module does without Foundation.
struct JSONWriter {
  /// The text written so far.
  private(set) var text = ""
  private var needsComma = false

  mutating func object(_ members: (inout JSONWriter) -> Void) {
    separate()
    text += "{"
    needsComma = false
    members(&self)
    text += "}"
    needsComma = true
  }

  mutating func array<Element>(
    _ elements: [Element], _ write: (inout JSONWriter, Element) -> Void
  ) {
    separate()
    text += "["
    needsComma = false
    for element in elements { write(&self, element) }
    text += "]"
    needsComma = true
  }

  mutating func key(_ name: String) {
    string(name)
    text += ":"
    needsComma = false
  }

  mutating func member(_ name: String, _ value: String) {
    key(name)
    string(value)
  }

  mutating func member(_ name: String, _ value: Int) {
    key(name)
    separate()
    text += String(value)
    needsComma = true
  }

  mutating func string(_ value: String) {
    separate()
    text += "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "\u{00}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { text += "," }
    needsComma = false
  }
}
