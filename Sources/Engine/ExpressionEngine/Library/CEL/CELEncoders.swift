// Base64 (docs/spec/cel.md §20).

enum CELEncoders {
  static let definitions: [FunctionDefinition] = [
    .cel(
      "base64.encode", "octets as Base64 text",
      [
        .init("base64.encode(bytes) -> string", #"base64.encode(b"hello")"#, #""aGVsbG8=""#) {
          $0.bytes(Base64.encoded($1[0].byteBuffer), as: .string)
        }
      ]),
    .cel(
      "base64.decode", "the octets of Base64 text, whose padding may be missing",
      [
        .init("base64.decode(string) -> bytes", #"base64.decode("aGVsbG8")"#, #"b"hello""#) {
          machine, arguments in
          guard let octets = Base64.decoded(arguments[0].byteBuffer) else {
            return machine.fail(.invalidArgument, arguments[0])
          }
          return machine.bytes(octets, as: .bytes)
        }
      ]),
  ]
}

/// The standard alphabet of RFC 4648, with padding.
enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// Encodes octets.
  static func encoded(_ octets: UTF8Bytes) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity((octets.count &+ 2) / 3 &* 4)
    var index = 0
    while index < octets.count {
      let count = min(3, octets.count &- index)
      var group: UInt32 = 0
      for offset in 0..<3 {
        group = group << 8 | (offset < count ? UInt32(octets[index &+ offset]) : 0)
      }
      for place in 0..<4 {
        let digit = Int(group >> UInt32(18 &- 6 &* place)) & 63
        output.append(place <= count ? alphabet[digit] : UInt8(ascii: "="))
      }
      index &+= 3
    }
    return output
  }

  /// Decodes text. Returns `nil` for other characters, wrong padding or a single character left
  /// over.
  static func decoded(_ text: UTF8Bytes) -> [UInt8]? {
    var end = text.count
    while end > 0, text.count &- end < 2, text[end &- 1] == UInt8(ascii: "=") { end &-= 1 }
    // Padding fills the last group up to four characters, or is omitted.
    guard end == text.count || text.count % 4 == 0, end % 4 != 1 else { return nil }
    var output: [UInt8] = []
    output.reserveCapacity(end / 4 &* 3 &+ 2)
    var group: UInt32 = 0
    for index in 0..<end {
      guard let digit = value(of: text[index]) else { return nil }
      group = group << 6 | digit
      switch index % 4 {
      case 1: output.append(UInt8(truncatingIfNeeded: group >> 4))
      case 2: output.append(UInt8(truncatingIfNeeded: group >> 2))
      case 3: output.append(UInt8(truncatingIfNeeded: group))
      default: break
      }
    }
    return output
  }

  private static func value(of character: UInt8) -> UInt32? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character) &- 65
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character) &- 71
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character) &+ 4
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
