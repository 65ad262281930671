package import ExpressionEngine

extension Value {
  /// A map with string keys.
  package init(object: [String: Value]) {
    self = .map(
      Dictionary(uniqueKeysWithValues: object.map { (Value.Key.string($0.key), $0.value) }))
  }

  /// The entries of a map whose keys are strings; `nil` for anything but a map.
  package var object: [String: Value]? {
    guard case .map(let entries) = self else { return nil }
    var result: [String: Value] = [:]
    for case (.string(let name), let value) in entries { result[name] = value }
    return result
  }
}
