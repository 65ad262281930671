/// A pattern so simple that reading it once from left to right decides: anchored at the start, and such
/// that the next byte always says whether a repetition goes on.
///
/// Filters test e-mail addresses, identifiers and versions with patterns of this kind, such as
/// `^[a-z0-9._]+@example\.(com|org)$`. They are matched in a fraction of the time that entering a regex
/// library takes. Everything else, including most texts that are not ASCII, is left to the library.
final class DeterministicPattern: Sendable {
  /// A run of bytes of one set.
  fileprivate struct Run: Sendable {
    var set: ByteSet
    var minimum: Int
    var maximum: Int
  }

  fileprivate enum Part: Sendable {
    case run(Run)
    /// One of several texts, none of which starts with another.
    case choice([[UInt8]])
  }

  /// A part as the matcher reads it, without anything to count references of.
  private struct Step: Sendable {
    /// The bit of the run's set in `classes`; 0 for a choice.
    var set: UInt16 = 0
    var minimum = 0
    var maximum = 0
    /// Where in `texts` a choice starts, and how many texts it has; a run has none.
    var firstText = 0
    var textCount = 0
  }

  /// The longest piece of a choice that is compared at once, in bytes.
  private static let pieceSize = 8

  // Written once, in `init`, and freed in `deinit`: matching counts no references.
  nonisolated(unsafe) private let steps: UnsafeMutableBufferPointer<Step>
  /// The sets that each byte belongs to, a bit for each set.
  nonisolated(unsafe) private let classes: UnsafeMutablePointer<UInt16>
  /// The texts of all choices, each behind its length and padded to whole words.
  nonisolated(unsafe) private let texts: UnsafeMutableBufferPointer<UInt64>
  /// Whether the match must end where the text ends.
  private let isAnchoredAtEnd: Bool

  /// Reads a pattern.
  ///
  /// - Returns: `nil` for every pattern that is not of this kind.
  /// - Complexity: O(n) in the length of the pattern, which may have 255 bytes.
  init?(_ pattern: UTF8Bytes) {
    guard pattern.count < 256, pattern.allSatisfy({ $0 < 0x80 }) else { return nil }
    var reader = DeterministicPatternReader(bytes: pattern)
    guard let (parts, isAnchoredAtEnd) = reader.read(), Self.isDeterministic(parts) else {
      return nil
    }
    let sets = Set(
      parts.compactMap { part in if case .run(let run) = part { run.set } else { nil } })
    guard sets.count <= UInt16.bitWidth else { return nil }
    let numbers = Dictionary(uniqueKeysWithValues: zip(sets, UInt16(0)...))
    self.isAnchoredAtEnd = isAnchoredAtEnd
    var texts: [UInt64] = []
    let steps = parts.map { part in
      switch part {
      case .run(let run):
        return Step(
          set: 1 << (numbers[run.set] ?? 0), minimum: run.minimum, maximum: run.maximum)
      case .choice(let choice):
        let start = texts.count
        for text in choice { texts += Self.words(of: text) }
        return Step(firstText: start, textCount: choice.count)
      }
    }
    self.steps = .allocate(capacity: steps.count)
    _ = self.steps.initialize(from: steps)
    self.texts = .allocate(capacity: texts.count)
    _ = self.texts.initialize(from: texts)
    classes = .allocate(capacity: 256)
    for byte in UInt8.min ... .max {
      var memberships: UInt16 = 0
      for (set, number) in numbers where set.contains(byte) { memberships |= 1 << number }
      (classes + Int(byte)).initialize(to: memberships)
    }
  }

  deinit {
    steps.deallocate()
    texts.deallocate()
    classes.deallocate()
  }

  /// A text's length and its bytes, eight in a word, as memory has them.
  private static func words(of text: [UInt8]) -> [UInt64] {
    var words = [UInt64(truncatingIfNeeded: text.count)]
    for start in stride(from: 0, to: text.count, by: pieceSize) {
      var word: UInt64 = 0
      withUnsafeMutableBytes(of: &word) { bytes in
        bytes.copyBytes(from: text[start..<min(start + pieceSize, text.count)])
      }
      words.append(word)
    }
    return words
  }

