/// Words as one tree of their letters, so that words with the same beginning share its nodes.
///
/// The letters are numbers below ``letterCount``. The root is node 0.
struct WordTree {
  let letterCount: Int
  /// By node and letter the node that follows, or ``none``.
  private var table: [Int32]
  /// The nodes above, by node.
  private(set) var parents: [Int32] = [none]

  static let none: Int32 = -1

  init(letterCount: Int, _ budget: inout ClassBudget) throws(Partition.TooManyClasses) {
    try budget.spend(letterCount)
    self.letterCount = letterCount
    table = [Int32](repeating: Self.none, count: letterCount)
  }

  /// The number of nodes. A node has a greater number than the one above it.
  var count: Int { parents.count }

  /// The node that follows a node, or ``none``.
  func next(_ node: Int32, _ letter: Int) -> Int32 { table[Int(node) * letterCount + letter] }

  /// Adds a word.
  ///
  /// - Returns: The node at its end.
  mutating func add(
    _ word: some Sequence<Int>, _ budget: inout ClassBudget
  ) throws(Partition.TooManyClasses) -> Int32 {
    var node: Int32 = 0
    for letter in word {
      let known = next(node, letter)
      if known != Self.none {
        node = known
        continue
      }
      try budget.spend(letterCount)
      guard let number = Int32(exactly: count) else { throw Partition.TooManyClasses() }
      table[Int(node) * letterCount + letter] = number
      table.append(contentsOf: repeatElement(Self.none, count: letterCount))
      parents.append(node)
      node = number
    }
    return node
  }

  /// Replaces what follows a node.
  mutating func set(_ node: Int32, _ letter: Int, to next: Int32) {
    table[Int(node) * letterCount + letter] = next
  }
}
