public import ExpressionCoding
public import ExpressionEngine
import ExpressionPrinting

#if canImport(FoundationEssentials)
  @_weakLinked public import FoundationEssentials
#elseif canImport(Foundation)
  public import Foundation
#endif

#if canImport(FoundationEssentials) || canImport(Foundation)
  // `localizedDescription`, which apps log and alerts show, is one sentence. `print` shows the
  // excerpt with carets.

  extension FilterError: LocalizedError {
    /// The first mistake, its place, and the text's id or index if it is one of several.
    public var errorDescription: String? {
      let name = (filterID ?? index.map { "filters[\($0)]" }).map { "\($0): " } ?? ""
      let others = diagnostics.count > 1 ? ", and \(diagnostics.count - 1) more" : ""
      return "\(name)\(message) (line \(line), column \(column))\(others)"
    }
  }

  extension EvaluationError: LocalizedError {
    /// The message and its id. It has no value of an attribute.
    public var errorDescription: String? { "\(message) (\(id.rawValue))" }
  }

  extension JSONError: LocalizedError {
    /// The message and its place.
    public var errorDescription: String? { description }
  }

  extension Value.NotJSON: LocalizedError {
    /// The reason.
    public var errorDescription: String? { description }
  }

  extension HostFunctionError: LocalizedError {
    /// The message of the host function.
    public var errorDescription: String? { description }
  }

  extension Context.AttributeError: LocalizedError {
    /// One sentence for each value.
    public var errorDescription: String? { description }
  }
#endif
