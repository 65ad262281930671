/// Reads a pattern into a tree, and refuses what its syntax does not allow.
///
/// Errors that the reference finds only after parsing, such as unknown properties, are kept until
/// the whole pattern has been read, so that the first error of the syntax goes before.
struct RegexParser: ~Copyable {
  /// The switches of `(?imsUuxR)`.
  struct Flags: OptionSet {
    var rawValue: UInt8
    static let ignoreCase = Flags(rawValue: 1)
    static let multiLine = Flags(rawValue: 2)
    static let dotAll = Flags(rawValue: 4)
    static let swapGreed = Flags(rawValue: 8)
    static let unicode = Flags(rawValue: 16)
    static let verbose = Flags(rawValue: 32)
    static let crlf = Flags(rawValue: 64)
  }

  /// An element of the sequence in a group.
  struct Item {
    var node: RegexNode
    var start: Int
    /// How deep the written form nests.
    var height = 0
    /// Whether it only sets flags, and cannot be repeated.
    var isFlags = false
    var isRepetition = false
    /// The largest product of counts of nested repetitions in it.
    var product: UInt32 = 1
  }

  /// A group that is still open; the first stands for the whole pattern.
  struct Frame {
    var start: Int
    var end: Int
    var capture: Int?
    var outerFlags: Flags
    var items: [Item] = []
    var alternatives: [Item] = []
  }

  /// The longest pattern, in bytes.
  static let maximumLength = 32_768
  /// The deepest nesting.
  static let maximumHeight = 250

  let bytes: UnsafeBufferPointer<UInt8>
  let syntax: RegexSyntax
  var index = 0
  var flags: Flags
  var frames: [Frame]
  var captureCount = 0
  var groupNames: [(name: [UInt8], number: Int)] = []
  var folding = CaseFolding()
  /// The first error that parsing does not stop for.
  var deferred: RegexPatternError?
  private var perlSets: [UInt8: ScalarSet] = [:]

  init(_ bytes: UnsafeBufferPointer<UInt8>, syntax: RegexSyntax) {
    self.bytes = bytes
    self.syntax = syntax
    flags = syntax.hasUnicodeClasses ? .unicode : []
    frames = [Frame(start: 0, end: 0, capture: nil, outerFlags: [])]
  }

  /// Reads the whole pattern. O(n) but for the sizes of classes.
  mutating func parse() throws(RegexPatternError) -> RegexNode {
    guard bytes.count <= Self.maximumLength else {
      throw RegexPatternError(.tooLong, bytes.count..<bytes.count)
    }
    if let range = UTF8Decoder.firstInvalid(bytes) { throw RegexPatternError(.notUTF8, range) }
    while true {
      skipSpace()
      guard let scalar else { break }
      try parseStep(scalar)
    }
    guard frames.count == 1 else {
      let open = frames[frames.count &- 1]
      throw RegexPatternError(.groupUnclosed, open.start..<open.end)
    }
    let item = try finishAlternatives()
    if let deferred { throw deferred }
    return item.node
  }

  private mutating func parseStep(_ scalar: UInt32) throws(RegexPatternError) {
    switch UInt8(truncatingIfNeeded: min(scalar, 0xFF)) {
    case UInt8(ascii: "("): try openGroup()
    case UInt8(ascii: ")"): try closeGroup()
    case UInt8(ascii: "|"):
      let item = try finishSequence()
      frames[frames.count &- 1].alternatives.append(item)
      advance()
    case UInt8(ascii: "["):
      let start = index
      let (set, height) = try parseClass(depth: 1)
      append(Item(node: .set(set), start: start, height: height))
    case UInt8(ascii: "?"): try parseRepetition(0, 1)
    case UInt8(ascii: "*"): try parseRepetition(0, nil)
    case UInt8(ascii: "+"): try parseRepetition(1, nil)
    case UInt8(ascii: "{"): try parseCount()
    case UInt8(ascii: "\\"): try parseEscapedItem()
    case UInt8(ascii: "."):
      let start = index
      advance()
      requireUnicode(start..<index)
      append(Item(node: .set(dot), start: start))
    case UInt8(ascii: "^"):
      append(Item(node: .assertion(lineStart), start: index))
      advance()
    case UInt8(ascii: "$"):
      append(Item(node: .assertion(lineEnd), start: index))
      advance()
    default:
      let start = index
      advance()
      append(Item(node: literal(scalar), start: start))
    }
  }

  // MARK: Items

  mutating func append(_ item: Item) {
    frames[frames.count &- 1].items.append(item)
  }

  /// One scalar, or all of its cases.
  mutating func literal(_ scalar: UInt32) -> RegexNode {
    let single = ScalarSet(ordinal: ScalarSet.ordinal(of: scalar))
    return .set(flags.contains(.ignoreCase) ? folded(single) : single)
  }

  /// A set with all cases of its members, as the flags count cases.
  mutating func folded(_ set: ScalarSet) -> ScalarSet {
    if flags.contains(.unicode) || syntax == .re2 { return folding.close(set) }
    let ascii = ScalarSet(edges: [0, 0x80])
    return folding.close(set.intersection(ascii)).intersection(ascii).union(set)
  }

  private var dot: ScalarSet {
    if flags.contains(.dotAll) { return .all }
    return flags.contains(.crlf)
      ? ScalarSet(edges: [0x0A, 0x0B, 0x0D, 0x0E]).complement
      : ScalarSet(ordinal: 0x0A).complement
  }

