import ArgumentParser
import AudienceFilters
import CampaignAnalysis
import ExpressionCoding
import ExpressionEngine
import ExpressionSyntax
import FilterAuthoring
import FilterCorpus

/// `swexpr explain`: explains why a filter matches or not.
struct Explain: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Explain why a filter matches a context or not, and what would have to change.",
    discussion: """
      Shows each condition with its value, what it read, what was missing, and what was not \
      evaluated; > marks the condition that decided. Where days pass or events leave their \
      windows, the last line shows how long the filter keeps its value if nothing happens.

        swexpr explain 'user.age >= 18 && user.plan == "pro"' --context user.json
        swexpr explain 'device.daysSince("app_open") >= 7' --host '{"daysSince(app_open)": 3}'

      With --json, one document: {"filter", "matches", "headline", "outcome", "deciding", \
      "changes": [{"path", "current", "missing", "requirement", "example", "remove", "text"}], \
      "truncated", "root": {"id", "kind", "text", "outcome", "reads", "operands", "notes", \
      "children", …}}, and where time matters "certain_minutes" and "changes_within_minutes", or \
      null. Exit codes: 0 explained, 1 the text is not a filter, or --exit-status and it does not \
      match; 2 the context or a file cannot be read.
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
      let forecast = forecast(source.text, variables, answers)
      if json {
        Output.line(Self.document(explanation, forecast))
      } else {
        Output.write(explanation.text)
        if let text = forecast.text { Output.line("\n\(text)") }
      }
      guard exitStatus, !explanation.matches else { return }
    } catch {
      diagnostics.report(error.diagnostics, in: source)
    }
    throw ExitStatus.no
  }

  /// Looks ahead: from now on, nothing is known but the attributes and the results of functions.
  private func forecast(
    _ filter: String, _ variables: [String: Value], _ answers: [String: Value]
  ) -> FilterForecast {
    let model = AnalysisModel(placements: [], dialect: expression.dialect.dialect)
    return FilterForecast(filter, variables: variables, history: answers, model: model) {
      variables, answers in
      let environment = CaseRequest.environment(
        dialect: expression.dialect.dialect, answers: answers)
      let compiled = try? Filter(filter, environment: environment)
      return compiled?.matches(Context(variables: variables)) ?? false
    }
  }

  private static func document(_ explanation: Explanation, _ forecast: FilterForecast) -> String {
    JSONWriter.document { writer in
      explanation.write(to: &writer)
      guard forecast.readsTime else { return }
      writer.member("certain_minutes", forecast.certainMinutes.map { Int($0) })
      writer.member("changes_within_minutes", forecast.changesWithinMinutes.map { Int($0) })
    }
  }
}
