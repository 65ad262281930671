import ExpressionEngine

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#elseif canImport(Foundation)
  public import Foundation
#endif

extension SQLFilterError: CustomStringConvertible {
  /// The first mistake of the text and its place, or the reason for the refusal.
  public var description: String {
    switch self {
    case .invalid(let error): "\(error.message) (line \(error.line), column \(error.column))"
    case .refused(let refusal): refusal.description
    }
  }
}

#if canImport(FoundationEssentials) || canImport(Foundation)
  // `localizedDescription` is the same sentence as `print` shows.

  extension Refusal: LocalizedError {
    /// The reason.
    public var errorDescription: String? { description }
  }

  extension SQLFilterError: LocalizedError {
    /// The error as one sentence.
    public var errorDescription: String? { description }
  }
#endif
