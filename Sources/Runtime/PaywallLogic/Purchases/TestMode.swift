public import CampaignCore

/// Purchases, restores and entitlements that a tester chooses (docs/spec/campaigns.md §8.10).
///
/// While test mode is on, status and customer info are pinned to what the tester chose, no store is
/// asked, and all events are tracked as usual.
public struct TestMode: StateMachine {
  /// When test mode is on.
  public enum Behavior: String, Sendable, Hashable, CaseIterable {
    /// For test users, and in an app with another bundle id than the config's; never in UI tests.
    case automatic
    /// For test users.
    case whenEnabledForUser
    /// Always.
    case always
    /// Never.
    case never
  }

  /// Whether free trials are offered.
  public enum TrialOverride: String, Sendable, Hashable, CaseIterable, Codable {
    /// As without test mode.
    case useDefault
    /// Always.
    case forceAvailable
    /// Never.
    case forceUnavailable
  }

  /// Why test mode is on.
  public enum Reason: Sendable, Equatable {
    /// The app asked for it.
    case option
    /// The user is a test user.
    case testUser
    /// The bundle id is not the config's.
    case bundleIDMismatch(expected: String, actual: String)
  }

  /// The facts that decide whether test mode is on.
  public struct Situation: Sendable, Equatable {
    /// The choice of the app.
    public var behavior: Behavior
    /// The ids of the user: the identified one and the alias.
    public var userIDs: Set<String>
    /// The ids of the test users in the config.
    public var testUserIDs: Set<String>
    /// The bundle id of the app.
    public var bundleID: String?
    /// The bundle id in the config.
    public var configBundleID: String?
    /// Whether the app runs in a UI test.
    public var isUITest: Bool

    /// Creates a situation.
    public init(
      behavior: Behavior = .automatic, userIDs: Set<String> = [], testUserIDs: Set<String> = [],
      bundleID: String? = nil, configBundleID: String? = nil, isUITest: Bool = false
    ) {
      self.behavior = behavior
      self.userIDs = userIDs
      self.testUserIDs = testUserIDs
      self.bundleID = bundleID
      self.configBundleID = configBundleID
      self.isUITest = isUITest
    }

    /// Why test mode is on; `nil` if it is off. An extension of the app, whose bundle id begins with the
    /// app's, is no mismatch.
    public var reason: Reason? {
      let isTestUser = !userIDs.isDisjoint(with: testUserIDs)
      switch behavior {
      case .never: return nil
      case .always: return .option
      case .whenEnabledForUser: return isTestUser ? .testUser : nil
      case .automatic:
        if isUITest { return nil }
        if isTestUser { return .testUser }
        guard let bundleID, let configBundleID, bundleID != configBundleID,
          !bundleID.hasPrefix(configBundleID + ".")
        else { return nil }
        return .bundleIDMismatch(expected: configBundleID, actual: bundleID)
      }
    }
  }

  /// The choices of the tester. They are kept from launch to launch.
  public struct Settings: Sendable, Equatable, Codable {
    /// Whether free trials are offered.
    public var trialOverride: TrialOverride
    /// The entitlements that are active.
    public var entitlements: Set<String>
    /// The offers that active entitlements began with.
    public var offerTypes: [String: OfferType]

    /// Creates the defaults, or other settings.
    public init(
      trialOverride: TrialOverride = .useDefault, entitlements: Set<String> = [],
      offerTypes: [String: OfferType] = [:]
    ) {
      self.trialOverride = trialOverride
      self.entitlements = entitlements
      self.offerTypes = offerTypes
    }
  }

  /// How the tester ends a purchase.
  public enum PurchaseChoice: String, Sendable, Hashable, CaseIterable {
    /// The product is bought.
    case purchase
    /// The purchase is left.
    case abandon
    /// The purchase fails.
    case failure
  }

  /// Why test mode is on; `nil` if it is off.
  public private(set) var reason: Reason?
  /// The choices of the tester.
  public private(set) var settings: Settings

  /// Creates the mode, off.
  ///
  /// - Parameter settings: The choices of the last launch.
  public init(settings: Settings = Settings()) {
    self.settings = settings
  }

  /// Whether test mode is on, which makes the device attribute `isSandbox` true.
  public var isOn: Bool { reason != nil }

  /// Takes an event; see ``StateMachine``.
  public mutating func handle(_ event: Event) -> [PaywallEffect] {
    switch event {
    case .evaluated(let situation, let stored): return evaluate(situation, stored)
    case .modalClosed(let settings) where isOn:
      return [.track(.testModeModalClose(settings))] + apply(settings)
    case .resetToDefaults where isOn: return apply(Settings())
    case .purchaseChosen(let choice, let product) where isOn: return choose(choice, product)
    case .restoreChosen(let entitlements) where isOn:
      guard let entitlements else {
        return [.command(.finishRestore(.failed(nil)))]
      }
      var settings = settings
      settings.entitlements = entitlements
      return apply(settings) + [.command(.finishRestore(.restored))]
    case .modalClosed, .resetToDefaults, .purchaseChosen, .restoreChosen: return []
    }
  }

  private mutating func evaluate(
    _ situation: Situation, _ stored: Settings?
  ) -> [PaywallEffect] {
    let wasOn = isOn
    reason = situation.reason
    switch (wasOn, isOn) {
    case (false, true):
      settings = stored ?? settings
      return [.command(.pinEntitlements(pinned)), .track(.testModeModalOpen), .showTestModal]
    case (true, false):
      settings = Settings()
      return [.saveTestSettings(settings), .command(.pinEntitlements(nil))]
    case (true, true), (false, false): return []
    }
  }

  private mutating func apply(_ settings: Settings) -> [PaywallEffect] {
    self.settings = settings
    return [.saveTestSettings(settings), .command(.pinEntitlements(pinned))]
  }

  private var pinned: Set<UserEntitlement> {
    Set(settings.entitlements.map { UserEntitlement(active: $0) })
  }

  private mutating func choose(
    _ choice: PurchaseChoice, _ product: PaywallProduct
  ) -> [PaywallEffect] {
    switch choice {
    case .purchase:
      var settings = settings
      settings.entitlements.formUnion(product.entitlements)
      return apply(settings) + [.command(.finishPurchase(.purchased))]
    case .abandon: return [.command(.finishPurchase(.cancelled))]
    case .failure:
      return [
        .command(.finishPurchase(.failed(PurchaseError.message("the tester chose a failure"))))
      ]
    }
  }
}

extension TestMode {
  /// An event of test mode.
  public indirect enum Event: Sendable, Equatable {
    /// The config came, or the user changed; with other settings than those of the last launch, if the
    /// host has any.
    case evaluated(Situation, stored: Settings? = nil)
    /// The tester closed the modal.
    case modalClosed(Settings)
    /// The tester went back to the defaults.
    case resetToDefaults
    /// The tester ended a purchase.
    case purchaseChosen(PurchaseChoice, PaywallProduct)
    /// The tester ended a restore: the entitlements that are restored, or `nil` for a failure.
    case restoreChosen(Set<String>?)
  }
}

extension TestMode.Reason: CustomStringConvertible {
  /// The reason as a sentence for people.
  public var description: String {
    switch self {
    case .option: "on by option"
    case .testUser: "on for a test user"
    case .bundleIDMismatch(let expected, let actual): "on for \(actual) instead of \(expected)"
    }
  }
}

extension TestMode.Settings: CustomStringConvertible {
  /// The settings in a few words.
  public var description: String {
    "\(trialOverride.rawValue) [\(entitlements.sorted().joined(separator: ","))]"
  }
}
