/// The sequences of ranges of bytes that encode the scalars of a set, one after the other.
struct Sequences {
  private(set) var ranges: [UInt16] = []
  /// Where each of them ends in `ranges`.
  private(set) var ends: [Int] = []

  init(of set: ScalarSet) {
    UTF8Ranges.forEach(in: set) {
      ranges += $0
      ends.append(ranges.count)
    }
  }
}

/// The states of a forward automaton that may get further transitions: the first one, and one for
/// each byte of the last sequence but its last.
struct OpenStates {
  /// The number of open states: at least one, and at most as many as a scalar has bytes.
  private(set) var count = 1
  /// The finished transitions of each, as ranges and numbers of states.
  private(set) var transitions: [[UInt32]] = [[]]
  /// The range of the transition of each that is being made.
  private var lasts: [UInt16?] = [nil]

  /// Returns the number of ranges at the start of a sequence that are the last one's.
  func common(with sequence: ArraySlice<UInt16>) -> Int {
    var depth = 0
    for range in sequence {
      guard depth < count, lasts[depth] == range else { break }
      depth &+= 1
    }
    return depth
  }

  /// Begins the transitions of what a sequence does not share with the last one.
  mutating func append(_ sequence: ArraySlice<UInt16>) {
    guard let first = sequence.first else { return }
    lasts[count &- 1] = first
    for range in sequence.dropFirst() {
      // Their memory is used again: a class has thousands of sequences.
      if count == transitions.count {
        transitions.append([])
        lasts.append(nil)
      }
      lasts[count] = range
      count &+= 1
    }
  }

  /// Finishes the transition of the deepest state that is being made, if there is one.
  mutating func finishLast(to state: UInt32) {
    guard let range = lasts[count &- 1] else { return }
    transitions[count &- 1].append(UInt32(range))
    transitions[count &- 1].append(state)
    lasts[count &- 1] = nil
  }

  /// Removes the deepest state.
  mutating func removeLast() {
    count &-= 1
    transitions[count].removeAll(keepingCapacity: true)
    lasts[count] = nil
  }
}

/// The reference's table of states of a forward automaton: of a fixed number of places, in which a
/// state replaces another one with the same hash.
struct ForwardTable {
  private struct Entry {
    var generation = 0
    /// Its transitions, in the table's.
    var start = 0
    var end = 0
    var state: UInt32 = 0
  }

  private var entries: [Entry]
  private var generation = 0
  private var transitions: [UInt32] = []

  init(places: Int) { entries = Array(repeating: Entry(), count: places) }

  mutating func removeAll() {
    generation &+= 1
    transitions.removeAll(keepingCapacity: true)
  }

  /// Returns the state with the transitions, which is the new one unless the table has another.
  mutating func state(_ wanted: [UInt32], orNew state: UInt32) -> UInt32 {
    guard !entries.isEmpty else { return state }
    var hash = StateHash()
    for index in stride(from: 0, to: wanted.count, by: 2) {
      hash.combine(range: UInt16(truncatingIfNeeded: wanted[index]))
      hash.combine(UInt64(wanted[index &+ 1]))
    }
    let place = Int(hash.value % UInt64(entries.count))
    let entry = entries[place]
    if entry.generation == generation,
      transitions[entry.start..<entry.end].elementsEqual(wanted)
    {
      return entry.state
    }
    let start = transitions.count
    transitions += wanted
    entries[place] = Entry(
      generation: generation, start: start, end: transitions.count, state: state)
    return state
  }
}

/// The reference's table of states of a backward automaton, which have one transition each.
struct BackwardTable {
  private struct Entry {
    var generation = 0
    var range: UInt16 = 0
    var next: UInt32 = 0
    var state: UInt32 = 0
  }

  private var entries: [Entry]
  private var generation = 0

  init(places: Int) { entries = Array(repeating: Entry(), count: places) }

  mutating func removeAll() { generation &+= 1 }

  /// Returns the state with the transition, which is the new one unless the table has another.
  mutating func state(_ range: UInt16, to next: UInt32, orNew state: UInt32) -> UInt32 {
    guard !entries.isEmpty else { return state }
    var hash = StateHash()
    hash.combine(UInt64(next))
    hash.combine(range: range)
    let place = Int(hash.value % UInt64(entries.count))
    let entry = entries[place]
    if entry.generation == generation, entry.range == range, entry.next == next {
      return entry.state
    }
    entries[place] = Entry(generation: generation, range: range, next: next, state: state)
    return state
  }
}

/// The hash of the reference's tables: FNV-1a over words.
private struct StateHash {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func combine(_ word: UInt64) { value = (value ^ word) &* 0x0000_0100_0000_01B3 }

  mutating func combine(range: UInt16) {
    combine(UInt64(range >> 8))
    combine(UInt64(range & 0xFF))
  }
}
