/// A regular expression that every engine reads alike: literals, classes of spelled-out characters,
/// groups, alternatives, greedy and lazy repetitions, and the two ends of the text.
///
/// Whether it matches somewhere is all that is asked, so that groups need not capture and repetitions
/// need not be lazy.
struct PortablePattern: Sendable, Hashable {
  /// Why a pattern is not portable.
  struct Problem: Error {
    let message: String
  }

  /// How an engine spells what patterns differ in.
  struct Spelling: Sendable, Hashable {
    /// The end of the text.
    var end: String
    /// Any character but a line feed.
    var anyCharacter: String
    /// The largest count of a repetition.
    var largestCount: Int
  }

  private indirect enum Node: Hashable, Sendable {
    case character(Unicode.Scalar)
    case any
    case set([ClosedRange<UInt32>], isNegated: Bool)
    case start
    case end
    case sequence([Node])
    case alternatives([Node])
    case repetition(Node, least: Int, most: Int?)

    /// Whether a repetition with counts is anywhere in it.
    var isCounted: Bool {
      switch self {
      case .sequence(let parts), .alternatives(let parts): parts.contains { $0.isCounted }
      case .repetition(let inner, let least, let most):
        least > 1 || (most ?? 1) > 1 || inner.isCounted
      default: false
      }
    }
  }

  private let root: Node

  /// Reads a pattern.
  ///
  /// - Parameter isUnicodeAware: Whether `\d`, `\w`, `\s` and the like mean Unicode's classes.
  /// - Throws: ``Problem`` when engines might read it differently.
  init(_ text: String, isUnicodeAware: Bool) throws(Problem) {
    var parser = Parser(
      scalars: Array(text.unicodeScalars), isUnicodeAware: isUnicodeAware)
    root = try parser.alternatives()
    guard parser.isAtEnd else { throw Problem(message: "the pattern has a `)` too many") }
  }

  /// A test without a pattern, for those that are only a text between the ends; `nil` for others.
  func plainTest(of subject: SQLExpression) -> SQLExpression? {
    var parts = if case .sequence(let parts) = root { parts } else { [root] }
    var isAtStart = false
    var isAtEnd = false
    if parts.first == .start {
      isAtStart = true
      parts.removeFirst()
    }
    if parts.last == .end {
      isAtEnd = true
      parts.removeLast()
    }
    var text = ""
    for part in parts {
      guard case .character(let scalar) = part else { return nil }
      text.unicodeScalars.append(scalar)
    }
    switch (isAtStart, isAtEnd) {
    case (true, true): return .comparison(.equal, subject, .text(text))
    case (true, false): return .call(.hasPrefix, subject, .text(text))
    case (false, true): return .call(.hasSuffix, subject, .text(text))
    case (false, false): return .call(.contains, subject, .text(text))
    }
  }

  /// The pattern for an engine.
  func text(for spelling: Spelling) -> String { Self.text(root, spelling) }

  private static func text(_ node: Node, _ spelling: Spelling) -> String {
    switch node {
    case .character(let scalar): return escaped(scalar)
    case .any: return spelling.anyCharacter
    case .set(let ranges, let isNegated):
      let inner = ranges.map { range in
        guard let low = Unicode.Scalar(range.lowerBound),
          let high = Unicode.Scalar(range.upperBound)
        else { return "" }
        return low == high ? inClass(low) : "\(inClass(low))-\(inClass(high))"
      }
      return "[\(isNegated ? "^" : "")\(inner.joined())]"
    case .start: return "^"
    case .end: return spelling.end
    case .sequence(let parts): return parts.map { text($0, spelling) }.joined()
    case .alternatives(let choices):
      return "(?:" + choices.map { text($0, spelling) }.joined(separator: "|") + ")"
    case .repetition(let inner, let least, let most):
      let count =
        switch (least, most) {
        case (0, nil): "*"
        case (1, nil): "+"
        case (0, 1): "?"
        case (let least, nil): "{\(least),}"
        case (let least, let most?): least == most ? "{\(least)}" : "{\(least),\(most)}"
        }
      return "(?:" + text(inner, spelling) + ")" + count
    }
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    "\\.+*?()|[]{}^$".unicodeScalars.contains(scalar) ? "\\\(scalar)" : "\(scalar)"
  }

  private static func inClass(_ scalar: Unicode.Scalar) -> String {
    "\\[]^-&~#|".unicodeScalars.contains(scalar) ? "\\\(scalar)" : "\(scalar)"
  }

  /// Reads patterns of the portable kind.
  private struct Parser {
    let scalars: [Unicode.Scalar]
    let isUnicodeAware: Bool
    private var position = 0
    private var depth = 0

    init(scalars: [Unicode.Scalar], isUnicodeAware: Bool) {
      self.scalars = scalars
      self.isUnicodeAware = isUnicodeAware
    }

    var isAtEnd: Bool { position == scalars.count }

    private var next: Unicode.Scalar? { isAtEnd ? nil : scalars[position] }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
      guard next == scalar else { return false }
      position += 1
      return true
    }

    mutating func alternatives() throws(Problem) -> Node {
      depth += 1
      defer { depth -= 1 }
      guard depth < 50 else { throw Problem(message: "the pattern nests too deeply") }
      var choices = [try sequence()]
      while take("|") { choices.append(try sequence()) }
      return choices.count == 1 ? choices[0] : .alternatives(choices)
    }

    private mutating func sequence() throws(Problem) -> Node {
      var parts: [Node] = []
      while let scalar = next, scalar != "|", scalar != ")" {
        parts.append(try repeated(try atom()))
      }
      return parts.count == 1 ? parts[0] : .sequence(parts)
    }

