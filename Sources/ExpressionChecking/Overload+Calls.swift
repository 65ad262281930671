import ExpressionEngine

extension Overload {
  /// Whether the overload can be called with that many arguments.
  func accepts(count: Int) -> Bool {
    isVariadic ? count >= parameters.count : count == parameters.count
  }

  /// What the argument at `index` may be.
  func parameter(at index: Int) -> Parameter { parameters[min(index, parameters.count - 1)] }

  /// The overload without the names of its type parameters; two overloads that are equal then cannot
  /// be told apart by a call (spec §13).
  var erased: [[Type]] {
    let all = (receiver.map { [$0] } ?? []) + parameters
    return all.map { $0.alternatives.map(\.erased) }
  }
}

extension Type {
  /// The type with `dyn` for every type parameter.
  fileprivate var erased: Type {
    if case .parameter = self { return .dyn }
    return mapArguments(\.erased)
  }
}
