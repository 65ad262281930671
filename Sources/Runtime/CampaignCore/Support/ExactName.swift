#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A name that is compared byte by byte, as SQLite and the reference compare it
/// (docs/spec/campaigns.md §2.1: placements match exactly).
///
/// `String` takes canonically equivalent texts as equal, such as a composed and a decomposed `é`; names of
/// placements, events, counters and experiments are only the same when their bytes are.
package struct ExactName: Hashable, Sendable {
  /// The name.
  package let text: String

  /// Creates a name from its text.
  package init(_ text: String) { self.text = text }

  package static func == (left: ExactName, right: ExactName) -> Bool {
    left.text.isExactly(right.text)
  }

  package func hash(into hasher: inout Hasher) {
    // The standard library would feed the normalized text, so that all equivalent names collide.
    text.withBytes { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

extension String {
  /// Whether two names have the same bytes.
  package func isExactly(_ other: String) -> Bool {
    withBytes { bytes in other.withBytes { bytes.hasSameBytes(as: $0) } }
  }

  /// Calls a function with the bytes of the text, which nearly always lie in a row already.
  @inline(__always)
  fileprivate func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
    var copy = self
    return copy.withUTF8(body)
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether two texts have the same bytes.
  @inline(__always)
  func hasSameBytes(as other: Self) -> Bool {
    guard count == other.count else { return false }
    guard let start = baseAddress, let otherStart = other.baseAddress else { return true }
    return memcmp(start, otherStart, count) == 0
  }
}
