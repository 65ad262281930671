import CampaignCore
import ExpressionEngine

/// A link that opened the app, as far as routing needs it.
public struct AppLink: Sendable, Equatable {
  /// The link as it came.
  public let url: String
  /// The scheme in lower case; empty without one.
  public private(set) var scheme = ""
  /// The host in lower case; empty without one.
  public private(set) var host = ""
  /// The path with its leading slash, still encoded.
  public private(set) var path = ""
  /// The query items in order, decoded; a name without `=` has no value.
  public private(set) var items: [Item] = []

  /// An item of a query.
  public struct Item: Sendable, Equatable {
    /// The name.
    public var name: String
    /// The value.
    public var value: String?
  }

  /// Takes a link apart. Any text is a link; what it lacks is empty.
  public init(_ url: String) {
    self.url = url
    let parts = LinkParts(url)
    scheme = parts.scheme.lowercased()
    host = parts.host.lowercased()
    path = String(parts.path)
    items = (parts.query ?? "").split(separator: "&").map { item in
      let sides = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return Item(
        name: sides[0].percentDecoded, value: sides.count > 1 ? sides[1].percentDecoded : nil)
    }
  }
}

extension AppLink {
  /// The path under which the service's own links lie.
  private static let root = "/app-link/"
  /// The domains of the service.
  private static let domains = ["superwall.app", "superwallapp.dev"]

  /// Whether the link is one of the service: `https://<app>.superwall.app/app-link/…`.
  public var isServiceLink: Bool {
    path.hasPrefix(Self.root) && Self.domains.contains { host.hasSuffix("." + $0) }
  }

  /// Whether the link opens the preview of a paywall: it says so, and brings the token for it.
  public var isPreview: Bool {
    items.first { $0.name == "superwall_debug" }?.value == "true"
      && items.contains { $0.name == "token" && $0.value != nil }
  }

  /// The code to redeem: `<scheme>://superwall/redeem?code=…`, or
  /// `https://<app>.superwall.app/app-link/superwall/redeem?code=…`, also without `<app>.`.
  public var redemptionCode: String? {
    let isCode =
      host == "superwall" && path == "/redeem"
      || (isServiceLink || Self.domains.contains(host)) && path == Self.root + "superwall/redeem"
    return isCode ? items.first { $0.name == "code" }?.value : nil
  }

  /// The parts of the path after `app-link`, decoded; empty for a link that is not of the service.
  public var pathComponents: [String] {
    guard isServiceLink else { return [] }
    return path.dropFirst(Self.root.count).split(separator: "/").map(\.percentDecoded)
  }

  /// The query items by name; of repeated names the last one wins. Items without a value are left out.
  public var queryParameters: [String: String] {
    var result: [String: String] = [:]
    for item in items { result[item.name] = item.value ?? result[item.name] }
    return result
  }

  /// The link that `deepLink_open` reports: a service link becomes one of the app's own scheme, so
  /// that `https://myapp.superwall.app/app-link/promo?x=1` matches what `myapp://promo?x=1`
  /// matches.
  public var trackedURL: String {
    guard isServiceLink, let start = url.firstRange(ofText: Self.root) else { return url }
    let name =
      scheme == "https" || scheme == "http" ? String(host.prefix { $0 != "." }) : scheme
    return name + "://" + url[start.upperBound...]
  }
}
