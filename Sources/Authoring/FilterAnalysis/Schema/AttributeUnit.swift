// What a number means in a unit.

extension HistoryFunctionInfo {
  /// The unit of a time since an event; `nil` for counts.
  package var unit: AttributeSchema.Attribute.Unit? {
    switch subject {
    case .time(let unit): unit
    case .count: nil
    }
  }
}

extension AttributeSchema.Attribute.Unit {
  /// The unit in words.
  package var meaning: String {
    switch self {
    case .minutes: "whole minutes"
    case .hours: "whole hours"
    case .days: "whole days"
    case .months: "whole months"
    case .years: "whole years"
    case .referenceDate: "seconds since 2001-01-01T00:00:00Z"
    case .offset: "seconds from GMT, such as 7200"
    case .points: "points of a hundred"
    case .factor: "parts of 1, such as 0.8 or 1.25"
    }
  }

  /// The length of a unit of time that always has the same length.
  package var seconds: Double? {
    switch self {
    case .minutes: 60
    case .hours: 3_600
    case .days: 86_400
    default: nil
    }
  }

  /// The next shorter unit of time, and roughly how many of it make this one.
  package var shorter: (unit: Self, count: Double)? {
    switch self {
    case .hours: (.minutes, 60)
    case .days: (.hours, 24)
    case .months: (.days, 30)
    case .years: (.months, 12)
    default: nil
    }
  }

  /// Another unit that a number is probably in, and the number in this unit.
  package struct Reading: Sendable {
    /// The other unit, such as "seconds".
    package let unit: String
    /// The number in the unit of the attribute.
    package let number: Double
  }

  /// Returns the reading of a number that is implausible in this unit and round in another one.
  ///
  /// A time is implausible from ten years on, or if it is a number of whole days in seconds or in
  /// minutes; an offset below a quarter of an hour, points between 0 and 1, a factor from 10 on,
  /// and a date after 2040.
  package func otherReading(of number: Double) -> Reading? {
    switch self {
    case .minutes:
      // Round numbers of minutes differ from a day, two, three or seven in hours.
      [24, 48, 72, 168].contains(number)
        ? Reading(unit: "hours", number: number * 60)
        : [60_000, 300_000, 600_000].contains(number)
          || number >= 900_000 && number < 86_400_000 && number.isMultiple(of: 60_000)
          ? Reading(unit: "milliseconds", number: number / 60_000)
          : number == 3_600
            ? Reading(unit: "seconds", number: 60) : Self.time(number, unitSeconds: 60)
    case .hours: Self.time(number, unitSeconds: 3_600)
    case .days:
      [24, 48, 72, 168, 336].contains(number)
        ? Reading(unit: "hours", number: number / 24)
        : Self.time(number, unitSeconds: 86_400)
    case .months:
      [30, 60, 90].contains(number)
        ? Reading(unit: "days", number: number / 30)
        : Self.days(number, inUnit: number.isMultiple(of: 365) ? 365.0 / 12 : 30)
    case .years:
      [12, 24, 36, 48, 60].contains(number)
        ? Reading(unit: "months", number: number / 12) : Self.days(number, inUnit: 365)
    case .referenceDate: Self.date(number)
    case .offset:
      if number == number.rounded(), (1...14).contains(number.magnitude) {
        Reading(unit: "hours", number: number * 3_600)
      } else if let seconds = Self.clockOffset(number) {
        Reading(unit: "hours and minutes", number: seconds)
      } else if number == -60 || number == -120 {
        // West of Greenwich is the sea there: JavaScript has the sign turned around.
        Reading(unit: "minutes of JavaScript", number: -number * 60)
      } else if number.isMultiple(of: 15), (30...840).contains(number.magnitude) {
        Reading(unit: "minutes", number: number * 60)
      } else if number.magnitude > 50_400, number.isMultiple(of: 900_000) {
        Reading(unit: "milliseconds", number: number / 1_000)
      } else {
        nil
      }
    case .points:
      number > 0 && number < 1 ? Reading(unit: "a share", number: (number * 100).rounded()) : nil
    case .factor: number >= 50 ? Reading(unit: "percent", number: number / 100) : nil
    }
  }

  /// Returns the seconds of 530, which is 5:30, unless it is a number of quarters of an hour.
  private static func clockOffset(_ number: Double) -> Double? {
    guard number == number.rounded(), (100...1_400).contains(number.magnitude),
      number.magnitude > 840 || !number.isMultiple(of: 15)
    else { return nil }
    let hours = (number.magnitude / 100).rounded(.down)
    let minutes = number.magnitude - hours * 100
    guard minutes == 0 || minutes == 30 || minutes == 45 else { return nil }
    return (hours * 3_600 + minutes * 60) * (number < 0 ? -1 : 1)
  }

  /// The seconds of ten years.
  private static let tenYears = 10.0 * 365 * 86_400

  private static func time(_ number: Double, unitSeconds: Double) -> Reading? {
    // A day in milliseconds is almost three years in seconds.
    if number >= 86_400_000, number.isMultiple(of: 3_600_000) {
      return Reading(unit: "milliseconds", number: number / 1_000 / unitSeconds)
    }
    // Months are not counted in minutes, and years not in hours.
    for (unit, seconds) in [("seconds", 1.0), ("minutes", 60.0)] where seconds < unitSeconds {
      let day = unit == "seconds" && unitSeconds == 3_600 ? 3_600 : 86_400 / seconds
      if number >= day, number.isMultiple(of: day) {
        return Reading(unit: unit, number: number * seconds / unitSeconds)
      }
    }
    guard number * unitSeconds >= tenYears else { return nil }
    // Short times are round in several units, so the shortest unit is not the first.
    for (unit, seconds) in [("seconds", 1.0), ("minutes", 60), ("milliseconds", 0.001)]
    where seconds < unitSeconds {
      let own = number * seconds / unitSeconds
      if own == own.rounded(), own >= 1, own * unitSeconds < tenYears {
        return Reading(unit: unit, number: own)
      }
    }
    return nil
  }

  /// A number of months or years that is round as a number of days.
  private static func days(_ number: Double, inUnit length: Double) -> Reading? {
    guard number >= 120, (number / length).rounded() == number / length else { return nil }
    return Reading(unit: "days", number: number / length)
  }

  /// The seconds between 1970-01-01 and 2001-01-01.
  private static let unixOffset = 978_307_200.0
  /// 2040-01-01 in seconds since 2001, which is in 2009 in seconds since 1970.
  private static let distantDate = 1_230_768_000.0

  private static func date(_ number: Double) -> Reading? {
    guard number >= distantDate else { return nil }
    let isMilliseconds = number >= distantDate * 100
    return Reading(
      unit: isMilliseconds ? "milliseconds since 1970" : "seconds since 1970",
      number: (isMilliseconds ? number / 1_000 : number) - unixOffset)
  }
}

extension Double {
  fileprivate func isMultiple(of other: Double) -> Bool {
    truncatingRemainder(dividingBy: other) == 0
  }
}
