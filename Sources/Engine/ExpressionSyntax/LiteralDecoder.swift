/// Decodes the text between the quotes of a string or bytes literal.
///
/// The dialect's ``Dialect/LexicalRules`` define the escapes and their meaning (superscript section
/// 12, cel section 1.2).
struct LiteralDecoder {
  /// The reason why an escape is not valid.
  enum Problem: Equatable {
    /// No escape starts with this character.
    case unknown
    /// Too few digits follow.
    case tooFewDigits(needed: Int, octal: Bool)
    /// The number is a surrogate or greater than U+10FFFF.
    case notACharacter
    /// The escape exists in strings only.
    case notInBytes
  }

  /// A bad escape with its place.
  struct Finding: Equatable {
    var span: SourceSpan
    var problem: Problem
  }

  /// The whole source, of which only the content is read.
  let bytes: UnsafeBufferPointer<UInt8>
  /// Whether the literal is a bytes literal.
  let isBytes: Bool
  /// The flags of the literal's node, which tell how it was written.
  let flags: SyntaxNode.Flags
  /// The dialect's rules.
  let rules: Dialect.LexicalRules
  /// The decoded content.
  private(set) var output: [UInt8] = []
  /// The bad escapes, in source order; they add nothing to the output.
  private(set) var findings: [Finding] = []

  private var index: Int
  private let end: Int

  /// Creates a decoder of `content`, which must lie inside `bytes`.
  init(
    bytes: UnsafeBufferPointer<UInt8>, content: SourceSpan, isBytes: Bool, flags: SyntaxNode.Flags,
    rules: Dialect.LexicalRules
  ) {
    self.bytes = bytes
    self.isBytes = isBytes
    self.flags = flags
    self.rules = rules
    self.index = min(Int(content.start), bytes.count)
    self.end = min(Int(content.end), bytes.count)
  }

  private var quote: UInt8 { UInt8(ascii: flags.contains(.singleQuoted) ? "'" : "\"") }

  /// Decodes the content up to its end.
  mutating func decode() {
    output.reserveCapacity(end &- index)
    while index < end {
      let byte = bytes[index]
      if byte == 0x5C {
        if flags.contains(.raw) { rawBackslash() } else { escape() }
      } else if byte == 0x0D, rules.contains(.normalizesLineBreaks) {
        output.append(0x0A)
        index &+= index &+ 1 < end && bytes[index &+ 1] == 0x0A ? 2 : 1
      } else {
        output.append(byte)
        index &+= 1
      }
    }
  }

  /// Decodes a backslash in a raw literal: it is kept, unless it protects the literal's own quote.
  private mutating func rawBackslash() {
    guard rules.contains(.rawQuotesCanBeEscaped), index &+ 1 < end else {
      output.append(0x5C)
      index &+= 1
      return
    }
    let next = bytes[index &+ 1]
    if next != quote { output.append(0x5C) }
    output.append(next)
    index &+= 2
  }

  /// Decodes an escape sequence.
  private mutating func escape() {
    guard index &+ 1 < end else { return report(.unknown, length: 1) }
    let letter = bytes[index &+ 1]
    if letter == UInt8(ascii: "x")
      || (letter == UInt8(ascii: "X") && rules.contains(.upperCaseHexEscape))
    {
      return numeric(digits: 2, radix: 16, prefix: 2)
    }
    if letter >= UInt8(ascii: "0"), letter <= UInt8(ascii: "3") {
      return numeric(digits: 3, radix: 8, prefix: 1)
    }
    if letter == UInt8(ascii: "u") || letter == UInt8(ascii: "U") {
      if isBytes { return report(.notInBytes, length: 2) }
      return numeric(digits: letter == UInt8(ascii: "u") ? 4 : 8, radix: 16, prefix: 2)
    }
    guard let value = Self.letterValue(letter) else { return report(.unknown, length: nil) }
    if isBytes, !rules.contains(.letterEscapesInBytes) { return report(.notInBytes, length: 2) }
    if rules.contains(.otherQuoteKeepsBackslash), letter != quote,
      letter == UInt8(ascii: "'") || letter == UInt8(ascii: "\"")
    {
      output.append(0x5C)
    }
    output.append(value)
    index &+= 2
  }

  /// Returns the character that a one-letter escape means, or `nil` if there is no such escape.
  private static func letterValue(_ letter: UInt8) -> UInt8? {
    switch letter {
    case UInt8(ascii: "\\"), UInt8(ascii: "?"), UInt8(ascii: "\""), UInt8(ascii: "'"),
      UInt8(ascii: "`"):
      letter
    case UInt8(ascii: "a"): 0x07
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "t"): 0x09
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "v"): 0x0B
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "r"): 0x0D
    default: nil
    }
  }

  /// Decodes `\xHH`, `\ooo`, `\uHHHH` or `\UHHHHHHHH`, whose digits start `prefix` bytes after the
  /// backslash.
  private mutating func numeric(digits: Int, radix: UInt32, prefix: Int) {
    var value: UInt32 = 0
    var cursor = index &+ prefix
    let stop = cursor &+ digits
    while cursor < min(stop, end), let digit = Self.digitValue(bytes[cursor]), digit < radix {
      // Eight hexadecimal digits fit 32 bits exactly.
      value = value &* radix | digit
      cursor &+= 1
    }
    guard cursor == stop else {
      return report(
        .tooFewDigits(needed: digits, octal: radix == 8), length: cursor &- index)
    }
    if isBytes {
      output.append(UInt8(truncatingIfNeeded: value))
    } else {
      guard let scalar = Unicode.Scalar(value) else {
        return report(.notACharacter, length: cursor &- index)
      }
      output.append(contentsOf: UTF8.encode(scalar).unsafelyUnwrapped)
    }
    index = cursor
  }

  private static func digitValue(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte &- UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte &- UInt8(ascii: "a")) &+ 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte &- UInt8(ascii: "A")) &+ 10
    default: nil
    }
  }

  /// Records a bad escape of `length` bytes (`nil`: the backslash and one character) and skips it.
  private mutating func report(_ problem: Problem, length: Int?) {
    var size = length ?? 2
    if length == nil {
      // The character may be longer than one byte.
      while index &+ size < end, bytes[index &+ size] & 0xC0 == 0x80 { size &+= 1 }
    }
    findings.append(
      Finding(
        span: SourceSpan(
          start: UInt32(truncatingIfNeeded: index), length: UInt32(truncatingIfNeeded: size)),
        problem: problem))
    index &+= size
  }
}
