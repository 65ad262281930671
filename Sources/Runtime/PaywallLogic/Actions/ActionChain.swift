import CampaignCore
public import ExpressionEngine

/// The actions of one paywall: callbacks that wait and those that do not, permissions and the rest
/// (docs/spec/campaigns.md §8.6).
public struct ActionChain: StateMachine {
  /// An event of the actions.
  public indirect enum Event: Sendable, Equatable {
    /// The paywall is on screen; `hasHandler` says whether the registration handles callbacks.
    case presented(PaywallDetails, hasHandler: Bool)
    /// An element with actions was tapped. The id distinguishes taps; one that is in use is
    /// ignored.
    case tapped(id: String, [PaywallAction])
    /// The app's code answered a callback.
    case callbackFinished(requestID: String, PaywallCallbackResult)
    /// The time to wait for a callback is over.
    case timedOut(requestID: String)
    /// The user answered the system.
    case permissionAnswered(requestID: String, isGranted: Bool)
    /// The paywall is gone.
    case dismissed
  }

  /// A request without an answer, and how to go on with one.
  private struct Pending: Sendable, Equatable {
    enum Request: Sendable, Equatable {
      case callback(name: String)
      case permission(Permission)
      /// The first of two steps to the location at all times.
      case location
    }

    var request: Request
    var onSuccess: [PaywallAction]
    var onFailure: [PaywallAction]
    /// The actions after a request that the chain waits for.
    var rest: [PaywallAction]
  }

  /// How long a callback may take, in milliseconds; `nil` for no limit, as in the reference.
  public let callbackTimeout: Int64?
  /// The settings of system and app that decide on permissions.
  public var permissions: PermissionEnvironment
  @_Boxed package private(set) var paywall: PaywallDetails? = nil
  package private(set) var hasHandler = false
  private var pending: [String: Pending] = [:]
  /// The last result of each callback by its name.
  public private(set) var results: [String: PaywallCallbackResult] = [:]

  /// Creates a chain without a paywall.
  public init(
    callbackTimeout: Int64? = nil, permissions: PermissionEnvironment = PermissionEnvironment()
  ) {
    self.callbackTimeout = callbackTimeout
    self.permissions = permissions
  }

  /// The ids of the requests without an answer, sorted.
  public var pendingRequestIDs: [String] { pending.keys.sorted() }

  /// The root `callbacks` for filters: `callbacks.<name>.status` and `callbacks.<name>.data.<key>`.
  public var filterRoots: [String: Value] {
    ["callbacks": Value(object: results.mapValues(\.value))]
  }

  /// Takes an event; see ``StateMachine``.
  public mutating func handle(_ event: Event) -> [PaywallEffect] {
    switch event {
    case .presented(let info, let hasHandler):
      paywall = info
      self.hasHandler = hasHandler
      return []
    case .tapped(let id, let actions):
      guard let paywall, !pending.keys.contains(where: { $0.hasPrefix(id + ".") }) else {
        return []
      }
      return run(actions, id: id, of: paywall)
    case .callbackFinished(let id, let result):
      return finishCallback(id, result.isEncodable ? result : .failure())
    case .timedOut(let id): return finishCallback(id, .failure())
    case .permissionAnswered(let id, let isGranted): return answer(id, isGranted: isGranted)
    case .dismissed:
      paywall = nil
      hasHandler = false
      pending = [:]
      return []
    }
  }

  /// Runs actions until one that has to be waited for.
  ///
  /// - Parameter id: The id of the tap, or of the request whose branch this is.
  private mutating func run(
    _ actions: [PaywallAction], id: String, of paywall: PaywallDetails
  ) -> [PaywallEffect] {
    var effects: [PaywallEffect] = []
    for (index, action) in actions.enumerated() {
      let request = "\(id).\(index + 1)"
      let rest = Array(actions[(index + 1)...])
      switch action {
      case .callback(let name, let behavior, let variables, let onSuccess, let onFailure):
        let waits = behavior == .blocking
        pending[request] = Pending(
          request: .callback(name: name), onSuccess: onSuccess, onFailure: onFailure,
          rest: waits ? rest : [])
        guard hasHandler else {
          // Nobody listens: the paywall gets a failure, after the actions that do not wait. The plus sign
          // keeps the ids of their requests apart from those of the branch.
          let others = waits ? [] : run(rest, id: request + "+", of: paywall)
          return effects + others + finishCallback(request, .failure())
        }
        effects.append(
          .onCustomCallback(
            PaywallCallback(
              requestID: request, name: name, behavior: behavior, variables: variables)))
        if let callbackTimeout {
          effects.append(.startTimer(requestID: request, milliseconds: callbackTimeout))
        }
        if waits { return effects }
      case .requestPermission(let permission, let onGranted, let onDenied):
        pending[request] = Pending(
          request: .permission(permission), onSuccess: onGranted, onFailure: onDenied, rest: rest)
        return effects + ask(permission, request)
      case .custom, .setUserAttributes, .customPlacement, .purchase, .restore, .openURL,
        .openDeepLink, .requestReview, .close:
        effects += Self.effects(of: action, on: paywall)
      }
    }
    return effects
  }

