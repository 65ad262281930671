// What a number means in a unit.

extension HistoryFunctionInfo {
  /// The unit of a time since an event; `nil` for counts, and for units that differ in length.
  package var unit: AttributeSchema.Attribute.Unit? {
    switch unitMinutes {
    case 1: .minutes
    case 60: .hours
    case 1_440: .days
    default: nil
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
    case .offset: "seconds from GMT, such as 7200"
    case .points: "points of a hundred"
    case .factor: "parts of 1, such as 0.8 or 1.25"
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
  /// A time is implausible from ten years on, an offset below a quarter of an hour, points between
  /// 0 and 1, and a factor from 10 on.
  package func otherReading(of number: Double) -> Reading? {
    switch self {
    case .minutes: Self.time(number, unitSeconds: 60)
    case .hours: Self.time(number, unitSeconds: 3_600)
    case .days: Self.time(number, unitSeconds: 86_400)
    case .offset:
      if number == number.rounded(), (1...14).contains(number.magnitude) {
        Reading(unit: "hours", number: number * 3_600)
      } else if number.remainder(dividingBy: 15) == 0, (30...840).contains(number.magnitude) {
        Reading(unit: "minutes", number: number * 60)
      } else {
        nil
      }
    case .points:
      number > 0 && number < 1 ? Reading(unit: "a share", number: (number * 100).rounded()) : nil
    case .factor: number >= 10 ? Reading(unit: "percent", number: number / 100) : nil
    }
  }

  /// The seconds of ten years.
  private static let tenYears = 10.0 * 365 * 86_400

  private static func time(_ number: Double, unitSeconds: Double) -> Reading? {
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
}
