public import CampaignCore
public import ExpressionEngine

/// An event for analytics tools and the server: a name with parameters (docs/spec/campaigns.md §8.7).
///
/// Each event of the SDK has a static member that creates it, such as ``paywallOpen(_:)``. A
/// delegate distinguishes events by ``name``:
///
///     if event.name == .transactionComplete, let details = event.transaction {
///       print("bought", details.product.id)
///     }
public struct AnalyticsEvent: Sendable {
  /// One reference, because effects and timelines copy events often.
  private final class Content: Sendable {
    let name: BuiltInEvent
    let trackedName: String
    let parameters: [String: Value]
    let filterParameters: [String: Value]
    let paywall: PaywallDetails?
    let transaction: TransactionDetails?
    let detail: String?

    init(
      _ name: BuiltInEvent, trackedName: String, _ parameters: [String: Value],
      filterParameters: [String: Value], paywall: PaywallDetails?, transaction: TransactionDetails?,
      detail: String?
    ) {
      self.name = name
      self.trackedName = trackedName
      self.parameters = parameters
      self.filterParameters = filterParameters
      self.paywall = paywall
      self.transaction = transaction
      self.detail = detail
    }
  }

  private let content: Content

  /// Creates an event that is about no paywall.
  ///
  /// - Parameters:
  ///   - name: The kind of the event.
  ///   - parameters: The parameters beyond those that every event has.
  ///   - isSeenByFilters: Whether filters see the parameters when the event presents a paywall.
  ///   - detail: The text that distinguishes the event from others of its name, for logs.
  public init(
    _ name: BuiltInEvent, _ parameters: [String: Value] = [:], isSeenByFilters: Bool = false,
    detail: String? = nil
  ) {
    content = Content(
      name, trackedName: name.rawValue, parameters,
      filterParameters: isSeenByFilters ? parameters : [:], paywall: nil, transaction: nil,
      detail: detail)
  }

  /// Creates an event that is about a paywall.
  ///
  /// - Parameters:
  ///   - trackedName: The name to track; by default that of the kind.
  ///   - paywall: The paywall, whose parameters are those of the event.
  ///   - parameters: The parameters beyond those of the paywall, the product and the transaction;
  ///     `nil` for one that is not known.
  ///   - forFilters: The parameters beyond those of the paywall that filters see.
  init(
    _ name: BuiltInEvent, trackedName: String? = nil, about paywall: PaywallDetails,
    closeReason: CloseReason = .none, product: PaywallProduct? = nil,
    payment: PaywallTransaction? = nil, _ parameters: [String: Value?] = [:],
    forFilters: [String: Value?] = [:], transaction: TransactionDetails? = nil,
    detail: String? = nil
  ) {
    var all = paywall.parameters(closeReason: closeReason, product: product)
    all.add((payment?.parameters ?? [:]).mapValues { .string($0) })
    all.add(parameters)
    var seen = paywall.filterParameters
    seen.add(forFilters)
    content = Content(
      name, trackedName: trackedName ?? name.rawValue, all, filterParameters: seen,
      paywall: paywall, transaction: transaction, detail: detail)
  }

  /// The kind of the event.
  public var name: BuiltInEvent { content.name }

  /// The name under which the event is tracked: that of its kind, or a custom placement's own.
  public var trackedName: String { content.trackedName }

  /// The paywall that the event is about.
  public var paywall: PaywallDetails? { content.paywall }

  /// The purchase that the event is about.
  public var transaction: TransactionDetails? { content.transaction }

  /// Whether the event can present a paywall. The app's own purchases never do.
  public var canTrigger: Bool {
    (name.canTrigger || name == .customPlacement) && transaction?.isObserved != true
  }

  /// The parameters that filters see when the event presents a paywall
  /// (docs/spec/campaigns.md §6.6).
  public var filterParameters: [String: Value] { content.filterParameters }

  /// Returns all parameters, including the two that every event has.
  ///
  /// - Parameter context: The surroundings of the event.
  public func parameters(in context: EventContext = EventContext()) -> [String: Value] {
    var result = content.parameters
    switch name {
    case .paywallOpen: result.add(context.demandParameters)
    case .transactionComplete:
      result.add(context.demandParameters)
      result["storefront_countryCode"] = .string(context.storefrontCountryCode)
      result["storefront_id"] = .string(context.storefrontID)
    default: break
    }
    result["is_superwall"] = true
    result["app_session_id"] = .string(context.sessionID)
    return result
  }

  /// The attributes with which another tool can form cohorts: the experiment and the variant of a
  /// `trigger_fire`; none for any other event.
  public var cohortAttributes: [String: Bool] {
    guard name == .triggerFire, case .string(let experiment)? = content.parameters["experiment_id"],
      case .string(let variant)? = content.parameters["variant_id"]
    else { return [:] }
    return ["sw_experiment_\(experiment)": true, "sw_variant_\(variant)": true]
  }
}

extension AnalyticsEvent: Equatable {
  /// Returns whether names, parameters and transactions are equal.
  public static func == (left: AnalyticsEvent, right: AnalyticsEvent) -> Bool {
    left.content === right.content
      || left.trackedName == right.trackedName && left.name == right.name
        && left.content.parameters == right.content.parameters && left.paywall == right.paywall
        && left.transaction == right.transaction
  }
}

extension AnalyticsEvent: CustomStringConvertible {
  /// The tracked name, and what distinguishes the event from others of its name.
  public var description: String {
    guard let detail = content.detail, !detail.isEmpty else { return trackedName }
    return "\(trackedName) \(detail)"
  }
}

extension [String: Value] {
  /// Adds entries, which replace those that exist. An entry without a value is left out.
  fileprivate mutating func add(_ others: [String: Value?]) {
    for (name, value) in others {
      if let value { self[name] = value }
    }
  }
}
