import Testing

@testable import LinearRegex

@Suite("Unicode tables") struct UnicodeTableTests {
  @Test("Categories part the scalars, and groups are their unions")
  func categories() throws {
    func set(_ name: String) throws -> ScalarSet {
      try UnicodeProperty.set(named: Array(name.utf8))
    }
    var rest = ScalarSet.all
    for group in ["L", "M", "N", "P", "S", "Z", "C"] {
      let members = try set(group)
      #expect(members.subtracting(rest).isEmpty, "\(group)")
      rest = rest.subtracting(members)
    }
    #expect(rest.isEmpty)
    #expect(try set("Lu").union(set("Ll")).union(set("Lt")) == set("LC"))
    #expect(try set("Assigned") == set("Cn").complement)
    #expect(
      try set("Alphabetic").union(set("M")).union(set("Nd")).union(set("Pc"))
        .union(set("Join_Control")) == UnicodeTables.set(UnicodeTables.word))
  }

  @Test("Scalars of ages that the standard library knows have its categories and properties")
  func standardLibrary() throws {
    let properties: [(String, (Unicode.Scalar.Properties) -> Bool)] = [
      ("Alphabetic", { $0.isAlphabetic }), ("White_Space", { $0.isWhitespace }),
      ("Lowercase", { $0.isLowercase }), ("Uppercase", { $0.isUppercase }),
      ("Emoji", { $0.isEmoji }), ("Nd", { $0.generalCategory == .decimalNumber }),
      ("Lu", { $0.generalCategory == .uppercaseLetter }),
      ("Po", { $0.generalCategory == .otherPunctuation }), ("Math", { $0.isMath }),
      ("XID_Start", { $0.isXIDStart }), ("Cased", { $0.isCased }),
    ]
    let old = try UnicodeProperty.set(named: Array("age".utf8), value: Array("14.0".utf8))
    for (name, holds) in properties {
      let set = try UnicodeProperty.set(named: Array(name.utf8))
      // A few scalars have changed since; what was assigned later may be unknown there.
      var differences = 0
      for ordinal in UInt32(0)..<ScalarSet.limit where old.contains(ordinal) {
        guard let scalar = Unicode.Scalar(ScalarSet.scalar(at: ordinal)) else { continue }
        if set.contains(ordinal) != holds(scalar.properties) { differences += 1 }
      }
      #expect(differences <= 40, "\(name)")
    }
  }

  @Test("Operations on sets are those of sets")
  func operations() {
    var random = PatternRandom(seed: 5)
    func randomSet() -> ScalarSet {
      var builder = ScalarSetBuilder()
      for _ in 0..<random.below(6) {
        let lower = UInt32(random.below(40))
        builder.insert(lower, lower + UInt32(random.below(8)))
      }
      return builder.finish()
    }
    for _ in 0..<2_000 {
      let (left, right) = (randomSet(), randomSet())
      for value in UInt32(0)..<50 {
        let (isLeft, isRight) = (left.contains(value), right.contains(value))
        #expect(left.union(right).contains(value) == (isLeft || isRight))
        #expect(left.intersection(right).contains(value) == (isLeft && isRight))
        #expect(left.subtracting(right).contains(value) == (isLeft && !isRight))
        #expect(left.symmetricDifference(right).contains(value) == (isLeft != isRight))
        #expect(left.complement.contains(value) == !isLeft)
      }
      #expect(left.complement.complement == left)
    }
  }

  @Test("Folding twice adds nothing, and every letter is its own cases' case")
  func folding() {
    var folding = CaseFolding()
    let word = UnicodeTables.set(UnicodeTables.word)
    let closed = folding.close(word)
    #expect(folding.close(closed) == closed)
    #expect(
      folding.close(ScalarSet(ordinal: 0x6B)).edges == [0x4B, 0x4C, 0x6B, 0x6C, 0x212A, 0x212B])
    #expect(folding.close(ScalarSet(ordinal: 0x3C3)) == folding.close(ScalarSet(ordinal: 0x3C2)))
    #expect(folding.close(ScalarSet(ordinal: 0x130)).only == 0x130)
  }
}
