extension FilterGraph {
  /// The first words of a node's list: one, or three if the numbers do not fit one.
  ///
  /// | bits of the first word | content |
  /// |---|---|
  /// | 0 to 15, 16 to 29 | the numbers of parents and of filters |
  /// | 30 | whether the two words after it hold the numbers |
  /// | 31 | whether lists of conjunctions follow the filters |
  struct ListHeader {
    private static let parentBits: UInt32 = 16
    private static let filterBits: UInt32 = 14
    private static let long: UInt32 = 1 << (parentBits + filterBits)
    private static let candidates: UInt32 = 1 << 31

    private(set) var parentCount: UInt32
    /// The number of filters that the node is the root of.
    private(set) var filterCount: UInt32
    private(set) var hasCandidates: Bool

    init(parentCount: UInt32, filterCount: UInt32, hasCandidates: Bool) {
      self.parentCount = parentCount
      self.filterCount = filterCount
      self.hasCandidates = hasCandidates
    }

    /// Whether the numbers do not fit one word.
    private var isLong: Bool {
      parentCount >= 1 << Self.parentBits || filterCount >= 1 << Self.filterBits
    }

    /// The number of words.
    var wordCount: UInt32 { isLong ? 3 : 1 }

    func write(to lists: inout [UInt32], at position: Int) {
      let mark = hasCandidates ? Self.candidates : 0
      guard isLong else {
        lists[position] = mark | parentCount | filterCount << Self.parentBits
        return
      }
      lists[position] = mark | Self.long
      lists[position &+ 1] = parentCount
      lists[position &+ 2] = filterCount
    }

    /// Reads the header at a position, which moves to the parents.
    @inline(__always)
    init(_ lists: UnsafeBufferPointer<UInt32>, at position: inout Int) {
      let word = lists[position]
      position &+= 1
      parentCount = word & (1 << Self.parentBits &- 1)
      filterCount = (word >> Self.parentBits) & (1 << Self.filterBits &- 1)
      hasCandidates = word & Self.candidates != 0
      guard word & Self.long != 0 else { return }
      parentCount = lists[position]
      filterCount = lists[position &+ 1]
      position &+= 2
    }
  }
}
