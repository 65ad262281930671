public import CampaignCore

/// The tokens with which the App Store grants or refuses introductory offers against its own judgement
/// (docs/spec/campaigns.md §8.18).
///
/// The server issues them for the products of one paywall, and they expire. The machine keeps them while
/// the paywall is open.
public struct IntroOfferTokens: Sendable, Equatable {
  /// A token of one product.
  public struct Token: Sendable, Equatable {
    /// The signed text for the store.
    public var text: String
    /// When it expires.
    public var expiresAt: WallTime

    /// Creates a token.
    public init(text: String, expiresAt: WallTime) {
      self.text = text
      self.expiresAt = expiresAt
    }
  }

  /// A request for tokens.
  public struct Request: Sendable, Equatable {
    /// The paywall whose products need tokens.
    public var paywallIdentifier: String
    /// The products that have introductory offers.
    public var productIDs: [String]
    /// The id of the app's own transaction, which the store signs for.
    public var appTransactionID: String
    /// Whether the offers are granted; otherwise they are refused.
    public var grantsOffers: Bool

    /// Creates a request.
    public init(
      paywallIdentifier: String, productIDs: [String], appTransactionID: String,
      grantsOffers: Bool
    ) {
      self.paywallIdentifier = paywallIdentifier
      self.productIDs = productIDs
      self.appTransactionID = appTransactionID
      self.grantsOffers = grantsOffers
    }
  }

  /// An event of the tokens.
  public indirect enum Event: Sendable, Equatable {
    /// A paywall loaded. `appTransactionID` is `nil` on systems that do not have one.
    case paywallLoaded(
      identifier: String, OfferEligibility, productIDs: [String], appTransactionID: String?)
    /// The server sent tokens by product.
    case fetched([String: Token])
    /// The server could not be reached, or refused.
    case fetchFailed
    /// The app entered the foreground.
    case foregrounded(at: WallTime)
  }

  /// Something that the tokens need.
  public enum Effect: Sendable, Equatable {
    /// Fetches tokens from the server; the response comes back as an event.
    case fetch(Request)
  }

  /// The tokens by product.
  public private(set) var tokens: [String: Token] = [:]
  /// The request that is repeated when tokens expire.
  public private(set) var request: Request?

  /// Creates an empty collection.
  public init() {}

  /// Returns the token of a product, or `nil` if there is none or if it has expired.
  ///
  /// - Parameters:
  ///   - productID: The product.
  ///   - now: The present time.
  public func validToken(for productID: String, at now: WallTime) -> Token? {
    tokens[productID].flatMap { now < $0.expiresAt ? $0 : nil }
  }

  /// Takes an event.
  ///
  /// A paywall that leaves the decision to the store needs no tokens. After a failure the tokens that
  /// are there stay, and expire in their time.
  ///
  /// - Returns: The effects, in order.
  public mutating func handle(_ event: Event) -> [Effect] {
    switch event {
    case .paywallLoaded(let identifier, let eligibility, let productIDs, let transaction):
      guard eligibility != .automatic, !productIDs.isEmpty, let transaction else { return [] }
      let request = Request(
        paywallIdentifier: identifier, productIDs: productIDs, appTransactionID: transaction,
        grantsOffers: eligibility == .alwaysEligible)
      self.request = request
      return [.fetch(request)]
    case .fetched(let tokens):
      self.tokens = tokens
      return []
    case .fetchFailed: return []
    case .foregrounded(let now):
      guard let request, tokens.values.contains(where: { $0.expiresAt <= now }) else { return [] }
      return [.fetch(request)]
    }
  }
}