  /// Whether the text matches; `nil` when that cannot be told here.
  func matches(_ text: UTF8Bytes) -> Bool? {
    guard var step = UnsafePointer(steps.baseAddress) else { return nil }
    let classes = classes
    // An empty text may have no address; any will do, because nothing is read there.
    let start =
      text.baseAddress ?? UnsafeRawPointer(classes).assumingMemoryBound(to: UInt8.self)
    let textEnd = start + text.count
    let stepsEnd = step + steps.count
    var next = start
    while step < stepsEnd {
      if step.pointee.textCount > 0 {
        let length = length(ofChoice: step, at: next, textEnd - next)
        // A choice of ASCII texts never begins with another byte.
        if length == 0 { return false }
        next += length
      } else {
        let set = step.pointee.set
        let runStart = next
        let runEnd = step.pointee.maximum < textEnd - next ? next + step.pointee.maximum : textEnd
        while next < runEnd, classes[Int(next.pointee)] & set != 0 { next += 1 }
        // A byte of a longer character may belong to a set of characters that is not known here.
        if next < runEnd, next.pointee >= 0x80 { return nil }
        if next - runStart < step.pointee.minimum { return false }
      }
      step += 1
    }
    return !isAnchoredAtEnd || next == textEnd
  }

  /// The length of the text of a choice that stands at `start`, 0 if there is none.
  ///
  /// - Parameter count: How many bytes there are from `start` on.
  @inline(__always)
  private func length(
    ofChoice step: UnsafePointer<Step>, at start: UnsafePointer<UInt8>, _ count: Int
  ) -> Int {
    guard var words = UnsafePointer(texts.baseAddress) else { return 0 }
    words += step.pointee.firstText
    for _ in 0..<step.pointee.textCount {
      let length = Int(truncatingIfNeeded: words[0])
      let wordCount = (length &+ Self.pieceSize &- 1) / Self.pieceSize
      if length <= count, Self.isText(words + 1, length, at: start, count) { return length }
      words += 1 &+ wordCount
    }
    return 0
  }

  /// Whether the `length` bytes in `words` stand at `start`, where there are `count`, at least as many.
  @inline(__always)
  private static func isText(
    _ words: UnsafePointer<UInt64>, _ length: Int, at start: UnsafePointer<UInt8>, _ count: Int
  ) -> Bool {
    let bytes = UnsafeRawPointer(start)
    var offset = 0
    var word = words
    while offset &+ pieceSize <= length {
      if bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self) != word.pointee {
        return false
      }
      offset &+= pieceSize
      word += 1
    }
    guard offset < length else { return true }
    if offset &+ pieceSize <= count {
      // What stands behind the text is shifted out.
      let rest = UInt64(
        littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      return (rest ^ UInt64(littleEndian: word.pointee))
        << UInt64(8 &* (pieceSize &- length &+ offset))
        == 0
    }
    let rest = UnsafeRawPointer(word)
    for index in 0..<(length &- offset)
    where bytes.load(fromByteOffset: offset &+ index, as: UInt8.self)
      != rest.load(fromByteOffset: index, as: UInt8.self)
    { return false }
    return true
  }

  /// Whether the next byte always says which way to go: what may follow a run of varying length does
  /// not begin with a byte of the run.
  private static func isDeterministic(_ parts: [Part]) -> Bool {
    for (index, part) in parts.enumerated() {
      guard case .run(let run) = part, run.minimum != run.maximum else { continue }
      for next in parts[(index + 1)...] {
        if next.first.overlaps(run.set) { return false }
        if !next.mayBeEmpty { break }
      }
    }
    return true
  }
}

extension DeterministicPattern.Part {
  /// The bytes that it may begin with.
  fileprivate var first: ByteSet {
    switch self {
    case .run(let run): return run.set
    case .choice(let texts):
      var set = ByteSet()
      for text in texts { if let byte = text.first { set.insert(byte) } }
      return set
    }
  }

  fileprivate var mayBeEmpty: Bool {
    switch self {
    case .run(let run): run.minimum == 0
    case .choice: false
    }
  }
}

