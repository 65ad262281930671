import ExpressionCoding
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
    // A report may end up in a terminal, where control characters are dangerous.
    var writer = JSONWriter(escapesInvisible: true)
    let lines = SourceLines(source)
    writer.array(diagnostics) { writer, diagnostic in
      writer.object { writer in
        writer.member("id", diagnostic.id.rawValue)
        writer.member("severity", diagnostic.severity.rawValue)
        writer.member("message", diagnostic.message)
        if let name = source.name { writer.member("source", name) }
        writer.member("primary") { write(diagnostic.primary, to: &$0, lines) }
        writer.member("secondary", diagnostic.secondary) { writer, label in
          writer.object { write(label, to: &$0, lines) }
        }
        writer.member("notes", texts: diagnostic.notes)
        writer.member("helps", texts: diagnostic.helps)
        writer.member("fixIts", diagnostic.fixIts) { writer, fixIt in
          writer.object { writer in
            writer.member("message", fixIt.message)
            writer.member("edits", fixIt.edits) { writer, edit in
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
    writer.member("start", Int(label.span.start))
    writer.member("end", Int(label.span.end))
    writer.member("line", start.line)
    writer.member("column", start.column)
    writer.member("endLine", end.line)
    writer.member("endColumn", end.column)
    writer.member("message", label.message)
  }
}
