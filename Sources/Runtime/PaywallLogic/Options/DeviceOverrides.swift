public import ExpressionEngine

/// Settings of the app that replace those of the device, at any time.
public struct DeviceOverrides: Sendable, Equatable {
  /// The appearance of paywalls.
  public enum InterfaceStyle: String, Sendable, Hashable, CaseIterable {
    /// Light.
    case light = "Light"
    /// Dark.
    case dark = "Dark"
  }

  /// The identifier of the locale, such as `en_GB`; `nil` for the device's own.
  public var localeIdentifier: String?
  /// The appearance; `nil` for the device's own.
  public var interfaceStyle: InterfaceStyle?

  /// Creates overrides.
  public init(localeIdentifier: String? = nil, interfaceStyle: InterfaceStyle? = nil) {
    self.localeIdentifier = localeIdentifier
    self.interfaceStyle = interfaceStyle
  }

  /// The attributes to lay over those of the device. What is not overridden is not there, but for
  /// `interfaceStyleMode`, which is always.
  public var attributes: [String: Value] {
    var result: [String: Value] = [
      "interfaceStyleMode": .string(interfaceStyle == nil ? "automatic" : "manual")
    ]
    result["interfaceStyle"] = interfaceStyle.map { .string($0.rawValue) }
    if let localeIdentifier {
      let parts = localeIdentifier.prefix { $0 != "@" && $0 != "." }
        .split(whereSeparator: { $0 == "_" || $0 == "-" })
      // A region has two letters or three digits; a script, which has four letters, may come before it.
      let region = parts.dropFirst().first { $0.count == 2 || $0.count == 3 }
      result["deviceLocale"] = .string(localeIdentifier)
      result["deviceLanguageCode"] = .string(String(parts.first ?? ""))
      result["regionCode"] = .string(String(region ?? ""))
    }
    return result
  }
}
