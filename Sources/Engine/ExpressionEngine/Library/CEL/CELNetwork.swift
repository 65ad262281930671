// IP addresses and blocks of them (docs/spec/cel.md §24).

enum CELNetwork {
  static let definitions: [FunctionDefinition] = reading + addresses + blocks

  private static let reading: [FunctionDefinition] = [
    .cel(
      "ip", "an IP address from its text, or the address of a block",
      [
        .init("ip(string) -> net.IP", #"ip("192.168.0.1")"#, #"ip("192.168.0.1")"#) {
          machine, arguments in
          guard let address = NetworkValue(address: arguments[0].text) else {
            return machine.fail(.invalidArgument, arguments[0])
          }
          return machine.network(address)
        },
        .init("net.CIDR.ip() -> net.IP", #"cidr("10.0.0.1/8").ip()"#, #"ip("10.0.0.1")"#) {
          Slot(.network, at: $1[0].address, count: $1[0].aux)
        },
      ]),
    .cel(
      "cidr", "a block of IP addresses from its text",
      [
        .init("cidr(string) -> net.CIDR", #"cidr("10.0.0.0/8")"#, #"cidr("10.0.0.0/8")"#) {
          machine, arguments in
          guard let block = NetworkValue(block: arguments[0].text) else {
            return machine.fail(.invalidArgument, arguments[0])
          }
          return machine.network(block)
        }
      ]),
    .cel(
      "isIP", "whether a text is an IP address",
      [
        .init("isIP(string) -> bool", #"isIP("::1")"#, "true") {
          .bool(NetworkValue(address: $1[0].text) != nil)
        }
      ]),
    .cel(
      "isCIDR", "whether a text is a block of IP addresses",
      [
        .init("isCIDR(string) -> bool", #"isCIDR("10.0.0.0")"#, "false") {
          .bool(NetworkValue(block: $1[0].text) != nil)
        }
      ]),
    .cel(
      "ip.isCanonical", "whether a text is the usual one of its IP address",
      [
        .init("ip.isCanonical(string) -> bool", #"ip.isCanonical("2001:DB8::1")"#, "false") {
          machine, arguments in
          let text = arguments[0].text
          guard let address = NetworkValue(address: text) else {
            return machine.fail(.invalidArgument, arguments[0])
          }
          return .bool(address.text == text)
        }
      ]),
    .cel(
      "string", "a value as text",
      [
        .init("string(net.IP) -> string", #"string(ip("2001:DB8:0:0::1"))"#, #""2001:db8::1""#) {
          $0.celString($1[0])
        },
        .init("string(net.CIDR) -> string", #"string(cidr("10.0.0.1/8"))"#, #""10.0.0.1/8""#) {
          $0.celString($1[0])
        },
      ]),
  ]

  private static let addresses: [FunctionDefinition] = [
    .cel(
      "family", "4 or 6",
      [
        .init("net.IP.family() -> int", #"ip("::1").family()"#, "6") {
          .int($1[0].aux == 4 ? 4 : 6)
        }
      ]),
    property(
      "isUnspecified", "whether the address is `0.0.0.0` or `::`", "0.0.0.0"
    ) { $0.isUnspecified },
    property("isLoopback", "whether the address is one of this host", "127.0.0.1") {
      $0.isLoopback
    },
    property(
      "isGlobalUnicast", "whether the address is one of a host, private or not", "10.0.0.1"
    ) { $0.isGlobalUnicast },
    property(
      "isLinkLocalUnicast", "whether the address is one of a host on this link", "fe80::1"
    ) { $0.isLinkLocalUnicast },
    property(
      "isLinkLocalMulticast", "whether the address is one of a group on this link", "224.0.0.1"
    ) { $0.isLinkLocalMulticast },
  ]

  /// A property of an address, with an example that has it.
  private static func property(
    _ name: String, _ summary: String, _ example: String,
    _ property: @escaping @Sendable (NetworkValue) -> Bool
  ) -> FunctionDefinition {
    .cel(
      name, summary,
      [
        .init("net.IP.\(name)() -> bool", #"ip("\#(example)").\#(name)()"#, "true") {
          .bool(property($1[0].networkValue))
        }
      ])
  }

  private static let blocks: [FunctionDefinition] = [
    .cel(
      "masked", "the block without its host bits",
      [
        .init(
          "net.CIDR.masked() -> net.CIDR", #"cidr("10.1.2.3/8").masked()"#, #"cidr("10.0.0.0/8")"#
        ) {
          $0.network($1[0].networkValue.masked)
        }
      ]),
    .cel(
      "isMask", "whether the block has no host bits",
      [
        .init("net.CIDR.isMask() -> bool", #"cidr("10.0.0.0/8").isMask()"#, "true") {
          let block = $1[0].networkValue
          return .bool(block == block.masked)
        }
      ]),
    .cel(
      "prefixLength", "the number of leading bits that the addresses of the block share",
      [
        .init("net.CIDR.prefixLength() -> int", #"cidr("10.0.0.0/8").prefixLength()"#, "8") {
          .int(Int64($1[0].extra) &- 1)
        }
      ]),
    .cel(
      "containsIP", "whether an address is in the block",
      [
        .init(
          "net.CIDR.containsIP(net.IP) -> bool", #"cidr("10.0.0.0/8").containsIP(ip("10.1.2.3"))"#,
          "true"
        ) { .bool($1[0].networkValue.contains($1[1].networkValue)) },
        .init(
          "net.CIDR.containsIP(string) -> bool", #"cidr("10.0.0.0/8").containsIP("11.0.0.1")"#,
          "false"
        ) { machine, arguments in
          guard let address = NetworkValue(address: arguments[1].text) else {
            return machine.fail(.invalidArgument, arguments[1])
          }
          return .bool(arguments[0].networkValue.contains(address))
        },
      ]),
    .cel(
      "containsCIDR", "whether another block is within the block",
      [
        .init(
          "net.CIDR.containsCIDR(net.CIDR) -> bool",
          #"cidr("10.0.0.0/8").containsCIDR(cidr("10.1.0.0/16"))"#, "true"
        ) { .bool($1[0].networkValue.contains($1[1].networkValue)) },
        .init(
          "net.CIDR.containsCIDR(string) -> bool",
          #"cidr("10.0.0.0/8").containsCIDR("0.0.0.0/0")"#, "false"
        ) { machine, arguments in
          guard let block = NetworkValue(block: arguments[1].text) else {
            return machine.fail(.invalidArgument, arguments[1])
          }
          return .bool(arguments[0].networkValue.contains(block))
        },
      ]),
  ]
}

extension Machine {
  /// Copies an address or a block into the arena.
  mutating func network(_ value: NetworkValue) -> Slot {
    orOutOfMemory(Slot.make(.network(value), in: &arena))
  }
}

extension Slot {
  /// The address or block of a network slot.
  var networkValue: NetworkValue {
    NetworkValue(
      octets: Array(byteBuffer),
      prefixLength: extra == 0 ? nil : UInt8(truncatingIfNeeded: extra &- 1))
  }
}
