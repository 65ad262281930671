/// Splits the bytes of a connection into messages: each has a header with its length, an empty
/// line, and its content.
package struct MessageFramer: Sendable {
  /// The largest content that is accepted, in bytes.
  private let maximumLength: Int
  /// The largest header that is accepted, in bytes.
  private static let maximumHeaderLength = 1 << 16

  /// The result of reading a message.
  package enum Frame: Sendable, Hashable {
    /// The content of a message.
    case message([UInt8])
    /// Bytes that are not a message; they have been passed over.
    case malformed(String)
  }

  private var buffer: [UInt8] = []
  private var start = 0
  /// The bytes of a message that is too long and still to be passed over.
  private var skipped = 0

  /// Creates a framer at the start of a connection.
  ///
  /// - Parameter maximumLength: The largest content that is accepted, in bytes. Longer messages are
  ///   passed over.
  package init(maximumLength: Int = 256 << 20) { self.maximumLength = maximumLength }

  /// Adds bytes that have arrived.
  package mutating func append(_ bytes: some Sequence<UInt8>) {
    if start > 0, start == buffer.count || start > 1 << 20 {
      buffer.removeSubrange(..<start)
      start = 0
    }
    buffer.append(contentsOf: bytes)
  }

  /// Returns the next message; `nil` until more bytes arrive.
  package mutating func next() -> Frame? {
    if skipped > 0 {
      let count = min(skipped, buffer.count - start)
      start += count
      skipped -= count
      guard skipped == 0 else { return nil }
    }
    guard let end = headerEnd() else {
      guard buffer.count - start > Self.maximumHeaderLength else { return nil }
      start = buffer.count
      return .malformed("a header is longer than \(Self.maximumHeaderLength) bytes")
    }
    let length = Self.contentLength(buffer[start..<end])
    guard let length else {
      start = end
      return .malformed("a header has no valid Content-Length")
    }
    guard length <= maximumLength else {
      start = end
      skipped = length
      return .malformed("a message is longer than \(maximumLength) bytes")
    }
    guard buffer.count - end >= length else { return nil }
    start = end + length
    return .message(Array(buffer[end..<start]))
  }

  /// Returns the end of the header, after its empty line.
  private func headerEnd() -> Int? {
    var index = start
    while index < buffer.count {
      guard buffer[index] == 0x0A else {
        index += 1
        continue
      }
      // The line break of the protocol is CR LF; LF alone is understood, too.
      let next = index + 1 < buffer.count ? buffer[index + 1] : 0
      if next == 0x0A { return index + 2 }
      if next == 0x0D, index + 2 < buffer.count, buffer[index + 2] == 0x0A {
        return index + 3
      }
      index += 1
    }
    return nil
  }

  private static func contentLength(_ header: ArraySlice<UInt8>) -> Int? {
    for line in header.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      let text = String(decoding: line, as: UTF8.self)
      guard let colon = text.firstIndex(of: ":"),
        text[..<colon].lowercased() == "content-length"
      else { continue }
      let digits = text[text.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      let trimmed = digits.prefix { $0 != " " && $0 != "\t" }
      guard trimmed.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
      return Int(trimmed)
    }
    return nil
  }

  /// Returns a message with its header.
  package static func frame(_ content: [UInt8]) -> [UInt8] {
    Array("Content-Length: \(content.count)\r\n\r\n".utf8) + content
  }
}
