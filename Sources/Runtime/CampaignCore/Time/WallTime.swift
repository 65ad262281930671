#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A point in time with millisecond precision, the precision of the wire format.
public struct WallTime: Sendable, Hashable, Comparable, Codable {
  /// Milliseconds since 1970-01-01T00:00:00Z; negative before it.
  public var milliseconds: Int64

  /// Creates an instant from milliseconds since 1970-01-01T00:00:00Z.
  public init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  /// The time of the system's clock, cut to milliseconds.
  public static var now: WallTime {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return WallTime(milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
  }

  /// Creates an instant from whole seconds since 1970-01-01T00:00:00Z, clamped to the range.
  public init(seconds: Int64) {
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
    milliseconds = overflow ? (seconds < 0 ? .min : .max) : product
  }

  /// Whole seconds since 1970-01-01T00:00:00Z, rounded down.
  public var seconds: Int64 { milliseconds.flooredQuotient(by: 1_000) }

  /// Orders instants by time.
  public static func < (left: WallTime, right: WallTime) -> Bool {
    left.milliseconds < right.milliseconds
  }

  /// The instant `milliseconds` later, clamped to the representable range.
  public func advanced(byMilliseconds milliseconds: Int64) -> WallTime {
    let (sum, overflow) = self.milliseconds.addingReportingOverflow(milliseconds)
    return WallTime(milliseconds: overflow ? (milliseconds < 0 ? .min : .max) : sum)
  }

  /// The instant `minutes` before this one, or `nil` when it cannot be represented.
  public func subtracting(minutes: Int64) -> WallTime? {
    let (span, tooLong) = minutes.multipliedReportingOverflow(by: 60_000)
    guard !tooLong else { return nil }
    let (result, overflow) = milliseconds.subtractingReportingOverflow(span)
    return overflow ? nil : WallTime(milliseconds: result)
  }
}

extension WallTime: CustomStringConvertible {
  /// The instant as `2026-03-01T10:20:30.456Z`, the date format of the wire.
  public var description: String {
    let local = LocalDateTime(instant: self, offsetSeconds: 0)
    return local.dateText + "T" + local.timeText + "." + decimal(local.millisecond, digits: 3) + "Z"
  }

  /// Reads an RFC 3339 date and time, such as `2026-03-01T10:20:30.456Z` or `…T10:20:30+02:00`.
  ///
  /// Fractions beyond milliseconds are cut off.
  /// - Returns: `nil` when the text is no such date.
  public init?(rfc3339 text: String) {
    var reader = DigitReader(text)
    guard let year = reader.number(digits: 4), reader.skip("-"),
      let month = reader.number(digits: 2), reader.skip("-"),
      let day = reader.number(digits: 2), reader.skip("T") || reader.skip("t") || reader.skip(" "),
      let hour = reader.number(digits: 2), reader.skip(":"),
      let minute = reader.number(digits: 2), reader.skip(":"),
      let second = reader.number(digits: 2),
      (1...12).contains(month), (1...CivilDate.daysInMonth(month, of: year)).contains(day),
      hour < 24, minute < 60, second < 60
    else { return nil }
    guard let fraction = reader.millisecondFraction(), let offset = reader.zoneOffset(),
      reader.isAtEnd
    else { return nil }
    let days = CivilDate(year: year, month: month, day: day).daysSince1970
    let seconds = days * 86_400 + hour * 3_600 + minute * 60 + second - offset
    milliseconds = seconds * 1_000 + fraction
  }
}

/// Reads fixed-width numbers from the front of a text.
private struct DigitReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  var isAtEnd: Bool { position == bytes.count }

  mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
    guard position < bytes.count, UInt32(bytes[position]) == scalar.value else { return false }
    position += 1
    return true
  }

  mutating func number(digits: Int) -> Int64? {
    guard position + digits <= bytes.count else { return nil }
    var result: Int64 = 0
    for byte in bytes[position..<position + digits] {
      guard (48...57).contains(byte) else { return nil }
      result = result * 10 + Int64(byte - 48)
    }
    position += digits
    return result
  }

  mutating func millisecondFraction() -> Int64? {
    guard skip(".") else { return 0 }
    var result: Int64 = 0
    var digits = 0
    while position < bytes.count, (48...57).contains(bytes[position]) {
      if digits < 3 { result = result * 10 + Int64(bytes[position] - 48) }
      digits += 1
      position += 1
    }
    guard digits > 0 else { return nil }
    for _ in 0..<max(0, 3 - digits) { result *= 10 }
    return result
  }

  mutating func zoneOffset() -> Int64? {
    if skip("Z") || skip("z") { return 0 }
    let sign: Int64
    if skip("+") { sign = 1 } else if skip("-") { sign = -1 } else { return nil }
    guard let hours = number(digits: 2), skip(":"), let minutes = number(digits: 2),
      hours < 24, minutes < 60
    else { return nil }
    return sign * (hours * 3_600 + minutes * 60)
  }
}
