/// The reason why a time zone's text has no offset.
enum TimeZoneError: Error, Hashable {
  /// No zone of that name is in the database.
  case unknownZone
  /// The text is neither a valid zone name nor `±hh:mm`.
  case malformed
  /// The system has no time zone database at any of the usual locations.
  case noDatabase
  /// The file of the zone cannot be read or is not a time zone file.
  case unreadable

  /// A readable description of the problem.
  var message: String {
    switch self {
    case .unknownZone: "there is no time zone of this name"
    case .malformed: "a time zone is a name such as Europe/Paris or an offset such as +02:00"
    case .noDatabase: "this system has no time zone database; offsets such as +02:00 work"
    case .unreadable: "the system's data for this time zone cannot be read"
    }
  }
}

/// The texts that stand for time zones: offsets, and names of the database.
enum TimeZoneText {
  /// Returns the seconds of `UTC`, of an empty text and of `[+-]hh:mm`. Returns `nil` for another
  /// text without a colon, which must be a name.
  static func fixedOffset(_ zone: UTF8Bytes) throws(TimeZoneError) -> Int? {
    if zone.isEmpty || zone.elementsEqual("UTC".utf8) { return 0 }
    guard zone.contains(UInt8(ascii: ":")) else { return nil }
    let hasSign = zone.first == 0x2B || zone.first == 0x2D
    let digits = UTF8Bytes(rebasing: zone[(hasSign ? 1 : 0)...])
    guard digits.count == 5, digits[2] == UInt8(ascii: ":") else { throw .malformed }
    func pair(_ index: Int) -> Int? {
      let tens = digits[index] &- 0x30
      let ones = digits[index + 1] &- 0x30
      return tens < 10 && ones < 10 ? Int(tens) * 10 + Int(ones) : nil
    }
    guard let hours = pair(0), let minutes = pair(3), minutes < 60 else { throw .malformed }
    let offset = hours * 3_600 + minutes * 60
    return zone.first == 0x2D ? 0 - offset : offset
  }

  /// Returns whether the text is a valid zone name: it must not lead out of the database's
  /// directory, or to a file in it whose content depends on the machine.
  static func isName(_ zone: UTF8Bytes) -> Bool {
    guard zone.count <= 64, zone.first != UInt8(ascii: "/"), zone.last != UInt8(ascii: "/"),
      let first = zone.first, (first | 0x20) &- 0x61 < 26
    else { return false }
    for byte in zone {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
        UInt8(ascii: "+"), UInt8(ascii: "/"):
        continue
      default: return false
      }
    }
    return !zone.elementsEqual("localtime".utf8) && !zone.elementsEqual("posixrules".utf8)
  }
}
