/// Placeholder until the branch with sets is merged.
public final class CompiledFilterSet: Sendable {
  public let filters: [CompiledFilter]
  public init(_ filters: [CompiledFilter]) { self.filters = filters }
  public func matches(_ context: Context) -> [Bool] { filters.map { $0.matches(context) } }
  public func matchingIndices(_ context: Context) -> [Int] { filters.indices.filter { filters[$0].matches(context) } }
  public func firstMatch(_ context: Context) -> Int? { filters.firstIndex { $0.matches(context) } }
  public func evaluate(_ context: Context) -> [Result<Value, EvaluationError>] {
    filters.map { filter in
      do throws(EvaluationError) { return .success(try filter.evaluate(context)) } catch { return .failure(error) }
    }
  }
}
