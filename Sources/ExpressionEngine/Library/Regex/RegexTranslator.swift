/// Checks a pattern against the syntax of its flavour and translates it to PCRE2.
///
///     pattern ─RegexTranslator▶ PCRE2 pattern ─PCRE2Engine▶ CompiledRegex ─▶ matches
///
/// The translation is meant to be compiled with `UTF`, `DOTALL`, `ALT_CIRCUMFLEX`, without `UCP`, and
/// with LF as the only newline. Everything that PCRE2 reads differently is spelled out: `$` becomes
/// `\z`, `.` becomes `\N`, Unicode-aware `\w` a class of properties, an operator on classes a
/// look-ahead. Literals are escaped, so that nothing in the pattern can reach PCRE2's own extensions.
struct RegexTranslator {
  /// What the translation is for.
  enum Purpose {
    /// PCRE2's backtracking matcher and its JIT.
    case backtracking
    /// PCRE2's linear matcher, which says only whether there is a match. A search in one pass: `.*?`
    /// stands in front. It keeps a count with each state of `x+`, which would make every start of a
    /// match a state of its own, so `x+` is written `xx*`; groups do not capture.
    case linear
  }

  /// The switches of `(?imsUuxR)`.
  struct Flags: OptionSet {
    var rawValue: UInt8
    static let ignoreCase = Flags(rawValue: 1)
    static let multiLine = Flags(rawValue: 2)
    static let dotAll = Flags(rawValue: 4)
    static let swapGreed = Flags(rawValue: 8)
    static let unicode = Flags(rawValue: 16)
    static let verbose = Flags(rawValue: 32)
    static let crlf = Flags(rawValue: 64)
  }

  /// A group that is still open.
  struct Group {
    var outputStart: Int
    var source: Int
    var flags: Flags
    var outerProduct: Int
  }

  /// What a repetition would repeat.
  struct Atom {
    var outputStart: Int
    var isSingle = false
    var isAssertion = false
    var stacked = 0
    /// The largest product of counts of repetitions in it.
    var product = 1
  }

  let text: UTF8Bytes
  let flavor: RegexFlavor
  let limits: RegexLimits
  let purpose: Purpose
  var index = 0
  var output: [UInt8] = []
  var flags: Flags
  var groups: [Group] = []
  var atom: Atom?
  /// The largest product of counts of repetitions in the group at hand.
  var product = 1
  var captureCount = 0
  var groupNames: [String: Int] = [:]
  /// Whether something may be repeated more than a few times.
  var hasWideRepetition = false
  /// Where properties stand, in the output and in the pattern: only PCRE2 knows their names.
  var properties: [(output: Int, source: Range<Int>)] = []

  /// Prepares the translation of a pattern.
  init(
    _ text: UTF8Bytes, flavor: RegexFlavor, limits: RegexLimits, purpose: Purpose = .backtracking
  ) {
    self.text = text
    self.flavor = flavor
    self.limits = limits
    self.purpose = purpose
    flags = flavor.hasUnicodeClasses ? .unicode : []
  }

  /// Translates the whole pattern into ``output``. O(n), but for classes with operators, whose
  /// translation may be longer than they are, within a limit.
  mutating func translate() throws(RegexError) {
    guard text.count <= limits.patternBytes else {
      throw RegexError(
        "the pattern is longer than \(limits.patternBytes) bytes", kind: .tooLarge)
    }
    if purpose == .linear { emit(".*?(?:") }
    while index < text.count {
      if flags.contains(.verbose), skipVerbose() { continue }
      try step()
      guard output.count < RegexClass.maximumSize else {
        throw RegexError("the pattern is too large when its classes are expanded", kind: .tooLarge)
      }
    }
    if let group = groups.last { throw failure("unclosed group", at: group.source, length: 1) }
    if purpose == .linear { emit(")") }
  }

  private mutating func step() throws(RegexError) {
    switch text[index] {
    case UInt8(ascii: "("): try openGroup()
    case UInt8(ascii: ")"): try closeGroup()
    case UInt8(ascii: "|"):
      emit("|")
      atom = nil
      index &+= 1
    case UInt8(ascii: "["):
      let set = try parseClass(depth: groups.count)
      emitAtom(set)
    case UInt8(ascii: "\\"): try translateEscape()
    case UInt8(ascii: "."): try translateDot()
    case UInt8(ascii: "^"):
      index &+= 1
      emitAssertion(lineStart)
    case UInt8(ascii: "$"):
      index &+= 1
      emitAssertion(lineEnd)
    case UInt8(ascii: "*"): try repeatAtom(0, nil, length: 1)
    case UInt8(ascii: "+"): try repeatAtom(1, nil, length: 1)
    case UInt8(ascii: "?"): try repeatAtom(0, 1, length: 1)
    case UInt8(ascii: "{"): try translateBrace()
    default:
      let scalar = try scalarAtIndex()
      emitLiteral(scalar)
    }
  }

