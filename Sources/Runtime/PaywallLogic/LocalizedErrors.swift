#if canImport(FoundationEssentials)
  @_weakLinked public import FoundationEssentials
#elseif canImport(Foundation)
  public import Foundation
#endif

#if canImport(FoundationEssentials) || canImport(Foundation)
  // `localizedDescription` is the same sentence as `print` shows.

  extension PurchaseError: LocalizedError {
    /// The error as one sentence.
    public var errorDescription: String? { description }
  }

  extension AdaptyError: LocalizedError {
    /// The sentence of the event.
    public var errorDescription: String? { message }
  }

  extension AdaptyDecodingError: LocalizedError {
    /// The error as one sentence.
    public var errorDescription: String? { description }
  }
#endif
