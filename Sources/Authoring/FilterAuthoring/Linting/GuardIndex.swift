import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

/// The conditions of a filter that exclude a missing attribute: `has(user.age)`,
/// `user.age != null`, `user.age > 3`.
///
/// The index finds in O(log n) whether a part of the filter has such a condition, so that checking
/// long chains stays linear.
struct GuardIndex {
  /// The nodes that exclude a missing attribute, in order, by attribute.
  private var nodes: [AttributePath: [UInt32]] = [:]
  /// The first node of the part under each node. A part's nodes are consecutive, its root is the
  /// last one.
  private let first: [UInt32]

  init(_ linter: FilterLinter) {
    let tree = linter.tree
    var first: [UInt32] = []
    first.reserveCapacity(tree.nodes.count)
    for (index, node) in tree.nodes.enumerated() {
      var least = UInt32(index)
      tree.forEachChild(of: node) { least = min(least, first[Int($0)]) }
      first.append(least)
      if let path = Self.guarded(node, linter) { nodes[path, default: []].append(UInt32(index)) }
    }
    self.first = first
  }

  /// Returns the attribute whose absence a node excludes.
  private static func guarded(_ node: SyntaxNode, _ linter: FilterLinter) -> AttributePath? {
    let tree = linter.tree
    if node.kind == .call {
      guard tree.name(of: node) == "has", let argument = tree.children(of: node).first else {
        return nil
      }
      return tree.attributePath(of: NodeID(argument))
    }
    guard let comparison = ConstantComparison(node, in: tree),
      comparison.value == .null || comparison.holdsWhenMissing == false
    else { return nil }
    return linter.freePath(comparison.subject)
  }

  /// Returns whether a node excludes the absence of an attribute, or one under it does.
  ///
  /// - Parameter inner: A part under the node that does not count.
  func excludes(_ path: AttributePath, under node: UInt32, outside inner: UInt32? = nil) -> Bool {
    guard let guards = nodes[path] else { return false }
    let part = first[Int(node)]...node
    guard let inner else { return Self.contains(guards, part) }
    let hidden = first[Int(inner)]...inner
    return
      (hidden.lowerBound > part.lowerBound
      && Self.contains(guards, part.lowerBound...(hidden.lowerBound - 1)))
      || (hidden.upperBound < part.upperBound
        && Self.contains(guards, (hidden.upperBound + 1)...part.upperBound))
  }

  /// Returns whether a sorted array has a number in a range.
  static func contains(_ sorted: [UInt32], _ range: ClosedRange<UInt32>) -> Bool {
    var low = 0
    var high = sorted.count
    while low < high {
      let middle = low + (high - low) / 2
      if sorted[middle] < range.lowerBound { low = middle + 1 } else { high = middle }
    }
    return low < sorted.count && sorted[low] <= range.upperBound
  }
}
