/// Simple case folding of Unicode: which scalars are the same letter in another case.
///
/// The generated table has runs of scalars, each with the distance to the next scalar of the same
/// letter; the last leads back to the first.
struct CaseFolding {
  /// From each scalar with another case to the next one, sorted; ordinals.
  private var steps: [(from: UInt32, to: UInt32)] = []

  /// Adds to a set what its members are in other cases. O(n) in the size of the table.
  mutating func close(_ set: ScalarSet) -> ScalarSet {
    if set.isASCII { return closeASCII(set) }
    load()
    var builder = ScalarSetBuilder()
    builder.insert(set)
    var edge = 0
    for step in steps {
      while edge < set.edges.count, set.edges[edge] <= step.from { edge &+= 1 }
      guard edge & 1 == 1 else { continue }
      var other = step.to
      // A letter has at most four cases.
      for _ in 0..<8 where other != step.from {
        builder.insert(other, other)
        other = next(of: other)
      }
    }
    return builder.finish()
  }

  private func closeASCII(_ set: ScalarSet) -> ScalarSet {
    var builder = ScalarSetBuilder()
    builder.insert(set)
    for letter in UInt32(0x61)...0x7A {
      let hasLower = set.contains(letter)
      let hasUpper = set.contains(letter &- 0x20)
      guard hasLower || hasUpper else { continue }
      builder.insert(letter, letter)
      builder.insert(letter &- 0x20, letter &- 0x20)
      // The Kelvin sign and the long s are the only other cases of ASCII letters.
      if letter == 0x6B { builder.insert(0x212A, 0x212A) }
      if letter == 0x73 { builder.insert(0x17F, 0x17F) }
    }
    return builder.finish()
  }

  /// Returns the next case variant of a scalar, cyclically; the scalar itself if it has none.
  func next(of ordinal: UInt32) -> UInt32 {
    var low = 0
    var high = steps.count
    while low < high {
      let middle = (low &+ high) / 2
      if steps[middle].from < ordinal { low = middle &+ 1 } else { high = middle }
    }
    return low < steps.count && steps[low].from == ordinal ? steps[low].to : ordinal
  }

  private mutating func load() {
    guard steps.isEmpty else { return }
    var reader = UnicodeTables.Reader(UnicodeTables.caseSteps)
    var ordinal: UInt32 = 0
    while !reader.isAtEnd {
      ordinal &+= reader.number()
      let count = reader.number()
      let stride = count & 1 &+ 1
      let distance = reader.number()
      for position in 0...(count >> 1) {
        let from = ordinal &+ position &* stride
        let to = distance & 1 == 0 ? from &+ distance >> 1 : from &- (distance &+ 1) >> 1
        steps.append((from, to))
      }
      ordinal &+= (count >> 1) &* stride
    }
  }
}
