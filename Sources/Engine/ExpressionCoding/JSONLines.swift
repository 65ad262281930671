import ExpressionEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The lines of a JSON Lines text (one document a line, also called NDJSON), split on `\n` only.
///
/// Blank lines are left out; a carriage return before the line feed is JSON white space and stays.
package struct JSONLines: Sequence, IteratorProtocol {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var position = 0

  /// The number of the line that `next()` returned last, counted from 1.
  package private(set) var lineNumber = 0

  /// Creates the sequence over `bytes`, which must outlive it and the lines.
  package init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  /// The next line that is not blank, without its line feed.
  package mutating func next() -> UnsafeBufferPointer<UInt8>? {
    guard let base = bytes.baseAddress else { return nil }
    while position < bytes.count {
      let start = base + position
      let rest = bytes.count &- position
      // The pointer that memchr returns lies in `bytes`, so the distance is less than `rest`.
      let length = memchr(start, 0x0A, rest).map { UnsafeRawPointer($0) - UnsafeRawPointer(start) }
      let line = UnsafeBufferPointer(start: start, count: length ?? rest)
      position &+= (length ?? rest) &+ 1
      lineNumber &+= 1
      if line.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) { return line }
    }
    return nil
  }
}
