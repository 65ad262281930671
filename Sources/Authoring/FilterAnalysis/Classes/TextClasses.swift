package import ExpressionSyntax

/// Cuts all texts into classes by their order among constants, by what they start with, end with
/// and contain, and by their size.
///
/// A small automaton over code points tells these apart. It is explored from the empty text in
/// breadth, so that the first text of a class is among its shortest, and no class that a text falls
/// into is left out: the alphabet has every code point that the constants have, and of the others
/// one from each range between them.
package struct TextClasses {
  /// Where a text lies among the constants and the words that texts start with.
  private enum Place: Hashable {
    /// The text is the beginning of one of them: a node of their tree.
    case beginning(Int32)
    /// The text lies before the constant with a number, and has left the tree below the longest
    /// word that it starts with, which is a node.
    case beyond(constant: Int32, prefix: Int32)
  }

  private struct State: Hashable {
    var place: Place
    var search: WordSearch.State
    /// The size, no more than one above the greatest that counts.
    var size: Int32
  }

  /// The properties of a text that conditions can distinguish.
  private struct Signature: Hashable {
    var constant: Int32
    var isConstant: Bool
    var prefix: Int32
    var suffix: Int32
    var found: Int32
    var size: Int
  }

  /// A state that was reached from another one.
  private struct Step {
    let state: State
    /// The position of the step before.
    let previous: Int
    let letter: Int
    let length: Int
  }

  private let alphabet: [UInt32]
  private let beginnings: Beginnings
  private var search: WordSearch
  private let sizes: [Int]
  private let maximumSize: Int
  private let countsBytes: Bool
  /// The most classes, and the most states for each of them.
  private let limit: Int
  private static let statesPerClass = 15
  /// The most steps for each state, and the most code points of the texts of each class.
  private static let stepsPerState = 128
  private static let sizePerClass = 1_024

  /// The most steps for the classes of one value.
  package static func steps(limit: Int) -> Int { limit * statesPerClass * stepsPerState }

  package init(
    _ needs: Needs, dialect: Dialect.Name, limit: Int, _ budget: inout ClassBudget
  ) throws(Partition.TooManyClasses) {
    self.limit = limit
    var constants = needs.texts.union([[]])
    // These two are bools, so that no other class may have them.
    if dialect == .superscript { constants.formUnion(["true".codePoints, "false".codePoints]) }
    let words = [constants, needs.prefixes, needs.suffixes, needs.infixes]
    // Each of them makes a class.
    guard words.allSatisfy({ $0.count <= limit + 1 }) else { throw Partition.TooManyClasses() }
    sizes = needs.sizes.filter { $0 > 0 }.sorted()
    maximumSize = sizes.last ?? 0
    countsBytes = dialect == .superscript
    let alphabet = Self.alphabet(of: words.joined(), splitsWidths: !sizes.isEmpty)
    var letters: [UInt32: Int] = [:]
    for (letter, scalar) in alphabet.enumerated() { letters[scalar] = letter }
    func spelled(_ texts: Set<Text>) -> [[Int]] {
      texts.filter { !$0.isEmpty }.map { $0.compactMap { letters[$0] } }
    }
    beginnings = try Beginnings(
      constants: spelled(constants), prefixes: spelled(needs.prefixes), alphabet: alphabet, &budget)
    search = try WordSearch(
      suffixes: spelled(needs.suffixes), infixes: spelled(needs.infixes),
      letterCount: alphabet.count, &budget)
    self.alphabet = alphabet
  }

  /// One text of each class, and whether it is the only one.
  package mutating func representatives(
    _ budget: inout ClassBudget
  ) throws(Partition.TooManyClasses) -> [(text: Text, isSingle: Bool)] {
    let start = State(place: .beginning(0), search: WordSearch.State(), size: 0)
    var seen: Set<State> = [start]
    var steps = [Step(state: start, previous: 0, letter: 0, length: 0)]
    var found: [Signature: Int] = [:]
    var size = 0
    var next = 0
    while next < steps.count {
      let step = steps[next]
      let signature = signature(step.state)
      if found[signature] == nil {
        found[signature] = next
        size += step.length
      }
      guard found.count <= limit, size <= limit * Self.sizePerClass else {
        throw Partition.TooManyClasses()
      }
      try budget.spend(alphabet.count)
      for letter in alphabet.indices {
        let successor = try successor(step.state, letter, &budget)
        guard seen.insert(successor).inserted else { continue }
        guard seen.count <= limit * Self.statesPerClass else { throw Partition.TooManyClasses() }
        steps.append(
          Step(state: successor, previous: next, letter: letter, length: step.length + 1))
      }
      next += 1
    }
    let bools = ["true".codePoints, "false".codePoints]
    return found.map { (text: text(of: $0.value, steps), isSingle: $0.key.isConstant) }
      .filter { !(countsBytes && bools.contains($0.text)) }
      .sorted { $0.text.lexicographicallyPrecedes($1.text) }
  }

  /// The text that leads to a step.
  private func text(of position: Int, _ steps: [Step]) -> Text {
    var text: Text = []
    var position = position
    while steps[position].length > 0 {
      text.append(alphabet[steps[position].letter])
      position = steps[position].previous
    }
    return text.reversed()
  }

  // MARK: States

  private mutating func successor(
    _ state: State, _ letter: Int, _ budget: inout ClassBudget
  ) throws(Partition.TooManyClasses) -> State {
    var state = state
    if case .beginning(let node) = state.place {
      let next = beginnings.tree.next(node, letter)
      state.place =
        next != WordTree.none
        ? .beginning(next)
        : .beyond(
          constant: beginnings.constant(after: node, letter),
          prefix: beginnings.prefixes[Int(node)])
    }
    state.search = try search.step(state.search, letter, &budget)
    if maximumSize > 0 {
      let width = countsBytes ? Self.width(alphabet[letter]) : 1
      state.size = Int32(clamping: min(Int(state.size) + width, maximumSize + 1))
    }
    return state
  }

  private func signature(_ state: State) -> Signature {
    // The number of sizes below, twice, and one more for a size that counts itself.
    let below = sizes.count { $0 < state.size }
    let size = 2 * below + (sizes.contains(Int(state.size)) ? 1 : 0)
    let suffix = search.suffix(state.search)
    switch state.place {
    case .beyond(let constant, let prefix):
      return Signature(
        constant: constant, isConstant: false, prefix: prefix, suffix: suffix,
        found: state.search.found, size: size)
    case .beginning(let node):
      return Signature(
        constant: beginnings.ranks[Int(node)], isConstant: beginnings.isConstant[Int(node)],
        prefix: beginnings.prefixes[Int(node)], suffix: suffix, found: state.search.found,
        size: size)
    }
  }

  // MARK: Alphabet

  private static func width(_ scalar: UInt32) -> Int {
    scalar < 0x80 ? 1 : scalar < 0x800 ? 2 : scalar < 0x10000 ? 3 : 4
  }

  /// The code points of some texts, and from each range between them one.
  private static func alphabet(of texts: some Sequence<Text>, splitsWidths: Bool) -> [UInt32] {
    var used: Set<UInt32> = []
    for text in texts { used.formUnion(text) }
    var bounds = used
    // Texts have no surrogates, so a range ends there.
    bounds.formUnion([0xD800])
    if splitsWidths { bounds.formUnion([0x80, 0x800, 0x10000]) }
    let cuts = bounds.sorted()
    var others: [UInt32] = []
    var low: UInt32 = 0
    for cut in cuts + [0x110000] {
      if low < cut, let scalar = natural(in: low..<cut) { others.append(scalar) }
      if cut == 0xD800 {
        low = 0xE000
      } else {
        low = used.contains(cut) ? cut + 1 : cut
      }
    }
    // Natural ones first, so that they are in the shortest texts.
    return others.sorted { rank($0) < rank($1) } + used.sorted()
  }

  private static func natural(in range: Range<UInt32>) -> UInt32? {
    let preferred = "xaXA1_- ".codePoints
    if let scalar = preferred.first(where: range.contains) { return scalar }
    for candidates in [0x61...0x7A, 0x41...0x5A, 0x30...0x39, 0x21...0x7E as ClosedRange<UInt32>] {
      if let scalar = candidates.first(where: range.contains) { return scalar }
    }
    return Unicode.Scalar(range.lowerBound) == nil ? nil : range.lowerBound
  }

  private static func rank(_ scalar: UInt32) -> Int {
    switch scalar {
    case 0x61...0x7A: 0
    case 0x41...0x5A: 1
    case 0x30...0x39: 2
    case 0x21...0x7E: 3
    default: 4
    }
  }
}

