/// The time that a subscription, or a trial of it, lasts until it renews.
public struct BillingPeriod: Sendable, Hashable {
  /// The unit of a period.
  public enum Unit: String, Sendable, Hashable, CaseIterable {
    /// A day.
    case day
    /// Seven days.
    case week
    /// A month, which counts as 30 days where days are wanted.
    case month
    /// A year, which counts as 365 days, 52 weeks or 12 months.
    case year
  }

  /// The number of units.
  public let count: Int
  /// The unit.
  public let unit: Unit

  /// Creates a period in its largest whole unit: 14 days are two weeks, and 12 months a year.
  ///
  /// - Parameters:
  ///   - count: At least 1; less counts as 1, and more than 10,000 as 10,000.
  ///   - unit: The unit.
  public init(_ count: Int, _ unit: Unit) {
    let count = min(max(count, 1), 10_000)
    switch unit {
    case .day where count.isMultiple(of: 7): (self.count, self.unit) = (count / 7, .week)
    case .month where count.isMultiple(of: 12): (self.count, self.unit) = (count / 12, .year)
    default: (self.count, self.unit) = (count, unit)
    }
  }

  /// Reads a period such as `1 month` or `7 days`.
  public init?(_ text: String) {
    let words = text.split(separator: " ")
    guard words.count == 2, let count = Int(words[0]), count > 0 else { return nil }
    let name = words[1].hasSuffix("s") ? words[1].dropLast() : words[1]
    guard let unit = Unit(rawValue: String(name)) else { return nil }
    self.init(count, unit)
  }

  /// Returns the number of whole units of another kind in the period.
  public func length(in unit: Unit) -> Int {
    switch (self.unit, unit) {
    case (.day, .day), (.week, .week), (.month, .month), (.year, .year): count
    case (.day, .week): count / 7
    case (.day, .month): count / 30
    case (.day, .year): count / 365
    case (.week, .day): count * 7
    case (.week, .month): count / 4
    case (.week, .year): count / 52
    case (.month, .day): count * 30
    case (.month, .week): count * 4
    case (.month, .year): count / 12
    case (.year, .day): count * 365
    case (.year, .week): count * 52
    case (.year, .month): count * 12
    }
  }

  /// The part of `price` that falls on one unit, rounded down to cents.
  ///
  /// The division is exact: no storefront rounds the result, so that 4.99 a week stays 4.99.
  public func price(_ price: Price, per unit: Unit) -> Price? {
    let (numerator, denominator) = Self.ratio(of: self.unit, to: unit)
    return price.scaled(by: denominator, over: Int64(count) * numerator)
  }

  /// Returns the number of `unit` in one `long`, for prices: a month is 365/12 days.
  private static func ratio(of long: Unit, to unit: Unit) -> (numerator: Int64, denominator: Int64)
  {
    let perYear: [Unit: Int64] = [.day: 365, .week: 52, .month: 12, .year: 1]
    switch (long, unit) {
    case (.week, .day): return (7, 1)
    case (.day, .week): return (1, 7)
    default: return (perYear[unit] ?? 1, perYear[long] ?? 1)
    }
  }
}

extension BillingPeriod: CustomStringConvertible {
  /// The period in words, `3 months`.
  public var description: String { "\(count) \(unit.rawValue)\(count == 1 ? "" : "s")" }

  /// The name of the period in the attributes of products: `week`, `quarter`, `6 months`, …
  public var name: String {
    switch (unit, count) {
    case (.month, 2), (.month, 6): "\(count) months"
    case (.month, 3): "quarter"
    default: unit.rawValue
    }
  }

  /// The name as an adverb: `weekly`, `quarterly`, `every 2 months`; `dayly`, as the reference has it.
  public var adverb: String {
    switch (unit, count) {
    case (.month, 2), (.month, 6): "every \(name)"
    default: name + "ly"
    }
  }
}
