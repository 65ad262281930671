/// The regex syntax of a dialect. What differs between the two is in this table; see
/// ``RegexTranslator`` for what it leads to.
enum RegexFlavor: UInt8, Sendable, CaseIterable {
  /// RE2, which the cel dialect uses (docs/spec/cel.md §11).
  case re2
  /// Rust's `regex` crate, which superscript uses (docs/spec/superscript.md §10).
  case rust

  /// The name for messages.
  var name: String { self == .re2 ? "RE2" : "Rust's regex syntax" }

  /// Whether `\Q…\E` quotes text.
  var allowsQuoting: Bool { self == .re2 }
  /// Whether `\012` is an octal character.
  var allowsOctal: Bool { self == .re2 }
  /// Whether a `{` that starts no repetition is an ordinary character.
  var allowsLiteralBrace: Bool { self == .re2 }
  /// Whether `a**` repeats a repetition.
  var allowsStackedRepetition: Bool { self == .rust }
  /// Whether classes nest and have the operators `&&`, `--` and `~~`.
  var allowsClassOperators: Bool { self == .rust }
  /// Whether `\d`, `\s`, `\w` and `\b` know all of Unicode.
  var hasUnicodeClasses: Bool { self == .rust }
  /// Whether `\u` and `\U` start a code point, and `\<`, `\>` and `\b{…}` are word boundaries.
  var hasLongEscapes: Bool { self == .rust }
  /// The letters of `(?…)`.
  var flagLetters: StaticString { self == .re2 ? "imsU" : "imsUuxR" }
  /// The largest count of a repetition. For Rust it is what the engine can hold; Rust itself stops
  /// at ten megabytes of compiled program.
  var maximumRepetition: Int { self == .re2 ? 1_000 : 65_535 }
  /// The largest product of counts of nested repetitions.
  var maximumRepetitionProduct: Int { self == .re2 ? 1_000 : 1_000_000 }
}
