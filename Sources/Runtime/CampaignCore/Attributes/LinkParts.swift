/// The parts of a link as they are written. Any text is a link; what it lacks is empty.
package struct LinkParts {
  /// The text before the first colon, if no slash stands before it.
  package var scheme: Substring = ""
  /// The host, without user and port.
  package var host: Substring = ""
  /// The path with its leading slash.
  package var path: Substring = ""
  /// The query without its question mark; `nil` without one.
  package var query: Substring?
  /// The fragment without its number sign.
  package var fragment: Substring = ""

  /// Parses a link.
  package init(_ url: String) {
    var rest = url[...]
    if let mark = rest.firstIndex(of: "#") {
      fragment = rest[rest.index(after: mark)...]
      rest = rest[..<mark]
    }
    if let mark = rest.firstIndex(of: "?") {
      query = rest[rest.index(after: mark)...]
      rest = rest[..<mark]
    }
    if let colon = rest.firstIndex(of: ":"), !rest[..<colon].contains("/") {
      scheme = rest[..<colon]
      rest = rest[rest.index(after: colon)...]
    }
    guard rest.hasPrefix("//") else {
      path = rest
      return
    }
    rest = rest.dropFirst(2)
    let end = rest.firstIndex(of: "/") ?? rest.endIndex
    host = rest[..<end]
    path = rest[end...]
    if let user = host.lastIndex(of: "@") { host = host[host.index(after: user)...] }
    if let port = host.lastIndex(of: ":"), host[port...].dropFirst().allSatisfy(\.isNumber) {
      host = host[..<port]
    }
  }
}

extension Substring {
  /// The text with `%XX`, of two hexadecimal digits, replaced by octets. A text with any other escape,
  /// and one that does not decode to UTF-8, stays as it is.
  package var percentDecoded: String {
    guard utf8.contains(0x25) else { return String(self) }
    let bytes = Array(utf8)
    var decoded: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == 0x25 {
        guard index + 2 < bytes.count, let high = hexadecimalDigit(bytes[index + 1]),
          let low = hexadecimalDigit(bytes[index + 2])
        else { return String(self) }
        decoded.append(high << 4 | low)
        index += 3
      } else {
        decoded.append(bytes[index])
        index += 1
      }
    }
    let text = String(decoding: decoded, as: UTF8.self)
    // Decoding replaces what is not UTF-8.
    return text.utf8.elementsEqual(decoded) ? text : String(self)
  }
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
