/// A source text: its UTF-8 bytes and the name of the place that it came from, if it has one.
///
/// The text may be made from bytes that are not UTF-8; the tokenizer reports those with their
/// position instead of repairing them silently.
package struct SourceText: Sendable, Hashable {
  /// The place that the text came from, such as a file or a campaign; `nil` for a filter given
  /// directly.
  package let name: String?
  /// The UTF-8 bytes of the text.
  package let bytes: [UInt8]

  /// Creates the source of a filter text.
  package init(_ text: String, name: String? = nil) {
    self.name = name
    self.bytes = Array(text.utf8)
  }

  /// Creates a source from bytes, which need not be valid UTF-8.
  package init(bytes: [UInt8], name: String? = nil) {
    self.name = name
    self.bytes = bytes
  }

  /// The whole text; invalid UTF-8 becomes U+FFFD.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The span of the whole text.
  package var span: SourceSpan {
    SourceSpan(start: 0, length: UInt32(clamping: bytes.count))
  }

  /// Returns the text of a span, clamped to the source's bounds; invalid UTF-8 becomes U+FFFD.
  package func text(of span: SourceSpan) -> String {
    String(decoding: bytes(of: span), as: UTF8.self)
  }

  /// Returns the bytes of a span, clamped to the source's bounds.
  package func bytes(of span: SourceSpan) -> ArraySlice<UInt8> {
    // Not every offset is an `Int` where that has 32 bits.
    let start = min(Int(clamping: span.start), bytes.count)
    let end = min(max(Int(clamping: span.end), start), bytes.count)
    return bytes[start..<end]
  }
}

/// A position for people, with a line and a column that count from 1.
package struct SourceLocation: Sendable, Hashable, CustomStringConvertible {
  /// The line number, from 1.
  package var line: Int
  /// The number of the character (grapheme cluster) in the line, from 1.
  package var column: Int

  /// Creates a location from a line and a column that count from 1.
  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// `line:column`.
  package var description: String { "\(line):\(column)" }
}

extension SourceText {
  /// Returns the line and column of a byte offset. An offset past the end counts as the end.
  ///
  /// - Complexity: O(n) in the length of the text; use ``SourceLines`` for several offsets.
  package func location(of offset: UInt32) -> SourceLocation {
    SourceLines(self).location(of: offset)
  }
}
