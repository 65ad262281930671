#if canImport(FoundationEssentials)
  @_weakLinked public import FoundationEssentials
#elseif canImport(Foundation)
  public import Foundation
#endif

#if canImport(FoundationEssentials) || canImport(Foundation)
  // `localizedDescription` is the same sentence as `print` shows.

  extension ConfigError: LocalizedError {
    /// The error as one sentence.
    public var errorDescription: String? { description }
  }

  extension MatchError: LocalizedError {
    /// The error as one sentence.
    public var errorDescription: String? { description }
  }

  extension StoreError: LocalizedError {
    /// The error as one sentence.
    public var errorDescription: String? { description }
  }
#endif
