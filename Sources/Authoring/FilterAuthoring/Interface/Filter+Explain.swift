public import ExpressionEngine
import ExpressionPrinting
import ExpressionSyntax
package import FilterAnalysis

extension Filter {
  /// Explains the filter's result for a context: each condition with its value and the attributes
  /// that it reads, the condition that decided, and the changes that would lead to a match.
  ///
  /// The values are the engine's own: each condition is compiled as it is written in the filter,
  /// and evaluated. Host functions are called at most once with the same arguments.
  ///
  /// - Complexity: About O(n · d) for a filter of n conditions nested d deep, compilation included.
  ///   Use it to explain a result to a person, not to match.
  public func explain(_ context: Context) -> Explanation {
    // The text was parsed before with the same rules, so this cannot fail.
    ParsedFilter(self).explain(context) ?? .unexplained(self, context)
  }

  /// Returns the conditions that ``explain(_:)`` shows, without looking for changes.
  package func conditions(_ context: Context) -> Explanation.Condition {
    guard let tree = ParsedFilter(self).tree else {
      return Explanation.unexplained(self, context).root
    }
    var explainer = Explainer(tree, environment: environment, context: context)
    return explainer.conditions()
  }
}

extension ParsedFilter {
  /// Explains the filter's result for a context, as `Filter.explain(_:)` does.
  ///
  /// - Returns: `nil` while the text has mistakes of syntax.
  package func explain(_ context: Context) -> Explanation? {
    guard let tree else { return nil }
    var explainer = Explainer(tree, environment: environment, context: context)
    return explainer.explain()
  }
}

extension Explanation {
  /// Returns an explanation that contains only the result.
  static func unexplained(_ filter: Filter, _ context: Context) -> Explanation {
    let outcome: Outcome
    do throws(EvaluationError) {
      outcome = .value(try filter.evaluate(context))
    } catch {
      outcome = .failure(error.diagnostic)
    }
    let source = SourceText(filter.text)
    let root = Condition(
      id: 0, kind: .value, role: .operand, text: filter.text, span: source.span, outcome: outcome,
      cause: nil, element: nil, reads: [], operands: [], notes: [], children: [])
    return Explanation(
      source: source, root: root, decidingID: nil, changes: nil, neverMatches: false,
      obstacle: nil, isTruncated: true)
  }
}
