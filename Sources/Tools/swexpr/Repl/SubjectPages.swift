import AudienceFilters
import ExpressionPrinting
import ExpressionSyntax
import FilterAnalysis

/// The tool's lists of what is about a subject: attributes, functions and warnings.
enum SubjectPages {
  /// The largest number of lines for each kind.
  private static let limit = 12

  /// Returns what is about a subject, such as `version` or `missing`; empty if nothing is.
  static func page(
    _ subject: String, in schema: AttributeSchema, _ dialect: Dialect.Name
  ) -> String {
    let word = subject.lowercased()
    guard word.count >= 3 else { return "" }
    // What is found by its name comes before what only mentions the subject.
    let attributes = schema.sorted.filter { isAbout(word, $0.path, $0.summary) }
      .map { (line: "\($0.path): \($0.summary)", isNamed: isAbout(word, $0.path, "")) }
    let functions = FunctionPages.all(in: dialect)
      .filter { isAbout(word, $0.name, $0.summary) }
      .map { (line: "\($0.name): \($0.summary)", isNamed: isAbout(word, $0.name, "")) }
    let warnings = DiagnosticID.allCases.filter { $0.severity == .warning }
      .map { (id: $0, entry: DiagnosticCatalog.entry(for: $0)) }
      .filter { isAbout(word, $0.entry.title, $0.entry.explanation) }
      .map { found in
        (
          line: "\(found.id.rawValue): \(found.entry.title)",
          isNamed: isAbout(word, found.entry.title, "")
        )
      }
    var text = ""
    for (heading, lines) in [
      ("attributes", attributes), ("functions", functions), ("warnings", warnings),
    ] where !lines.isEmpty {
      let sorted = lines.filter(\.isNamed) + lines.filter { !$0.isNamed }
      text += "\(text.isEmpty ? "" : "\n")\(heading)\n"
      for (line, _) in sorted.prefix(limit) { text += "    \(line)\n" }
      if sorted.count > limit { text += "    and \(sorted.count - limit) more\n" }
    }
    return text
  }

  private static func isAbout(_ word: String, _ name: String, _ text: String) -> Bool {
    name.lowercased().contains(text: word) || text.lowercased().contains(text: word)
  }
}
