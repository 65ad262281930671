import AudienceFilters
import ExpressionEngine

/// The attributes of some variables, flattened to paths, for showing and completing.
struct Attributes {
  /// The paths with their values, sorted; maps that have members are followed by these.
  private(set) var entries: [(path: AttributePath, value: Value)] = []

  /// Deeper members are left out.
  private static let depthLimit = 8
  /// More attributes are left out.
  private static let countLimit = 5_000

  init(_ variables: [String: Value]) {
    for (name, value) in variables.sorted(by: { Self.rank($0.key) < Self.rank($1.key) }) {
      add(AttributePath(root: name), value)
    }
  }

  /// The paths as filters write them.
  var paths: [String] { entries.map(\.path.description) }

  /// The attributes at a path and below it.
  func under(_ path: AttributePath) -> [(path: AttributePath, value: Value)] {
    entries.filter { $0.path.root == path.root && $0.path.names.starts(with: path.names) }
  }

  private mutating func add(_ path: AttributePath, _ value: Value) {
    guard entries.count < Self.countLimit else { return }
    entries.append((path, value))
    guard case .map(let members) = value, path.names.count < Self.depthLimit else { return }
    for (key, member) in members.sorted(by: { $0.key.text < $1.key.text }) {
      guard case .string(let name) = key else { continue }
      add(path.appending(name), member)
    }
  }

  /// The usual roots first.
  private static func rank(_ name: String) -> String {
    let usual = ["user", "device", "params"].firstIndex(of: name)
    return usual.map { "\u{1}\($0)" } ?? name
  }
}
