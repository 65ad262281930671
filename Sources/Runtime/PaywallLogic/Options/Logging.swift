/// How important a message of the log is.
public enum PaywallLogLevel: Int, Sendable, Hashable, CaseIterable, Comparable {
  /// Everything.
  case debug
  /// Useful information.
  case info
  /// Warnings.
  case warn
  /// Errors.
  case error
  /// Nothing at all.
  case none

  /// Orders levels by importance.
  public static func < (left: PaywallLogLevel, right: PaywallLogLevel) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// The part of the SDK that a message of the log is about.
///
/// The documents also name `paywallTransactions`; there is no such scope, it is ``transactions``.
public enum PaywallLogScope: String, Sendable, Hashable, CaseIterable {
  /// Localization.
  case localizationManager
  /// Analytics.
  case analytics
  /// The button of the debugger.
  case bounceButton
  /// The database.
  case coreData
  /// The config.
  case configManager
  /// The identity of the user.
  case identityManager
  /// The debugger.
  case debugManager
  /// The view of the debugger.
  case debugViewController
  /// The view of the localization.
  case localizationViewController
  /// Game controllers.
  case gameControllerManager
  /// The device.
  case device
  /// The network.
  case network
  /// Events of paywalls.
  case paywallEvents
  /// Products.
  case productsManager
  /// The App Store.
  case storeKitManager
  /// Placements.
  case placements
  /// Receipts.
  case receipts
  /// The core.
  case superwallCore
  /// Presentations.
  case paywallPresentation
  /// Transactions.
  case transactions
  /// The view of paywalls.
  case paywallViewController
  /// Caches.
  case cache
  /// Entitlements of the web.
  case webEntitlements
  /// Every scope.
  case all
}

/// Which messages of the log are printed. The delegate gets all of them.
public struct LoggingOptions: Sendable, Equatable {
  /// The least important level that is printed.
  public var level: PaywallLogLevel
  /// The scopes that are printed.
  public var scopes: Set<PaywallLogScope>

  /// Creates options; by default everything from `info` on.
  public init(level: PaywallLogLevel = .info, scopes: Set<PaywallLogScope> = [.all]) {
    self.level = level
    self.scopes = scopes
  }

  /// Whether a message is printed.
  public func prints(_ level: PaywallLogLevel, _ scope: PaywallLogScope) -> Bool {
    guard self.level != .none, level != .none, level >= self.level else { return false }
    return scopes.contains(.all) || scopes.contains(scope)
  }
}
