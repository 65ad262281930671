extension RegexParser {
  /// Reads `(`, with the form that a `?` after it selects.
  mutating func openGroup() throws(RegexPatternError) {
    let start = index
    guard frames.count <= Self.maximumHeight else {
      throw RegexPatternError(.nestedTooDeep, start..<start &+ 1)
    }
    try refuseExtensions()
    advance()
    skipSpace()
    if hasPrefix("?P<", at: index) || hasPrefix("?<", at: index) {
      index &+= hasPrefix("?P<", at: index) ? 3 : 2
      captureCount &+= 1
      try parseGroupName()
      return open(start, end: start &+ 1, capture: captureCount, flags: flags)
    }
    guard isAt(UInt8(ascii: "?")) else {
      captureCount &+= 1
      return open(start, end: start &+ 1, capture: captureCount, flags: flags)
    }
    let question = index
    advance()
    guard !isAtEnd else { throw RegexPatternError(.groupUnclosed, start..<start &+ 1) }
    let (changed, hasFlags) = try parseFlags()
    let isGroup = isAt(UInt8(ascii: ":"))
    advance()
    if isGroup { return open(start, end: start &+ 1, capture: nil, flags: changed) }
    guard hasFlags else {
      throw RegexPatternError(.repetitionMissing, question..<question &+ 1)
    }
    flags = changed
    append(Item(node: .empty, start: start, isFlags: true))
  }

  private mutating func open(_ start: Int, end: Int, capture: Int?, flags inner: Flags) {
    frames.append(Frame(start: start, end: end, capture: capture, outerFlags: flags))
    flags = inner
  }

  /// Reads `)`.
  mutating func closeGroup() throws(RegexPatternError) {
    guard frames.count > 1 else {
      throw RegexPatternError(.groupUnopened, index..<index &+ 1)
    }
    var item = try finishAlternatives()
    advance()
    guard let frame = frames.popLast() else { return }
    flags = frame.outerFlags
    item.start = frame.start
    item.height &+= 1
    item.isFlags = false
    item.isRepetition = false
    if let capture = frame.capture { item.node = .capture(capture, item.node) }
    try checkHeight(item.height, item.start)
    append(item)
  }

  /// Refuses groups of other regex languages, each with its reason.
  private mutating func refuseExtensions() throws(RegexPatternError) {
    for (opening, reason) in Self.extensions where hasPrefix(opening, at: index) {
      throw RegexPatternError(reason, index..<index &+ opening.utf8CodeUnitCount)
    }
    guard flags.contains(.verbose) else { return }
    // `( ?= …` is a look-around too.
    let start = index
    advanceToContent()
    for opening: StaticString in ["?=", "?!", "?<=", "?<!"] where hasPrefix(opening, at: index) {
      throw RegexPatternError(.lookAround, start..<index &+ opening.utf8CodeUnitCount)
    }
    index = start
  }

  private static var extensions: [(StaticString, RegexPatternError.Reason)] {
    [
      ("(?=", .lookAround), ("(?!", .lookAround), ("(?<=", .lookAround), ("(?<!", .lookAround),
      ("(?>", .atomicGroup), ("(?|", .branchReset), ("(?#", .comment), ("(?(", .condition),
      ("(?&", .recursion), ("(?P>", .recursion), ("(?P=", .backreference), ("(?'", .quotedName),
      ("(?C", .callout),
    ]
  }

  /// Reads the name of a group and the `>` after it.
  private mutating func parseGroupName() throws(RegexPatternError) {
    let start = index
    while let scalar, scalar != 0x3E {
      guard isNamePart(scalar, isFirst: index == start) else {
        throw RegexPatternError(.groupNameInvalid, index..<nextIndex)
      }
      advance()
    }
    guard !isAtEnd else { throw RegexPatternError(.groupNameUnclosed, start..<index) }
    let name = Array(bytes[start..<index])
    guard !name.isEmpty else { throw RegexPatternError(.groupNameEmpty, start..<start &+ 1) }
    for other in groupNames where other.name == name {
      throw RegexPatternError(.groupNameDuplicate, start..<index)
    }
    groupNames.append((name, captureCount))
    advance()
  }

  private func isNamePart(_ scalar: UInt32, isFirst: Bool) -> Bool {
    switch scalar {
    case 0x41...0x5A, 0x61...0x7A, 0x5F: return true
    case 0x30...0x39: return !isFirst || syntax == .re2
    case 0x2E, 0x5B, 0x5D: return !isFirst && syntax == .rust
    case 0..<0x80: return false
    default:
      let name: [UInt8] = isFirst ? Array("alpha".utf8) : Array("n".utf8)
      let ordinal = ScalarSet.ordinal(of: scalar)
      if isFirst { return Self.isIn(ordinal, name) }
      return Self.isIn(ordinal, Array("alpha".utf8)) || Self.isIn(ordinal, name)
    }
  }

  private static func isIn(_ ordinal: UInt32, _ property: [UInt8]) -> Bool {
    do throws(UnicodeProperty.Problem) {
      return try UnicodeProperty.set(named: property).contains(ordinal)
    } catch {
      return false
    }
  }

  /// Reads flags up to `)` or `:`.
  private mutating func parseFlags() throws(RegexPatternError) -> (Flags, hasFlags: Bool) {
    var changed = flags
    var seen: Flags = []
    var negation: Int?
    var isDangling = false
    var hasFlags = false
    while let scalar, scalar != 0x3A, scalar != 0x29 {
      if scalar == 0x2D {
        guard negation == nil else {
          throw RegexPatternError(.flagNegationRepeated, index..<index &+ 1)
        }
        negation = index
        isDangling = true
      } else {
        guard let flag = flag(scalar) else {
          throw RegexPatternError(.flagUnrecognized, index..<nextIndex)
        }
        guard seen.isDisjoint(with: flag) || syntax == .re2 else {
          throw RegexPatternError(.flagDuplicate, index..<index &+ 1)
        }
        seen.insert(flag)
        if negation == nil { changed.insert(flag) } else { changed.remove(flag) }
        isDangling = false
      }
      hasFlags = true
      guard advance() else { throw RegexPatternError(.flagUnclosed, index..<index) }
    }
    if isDangling, let negation {
      throw RegexPatternError(.flagNegationDangling, negation..<negation &+ 1)
    }
    return (changed, hasFlags)
  }

  private func flag(_ scalar: UInt32) -> Flags? {
    guard scalar < 0x80 else { return nil }
    switch UInt8(scalar) {
    case UInt8(ascii: "i"): return .ignoreCase
    case UInt8(ascii: "m"): return .multiLine
    case UInt8(ascii: "s"): return .dotAll
    case UInt8(ascii: "U"): return .swapGreed
    case UInt8(ascii: "u") where syntax == .rust: return .unicode
    case UInt8(ascii: "x") where syntax == .rust: return .verbose
    case UInt8(ascii: "R") where syntax == .rust: return .crlf
    default: return nil
    }
  }
}
