import ArgumentParser
import ExpressionCoding
import ExpressionEngine
import ExpressionPrinting
import ExpressionSyntax
import FilterCorpus

/// `swexpr eval`: prints the value of a filter.
struct Eval: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Evaluate a filter over a context and print its value.",
    discussion: """
      The value is printed as a literal of the language: true, 5, "text", [1, 2], {"a": 1}.

        swexpr eval '1 + 2 * 3'
        swexpr eval 'user.age >= 18' --user '{"age": 25}'
        swexpr eval 'device.daysSince("app_open") > 7' \\
            --host '{"daysSince(app_open)": 9}'
        echo 'user.plan == "pro"' | swexpr eval - --context user.json --exit-status
        swexpr eval '-5 + 3'

      With --json, one document: {"value", "literal", "kind"}, or {"diagnostics"} if there is no \
      value. If the value is not true, names that do not exist and attributes that are missing are \
      noted on standard error. Exit codes: 0 there is a value; 1 there is no value, or \
      --exit-status and it is not true; 2 the command line, the context or a file cannot be read.
      """)

  @OptionGroup var expression: ExpressionOptions
  @OptionGroup var context: ContextOptions
  @OptionGroup var diagnostics: DiagnosticOptions

  @Flag(help: "Print one JSON document.")
  var json = false

  @Flag(help: "Exit with 1 unless the value is true.")
  var exitStatus = false

  func run() throws {
    var input = StandardInputUse()
    try input.note(expression.expression, for: "the filter")
    try input.note(context.context, for: "--context")
    let source = try expression.source()
    let variables = try context.variables()
    let environment = CaseRequest.environment(
      dialect: expression.dialect.dialect, answers: try context.hostAnswers())

    let problems: [Diagnostic]
    do {
      let filter = try Filter(source, environment: environment)
      let value = try filter.evaluate(Context(variables: variables))
      Output.line(json ? Self.document(value) : value.literal)
      if value != .bool(true) { writeHints(filter, variables) }
      if exitStatus, value != .bool(true) { throw ExitStatus.no }
      return
    } catch let error as FilterError {
      problems = error.diagnostics
    } catch let error as EvaluationError {
      problems = [error.showingValues.diagnostic]
    }
    diagnostics.report(problems, in: source)
    if json { Output.line(#"{"diagnostics":\#(DiagnosticRenderer.json(problems, in: source))}"#) }
    throw ExitStatus.no
  }

  /// Writes what may explain a value that never matches to standard error: names that do not exist,
  /// and attributes that the context lacks.
  private func writeHints(_ filter: Filter, _ variables: [String: Value]) {
    var session = Session(dialect: expression.dialect.dialect)
    session.variables = variables
    Output.errorPiece(session.hints(about: filter))
  }

  private static func document(_ value: Value) -> String {
    JSONWriter.document { writer in
      writer.member("value", value: value)
      writer.member("literal", value.literal)
      writer.member("kind", value.kindName)
    }
  }
}
