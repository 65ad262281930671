import ExpressionEngine
import ExpressionSyntax

/// Where conditions read a value.
package struct Source: Hashable, Sendable {
  /// The kind of place.
  package enum Kind: Hashable, Sendable {
    /// An attribute of the context.
    case attribute
    /// An attribute of `device` that the matcher adds for the audiences that read it.
    case legacyKey
    /// A call that asks the history, by function and event.
    case history(function: String, event: String)
  }

  package let kind: Kind
  /// The attribute; for a call, `device`.
  package let path: AttributePath
  /// How filters and reports write it.
  package let text: String
  /// The key that distinguishes sources byte by byte: `String` would take canonically equivalent
  /// names as equal.
  private let key: [UInt8]

  package init(_ path: AttributePath, isLegacyKey: Bool = false) {
    kind = isLegacyKey ? .legacyKey : .attribute
    self.path = path
    text = path.description
    key = Array((isLegacyKey ? "!" : "").utf8) + Array(text.utf8)
  }

  package init(function: String, event: String) {
    kind = .history(function: function, event: event)
    path = AttributePath(root: "device")
    text = "device.\(function)(\(Value.string(event).literal))"
    key = Array(text.utf8)
  }

  package static func == (left: Source, right: Source) -> Bool { left.key == right.key }

  package func hash(into hasher: inout Hasher) { hasher.combine(key) }

  /// Whether the value lies inside an object that may itself be missing.
  package var hasParent: Bool {
    guard case .attribute = kind else { return false }
    return path.names.count > (AttributeRoots.contains(path.root) ? 1 : 0)
  }
}
