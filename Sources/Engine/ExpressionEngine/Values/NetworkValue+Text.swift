extension NetworkValue {
  /// The canonical text: dotted IPv4 or RFC 5952 IPv6, followed by `/` and the length for a block.
  public var text: String {
    let address = octets.count == 4 ? octets.map(String.init).joined(separator: ".") : ipv6Text
    return prefixLength.map { "\(address)/\($0)" } ?? address
  }

  private var ipv6Text: String {
    var groups: [UInt16] = []
    var index = 0
    while index + 1 < octets.count {
      groups.append(UInt16(octets[index]) << 8 | UInt16(octets[index + 1]))
      index += 2
    }
    let zeros = longestZeroRun(groups)
    let words = groups.map { String($0, radix: 16) }
    guard zeros.count > 1 else { return words.joined(separator: ":") }
    return words[..<zeros.lowerBound].joined(separator: ":") + "::"
      + words[zeros.upperBound...].joined(separator: ":")
  }

  /// Returns the longest run of zero groups, the first one if several are equally long.
  private func longestZeroRun(_ groups: [UInt16]) -> Range<Int> {
    var best = 0..<0
    var start = 0
    for (index, group) in groups.enumerated() {
      if group != 0 {
        start = index + 1
      } else if index + 1 - start > best.count {
        best = start..<index + 1
      }
    }
    return best
  }
}
