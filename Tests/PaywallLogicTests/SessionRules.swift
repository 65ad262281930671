import PaywallLogic

/// What holds for a session whatever happens: callbacks come in pairs, and a feature runs at most
/// once for each registration.
struct SessionRules {
  private(set) var presented = 0
  private var registrations = 0
  private var features = 0
  private var willDismiss = 0
  private var dismissed = 0
  private var redemptions = 0

  /// Notes an event and what came of it.
  ///
  /// - Returns: What is wrong, in sentences.
  mutating func faults(after event: PaywallSession.Event, _ effects: [PaywallEffect]) -> [String] {
    switch event {
    // The events of a registration that go past the session count as one, too.
    case .registered, .presentation(.decided): registrations += 1
    default: break
    }
    var faults: [String] = []
    func expect(_ condition: Bool, _ fault: String) { if !condition { faults.append(fault) } }
    for effect in effects {
      switch effect {
      case .runFeature: features += 1
      case .onPresent: presented += 1
      case .onWillDismiss:
        willDismiss += 1
        expect(willDismiss == presented, "onWillDismiss without onPresent")
      case .onDismiss:
        dismissed += 1
        expect(dismissed == willDismiss, "onDismiss without onWillDismiss")
      case .delegate(.willRedeemLink): redemptions += 1
      case .delegate(.didRedeemLink): redemptions -= 1
      default: break
      }
    }
    expect(
      features <= registrations, "\(features) features of \(registrations) registrations have run")
    expect((0...1).contains(presented - dismissed), "\(presented - dismissed) paywalls on screen")
    // Without a paywall two codes are redeemed at the same time.
    expect((0...2).contains(redemptions), "\(redemptions) redemptions at a time")
    return faults
  }
}
