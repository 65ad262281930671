import TestSupport
import Testing

@testable import ExpressionEngine

@Suite("Sets of words, and texts compared by words, against what is plain to see")
struct WordSetTests {
  /// A text in memory as contexts have it: padded, on an eight-byte boundary.
  private static func withText<R>(_ bytes: [UInt8], _ body: (Slot) -> R) -> R {
    let size = max(8, (bytes.count + 7) / 8 * 8)
    return withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { memory in
      memory.initializeMemory(as: UInt8.self, repeating: 0)
      memory.copyBytes(from: bytes)
      return body(
        Slot(.string, at: memory.baseAddress, count: UInt32(truncatingIfNeeded: bytes.count)))
    }
  }

  private static func contains(_ value: Slot, in set: WordSet) -> Bool {
    guard let word = WordSet.word(of: value) else { return false }
    return set.entries.withUnsafeBytes { entries in
      entries.baseAddress.map {
        WordSet.contains(word.word0, word.word1, $0, set.multiplier)
      } ?? false
    }
  }

  @Test("a set has its members and nothing else", arguments: 0..<200 as Range<UInt64>)
  func ints(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let range: ClosedRange<Int64> = seed.isMultiple(of: 2) ? -40...40 : .min ... .max
    let members = (0..<Int.random(in: 1...WordSet.maximumCount, using: &generator)).map { _ in
      Int64.random(in: range, using: &generator)
    }
    let set = try #require(WordSet(members.map(Slot.int)), "no multiplier for \(members)")
    for member in members { #expect(Self.contains(.int(member), in: set)) }
    for _ in 0..<100 {
      let other = Int64.random(in: range, using: &generator)
      #expect(Self.contains(.int(other), in: set) == members.contains(other))
    }
  }

  @Test("a set of texts knows their lengths", arguments: 0..<100 as Range<UInt64>)
  func texts(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    func text() -> [UInt8] {
      // Few letters, the zero among them, which is also what texts are padded with.
      (0..<Int.random(in: 0...10, using: &generator)).map { _ in
        [0, 0x61, 0x62].randomElement(using: &generator) ?? 0
      }
    }
    var members: [[UInt8]] = []
    var words: [Slot] = []
    for _ in 0..<24 {
      let member = text()
      let word = Self.withText(member) { WordSet.word(of: $0) }
      #expect((word != nil) == (1...8).contains(member.count))
      // Texts that differ in zeros at the end have one hash under every multiplier.
      guard let word, !words.contains(where: { $0.word0 == word.word0 }) else { continue }
      members.append(member)
      words.append(word)
    }
    let set = try #require(WordSet(words))
    for other in (0..<100).map({ _ in text() }) + members {
      let isMember = Self.withText(other) { Self.contains($0, in: set) }
      #expect(isMember == members.contains(other), "\(other) in \(members)")
    }
  }

  @Test("sets that are too large, or empty, are none")
  func limits() {
    #expect(WordSet([]) == nil)
    #expect(WordSet((0...Int64(WordSet.maximumCount)).map(Slot.int)) == nil)
    let twins = [[0x61], [0x61, 0]].compactMap { Self.withText($0) { WordSet.word(of: $0) } }
    #expect(WordSet(twins) == nil)
  }

  @Test("prefixes and suffixes of all lengths", arguments: 0..<40 as Range<UInt64>)
  func ends(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let text = (0..<Int.random(in: 0...36, using: &generator)).map { _ in
        UInt8.random(in: 0x61...0x62, using: &generator)
      }
      let count = Int.random(in: 0...(text.count + 2), using: &generator)
      for var part in [Array(text.prefix(count)), Array(text.suffix(count))] {
        if !part.isEmpty, Bool.random(using: &generator) {
          part[Int.random(in: 0..<part.count, using: &generator)] = 0x61
        }
        Self.withText(text) { whole in
          Self.withText(part) { part in
            #expect(whole.hasPrefix(part) == whole.byteBuffer.starts(with: part.byteBuffer))
            let end = whole.byteBuffer.suffix(part.byteBuffer.count)
            #expect(whole.hasSuffix(part) == end.elementsEqual(part.byteBuffer))
          }
        }
      }
    }
  }
}
