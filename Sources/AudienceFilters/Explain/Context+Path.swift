public import ExpressionEngine

extension Context {
  /// The value at a path, or `nil` when there is none.
  ///
  /// - Complexity: O(size of the context): the values are copied out.
  public func value(at path: AttributePath) -> Value? {
    guard var value = snapshot()[path.root] else { return nil }
    for name in path.names {
      guard case .map(let entries) = value, let member = entries[.string(name)] else { return nil }
      value = member
    }
    return value
  }

  /// A copy in which the attribute at a path has another value.
  ///
  /// Maps on the way are made where there are none. A path of more than 100 names changes nothing: no
  /// attribute lies so deep.
  ///
  /// - Parameters:
  ///   - path: The attribute.
  ///   - value: The value; `nil` removes the attribute.
  /// - Complexity: O(size of the context).
  public func setting(_ path: AttributePath, to value: Value?) -> Context {
    guard path.names.count <= AttributePath.maximumLength else { return self }
    var variables = snapshot()
    let changed = Self.setting(path.names[...], of: variables[path.root], to: value)
    variables[path.root] = changed
    return Context(variables: variables).replacing(hostState: hostState)
  }

  private static func setting(
    _ names: ArraySlice<String>, of old: Value?, to value: Value?
  ) -> Value? {
    guard let name = names.first else { return value }
    var entries: [Value.Key: Value] = [:]
    if case .map(let existing)? = old {
      entries = existing
    } else if value == nil {
      return old
    }
    entries[.string(name)] = setting(names.dropFirst(), of: entries[.string(name)], to: value)
    return .map(entries)
  }
}
