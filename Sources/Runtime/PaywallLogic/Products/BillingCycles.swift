extension BillingPeriod {
  /// Returns how often a product is billed within a commitment: 12 times for a monthly payment of a
  /// yearly subscription (docs/spec/campaigns.md §8.15).
  ///
  /// Months and years are counted exactly, and so are days and weeks. Between the two a month counts as
  /// 30 days and a year as 365, and the result is rounded to the nearest number.
  ///
  /// - Parameter commitment: How long the customer is bound.
  /// - Returns: At least 1.
  public func cycles(in commitment: BillingPeriod) -> Int {
    Self.cycles(of: count, unit, in: commitment.count, commitment.unit)
  }

  /// Returns how often a product is billed within a commitment, for counts as the store gives them.
  ///
  /// - Parameters:
  ///   - billing: The number of units between two payments. With less than 1 the result is 1.
  ///   - billingUnit: The unit of the payments.
  ///   - commitment: The number of units of the commitment.
  ///   - commitmentUnit: The unit of the commitment.
  /// - Returns: At least 1.
  public static func cycles(
    of billing: Int, _ billingUnit: Unit, in commitment: Int, _ commitmentUnit: Unit
  ) -> Int {
    guard billing > 0, commitment > 0 else { return 1 }
    let scale = scale(of: billingUnit, commitmentUnit)
    let (part, partOverflow) = billing.multipliedReportingOverflow(by: scale.billing)
    let (whole, wholeOverflow) = commitment.multipliedReportingOverflow(by: scale.commitment)
    guard !partOverflow, !wholeOverflow else { return 1 }
    let (quotient, remainder) = whole.quotientAndRemainder(dividingBy: part)
    // Half a cycle and more counts as one.
    return max(1, quotient + (remainder >= part - remainder ? 1 : 0))
  }

  /// Returns the lengths of two units in the largest unit that measures both.
  private static func scale(
    of billing: Unit, _ commitment: Unit
  ) -> (billing: Int, commitment: Int) {
    func months(_ unit: Unit) -> Int? {
      switch unit {
      case .month: 1
      case .year: 12
      case .day, .week: nil
      }
    }
    func days(_ unit: Unit) -> Int {
      switch unit {
      case .day: 1
      case .week: 7
      case .month: 30
      case .year: 365
      }
    }
    if let billing = months(billing), let commitment = months(commitment) {
      return (billing, commitment)
    }
    return (days(billing), days(commitment))
  }

  /// Returns what a commitment costs: the price of one payment times the payments. The sum is exact,
  /// because it is what the customer pays.
  ///
  /// - Parameters:
  ///   - price: The price of one payment.
  ///   - commitment: How long the customer is bound.
  /// - Returns: `nil` if the sum is too large.
  public func price(_ price: Price, in commitment: BillingPeriod) -> Price? {
    price.scaled(
      by: Int64(cycles(in: commitment)), over: 1, fractionDigits: price.fractionDigits)
  }

  /// Returns the length of an introductory offer of several payments: three payments of a month each
  /// are three months.
  ///
  /// - Parameter payments: The number of payments. Less than 1 counts as 1.
  public func repeated(_ payments: Int) -> BillingPeriod {
    let (total, overflow) = count.multipliedReportingOverflow(by: max(payments, 1))
    return BillingPeriod(overflow ? .max : total, unit)
  }
}
