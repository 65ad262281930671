extension Context {
  /// Returns the value at a path, or `nil` if it has no value.
  ///
  /// - Complexity: O(length of the path + size of the value), which is copied out.
  public func value(at path: AttributePath) -> Value? {
    value(root: path.root, names: path.names)
  }

  /// The value at a path as a filter spells it, `user.age` or `params["$x"]`; `nil` if the path has
  /// no value or the text is not a path.
  ///
  /// ```swift
  /// var changed = Context(user: ["age": 3])
  /// changed["user.age"] = 4
  /// ```
  ///
  /// A text that is not a path changes nothing; a debug build prints it. ``setting(_:to:)``
  /// changes a copy.
  ///
  /// - Complexity: To read, O(length of the path + size of the value), which is copied out; to
  ///   write, O(size of the context).
  public subscript(path: String) -> Value? {
    get { AttributePath(path).flatMap { value(at: $0) } }
    set {
      guard let place = AttributePath(path) else {
        return noteForDevelopers("`\(path)` is not the path of an attribute")
      }
      self = setting(place, to: newValue)
    }
  }

  /// Returns a copy in which the attribute at a path has another value.
  ///
  /// Missing maps along the path are created. A path of more than 100 names changes nothing,
  /// because no attribute is that deep.
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
