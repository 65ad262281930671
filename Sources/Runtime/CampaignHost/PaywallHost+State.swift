import CampaignCore
import CampaignMatcher
import ExpressionEngine
import PaywallLogic

// The state of the session in the matcher's store.
extension PaywallHost {
  /// Returns the state that the store has; that of a new installation if it has none, and `nil` if it cannot
  /// be read.
  static func storedState(of matcher: Matcher, _ outlet: HostOutlet) -> SessionState? {
    do {
      guard let text = try matcher.record(named: recordName) else { return SessionState() }
      return try SessionState(json: text)
    } catch {
      outlet.log("\(error)")
      return nil
    }
  }

  /// Tells the matcher the status of the last launch. The process may have ended between the two writes.
  static func restore(
    _ status: UserSubscriptionStatus, in matcher: Matcher, _ outlet: HostOutlet
  ) {
    guard status != .unknown else { return }
    do throws(StoreError) {
      try matcher.device.setSubscriptionStatus(status)
    } catch {
      outlet.log(error)
    }
  }

  /// Writes the state of the session if it has changed, before anybody hears of the change. A failure is
  /// logged, and the next change tries again.
  func saveState() {
    guard let saved = savedState else { return }
    let state = session.state
    guard state != saved else { return }
    do {
      try matcher.setRecord(named: Self.recordName, to: try state.json())
      savedState = state
    } catch {
      outlet.log("\(error)")
    }
  }
}
