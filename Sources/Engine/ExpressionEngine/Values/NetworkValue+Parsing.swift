// Parsing and properties of addresses and blocks (docs/spec/cel.md §24). The rules are those of
// Go's `netip`.

extension NetworkValue {
  /// Parses an address: dotted IPv4 without leading zeros, or IPv6 without a zone.
  ///
  /// An IPv4-mapped IPv6 address in hexadecimal (`::ffff:c0a8:1`) is the IPv4 address; the dotted
  /// form (`::ffff:192.168.0.1`) is not accepted, as in Kubernetes.
  init?(address text: String) {
    let bytes = Array(text.utf8)
    if bytes.contains(UInt8(ascii: ":")) {
      guard let (octets, hasDots) = Self.ipv6(bytes[...]) else { return nil }
      let isMapped = Self.isMapped(octets)
      if isMapped, hasDots { return nil }
      self.init(octets: isMapped ? Array(octets[12...]) : octets)
    } else {
      guard let octets = Self.ipv4(bytes[...]) else { return nil }
      self.init(octets: octets)
    }
  }

  /// Parses a block: an address, `/` and the number of leading bits. Host bits may be set.
  init?(block text: String) {
    let bytes = Array(text.utf8)
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return nil }
    let address = bytes[..<slash]
    let octets: [UInt8]
    if address.contains(UInt8(ascii: ":")) {
      guard let (parsed, _) = Self.ipv6(address), !Self.isMapped(parsed) else { return nil }
      octets = parsed
    } else {
      guard let parsed = Self.ipv4(address) else { return nil }
      octets = parsed
    }
    guard let length = Self.number(bytes[(slash + 1)...], maximum: octets.count * 8) else {
      return nil
    }
    self.init(octets: octets, prefixLength: UInt8(length))
  }

  /// Parses a decimal number of one to three digits without leading zeros.
  private static func number(_ digits: ArraySlice<UInt8>, maximum: Int) -> Int? {
    guard let first = digits.first, digits.count <= 3, digits.allSatisfy({ $0 &- 0x30 < 10 }),
      first != 0x30 || digits.count == 1
    else { return nil }
    let value = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    return value <= maximum ? value : nil
  }

  private static func ipv4(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
    let fields = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard fields.count == 4 else { return nil }
    let octets = fields.compactMap { number($0, maximum: 255).map { UInt8($0) } }
    return octets.count == 4 ? octets : nil
  }

  /// Parses sixteen octets, and reports whether the last four were written in dotted form.
  private static func ipv6(_ bytes: ArraySlice<UInt8>) -> (octets: [UInt8], hasDots: Bool)? {
    var octets: [UInt8] = []
    var gap: Int?
    var hasDots = false
    var rest = bytes
    if rest.starts(with: "::".utf8) {
      gap = 0
      rest = rest.dropFirst(2)
    }
    while !rest.isEmpty {
      let end = rest.firstIndex(of: UInt8(ascii: ":")) ?? rest.endIndex
      let field = rest[rest.startIndex..<end]
      if field.contains(UInt8(ascii: ".")) {
        guard end == rest.endIndex, octets.count <= 12, let tail = ipv4(field) else { return nil }
        octets += tail
        hasDots = true
        break
      }
      guard (1...4).contains(field.count), octets.count <= 14,
        let value = UInt16(String(decoding: field, as: UTF8.self), radix: 16),
        field.first != UInt8(ascii: "+"), field.first != UInt8(ascii: "-")
      else { return nil }
      octets += [UInt8(value >> 8), UInt8(truncatingIfNeeded: value)]
      guard end < rest.endIndex else { break }
      rest = rest[(end + 1)...]
      if rest.first == UInt8(ascii: ":") {
        guard gap == nil else { return nil }
        gap = octets.count
        rest = rest.dropFirst()
      } else if rest.isEmpty {
        return nil
      }
    }
    if let gap {
      // The gap represents at least one group of zeros.
      guard octets.count <= 14 else { return nil }
      octets.insert(contentsOf: repeatElement(0, count: 16 - octets.count), at: gap)
    }
    return octets.count == 16 ? (octets, hasDots) : nil
  }

  /// Returns whether sixteen octets are an IPv4-mapped address: `::ffff:0:0/96`.
  private static func isMapped(_ octets: [UInt8]) -> Bool {
    octets[..<10].allSatisfy { $0 == 0 } && octets[10] == 0xFF && octets[11] == 0xFF
  }
}

extension NetworkValue {
  private var isIPv4: Bool { octets.count == 4 }

  /// Whether the address is all zeros.
  var isUnspecified: Bool { octets.allSatisfy { $0 == 0 } }

  /// Whether the address is a loopback address: `127.0.0.0/8` or `::1`.
  var isLoopback: Bool {
    isIPv4 ? octets[0] == 127 : octets.dropLast().allSatisfy { $0 == 0 } && octets.last == 1
  }

  /// Whether the address is a multicast address: `224.0.0.0/4` or `ff00::/8`.
  var isMulticast: Bool { isIPv4 ? octets[0] & 0xF0 == 0xE0 : octets[0] == 0xFF }

  /// Whether the address is a link-local unicast address: `169.254.0.0/16` or `fe80::/10`.
  var isLinkLocalUnicast: Bool {
    isIPv4
      ? octets[0] == 169 && octets[1] == 254 : octets[0] == 0xFE && octets[1] & 0xC0 == 0x80
  }

  /// Whether the address is a link-local multicast address: `224.0.0.0/24` or `ff02::/16`.
  var isLinkLocalMulticast: Bool {
    isIPv4
      ? octets.starts(with: [224, 0, 0]) : octets[0] == 0xFF && octets[1] & 0x0F == 0x02
  }

  /// Whether the address is a global unicast address; private ones count as global.
  var isGlobalUnicast: Bool {
    if isIPv4, octets.allSatisfy({ $0 == 255 }) { return false }
    return !isUnspecified && !isLoopback && !isMulticast && !isLinkLocalUnicast
  }

  /// The block with its host bits cleared, or the address itself.
  var masked: NetworkValue {
    guard let prefixLength else { return self }
    var result = self
    for index in octets.indices {
      let bits = min(max(Int(prefixLength) - index * 8, 0), 8)
      result.octets[index] &= bits == 0 ? 0 : 0xFF << UInt8(8 - bits)
    }
    return result
  }

  /// Returns whether this block contains an address or a whole block. The families must be the
  /// same.
  func contains(_ other: NetworkValue) -> Bool {
    guard let prefixLength, octets.count == other.octets.count else { return false }
    if let otherLength = other.prefixLength, otherLength < prefixLength { return false }
    let same = NetworkValue(octets: other.octets, prefixLength: prefixLength)
    return masked.octets == same.masked.octets
  }
}
