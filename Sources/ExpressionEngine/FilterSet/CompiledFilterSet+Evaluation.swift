extension CompiledFilterSet {
  /// Whether each filter is true, in the order of the filters; any other value and any error are no
  /// match.
  ///
  /// - Complexity: O(filters that no index excludes), plus one byte for each filter.
  public func matches(_ context: Context) -> [Bool] {
    var result = [Bool](repeating: false, count: filters.count)
    let isDone: Void? = withPlan(for: context.storage) { plan, attributes in
      plan.forEachSatisfied(attributes) { filter, isTrue in
        result[filter] = isTrue || filters[filter].matches(context)
      }
      for group in plan.alone {
        guard filters[Int(group[0])].matches(context) else { continue }
        for filter in group { result[Int(filter)] = true }
      }
    }
    if isDone == nil {
      for index in filters.indices { result[index] = filters[index].matches(context) }
    }
    return result
  }

  /// The numbers of the filters that are true, in ascending order.
  ///
  /// - Complexity: O(k log k) in the number of filters that no index excludes.
  public func matchingIndices(_ context: Context) -> [Int] {
    var result: [Int] = []
    let isDone: Void? = withPlan(for: context.storage) { plan, attributes in
      plan.forEachSatisfied(attributes) { filter, isTrue in
        if isTrue || filters[filter].matches(context) { result.append(filter) }
      }
      for group in plan.alone where filters[Int(group[0])].matches(context) {
        for filter in group { result.append(Int(filter)) }
      }
    }
    guard isDone != nil else {
      return filters.indices.filter { filters[$0].matches(context) }
    }
    result.sort()
    return result
  }

  /// The number of the first filter that is true.
  ///
  /// Filters behind it that may fail or call the host are not evaluated.
  public func firstMatch(_ context: Context) -> Int? {
    var first = Int.max
    let isDone: Void? = withPlan(for: context.storage) { plan, attributes in
      plan.forEachSatisfied(attributes) { filter, isTrue in
        guard filter < first, isTrue || filters[filter].matches(context) else { return }
        first = filter
      }
      for group in plan.alone {
        // Groups stand in the order of their first filters.
        guard Int(group[0]) < first else { break }
        if filters[Int(group[0])].matches(context) { first = Int(group[0]) }
      }
    }
    guard isDone != nil else { return filters.firstIndex { $0.matches(context) } }
    return first == .max ? nil : first
  }

  /// The value of each filter or its error, in the order of the filters.
  ///
  /// - Complexity: O(filters that no index excludes), plus one result for each filter.
  public func evaluate(_ context: Context) -> [Result<Value, EvaluationError>] {
    var result = [Result<Value, EvaluationError>](
      repeating: .success(.bool(false)), count: filters.count)
    let isDone: Void? = withPlan(for: context.storage) { plan, attributes in
      plan.forEachSatisfied(attributes) { filter, isTrue in
        result[filter] = isTrue ? .success(.bool(true)) : filters[filter].result(context)
      }
      for group in plan.alone {
        let outcome = filters[Int(group[0])].result(context)
        for filter in group { result[Int(filter)] = outcome }
      }
    }
    if isDone == nil {
      for index in filters.indices { result[index] = filters[index].result(context) }
    }
    return result
  }

  /// How many filters an evaluation over a context has to look at, for tests and for tuning; `nil`
  /// while there is no plan for such contexts.
  package func touchedCount(_ context: Context) -> Int? {
    withPlan(for: context.storage) { plan, attributes in
      plan.equalities.reduce(0) { $0 + $1.filters(for: attributes[Int($1.attribute)]).count }
        + plan.bounds.reduce(0) { $0 + $1.count(for: attributes[Int($1.attribute)]) }
        + plan.unindexed.count + plan.alone.reduce(0) { $0 + $1.count }
    }
  }
}

extension CompiledFilter {
  fileprivate func result(_ context: Context) -> Result<Value, EvaluationError> {
    do throws(EvaluationError) {
      return .success(try evaluate(context))
    } catch {
      return .failure(error)
    }
  }
}
