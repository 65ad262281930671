import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis
import LinearRegex

/// A condition that is not on one attribute and constants: a loop, a pattern, arithmetic, two
/// attributes that are compared. What makes it hold is found by trying values.
struct OpaqueCondition {
  let node: NodeID
  /// The attributes and calls that it reads, in source order; at most a few.
  let targets: [ChangeTarget]

  /// The largest number of attributes and calls that are changed for one condition.
  private static let limit = 4

  /// Creates a condition from a node.
  ///
  /// - Returns: `nil` if it reads nothing that can be changed, or too much.
  init?(_ id: NodeID, in outline: FilterOutline) {
    let tree = outline.tree
    var targets: [ChangeTarget] = []
    var seen: Set<ChangeTarget> = []
    var work = [id]
    while let next = work.popLast() {
      let node = tree[next]
      if [.select, .index, .call].contains(node.kind),
        let target = ChangeTarget(next, in: outline),
        target.call != nil || outline.freePath(next) != nil
      {
        if seen.insert(target).inserted { targets.append(target) }
        guard targets.count <= Self.limit else { return nil }
        continue
      }
      work += tree.parts(of: node).reversed()
    }
    guard !targets.isEmpty else { return nil }
    node = id
    self.targets = targets
  }

  /// Returns values to try for a target, the most promising first.
  func candidates(for target: ChangeTarget, in outline: FilterOutline) -> [Value] {
    let tree = outline.tree
    var result: [Value] = []
    if case .comparison(let op, _, _) = outline.shape(of: node), op != .in, op != .equal {
      result = [.int(1), .int(0), .int(2)]
    }
    result += Self.results(of: node, in: tree)
    var work = [node]
    while let next = work.popLast() {
      let node = tree[next]
      if node.kind == .call {
        result += texts(of: node, in: tree)
        if let loop = outline.loop(node), ChangeTarget(loop.range, in: outline) == target {
          result += Self.lists(for: loop, in: outline)
        }
      }
      work += tree.parts(of: node)
    }
    return result
  }

  /// Returns what arithmetic with the condition's constants makes of them: `seed / 2 > 14` needs
  /// 30.
  private static func results(of id: NodeID, in tree: SyntaxTree) -> [Value] {
    guard let comparison = ConstantComparison(tree[id], in: tree),
      let wanted = comparison.value.plainNumber
    else { return [] }
    var factors: [Double] = []
    var work = [comparison.subject]
    while let next = work.popLast(), factors.count < 4 {
      let node = tree[next]
      guard node.kind == .binary else { continue }
      for side in [node.left, node.right] {
        if let number = tree.constant(of: side)?.plainNumber, number != 0 { factors.append(number) }
      }
      work += [node.left, node.right]
    }
    var numbers: [Double] = []
    for factor in factors {
      for near in [wanted, wanted + 1, wanted - 1] { numbers += [near * factor, near / factor] }
      numbers += [wanted * factor + 1, wanted * factor - 1]
    }
    return numbers.filter { $0.isFinite && abs($0) < 1e15 }
      .map { $0 == $0.rounded() ? .int(Int64($0)) : .double($0) }
  }

  /// Returns a shortest text for a pattern.
  private func texts(of node: SyntaxNode, in tree: SyntaxTree) -> [Value] {
    guard tree.name(of: node) == "matches",
      let pattern = tree.arguments(of: node).last,
      tree[pattern].kind == .stringLiteral
    else { return [] }
    let text = PatternRelation.shortestText(
      tree.text(of: tree[pattern]), syntax: tree.dialect.name.regexSyntax)
    return text.map { [.string($0)] } ?? []
  }

  /// Returns lists of elements that a loop's condition may hold for, and the empty list.
  private static func lists(for loop: FilterOutline.Loop, in outline: FilterOutline) -> [Value] {
    let tree = outline.tree
    var members: [Value.Key: Value] = [:]
    var whole: Value?
    var work = [loop.body]
    while let next = work.popLast() {
      let node = tree[next]
      if let comparison = ConstantComparison(node, in: tree) {
        note(comparison.subject, value(for: comparison))
        continue
      }
      if node.kind == .call, let receiver = node.receiver,
        let argument = tree.arguments(of: node).first, let constant = tree.constant(of: argument)
      {
        note(receiver, constant)
        continue
      }
      if node.kind == .select { note(next, .bool(true)) }
      work += tree.parts(of: node)
    }
    func note(_ id: NodeID, _ value: Value?) {
      guard let value, let path = tree.attributePath(of: id), path.root == loop.variable else {
        return
      }
      if path.names.isEmpty {
        whole = whole ?? value
      } else if path.names.count == 1, members[.string(path.names[0])] == nil {
        members[.string(path.names[0])] = value
      }
    }
    let element: Value? = members.isEmpty ? whole : .map(members)
    // Another condition may need more than one element.
    return (element.map { [.list([$0]), .list([$0, $0]), .list([$0, $0, $0])] } ?? []) + [.list([])]
  }

  /// Returns a value that fulfils a comparison.
  private static func value(for comparison: ConstantComparison) -> Value? {
    if comparison.op == .in {
      if case .list(let elements) = comparison.value { return elements.first }
      return nil
    }
    guard let number = comparison.value.plainNumber else {
      return comparison.op == .equal ? comparison.value : nil
    }
    let wanted =
      switch comparison.op {
      case .greater, .notEqual: number + 1
      case .less: number - 1
      default: number
      }
    return wanted == wanted.rounded() && abs(wanted) < 1e15 ? .int(Int64(wanted)) : .double(wanted)
  }
}
