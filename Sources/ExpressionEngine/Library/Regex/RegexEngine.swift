/// Why a pattern is refused or a match gave up.
struct RegexError: Error, Hashable {
  /// What kind of trouble it is.
  enum Kind: Hashable {
    /// The pattern does not follow the syntax of its flavour.
    case syntax
    /// The pattern, or what it compiles to, exceeds a limit.
    case tooLarge
    /// The match was given up, because it would have taken too long.
    case tooCostly
    /// There is no engine, or it failed for a reason of its own.
    case engine
  }

  /// What kind of trouble it is.
  var kind: Kind
  /// Where in the pattern, in bytes.
  var offset: Int
  /// How many bytes of the pattern are concerned; may be 0.
  var length: Int
  /// What is wrong, for people, without a period at the end.
  var message: String

  /// Creates an error; see the properties.
  init(_ message: String, kind: Kind = .syntax, offset: Int = 0, length: Int = 0) {
    self.kind = kind
    self.offset = offset
    self.length = length
    self.message = message
  }

  /// Appends the report of the reference evaluator: the pattern with carets under the place
  /// (docs/spec/superscript.md §10).
  func appendSuperscriptReport(for pattern: UTF8Bytes, to output: inout [UInt8]) {
    output.append(contentsOf: "regex parse error:\n    ".utf8)
    UTF8Text.appendLossy(pattern, to: &output)
    output.append(contentsOf: "\n    ".utf8)
    let start = min(max(offset, 0), pattern.count)
    let end = min(start &+ max(length, 0), pattern.count)
    let before = UTF8Text.codePointCount(UTF8Bytes(rebasing: pattern[..<start]))
    let width = UTF8Text.codePointCount(UTF8Bytes(rebasing: pattern[start..<end]))
    output.append(contentsOf: repeatElement(0x20, count: before))
    output.append(contentsOf: repeatElement(UInt8(ascii: "^"), count: max(width, 1)))
    output.append(contentsOf: "\nerror: \(message)".utf8)
  }
}

/// Bounds on what a pattern may cost.
struct RegexLimits: Hashable, Sendable {
  /// The longest pattern, in bytes.
  var patternBytes = 32_768
  /// The deepest nesting of groups, classes and stacked repetitions.
  var nesting = 200
  /// How many backtracking steps one search may take before the linear matcher takes over.
  var backtrackingSteps = 2_000_000
  /// An upper bound of the state comparisons of the linear matcher.
  var linearSteps = 2_000_000_000

  /// Creates the default limits.
  init() {}
}

/// A compiled pattern: immutable, usable from many threads at once.
protocol RegexMatcher: AnyObject, Sendable {
  /// The number of capture groups, the whole match not counted.
  var captureCount: Int { get }

  /// Whether the pattern matches somewhere in `subject`, which must be well-formed UTF-8.
  func matches(_ subject: UTF8Bytes) throws(RegexError) -> Bool

  /// Finds the first match that starts at or after the byte `start`, a code point boundary.
  ///
  /// - Parameter captures: Receives the byte ranges of the whole match and of each group; `nil` for
  ///   a group that took no part.
  func firstMatch(
    in subject: UTF8Bytes, from start: Int, captures: inout [Range<Int>?]
  ) throws(RegexError) -> Bool
}

/// Compiles patterns.
protocol RegexEngine: Sendable {
  /// Compiles a pattern of a flavour.
  func compile(
    _ pattern: UTF8Bytes, flavor: RegexFlavor, limits: RegexLimits
  ) throws(RegexError) -> CompiledRegex
}

/// A pattern together with what compiled it.
final class CompiledRegex: Sendable {
  /// The pattern as it was written.
  let pattern: [UInt8]
  /// The syntax that it follows.
  let flavor: RegexFlavor
  /// The names of groups, with their numbers.
  let groupNames: [String: Int]
  private let matcher: any RegexMatcher
  /// The same pattern, where it needs no library.
  private let deterministic: DeterministicPattern?

  /// Puts a compiled pattern together.
  init(
    pattern: [UInt8], flavor: RegexFlavor, groupNames: [String: Int], matcher: any RegexMatcher
  ) {
    self.pattern = pattern
    self.flavor = flavor
    self.groupNames = groupNames
    self.matcher = matcher
    deterministic = pattern.withUnsafeBufferPointer { DeterministicPattern($0) }
  }

  /// The number of capture groups, the whole match not counted.
  var captureCount: Int { matcher.captureCount }

  /// Whether the pattern matches somewhere in `subject`, which must be well-formed UTF-8.
  func matches(_ subject: UTF8Bytes) throws(RegexError) -> Bool {
    if let answer = deterministic?.matches(subject) { return answer }
    return try matcher.matches(subject)
  }

  /// What ``matches(_:)`` answers, `nil` where it fails.
  func decide(_ subject: UTF8Bytes) -> Bool? {
    if let answer = deterministic?.matches(subject) { return answer }
    do throws(RegexError) {
      return try matcher.matches(subject)
    } catch {
      return nil
    }
  }

  /// Finds the first match at or after a byte offset; see ``RegexMatcher``.
  func firstMatch(
    in subject: UTF8Bytes, from start: Int = 0, captures: inout [Range<Int>?]
  ) throws(RegexError) -> Bool {
    try matcher.firstMatch(in: subject, from: start, captures: &captures)
  }
}

#if !canImport(CPCRE2)
  /// Stands in where no regex library is linked.
  struct PCRE2Engine: RegexEngine {
    func compile(
      _ pattern: UTF8Bytes, flavor: RegexFlavor, limits: RegexLimits
    ) throws(RegexError) -> CompiledRegex {
      throw RegexError("this build has no regex engine", kind: .engine)
    }
  }
#endif
