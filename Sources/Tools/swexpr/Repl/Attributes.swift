import AudienceFilters
import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

/// The attributes of some variables, flattened to paths, for display and completion.
struct Attributes {
  /// The paths with their values, sorted; maps that have members are represented by the members.
  private(set) var entries: [(path: AttributePath, value: Value)] = []

  /// The deepest level that is listed.
  private static let depthLimit = 8
  /// The largest number of attributes that are listed.
  private static let countLimit = 5_000

  init(_ variables: [String: Value]) {
    for (name, value) in variables.sorted(by: { Self.rank($0.key) < Self.rank($1.key) }) {
      add(AttributePath(root: name), value)
    }
  }

  /// The paths as filters write them.
  var paths: [String] { entries.map(\.path.description) }

  /// Returns the attributes at a path and below it.
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

  /// Returns the sort key of a root; the usual roots come first.
  private static func rank(_ name: String) -> String {
    let usual = AttributeRoots.names.firstIndex(of: name)
    return usual.map { "\u{1}\($0)" } ?? name
  }
}
