/// Finds words inside and at the end of a text that is read letter by letter, all at once
/// (Aho and Corasick).
struct WordSearch {
  /// What was read: the longest end of the text that may become a word, and the words inside.
  struct State: Hashable {
    /// A node of the tree of words.
    var node: Int32 = 0
    /// The number of the set of words that were found inside.
    var found: Int32 = 0
  }

  private var tree: WordTree
  /// By node the node of its longest end that is a node, too.
  private var failures: [Int32]
  /// By node the nearest node, itself or along `failures`, at which a word ends that is searched
  /// for inside, or `WordTree.none`.
  private var infixes: [Int32]
  /// The same for the words that are searched for at the end.
  private var suffixes: [Int32]
  /// Whether a word for the end goes on through a node.
  private var leadsToSuffix: [Bool]
  /// By node the ends of the words for the inside that go on through it, longest first.
  private var ahead: [[Int32]]
  /// The sets of words that were found, by number.
  private var sets: [Set<Int32>] = [[]]
  private var numbers: [Set<Int32>: Int32] = [[]: 0]

  /// - Parameters:
  ///   - suffixes: The words that texts may end with.
  ///   - infixes: The words that texts may contain.
  init(
    suffixes: [[Int]], infixes: [[Int]], letterCount: Int, _ budget: inout ClassBudget
  ) throws(Partition.TooManyClasses) {
    var tree = try WordTree(letterCount: letterCount, &budget)
    var suffixEnds: Set<Int32> = []
    for word in suffixes { suffixEnds.insert(try tree.add(word, &budget)) }
    var infixEnds: [Int32] = []
    for word in infixes.sorted(by: { $0.count > $1.count }) {
      try budget.spend(word.count)
      infixEnds.append(try tree.add(word, &budget))
    }
    leadsToSuffix = [Bool](repeating: false, count: tree.count)
    for end in suffixEnds {
      var node = end
      while node != WordTree.none, !leadsToSuffix[Int(node)] {
        leadsToSuffix[Int(node)] = true
        node = tree.parents[Int(node)]
      }
    }
    ahead = [[Int32]](repeating: [], count: tree.count)
    for end in infixEnds {
      var node = end
      while node != WordTree.none {
        ahead[Int(node)].append(end)
        node = tree.parents[Int(node)]
      }
    }
    failures = [Int32](repeating: 0, count: tree.count)
    self.infixes = [Int32](repeating: WordTree.none, count: tree.count)
    self.suffixes = self.infixes
    self.tree = tree
    complete(suffixEnds, Set(infixEnds))
  }

  /// Gives each node a successor for each letter, shorter ones first.
  private mutating func complete(_ suffixEnds: Set<Int32>, _ infixEnds: Set<Int32>) {
    var queue: [Int32] = [0]
    var position = 0
    while position < queue.count {
      let node = queue[position]
      position += 1
      let failure = failures[Int(node)]
      infixes[Int(node)] = infixEnds.contains(node) ? node : infixes[Int(failure)]
      suffixes[Int(node)] = suffixEnds.contains(node) ? node : suffixes[Int(failure)]
      for letter in 0..<tree.letterCount {
        let next = tree.next(node, letter)
        let other = node == 0 ? 0 : tree.next(failure, letter)
        if next == WordTree.none {
          tree.set(node, letter, to: other)
        } else {
          failures[Int(next)] = other
          queue.append(next)
        }
      }
    }
  }

  /// The state after one more letter.
  mutating func step(
    _ state: State, _ letter: Int, _ budget: inout ClassBudget
  ) throws(Partition.TooManyClasses) -> State {
    var next = State(node: tree.next(state.node, letter), found: state.found)
    var word = infixes[Int(next.node)]
    // Where a word was found before, the shorter ones at its end were, too.
    var added: [Int32] = []
    while word != WordTree.none, !sets[Int(next.found)].contains(word) {
      added.append(word)
      word = infixes[Int(failures[Int(word)])]
    }
    if !added.isEmpty { next.found = try number(of: sets[Int(next.found)], with: added, &budget) }
    // What leads only to words that were found does not count any more.
    while next.node != 0, !leadsToSuffix[Int(next.node)],
      ahead[Int(next.node)].allSatisfy(sets[Int(next.found)].contains)
    {
      next.node = failures[Int(next.node)]
    }
    return next
  }

  private mutating func number(
    of found: Set<Int32>, with added: [Int32], _ budget: inout ClassBudget
  ) throws(Partition.TooManyClasses) -> Int32 {
    try budget.spend(found.count + added.count)
    let whole = found.union(added)
    if let known = numbers[whole] { return known }
    guard let number = Int32(exactly: sets.count) else { throw Partition.TooManyClasses() }
    sets.append(whole)
    numbers[whole] = number
    return number
  }

  /// The longest word that a text ends with, as a node; it has the others at its own end.
  func suffix(_ state: State) -> Int32 { suffixes[Int(state.node)] }
}
