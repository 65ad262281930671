import CampaignCore
import CampaignMatcher
import ExpressionEngine
package import PaywallLogic

/// Something that happened and that a host has not dealt with.
enum HostMessage: Sendable {
  /// The matcher decided about a request; `nil` when nothing follows from an event.
  case decided(HostRequest, Result<MatchOutcome?, StoreError>)
  /// The turn of a link has come.
  case turn(LineTurn)
  /// Something else happened.
  case happened(PaywallSession.Event)
}

/// A request of the app, or of an event of the SDK.
package struct HostRequest: Sendable {
  /// Tells the request from every other one.
  var number: UInt64 = 0
  var kind = PresentationFlow.Request.register
  var source = PresentationSource.register
  var handler = PresentationHandler()
  /// Products that take the place of others, for this request only.
  var overrides: [String: String]?
  /// Hears the end of a paywall that the app presents.
  var onFinish: (@Sendable (PaywallDetails, PaywallOutcome, _ shouldDismiss: Bool) -> Void)?

  /// Creates the request of a registration.
  package init(
    number: UInt64 = 0, handler: PresentationHandler = PresentationHandler(),
    overrides: [String: String]? = nil
  ) {
    self.number = number
    self.handler = handler
    self.overrides = overrides
  }

  /// The request of an event of the SDK.
  static let implicit: HostRequest = {
    var request = HostRequest()
    request.source = .implicit
    return request
  }()
}

/// The messages to a host, in order. The matcher and its clock leave them from any thread.
final class HostInbox: Sendable {
  private struct State {
    var messages: [HostMessage] = []
    var wake: (@Sendable () -> Void)?
  }

  private let state = Locked(State())

  /// Sets what happens when a message has come.
  func onMessage(_ wake: (@Sendable () -> Void)?) {
    state.withLock { $0.wake = wake }
  }

  func put(_ message: HostMessage) {
    let wake = state.withLock { state in
      state.messages.append(message)
      return state.wake
    }
    wake?()
  }

  func take() -> HostMessage? {
    state.withLock { $0.messages.isEmpty ? nil : $0.messages.removeFirst() }
  }
}
