import CampaignCore

extension UserTest {
  /// Returns the differences between what the user gets and what is expected, as sentences; empty if
  /// the test passes.
  ///
  /// - Parameter makers: What decides in the config, ``AnalysisModel/decisionMakers()``.
  package func failures(_ makers: [String: DecisionMaker]) -> [String] {
    guard let maker = makers[placement] else {
      return ["the config has no placement \(placement)"]
    }
    return zip(registrations, decisions(by: maker)).enumerated().compactMap { index, pair in
      failure(of: pair.0, pair.1).map { failure in
        index == 0 ? failure : "registration \(index + 1): \(failure)"
      }
    }
  }

  private func failure(
    of registration: Registration, _ audience: AnalysisModel.Audience?
  ) -> String? {
    guard audience?.experimentID == registration.expected else {
      return "\(placement) gives \(audience?.experimentID ?? "nothing"),"
        + " expected \(registration.expected ?? "nothing")"
    }
    guard let expected = registration.variant else { return nil }
    guard let audience else { return "\(placement) gives nothing, expected variant \(expected)" }
    let possible = audience.variants(forDraw: registration.draw)
    guard !possible.contains(expected) else { return nil }
    let found = possible.isEmpty ? "no variant" : possible.joined(separator: " or ")
    return "\(placement) gives \(audience.experimentID) \(found), expected \(expected)"
  }
}

extension AnalysisModel.Audience {
  /// Returns the variants that a user may get: the one for a drawn number, or all that can be drawn.
  func variants(forDraw draw: UInt64?) -> [String] {
    if let draw {
      let sum = variants.reduce(0) { sum, variant -> UInt64 in
        let (result, isTooLarge) = sum.addingReportingOverflow(UInt64(max(0, variant.weight)))
        return isTooLarge ? .max : result
      }
      // No user draws such a number.
      guard draw < (sum > 0 ? sum : UInt64(variants.count)) || variants.count == 1 else {
        return []
      }
      let variants = variants.map {
        Variant(id: $0.id, kind: $0.isHoldout ? .holdout : .treatment, percentage: $0.weight)
      }
      let chooser = VariantChooser(random: ScriptedRandomSource([draw]))
      return chooser.choose(from: variants).map { [$0.id] } ?? []
    }
    let unreachable = unreachableVariants
    return variants.filter { !unreachable.contains($0) }.map(\.id)
  }
}
