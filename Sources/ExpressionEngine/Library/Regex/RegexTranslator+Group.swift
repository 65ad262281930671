extension RegexTranslator {
  /// Translates `(`, with what a `?` behind it asks for.
  mutating func openGroup() throws(RegexError) {
    guard groups.count < limits.nesting else {
      throw RegexError(
        "more than \(limits.nesting) levels of nesting", kind: .tooLarge, offset: index, length: 1)
    }
    let source = index
    guard index &+ 1 < text.count, text[index &+ 1] == UInt8(ascii: "?") else {
      index &+= 1
      return open(source, captures: true, flags: flags)
    }
    try refuseExtensions()
    if hasPrefix("(?P<", at: index) || hasPrefix("(?<", at: index) {
      index &+= hasPrefix("(?P<", at: index) ? 4 : 3
      try groupName(source)
      return open(source, captures: true, flags: flags)
    }
    index &+= 2
    try flagGroup(source)
  }

  private mutating func open(_ source: Int, captures: Bool, flags inner: Flags) {
    groups.append(
      Group(outputStart: output.count, source: source, flags: flags, outerProduct: product))
    if captures { captureCount &+= 1 }
    if inner.contains(.ignoreCase) != flags.contains(.ignoreCase) {
      emit(inner.contains(.ignoreCase) ? "(?i:" : "(?-i:")
    } else {
      emit(captures && purpose == .backtracking ? "(" : "(?:")
    }
    flags = inner
    product = 1
    atom = nil
  }

  /// Translates `)`.
  mutating func closeGroup() throws(RegexError) {
    guard let group = groups.popLast() else {
      throw failure("unopened group", at: index, length: 1)
    }
    index &+= 1
    emit(")")
    flags = group.flags
    atom = Atom(outputStart: group.outputStart, product: product)
    product = max(product, group.outerProduct)
  }

  /// Groups of other regex languages, with the reason for refusing them.
  private static let extensions: [(opening: StaticString, message: StaticString)] = [
    ("(?=", "look-around, including look-ahead and look-behind, is not supported"),
    ("(?!", "look-around, including look-ahead and look-behind, is not supported"),
    ("(?<=", "look-around, including look-ahead and look-behind, is not supported"),
    ("(?<!", "look-around, including look-ahead and look-behind, is not supported"),
    ("(?>", "atomic groups are not supported"),
    ("(?|", "groups that reset the numbers of captures are not supported"),
    ("(?#", "comments in parentheses are not supported"),
    ("(?(", "conditional groups are not supported"),
    ("(?&", "recursion is not supported"),
    ("(?P>", "recursion is not supported"),
    ("(?P=", "backreferences are not supported"),
    ("(?'", "a group's name is written in angle brackets, as in (?P<name>…)"),
    ("(?C", "callouts are not supported"),
  ]

  private func refuseExtensions() throws(RegexError) {
    for (opening, message) in RegexTranslator.extensions where hasPrefix(opening, at: index) {
      throw failure("\(message)", at: index, length: opening.utf8CodeUnitCount)
    }
  }

  private mutating func groupName(_ source: Int) throws(RegexError) {
    let start = index
    while index < text.count, text[index] != UInt8(ascii: ">") {
      let position = index
      let scalar = try scalarAtIndex()
      guard isNamePart(scalar, isFirst: position == start) else {
        throw failure("invalid capture group character", at: position, length: index &- position)
      }
    }
    guard index < text.count else {
      throw failure("unclosed capture group name", at: start, length: index &- start)
    }
    guard index > start else { throw failure("empty capture group name", at: start, length: 1) }
    let name = String(decoding: text[start..<index], as: UTF8.self)
    guard groupNames[name] == nil else {
      throw failure("duplicate capture group name", at: start, length: index &- start)
    }
    groupNames[name] = captureCount &+ 1
    index &+= 1
  }

  private func isNamePart(_ scalar: UInt32, isFirst: Bool) -> Bool {
    switch scalar {
    case 0x41...0x5A, 0x61...0x7A, 0x5F: return true
    case 0x30...0x39: return !isFirst || flavor == .re2
    case 0x2E, 0x5B, 0x5D: return !isFirst && flavor == .rust
    case 0..<0x80: return false
    default:
      guard let value = Unicode.Scalar(scalar) else { return false }
      return value.properties.isAlphabetic || (!isFirst && value.properties.numericType != nil)
    }
  }

  /// Reads the flags behind `(?`, up to `)` or `:`.
  private mutating func flagGroup(_ source: Int) throws(RegexError) {
    var changed = flags
    var seen: Flags = []
    var isNegated = false
    var hasDanglingMinus = false
    while index < text.count {
      let byte = text[index]
      switch byte {
      case UInt8(ascii: ":"), UInt8(ascii: ")"):
        guard !hasDanglingMinus else {
          throw failure("dangling flag negation operator", at: index &- 1, length: 1)
        }
        if byte == UInt8(ascii: ":") {
          index &+= 1
          return open(source, captures: false, flags: changed)
        }
        guard index > source &+ 2 else {
          throw failure("repetition operator missing expression", at: source &+ 1, length: 1)
        }
        index &+= 1
        return switchFlags(to: changed)
      case UInt8(ascii: "-"):
        guard !isNegated else {
          throw failure("flag negation operator repeated", at: index, length: 1)
        }
        isNegated = true
        hasDanglingMinus = true
      default:
        guard let flag = flag(byte) else {
          let width = UTF8Text.decode(text, at: index).length
          throw failure("unrecognized flag", at: index, length: width)
        }
        guard seen.isDisjoint(with: flag) || flavor == .re2 else {
          throw failure("duplicate flag", at: index, length: 1)
        }
        seen.insert(flag)
        if isNegated { changed.remove(flag) } else { changed.insert(flag) }
        hasDanglingMinus = false
      }
      index &+= 1
    }
    throw failure("unclosed group", at: source, length: 1)
  }

  private func flag(_ byte: UInt8) -> Flags? {
    let letters = flavor.flagLetters
    let allowed = UTF8Bytes(start: letters.utf8Start, count: letters.utf8CodeUnitCount)
    guard allowed.contains(byte) else { return nil }
    switch byte {
    case UInt8(ascii: "i"): return .ignoreCase
    case UInt8(ascii: "m"): return .multiLine
    case UInt8(ascii: "s"): return .dotAll
    case UInt8(ascii: "U"): return .swapGreed
    case UInt8(ascii: "u"): return .unicode
    case UInt8(ascii: "x"): return .verbose
    case UInt8(ascii: "R"): return .crlf
    default: return nil
    }
  }

  private mutating func switchFlags(to changed: Flags) {
    if changed.contains(.ignoreCase) != flags.contains(.ignoreCase) {
      emit(changed.contains(.ignoreCase) ? "(?i)" : "(?-i)")
    }
    flags = changed
    atom = nil
  }
}
