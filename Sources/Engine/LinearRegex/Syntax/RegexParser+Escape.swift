extension RegexParser {
  /// The meaning of an escape.
  enum Escape {
    case scalar(UInt32)
    /// `\xFF`, which is a byte where `(?-u)` has switched Unicode off.
    case byte(UInt32)
    case set(ScalarSet)
    case assertion(Assertion)
    /// `\Q`; the text up to `\E` is quoted.
    case quote
  }

  /// Reads an escape outside a class.
  mutating func parseEscapedItem() throws(RegexPatternError) {
    let start = index
    switch try parseEscape() {
    case .scalar(let scalar): append(Item(node: literal(scalar), start: start))
    case .byte(let value):
      if value >= 0x80 { requireUnicode(start..<index) }
      append(Item(node: literal(value), start: start))
    case .set(let set): append(Item(node: .set(set), start: start))
    case .assertion(let assertion):
      append(Item(node: .assertion(assertion), start: start))
    case .quote:
      while let scalar, !hasPrefix("\\E", at: index) {
        let position = index
        advance()
        append(Item(node: literal(scalar), start: position))
      }
      if !isAtEnd { index &+= 2 }
    }
  }

  /// Reads an escape, from its backslash on.
  mutating func parseEscape() throws(RegexPatternError) -> Escape {
    let start = index
    guard advance(), let scalar else {
      throw RegexPatternError(.escapeUnclosed, start..<index)
    }
    guard scalar < 0x80 else {
      throw RegexPatternError(.escapeUnrecognized, start..<nextIndex)
    }
    let byte = UInt8(scalar)
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return .scalar(try parseOctal(start))
    case UInt8(ascii: "x"): return try parseHexadecimal(2)
    case UInt8(ascii: "u") where syntax.hasLongEscapes: return try parseHexadecimal(4)
    case UInt8(ascii: "U") where syntax.hasLongEscapes: return try parseHexadecimal(8)
    case UInt8(ascii: "p"), UInt8(ascii: "P"): return .set(try parseProperty(start))
    case UInt8(ascii: "d"), UInt8(ascii: "s"), UInt8(ascii: "w"), UInt8(ascii: "D"),
      UInt8(ascii: "S"), UInt8(ascii: "W"):
      advance()
      return .set(perlClass(byte, start))
    case UInt8(ascii: "Q") where syntax.allowsQuoting:
      advance()
      return .quote
    default: break
    }
    advance()
    if let control = Self.control(byte) { return .scalar(control) }
    if let assertion = try parseAssertion(byte, start) { return .assertion(assertion) }
    let isAlphanumeric = byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26
    guard !isAlphanumeric, syntax == .re2 || byte != 0x3C && byte != 0x3E else {
      throw RegexPatternError(.escapeUnrecognized, start..<index)
    }
    return .scalar(scalar)
  }

  private static func control(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "a"): 0x07
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "t"): 0x09
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "v"): 0x0B
    default: nil
    }
  }

  // MARK: Assertions

  private mutating func parseAssertion(
    _ byte: UInt8, _ start: Int
  ) throws(RegexPatternError) -> Assertion? {
    let assertion: Assertion
    switch byte {
    case UInt8(ascii: "A"): assertion = .textStart
    case UInt8(ascii: "z"): assertion = .textEnd
    case UInt8(ascii: "B"): assertion = .notWordBoundary
    case UInt8(ascii: "b"): assertion = try parseNamedBoundary(start) ?? .wordBoundary
    case UInt8(ascii: "<") where syntax.hasLongEscapes: assertion = .wordStart
    case UInt8(ascii: ">") where syntax.hasLongEscapes: assertion = .wordEnd
    default: return nil
    }
    return flags.contains(.unicode) ? assertion : assertion.ascii
  }

  /// Reads the `{start}` of `\b{start}`; `nil` where a brace starts a repetition or is missing.
  private mutating func parseNamedBoundary(_ start: Int) throws(RegexPatternError) -> Assertion? {
    guard syntax.hasLongEscapes, isAt(UInt8(ascii: "{")) else { return nil }
    let brace = index
    guard advanceToContent() else {
      throw RegexPatternError(.boundaryOrRepetitionUnclosed, start..<index)
    }
    let content = index
    var name: [UInt8] = []
    while index < bytes.count, bytes[index] == 0x2D || (bytes[index] | 0x20) &- 0x61 < 26 {
      name.append(bytes[index])
      advanceToContent()
    }
    guard !name.isEmpty else {
      index = brace
      return nil
    }
    guard isAt(UInt8(ascii: "}")) else {
      throw RegexPatternError(.boundaryUnclosed, brace..<index)
    }
    let end = index
    advance()
    if name.elementsEqual("start".utf8) { return .wordStart }
    if name.elementsEqual("end".utf8) { return .wordEnd }
    if name.elementsEqual("start-half".utf8) { return .wordStartHalf }
    if name.elementsEqual("end-half".utf8) { return .wordEndHalf }
    throw RegexPatternError(.boundaryUnrecognized, content..<end)
  }

  // MARK: Sets

  private mutating func perlClass(_ letter: UInt8, _ start: Int) -> ScalarSet {
    let set = perlSet(letter | 0x20)
    guard letter & 0x20 == 0 else { return set }
    requireUnicode(start..<index)
    return set.complement
  }

  /// Reads `\pL`, `\p{Greek}`, `\P{…}` or `\p{name=value}`.
  private mutating func parseProperty(_ start: Int) throws(RegexPatternError) -> ScalarSet {
    var isNegated = isAt(UInt8(ascii: "P"))
    guard advanceToContent(), let first = scalar else {
      throw RegexPatternError(.escapeUnclosed, start..<index)
    }
    var name: [UInt8] = []
    if first == 0x7B {
      while advanceToContent(), !isAt(UInt8(ascii: "}")) {
        name.append(contentsOf: bytes[index..<nextIndex])
      }
      guard !isAtEnd else { throw RegexPatternError(.escapeUnclosed, start..<index) }
      advance()
    } else {
      guard first != 0x5C else {
        throw RegexPatternError(.propertyInvalid, index..<index &+ 1)
      }
      name = Array(bytes[index..<nextIndex])
      advanceToContent()
    }
    let range = start..<index
    if syntax == .re2, name.first == UInt8(ascii: "^") {
      isNegated.toggle()
      name.removeFirst()
    }
    if syntax == .rust, !flags.contains(.unicode) {
      postpone(.unicodeNotAllowed, range)
      return ScalarSet()
    }
    do throws(UnicodeProperty.Problem) {
      var set = try syntax == .re2 ? Self.categoryOrScript(name) : Self.property(name)
      if flags.contains(.ignoreCase) { set = folding.close(set) }
      return isNegated ? set.complement : set
    } catch {
      postpone(error == .unknownName ? .propertyUnknown : .propertyValueUnknown, range)
      return ScalarSet()
    }
  }

  /// The set of a property of Rust's syntax. The `!` of `name!=value` changes nothing in `regex`
  /// 1.12.
  private static func property(_ name: [UInt8]) throws(UnicodeProperty.Problem) -> ScalarSet {
    var equals: Int?
    var colon: Int?
    for (index, byte) in name.enumerated() {
      if byte == 0x21, index &+ 1 < name.count, name[index &+ 1] == 0x3D {
        return try UnicodeProperty.set(
          named: Array(name[..<index]), value: Array(name[(index &+ 2)...]))
      }
      if byte == 0x3D, equals == nil { equals = index }
      if byte == 0x3A, colon == nil { colon = index }
    }
    guard let separator = colon ?? equals else { return try UnicodeProperty.set(named: name) }
    return try UnicodeProperty.set(
      named: Array(name[..<separator]), value: Array(name[(separator &+ 1)...]))
  }

  /// The set of a property of RE2: a category by its short name, or a script; case counts.
  private static func categoryOrScript(
    _ name: [UInt8]
  ) throws(UnicodeProperty.Problem) -> ScalarSet {
    guard let first = name.first, first &- 0x41 < 26 else { throw .unknownName }
    if name.elementsEqual("Any".utf8) { return .all }
    // The surrogates, of which no text has any.
    if name.elementsEqual("Cs".utf8) { return ScalarSet() }
    guard name.count > 2 || name.count == 1 || name[1] &- 0x61 < 26 else { throw .unknownName }
    let table = name.count <= 2 ? UnicodeTables.categoryNames : UnicodeTables.scriptNames
    guard let number = UnicodeTables.find(UnicodeProperty.normalized(name), in: table) else {
      throw .unknownName
    }
    return UnicodeTables.set(number)
  }

  // MARK: Numbers

  /// Reads the digits after `\x`, `\u` or `\U`: a fixed number, or any number in braces.
  private mutating func parseHexadecimal(_ count: Int) throws(RegexPatternError) -> Escape {
    guard advanceToContent() else { throw RegexPatternError(.escapeUnclosed, index..<index) }
    let isBraced = isAt(UInt8(ascii: "{"))
    let open = index
    var value: UInt64 = 0
    var digits = 0
    if isBraced { advanceToContent() }
    while isBraced ? !isAt(UInt8(ascii: "}")) : digits < count {
      guard !isAtEnd else {
        throw RegexPatternError(.escapeUnclosed, (isBraced ? open : index)..<index)
      }
      guard let digit = hexadecimalDigit(bytes[index]) else {
        throw RegexPatternError(.hexadecimalDigit, index..<nextIndex)
      }
      value = min(value << 4 | UInt64(digit), 1 << 40)
      digits &+= 1
      advanceToContent()
    }
    let end = index
    if isBraced { advanceToContent() }
    guard digits > 0 else { throw RegexPatternError(.hexadecimalEmpty, open..<index) }
    guard value < 0x11_0000, !(0xD800...0xDFFF).contains(value) else {
      throw RegexPatternError(.hexadecimalInvalid, (isBraced ? open &+ 1 : open)..<end)
    }
    return !isBraced && count == 2 ? .byte(UInt32(value)) : .scalar(UInt32(value))
  }

  private func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
    if byte &- 0x30 < 10 { return byte &- 0x30 }
    let letter = (byte | 0x20) &- 0x61
    return letter < 6 ? letter &+ 10 : nil
  }

  /// Reads an octal number of up to three digits. One digit alone, but for 0, refers back to a
  /// group.
  private mutating func parseOctal(_ start: Int) throws(RegexPatternError) -> UInt32 {
    func digit(_ position: Int) -> UInt32? {
      guard position < bytes.count, bytes[position] &- 0x30 < 8 else { return nil }
      return UInt32(bytes[position] &- 0x30)
    }
    guard syntax.allowsOctal, let first = digit(index), first == 0 || digit(index &+ 1) != nil
    else { throw RegexPatternError(.backreference, start..<nextIndex) }
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
