extension Value.Duration {
  private static let billion: Int64 = 1_000_000_000

  /// Creates a duration from seconds and from nanoseconds of either sign, or `nil` if its seconds
  /// do not fit 64 bits.
  init?(seconds: Int64, adding nanoseconds: Int64) {
    let carry = CivilTime.floorDivide(nanoseconds, by: Self.billion)
    let (sum, overflow) = seconds.addingReportingOverflow(carry)
    if overflow { return nil }
    self.init(seconds: sum, nanoseconds: UInt32(nanoseconds &- carry &* Self.billion))
  }

  /// Creates a duration from nanoseconds.
  init(nanoseconds: Int64) {
    let seconds = CivilTime.floorDivide(nanoseconds, by: Self.billion)
    self.init(seconds: seconds, nanoseconds: UInt32(nanoseconds &- seconds &* Self.billion))
  }

  /// The whole seconds, rounded towards zero, and the rest in nanoseconds, with the same sign.
  var truncated: (seconds: Int64, nanoseconds: Int64) {
    seconds < 0 && nanoseconds > 0
      ? (seconds &+ 1, Int64(nanoseconds) &- Self.billion) : (seconds, Int64(nanoseconds))
  }

  /// The whole span in nanoseconds, or `nil` if that does not fit 64 bits.
  var totalNanoseconds: Int64? {
    let (seconds, rest) = truncated
    let (product, overflow) = seconds.multipliedReportingOverflow(by: Self.billion)
    let (sum, carry) = product.addingReportingOverflow(rest)
    return overflow || carry ? nil : sum
  }

  /// The duration with the other sign, or `nil` if its seconds do not fit 64 bits.
  var negated: Value.Duration? {
    let (negative, overflow) = Int64(0).subtractingReportingOverflow(seconds)
    return overflow ? nil : Value.Duration(seconds: negative, adding: -Int64(nanoseconds))
  }

  /// The fields that accessors of the cel dialect read from a duration (docs/spec/cel.md §12.4).
  enum Field: UInt8, Sendable, CaseIterable {
    case hours, minutes, seconds, milliseconds
  }

  /// Returns the value of an accessor: total hours, minutes and seconds, rounded towards zero;
  /// milliseconds as the part below a second.
  func value(of field: Field) -> Int64 {
    let (whole, part) = truncated
    switch field {
    case .hours: return whole / 3_600
    case .minutes: return whole / 60
    case .seconds: return whole
    case .milliseconds: return part / 1_000_000
    }
  }
}

/// Arithmetic with timestamps and durations. A result out of range is `nil`.
enum TimeArithmetic {
  /// Returns whether a duration is valid: ±(2^63-1) nanoseconds in cel, milliseconds in
  /// superscript.
  static func isInRange(_ duration: Value.Duration, rules: TimeRules) -> Bool {
    // Without the sign, so that the seconds of the smallest number have room.
    let (seconds, rest) = duration.truncated
    let limit: (UInt64, UInt64) =
      rules == .cel ? (9_223_372_036, 854_775_807) : (9_223_372_036_854_775, 807_000_000)
    return (seconds.magnitude, rest.magnitude) <= limit
  }

  private static func checked(_ duration: Value.Duration?, rules: TimeRules) -> Value.Duration? {
    guard let duration, isInRange(duration, rules: rules) else { return nil }
    return duration
  }

  /// The sum of two durations.
  static func add(
    _ left: Value.Duration, _ right: Value.Duration, rules: TimeRules
  ) -> Value.Duration? {
    let (seconds, overflow) = left.seconds.addingReportingOverflow(right.seconds)
    if overflow { return nil }
    let nanoseconds = Int64(left.nanoseconds) + Int64(right.nanoseconds)
    return checked(Value.Duration(seconds: seconds, adding: nanoseconds), rules: rules)
  }

