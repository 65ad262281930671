import AudienceFilters
import ExpressionEngine
import ExpressionSyntax
import FilterAuthoring

/// The linter reports only places in the text, and its fixes leave a filter a filter.
enum ChecksTarget {
  static func run(_ input: FuzzInput) {
    for environment in [FilterEnvironment.standard, .cel] {
      let text = input.text
      guard let filter = try? Filter(text, environment: environment) else { continue }
      let findings = filter.check()
      SyntaxTarget.check(findings, in: text)
      let fixed = Filter.applyingFixes(of: findings, to: text)
      guard fixed != text else { continue }
      do throws(FilterError) {
        _ = try Filter(fixed, environment: environment)
      } catch {
        // A fix may make the text longer or deeper than the limits.
        let limits: [DiagnosticID] = [.expressionTooDeep, .filterTooLarge]
        require(
          error.diagnostics.allSatisfy { limits.contains($0.id) },
          "fixed, the filter no longer compiles: \(error)\n\(fixed)")
      }
    }
  }
}
