#if canImport(Atomics)
  import Atomics
#endif

/// Words that threads read and change without a lock. All of them are 0 at first.
///
/// The owner calls ``destroy()`` when no thread uses them any more. Without threads, as in
/// WebAssembly, they are ordinary words.
package struct AtomicWords: @unchecked Sendable {
  #if canImport(Atomics)
    private typealias Storage = UnsafeAtomic<UInt>.Storage
  #else
    private typealias Storage = UInt
  #endif

  private let start: UnsafeMutablePointer<Storage>

  package init(count: Int) {
    start = .allocate(capacity: count)
    for index in 0..<count { (start + index).initialize(to: Storage(0)) }
  }

  func destroy() { start.deallocate() }

  #if canImport(Atomics)
    @inline(__always) private subscript(index: Int) -> UnsafeAtomic<UInt> {
      UnsafeAtomic(at: start + index)
    }

    /// Reads a word, and all that was written before it was stored.
    @inline(__always) package func load(_ index: Int) -> UInt {
      self[index].load(ordering: .acquiring)
    }

    /// Writes a word after all that this thread wrote before.
    @inline(__always) package func store(_ word: UInt, at index: Int) {
      self[index].store(word, ordering: .releasing)
    }

    /// Writes a word and returns the one it replaces.
    @inline(__always) func exchange(_ word: UInt, at index: Int) -> UInt {
      self[index].exchange(word, ordering: .acquiringAndReleasing)
    }

    /// Writes a word where there is 0. Returns whether there was.
    @inline(__always) func fill(_ index: Int, with word: UInt) -> Bool {
      self[index].compareExchange(expected: 0, desired: word, ordering: .acquiringAndReleasing)
        .exchanged
    }

    /// Adds to a word, wrapping around, and returns the one before. Orders nothing else.
    @inline(__always) func add(_ summand: UInt, at index: Int) -> UInt {
      self[index].loadThenWrappingIncrement(by: summand, ordering: .relaxed)
    }
  #else
    @inline(__always) package func load(_ index: Int) -> UInt { start[index] }

    @inline(__always) package func store(_ word: UInt, at index: Int) { start[index] = word }

    @inline(__always) func exchange(_ word: UInt, at index: Int) -> UInt {
      defer { start[index] = word }
      return start[index]
    }

    @inline(__always) func fill(_ index: Int, with word: UInt) -> Bool {
      guard start[index] == 0 else { return false }
      start[index] = word
      return true
    }

    @inline(__always) func add(_ summand: UInt, at index: Int) -> UInt {
      defer { start[index] &+= summand }
      return start[index]
    }
  #endif
}
