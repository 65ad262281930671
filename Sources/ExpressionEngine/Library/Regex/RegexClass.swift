/// A set of code points, as a pattern writes it.
///
/// PCRE2's classes know only union; what else there is becomes look-aheads in front of one character.
indirect enum RegexClass {
  /// What stands between the brackets of a PCRE2 class; nothing for the empty set.
  case items([UInt8])
  case complement(RegexClass)
  case union([RegexClass])
  case intersection(RegexClass, RegexClass)
  case difference(RegexClass, RegexClass)
  case symmetricDifference(RegexClass, RegexClass)

  /// The largest size of a translation, which operators could double over and over.
  static let maximumSize = 1_000_000

  /// Appends a PCRE2 pattern that matches one code point of the set.
  func append(to output: inout [UInt8]) {
    // The caller refuses an output of this size.
    guard output.count < RegexClass.maximumSize else { return }
    switch self {
    case .items(let body):
      if body.isEmpty {
        output.append(contentsOf: "(?!)".utf8)
      } else {
        output.append(UInt8(ascii: "["))
        output.append(contentsOf: body)
        output.append(UInt8(ascii: "]"))
      }
    case .complement(.items(let body)):
      if body.isEmpty {
        output.append(contentsOf: ".".utf8)
      } else {
        output.append(contentsOf: "[^".utf8)
        output.append(contentsOf: body)
        output.append(UInt8(ascii: "]"))
      }
    case .complement(let set):
      RegexClass.append("(?:(?!", set, ").)", to: &output)
    case .union(let sets):
      output.append(contentsOf: "(?:".utf8)
      for (number, set) in sets.enumerated() {
        if number > 0 { output.append(UInt8(ascii: "|")) }
        set.append(to: &output)
      }
      output.append(UInt8(ascii: ")"))
    case .intersection(let left, let right):
      RegexClass.append("(?:(?=", left, ")", to: &output)
      RegexClass.append("", right, ")", to: &output)
    case .difference(let left, let right):
      RegexClass.append("(?:(?!", right, ")", to: &output)
      RegexClass.append("", left, ")", to: &output)
    case .symmetricDifference(let left, let right):
      RegexClass.append("(?:(?=", left, ")", to: &output)
      RegexClass.append("(?!", right, ").", to: &output)
      RegexClass.append("|(?!", left, ")", to: &output)
      RegexClass.append("", right, ")", to: &output)
    }
  }

  private static func append(
    _ before: StaticString, _ set: RegexClass, _ after: StaticString, to output: inout [UInt8]
  ) {
    output.append(contentsOf: UTF8Bytes(start: before.utf8Start, count: before.utf8CodeUnitCount))
    set.append(to: &output)
    output.append(contentsOf: UTF8Bytes(start: after.utf8Start, count: after.utf8CodeUnitCount))
  }
}

extension RegexTranslator {
  /// What a class has gathered since its start or its last operator.
  private struct Gathered {
    var body: [UInt8] = []
    var sets: [RegexClass] = []

    var set: RegexClass {
      if sets.isEmpty { return .items(body) }
      return body.isEmpty && sets.count == 1
        ? sets[0] : .union((body.isEmpty ? [] : [.items(body)]) + sets)
    }

    mutating func insert(_ set: RegexClass) {
      if case .items(let items) = set { body += items } else { sets.append(set) }
    }
  }

  private enum ClassOperator {
    case intersection, difference, symmetricDifference

    func apply(_ left: RegexClass, _ right: RegexClass) -> RegexClass {
      switch self {
      case .intersection: .intersection(left, right)
      case .difference: .difference(left, right)
      case .symmetricDifference: .symmetricDifference(left, right)
      }
    }
  }

  /// Reads a class, from its `[` to its `]`.
  ///
  /// - Parameter depth: How deep it is nested; bounded by the limit on nesting.
  mutating func parseClass(depth: Int) throws(RegexError) -> RegexClass {
    let start = index
    guard depth < limits.nesting else {
      throw RegexError(
        "more than \(limits.nesting) levels of nesting", kind: .tooLarge, offset: start, length: 1)
    }
    index &+= 1
    skipClassBlanks()
    let isNegated = index < text.count && text[index] == UInt8(ascii: "^")
    if isNegated {
      try requireUnicode(length: 1)
      index &+= 1
    }
    var gathered = Gathered()
    var left: (set: RegexClass, operation: ClassOperator)?
    var isFirst = true
    while true {
      skipClassBlanks()
      guard index < text.count else {
        throw failure("unclosed character class", at: start, length: 1)
      }
      if text[index] == UInt8(ascii: "]"), !isFirst { break }
      if !isFirst || text[index] != UInt8(ascii: "-"), let operation = classOperator() {
        index &+= 2
        left = (
          left?.operation.apply(left?.set ?? .items([]), gathered.set) ?? gathered.set, operation
        )
        gathered = Gathered()
      } else {
        try parseClassItem(into: &gathered, depth: depth)
      }
      isFirst = false
    }
    index &+= 1
    let set = left.map { $0.operation.apply($0.set, gathered.set) } ?? gathered.set
    return isNegated ? .complement(set) : set
  }

  private mutating func skipClassBlanks() {
    guard flags.contains(.verbose) else { return }
    while skipVerbose() {}
  }

  private func classOperator() -> ClassOperator? {
    guard flavor.allowsClassOperators else { return nil }
    if hasPrefix("&&", at: index) { return .intersection }
    if hasPrefix("--", at: index) { return .difference }
    if hasPrefix("~~", at: index) { return .symmetricDifference }
    return nil
  }

