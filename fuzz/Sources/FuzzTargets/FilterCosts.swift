import AudienceFilters
import ExpressionEngine

extension Filter {
  /// Whether evaluation over a context ends at a limit.
  func reachesLimit(over context: Context) -> Bool {
    do throws(EvaluationError) {
      _ = try evaluate(context)
      return false
    } catch {
      return [.stepLimit, .memoryLimit, .patternLimit].contains(error.id)
    }
  }

  /// Returns whether a text takes few steps over a context without attributes, or is no filter.
  static func isCheap(_ text: String, _ environment: FilterEnvironment) -> Bool {
    var environment = environment
    environment.limits = EvaluationLimits(steps: 2_000, memory: 1 << 20)
    guard let filter = try? Filter(text, environment: environment) else { return true }
    return !filter.reachesLimit(over: Context(user: [:]))
  }
}
