@testable import ExpressionEngine
@testable import ExpressionPrinting
@testable import ExpressionSyntax

/// What an expression is evaluated over.
struct OracleContext: Sendable {
  let name: String
  let variables: [String: Value]
  let context: Context

  init(_ name: String, _ variables: [String: Value]) {
    self.name = name
    self.variables = variables
    context = Context(variables: variables)
  }
}

/// Two ways to evaluate an expression that answer differently, or code that is not sound.
struct Disagreement: CustomStringConvertible {
  let expression: String
  let context: String
  /// The ways and what each of them says.
  let answers: [(way: String, says: String)]

  var description: String {
    "`\(expression)` over \(context): "
      + answers.map { "\($0.way) says \($0.says)" }.joined(separator: "; ")
  }
}

/// Holds every way to evaluate an expression against the reference evaluator: the code on
/// the machine, the filter and its printed form, which follow their graphs of decisions first, the
/// questions whether it matches, and a set of one.
struct Agreement {
  let environment: FilterEnvironment
  let contexts: [OracleContext]

  /// What came of comparing.
  enum Verdict {
    case agrees
    /// No filter: the text does not parse, or nests too deep.
    case refused(FilterError)
    /// Nothing says what the answer is.
    case unspecified
    case disagrees(Disagreement)
  }

  /// Compares all ways with the reference in each context.
  func check(_ expression: String) -> Verdict {
    do {
      let tree = try parse(
        SourceText(expression), dialect: environment.dialect, limits: environment.parserLimits)
      return try check(tree, expression)
    } catch {
      return .refused(FilterError(source: SourceText(expression), diagnostics: error.diagnostics))
    }
  }

  private func check(_ tree: SyntaxTree, _ expression: String) throws(SyntaxError) -> Verdict {
    let program: Program
    let filter: Filter
    do {
      program = try Lowering.program(tree, environment: environment)
      filter = try Filter(tree, environment: environment)
    } catch {
      return .refused(error)
    }
    do {
      try program.verify()
    } catch {
      return disagreement(expression, "verification", [("verify()", error.description)])
    }
    let printed = SyntaxPrinter.print(tree)
    let again: Filter
    do {
      let reparsed = try parse(
        SourceText(printed), dialect: environment.dialect, limits: environment.parserLimits)
      guard reparsed.isStructurallyEqual(to: tree) else {
        return disagreement(expression, "printing", [("the printed form", printed)])
      }
      again = try Filter(reparsed, environment: environment)
    } catch {
      return disagreement(expression, "printing", [("the printed form", "\(printed): \(error)")])
    }
    return compare(
      tree, expression, [("the machine", program)],
      [("the filter", filter), ("the printed form", again)])
  }

  private func compare(
    _ tree: SyntaxTree, _ expression: String, _ programs: [(String, Program)],
    _ filters: [(String, Filter)]
  ) -> Verdict {
    // The contexts in which the specification says what the answer is.
    var specified: [OracleContext] = []
    var matches: [Bool] = []
    for context in contexts {
      var reference = ReferenceEvaluator(
        tree, environment: environment, variables: context.variables)
      let wanted = reference.run()
      if reference.dependsOnKeyOrder { continue }
      specified.append(context)
      matches.append(wanted.isIdentical(to: .value(true)))
      var answers = programs.map { ($0.0, $0.1.run(context.context)) }
      for (name, filter) in filters {
        answers.append(
          (name, .init { () throws(EvaluationError) in try filter.evaluate(context.context) }))
      }
      if answers.contains(where: { !$0.1.isIdentical(to: wanted) }) {
        answers.append(("the reference", wanted))
        return disagreement(
          expression, context.name, answers.map { ($0.0, $0.1.description) })
      }
    }
    for (name, filter) in filters {
      if let (context, answers) = filter.matchDisagreement(specified, matches) {
        return .disagrees(
          Disagreement(
            expression: expression, context: "\(context.name), \(name)", answers: answers))
      }
    }
    return specified.count < contexts.count ? .unspecified : .agrees
  }

  private func disagreement(
    _ expression: String, _ context: String, _ answers: [(String, String)]
  ) -> Verdict {
    .disagrees(
      Disagreement(
        expression: expression, context: context,
        answers: answers.map { (way: $0.0, says: $0.1) }))
  }
}
