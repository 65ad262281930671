/// A regular expression as a tree, with flags resolved and classes computed.
struct RegexNode: Hashable, Sendable {
  indirect enum Kind: Hashable, Sendable {
    case empty
    /// Matches nothing, not even the empty text.
    case never
    /// Scalars in a row, as ordinals; at least one.
    case literal([UInt32])
    /// One scalar of a set with at least two members.
    case set(ScalarSet)
    case assertion(Assertion)
    /// - Parameter maximum: `nil` for any number.
    case repetition(RegexNode, minimum: UInt32, maximum: UInt32?, isGreedy: Bool)
    case capture(Int, RegexNode)
    case sequence([RegexNode])
    case choice([RegexNode])
  }

  let kind: Kind
  /// Whether it can match the empty text, assertions granted.
  let canBeEmpty: Bool
  /// Whether it matches no text but the empty one.
  let isZeroWidth: Bool

  private init(_ kind: Kind, canBeEmpty: Bool, isZeroWidth: Bool) {
    self.kind = kind
    self.canBeEmpty = canBeEmpty
    self.isZeroWidth = isZeroWidth
  }

  static let empty = RegexNode(.empty, canBeEmpty: true, isZeroWidth: true)
  static let never = RegexNode(.never, canBeEmpty: true, isZeroWidth: false)

  static func literal(_ ordinals: [UInt32]) -> RegexNode {
    ordinals.isEmpty ? empty : RegexNode(.literal(ordinals), canBeEmpty: false, isZeroWidth: false)
  }

  static func set(_ set: ScalarSet) -> RegexNode {
    if set.isEmpty { return never }
    if let only = set.only { return literal([only]) }
    return RegexNode(.set(set), canBeEmpty: false, isZeroWidth: false)
  }

  static func assertion(_ assertion: Assertion) -> RegexNode {
    RegexNode(.assertion(assertion), canBeEmpty: true, isZeroWidth: true)
  }

  static func capture(_ number: Int, _ node: RegexNode) -> RegexNode {
    RegexNode(
      .capture(number, node), canBeEmpty: node.canBeEmpty, isZeroWidth: node.isZeroWidth)
  }

  /// A repetition; of what is empty anyway, once is as good as often.
  static func repetition(
    _ node: RegexNode, _ minimum: UInt32, _ maximum: UInt32?, isGreedy: Bool
  ) -> RegexNode {
    var minimum = minimum
    var maximum = maximum
    if node.isZeroWidth {
      minimum = min(minimum, 1)
      maximum = min(maximum ?? 1, 1)
    }
    if maximum == 0 { return empty }
    if minimum == 1, maximum == 1 { return node }
    return RegexNode(
      .repetition(node, minimum: minimum, maximum: maximum, isGreedy: isGreedy),
      canBeEmpty: minimum == 0 || node.canBeEmpty, isZeroWidth: node.isZeroWidth)
  }

  /// Nodes in a row; sequences in it are taken apart, and literals become one.
  static func sequence(_ nodes: [RegexNode]) -> RegexNode {
    var parts: [RegexNode] = []
    var pending: [UInt32] = []
    func flush() {
      guard !pending.isEmpty else { return }
      parts.append(literal(pending))
      pending.removeAll(keepingCapacity: true)
    }
    func append(_ node: RegexNode) {
      switch node.kind {
      case .empty: break
      case .literal(let ordinals): pending.append(contentsOf: ordinals)
      default:
        flush()
        parts.append(node)
      }
    }
    for node in nodes {
      if case .sequence(let inner) = node.kind { inner.forEach(append) } else { append(node) }
    }
    flush()
    if parts.isEmpty { return empty }
    if parts.count == 1 { return parts[0] }
    var canBeEmpty = true
    var isZeroWidth = true
    for part in parts {
      canBeEmpty = canBeEmpty && part.canBeEmpty
      isZeroWidth = isZeroWidth && part.isZeroWidth
    }
    return RegexNode(.sequence(parts), canBeEmpty: canBeEmpty, isZeroWidth: isZeroWidth)
  }

  /// Alternatives; what is one scalar each becomes a set, and a common start is written once.
  static func choice(_ nodes: [RegexNode]) -> RegexNode {
    var parts: [RegexNode] = []
    for node in nodes {
      if case .choice(let inner) = node.kind { parts += inner } else { parts.append(node) }
    }
    if parts.isEmpty { return never }
    if parts.count == 1 { return parts[0] }
    if let members = members(of: parts) { return set(members) }
    if let lifted = liftingCommonStart(of: parts) { return lifted }
    var canBeEmpty = false
    var isZeroWidth = true
    for part in parts {
      canBeEmpty = canBeEmpty || part.canBeEmpty
      isZeroWidth = isZeroWidth && part.isZeroWidth
    }
    return RegexNode(.choice(parts), canBeEmpty: canBeEmpty, isZeroWidth: isZeroWidth)
  }

  /// The union of alternatives that are all single scalars, or all sets.
  private static func members(of parts: [RegexNode]) -> ScalarSet? {
    var builder = ScalarSetBuilder()
    var literals = 0
    for part in parts {
      switch part.kind {
      case .literal(let ordinals) where ordinals.count == 1:
        literals &+= 1
        builder.insert(ordinals[0], ordinals[0])
      case .set(let set): builder.insert(set)
      default: return nil
      }
    }
    return literals == 0 || literals == parts.count ? builder.finish() : nil
  }

  private static func liftingCommonStart(of parts: [RegexNode]) -> RegexNode? {
    guard case .sequence(let first) = parts[0].kind else { return nil }
    var count = first.count
    for part in parts.dropFirst() {
      guard case .sequence(let other) = part.kind else { return nil }
      var common = 0
      while common < min(count, other.count), first[common] == other[common] { common &+= 1 }
      count = common
      if count == 0 { return nil }
    }
    var rests: [RegexNode] = []
    for part in parts {
      guard case .sequence(let nodes) = part.kind else { return nil }
      rests.append(sequence(Array(nodes[count...])))
    }
    return sequence(Array(first[..<count]) + [choice(rests)])
  }
}
