/// The bytes of one run, as the parts that targets take.
///
/// A NUL separates the first part, such as a filter, from the second, such as a context.
struct FuzzInput {
  /// All bytes; valid only during the run.
  let bytes: UnsafeBufferPointer<UInt8>
  /// The bytes before the first NUL; valid only during the run.
  let firstBytes: UnsafeBufferPointer<UInt8>
  /// The bytes after the first NUL, or `nil` without one; valid only during the run.
  let secondBytes: UnsafeBufferPointer<UInt8>?
  /// A number that is the same for the same input, to choose options with.
  let choice: UInt64

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    if let end = bytes.firstIndex(of: 0) {
      firstBytes = UnsafeBufferPointer(rebasing: bytes[..<end])
      secondBytes = UnsafeBufferPointer(rebasing: bytes[(end + 1)...])
    } else {
      firstBytes = bytes
      secondBytes = nil
    }
    // FNV-1a.
    choice = bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }

  /// All bytes as text; those that are not UTF-8 become U+FFFD.
  var text: String { String(decoding: bytes, as: UTF8.self) }
  /// The first part as text.
  var first: String { String(decoding: firstBytes, as: UTF8.self) }
  /// All parts as texts, of which there may be more than two.
  var texts: [String] {
    bytes.split(separator: 0, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
  }
  /// The second part as text.
  var second: String? { secondBytes.map { String(decoding: $0, as: UTF8.self) } }
}
