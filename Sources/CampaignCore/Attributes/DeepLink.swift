public import ExpressionEngine

/// A link that opened the app, taken apart into the parameters of `deepLink_open`
/// (docs/spec/campaigns.md §6.6).
public struct DeepLink: Sendable, Hashable {
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

  /// Takes a link apart. Any text is a link; what it lacks is empty.
  public init(_ url: String) {
    self.url = url
    var rest = url[...]
    if let mark = rest.firstIndex(of: "#") {
      fragment = String(rest[rest.index(after: mark)...])
      rest = rest[..<mark]
    }
    if let mark = rest.firstIndex(of: "?") {
      query = String(rest[rest.index(after: mark)...])
      rest = rest[..<mark]
    }
    if let colon = rest.firstIndex(of: ":"), !rest[..<colon].contains("/") {
      rest = rest[rest.index(after: colon)...]
    }
    guard rest.hasPrefix("//") else {
      path = percentDecoded(rest)
      return
    }
    rest = rest.dropFirst(2)
    let authorityEnd = rest.firstIndex(of: "/") ?? rest.endIndex
    var authority = rest[..<authorityEnd]
    if let user = authority.lastIndex(of: "@") {
      authority = authority[authority.index(after: user)...]
    }
    if let port = authority.lastIndex(of: ":"),
      authority[port...].dropFirst().allSatisfy(\.isNumber)
    {
      authority = authority[..<port]
    }
    host = percentDecoded(authority)
    path = percentDecoded(rest[authorityEnd...])
  }

  /// The last part of the path; `/` for the root alone.
  public var lastPathComponent: String {
    guard let last = path.split(separator: "/").last else { return path.isEmpty ? "" : "/" }
    return String(last)
  }

  /// What follows the last dot of the last path component.
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
      let name = percentDecoded(item[..<equals])
      var text = item[item.index(after: equals)...]
      if platform == .android, let second = text.firstIndex(of: "=") { text = text[..<second] }
      guard !name.isEmpty, !text.isEmpty else { return nil }
      return (name, DeepLink.typed(percentDecoded(text)))
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

  /// The parameters of the placement `deepLink_open`.
  ///
  /// - Parameter platform: on iOS query items overwrite the seven fixed names; on Android the fixed
  ///   names win.
  public func parameters(platform: MatchingOptions.Platform = .iOS) -> [String: Value] {
    var result: [String: Value] = [
      "url": .string(url), "path": .string(path), "pathExtension": .string(pathExtension),
      "lastPathComponent": .string(lastPathComponent), "host": .string(host),
      "query": .string(query), "fragment": .string(fragment),
    ]
    for item in queryItems(platform: platform)
    where platform == .iOS || !Self.fixedNames.contains(item.name) {
      result[item.name] = item.value
    }
    return result
  }
}

/// Replaces `%XX`, with two hexadecimal digits, by octets; text with any other escape, and text that
/// does not decode to UTF-8, stays as it is.
private func percentDecoded(_ text: Substring) -> String {
  guard text.utf8.contains(0x25) else { return String(text) }
  let bytes = Array(text.utf8)
  var decoded: [UInt8] = []
  var index = 0
  while index < bytes.count {
    if bytes[index] == 0x25 {
      guard index + 2 < bytes.count, let high = hexadecimalDigit(bytes[index + 1]),
        let low = hexadecimalDigit(bytes[index + 2])
      else { return String(text) }
      decoded.append(high << 4 | low)
      index += 3
    } else {
      decoded.append(bytes[index])
      index += 1
    }
  }
  return String(validating: decoded, as: UTF8.self) ?? String(text)
}

/// The value of a hexadecimal digit in ASCII. Reading numbers would accept a sign, too.
private func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
  switch byte {
  case 0x30...0x39: byte - 0x30
  case 0x41...0x46: byte - 0x41 + 10
  case 0x61...0x66: byte - 0x61 + 10
  default: nil
  }
}
