import AudienceFilters

@testable import ExpressionEngine
@testable import ExpressionSyntax

/// Bytecode is sound, and machine, graph, printed form and sets agree with the reference
/// evaluators, whatever optimizations are switched off.
enum OracleTarget {
  /// Neither reference evaluator counts steps or memory, so what takes many is left out.
  private static let limits = EvaluationLimits(steps: 5_000, memory: 1 << 20)
  /// Nor do they limit the nesting of values, which no filter with so few brackets reaches.
  private static let maximumBrackets = 100

  static func run(_ input: FuzzInput) {
    let text = input.text
    let brackets = input.bytes.count { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") }
    guard brackets <= maximumBrackets else { return }
    // Half of the inputs have all passes on, as filters of apps do.
    let optimizations: Optimizations =
      input.choice & 1 == 0
      ? .all : Optimizations(rawValue: UInt32(truncatingIfNeeded: input.choice >> 1))
    for name in Dialect.Name.allCases {
      var environment = OracleContexts.environment
      environment.dialect = .named(name)
      environment.limits = limits
      environment.optimizations = optimizations.intersection(.all)
      guard isCheap(text, environment) else { continue }
      switch name {
      case .superscript:
        let agreement = Agreement(environment: environment, contexts: OracleContexts.all)
        if case .disagrees(let found) = agreement.check(text) { report(found.description) }
      case .cel:
        let agreement = CELAgreement(environment: environment, contexts: OracleContexts.all)
        if case .disagrees(let found) = agreement.check(text) { report(found.description) }
      }
    }
  }

  /// Returns whether a text is a filter that reaches no limit.
  private static func isCheap(_ text: String, _ environment: FilterEnvironment) -> Bool {
    guard let filter = try? Filter(text, environment: environment) else { return false }
    return OracleContexts.all.allSatisfy { !filter.reachesLimit(over: $0.context) }
  }
}
