/// The offsets of one time zone, read from a TZif file (RFC 8536, versions 1 to 4).
struct TimeZoneData: Sendable {
  /// The times at which the offset changes, in seconds from 1970, ascending.
  private var transitions: [Int64] = []
  /// The offset from each transition on, in seconds east of UTC.
  private var offsets: [Int32] = []
  /// The offset before the first transition.
  private var firstOffset: Int32 = 0
  /// The rule after the last transition.
  private var rule: TimeZoneRule?

  /// Reads the contents of a file. Returns `nil` if they are not a well-formed TZif file, or count
  /// leap seconds.
  init?(_ bytes: UTF8Bytes) {
    guard let first = Header(bytes, at: 0) else { return nil }
    if first.version == 0 {
      guard read(bytes, first, at: Header.length, timeSize: 4) else { return nil }
      return
    }
    let second = Header.length + first.dataLength(timeSize: 4)
    guard let header = Header(bytes, at: second),
      read(bytes, header, at: second + Header.length, timeSize: 8)
    else { return nil }
    readFooter(bytes, at: second + Header.length + header.dataLength(timeSize: 8))
  }

  /// Returns the seconds east of UTC at an instant. O(log n) in the number of transitions.
  func offset(at seconds: Int64) -> Int {
    guard let last = transitions.last else { return rule?.offset(at: seconds) ?? Int(firstOffset) }
    if seconds >= last, let rule { return rule.offset(at: seconds) }
    var low = 0
    var high = transitions.count
    while low < high {
      let middle = (low &+ high) / 2
      if transitions[middle] <= seconds { low = middle &+ 1 } else { high = middle }
    }
    return Int(low == 0 ? firstOffset : offsets[low &- 1])
  }

  private struct Header {
    static let length = 44
    var version: UInt8
    var utcIndicators: Int
    var standardIndicators: Int
    var leapSeconds: Int
    var times: Int
    var types: Int
    var characters: Int

    init?(_ bytes: UTF8Bytes, at start: Int) {
      guard start >= 0, bytes.count &- start >= Header.length,
        bytes[start..<start + 4].elementsEqual("TZif".utf8)
      else { return nil }
      version = bytes[start + 4]
      func count(_ number: Int) -> Int {
        Int(TimeZoneData.bigEndian(bytes, at: start + 20 + number * 4, size: 4) & 0xFFFF_FFFF)
      }
      utcIndicators = count(0)
      standardIndicators = count(1)
      leapSeconds = count(2)
      times = count(3)
      types = count(4)
      characters = count(5)
      guard leapSeconds == 0, types > 0, types <= 256, times <= 100_000, characters <= 100_000,
        utcIndicators <= types, standardIndicators <= types
      else { return nil }
    }

    func dataLength(timeSize: Int) -> Int {
      times * (timeSize + 1) + types * 6 + characters + standardIndicators + utcIndicators
    }
  }

  private static func bigEndian(_ bytes: UTF8Bytes, at index: Int, size: Int) -> Int64 {
    // Starting with all bits set extends the sign of a short number.
    var value: Int64 = bytes[index] & 0x80 != 0 ? -1 : 0
    for offset in 0..<size { value = value << 8 | Int64(bytes[index + offset]) }
    return value
  }

  private mutating func read(
    _ bytes: UTF8Bytes, _ header: Header, at start: Int, timeSize: Int
  ) -> Bool {
    guard bytes.count &- start >= header.dataLength(timeSize: timeSize) else { return false }
    let indices = start + header.times * timeSize
    let types = indices + header.times
    func offset(ofType number: Int) -> Int32? {
      guard number < header.types else { return nil }
      let value = TimeZoneData.bigEndian(bytes, at: types + number * 6, size: 4)
      return abs(value) < 200_000 ? Int32(value) : nil
    }
    guard let initial = offset(ofType: 0) else { return false }
    firstOffset = initial
    transitions.reserveCapacity(header.times)
    offsets.reserveCapacity(header.times)
    for number in 0..<header.times {
      let time = TimeZoneData.bigEndian(bytes, at: start + number * timeSize, size: timeSize)
      guard let value = offset(ofType: Int(bytes[indices + number])),
        transitions.last.map({ $0 < time }) ?? true
      else { return false }
      transitions.append(time)
      offsets.append(value)
    }
    return true
  }

  private mutating func readFooter(_ bytes: UTF8Bytes, at start: Int) {
    guard start < bytes.count, bytes[start] == 0x0A else { return }
    guard let end = bytes[(start + 1)...].firstIndex(of: 0x0A), end > start + 1 else { return }
    rule = TimeZoneRule(UTF8Bytes(rebasing: bytes[start + 1..<end]))
  }
}
