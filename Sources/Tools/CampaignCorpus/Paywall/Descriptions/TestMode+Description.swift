import CampaignCore
import ExpressionEngine
public import PaywallLogic

extension TestMode.Event: CustomStringConvertible {
  /// The event in a few words.
  public var description: String {
    switch self {
    case .evaluated(let situation, let stored):
      "evaluated \(situation.reason.map { "\($0)" } ?? "off"), stored \(stored ?? TestMode.Settings())"
    case .modalClosed(let settings): "modalClosed \(settings)"
    case .resetToDefaults: "resetToDefaults"
    case .purchaseChosen(let choice, let product): "\(choice.rawValue) of \(product.id) chosen"
    case .restoreChosen(let entitlements):
      entitlements.map { "restore of \($0.sorted().joined(separator: ",")) chosen" }
        ?? "failing restore chosen"
    }
  }
}

extension TestMode: CustomStringConvertible {
  /// Whether test mode is on and why, and what the tester chose.
  public var description: String { reason.map { "\($0), \(settings)" } ?? "off" }
}
