/// The lines of earlier entries, oldest first, and their form in a file.
///
/// The file has a line for each entry, in the format of libedit: a header, and octal escapes for
/// white space, control characters and backslashes.
package struct LineHistory: Equatable, Sendable {
  /// The number of entries that are kept.
  package static let limit = 2_000

  private static let header = "_HiStOrY_V2_"

  /// The entries, oldest first.
  package private(set) var entries: [String] = []

  package init() {}

  /// Adds an entry, unless it is empty or repeats the last one. The oldest one makes room.
  package mutating func append(_ entry: String) {
    guard !entry.isEmpty, entry != entries.last else { return }
    entries.append(entry)
    if entries.count > Self.limit { entries.removeFirst(entries.count - Self.limit) }
  }

  /// Creates the history in the text of a file; the header and empty lines are left
  /// out.
  package init(fileText: [UInt8]) {
    let lines = fileText.split(separator: UInt8(ascii: "\n"))
    for line in lines where !line.elementsEqual(Self.header.utf8) {
      append(Self.decoded(line))
    }
  }

  /// The text of the file.
  package var fileText: [UInt8] {
    var text = Array(Self.header.utf8) + [UInt8(ascii: "\n")]
    for entry in entries {
      for byte in entry.utf8 { Self.append(byte, to: &text) }
      text.append(UInt8(ascii: "\n"))
    }
    return text
  }

  private static func append(_ byte: UInt8, to text: inout [UInt8]) {
    guard byte <= 0x20 || byte == 0x7F || byte == UInt8(ascii: "\\") else {
      text.append(byte)
      return
    }
    text.append(UInt8(ascii: "\\"))
    for shift: UInt8 in [6, 3, 0] { text.append(UInt8(ascii: "0") + (byte >> shift) & 7) }
  }

  private static func decoded(_ line: ArraySlice<UInt8>) -> String {
    var bytes: [UInt8] = []
    var rest = line
    while let byte = rest.popFirst() {
      let digits = rest.prefix(3)
      if byte == UInt8(ascii: "\\"), digits.count == 3, digits.allSatisfy({ 0x30...0x37 ~= $0 }) {
        bytes.append(digits.reduce(0) { $0 << 3 | ($1 & 7) })
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
