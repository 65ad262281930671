/// A link that opened the app, as far as routing needs it.
public struct AppLink: Sendable, Hashable {
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
  public struct Item: Sendable, Hashable {
    /// The name.
    public var name: String
    /// The value.
    public var value: String?
  }

  /// Takes a link apart. Any text is a link; what it lacks is empty.
  public init(_ url: String) {
    self.url = url
    var rest = url[...]
    if let mark = rest.firstIndex(of: "#") { rest = rest[..<mark] }
    if let mark = rest.firstIndex(of: "?") {
      items = rest[rest.index(after: mark)...].split(separator: "&").map { item in
        let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return Item(
          name: percentDecoded(parts[0]), value: parts.count > 1 ? percentDecoded(parts[1]) : nil)
      }
      rest = rest[..<mark]
    }
    if let colon = rest.firstIndex(of: ":"), !rest[..<colon].contains("/") {
      scheme = rest[..<colon].lowercased()
      rest = rest[rest.index(after: colon)...]
    }
    guard rest.hasPrefix("//") else {
      path = String(rest)
      return
    }
    rest = rest.dropFirst(2)
    let end = rest.firstIndex(of: "/") ?? rest.endIndex
    var authority = rest[..<end]
    if let user = authority.lastIndex(of: "@") {
      authority = authority[authority.index(after: user)...]
    }
    if let port = authority.lastIndex(of: ":"),
      authority[port...].dropFirst().allSatisfy(\.isNumber)
    {
      authority = authority[..<port]
    }
    host = authority.lowercased()
    path = String(rest[end...])
  }
}

extension AppLink {
  /// The path under which the service's own links lie.
  private static let root = "/app-link/"
  /// The domains of the service.
  private static let domains = [".superwall.app", ".superwallapp.dev"]

  /// Whether the link is one of the service: `https://<app>.superwall.app/app-link/…`.
  public var isServiceLink: Bool {
    path.hasPrefix(Self.root) && Self.domains.contains(where: host.hasSuffix)
  }

  /// Whether the link opens the preview of a paywall.
  public var isPreview: Bool {
    items.contains { $0.name == "superwall_debug" && $0.value == "true" }
  }

  /// The code to redeem: `<scheme>://superwall/redeem?code=…`, or
  /// `https://<app>.superwall.app/app-link/superwall/redeem?code=…`.
  public var redemptionCode: String? {
    let isCode =
      host == "superwall" && path == "/redeem"
      || isServiceLink && path == Self.root + "superwall/redeem"
    return isCode ? items.first { $0.name == "code" }?.value : nil
  }

  /// The parts of the path after `app-link`, decoded; empty for a link that is not of the service.
  public var pathComponents: [String] {
    guard isServiceLink else { return [] }
    return path.dropFirst(Self.root.count).split(separator: "/").map(percentDecoded)
  }

  /// The query items by name; of repeated names the last one wins. Items without a value are left out.
  public var queryParameters: [String: String] {
    var result: [String: String] = [:]
    for item in items { result[item.name] = item.value ?? result[item.name] }
    return result
  }

  /// The link that `deepLink_open` tells of: a service link becomes one of the app's own scheme, so that
  /// `https://myapp.superwall.app/app-link/promo?x=1` matches what `myapp://promo?x=1` matches.
  public var trackedURL: String {
    guard isServiceLink, let start = url.firstRange(of: Self.root) else { return url }
    let name =
      scheme == "https" || scheme == "http" ? String(host.prefix { $0 != "." }) : scheme
    return name + "://" + url[start.upperBound...]
  }
}

/// Replaces `%XX` by octets; a text that does not decode to UTF-8 stays as it is.
private func percentDecoded(_ text: Substring) -> String {
  var octets: [UInt8] = []
  var bytes = text.utf8[...]
  while let byte = bytes.popFirst() {
    guard byte == UInt8(ascii: "%") else {
      octets.append(byte)
      continue
    }
    guard let high = bytes.popFirst().flatMap(hexadecimalDigit),
      let low = bytes.popFirst().flatMap(hexadecimalDigit)
    else { return String(text) }
    octets.append(high << 4 | low)
  }
  let decoded = String(decoding: octets, as: UTF8.self)
  // Decoding replaces what is not UTF-8.
  return decoded.utf8.elementsEqual(octets) ? decoded : String(text)
}

private func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
  switch byte {
  case 0x30...0x39: byte - 0x30
  case 0x41...0x46: byte - 0x41 + 10
  case 0x61...0x66: byte - 0x61 + 10
  default: nil
  }
}
