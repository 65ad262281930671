#if canImport(CPCRE2)
  import CPCRE2

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Darwin)
    import Darwin
  #endif

  /// What PCRE2 writes to while it matches: one for each thread, made at its first match and freed
  /// when the thread ends.
  ///
  /// A match so needs neither an allocation nor a lock; finding the state costs two or three
  /// nanoseconds (`pthread_getspecific`).
  struct PCRE2ThreadState {
    private(set) var matchData: OpaquePointer
    let context: OpaquePointer
    private var pairs: Int
    private var limit: UInt32 = 0

    /// The state of the current thread.
    ///
    /// - Parameter pairs: How many captures it must have room for, the whole match counted.
    /// - Returns: `nil` when there is no memory.
    @inline(__always)
    static func current(pairs: Int) -> UnsafeMutablePointer<PCRE2ThreadState>? {
      guard let raw = pthread_getspecific(key) else { return make(pairs: pairs) }
      // Only `make` stores something under the key, and it stores this type.
      let state = raw.assumingMemoryBound(to: PCRE2ThreadState.self)
      if state.pointee.pairs < pairs, !state.pointee.grow(to: pairs) { return nil }
      return state
    }

    /// Sets the bound on the steps of the next match.
    @inline(__always)
    mutating func setLimit(_ steps: UInt32) {
      guard steps != limit else { return }
      limit = steps
      pcre2_set_match_limit_8(context, steps)
    }

    private mutating func grow(to count: Int) -> Bool {
      guard let larger = pcre2_match_data_create_8(UInt32(clamping: count), nil)
      else { return false }
      pcre2_match_data_free_8(matchData)
      matchData = larger
      pairs = count
      return true
    }

    private static func make(pairs: Int) -> UnsafeMutablePointer<PCRE2ThreadState>? {
      let room = max(pairs, 8)
      guard let matchData = pcre2_match_data_create_8(UInt32(clamping: room), nil)
      else { return nil }
      guard let context = pcre2_match_context_create_8(nil) else {
        pcre2_match_data_free_8(matchData)
        return nil
      }
      // Kilobytes that the interpreter may use where there is no machine code.
      pcre2_set_heap_limit_8(context, 20_000)
      let state = UnsafeMutablePointer<PCRE2ThreadState>.allocate(capacity: 1)
      state.initialize(
        to: PCRE2ThreadState(matchData: matchData, context: context, pairs: room))
      guard pthread_setspecific(key, state) == 0 else {
        free(state)
        return nil
      }
      return state
    }

    private init(matchData: OpaquePointer, context: OpaquePointer, pairs: Int) {
      self.matchData = matchData
      self.context = context
      self.pairs = pairs
    }

    private static func free(_ state: UnsafeMutablePointer<PCRE2ThreadState>) {
      pcre2_match_data_free_8(state.pointee.matchData)
      pcre2_match_context_free_8(state.pointee.context)
      state.deinitialize(count: 1)
      state.deallocate()
    }

    private static let key: pthread_key_t = {
      var key = pthread_key_t()
      #if canImport(Darwin)
        pthread_key_create(&key) { raw in
          PCRE2ThreadState.free(raw.assumingMemoryBound(to: PCRE2ThreadState.self))
        }
      #else
        pthread_key_create(&key) { raw in
          guard let raw else { return }
          PCRE2ThreadState.free(raw.assumingMemoryBound(to: PCRE2ThreadState.self))
        }
      #endif
      return key
    }()
  }
#endif
