/// The routing of links: to the SDK, or back to the app.
///
/// A link that comes before the config is kept, and routed when the config has come. Only the last one
/// is: each link is where the user wants to be now.
public struct DeepLinkRouter: StateMachine {
  /// An event of the router.
  public indirect enum Event: Sendable, Equatable {
    /// The config of the last launch was read.
    case cachedConfig(hasDeepLinkTrigger: Bool)
    /// The config came.
    case configured(hasDeepLinkTrigger: Bool)
    /// A link opened the app.
    case opened(String)
  }

  package private(set) var isConfigured = false
  package private(set) var hasDeepLinkTrigger = false
  package private(set) var pending: String?

  /// Creates a router without a config.
  public init() {}

  /// Returns whether the SDK takes care of the link, as `handleDeepLink` does. If not, the app goes on with
  /// its own routing.
  ///
  /// True for links of the service, for codes and previews, and for every link if the config, or before
  /// it the config of the last launch, presents paywalls on `deepLink_open`.
  public func recognizes(_ url: String) -> Bool {
    let link = AppLink(url)
    return link.isServiceLink || link.redemptionCode != nil || link.isPreview || hasDeepLinkTrigger
  }

  /// Takes an event; see ``StateMachine``.
  public mutating func handle(_ event: Event) -> [PaywallEffect] {
    switch event {
    case .cachedConfig(let hasTrigger):
      if !isConfigured { hasDeepLinkTrigger = hasTrigger }
      return []
    case .configured(let hasTrigger):
      isConfigured = true
      hasDeepLinkTrigger = hasTrigger
      let url = pending
      pending = nil
      return url.map(Self.route) ?? []
    case .opened(let url):
      guard isConfigured else {
        pending = url
        return []
      }
      return Self.route(url)
    }
  }

  private static func route(_ url: String) -> [PaywallEffect] {
    let link = AppLink(url)
    if let code = link.redemptionCode { return [.command(.redeemCode(code))] }
    var effects: [PaywallEffect] = []
    if link.isServiceLink {
      effects.append(
        .delegate(
          .handleSuperwallDeepLink(
            url: url, pathComponents: link.pathComponents, query: link.queryParameters)))
    }
    effects.append(.openLink(link.trackedURL))
    if link.isPreview { effects.append(.openPreview(link.trackedURL)) }
    return effects
  }
}
