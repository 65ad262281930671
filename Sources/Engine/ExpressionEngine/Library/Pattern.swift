// Regular expressions, as the machine uses them.

package import ExpressionSyntax
package import LinearRegex

extension Dialect.Name {
  /// The syntax of regular expressions in filters of the dialect.
  package var regexSyntax: RegexSyntax { self == .cel ? .re2 : .rust }
}

extension ValueRules {
  /// The syntax of regular expressions.
  var regexSyntax: RegexSyntax { contains(.re2Patterns) ? .re2 : .rust }
}

extension Machine {
  /// Patterns that are not literals, compiled; shared by all evaluations.
  static let patterns = RegexCache()

  /// Returns whether a pattern that was compiled with the program matches anywhere in a text.
  @inline(never)
  mutating func matches(_ subject: Slot, _ pattern: CompiledRegex) -> Slot {
    guard subject.isA(.string) else { return fail(.unexpectedType, subject) }
    guard spend(searchOf: subject.aux, for: pattern) else { return failed }
    do {
      return .bool(try pattern.matches(subject.byteBuffer))
    } catch {
      return fail(error.failureCode)
    }
  }

  /// Returns whether a computed pattern matches anywhere in a text.
  @inline(never)
  mutating func matches(_ subject: Slot, _ pattern: Slot) -> Slot {
    do {
      let regex = try Self.patterns.regex(pattern.byteBuffer, syntax: rules.regexSyntax)
      guard spend(compilationOf: regex), spend(searchOf: subject.aux, for: regex) else {
        return failed
      }
      return .bool(try regex.matches(subject.byteBuffer))
    } catch {
      cause = .regex(error)
      return fail(error.failureCode, pattern)
    }
  }
}

extension Machine {
  /// Consumes the steps for compiling a pattern, as ``spend(steps:)``. A pattern from the cache
  /// costs the same, so that results do not depend on what was evaluated before.
  mutating func spend(compilationOf regex: CompiledRegex) -> Bool {
    spend(states: regex.size)
  }

  /// Consumes the steps for searching a text of `count` bytes, as ``spend(steps:)``.
  fileprivate mutating func spend(searchOf count: UInt32, for regex: CompiledRegex) -> Bool {
    count < 16 || spend(states: regex.statesVisited(for: Int(count)))
  }
}

extension RegexError {
  /// The failure code, which distinguishes an invalid pattern from one that takes too long.
  var failureCode: FailureCode { kind == .tooCostly ? .patternLimit : .invalidPattern }
}
