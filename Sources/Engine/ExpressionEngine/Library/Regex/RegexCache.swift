import LinearRegex

/// A bounded cache of compiled patterns that are not literals.
///
/// It is safe to use from many threads; compilation happens outside the lock. A pattern that has
/// been used since the clock hand last passed is spared once (the CLOCK algorithm).
final class RegexCache: Sendable {
  private struct Entry {
    var hash: UInt64
    var regex: CompiledRegex
    var isRecent: Bool
  }

  private struct State {
    var entries: [Entry] = []
    var hand = 0
  }

  private let capacity: Int
  private let state = Locked(State())

  /// Creates an empty cache.
  ///
  /// - Parameter capacity: The maximum number of patterns, at least 1.
  init(capacity: Int = 64) { self.capacity = max(capacity, 1) }

  /// The current number of patterns in the cache.
  var count: Int { state.withLock { $0.entries.count } }

  /// Returns the compiled pattern, from the cache or new.
  func regex(_ pattern: UTF8Bytes, syntax: RegexSyntax) throws(RegexError) -> CompiledRegex {
    let hash = RegexCache.hash(pattern, syntax)
    if let found = find(pattern, syntax, hash) { return found }
    let regex = try CompiledRegex(pattern, syntax: syntax)
    state.withLock { insert(Entry(hash: hash, regex: regex, isRecent: false), into: &$0) }
    return regex
  }

  private func find(
    _ pattern: UTF8Bytes, _ syntax: RegexSyntax, _ hash: UInt64
  ) -> CompiledRegex? {
    state.withLock { state in
      for index in state.entries.indices where state.entries[index].hash == hash {
        let regex = state.entries[index].regex
        let isSame = regex.pattern.withUnsafeBufferPointer {
          $0.count == pattern.count && UTF8Text.hasPrefix($0, in: pattern)
        }
        guard isSame, regex.syntax == syntax else { continue }
        state.entries[index].isRecent = true
        return regex
      }
      return nil
    }
  }

  private func insert(_ entry: Entry, into state: inout State) {
    if state.entries.count < capacity {
      state.entries.append(entry)
      return
    }
    // Ends after at most one round, because it clears the marks that it passes.
    while state.entries[state.hand].isRecent {
      state.entries[state.hand].isRecent = false
      state.hand = (state.hand &+ 1) % state.entries.count
    }
    state.entries[state.hand] = entry
    state.hand = (state.hand &+ 1) % state.entries.count
  }

  /// FNV-1a. A collision costs only a comparison.
  private static func hash(_ pattern: UTF8Bytes, _ syntax: RegexSyntax) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ UInt64(syntax.rawValue)
    for byte in pattern { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    return hash
  }
}
