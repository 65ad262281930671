import AudienceFilters
import ExpressionEngine
import ExpressionSyntax
import FilterAuthoring

/// All public ways to evaluate a filter give the same result.
///
/// The first part of an input is the filter, the second a context in JSON.
enum PathsTarget {
  /// The limits keep a run short; all ways share them.
  private static let limits = EvaluationLimits(steps: 200_000, memory: 4 << 20)

  private static let contexts = [
    Context(variables: [:]),
    Context(
      user: [
        "age": 25, "name": "Ada", "score": 0.5, "pro": true, "tags": ["a", "b"], "none": Value.null,
        "big": Value.uint(.max), "nan": Value.double(.nan), "map": ["k": 1],
      ],
      device: ["platform": "iOS", "appVersion": "1.2.3"], params: ["i": 7, "s": "é"]),
  ]

  /// Filters that share conditions with likely inputs, as many as a set needs to build a graph.
  private static let companions = (0..<48).map { number in
    "user.age >= \(number) && device.platform == \"\(number % 2 == 0 ? "iOS" : "Android")\""
  }

  static func run(_ input: FuzzInput) {
    var contexts = contexts
    if let second = input.second, let context = try? Context(json: second) {
      contexts.append(context)
    }
    for name in Dialect.Name.allCases {
      let environment = FilterEnvironment(
        dialect: .named(name),
        deviceFunctions: ["echo": { arguments, _ in arguments.first ?? .null }], limits: limits)
      guard let filter = try? Filter(input.first, environment: environment) else { continue }
      // Building a graph takes many times as long as the rest.
      let ways = Ways(filter, companions: input.choice % 8 == 0 ? companions : [])
      for context in contexts { ways.compare(over: context) }
    }
  }

  /// The ways to evaluate one filter.
  private struct Ways {
    let filter: Filter
    /// A set in which the filter is alone.
    let single: FilterSet
    /// Sets that have a graph, with the filter last; empty without companions.
    let graphs: [FilterSet]
    /// The filter as the element of a list, which no graph of decisions represents. Only the cel
    /// dialect has the same meaning there.
    let wrapped: Filter?

    init(_ filter: Filter, companions: [String]) {
      self.filter = filter
      single = FilterSet([filter])
      let environment = filter.environment
      var graphs: [FilterSet] = []
      if !companions.isEmpty {
        let texts = companions + [filter.text]
        if let set = try? FilterSet(texts: texts, environment: environment) { graphs.append(set) }
        graphs.append(
          FilterSet(companions.compactMap { try? Filter($0, environment: environment) } + [filter]))
      }
      self.graphs = graphs
      wrapped =
        environment.dialect.name == .cel
        ? try? Filter("[(\(filter.text)\n)][0]", environment: environment) : nil
    }

    func compare(over context: Context) {
      let expected = PathsTarget.outcome(filter, context)
      let isMatch = expected.isMatch
      require(filter.matches(context) == isMatch, difference("matches", expected))
      require(filter.matches([context]) == [isMatch], difference("matches of a batch", expected))
      let explained = filter.explain(context).matches
      require(explained == isMatch, difference("explain", expected))
      for set in [single] + graphs {
        let last = set.count - 1
        require(set.matches(context).last == isMatch, difference("matches of a set", expected))
        require(
          set.matchingIndices(context).contains(last) == isMatch,
          difference("matchingIndices", expected))
        require(
          set.indexOfFirstMatch(context) == set.matches(context).firstIndex(of: true),
          difference("indexOfFirstMatch", expected))
        let results = set.evaluate(context)
        require(
          results.count == set.count && PathsTarget.outcome(results[last]) == expected,
          difference("evaluate of a set of \(set.count)", expected))
      }
      guard let wrapped else { return }
      let other = PathsTarget.outcome(wrapped, context)
      // The two need not reach a limit at the same place.
      guard !other.isLimit, !expected.isLimit else { return }
      require(
        other.hasSameResult(as: expected),
        difference("evaluate of the filter in a list: \(other)", expected))
    }

    private func difference(_ way: String, _ expected: Outcome) -> String {
      "\(way) differs from evaluate: \(expected)\n\(filter.environment.dialect.name): \(filter.text)"
    }
  }

  /// A result in a form that compares NaN as equal to itself.
  private enum Outcome: Equatable {
    case value(String, isTrue: Bool)
    case failure(DiagnosticID, SourceSpan, String)

    var isMatch: Bool { if case .value(_, let isTrue) = self { isTrue } else { false } }
    var isLimit: Bool {
      guard case .failure(let id, _, _) = self else { return false }
      return id == .stepLimit || id == .memoryLimit
    }

    /// Whether both are the same value or the same kind of error, wherever it is.
    func hasSameResult(as other: Outcome) -> Bool {
      if case .failure(let id, _, _) = self, case .failure(let otherID, _, _) = other {
        return id == otherID
      }
      return self == other
    }
  }

  private static func outcome(_ filter: Filter, _ context: Context) -> Outcome {
    do throws(EvaluationError) {
      return outcome(.success(try filter.evaluate(context)))
    } catch {
      return outcome(.failure(error))
    }
  }

  private static func outcome(_ result: Result<Value, EvaluationError>) -> Outcome {
    switch result {
    case .success(let value): .value(value.description, isTrue: value == true)
    case .failure(let error): .failure(error.id, error.span, error.message)
    }
  }
}
