extension RegexParser {
  private enum Operator {
    case intersection, difference, symmetricDifference
  }

  /// The content of a class since its start or its last operator.
  private struct Gathered {
    var builder = ScalarSetBuilder()
    var count = 0
    var height = 0

    mutating func insert(_ set: ScalarSet, height: Int = 0) {
      builder.insert(set)
      count &+= 1
      self.height = max(self.height, height)
    }

    mutating func insert(_ lower: UInt32, _ upper: UInt32) {
      builder.insert(lower, upper)
      count &+= 1
    }

    /// A row of items is a level of its own.
    var totalHeight: Int { height &+ (count > 1 ? 1 : 0) }
  }

  /// Reads a class, from its `[` to its `]`.
  ///
  /// - Parameter depth: How deep classes nest here, at least.
  /// - Returns: The set, and how deep its written form nests.
  mutating func parseClass(depth: Int) throws(RegexPatternError) -> (ScalarSet, height: Int) {
    let start = index
    try checkHeight(depth, start)
    guard advanceToContent() else { throw unclosedClass(start, index) }
    var isNegated = false
    if isAt(UInt8(ascii: "^")) {
      isNegated = true
      guard advanceToContent() else { throw unclosedClass(start, index) }
    }
    var gathered = Gathered()
    try parseClassOpening(start, &gathered)
    let open = index
    var left: (set: ScalarSet, operation: Operator, height: Int)?
    while true {
      skipSpace()
      guard !isAtEnd else { throw unclosedClass(start, open) }
      if isAt(UInt8(ascii: "]")) { break }
      if isAt(UInt8(ascii: "[")) {
        if let set = try parseNamedClass() {
          gathered.insert(set)
          continue
        }
        if syntax.allowsClassOperators {
          let (set, height) = try parseClass(depth: depth &+ 1)
          gathered.insert(set, height: height)
          continue
        }
      }
      if let operation = classOperator() {
        index &+= 2
        let (set, height) = finish(gathered, left)
        try checkHeight(height &+ 1, start)
        left = (set, operation, height)
        gathered = Gathered()
        continue
      }
      try parseClassItem(start, open, &gathered)
    }
    advance()
    var (set, height) = finish(gathered, left)
    try checkHeight(height &+ 1, start)
    if flags.contains(.ignoreCase) { set = folded(set) }
    if isNegated { set = set.complement }
    if !set.isASCII { requireUnicode(start..<index) }
    return (set, height &+ 1)
  }

  /// Reads what means itself only at the start of a class: dashes, or else a bracket.
  private mutating func parseClassOpening(
    _ start: Int, _ gathered: inout Gathered
  ) throws(RegexPatternError) {
    guard syntax == .rust else {
      if isAt(UInt8(ascii: "]")) || isAt(UInt8(ascii: "-")) {
        // RE2 lets either start a range too.
        try parseClassItem(start, index, &gathered)
      }
      return
    }
    while isAt(UInt8(ascii: "-")) {
      gathered.insert(0x2D, 0x2D)
      guard advanceToContent() else { throw unclosedClass(start, start) }
    }
    if gathered.count == 0, isAt(UInt8(ascii: "]")) {
      gathered.insert(0x5D, 0x5D)
      guard advanceToContent() else { throw unclosedClass(start, index) }
    }
  }

  private func unclosedClass(_ start: Int, _ end: Int) -> RegexPatternError {
    RegexPatternError(.classUnclosed, start..<max(start, end))
  }

  private func classOperator() -> Operator? {
    guard syntax.allowsClassOperators else { return nil }
    if hasPrefix("&&", at: index) { return .intersection }
    if hasPrefix("--", at: index) { return .difference }
    return hasPrefix("~~", at: index) ? .symmetricDifference : nil
  }

  private mutating func finish(
    _ gathered: Gathered, _ left: (set: ScalarSet, operation: Operator, height: Int)?
  ) -> (ScalarSet, height: Int) {
    var right = gathered.builder.finish()
    guard let left else { return (right, gathered.totalHeight) }
    var set = left.set
    if flags.contains(.ignoreCase) {
      set = folded(set)
      right = folded(right)
    }
    switch left.operation {
    case .intersection: set = set.intersection(right)
    case .difference: set = set.subtracting(right)
    case .symmetricDifference: set = set.symmetricDifference(right)
    }
    return (set, max(left.height, gathered.totalHeight) &+ 1)
  }

  /// Reads one character, a range, or a set that an escape names.
  private mutating func parseClassItem(
    _ start: Int, _ open: Int, _ gathered: inout Gathered
  ) throws(RegexPatternError) {
    let itemStart = index
    let lower = try parseClassAtom()
    let lowerEnd = index
    skipSpace()
    guard !isAtEnd else { throw unclosedClass(start, open) }
    // RE2 takes the dash after a set as itself.
    var isSet = false
    if case .set = lower { isSet = true }
    guard isRange(), !(isSet && syntax == .re2) else {
      switch lower {
      case .set(let set): gathered.insert(set)
      case .scalar(let scalar):
        let ordinal = ScalarSet.ordinal(of: scalar)
        gathered.insert(ordinal, ordinal)
      }
      return
    }
    guard advanceToContent() else { throw unclosedClass(start, open) }
    let upperStart = index
    let upper = try parseClassAtom()
    guard case .scalar(let first) = lower else {
      throw RegexPatternError(.classRangeBoundary, itemStart..<lowerEnd)
    }
    guard case .scalar(let last) = upper else {
      throw RegexPatternError(.classRangeBoundary, upperStart..<index)
    }
    guard first <= last else {
      throw RegexPatternError(.classRangeInvalid, itemStart..<index)
    }
    gathered.insert(ScalarSet.ordinal(of: first), ScalarSet.ordinal(of: last))
  }

