public import ExpressionEngine

/// A link that opened the app, taken apart into the parameters of `deepLink_open`
/// (docs/spec/campaigns.md §6.6).
public struct DeepLink: Sendable, Equatable {
  /// The whole link.
  public var url: String
  /// The host, such as `promo` in `myapp://promo?offer=x`.
  public var host = ""
  /// The path with its leading slash.
  public var path = ""
  /// The query without its question mark.
  public var query = ""
  /// The fragment without its number sign.
  public var fragment = ""

  /// Parses a link. Any text is a link; missing parts are empty.
  public init(_ url: String) {
    self.url = url
    let parts = LinkParts(url)
    host = parts.host.percentDecoded
    path = parts.path.percentDecoded
    query = String(parts.query ?? "")
    fragment = String(parts.fragment)
  }

  /// The last part of the path; `/` for the root alone.
  public var lastPathComponent: String {
    guard let last = path.split(separator: "/").last else { return path.isEmpty ? "" : "/" }
    return String(last)
  }

  /// The text after the last dot of the last path component.
  public var pathExtension: String {
    let name = lastPathComponent
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
    return String(name[name.index(after: dot)...])
  }

  /// The query items with a non-empty name and value, percent-decoded and typed, in order.
  ///
  /// - Parameter platform: Android cuts a value at a second `=`.
  public func queryItems(platform: MatchingOptions.Platform = .iOS) -> [(
    name: String, value: Value
  )] {
    query.split(separator: "&").compactMap { item in
      guard let equals = item.firstIndex(of: "=") else { return nil }
      let name = item[..<equals].percentDecoded
      var text = item[item.index(after: equals)...]
      if platform == .android, let second = text.firstIndex(of: "=") { text = text[..<second] }
      guard !name.isEmpty, !text.isEmpty else { return nil }
      return (name, DeepLink.typed(text.percentDecoded))
    }
  }

  /// The value of a query item: a boolean, an integer, a double, or else the text.
  public static func typed(_ text: String) -> Value {
    switch text.lowercased() {
    case "true": return .bool(true)
    case "false": return .bool(false)
    default: break
    }
    if let int = Int64(text) { return .int(int) }
    if let double = Double(text) { return .double(double) }
    return .string(text)
  }

  /// The names of the parts of a link among the parameters.
  static let fixedNames: Set<String> = [
    "url", "path", "pathExtension", "lastPathComponent", "host", "query", "fragment",
  ]

  /// The parts of the link by their names.
  package var fixedParameters: [String: Value] {
    [
      "url": .string(url), "path": .string(path), "pathExtension": .string(pathExtension),
      "lastPathComponent": .string(lastPathComponent), "host": .string(host),
      "query": .string(query), "fragment": .string(fragment),
    ]
  }

  /// The parameters of the placement `deepLink_open`.
  ///
  /// - Parameter platform: The platform. On iOS query items overwrite the seven fixed names; on
  ///   Android the fixed names win.
  public func parameters(platform: MatchingOptions.Platform = .iOS) -> [String: Value] {
    var result = fixedParameters
    for item in queryItems(platform: platform)
    where platform == .iOS || !Self.fixedNames.contains(item.name) {
      result[item.name] = item.value
    }
    return result
  }
}