  private var lineStart: Assertion {
    if !flags.contains(.multiLine) { return .textStart }
    return flags.contains(.crlf) ? .lineStartCRLF : .lineStart
  }

  private var lineEnd: Assertion {
    if !flags.contains(.multiLine) { return .textEnd }
    return flags.contains(.crlf) ? .lineEndCRLF : .lineEnd
  }

  /// The set of `\d`, `\s` or `\w`, as the flags have it.
  mutating func perlSet(_ letter: UInt8) -> ScalarSet {
    let isUnicode = flags.contains(.unicode)
    let key = isUnicode ? letter : letter & 0x1F
    if let known = perlSets[key] { return known }
    let set: ScalarSet
    switch (letter, isUnicode) {
    case (UInt8(ascii: "d"), true): set = UnicodeTables.set(UnicodeTables.digit)
    case (UInt8(ascii: "s"), true): set = UnicodeTables.set(UnicodeTables.space)
    case (_, true): set = UnicodeTables.set(UnicodeTables.word)
    case (UInt8(ascii: "d"), _): set = ScalarSet(edges: [0x30, 0x3A])
    case (UInt8(ascii: "s"), _):
      // RE2 does not count the vertical tab.
      set = ScalarSet(
        edges: syntax == .re2
          ? [0x09, 0x0B, 0x0C, 0x0E, 0x20, 0x21] : [0x09, 0x0E, 0x20, 0x21])
    default:
      set = ScalarSet(edges: [0x30, 0x3A, 0x41, 0x5B, 0x5F, 0x60, 0x61, 0x7B])
    }
    perlSets[key] = set
    return set
  }

  // MARK: Structure

  /// Puts the items since the last `|` together.
  private mutating func finishSequence() throws(RegexPatternError) -> Item {
    let last = frames.count &- 1
    let items = frames[last].items
    frames[last].items.removeAll(keepingCapacity: true)
    guard items.count > 1 else {
      guard let item = items.first else { return Item(node: .empty, start: index) }
      return item
    }
    return try combine(items, RegexNode.sequence(items.map { $0.node }))
  }

  /// Puts the alternatives of the innermost group together.
  mutating func finishAlternatives() throws(RegexPatternError) -> Item {
    let item = try finishSequence()
    let last = frames.count &- 1
    guard !frames[last].alternatives.isEmpty else { return item }
    let items = frames[last].alternatives + [item]
    return try combine(items, RegexNode.choice(items.map { $0.node }))
  }

  private func combine(_ items: [Item], _ node: RegexNode) throws(RegexPatternError) -> Item {
    var result = Item(node: node, start: items[0].start)
    for item in items {
      result.height = max(result.height, item.height)
      result.product = max(result.product, item.product)
    }
    result.height &+= 1
    try checkHeight(result.height, result.start)
    return result
  }

  func checkHeight(_ height: Int, _ start: Int) throws(RegexPatternError) {
    guard height <= Self.maximumHeight else {
      throw RegexPatternError(.nestedTooDeep, start..<max(start, index))
    }
  }

  // MARK: Errors

  /// Keeps an error until the pattern has been read.
  mutating func postpone(_ reason: RegexPatternError.Reason, _ range: Range<Int>) {
    if deferred == nil { deferred = RegexPatternError(reason, range) }
  }

  /// Refuses what could match half a character where `(?-u)` has switched Unicode off.
  mutating func requireUnicode(_ range: Range<Int>) {
    guard !flags.contains(.unicode), syntax == .rust else { return }
    postpone(.matchesInvalidUTF8, range)
  }

  // MARK: Characters

  /// The scalar at hand; `nil` at the end.
  var scalar: UInt32? {
    guard index < bytes.count else { return nil }
    let byte = bytes[index]
    return byte < 0x80 ? UInt32(byte) : UTF8Decoder.decode(bytes, at: index).scalar
  }

  /// The offset after the scalar at hand.
  var nextIndex: Int {
    guard index < bytes.count else { return index }
    return index &+ UTF8Decoder.decode(bytes, at: index).length
  }

  var isAtEnd: Bool { index >= bytes.count }

  /// Moves to the next scalar.
  ///
  /// - Returns: Whether there is one.
  @discardableResult
  mutating func advance() -> Bool {
    index = nextIndex
    return index < bytes.count
  }

  /// Moves to the next scalar that counts.
  @discardableResult
  mutating func advanceToContent() -> Bool {
    index = nextIndex
    skipSpace()
    return index < bytes.count
  }

  /// Skips white space and comments where `(?x)` allows them.
  mutating func skipSpace() {
    guard flags.contains(.verbose) else { return }
    while let scalar {
      if Self.isWhiteSpace(scalar) {
        advance()
      } else if scalar == 0x23 {
        while index < bytes.count, bytes[index] != 0x0A { index &+= 1 }
      } else {
        return
      }
    }
  }

  static func isWhiteSpace(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x09...0x0D, 0x20, 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F,
      0x3000:
      true
    default: false
    }
  }

  /// Whether the byte at hand is this one.
  func isAt(_ byte: UInt8) -> Bool { index < bytes.count && bytes[index] == byte }

  func hasPrefix(_ prefix: StaticString, at offset: Int) -> Bool {
    guard bytes.count &- offset >= prefix.utf8CodeUnitCount else { return false }
    for position in 0..<prefix.utf8CodeUnitCount
    where bytes[offset &+ position] != prefix.utf8Start[position] {
      return false
    }
    return true
  }
}
