import AudienceFilters
import ExpressionEngine

extension AttributePath {
  /// The path one member further.
  func appending(_ name: String) -> AttributePath {
    AttributePath(root: root, names: names + [name])
  }

  /// The value at the path, or `nil` when there is none.
  func value(in variables: [String: Value]) -> Value? {
    guard var value = variables[root] else { return nil }
    for name in names {
      guard case .map(let entries) = value, let member = entries[.string(name)] else { return nil }
      value = member
    }
    return value
  }

  /// Puts a value there, or removes what is there for `nil`.
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
