/// Why a pattern is refused.
public struct RegexPatternError: Error, Hashable, Sendable {
  /// The reason for a refusal.
  public enum Reason: UInt8, Sendable, CaseIterable {
    case tooLarge, tooLong, nestedTooDeep
    case notUTF8
    case groupUnclosed, groupUnopened, groupNameEmpty, groupNameInvalid, groupNameUnclosed
    case groupNameDuplicate
    case flagUnrecognized, flagDuplicate, flagNegationRepeated, flagNegationDangling, flagUnclosed
    case lookAround, backreference, atomicGroup, branchReset, comment, condition, recursion
    case quotedName, callout
    case repetitionMissing, repetitionUnclosed, repetitionWithoutNumber, repetitionInvalid
    case repetitionTooLarge, repetitionStacked, numberInvalid
    case classUnclosed, classRangeInvalid, classRangeBoundary, classEscape, className
    case escapeUnclosed, escapeUnrecognized
    case hexadecimalEmpty, hexadecimalInvalid, hexadecimalDigit
    case propertyInvalid, propertyUnknown, propertyValueUnknown
    case boundaryUnclosed, boundaryUnrecognized, boundaryOrRepetitionUnclosed
    case matchesInvalidUTF8, unicodeNotAllowed
  }

  /// The reason.
  public var reason: Reason
  /// The bytes of the pattern that are concerned; may be empty.
  public var range: Range<Int>

  /// Creates an error.
  public init(_ reason: Reason, _ range: Range<Int>) {
    self.reason = reason
    self.range = range
  }
}

extension RegexPatternError {
  /// The reason for people, without a period at the end; in the words of the reference where it
  /// refuses for the same reason.
  public var message: StaticString {
    switch reason {
    case .tooLarge: "compiled regex exceeds size limit of 10485760 bytes"
    case .tooLong: "the pattern is longer than 32768 bytes"
    case .nestedTooDeep: "exceed the maximum number of nested parentheses/brackets (250)"
    case .notUTF8: "the pattern is not valid UTF-8"
    case .groupUnclosed: "unclosed group"
    case .groupUnopened: "unopened group"
    case .groupNameEmpty: "empty capture group name"
    case .groupNameInvalid: "invalid capture group character"
    case .groupNameUnclosed: "unclosed capture group name"
    case .groupNameDuplicate: "duplicate capture group name"
    case .flagUnrecognized: "unrecognized flag"
    case .flagDuplicate: "duplicate flag"
    case .flagNegationRepeated: "flag negation operator repeated"
    case .flagNegationDangling: "dangling flag negation operator"
    case .flagUnclosed: "expected flag but got end of regex"
    case .lookAround: "look-around, including look-ahead and look-behind, is not supported"
    case .backreference: "backreferences are not supported"
    case .atomicGroup: "atomic groups are not supported"
    case .branchReset: "groups that reset the numbers of captures are not supported"
    case .comment: "comments in parentheses are not supported"
    case .condition: "conditional groups are not supported"
    case .recursion: "recursion is not supported"
    case .quotedName: "a group's name is written in angle brackets, as in (?P<name>…)"
    case .callout: "callouts are not supported"
    case .repetitionMissing: "repetition operator missing expression"
    case .repetitionUnclosed: "unclosed counted repetition"
    case .repetitionWithoutNumber: "repetition quantifier expects a valid decimal"
    case .repetitionInvalid: "invalid repetition count range, the start must be <= the end"
    case .repetitionTooLarge: "repetitions may not count beyond 1000 in RE2"
    case .repetitionStacked: "a repetition cannot be repeated in RE2; put it into a group"
    case .numberInvalid: "decimal literal invalid"
    case .classUnclosed: "unclosed character class"
    case .classRangeInvalid: "invalid character class range, the start must be <= the end"
    case .classRangeBoundary: "invalid range boundary, must be a literal"
    case .classEscape: "invalid escape sequence found in character class"
    case .className: "there is no character class of this name"
    case .escapeUnclosed: "incomplete escape sequence, reached end of pattern prematurely"
    case .escapeUnrecognized: "unrecognized escape sequence"
    case .hexadecimalEmpty: "hexadecimal literal empty"
    case .hexadecimalInvalid: "hexadecimal literal is not a Unicode scalar value"
    case .hexadecimalDigit: "invalid hexadecimal digit"
    case .propertyInvalid: "invalid Unicode character class"
    case .propertyUnknown: "Unicode property not found"
    case .propertyValueUnknown: "Unicode property value not found"
    case .boundaryUnclosed:
      "special word boundary assertion is either unclosed or contains an invalid character"
    case .boundaryUnrecognized:
      """
      unrecognized special word boundary assertion, valid choices are: start, end, start-half or \
      end-half
      """
    case .boundaryOrRepetitionUnclosed:
      """
      found either the beginning of a special word boundary or a bounded repetition on a \\b with \
      an opening brace, but no closing brace
      """
    case .matchesInvalidUTF8: "pattern can match invalid UTF-8"
    case .unicodeNotAllowed: "Unicode not allowed here"
    }
  }
}
