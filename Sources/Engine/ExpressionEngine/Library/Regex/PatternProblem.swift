package import ExpressionSyntax
import LinearRegex

/// A problem of a regular expression, for checks that read the text of a filter.
package struct PatternProblem: Sendable, Hashable {
  /// A readable description of the problem, without a period at the end.
  package let message: String
  /// The position in the pattern, in bytes.
  package let offset: Int
  /// The length of the part concerned in bytes, which may be 0.
  package let length: Int

  /// Compiles a pattern as a filter of the dialect would.
  ///
  /// - Returns: The problem, or `nil` if the pattern is valid.
  package static func find(in pattern: [UInt8], dialect: Dialect.Name) -> PatternProblem? {
    pattern.withUnsafeBufferPointer { bytes in
      do throws(RegexError) {
        _ = try CompiledRegex(bytes, syntax: dialect.regexSyntax, usesPCRE2: false)
        return nil
      } catch {
        return PatternProblem(message: error.message, offset: error.offset, length: error.length)
      }
    }
  }
}
