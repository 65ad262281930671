package import ExpressionSyntax
import LinearRegex

/// What is wrong with a regular expression, for checks that read the text of a filter.
package struct PatternProblem: Sendable, Hashable {
  /// What is wrong, for people, without a period at the end.
  package let message: String
  /// Where in the pattern, in bytes.
  package let offset: Int
  /// How many bytes are concerned; may be 0.
  package let length: Int

  /// Compiles a pattern as a filter of the dialect would.
  ///
  /// - Returns: What is wrong with it, or `nil` if it can be used.
  package static func find(in pattern: [UInt8], dialect: Dialect.Name) -> PatternProblem? {
    pattern.withUnsafeBufferPointer { bytes in
      do throws(RegexError) {
        _ = try CompiledRegex(bytes, syntax: dialect == .cel ? .re2 : .rust, usesPCRE2: false)
        return nil
      } catch {
        return PatternProblem(message: error.message, offset: error.offset, length: error.length)
      }
    }
  }
}
