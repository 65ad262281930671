/// A range of UTF-8 bytes in a source text.
///
/// Offsets count bytes from the start of the text. `SourceText` computes lines and columns on
/// demand, because only diagnostics need them.
public struct SourceSpan: Sendable, Hashable, BitwiseCopyable {
  /// The offset of the first byte.
  public var start: UInt32
  /// The number of bytes, which may be zero (a position between two characters).
  public var length: UInt32

  /// The offset just after the last byte.
  @inlinable public var end: UInt32 { start &+ length }

  /// Creates the span of `length` bytes from `start`.
  @inlinable
  public init(start: UInt32, length: UInt32) {
    self.start = start
    self.length = length
  }

  /// Creates the span from `start` up to, but not including, `end`; it is empty if `end` is before
  /// `start`.
  public init(start: UInt32, end: UInt32) {
    self.start = start
    self.length = end > start ? end &- start : 0
  }

  /// Returns the smallest span that contains both spans.
  public func union(_ other: SourceSpan) -> SourceSpan {
    SourceSpan(start: min(start, other.start), end: max(end, other.end))
  }
}
