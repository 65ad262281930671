extension RegexTranslator {
  /// What an escape means.
  enum Escape {
    case scalar(UInt32)
    case set(RegexClass)
    case assertion(StaticString)
    /// `\Q`; the text up to `\E` is quoted.
    case quote
  }

  /// Translates an escape outside a class.
  mutating func translateEscape() throws(RegexError) {
    switch try parseEscape() {
    case .scalar(let scalar): emitLiteral(scalar)
    case .set(let set): emitAtom(set)
    case .assertion(let bytes): emitAssertion(bytes)
    case .quote:
      while index < text.count, !hasPrefix("\\E", at: index) {
        let scalar = try scalarAtIndex()
        emitLiteral(scalar)
      }
      if index < text.count { index &+= 2 }
    }
  }

  /// Reads an escape, from its backslash on.
  mutating func parseEscape() throws(RegexError) -> Escape {
    let start = index
    index &+= 1
    guard index < text.count else {
      throw failure(
        "incomplete escape sequence, reached end of pattern prematurely", at: start, length: 1)
    }
    let byte = text[index]
    switch byte {
    case UInt8(ascii: "d"), UInt8(ascii: "s"), UInt8(ascii: "w"), UInt8(ascii: "D"),
      UInt8(ascii: "S"), UInt8(ascii: "W"):
      index &+= 1
      return .set(try perlClass(byte, at: start))
    case UInt8(ascii: "p"), UInt8(ascii: "P"): return .set(try property(start))
    case UInt8(ascii: "x"): return .scalar(try hexadecimal(digits: 2, start))
    case UInt8(ascii: "u") where flavor.hasLongEscapes:
      return .scalar(try hexadecimal(digits: 4, start))
    case UInt8(ascii: "U") where flavor.hasLongEscapes:
      return .scalar(try hexadecimal(digits: 8, start))
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return .scalar(try octal(start))
    case UInt8(ascii: "Q") where flavor.allowsQuoting:
      index &+= 1
      return .quote
    default: break
    }
    if let scalar = RegexTranslator.controls[byte] {
      index &+= 1
      return .scalar(scalar)
    }
    if let bytes = try assertion(byte, start) { return .assertion(bytes) }
    if isPunctuation(byte) {
      index &+= 1
      return .scalar(UInt32(byte))
    }
    let width = UTF8Text.decode(text, at: index).length
    throw failure("unrecognized escape sequence", at: start, length: width &+ 1)
  }

  private static let controls: [UInt8: UInt32] = [
    UInt8(ascii: "a"): 0x07, UInt8(ascii: "f"): 0x0C, UInt8(ascii: "t"): 0x09,
    UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "v"): 0x0B,
  ]

  private func isPunctuation(_ byte: UInt8) -> Bool {
    guard byte < 0x80, byte &- 0x30 >= 10, (byte | 0x20) &- 0x61 >= 26 else { return false }
    return flavor == .re2 || (byte != UInt8(ascii: "<") && byte != UInt8(ascii: ">"))
  }

  // MARK: Assertions

  private mutating func assertion(
    _ byte: UInt8, _ start: Int
  ) throws(RegexError) -> StaticString? {
    let isUnicode = flags.contains(.unicode)
    index &+= 1
    switch byte {
    case UInt8(ascii: "A"): return "\\A"
    case UInt8(ascii: "z"): return "\\z"
    case UInt8(ascii: "B"):
      return isUnicode ? RegexTranslator.unicodeBoundaries.none : "\\B"
    case UInt8(ascii: "b"):
      if flavor.hasLongEscapes, let named = try namedBoundary(start) { return named }
      return isUnicode ? RegexTranslator.unicodeBoundaries.any : "\\b"
    case UInt8(ascii: "<") where flavor.hasLongEscapes: return boundary("start")
    case UInt8(ascii: ">") where flavor.hasLongEscapes: return boundary("end")
    default:
      index &-= 1
      return nil
    }
  }

  /// Reads the `{start}` of `\b{start}`; `nil` where a brace starts a repetition or is missing.
  private mutating func namedBoundary(_ start: Int) throws(RegexError) -> StaticString? {
    guard index &+ 1 < text.count, text[index] == UInt8(ascii: "{"),
      (text[index &+ 1] | 0x20) &- 0x61 < 26
    else { return nil }
    var end = index &+ 1
    while end < text.count, text[end] != UInt8(ascii: "}") { end &+= 1 }
    let name = String(decoding: text[index &+ 1..<end], as: UTF8.self)
    guard end < text.count, let found = boundary(name) else {
      throw failure(
        "special word boundary assertion is unclosed or has an unrecognized name", at: start,
        length: min(end &+ 1, text.count) &- start)
    }
    index = end &+ 1
    return found
  }

  private func boundary(_ name: String) -> StaticString? {
    let isUnicode = flags.contains(.unicode)
    let unicode = RegexTranslator.unicodeBoundaries
    switch name {
    case "start": return isUnicode ? unicode.start : "(?:(?<!\\w)(?=\\w))"
    case "end": return isUnicode ? unicode.end : "(?:(?<=\\w)(?!\\w))"
    case "start-half": return isUnicode ? unicode.startHalf : "(?<!\\w)"
    case "end-half": return isUnicode ? unicode.endHalf : "(?!\\w)"
    default: return nil
    }
  }

  /// The word characters of Unicode (UTS #18, annex C), ASCII first because a bit map answers for it.
  private static let unicodeWord: StaticString =
    "0-9A-Za-z_\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}"

  // Written out, because a static text cannot be put together from parts; W is `unicodeWord`.
  private static let unicodeBoundaries:
    (
      any: StaticString, none: StaticString, start: StaticString, end: StaticString,
      startHalf: StaticString, endHalf: StaticString
    ) = (
      any: """
      (?:(?<=[0-9A-Za-z_\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}])\
      (?![0-9A-Za-z_\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}])|\
      (?<![0-9A-Za-z_\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}])\
      (?=[0-9A-Za-z_\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}]))
      """,
      none: """
      (?:(?<=[0-9A-Za-z_\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}])\
      (?=[0-9A-Za-z_\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}])|\
      (?<![0-9A-Za-z_\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}])\
      (?![0-9A-Za-z_\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}]))
      """,
      start: """
      (?:(?<![0-9A-Za-z_\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}])\
      (?=[0-9A-Za-z_\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}]))
      """,
      end: """
      (?:(?<=[0-9A-Za-z_\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}])\
      (?![0-9A-Za-z_\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}]))
      """,
      startHalf: "(?<![0-9A-Za-z_\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}])",
      endHalf: "(?![0-9A-Za-z_\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}])"
    )

  // MARK: Sets

  private func perlClass(_ letter: UInt8, at start: Int) throws(RegexError) -> RegexClass {
    let isNegated = letter & 0x20 == 0
    let kind = letter | 0x20
    guard flags.contains(.unicode) else {
      if isNegated { try requireUnicode(length: 2) }
      if kind == UInt8(ascii: "s") {
        let ranges: [ClosedRange<UInt32>] =
          flavor == .re2
          ? [0x09...0x0A, 0x0C...0x0D, 0x20...0x20] : [0x09...0x0D, 0x20...0x20]
        return .items(isNegated ? RegexClass.complementItems(ranges) : RegexClass.items(ranges))
      }
      return .items([UInt8(ascii: "\\"), letter])
    }
    switch kind {
    case UInt8(ascii: "d"): return .items(Array(isNegated ? "\\P{Nd}".utf8 : "0-9\\p{Nd}".utf8))
    case UInt8(ascii: "s"):
      return .items(
        Array(isNegated ? "\\P{White_Space}".utf8 : "\\x{9}-\\x{d}\\ \\p{White_Space}".utf8))
    default:
      let word = RegexTranslator.unicodeWord
      let body = Array(UTF8Bytes(start: word.utf8Start, count: word.utf8CodeUnitCount))
      return isNegated ? .complement(.items(body)) : .items(body)
    }
  }

  /// Reads `\pL`, `\p{Greek}`, `\P{…}` or `\p{^…}`.
  private mutating func property(_ start: Int) throws(RegexError) -> RegexClass {
    var isNegated = text[index] == UInt8(ascii: "P")
    index &+= 1
    guard index < text.count else {
      throw failure(
        "incomplete escape sequence, reached end of pattern prematurely", at: start,
        length: index &- start)
    }
    let name: String
    if text[index] == UInt8(ascii: "{") {
      index &+= 1
      if index < text.count, text[index] == UInt8(ascii: "^"), flavor == .re2 {
        isNegated.toggle()
        index &+= 1
      }
      let nameStart = index
      while index < text.count, text[index] != UInt8(ascii: "}") { index &+= 1 }
      guard index < text.count else {
        throw failure("the name of a property lacks its }", at: start, length: index &- start)
      }
      name = String(decoding: text[nameStart..<index], as: UTF8.self)
      index &+= 1
    } else {
      let nameStart = index
      _ = try scalarAtIndex()
      name = String(decoding: text[nameStart..<index], as: UTF8.self)
    }
    if isNegated { try requireUnicode(length: index &- start) }
    guard
      let items = RegexProperty.items(
        named: name, flavor: flavor, isNegated: isNegated,
        ignoresCase: flags.contains(.ignoreCase))
    else {
      throw failure("there is no Unicode property of this name", at: start, length: index &- start)
    }
    properties.append((output.count, start..<index))
    return items
  }

  // MARK: Numbers

  /// Reads the digits behind `\x`, `\u` or `\U`: a fixed number, or any number in braces.
  private mutating func hexadecimal(digits: Int, _ start: Int) throws(RegexError) -> UInt32 {
    index &+= 1
    let isBraced = index < text.count && text[index] == UInt8(ascii: "{")
    if isBraced { index &+= 1 }
    var value: UInt32 = 0
    var count = 0
    while index < text.count, isBraced || count < digits {
      guard let digit = hexadecimalDigit(text[index]) else { break }
      value = min(value << 4 | digit, 0x0FFF_FFFF)
      count &+= 1
      index &+= 1
    }
    let isComplete =
      isBraced
      ? count > 0 && index < text.count && text[index] == UInt8(ascii: "}") : count == digits
    guard isComplete else {
      throw failure(
        "invalid hexadecimal number", at: start,
        length: index &- start &+ (index < text.count ? 1 : 0))
    }
    if isBraced { index &+= 1 }
    guard Unicode.Scalar(value) != nil else {
      throw failure(
        "hexadecimal literal is not a Unicode scalar value", at: start, length: index &- start)
    }
    return value
  }

  private func hexadecimalDigit(_ byte: UInt8) -> UInt32? {
    if byte &- 0x30 < 10 { return UInt32(byte &- 0x30) }
    let letter = (byte | 0x20) &- 0x61
    return letter < 6 ? UInt32(letter) &+ 10 : nil
  }

  /// Reads an octal number of up to three digits. One digit alone, but for 0, refers back to a group.
  private mutating func octal(_ start: Int) throws(RegexError) -> UInt32 {
    func digit(_ position: Int) -> UInt32? {
      guard position < text.count, text[position] &- 0x30 < 8 else { return nil }
      return UInt32(text[position] &- 0x30)
    }
    guard flavor.allowsOctal, let first = digit(index), first == 0 || digit(index &+ 1) != nil
    else { throw failure("backreferences are not supported", at: start, length: 2) }
    var value = first
    index &+= 1
    for _ in 0..<2 {
      guard let next = digit(index) else { break }
      value = value << 3 | next
      index &+= 1
    }
    return value
  }
}