/// A set of ASCII bytes.
struct ByteSet: Sendable, Hashable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  @inline(__always)
  func contains(_ byte: UInt8) -> Bool {
    let word = byte < 64 ? low : (byte < 128 ? high : 0)
    return word >> UInt64(byte & 63) & 1 != 0
  }

  mutating func insert(_ byte: UInt8) {
    if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte & 63) }
  }

  mutating func formUnion(_ other: ByteSet) {
    low |= other.low
    high |= other.high
  }

  func overlaps(_ other: ByteSet) -> Bool { low & other.low != 0 || high & other.high != 0 }

  /// The one byte in the set, if there is exactly one.
  var only: UInt8? {
    guard low.nonzeroBitCount &+ high.nonzeroBitCount == 1 else { return nil }
    return UInt8(low == 0 ? 64 &+ high.trailingZeroBitCount : low.trailingZeroBitCount)
  }

  /// The other ASCII bytes.
  var inverted: ByteSet {
    var result = ByteSet()
    result.low = ~low
    result.high = ~high
    return result
  }

  init() {}

  init(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { insert(byte) }
  }
}

/// Reads the patterns that ``DeterministicPattern`` is made for, and gives up on all others.
private struct DeterministicPatternReader: ~Copyable {
  let bytes: UTF8Bytes
  var offset = 0

  /// Characters that may mean something outside of a class, in some flavour.
  private static let special = ByteSet("\\^$.|?*+()[]{}#&-~ ".utf8)
  /// Characters that mean themselves behind a backslash.
  private static let punctuation = ByteSet("\\.+*?()|[]{}^$-/@".utf8)

  init(bytes: UTF8Bytes) { self.bytes = bytes }

