import AudienceFilters
import ExpressionEngine

/// An explanation says what the filter does, and the changes that it offers make the filter match.
///
/// The first part of an input is the filter, the second a context in JSON.
enum ExplainTarget {
  /// The limits keep a run short.
  private static let limits = EvaluationLimits(steps: 5_000, memory: 1 << 20)

  static func run(_ input: FuzzInput) {
    for name in Dialect.Name.allCases {
      let environment = FilterEnvironment(
        dialect: .named(name),
        deviceFunctions: ["echo": { arguments, _ in arguments.first ?? .null }], limits: limits)
      guard let filter = try? Filter(input.first, environment: environment) else { continue }
      var contexts = SmallContexts(for: [input.first], in: environment, seed: input.choice).all
      // An explanation evaluates a filter many times.
      contexts = contexts.indices.filter { $0 % max(1, contexts.count / 6) == 0 }
        .map { contexts[$0] }
      if let second = input.second, let context = try? Context(json: second) {
        contexts.append(context)
      }
      for context in contexts {
        if let fault = ExplanationRules.faults(of: filter, over: context).first {
          report("\(fault)\n\(name): \(input.first)\n\(context.snapshot())")
        }
      }
    }
  }
}
