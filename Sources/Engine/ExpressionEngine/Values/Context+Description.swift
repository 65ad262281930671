extension Context.Layer: Hashable, CustomStringConvertible {
  /// Returns whether two layers hold equal attributes. NaN is not equal to itself.
  ///
  /// - Complexity: O(size of the layers) unless they share their memory.
  public static func == (left: Self, right: Self) -> Bool {
    left.storage === right.storage || (left.count == right.count && left.value == right.value)
  }

  /// Hashes the attributes.
  public func hash(into hasher: inout Hasher) { hasher.combine(value) }

  /// The attributes as a map literal, ordered by name: `{"age": 25, "plan": "trial"}`.
  public var description: String { value.literal }
}

extension Context: Equatable, CustomStringConvertible, CustomDebugStringConvertible {
  /// One line for each root: its name and its attributes.
  ///
  ///     device: {"platform": "iOS"}
  ///     user: {"age": 25}
  public var description: String {
    snapshot().sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.literal)" }
      .joined(separator: "\n")
  }

  /// The roots and their sizes, then ``description``.
  public var debugDescription: String {
    let roots = snapshot().count
    let state = hostState.map { ", host state \(type(of: $0))" } ?? ""
    let text = description
    return "Context of \(roots) roots\(state)" + (text.isEmpty ? "" : "\n\(text)")
  }

  /// Returns whether two contexts hold equal values. Host states are not compared. NaN is not equal
  /// to itself.
  ///
  /// - Complexity: O(size of the contexts), except for layers that they share.
  public static func == (left: Context, right: Context) -> Bool {
    left.storage.layers == right.storage.layers
  }
}

extension Context.Layer: CustomDebugStringConvertible {
  /// The number of attributes, then ``description``.
  public var debugDescription: String { "Layer of \(count) attributes \(description)" }
}
