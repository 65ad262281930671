/// What each register of a frame may hold, at one place of a program.
struct FrameContents {
  private var words: [UInt32]

  init(repeating contents: RegisterContents, count: Int) {
    words = Array(repeating: contents.rawValue, count: count)
  }

  /// The number of registers.
  var count: Int { words.count }

  subscript(register: Int) -> RegisterContents {
    get { RegisterContents(rawValue: words[register]) }
    set { words[register] = newValue.rawValue }
  }

  /// Whether each register may hold what it may hold in another frame of that size.
  func isSuperset(of other: FrameContents) -> Bool {
    words.withUnsafeBufferPointer { mine in
      other.words.withUnsafeBufferPointer { theirs in
        guard let start = mine.baseAddress, let other = theirs.baseAddress else { return true }
        var register = 0
        while register < mine.count {
          if other[register] & ~start[register] != 0 { return false }
          register &+= 1
        }
        return true
      }
    }
  }

  /// Adds what the registers may hold in another frame of that size.
  mutating func formUnion(_ other: FrameContents) {
    words.withUnsafeMutableBufferPointer { mine in
      other.words.withUnsafeBufferPointer { theirs in
        guard let start = mine.baseAddress, let other = theirs.baseAddress else { return }
        var register = 0
        while register < mine.count {
          start[register] |= other[register]
          register &+= 1
        }
      }
    }
  }
}
