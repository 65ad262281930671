public import CampaignCore
import ExpressionEngine

extension RedemptionFlow {
  /// A message of the checkout page, with the word of the wire.
  public enum CheckoutStep: String, Sendable, Hashable, CaseIterable {
    /// The page opened.
    case start = "stripe_checkout_start"
    /// The user submitted.
    case submit = "stripe_checkout_submit"
    /// The purchase was made.
    case complete = "stripe_checkout_complete"
    /// The purchase failed.
    case fail = "stripe_checkout_fail"
    /// The user left. There is no such event: it counts as an abandoned transaction.
    case abandon = "stripe_checkout_abandon"
  }

  /// An event of purchases on the web.
  public enum Event: Sendable, Hashable {
    /// A paywall appeared; with the entitlements of its products.
    case paywallPresented(PaywallInfo, entitlements: Set<String>)
    /// The paywall is gone.
    case paywallDismissed
    /// A link brought a code.
    case link(code: String)
    /// The known codes are to be redeemed once more, such as after a purchase.
    case existingCodes
    /// The server responded to the request with this id, with the entitlements that are active on the
    /// device. Without an id, the results tell which request it is.
    case responded(Response, device: Set<String>, at: WallTime, id: Int? = nil)
    /// The server redeemed the code of a checkout that was pending; see ``CheckoutRecovery``.
    case recovered(Response, code: String, device: Set<String>, at: WallTime)
    /// The server could not be reached with the request of this id; by default the oldest one.
    case networkFailed(String, id: Int? = nil)
    /// The app was launched.
    case launched
    /// The app came to the foreground.
    case foregrounded(at: WallTime)
    /// The web entitlements were fetched; with the entitlements that are active without them.
    case fetched(CustomerInfo, at: WallTime, others: Set<String> = [])
    /// The checkout page sent a message about a product.
    case checkout(CheckoutStep, productID: String)

    /// The kinds of events, for tests that must try each.
    public enum Kind: String, Sendable, CaseIterable {
      /// See ``Event/paywallPresented(_:entitlements:)``.
      case paywallPresented
      /// See ``Event/paywallDismissed``.
      case paywallDismissed
      /// See ``Event/link(code:)``.
      case link
      /// See ``Event/existingCodes``.
      case existingCodes
      /// See ``Event/responded(_:device:at:id:)``.
      case responded
      /// See ``Event/recovered(_:code:device:at:)``.
      case recovered
      /// See ``Event/networkFailed(_:id:)``.
      case networkFailed
      /// See ``Event/launched``.
      case launched
      /// See ``Event/foregrounded(at:)``.
      case foregrounded
      /// See ``Event/fetched(_:at:others:)``.
      case fetched
      /// See ``Event/checkout(_:productID:)``.
      case checkout
    }

    /// The kind of the event.
    public var kind: Kind {
      switch self {
      case .paywallPresented: .paywallPresented
      case .paywallDismissed: .paywallDismissed
      case .link: .link
      case .existingCodes: .existingCodes
      case .responded: .responded
      case .recovered: .recovered
      case .networkFailed: .networkFailed
      case .launched: .launched
      case .foregrounded: .foregrounded
      case .fetched: .fetched
      case .checkout: .checkout
      }
    }
  }
}

extension RedemptionFlow.Event: CustomStringConvertible {
  /// The event in a few words.
  public var description: String {
    switch self {
    case .paywallPresented(let info, let entitlements):
      "paywallPresented \(info.identifier) for \(entitlements.sorted().joined(separator: ","))"
    case .paywallDismissed, .existingCodes, .launched: kind.rawValue
    case .link(let code): "link \(code)"
    case .responded(let response, _, _, _):
      "responded \(response.results.map(\.description).joined(separator: ", "))"
        + " \(response.customerInfo)"
    case .recovered(let response, let code, _, _):
      "recovered \(code) \(response.customerInfo)"
    case .networkFailed(let message, _): "networkFailed \(message)"
    case .foregrounded(let now): "foregrounded \(now)"
    case .fetched(let info, let now, _): "fetched \(info.summary) \(now)"
    case .checkout(let step, let product): "\(step.rawValue) \(product)"
    }
  }
}

extension RedemptionFlow: CustomStringConvertible {
  /// The requests under way, the codes, the queue, the paywall and the date of the last fetch.
  public var description: String {
    var parts = running.isEmpty ? ["idle"] : running.map(\.description)
    if !codes.isEmpty { parts.append("codes \(codes.joined(separator: ","))") }
    if !queue.isEmpty { parts.append("then \(queue.joined(separator: ","))") }
    if let identifier = paywallIdentifier { parts.append("over \(identifier)") }
    if let date = fetchedAt { parts.append("fetched \(date)") }
    if !web.entitlements.isEmpty { parts.append("web \(web)") }
    return parts.joined(separator: "; ")
  }
}

extension RedemptionFlow.Redemption: CustomStringConvertible {
  /// The codes and the number of repetitions.
  public var description: String {
    let list = codes.map(\.description).joined(separator: ",")
    return "redeeming \(kind.wireName) [\(list)] #\(attempt)" + (id > 0 ? " id \(id)" : "")
      + (isOverPaywall ? " over a paywall" : "") + (isRepeated ? ", then again" : "")
  }
}
