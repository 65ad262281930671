import AudienceFilters
import ExpressionEngine
import FilterAnalysis

extension AttributePath {
  /// Returns the path extended by one member.
  func appending(_ name: String) -> AttributePath {
    AttributePath(root: root, names: names + [name])
  }

  /// Returns the value at the path, or `nil` if there is no value.
  func value(in variables: [String: Value]) -> Value? {
    guard var value = variables[root] else { return nil }
    for name in names {
      guard case .map(let entries) = value, let member = entries[.string(name)] else { return nil }
      value = member
    }
    return value
  }

  /// Sets the value at the path, or removes it if `value` is `nil`.
  func set(_ value: Value?, in variables: inout [String: Value]) {
    variables[root] = Self.setting(names[...], of: variables[root], to: value)
  }

  private static func setting(
    _ names: ArraySlice<String>, of old: Value?, to value: Value?
  ) -> Value? {
    guard let name = names.first else { return value }
    var entries: [Value.Key: Value] = [:]
    if case .map(let existing)? = old { entries = existing } else if value == nil { return old }
    entries[.string(name)] = setting(names.dropFirst(), of: entries[.string(name)], to: value)
    return .map(entries)
  }
}