  private mutating func parseClassItem(
    into gathered: inout Gathered, depth: Int
  ) throws(RegexError) {
    let start = index
    if text[index] == UInt8(ascii: "[") {
      if let set = try namedClass() { return gathered.insert(set) }
      if flavor.allowsClassOperators {
        return gathered.insert(try parseClass(depth: depth &+ 1))
      }
    }
    switch try classAtom() {
    case .set(let set):
      gathered.insert(set)
      if flavor == .rust, isRange() {
        throw failure(
          "invalid range boundary, must be a literal", at: start, length: index &- start)
      }
    case .scalar(let lower):
      guard isRange() else {
        return RegexTranslator.append(lower, to: &gathered.body)
      }
      index &+= 1
      skipClassBlanks()
      guard index < text.count else {
        throw failure("unclosed character class", at: start, length: 1)
      }
      guard case .scalar(let upper) = try classAtom() else {
        throw failure(
          "invalid range boundary, must be a literal", at: start, length: index &- start)
      }
      guard lower <= upper else {
        throw failure(
          "invalid character class range, the start must be <= the end", at: start,
          length: index &- start)
      }
      RegexTranslator.append(lower, to: &gathered.body)
      gathered.body.append(UInt8(ascii: "-"))
      RegexTranslator.append(upper, to: &gathered.body)
    }
  }

  /// Whether a `-` follows that makes a range rather than standing for itself; moves to it if so.
  private mutating func isRange() -> Bool {
    let start = index
    skipClassBlanks()
    let dash = index
    guard dash < text.count, text[dash] == UInt8(ascii: "-"),
      !(flavor.allowsClassOperators && hasPrefix("--", at: dash))
    else {
      index = start
      return false
    }
    index &+= 1
    skipClassBlanks()
    let isLast = index < text.count && text[index] == UInt8(ascii: "]")
    index = isLast ? start : dash
    return !isLast
  }

  /// What may stand at an end of a range, or a set that an escape names.
  enum ClassAtom {
    case scalar(UInt32)
    case set(RegexClass)
  }

  private mutating func classAtom() throws(RegexError) -> ClassAtom {
    guard text[index] == UInt8(ascii: "\\") else { return .scalar(try scalarAtIndex()) }
    let start = index
    switch try parseEscape() {
    case .scalar(let scalar): return .scalar(scalar)
    case .set(let set): return .set(set)
    case .assertion, .quote:
      throw failure(
        "invalid escape sequence found in character class", at: start, length: index &- start)
    }
  }

  /// Reads `[:name:]` or `[:^name:]`; `nil` if there is no such thing here.
  private mutating func namedClass() throws(RegexError) -> RegexClass? {
    guard hasPrefix("[:", at: index) else { return nil }
    var end = index &+ 2
    while end < text.count, text[end] != UInt8(ascii: ":"), text[end] != UInt8(ascii: "]") {
      end &+= 1
    }
    guard hasPrefix(":]", at: end) else { return nil }
    let isNegated = text[index &+ 2] == UInt8(ascii: "^")
    let start = index &+ (isNegated ? 3 : 2)
    let name = String(decoding: text[min(start, end)..<end], as: UTF8.self)
    guard let ranges = RegexClass.named[name] else {
      if flavor.allowsClassOperators { return nil }
      throw failure(
        "there is no character class of this name", at: index, length: end &+ 2 &- index)
    }
    if isNegated { try requireUnicode(length: 1) }
    index = end &+ 2
    return .items(isNegated ? RegexClass.complementItems(ranges) : RegexClass.items(ranges))
  }
}

extension RegexClass {
  /// The classes of POSIX, which are about ASCII only.
  static let named: [String: [ClosedRange<UInt32>]] = [
    "alnum": [0x30...0x39, 0x41...0x5A, 0x61...0x7A], "alpha": [0x41...0x5A, 0x61...0x7A],
    "ascii": [0x00...0x7F], "blank": [0x09...0x09, 0x20...0x20],
    "cntrl": [0x00...0x1F, 0x7F...0x7F], "digit": [0x30...0x39], "graph": [0x21...0x7E],
    "lower": [0x61...0x7A], "print": [0x20...0x7E],
    "punct": [0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E],
    "space": [0x09...0x0D, 0x20...0x20], "upper": [0x41...0x5A],
    "word": [0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A],
    "xdigit": [0x30...0x39, 0x41...0x46, 0x61...0x66],
  ]

  /// The items of a class for ascending ranges.
  static func items(_ ranges: [ClosedRange<UInt32>]) -> [UInt8] {
    var body: [UInt8] = []
    for range in ranges {
      RegexTranslator.append(range.lowerBound, to: &body)
      if range.count > 1 {
        body.append(UInt8(ascii: "-"))
        RegexTranslator.append(range.upperBound, to: &body)
      }
    }
    return body
  }

  /// The items of a class for everything but ascending ranges.
  static func complementItems(_ ranges: [ClosedRange<UInt32>]) -> [UInt8] {
    var rest: [ClosedRange<UInt32>] = []
    var next: UInt32 = 0
    for range in ranges {
      if range.lowerBound > next { rest.append(next...range.lowerBound &- 1) }
      next = range.upperBound &+ 1
    }
    // No range of the callers reaches the surrogates, which a class cannot name.
    rest.append(next...0x10_FFFF)
    return items(rest)
  }
}
