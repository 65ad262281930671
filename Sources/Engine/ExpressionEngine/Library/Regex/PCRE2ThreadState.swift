#if PCRE2 && os(Linux)
  import CPCRE2

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Darwin)
    import Darwin
  #endif

  /// The memory that PCRE2 writes to while it matches. Each thread has one, created at its first
  /// match and freed when the thread ends.
  ///
  /// Thus a match needs neither an allocation nor a lock; finding the state costs two or three
  /// nanoseconds (`pthread_getspecific`).
  struct PCRE2ThreadState {
    let matchData: OpaquePointer
    let context: OpaquePointer
    private var limit: UInt32 = 0

    /// The state of the current thread.
    ///
    /// - Returns: `nil` when there is no memory.
    @inline(__always)
    static func current() -> UnsafeMutablePointer<PCRE2ThreadState>? {
      guard let raw = pthread_getspecific(key) else { return make() }
      // Only `make` stores a value under the key, and it stores this type.
      return raw.assumingMemoryBound(to: PCRE2ThreadState.self)
    }

    /// Sets the bound on the steps of the next match.
    @inline(__always)
    mutating func setLimit(_ steps: UInt32) {
      guard steps != limit else { return }
      limit = steps
      pcre2_set_match_limit_8(context, steps)
    }

    private static func make() -> UnsafeMutablePointer<PCRE2ThreadState>? {
      // Room for the whole match; patterns have no groups.
      guard let matchData = pcre2_match_data_create_8(1, nil) else { return nil }
      guard let context = pcre2_match_context_create_8(nil) else {
        pcre2_match_data_free_8(matchData)
        return nil
      }
      let state = UnsafeMutablePointer<PCRE2ThreadState>.allocate(capacity: 1)
      state.initialize(
        to: PCRE2ThreadState(matchData: matchData, context: context))
      guard pthread_setspecific(key, state) == 0 else {
        free(state)
        return nil
      }
      return state
    }

    private init(matchData: OpaquePointer, context: OpaquePointer) {
      self.matchData = matchData
      self.context = context
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