  private var lineStart: StaticString {
    if !flags.contains(.multiLine) { return "\\A" }
    return flags.contains(.crlf) ? "(?:\\A|(?<=\\n)|(?<=\\r)(?!\\n))" : "(?m:^)"
  }

  private var lineEnd: StaticString {
    if !flags.contains(.multiLine) { return "\\z" }
    return flags.contains(.crlf) ? "(?:\\z|(?=\\r)|(?<!\\r)(?=\\n))" : "(?m:$)"
  }

  private mutating func translateDot() throws(RegexError) {
    try requireUnicode(length: 1)
    index &+= 1
    atom = Atom(outputStart: output.count, isSingle: true)
    if flags.contains(.dotAll) {
      emit(".")
    } else {
      emit(flags.contains(.crlf) ? "[^\\r\\n]" : "\\N")
    }
  }

  /// Refuses what could match half a character where `(?-u)` has switched Unicode off.
  func requireUnicode(length: Int) throws(RegexError) {
    guard flags.contains(.unicode) || !flavor.hasUnicodeClasses else {
      throw failure("pattern can match invalid UTF-8", at: index, length: length)
    }
  }

  /// Skips white space or a comment where `(?x)` allows it; `false` if there is none.
  mutating func skipVerbose() -> Bool {
    guard index < text.count else { return false }
    let step = UTF8Text.decode(text, at: index)
    if UTF8Text.isWhiteSpace(step.scalar) {
      index &+= step.length
      return true
    }
    guard text[index] == UInt8(ascii: "#") else { return false }
    while index < text.count, text[index] != 0x0A { index &+= 1 }
    return true
  }

  /// Reads one code point.
  mutating func scalarAtIndex() throws(RegexError) -> UInt32 {
    let step = UTF8Text.decode(text, at: index)
    guard step.isValid else {
      throw failure("the pattern is not valid UTF-8", at: index, length: step.length)
    }
    index &+= step.length
    return step.scalar
  }

  func failure(_ message: String, at offset: Int, length: Int) -> RegexError {
    RegexError(message, offset: offset, length: max(0, min(length, text.count &- offset)))
  }

  func hasPrefix(_ prefix: StaticString, at offset: Int) -> Bool {
    guard text.count &- offset >= prefix.utf8CodeUnitCount else { return false }
    for position in 0..<prefix.utf8CodeUnitCount
    where text[offset &+ position] != prefix.utf8Start[position] {
      return false
    }
    return true
  }
}

// MARK: - Output

extension RegexTranslator {
  mutating func emit(_ bytes: StaticString) {
    output.append(contentsOf: UTF8Bytes(start: bytes.utf8Start, count: bytes.utf8CodeUnitCount))
  }

  mutating func emitLiteral(_ scalar: UInt32) {
    atom = Atom(outputStart: output.count, isSingle: true)
    RegexTranslator.append(scalar, to: &output)
  }

  mutating func emitAssertion(_ bytes: StaticString) {
    atom = Atom(outputStart: output.count, isAssertion: true)
    emit(bytes)
  }

  mutating func emitAtom(_ set: RegexClass) {
    let start = output.count
    set.append(to: &output)
    atom = Atom(
      outputStart: start, isSingle: start < output.count && output[start] == UInt8(ascii: "["))
  }

  /// Appends a code point so that it stands for itself, inside and outside a class.
  static func append(_ scalar: UInt32, to output: inout [UInt8]) {
    switch scalar {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A:
      output.append(UInt8(scalar))
    case 0x20...0x7E:
      output.append(UInt8(ascii: "\\"))
      output.append(UInt8(scalar))
    case 0..<0x80:
      output.append(contentsOf: "\\x{".utf8)
      IntegerText.append(UInt64(scalar), radix: 16, to: &output)
      output.append(UInt8(ascii: "}"))
    default:
      UTF8Text.append(scalar: scalar, to: &output)
    }
  }
}
