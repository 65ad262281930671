import ExpressionEngine

extension ConstantReader {
  /// Reads `5`, `-5`, `0x1F`, `5u`, `1.5`, `.5` or `1e3`.
  mutating func readNumber() throws(Failure) -> Value {
    let start = position
    let isNegative = skip("-")
    if peek() == UInt8(ascii: "0"), let mark = peek(after: 1), mark | 0x20 == UInt8(ascii: "x") {
      position += 2
      return try readInteger(radix: 16, isNegative: isNegative, from: start)
    }
    let digits = position
    while let byte = peek(), byte.isDigit { position += 1 }
    var isDouble = false
    if peek() == UInt8(ascii: "."), let next = peek(after: 1), next.isDigit {
      isDouble = true
      position += 1
      while let byte = peek(), byte.isDigit { position += 1 }
    }
    if let mark = peek(), mark | 0x20 == UInt8(ascii: "e"), position > digits {
      isDouble = true
      position += 1
      if peek() == UInt8(ascii: "+") || peek() == UInt8(ascii: "-") { position += 1 }
      while let byte = peek(), byte.isDigit { position += 1 }
    }
    guard isDouble else {
      position = digits
      return try readInteger(radix: 10, isNegative: isNegative, from: start)
    }
    var text = String(decoding: bytes[digits..<position], as: UTF8.self)
    if text.hasPrefix(".") { text = "0" + text }
    guard let number = Double(text), number.isFinite else {
      throw Failure(message: "`\(text)` is not a number that a double can hold", offset: start)
    }
    return .double(isNegative ? -number : number)
  }

  private mutating func readInteger(
    radix: Int, isNegative: Bool, from start: Int
  ) throws(Failure) -> Value {
    let first = position
    while let byte = peek(), radix == 16 ? byte.hexValue != nil : byte.isDigit { position += 1 }
    let text = String(decoding: bytes[first..<position], as: UTF8.self)
    let isUnsigned = skip("u") || skip("U")
    guard let magnitude = UInt64(text, radix: radix) else {
      throw Failure(
        message: text.isEmpty ? "expected a digit" : "`\(text)` does not fit 64 bits",
        offset: start)
    }
    if isUnsigned {
      guard !isNegative else { throw Failure(message: "a uint has no sign", offset: start) }
      return .uint(magnitude)
    }
    if isNegative, magnitude <= UInt64(1) << 63 {
      return .int(Int64(truncatingIfNeeded: 0 &- magnitude))
    }
    guard !isNegative, let number = Int64(exactly: magnitude) else {
      throw Failure(
        message: "`\(text)` does not fit an int; a uint is written `\(text)u`", offset: start)
    }
    return .int(number)
  }

  /// Reads a quoted text with escapes, those of JSON (surrogate pairs, `\/`) included.
  mutating func readText() throws(Failure) -> String {
    let start = position
    var octets: [UInt8] = []
    try readQuoted { (reader: inout ConstantReader) throws(Failure) in
      var scalar = try reader.readEscape()
      if scalar & 0xFC00 == 0xD800, reader.peek() == UInt8(ascii: "\\"),
        reader.peek(after: 1) == UInt8(ascii: "u")
      {
        reader.position += 1
        let low = try reader.readEscape()
        if low & 0xFC00 == 0xDC00 {
          scalar = 0x10000 + (scalar & 0x3FF) << 10 + low & 0x3FF
        }
      }
      guard let scalar = Unicode.Scalar(scalar) else {
        throw reader.failure("this escape is not a character")
      }
      octets.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    } plain: {
      octets.append($0)
    }
    guard let text = TextFile.text(octets) else {
      throw Failure(message: "the text is not valid UTF-8", offset: start)
    }
    return text
  }

  /// Reads a quoted text in which backslashes are ordinary characters.
  mutating func readRawText() throws(Failure) -> String {
    String(decoding: try readRawOctets(), as: UTF8.self)
  }

  /// Reads the quoted octets of a bytes literal.
  mutating func readOctets(isRaw: Bool) throws(Failure) -> [UInt8] {
    if isRaw { return try readRawOctets() }
    var octets: [UInt8] = []
    try readQuoted { (reader: inout ConstantReader) throws(Failure) in
      let escape = reader.peek()
      guard escape != UInt8(ascii: "u"), escape != UInt8(ascii: "U") else {
        throw reader.failure("a bytes literal has no `\\u` escapes")
      }
      octets.append(UInt8(truncatingIfNeeded: try reader.readEscape()))
    } plain: {
      octets.append($0)
    }
    return octets
  }

