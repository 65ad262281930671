public import ExpressionCoding
public import ExpressionEngine
import ExpressionPrinting

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#elseif canImport(Foundation)
  public import Foundation
#endif

#if canImport(FoundationEssentials) || canImport(Foundation)
  // `localizedDescription` and alerts show the same text as `print`.

  extension FilterError: LocalizedError {
    /// The error as `print` shows it.
    public var errorDescription: String? { description }
  }

  extension EvaluationError: LocalizedError {
    /// The error as `print` shows it.
    public var errorDescription: String? { description }
  }

  extension JSONError: LocalizedError {
    /// The error as `print` shows it.
    public var errorDescription: String? { description }
  }

  extension Value.NotJSON: LocalizedError {
    /// The error as `print` shows it.
    public var errorDescription: String? { description }
  }
#endif