  /// The effects of an action that nothing waits for.
  private static func effects(
    of action: PaywallAction, on paywall: PaywallDetails
  ) -> [PaywallEffect] {
    switch action {
    case .custom(let name): [.delegate(.handleCustomPaywallAction(name))]
    case .setUserAttributes(let attributes):
      [.mergeUserAttributes(attributes), .delegate(.userAttributesDidChange(attributes))]
    case .customPlacement(let name, let parameters):
      [.track(.customPlacement(paywall, name: name, parameters: parameters))]
    case .purchase(let name): [.command(.startPurchase(productName: name))]
    case .restore: [.command(.startRestore)]
    case .openURL(let url): [.delegate(.paywallWillOpenURL(url)), .openURL(url)]
    case .openDeepLink(let url): [.delegate(.paywallWillOpenDeepLink(url)), .openDeepLink(url)]
    case .requestReview: [.requestReview]
    case .close: [.command(.closePaywall)]
    case .callback, .requestPermission: []
    }
  }

  private mutating func finishCallback(
    _ id: String, _ result: PaywallCallbackResult
  ) -> [PaywallEffect] {
    guard let paywall, let request = pending[id], case .callback(let name) = request.request else {
      return []
    }
    pending[id] = nil
    results[name] = result
    let branch = result.status == .success ? request.onSuccess : request.onFailure
    return [.message(.callbackResult(requestID: id, name: name, result))]
      + run(branch + request.rest, id: id, of: paywall)
  }
}

extension ActionChain {
  /// Begins a request whose continuation is stored.
  private mutating func ask(_ permission: Permission, _ id: String) -> [PaywallEffect] {
    guard let paywall else { return [] }
    let requested = PaywallEffect.track(.permissionRequested(permission, paywall.identifier))
    guard permissions.canAsk(for: permission) else {
      return [requested] + finishPermission(id, permission, .unsupported)
    }
    let answer = permissions.answer(for: permission)
    guard answer.isOpen else {
      return [requested]
        + finishPermission(id, permission, answer == .authorized ? .granted : .denied)
    }
    guard permission == .backgroundLocation else {
      return [requested, .requestPermission(permission, requestID: id)]
    }
    switch permissions.answer(for: .location) {
    case .authorized: return [requested, .requestPermission(permission, requestID: id)]
    case .denied: return [requested] + finishPermission(id, permission, .denied)
    case .notDetermined, .provisional:
      pending[id]?.request = .location
      return [requested, .requestPermission(.location, requestID: id)]
    }
  }

  private mutating func answer(_ id: String, isGranted: Bool) -> [PaywallEffect] {
    switch pending[id]?.request {
    case .permission(let permission):
      permissions.answers[permission] = isGranted ? .authorized : .denied
      return finishPermission(id, permission, isGranted ? .granted : .denied)
    case .location:
      permissions.answers[.location] = isGranted ? .authorized : .denied
      pending[id]?.request = .permission(.backgroundLocation)
      guard isGranted else { return finishPermission(id, .backgroundLocation, .denied) }
      return [.requestPermission(.backgroundLocation, requestID: id)]
    case .callback, nil: return []
    }
  }

  private mutating func finishPermission(
    _ id: String, _ permission: Permission, _ status: PermissionStatus
  ) -> [PaywallEffect] {
    guard let paywall, let request = pending.removeValue(forKey: id) else { return [] }
    let event: AnalyticsEvent =
      status == .granted
      ? .permissionGranted(permission, paywall.identifier)
      : .permissionDenied(permission, paywall.identifier)
    let branch = status == .granted ? request.onSuccess : request.onFailure
    return [
      .track(event), .message(.permissionResult(requestID: id, permission, status)),
    ] + run(branch + request.rest, id: id, of: paywall)
  }
}
