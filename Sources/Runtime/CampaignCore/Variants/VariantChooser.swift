/// Chooses a variant at random by weight, as the reference does (docs/spec/campaigns.md §4.1).
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
    chooseIndex(from: variants).map { variants[$0] }
  }

  /// The position of the variant that ``choose(from:)`` chooses.
  func chooseIndex(from variants: [Variant]) -> Int? {
    guard variants.count > 1 else { return variants.isEmpty ? nil : 0 }
    let sum = variants.reduce(0) { Self.adding($1, to: $0) }
    guard sum > 0 else { return Int(random.uniform(below: UInt64(variants.count))) }
    let drawn = random.uniform(below: sum)
    var cumulated: UInt64 = 0
    for index in variants.indices {
      cumulated = Self.adding(variants[index], to: cumulated)
      if cumulated > drawn { return index }
    }
    return variants.count - 1
  }

  /// Adds a variant's weight to a sum; negative weights count as zero.
  private static func adding(_ variant: Variant, to sum: UInt64) -> UInt64 {
    let (result, overflow) = sum.addingReportingOverflow(UInt64(max(0, variant.percentage)))
    return overflow ? .max : result
  }
}
