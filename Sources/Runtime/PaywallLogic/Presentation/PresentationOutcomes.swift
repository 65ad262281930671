/// How a paywall ended for the user (docs/spec/campaigns.md §8.4). A cancelled purchase is no end: the
/// paywall stays, and closing it then is ``declined``.
public indirect enum PaywallOutcome: Sendable, Equatable, CustomStringConvertible {
  /// The product with this identifier was bought.
  case purchased(String)
  /// The user closed the paywall, or the app or a link did.
  case declined
  /// An earlier purchase was restored.
  case restored

  /// The result in one or two words.
  public var description: String {
    switch self {
    case .purchased(let product): "purchased \(product)"
    case .declined: "declined"
    case .restored: "restored"
    }
  }
}

/// Why a paywall closed, with the word of the wire (docs/spec/campaigns.md §8.4).
public enum CloseReason: String, Sendable, Hashable, CaseIterable {
  /// It has not closed.
  case none
  /// A purchase, a link or the app closed it.
  case systemLogic
  /// Another paywall takes its place.
  case forNextPaywall
  /// Its content did not load.
  case webViewFailedToLoad
  /// The user closed it.
  case manualClose
}