/// The constants and the words that texts start with, as one tree that knows their order.
private struct Beginnings {
  let tree: WordTree
  /// By node the number of constants that lie before the texts that it begins.
  private(set) var ranks: [Int32]
  private(set) var isConstant: [Bool]
  /// By node the longest word that it starts with, as a node, or `WordTree.none`.
  private(set) var prefixes: [Int32]
  /// By node and letter the number of constants before the texts that go on with the letter.
  private var after: [Int32]

  init(
    constants: [[Int]], prefixes words: [[Int]], alphabet: [UInt32], _ budget: inout ClassBudget
  ) throws(Partition.TooManyClasses) {
    var tree = try WordTree(letterCount: alphabet.count, &budget)
    var isConstant: Set<Int32> = [0]
    for word in constants { isConstant.insert(try tree.add(word, &budget)) }
    var isPrefix: Set<Int32> = []
    for word in words { isPrefix.insert(try tree.add(word, &budget)) }
    self.tree = tree
    let nodes = Int32(clamping: 0)..<Int32(clamping: tree.count)
    self.isConstant = nodes.map(isConstant.contains)
    // The number of constants at and below each node.
    var below = self.isConstant.map { Int32($0 ? 1 : 0) }
    for node in nodes.dropFirst().reversed() {
      below[Int(tree.parents[Int(node)])] += below[Int(node)]
    }
    try budget.spend(tree.count * alphabet.count)
    ranks = [Int32](repeating: 0, count: tree.count)
    prefixes = [Int32](repeating: WordTree.none, count: tree.count)
    after = [Int32](repeating: 0, count: tree.count * alphabet.count)
    let order = alphabet.indices.sorted { alphabet[$0] < alphabet[$1] }
    for node in nodes {
      if isPrefix.contains(node) { prefixes[Int(node)] = node }
      var before = ranks[Int(node)] + (self.isConstant[Int(node)] ? 1 : 0)
      for letter in order {
        after[Int(node) * alphabet.count + letter] = before
        let next = tree.next(node, letter)
        guard next != WordTree.none else { continue }
        ranks[Int(next)] = before
        prefixes[Int(next)] = prefixes[Int(node)]
        before += below[Int(next)]
      }
    }
  }

  /// The first constant after the texts that begin with a node and go on with a letter.
  func constant(after node: Int32, _ letter: Int) -> Int32 {
    after[Int(node) * tree.letterCount + letter]
  }
}
