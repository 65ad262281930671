/// A set of Unicode scalars, kept as the places where membership changes.
///
/// Scalars are counted without the gap of the surrogates (``ordinal(of:)``), so that neighbours in
/// Unicode are neighbours here and a complement never holds a surrogate.
struct ScalarSet: Hashable, Sendable {
  /// The number of Unicode scalars.
  static let limit: UInt32 = 0x11_0000 - 0x800

  /// Ascending ordinals; each even one starts a range and each odd one is after its end.
  private(set) var edges: [UInt32]

  /// The empty set.
  init() { edges = [] }

  /// A set from its edges, which must ascend strictly and be even in number.
  init(edges: [UInt32]) { self.edges = edges }

  /// The set of one scalar.
  init(ordinal: UInt32) { edges = [ordinal, ordinal &+ 1] }

  /// Every scalar.
  static var all: ScalarSet { ScalarSet(edges: [0, limit]) }

  var isEmpty: Bool { edges.isEmpty }

  /// The number of ranges.
  var rangeCount: Int { edges.count / 2 }

  /// The only member, as an ordinal; `nil` if there are none or several.
  var only: UInt32? {
    edges.count == 2 && edges[1] &- edges[0] == 1 ? edges[0] : nil
  }

  /// Whether all members are ASCII.
  var isASCII: Bool { edges.last.map { $0 <= 0x80 } ?? true }

  /// Whether a scalar is a member. O(log n).
  func contains(_ ordinal: UInt32) -> Bool {
    var low = 0
    var high = edges.count
    while low < high {
      let middle = (low &+ high) / 2
      if edges[middle] <= ordinal { low = middle &+ 1 } else { high = middle }
    }
    return low & 1 == 1
  }

  // MARK: Ordinals

  /// The place of a scalar among all scalars. The value must not be a surrogate.
  @inline(__always)
  static func ordinal(of scalar: UInt32) -> UInt32 {
    scalar >= 0xE000 ? scalar &- 0x800 : scalar
  }

  /// The scalar at a place.
  static func scalar(at ordinal: UInt32) -> UInt32 {
    ordinal >= 0xD800 ? ordinal &+ 0x800 : ordinal
  }

  // MARK: Operations

  /// Everything that is not in the set.
  var complement: ScalarSet { combine(.all) { $0 != $1 } }

  /// The members of either set.
  func union(_ other: ScalarSet) -> ScalarSet { combine(other) { $0 || $1 } }

  /// The members of both sets.
  func intersection(_ other: ScalarSet) -> ScalarSet { combine(other) { $0 && $1 } }

  /// The members that the other set lacks.
  func subtracting(_ other: ScalarSet) -> ScalarSet { combine(other) { $0 && !$1 } }

  /// The members of one set but not of both.
  func symmetricDifference(_ other: ScalarSet) -> ScalarSet { combine(other) { $0 != $1 } }

  /// One walk over the edges of both sets. O(n).
  @inline(__always)
  private func combine(_ other: ScalarSet, _ holds: (Bool, Bool) -> Bool) -> ScalarSet {
    var result: [UInt32] = []
    result.reserveCapacity(edges.count &+ other.edges.count)
    var left = 0
    var right = 0
    var isMember = false
    while left < edges.count || right < other.edges.count {
      let leftEdge = left < edges.count ? edges[left] : .max
      let rightEdge = right < other.edges.count ? other.edges[right] : .max
      let edge = min(leftEdge, rightEdge)
      if leftEdge == edge { left &+= 1 }
      if rightEdge == edge { right &+= 1 }
      let next = holds(left & 1 == 1, right & 1 == 1)
      if next != isMember {
        result.append(edge)
        isMember = next
      }
    }
    return ScalarSet(edges: result)
  }
}

/// Gathers ranges in any order, and makes a set of them at the end.
struct ScalarSetBuilder {
  private var ranges: [(lower: UInt32, upper: UInt32)] = []
  private var set = ScalarSet()

  /// Adds the ordinals from `lower` up to and including `upper`.
  mutating func insert(_ lower: UInt32, _ upper: UInt32) {
    ranges.append((lower, upper &+ 1))
  }

  mutating func insert(_ other: ScalarSet) {
    set = set.union(other)
  }

  /// The union of all that was added. O(n log n).
  consuming func finish() -> ScalarSet {
    ranges.sort { $0.lower < $1.lower }
    var edges: [UInt32] = []
    for range in ranges {
      if let end = edges.last, range.lower <= end {
        if range.upper > end { edges[edges.count &- 1] = range.upper }
      } else {
        edges.append(range.lower)
        edges.append(range.upper)
      }
    }
    return set.union(ScalarSet(edges: edges))
  }
}
