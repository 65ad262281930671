package import AudienceFilters
import ExpressionEngine

/// A way to evaluate filters, which must give the same as every other one.
package struct EvaluationPath: Sendable {
  /// A result of a path for one filter.
  package enum Result: Sendable {
    /// The value of the filter, or its error.
    case value(Swift.Result<Value, EvaluationError>)
    /// Whether the filter is true.
    case truth(Bool)
  }

  /// Takes the number of a filter, the name of the step that evaluated it, and the result.
  package typealias Report = (_ filter: Int, _ step: String, _ result: Result) -> Void

  /// The filters that a path takes.
  package enum Scope: Sendable, Hashable {
    /// One filter at a time.
    case single
    /// Two filters or more that share a context.
    case shared
  }

  /// The name, as failures print it.
  package let name: String
  /// The filters that the path takes.
  package let scope: Scope
  /// Evaluates filters over a context and reports a result for each, or several.
  package let evaluate: @Sendable ([Filter], Context, Report) -> Void

  /// Creates a path; see the properties.
  package init(
    _ name: String, _ scope: Scope = .single,
    evaluate: @escaping @Sendable ([Filter], Context, Report) -> Void
  ) {
    self.name = name
    self.scope = scope
    self.evaluate = evaluate
  }
}

extension EvaluationPath {
  /// All paths of the engine except `evaluate(_:_:)`, with which the others are compared.
  package static let all = [machine, matches, setOfOne, batch, setOfAll]

  /// The machine alone, without faster forms of a filter.
  static let machine = EvaluationPath("machine") { filters, context, report in
    for (index, filter) in filters.enumerated() {
      do throws(EvaluationError) {
        report(index, "evaluate", .value(.success(try filter.evaluateOnMachine(context))))
      } catch {
        report(index, "evaluate", .value(.failure(error)))
      }
    }
  }

  /// `Filter.matches(_:)`.
  static let matches = EvaluationPath("filter") { filters, context, report in
    for (index, filter) in filters.enumerated() {
      report(index, "matches", .truth(filter.matches(context)))
    }
  }

  /// A `FilterSet` of one filter.
  static let setOfOne = EvaluationPath("set of one") { filters, context, report in
    for (index, filter) in filters.enumerated() {
      let set = FilterSet([filter])
      report(index, "indexOfFirstMatch", .truth(set.indexOfFirstMatch(context) == 0))
      evaluate(set, context) { report(index + $0, $1, $2) }
    }
  }

  /// A `FilterSet` of all filters that share a context.
  static let setOfAll = EvaluationPath("set", .shared) { filters, context, report in
    evaluate(FilterSet(filters), context, report)
  }

  /// `Filter.matches(_:)` over several contexts.
  static let batch = EvaluationPath("batch") { filters, context, report in
    for (index, filter) in filters.enumerated() {
      for result in filter.matches([context, context, context]) {
        report(index, "matches", .truth(result))
      }
    }
  }

  private static func evaluate(_ set: FilterSet, _ context: Context, _ report: Report) {
    for (index, result) in set.matches(context).enumerated() {
      report(index, "matches", .truth(result))
    }
    var rest = set.matchingIndices(context)[...]
    for index in 0..<set.count {
      let isMatch = rest.first == index
      if isMatch { rest.removeFirst() }
      report(index, "matchingIndices", .truth(isMatch))
    }
    for (index, result) in set.evaluate(context).enumerated() {
      report(index, "evaluate", .value(result))
    }
  }
}
