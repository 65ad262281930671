extension Value.Duration {
  /// The whole span in nanoseconds.
  var totalNanoseconds: Int128 { Int128(seconds) * 1_000_000_000 + Int128(nanoseconds) }

  /// Creates a duration from nanoseconds, or `nil` if its seconds do not fit 64 bits.
  init?(totalNanoseconds: Int128) {
    var (quotient, remainder) = totalNanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    if remainder < 0 {
      quotient -= 1
      remainder += 1_000_000_000
    }
    guard let seconds = Int64(exactly: quotient) else { return nil }
    self.init(seconds: seconds, nanoseconds: UInt32(remainder))
  }

  /// The fields that accessors of the cel dialect read from a duration (docs/spec/cel.md §12.4).
  enum Field: UInt8, Sendable, CaseIterable {
    case hours, minutes, seconds, milliseconds
  }

  /// Returns the value of an accessor: total hours, minutes and seconds, rounded towards zero;
  /// milliseconds as the part below a second.
  func value(of field: Field) -> Int64 {
    // Rounded towards zero rather than down.
    let whole = seconds < 0 && nanoseconds > 0 ? seconds &+ 1 : seconds
    switch field {
    case .hours: return whole / 3_600
    case .minutes: return whole / 60
    case .seconds: return whole
    case .milliseconds:
      let part = Int64(nanoseconds) &- (seconds < 0 && nanoseconds > 0 ? 1_000_000_000 : 0)
      return part / 1_000_000
    }
  }
}

/// Arithmetic with timestamps and durations. A result out of range is `nil`.
enum TimeArithmetic {
  /// Returns whether a duration is valid: ±(2^63-1) nanoseconds in cel, milliseconds in
  /// superscript.
  static func isInRange(_ duration: Value.Duration, rules: TimeRules) -> Bool {
    let limit = Int128(Int64.max) * (rules == .cel ? 1 : 1_000_000)
    return (-limit...limit).contains(duration.totalNanoseconds)
  }

  private static func checked(_ nanoseconds: Int128, rules: TimeRules) -> Value.Duration? {
    guard let duration = Value.Duration(totalNanoseconds: nanoseconds),
      isInRange(duration, rules: rules)
    else { return nil }
    return duration
  }

  /// The sum of two durations.
  static func add(
    _ left: Value.Duration, _ right: Value.Duration, rules: TimeRules
  ) -> Value.Duration? {
    checked(left.totalNanoseconds + right.totalNanoseconds, rules: rules)
  }

  /// The difference of two durations.
  static func subtract(
    _ left: Value.Duration, _ right: Value.Duration, rules: TimeRules
  ) -> Value.Duration? {
    checked(left.totalNanoseconds - right.totalNanoseconds, rules: rules)
  }

  /// The negative duration.
  static func negate(_ duration: Value.Duration, rules: TimeRules) -> Value.Duration? {
    checked(-duration.totalNanoseconds, rules: rules)
  }

  /// Returns the timestamp that is `duration` later, with the same offset.
  ///
  /// A leap second (only superscript has them) is treated as in the reference's date library: it
  /// counts when it is crossed by less than a second, and not otherwise.
  static func add(
    _ timestamp: Value.Timestamp, _ duration: Value.Duration, rules: TimeRules
  ) -> Value.Timestamp? {
    offset(timestamp, by: duration.totalNanoseconds, rules: rules)
  }

  /// Returns the timestamp that is `duration` earlier; see
  /// ``add(_:_:rules:)-(Value.Timestamp,_,_)``.
  static func subtract(
    _ timestamp: Value.Timestamp, _ duration: Value.Duration, rules: TimeRules
  ) -> Value.Timestamp? {
    offset(timestamp, by: -duration.totalNanoseconds, rules: rules)
  }

  private static func offset(
    _ timestamp: Value.Timestamp, by nanoseconds: Int128, rules: TimeRules
  ) -> Value.Timestamp? {
    let (wholeSeconds, part) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    var seconds = Int128(timestamp.seconds)
    var fraction = Int128(timestamp.nanoseconds)
    if fraction >= 1_000_000_000 {
      if wholeSeconds > 0 || part > 0 && fraction + part >= 2_000_000_000 {
        fraction -= 1_000_000_000
      } else if wholeSeconds < 0 {
        fraction -= 1_000_000_000
        seconds += 1
      } else {
        return Value.Timestamp(
          seconds: timestamp.seconds, nanoseconds: UInt32(fraction + part),
          offsetMinutes: timestamp.offsetMinutes)
      }
    }
    seconds += wholeSeconds
    fraction += part
    if fraction < 0 {
      fraction += 1_000_000_000
      seconds -= 1
    } else if fraction >= 1_000_000_000 {
      fraction -= 1_000_000_000
      seconds += 1
    }
    guard let result = Int64(exactly: seconds), rules.secondsRange.contains(result)
    else { return nil }
    return Value.Timestamp(
      seconds: result, nanoseconds: UInt32(fraction), offsetMinutes: timestamp.offsetMinutes)
  }

  /// Returns the time from `right` to `left`.
  static func difference(
    _ left: Value.Timestamp, _ right: Value.Timestamp, rules: TimeRules
  ) -> Value.Duration? {
    let seconds = Int128(left.seconds) - Int128(right.seconds)
    let fraction = Int128(left.nanoseconds) - Int128(right.nanoseconds)
    // A leap second between the two times of day counts, as in the reference.
    let leftOfDay = left.seconds &- CivilTime.floorDivide(left.seconds, by: 86_400) &* 86_400
    let rightOfDay = right.seconds &- CivilTime.floorDivide(right.seconds, by: 86_400) &* 86_400
    var adjustment: Int128 = 0
    if leftOfDay > rightOfDay, right.nanoseconds >= 1_000_000_000 { adjustment = 1 }
    if leftOfDay < rightOfDay, left.nanoseconds >= 1_000_000_000 { adjustment = -1 }
    return checked((seconds + adjustment) * 1_000_000_000 + fraction, rules: rules)
  }

  /// Returns whether `left` is earlier than `right`, regardless of their offsets.
  static func isBefore(_ left: Value.Timestamp, _ right: Value.Timestamp) -> Bool {
    (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
  }
}
