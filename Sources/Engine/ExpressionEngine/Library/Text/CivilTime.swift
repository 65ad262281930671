/// A date and a time of day in the proleptic Gregorian calendar.
struct CivilTime: Hashable {
  /// The year; 0 is 1 BC.
  var year: Int64
  /// The month, 1 ... 12.
  var month: Int
  /// The day of the month, 1 ... 31.
  var day: Int
  /// The hour, 0 ... 23.
  var hour: Int
  /// The minute, 0 ... 59.
  var minute: Int
  /// The second, 0 ... 59; 60 in a leap second.
  var second: Int
  /// The nanosecond, 0 ... 999,999,999.
  var nanosecond: Int
  /// The day of the week, 0 = Sunday.
  var dayOfWeek: Int
  /// The day of the year, 0 = 1 January.
  var dayOfYear: Int

  /// Creates the date and time of an instant, as a clock shows it that is `utcOffset` seconds east
  /// of UTC.
  init(_ timestamp: Value.Timestamp, utcOffset: Int = 0) {
    let (sum, overflow) = timestamp.seconds.addingReportingOverflow(Int64(utcOffset))
    let local = overflow ? timestamp.seconds : sum
    let days = CivilTime.floorDivide(local, by: 86_400)
    let secondOfDay = Int(local &- days &* 86_400)
    let isLeap = timestamp.nanoseconds >= 1_000_000_000
    hour = secondOfDay / 3_600
    minute = secondOfDay / 60 % 60
    second = secondOfDay % 60 &+ (isLeap ? 1 : 0)
    nanosecond = Int(timestamp.nanoseconds) &- (isLeap ? 1_000_000_000 : 0)
    (year, month, day) = CivilTime.date(ofDay: days)
    let weekday = (days &+ 4) % 7
    dayOfWeek = Int(weekday < 0 ? weekday &+ 7 : weekday)
    dayOfYear = Int(days &- CivilTime.day(ofYear: year, month: 1, day: 1))
  }

  /// Divides rounding towards minus infinity; `divisor` must be positive.
  @inline(__always)
  static func floorDivide(_ value: Int64, by divisor: Int64) -> Int64 {
    let quotient = value / divisor
    return value % divisor < 0 ? quotient &- 1 : quotient
  }

  /// Returns the number of days from 1970-01-01 to a date. The date need not exist; days beyond the
  /// end of a month continue into the next one.
  ///
  /// The year is counted from March, so that the leap day is its last day, and 400 years have
  /// always 146,097 days.
  static func day(ofYear year: Int64, month: Int, day: Int) -> Int64 {
    let shifted = month <= 2 ? year &- 1 : year
    let era = floorDivide(shifted, by: 400)
    let yearOfEra = shifted &- era &* 400
    let monthFromMarch = Int64(month > 2 ? month &- 3 : month &+ 9)
    let dayOfYear = (153 &* monthFromMarch &+ 2) / 5 &+ Int64(day) &- 1
    let dayOfEra = yearOfEra &* 365 &+ yearOfEra / 4 &- yearOfEra / 100 &+ dayOfYear
    return era &* 146_097 &+ dayOfEra &- 719_468
  }

  /// Returns the date that is `days` after 1970-01-01.
  static func date(ofDay days: Int64) -> (year: Int64, month: Int, day: Int) {
    let shifted = days &+ 719_468
    let era = floorDivide(shifted, by: 146_097)
    let dayOfEra = shifted &- era &* 146_097
    let yearOfEra =
      (dayOfEra &- dayOfEra / 1_460 &+ dayOfEra / 36_524 &- dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra &- (365 &* yearOfEra &+ yearOfEra / 4 &- yearOfEra / 100)
    let monthFromMarch = (5 &* dayOfYear &+ 2) / 153
    let day = Int(dayOfYear &- (153 &* monthFromMarch &+ 2) / 5 &+ 1)
    let month = Int(monthFromMarch < 10 ? monthFromMarch &+ 3 : monthFromMarch &- 9)
    return (yearOfEra &+ era &* 400 &+ (month <= 2 ? 1 : 0), month, day)
  }

  /// Returns whether the year has a 29 February.
  static func isLeapYear(_ year: Int64) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  /// Returns the number of days of a month, 1 ... 12.
  static func daysInMonth(_ month: Int, year: Int64) -> Int {
    switch month {
    case 2: isLeapYear(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

extension CivilTime {
  /// The fields that accessors of the cel dialect read from a timestamp (docs/spec/cel.md §12.4).
  enum Field: UInt8, Sendable, CaseIterable {
    case fullYear, month, date, dayOfMonth, dayOfWeek, dayOfYear
    case hours, minutes, seconds, milliseconds
  }

  /// Returns the value of an accessor: `getMonth` counts from 0, `getDate` from 1, `getDayOfMonth`
  /// from 0.
  func value(of field: Field) -> Int64 {
    switch field {
    case .fullYear: year
    case .month: Int64(month &- 1)
    case .date: Int64(day)
    case .dayOfMonth: Int64(day &- 1)
    case .dayOfWeek: Int64(dayOfWeek)
    case .dayOfYear: Int64(dayOfYear)
    case .hours: Int64(hour)
    case .minutes: Int64(minute)
    case .seconds: Int64(second)
    case .milliseconds: Int64(nanosecond / 1_000_000)
    }
  }
}
