/// The sets of Unicode 16 that patterns can name.
///
/// The generated texts hold numbers in digits of base 32, the lowest first: `0` to `o`, with `p`
/// for the backslash, and a sixth bit that says that more digits follow. A set is the count of sets
/// that it resembles, their numbers, and the distances between its edges; it is the exclusive union
/// of them all.
enum UnicodeTables {
  /// Reads the generated texts.
  struct Reader {
    let base: UnsafePointer<UInt8>
    var index: Int
    let end: Int

    init(_ text: StaticString) {
      base = text.utf8Start
      index = 0
      end = text.utf8CodeUnitCount
    }

    init(_ text: StaticString, _ range: Range<Int>) {
      base = text.utf8Start
      index = max(range.lowerBound, 0)
      end = min(range.upperBound, text.utf8CodeUnitCount)
    }

    var isAtEnd: Bool { index >= end }

    mutating func digit() -> UInt32 {
      guard index < end else { return 0 }
      let byte = base[index]
      index &+= 1
      return byte == UInt8(ascii: "p") ? 44 : UInt32(byte &- 48)
    }

    mutating func number() -> UInt32 {
      var value: UInt32 = 0
      var shift: UInt32 = 0
      while true {
        let next = digit()
        value |= (next & 31) << shift
        if next & 32 == 0 || shift > 24 { return value }
        shift &+= 5
      }
    }
  }

  /// The set of a number.
  static func set(_ number: Int) -> ScalarSet {
    var reader = Reader(sets, offset(number)..<offset(number &+ 1))
    var result = ScalarSet()
    for _ in 0..<reader.number() {
      // A set resembles earlier ones only, so that this ends.
      let other = Int(reader.number())
      if other < number { result = result.symmetricDifference(set(other)) }
    }
    var edges: [UInt32] = []
    var edge: UInt32 = 0
    while !reader.isAtEnd {
      edge &+= reader.number()
      edges.append(edge)
    }
    let own = ScalarSet(edges: edges)
    return result.isEmpty ? own : result.symmetricDifference(own)
  }

  private static func offset(_ number: Int) -> Int {
    var reader = Reader(offsets, (number &* 3)..<(number &* 3 &+ 3))
    let high = reader.digit()
    let middle = reader.digit()
    return Int(high << 12 | middle << 6 | reader.digit())
  }

  /// The number of the set that a table gives a name; `nil` if it has no such name.
  static func find(_ name: [UInt8], in table: StaticString) -> Int? {
    var reader = Reader(table)
    while !reader.isAtEnd {
      var matched = 0
      var isEqual = true
      while !reader.isAtEnd, reader.base[reader.index] != 0x20 {
        if matched >= name.count || name[matched] != reader.base[reader.index] { isEqual = false }
        matched &+= 1
        reader.index &+= 1
      }
      reader.index &+= 1
      let number = Int(reader.number())
      if isEqual, matched == name.count { return number }
      reader.index &+= 1
    }
    return nil
  }
}
