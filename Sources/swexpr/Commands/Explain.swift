import ArgumentParser
import AudienceFilters
import ExpressionEngine
import ExpressionSyntax
import FilterCorpus

/// `swexpr explain`: explains why a filter matches or not.
struct Explain: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Explain why a filter matches a context or not, and what would have to change.",
    discussion: """
      Shows each condition with its value, what it read, what was missing, and what was not evaluated; > \
      marks the condition that decided.

        swexpr explain 'user.age >= 18 && user.plan == "pro"' --context user.json

      With --json, one document: {"filter", "matches", "headline", "outcome", "deciding", "changes": \
      [{"path", "current", "missing", "requirement", "example", "remove", "text"}], "truncated", "root": \
      {"id", "kind", "text", "outcome", "reads", "operands", "notes", "children", …}}. Exit codes: \
      0 explained, 1 the text is not a filter, or --exit-status and it does not match; 2 the context or a \
      file cannot be read.
      """)

  @OptionGroup var expression: ExpressionOptions
  @OptionGroup var context: ContextOptions
  @OptionGroup var diagnostics: DiagnosticOptions

  @Flag(help: "Print one JSON document.")
  var json = false

  @Flag(help: "Exit with 1 unless the filter matches.")
  var exitStatus = false

  func run() throws {
    var input = StandardInputUse()
    try input.note(expression.expression, for: "the filter")
    try input.note(context.context, for: "--context")
    let source = try expression.source()
    var variables = try context.variables()
    var answers: [String: Value] = [:]
    if let host = variables.removeValue(forKey: "host") {
      answers = try ContextOptions.object(host, "the member `host` of the context")
    }
    answers.merge(try context.hostAnswers()) { _, new in new }
    let environment = CaseRequest.environment(
      dialect: expression.dialect.dialect, answers: answers)
    do throws(FilterError) {
      let filter = try Filter(source.text, environment: environment)
      let explanation = filter.explain(Context(variables: variables))
      json ? Output.line(explanation.jsonText()) : Output.write(explanation.text)
      guard exitStatus, !explanation.matches else { return }
    } catch {
      diagnostics.report(error.diagnostics, in: source)
    }
    throw ExitStatus.no
  }
}