  /// The difference of two durations.
  static func subtract(
    _ left: Value.Duration, _ right: Value.Duration, rules: TimeRules
  ) -> Value.Duration? {
    let (seconds, overflow) = left.seconds.subtractingReportingOverflow(right.seconds)
    if overflow { return nil }
    let nanoseconds = Int64(left.nanoseconds) - Int64(right.nanoseconds)
    return checked(Value.Duration(seconds: seconds, adding: nanoseconds), rules: rules)
  }

  /// The negative duration.
  static func negate(_ duration: Value.Duration, rules: TimeRules) -> Value.Duration? {
    checked(duration.negated, rules: rules)
  }

  /// Returns the timestamp that is `duration` later, with the same offset.
  ///
  /// A leap second (only superscript has them) is treated as in the reference's date library: it
  /// counts when it is crossed by less than a second, and not otherwise.
  static func add(
    _ timestamp: Value.Timestamp, _ duration: Value.Duration, rules: TimeRules
  ) -> Value.Timestamp? {
    offset(timestamp, by: duration, rules: rules)
  }

  /// Returns the timestamp that is `duration` earlier; see
  /// ``add(_:_:rules:)-(Value.Timestamp,_,_)``.
  static func subtract(
    _ timestamp: Value.Timestamp, _ duration: Value.Duration, rules: TimeRules
  ) -> Value.Timestamp? {
    guard let negated = duration.negated else { return nil }
    return offset(timestamp, by: negated, rules: rules)
  }

  private static func offset(
    _ timestamp: Value.Timestamp, by duration: Value.Duration, rules: TimeRules
  ) -> Value.Timestamp? {
    let (wholeSeconds, part) = duration.truncated
    var seconds = timestamp.seconds
    var fraction = Int64(timestamp.nanoseconds)
    if fraction >= 1_000_000_000 {
      if wholeSeconds > 0 || part > 0 && fraction + part >= 2_000_000_000 {
        fraction -= 1_000_000_000
      } else if wholeSeconds < 0 {
        fraction -= 1_000_000_000
        seconds &+= 1
      } else {
        return Value.Timestamp(
          seconds: timestamp.seconds, nanoseconds: UInt32(fraction + part),
          offsetMinutes: timestamp.offsetMinutes)
      }
    }
    let (sum, overflow) = seconds.addingReportingOverflow(wholeSeconds)
    guard !overflow, let result = Value.Duration(seconds: sum, adding: fraction + part),
      rules.secondsRange.contains(result.seconds)
    else { return nil }
    return Value.Timestamp(
      seconds: result.seconds, nanoseconds: result.nanoseconds,
      offsetMinutes: timestamp.offsetMinutes)
  }

  /// Returns the time from `right` to `left`.
  static func difference(
    _ left: Value.Timestamp, _ right: Value.Timestamp, rules: TimeRules
  ) -> Value.Duration? {
    let (seconds, overflow) = left.seconds.subtractingReportingOverflow(right.seconds)
    if overflow { return nil }
    let fraction = Int64(left.nanoseconds) - Int64(right.nanoseconds)
    // A leap second between the two times of day counts, as in the reference.
    let leftOfDay = left.seconds &- CivilTime.floorDivide(left.seconds, by: 86_400) &* 86_400
    let rightOfDay = right.seconds &- CivilTime.floorDivide(right.seconds, by: 86_400) &* 86_400
    var adjustment: Int64 = 0
    if leftOfDay > rightOfDay, right.nanoseconds >= 1_000_000_000 { adjustment = 1_000_000_000 }
    if leftOfDay < rightOfDay, left.nanoseconds >= 1_000_000_000 { adjustment = -1_000_000_000 }
    return checked(Value.Duration(seconds: seconds, adding: fraction + adjustment), rules: rules)
  }

  /// Returns whether `left` is earlier than `right`, regardless of their offsets.
  static func isBefore(_ left: Value.Timestamp, _ right: Value.Timestamp) -> Bool {
    (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
  }
}