  private mutating func readRawOctets() throws(Failure) -> [UInt8] {
    guard let quote = peek() else { throw failure("expected a quote") }
    position += 1
    let start = position
    while let byte = peek(), byte != quote { position += 1 }
    let octets = Array(bytes[start..<position])
    guard peek() != nil else { throw failure("the text is not closed") }
    position += 1
    return octets
  }

  /// Reads from an opening to its closing quote. `escape` is called after a backslash.
  private mutating func readQuoted(
    escape: (inout ConstantReader) throws(Failure) -> Void, plain: (UInt8) -> Void
  ) throws(Failure) {
    guard let quote = peek(), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      throw failure("expected a text in quotes, found \(characterPhrase)")
    }
    let start = position
    position += 1
    while let byte = peek() {
      position += 1
      if byte == quote { return }
      if byte == UInt8(ascii: "\\") {
        try escape(&self)
      } else if byte == UInt8(ascii: "\n") {
        break
      } else {
        plain(byte)
      }
    }
    throw Failure(message: "the text is not closed", offset: start)
  }

  /// Reads what follows a backslash, and returns the code point or octet.
  private mutating func readEscape() throws(Failure) -> UInt32 {
    guard let byte = peek() else { throw failure("expected an escape") }
    position += 1
    switch byte {
    case UInt8(ascii: "a"): return 7
    case UInt8(ascii: "b"): return 8
    case UInt8(ascii: "t"): return 9
    case UInt8(ascii: "n"): return 10
    case UInt8(ascii: "v"): return 11
    case UInt8(ascii: "f"): return 12
    case UInt8(ascii: "r"): return 13
    case UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"),
      UInt8(ascii: "?"), UInt8(ascii: "/"):
      return UInt32(byte)
    case UInt8(ascii: "x"), UInt8(ascii: "X"): return try readHex(digits: 2)
    case UInt8(ascii: "u"): return try readHex(digits: 4)
    case UInt8(ascii: "U"): return try readHex(digits: 8)
    case UInt8(ascii: "0")...UInt8(ascii: "3"):
      var value = UInt32(byte - 0x30)
      for _ in 0..<2 {
        guard let digit = peek(), digit >= 0x30, digit <= 0x37 else {
          throw failure("an octal escape has three digits")
        }
        value = value << 3 + UInt32(digit - 0x30)
        position += 1
      }
      return value
    default:
      position -= 1
      throw failure("unknown escape \(characterPhrase)")
    }
  }

  private mutating func readHex(digits: Int) throws(Failure) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<digits {
      guard let digit = peek()?.hexValue else {
        throw failure("this escape has \(digits) hexadecimal digits")
      }
      value = value << 4 | digit
      position += 1
    }
    return value
  }
}

extension NetworkValue {
  /// Reads a canonical address or block: dotted IPv4, or IPv6 without an IPv4 tail.
  init?(text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let octets = Self.octets(parts[0]) else { return nil }
    guard parts.count == 2 else {
      self.init(octets: octets)
      return
    }
    guard let length = UInt8(parts[1]), Int(length) <= octets.count * 8 else { return nil }
    self.init(octets: octets, prefixLength: length)
  }

  private static func octets(_ text: Substring) -> [UInt8]? {
    if !text.contains(":") {
      let octets = text.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
      return octets.count == 4 && !octets.contains(nil) ? octets.compactMap { $0 } : nil
    }
    var halves: [[UInt8]] = []
    var rest = text
    var hasGap = false
    if let gap = text.firstRange(ofText: "::") {
      hasGap = true
      guard let first = groups(text[..<gap.lowerBound]) else { return nil }
      halves.append(first)
      rest = text[gap.upperBound...]
    }
    guard let last = groups(rest) else { return nil }
    halves.append(last)
    let count = halves.reduce(0) { $0 + $1.count }
    guard hasGap ? count <= 14 : count == 16 else { return nil }
    return hasGap ? halves[0] + [UInt8](repeating: 0, count: 16 - count) + halves[1] : halves[0]
  }

  private static func groups(_ text: Substring) -> [UInt8]? {
    if text.isEmpty { return [] }
    var octets: [UInt8] = []
    for group in text.split(separator: ":", omittingEmptySubsequences: false) {
      guard (1...4).contains(group.utf8.count), let word = UInt16(group, radix: 16) else {
        return nil
      }
      octets += [UInt8(word >> 8), UInt8(word & 0xFF)]
    }
    return octets
  }
}
