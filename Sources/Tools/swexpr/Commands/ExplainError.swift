import ArgumentParser
import AudienceFilters
import ExpressionCoding
import ExpressionEngine
import ExpressionPrinting
import ExpressionSyntax
import FilterAuthoring

/// `swexpr explain-error`: explains the meaning of a diagnostic.
struct ExplainError: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Explain an error by its id, with an example.",
    discussion: """
      Without an id, all of them are listed.

        swexpr explain-error E0105
        swexpr explain-error

      With --json, one document: {"errors": [{"id", "title", "explanation", "example", \
      "dialect"}]}. Exit codes: 0 done, 2 there is no such id.
      """)

  @Argument(help: "The id, such as E0105.")
  var id: String?

  @Flag(help: "Print one JSON document.")
  var json = false

  func run() throws {
    var ids = DiagnosticID.allCases.sorted { $0.rawValue < $1.rawValue }
    if let id {
      guard let known = DiagnosticCatalog.id(code: id) else {
        let close = Suggestions.help(for: id.uppercased(), among: ids.map(\.rawValue))
        throw InputError("there is no error `\(id)`" + (close.map { "; \($0)" } ?? ""))
      }
      ids = [known]
    }
    if json {
      Output.line(Self.document(ids))
    } else if let only = ids.first, ids.count == 1 {
      Output.write(Self.page(only))
    } else {
      for id in ids { Output.line("\(id.rawValue)  \(id.entry.title)") }
    }
  }

  /// Returns the whole text about one id, with its example shown as the tool would report it.
  static func page(_ id: DiagnosticID) -> String {
    let entry = id.entry
    var text = "\(id.severity.rawValue)[\(id.rawValue)]: \(entry.title)\n\n"
    text += entry.explanation + "\n"
    if id.severity == .warning {
      text += """

        To silence it, write the comment `// swexpr:ignore \(id.rawValue)` at the end of the \
        line, or alone on the line before; `// swexpr:ignore-filter \(id.rawValue)` silences it \
        in the whole filter.

        """
    }
    guard !entry.example.isEmpty else { return text }
    let source = SourceText(entry.example)
    text += "\nFor example:\n\n"
    for line in rendered(source, entry, id).split(separator: "\n", omittingEmptySubsequences: false)
    {
      text += line.isEmpty ? "\n" : "    \(line)\n"
    }
    while text.hasSuffix("\n\n") { text.removeLast() }
    return text
  }

  /// Returns the diagnostic of the example, or the example alone if it cannot be reproduced by
  /// itself.
  private static func rendered(
    _ source: SourceText, _ entry: DiagnosticCatalog.Entry, _ id: DiagnosticID
  ) -> String {
    var found: [Diagnostic] = []
    let environment = FilterEnvironment(dialect: .named(entry.dialect))
    // The findings of a check come first, before the filter runs.
    if let checked = try? Filter(source.text, environment: environment).check(),
      let diagnostic = checked.first(where: { $0.id == id })
    {
      return DiagnosticRenderer().render(diagnostic, in: source)
    }
    do {
      let filter = try Filter(source, environment: environment)
      _ = try filter.evaluate(Context(variables: [:]))
    } catch let error as FilterError {
      found = error.diagnostics
    } catch let error as EvaluationError {
      found = [error.showingValues.diagnostic]
    } catch {}
    guard let diagnostic = found.first(where: { $0.id == id }) else { return source.text }
    return DiagnosticRenderer().render(diagnostic, in: source)
  }

  private static func document(_ ids: [DiagnosticID]) -> String {
    JSONWriter.document(pretty: true) { writer in
      writer.member("errors", ids) { writer, id in
        let entry = id.entry
        writer.object { writer in
          writer.member("id", id.rawValue)
          writer.member("severity", id.severity.rawValue)
          writer.member("title", entry.title)
          writer.member("explanation", entry.explanation)
          writer.member("example", entry.example)
          writer.member("dialect", entry.dialect.rawValue)
        }
      }
    }
  }
}