  private func peek() -> UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard peek() == byte else { return false }
    offset += 1
    return true
  }

  mutating func read() -> ([DeterministicPattern.Part], Bool)? {
    guard take(UInt8(ascii: "^")) else { return nil }
    var parts: [DeterministicPattern.Part] = []
    while let byte = peek() {
      if byte == UInt8(ascii: "$") {
        offset += 1
        return offset == bytes.count ? (parts, true) : nil
      }
      if byte == UInt8(ascii: "(") {
        guard let texts = choice() else { return nil }
        parts.append(.choice(texts))
        continue
      }
      guard let set = atom(), let (minimum, maximum) = quantifier() else { return nil }
      if let literal = set.only, minimum == 1, maximum == 1 {
        // Characters in a row are one text.
        if case .choice(let texts)? = parts.last, texts.count == 1 {
          parts[parts.count - 1] = .choice([texts[0] + [literal]])
        } else {
          parts.append(.choice([[literal]]))
        }
        continue
      }
      parts.append(
        .run(DeterministicPattern.Run(set: set, minimum: minimum, maximum: maximum)))
    }
    return (parts, false)
  }

  /// One character, or a class of them.
  private mutating func atom() -> ByteSet? {
    guard let byte = peek() else { return nil }
    offset += 1
    switch byte {
    case UInt8(ascii: "["): return characterClass()
    case UInt8(ascii: "\\"): return escape()
    case UInt8(ascii: "-"), UInt8(ascii: "~"), UInt8(ascii: "&"): return ByteSet([byte])
    default: return Self.special.contains(byte) ? nil : ByteSet([byte])
    }
  }

  private mutating func escape() -> ByteSet? {
    guard let byte = peek() else { return nil }
    offset += 1
    // `\d` and `\w` mean more characters in some flavours, but the same ones of ASCII.
    switch byte {
    case UInt8(ascii: "d"): return ByteSet("0123456789".utf8)
    case UInt8(ascii: "w"):
      return ByteSet("0123456789_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
    default: return Self.punctuation.contains(byte) ? ByteSet([byte]) : nil
    }
  }

  /// The rest of a class behind its bracket. Nested classes and set operators are not for here.
  private mutating func characterClass() -> ByteSet? {
    let isInverted = take(UInt8(ascii: "^"))
    var set = ByteSet()
    var isFirst = true
    while let byte = peek() {
      offset += 1
      switch byte {
      case UInt8(ascii: "]"):
        guard !isFirst else { return nil }
        return isInverted ? set.inverted : set
      case UInt8(ascii: "["), UInt8(ascii: "&"), UInt8(ascii: "~"), UInt8(ascii: "^"),
        UInt8(ascii: " "), UInt8(ascii: "#"):
        return nil
      case UInt8(ascii: "-"):
        // A dash is itself at the start and at the end only.
        guard isFirst || peek() == UInt8(ascii: "]") else { return nil }
        set.insert(byte)
      case UInt8(ascii: "\\"):
        guard let escaped = escape(), peek() != UInt8(ascii: "-") || isClosing(offset + 1) else {
          return nil
        }
        set.formUnion(escaped)
      default:
        guard peek() == UInt8(ascii: "-"), !isClosing(offset + 1) else {
          set.insert(byte)
          break
        }
        guard let last = range(to: offset + 1, from: byte) else { return nil }
        offset += 2
        for member in byte...last { set.insert(member) }
      }
      isFirst = false
    }
    return nil
  }

  private func isClosing(_ index: Int) -> Bool {
    index < bytes.count && bytes[index] == UInt8(ascii: "]")
  }

  /// The end of a range of letters or digits.
  private func range(to index: Int, from first: UInt8) -> UInt8? {
    guard index < bytes.count else { return nil }
    let last = bytes[index]
    let alphabets: [ClosedRange<UInt8>] = [
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"),
    ]
    guard first <= last, alphabets.contains(where: { $0.contains(first) && $0.contains(last) })
    else { return nil }
    return last
  }

  /// `?`, `*`, `+`, `{n}`, `{n,}`, `{n,m}` or nothing.
  private mutating func quantifier() -> (Int, Int)? {
    var result = (1, 1)
    if take(UInt8(ascii: "?")) {
      result = (0, 1)
    } else if take(UInt8(ascii: "*")) {
      result = (0, .max)
    } else if take(UInt8(ascii: "+")) {
      result = (1, .max)
    } else if take(UInt8(ascii: "{")) {
      guard let minimum = number() else { return nil }
      var maximum = minimum
      if take(UInt8(ascii: ",")) {
        maximum = .max
        if peek() != UInt8(ascii: "}") {
          guard let bound = number() else { return nil }
          maximum = bound
        }
      }
      guard take(UInt8(ascii: "}")), minimum <= maximum else { return nil }
      result = (minimum, maximum)
    }
    // Lazy, possessive and repeated quantifiers are not for here.
    switch peek() {
    case UInt8(ascii: "?"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "{"): return nil
    default: return result
    }
  }

  private mutating func number() -> Int? {
    var value = 0
    let start = offset
    while let byte = peek(), byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9"),
      offset - start < 3
    {
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
      offset += 1
    }
    return offset > start ? value : nil
  }

  /// `(one|two)` or `(?:one|two)` of plain texts, none of which starts with another, not repeated.
  private mutating func choice() -> [[UInt8]]? {
    offset += 1
    if take(UInt8(ascii: "?")) {
      guard take(UInt8(ascii: ":")) else { return nil }
    }
    var texts: [[UInt8]] = [[]]
    while let byte = peek() {
      offset += 1
      switch byte {
      case UInt8(ascii: ")"):
        switch peek() {
        case UInt8(ascii: "?"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "{"): return nil
        default: return areDistinct(texts) ? texts : nil
        }
      case UInt8(ascii: "|"): texts.append([])
      case UInt8(ascii: "\\"):
        guard let next = peek(), Self.punctuation.contains(next) else { return nil }
        offset += 1
        texts[texts.count - 1].append(next)
      default:
        guard !Self.special.contains(byte) else { return nil }
        texts[texts.count - 1].append(byte)
      }
      guard texts.count <= 16 else { return nil }
    }
    return nil
  }

  private func areDistinct(_ texts: [[UInt8]]) -> Bool {
    for (index, text) in texts.enumerated() {
      guard !text.isEmpty else { return false }
      for (other, longer) in texts.enumerated() where other != index && longer.starts(with: text) {
        return false
      }
    }
    return true
  }
}