    private mutating func repeated(_ node: Node) throws(Problem) -> Node {
      let least: Int
      let most: Int?
      switch next {
      case "*": (least, most) = (0, nil)
      case "+": (least, most) = (1, nil)
      case "?": (least, most) = (0, 1)
      case "{": return try counted(node)
      default: return node
      }
      position += 1
      return try end(node, least, most)
    }

    private mutating func end(
      _ node: Node, _ least: Int, _ most: Int?
    ) throws(Problem) -> Node {
      if node == .start || node == .end {
        throw Problem(message: "a repeated end of the text is read differently")
      }
      // Whether it is lazy makes no difference to whether it matches.
      _ = take("?")
      if let next, "*+?{".unicodeScalars.contains(next) {
        throw Problem(message: "a repeated repetition is read differently")
      }
      return .repetition(node, least: least, most: most)
    }

    private mutating func counted(_ node: Node) throws(Problem) -> Node {
      guard !node.isCounted else {
        throw Problem(message: "a repetition of a counted repetition may be too large")
      }
      position += 1
      let least = number()
      var most: Int? = least
      if take(",") { most = next == "}" ? nil : number() }
      guard let least, take("}"), most ?? least >= least, max(least, most ?? 0) <= 200,
        most != nil || scalars[position - 2] == ","
      else { throw Problem(message: "these counts of a repetition are read differently") }
      return try end(node, least, most)
    }

    private mutating func number() -> Int? {
      var value: Int?
      while let scalar = next, ("0"..."9").contains(scalar), (value ?? 0) < 10_000 {
        value = (value ?? 0) * 10 + Int(scalar.value - 48)
        position += 1
      }
      return value
    }

    private mutating func atom() throws(Problem) -> Node {
      guard let scalar = next else { throw Problem(message: "the pattern ends too early") }
      position += 1
      switch scalar {
      case ".": return .any
      case "^": return .start
      case "$": return .end
      case "(": return try group()
      case "[": return try set()
      case "\\": return try escape()
      case "*", "+", "?", "{", "}", "]":
        throw Problem(message: "`\(scalar)` is read differently here")
      default: return try literal(scalar)
      }
    }

    private func literal(_ scalar: Unicode.Scalar) throws(Problem) -> Node {
      guard scalar.value >= 0x20, scalar.value != 0x7F else {
        throw Problem(message: "control characters in patterns are read differently")
      }
      return .character(scalar)
    }

    private mutating func group() throws(Problem) -> Node {
      if take("?") {
        guard take(":") else {
          throw Problem(message: "flags and named groups are read differently")
        }
      }
      let inner = try alternatives()
      guard take(")") else { throw Problem(message: "the pattern has a `(` too many") }
      // A group of one choice keeps its parts together.
      return .alternatives([inner])
    }

    private mutating func escape() throws(Problem) -> Node {
      guard let scalar = next else { throw Problem(message: "the pattern ends too early") }
      position += 1
      if let ranges = try shorthand(scalar) {
        return .set(ranges, isNegated: "DWS".unicodeScalars.contains(scalar))
      }
      return .character(try escaped(scalar))
    }

    private func escaped(_ scalar: Unicode.Scalar) throws(Problem) -> Unicode.Scalar {
      guard "\\.+*?()|[]{}^$-/&~#".unicodeScalars.contains(scalar) else {
        throw Problem(message: "`\\\(scalar)` is read differently")
      }
      return scalar
    }

    /// The characters of `\d`, `\w` or `\s`, negated or not.
    private func shorthand(_ scalar: Unicode.Scalar) throws(Problem) -> [ClosedRange<UInt32>]? {
      let ranges: [ClosedRange<UInt32>]
      switch scalar {
      case "d", "D": ranges = [0x30...0x39]
      case "w", "W": ranges = [0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A]
      case "s", "S": ranges = [0x09...0x0A, 0x0C...0x0D, 0x20...0x20]
      default: return nil
      }
      guard !isUnicodeAware else {
        throw Problem(
          message: "`\\\(scalar)` means all of Unicode; name the characters, such as [0-9]")
      }
      return ranges
    }

    private mutating func set() throws(Problem) -> Node {
      let isNegated = take("^")
      var ranges: [ClosedRange<UInt32>] = []
      while let scalar = next, scalar != "]" {
        position += 1
        if scalar == "\\", let escape = next, let inner = try shorthand(escape) {
          guard escape.properties.isLowercase else {
            throw Problem(message: "a negated class inside of a class is read differently")
          }
          position += 1
          ranges += inner
          continue
        }
        let low = try member(scalar)
        guard next == "-", position + 1 < scalars.count, scalars[position + 1] != "]" else {
          ranges.append(low.value...low.value)
          continue
        }
        position += 1
        guard let last = next else { break }
        position += 1
        let high = try member(last)
        guard low != "-", high != "-", low.value <= high.value else {
          throw Problem(message: "this range of characters is read differently")
        }
        ranges.append(low.value...high.value)
      }
      guard !ranges.isEmpty, take("]") else {
        throw Problem(message: "this class of characters is read differently")
      }
      return .set(ranges, isNegated: isNegated)
    }

    private mutating func member(_ scalar: Unicode.Scalar) throws(Problem) -> Unicode.Scalar {
      if scalar == "\\" {
        guard let escape = next else { throw Problem(message: "the pattern ends too early") }
        position += 1
        return try escaped(escape)
      }
      guard scalar != "[", scalar.value >= 0x20, scalar.value != 0x7F,
        !"&~".unicodeScalars.contains(scalar)
      else { throw Problem(message: "this class of characters is read differently") }
      return scalar
    }
  }
}
