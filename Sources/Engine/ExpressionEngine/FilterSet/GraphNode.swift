/// A node of the graph of a set, as a ``FilterGraphBuilder`` makes it.
enum GraphNode {
  /// The numbers of nodes.
  typealias Operands = UnsafeBufferPointer<UInt32>

  /// Whether the value of an attribute is at one of the positions.
  case positions(attribute: Int, PositionSet)
  /// The condition of a number, which is an ``AttributeTest``.
  case test(condition: UInt32)
  /// Whether all of the operands are true.
  case and(Operands)
  /// Whether any of the operands is true.
  case or(Operands)

  /// The operands of an inner node; empty for a condition.
  @inline(__always)
  var operands: Operands {
    switch self {
    case .positions, .test: Operands(start: nil, count: 0)
    case .and(let operands), .or(let operands): operands
    }
  }
}

/// The distinct nodes of a graph. Operands have smaller numbers than the nodes that they are in.
///
/// A row has the node's kind with its attribute or condition, and then its positions or operands.
struct GraphNodeTable: ~Copyable {
  private var rows = WordInterner()
  private var row: [UInt32] = []

  /// The node without positions or operands, which is never true, and the one that always is.
  static let falseNode: UInt32 = 0
  static let trueNode: UInt32 = 1

  /// The upper two bits of the first word of a row.
  private enum Kind {
    static let positions: UInt32 = 0
    static let test: UInt32 = 1 << 30
    static let and: UInt32 = 2 << 30
    static let or: UInt32 = 3 << 30
    static let mask: UInt32 = 3 << 30
  }

  init() {
    _ = number(ofOperands: [], isAnd: false)
    _ = number(ofOperands: [], isAnd: true)
  }

  var count: Int { rows.count }

  // MARK: Writing

  mutating func number(of positions: MutablePositionSet, attribute: UInt32) -> UInt32 {
    positions.words.isEmpty
      ? Self.falseNode : number(Kind.positions | attribute, positions.words[...])
  }

  mutating func number(ofTest condition: UInt32) -> UInt32 { number(Kind.test | condition, []) }

  mutating func number(ofOperands operands: ArraySlice<UInt32>, isAnd: Bool) -> UInt32 {
    number(isAnd ? Kind.and : Kind.or, operands)
  }

  private mutating func number(_ head: UInt32, _ tail: ArraySlice<UInt32>) -> UInt32 {
    row.removeAll(keepingCapacity: true)
    row.append(head)
    row.append(contentsOf: tail)
    return rows.number(of: row)
  }

  // MARK: Reading

  /// Returns the node of a number. Its words are valid until a node is added.
  @inline(__always)
  subscript(number: Int) -> GraphNode {
    let words = rows[UInt32(truncatingIfNeeded: number)]
    let tail = UnsafeBufferPointer(rebasing: words[1...])
    switch words[0] & Kind.mask {
    case Kind.positions:
      return .positions(attribute: Int(words[0]), PositionSet(words: tail))
    case Kind.test: return .test(condition: words[0] & ~Kind.mask)
    case Kind.and: return .and(tail)
    default: return .or(tail)
    }
  }

  /// Returns the positions of a node; none if it is of another kind.
  func positions(of number: UInt32) -> PositionSet {
    guard case .positions(_, let positions) = self[Int(number)] else {
      return PositionSet(words: UnsafeBufferPointer(start: nil, count: 0))
    }
    return positions
  }
}
