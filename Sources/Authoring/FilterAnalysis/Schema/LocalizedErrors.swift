#if canImport(FoundationEssentials)
  public import FoundationEssentials
#elseif canImport(Foundation)
  public import Foundation
#endif

#if canImport(FoundationEssentials) || canImport(Foundation)
  extension AttributeSchema.ReadingError: LocalizedError {
    /// The error as `print` shows it.
    public var errorDescription: String? { description }
  }
#endif
