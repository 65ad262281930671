/// Chooses a variant at random by weight, as the reference does (spec/campaigns.md §4.1).
public struct VariantChooser: Sendable {
  /// The source of chance.
  public var random: any RandomSource

  /// Creates a chooser.
  public init(random: any RandomSource) {
    self.random = random
  }

  /// Chooses a variant.
  ///
  /// A single variant is chosen whatever its weight; when all weights are zero every variant is
  /// equally likely; otherwise the first one whose cumulated weight exceeds a number drawn from
  /// `0 ..< sum` is chosen. Negative weights count as zero.
  /// - Returns: `nil` when there are no variants.
  public func choose(from variants: [Variant]) -> Variant? {
    guard variants.count > 1 else { return variants.first }
    let weights = variants.map { UInt64(max(0, $0.percentage)) }
    var sum: UInt64 = 0
    for weight in weights {
      let (next, overflow) = sum.addingReportingOverflow(weight)
      sum = overflow ? .max : next
    }
    guard sum > 0 else {
      return variants[Int(random.uniform(below: UInt64(variants.count)))]
    }
    let drawn = random.uniform(below: sum)
    var cumulated: UInt64 = 0
    for (variant, weight) in zip(variants, weights) {
      let (next, overflow) = cumulated.addingReportingOverflow(weight)
      if overflow || next > drawn { return variant }
      cumulated = next
    }
    return variants.last
  }
}
