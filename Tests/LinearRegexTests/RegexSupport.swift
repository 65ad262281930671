import Foundation
import LinearRegex

/// Compiles a pattern.
func program(
  _ pattern: String, _ syntax: RegexSyntax = .rust
) throws(RegexPatternError) -> RegexProgram {
  let bytes = Array(pattern.utf8)
  return try bytes.withUnsafeBufferPointer { (bytes) throws(RegexPatternError) in
    try RegexProgram(bytes, syntax: syntax)
  }
}

/// Whether a pattern matches somewhere in a text.
func matches(_ program: RegexProgram, _ text: String) -> Bool? {
  let workspace = RegexWorkspace(program)
  return Array(text.utf8).withUnsafeBufferPointer { workspace.matches($0) }
}

/// Why a pattern is refused; `nil` if it is not.
func refusal(_ pattern: String, _ syntax: RegexSyntax = .rust) -> RegexPatternError? {
  do throws(RegexPatternError) {
    _ = try program(pattern, syntax)
    return nil
  } catch {
    return error
  }
}

/// How much the tests try.
enum Thoroughness {
  /// Whether to try all systematic and 100,000 random patterns, which takes minutes: `make regex`.
  static let isFull = ProcessInfo.processInfo.environment["SWEXPR_REGEX"] == "full"
}
