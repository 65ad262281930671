/// The numbers that the superscript dialect sees in string literals (docs/spec/superscript.md §5).
enum NumericText {
  /// Reads a text as an int, otherwise as a uint, otherwise as a double. Returns `nil` if it is not
  /// a number.
  static func number(_ text: UTF8Bytes) -> Slot? {
    // Most literals are words: one look at the first byte saves three attempts.
    guard let first = text.first else { return nil }
    switch first {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "."), UInt8(ascii: "i"), UInt8(ascii: "I"), UInt8(ascii: "n"),
      UInt8(ascii: "N"):
      break
    default: return nil
    }
    if let int = try? IntegerText.parseInt(text) { return .int(int) }
    if let uint = try? IntegerText.parseUInt(text, allowsPlus: true) { return .uint(uint) }
    return (try? DoubleText.parseSuperscript(text)).map { .double($0) }
  }
}