  /// Whether the `-` at hand makes a range rather than standing for itself.
  private mutating func isRange() -> Bool {
    guard isAt(UInt8(ascii: "-")) else { return false }
    let dash = index
    defer { index = dash }
    advanceToContent()
    if isAt(UInt8(ascii: "]")) { return false }
    return !(syntax.allowsClassOperators && isAt(UInt8(ascii: "-")))
  }

  private enum ClassAtom {
    case scalar(UInt32)
    case set(ScalarSet)
  }

  private mutating func parseClassAtom() throws(RegexPatternError) -> ClassAtom {
    let start = index
    var value: UInt32
    if isAt(UInt8(ascii: "\\")) {
      switch try parseEscape() {
      case .scalar(let scalar): value = scalar
      case .byte(let byte):
        if byte >= 0x80 { requireUnicode(start..<index) }
        return .scalar(byte)
      case .set(let set): return .set(set)
      case .assertion, .quote:
        throw RegexPatternError(.classEscape, start..<index)
      }
    } else {
      value = scalar ?? 0
      advance()
    }
    if value >= 0x80, syntax == .rust, !flags.contains(.unicode) {
      postpone(.unicodeNotAllowed, start..<index)
    }
    return .scalar(value)
  }

  /// Reads `[:name:]` or `[:^name:]`; `nil` if there is no such thing here.
  private mutating func parseNamedClass() throws(RegexPatternError) -> ScalarSet? {
    var reader = index &+ 1
    guard reader < bytes.count, bytes[reader] == UInt8(ascii: ":") else { return nil }
    reader &+= 1
    let isNegated = reader < bytes.count && bytes[reader] == UInt8(ascii: "^")
    if isNegated { reader &+= 1 }
    let nameStart = reader
    while reader < bytes.count, bytes[reader] != UInt8(ascii: ":") { reader &+= 1 }
    guard reader &+ 1 < bytes.count, bytes[reader &+ 1] == UInt8(ascii: "]") else { return nil }
    guard var set = Self.asciiClass(bytes[nameStart..<reader]) else {
      // Rust's syntax reads it as a class in a class.
      if syntax == .re2 { throw RegexPatternError(.className, index..<reader &+ 2) }
      return nil
    }
    let start = index
    index = reader &+ 2
    if flags.contains(.ignoreCase) { set = folded(set) }
    if isNegated { set = set.complement }
    if !set.isASCII { requireUnicode(start..<index) }
    return set
  }

  private static func asciiClass(_ name: Slice<UnsafeBufferPointer<UInt8>>) -> ScalarSet? {
    func isNamed(_ text: StaticString) -> Bool {
      guard name.count == text.utf8CodeUnitCount else { return false }
      for (index, byte) in name.enumerated() where byte != text.utf8Start[index] { return false }
      return true
    }
    if isNamed("alnum") { return ScalarSet(edges: [0x30, 0x3A, 0x41, 0x5B, 0x61, 0x7B]) }
    if isNamed("alpha") { return ScalarSet(edges: [0x41, 0x5B, 0x61, 0x7B]) }
    if isNamed("ascii") { return ScalarSet(edges: [0, 0x80]) }
    if isNamed("blank") { return ScalarSet(edges: [0x09, 0x0A, 0x20, 0x21]) }
    if isNamed("cntrl") { return ScalarSet(edges: [0, 0x20, 0x7F, 0x80]) }
    if isNamed("digit") { return ScalarSet(edges: [0x30, 0x3A]) }
    if isNamed("graph") { return ScalarSet(edges: [0x21, 0x7F]) }
    if isNamed("lower") { return ScalarSet(edges: [0x61, 0x7B]) }
    if isNamed("print") { return ScalarSet(edges: [0x20, 0x7F]) }
    if isNamed("punct") {
      return ScalarSet(edges: [0x21, 0x30, 0x3A, 0x41, 0x5B, 0x61, 0x7B, 0x7F])
    }
    if isNamed("space") { return ScalarSet(edges: [0x09, 0x0E, 0x20, 0x21]) }
    if isNamed("upper") { return ScalarSet(edges: [0x41, 0x5B]) }
    if isNamed("word") {
      return ScalarSet(edges: [0x30, 0x3A, 0x41, 0x5B, 0x5F, 0x60, 0x61, 0x7B])
    }
    return isNamed("xdigit") ? ScalarSet(edges: [0x30, 0x3A, 0x41, 0x47, 0x61, 0x67]) : nil
  }
}
