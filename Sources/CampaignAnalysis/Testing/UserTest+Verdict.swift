import CampaignCore

extension UserTest {
  /// Returns the differences between what the user gets and what is expected, as sentences; empty if
  /// the test passes.
  package func failures(_ model: AnalysisModel) -> [String] {
    guard model.placements.contains(where: { $0.name == placement }) else {
      return ["the config has no placement \(placement)"]
    }
    let audience = audience(of: model)
    guard audience?.experimentID == expected else {
      return [
        "\(placement) gives \(audience?.experimentID ?? "nothing"),"
          + " expected \(expected ?? "nothing")"
      ]
    }
    guard let expectedVariant, let audience else {
      return expectedVariant.map { ["\(placement) gives nothing, expected variant \($0)"] } ?? []
    }
    let possible = variants(of: audience)
    guard possible.contains(expectedVariant) else {
      let found = possible.isEmpty ? "no variant" : possible.joined(separator: " or ")
      return ["\(placement) gives \(audience.experimentID) \(found), expected \(expectedVariant)"]
    }
    return []
  }

  /// Returns the variants that the user may get: the one for ``draw``, or all that can be drawn.
  private func variants(of audience: AnalysisModel.Audience) -> [String] {
    if let draw {
      let variants = audience.variants.map {
        Variant(id: $0.id, kind: $0.isHoldout ? .holdout : .treatment, percentage: $0.weight)
      }
      let chooser = VariantChooser(random: ScriptedRandomSource([draw]))
      return chooser.choose(from: variants).map { [$0.id] } ?? []
    }
    let unreachable = audience.unreachableVariants
    return audience.variants.filter { !unreachable.contains($0) }.map(\.id)
  }
}
