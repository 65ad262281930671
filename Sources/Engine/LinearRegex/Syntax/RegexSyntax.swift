/// The language that a pattern is written in.
public enum RegexSyntax: UInt8, Sendable, CaseIterable {
  /// Rust's `regex` 1.12.
  case rust
  /// RE2, without `\C`.
  case re2

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
  /// The largest count of a repetition, and of nested repetitions together.
  var maximumRepetition: UInt32 { self == .re2 ? 1_000 : .max }
}
