package import ExpressionSyntax

/// Cuts all texts into classes by their order among constants, by what they start with, end with and
/// contain, and by their size.
///
/// Each of these is a small automaton over code points. Their product is explored from the empty text
/// in breadth, so that the first text of a class is among its shortest, and no class that a text falls
/// into is left out: the alphabet has every code point that the constants have, and of the others one
/// from each range between them.
package struct TextClasses {
  /// Where a text stands among the constants.
  private enum Place: Hashable {
    /// The text is a beginning of the constants of a range, as long as `depth`.
    case beginning(lower: Int, upper: Int, depth: Int)
    /// The text lies before the constant with this number.
    case before(Int)
  }

  private struct State: Hashable {
    package var place: Place
    /// The progress of each automaton: how many code points of its word were read last.
    package var progress: [UInt16]
    /// The size, no more than one above the greatest that counts.
    package var size: Int
  }

  /// The properties of a text that conditions can distinguish.
  private struct Signature: Hashable {
    package var place: Int
    package var isConstant: Bool
    package var found: [Bool]
    package var size: Int
  }

  private enum Search { case prefix, suffix, infix }

  private let constants: [Text]
  private let words: [(search: Search, word: Text, failure: [UInt16])]
  private let sizes: [Int]
  private let maximumSize: Int
  private let countsBytes: Bool
  private let alphabet: [UInt32]

  /// The most classes, and the most states for each of them.
  private let limit: Int
  private static let statesPerClass = 15

  package init(_ needs: Needs, dialect: Dialect.Name, limit: Int) {
    self.limit = limit
    var constants = needs.texts.union([[]])
    // These two are bools, so that no other class may have them.
    if dialect == .superscript { constants.formUnion(["true".codePoints, "false".codePoints]) }
    self.constants = constants.sorted { $0.lexicographicallyPrecedes($1) }
    func ordered(_ texts: Set<Text>) -> [Text] {
      texts.filter { !$0.isEmpty }.sorted { $0.lexicographicallyPrecedes($1) }
    }
    words =
      ordered(needs.prefixes).map { (.prefix, $0, []) }
      + ordered(needs.suffixes).map { (.suffix, $0, Self.failures($0)) }
      + ordered(needs.infixes).map { (.infix, $0, Self.failures($0)) }
    sizes = needs.sizes.filter { $0 > 0 }.sorted()
    maximumSize = sizes.last ?? 0
    countsBytes = dialect == .superscript
    alphabet = Self.alphabet(
      of: self.constants + words.map { $0.word }, splitsWidths: !sizes.isEmpty)
  }

  /// One text of each class, and whether it is the only one.
  package func representatives() throws(Partition.TooManyClasses) -> [(text: Text, isSingle: Bool)]
  {
    let start = State(
      place: .beginning(lower: 0, upper: constants.count, depth: 0),
      progress: [UInt16](repeating: 0, count: words.count), size: 0)
    var seen: Set<State> = [start]
    var queue: [(state: State, text: Text)] = [(start, [])]
    var found: [Signature: Text] = [:]
    var next = 0
    while next < queue.count {
      let (state, text) = queue[next]
      next += 1
      let signature = signature(state, text)
      if found[signature] == nil { found[signature] = text }
      guard found.count <= limit else { throw Partition.TooManyClasses() }
      for scalar in alphabet {
        let successor = step(state, scalar)
        guard seen.insert(successor).inserted else { continue }
        guard seen.count <= limit * Self.statesPerClass else { throw Partition.TooManyClasses() }
        queue.append((successor, text + [scalar]))
      }
    }
    let bools = ["true".codePoints, "false".codePoints]
    return found.filter { !(countsBytes && bools.contains($0.value)) }
      .sorted { $0.value.lexicographicallyPrecedes($1.value) }
      .map { ($0.value, $0.key.isConstant) }
  }

  // MARK: Automata

  private func step(_ state: State, _ scalar: UInt32) -> State {
    var state = state
    state.place = place(state.place, scalar)
    for (index, word) in words.enumerated() {
      state.progress[index] = progress(word, state.progress[index], scalar)
    }
    if maximumSize > 0 {
      state.size = min(state.size + (countsBytes ? Self.width(scalar) : 1), maximumSize + 1)
    }
    return state
  }

  private func place(_ place: Place, _ scalar: UInt32) -> Place {
    guard case .beginning(let lower, let upper, let depth) = place else { return place }
    let range = lower..<upper
    let longer = range.filter { constants[$0].count > depth }
    let same = longer.filter { constants[$0][depth] == scalar }
    if let first = same.first, let last = same.last {
      return .beginning(lower: first, upper: last + 1, depth: depth + 1)
    }
    return .before(longer.first { constants[$0][depth] > scalar } ?? upper)
  }

  private func progress(
    _ word: (search: Search, word: Text, failure: [UInt16]), _ progress: UInt16, _ scalar: UInt32
  ) -> UInt16 {
    var length = Int(progress)
    switch word.search {
    case .prefix:
      // The text read so far is the word's beginning, or the whole of it, or never will be.
      if length == word.word.count || progress == .max { return progress }
      return word.word[length] == scalar ? progress + 1 : .max
    case .infix where length == word.word.count: return progress
    case .suffix, .infix:
      if length == word.word.count { length = Int(word.failure[length - 1]) }
      while length > 0, word.word[length] != scalar { length = Int(word.failure[length - 1]) }
      if word.word[length] == scalar { length += 1 }
      return UInt16(length)
    }
  }

  private func signature(_ state: State, _ text: Text) -> Signature {
    let found = words.indices.map { state.progress[$0] == UInt16(words[$0].word.count) }
    // The number of sizes below, twice, and one more for a size that counts itself.
    let below = sizes.count { $0 < state.size }
    let size = 2 * below + (sizes.contains(state.size) ? 1 : 0)
    switch state.place {
    case .before(let index):
      return Signature(place: index, isConstant: false, found: found, size: size)
    case .beginning(let lower, _, _):
      let isConstant = constants[lower] == text
      return Signature(place: lower, isConstant: isConstant, found: found, size: size)
    }
  }

  /// For each beginning of a word the length of the longest shorter one that it ends with.
  private static func failures(_ word: Text) -> [UInt16] {
    var result = [UInt16](repeating: 0, count: word.count)
    var length = 0
    for index in word.indices.dropFirst() {
      while length > 0, word[index] != word[length] { length = Int(result[length - 1]) }
      if word[index] == word[length] { length += 1 }
      result[index] = UInt16(clamping: length)
    }
    return result
  }

  // MARK: Alphabet

  private static func width(_ scalar: UInt32) -> Int {
    scalar < 0x80 ? 1 : scalar < 0x800 ? 2 : scalar < 0x10000 ? 3 : 4
  }

  /// The code points of some texts, and from each range between them one.
  private static func alphabet(of texts: [Text], splitsWidths: Bool) -> [UInt32] {
    let used = Set(texts.joined())
    var bounds = used
    // The surrogates are no code points of texts, so that a range ends there.
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
