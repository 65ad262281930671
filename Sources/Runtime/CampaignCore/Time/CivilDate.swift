/// A day of the proleptic Gregorian calendar.
public struct CivilDate: Sendable, Hashable {
  /// The astronomical year.
  public var year: Int64
  /// The month, 1 ... 12.
  public var month: Int64
  /// The day of the month, 1 ... 31.
  public var day: Int64

  /// Creates a day; the members must be in range.
  public init(year: Int64, month: Int64, day: Int64) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// Creates the day that lies `days` after 1970-01-01.
  ///
  /// The calculation counts 400-year eras that begin on 1 March, so that the leap day is last.
  public init(daysSince1970 days: Int64) {
    let shifted = days &+ 719_468
    let era = shifted.flooredQuotient(by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// Days from 1970-01-01 to this day; negative before it.
  public var daysSince1970: Int64 {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = shiftedYear.flooredQuotient(by: 400)
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// The number of days of a month (1 ... 12) of a year.
  public static func daysInMonth(_ month: Int64, of year: Int64) -> Int64 {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Whether a year has a 29 February.
  public static func isLeap(_ year: Int64) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  /// The same day `months` later; a day that the month lacks becomes the month's last day.
  public func adding(months: Int64) -> CivilDate {
    let count = year * 12 + (month - 1) + months
    let newYear = count.flooredQuotient(by: 12)
    let newMonth = count - newYear * 12 + 1
    return CivilDate(
      year: newYear, month: newMonth,
      day: min(day, CivilDate.daysInMonth(newMonth, of: newYear)))
  }
}

/// A wall-clock reading: a day and the time of that day, without a zone.
public struct LocalDateTime: Sendable, Hashable {
  /// The day.
  public var date: CivilDate
  /// Milliseconds since midnight on the wall clock, 0 ..< 86,400,000.
  public var millisecondOfDay: Int64

  /// Creates a reading from a day and the milliseconds since midnight.
  public init(date: CivilDate, millisecondOfDay: Int64) {
    self.date = date
    self.millisecondOfDay = millisecondOfDay
  }

  /// Creates the local time of a wall clock that runs `offsetSeconds` ahead of UTC.
  public init(instant: WallTime, offsetSeconds: Int64) {
    let local = instant.advanced(byMilliseconds: offsetSeconds * 1_000).milliseconds
    let days = local.flooredQuotient(by: 86_400_000)
    date = CivilDate(daysSince1970: days)
    millisecondOfDay = local - days * 86_400_000
  }

  /// Milliseconds from 1970-01-01T00:00 on the same wall clock.
  var wallMilliseconds: Int64 { date.daysSince1970 &* 86_400_000 &+ millisecondOfDay }

  /// The milliseconds within the second, 0 ... 999.
  public var millisecond: Int64 { millisecondOfDay % 1_000 }

  /// The day as `2026-03-01`.
  public var dateText: String {
    decimal(date.year, digits: 4) + "-" + decimal(date.month, digits: 2) + "-"
      + decimal(date.day, digits: 2)
  }

  /// The time as `15:54:28`, 24 hours.
  public var timeText: String {
    decimal(millisecondOfDay / 3_600_000, digits: 2) + ":"
      + decimal(millisecondOfDay / 60_000 % 60, digits: 2) + ":"
      + decimal(millisecondOfDay / 1_000 % 60, digits: 2)
  }
}

extension Int64 {
  /// The quotient rounded towards minus infinity; the divisor must be positive.
  func flooredQuotient(by divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }

  /// The remainder that belongs to ``flooredQuotient(by:)``: never negative.
  func flooredRemainder(by divisor: Int64) -> Int64 {
    let remainder = self % divisor
    return remainder < 0 ? remainder + divisor : remainder
  }
}

/// A number in decimal with at least `digits` digits.
func decimal(_ number: Int64, digits: Int) -> String {
  let text = String(number.magnitude)
  let zeros = String(repeating: "0", count: max(0, digits - text.utf8.count))
  return (number < 0 ? "-" : "") + zeros + text
}
