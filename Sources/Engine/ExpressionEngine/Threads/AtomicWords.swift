#if canImport(CAtomicWords)
  import CAtomicWords
#endif

/// Words that threads read and change without a lock. All of them are 0 at first.
///
/// The owner calls ``destroy()`` when no thread uses them any more. Without threads, as in
/// WebAssembly, they are ordinary words.
package struct AtomicWords: @unchecked Sendable {
  private let start: UnsafeMutablePointer<UInt>

  package init(count: Int) {
    start = .allocate(capacity: count)
    start.initialize(repeating: 0, count: count)
  }

  func destroy() { start.deallocate() }

  #if canImport(CAtomicWords)
    /// Reads a word, and all that was written before it was stored.
    @inline(__always) package func load(_ index: Int) -> UInt {
      atomic_word_load(start + index)
    }

    /// Writes a word after all that this thread wrote before.
    @inline(__always) package func store(_ word: UInt, at index: Int) {
      atomic_word_store(start + index, word)
    }

    /// Writes a word and returns the one it replaces. Orders as a load and a store do.
    @inline(__always) func exchange(_ word: UInt, at index: Int) -> UInt {
      atomic_word_exchange(start + index, word)
    }

    /// Writes a word where there is 0. Returns whether there was.
    @inline(__always) func fill(_ index: Int, with word: UInt) -> Bool {
      atomic_word_fill(start + index, word)
    }

    /// Adds to a word, wrapping around, and returns the one before. Orders nothing else.
    @inline(__always) func add(_ summand: UInt, at index: Int) -> UInt {
      atomic_word_add(start + index, summand)
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
