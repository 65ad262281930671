import AudienceFilters
import ExpressionEngine

/// Chooses the variants of users who have none: one for each user and experiment, at however many
/// placements the experiment stands.
struct VariantSampler {
  private let chooser: VariantChooser
  /// The filters whose values are tried in turn as the unit of bucketing; empty for a random choice.
  private let unitIDs: [Filter]
  /// The audiences from which experiments are drawn.
  private var experiments: [CompiledAudience] = []
  private var numbers: [ExactName: Int] = [:]
  /// The draws of the current user, by experiment; a draw of another user is out of date.
  private var draws: [(user: Int, variant: Variant?)] = []

  init(options: MatchingOptions, random: any RandomSource) {
    chooser = VariantChooser(random: random)
    guard case .deterministic(let unit) = options.variantChoice else {
      unitIDs = []
      return
    }
    let names = unit == .alias ? ["aliasId"] : ["appUserId", "id", "aliasId"]
    unitIDs = names.compactMap { try? Filter("user.\($0)") }
  }

  /// The attributes that identify a user.
  var requirements: [Requirements] { unitIDs.map(\.requirements) }

  /// The number of an audience's experiment.
  ///
  /// - Parameter first: The first audience of the experiment in the config, whose variants are drawn.
  mutating func add(_ experimentID: String, first: CompiledAudience) -> Int {
    if let known = numbers[ExactName(experimentID)] { return known }
    numbers[ExactName(experimentID)] = experiments.count
    experiments.append(first)
    draws.append((-1, nil))
    return experiments.count - 1
  }

  /// The variant that a user gets in an experiment.
  mutating func draw(_ experiment: Int, user: Int, _ context: Context) -> Variant? {
    if draws[experiment].user == user { return draws[experiment].variant }
    let variant = choose(experiments[experiment].audience, context)
    draws[experiment] = (user, variant)
    return variant
  }

  private func choose(_ audience: Audience, _ context: Context) -> Variant? {
    guard audience.variants.count > 1 else { return audience.variants.first }
    guard !unitIDs.isEmpty else { return chooser.choose(from: audience.variants) }
    var unitID = ""
    for filter in unitIDs where unitID.isEmpty {
      if case .string(let id)? = try? evaluate(filter, context) { unitID = id }
    }
    // A user without a name cannot get the same variant again.
    guard !unitID.isEmpty else { return chooser.choose(from: audience.variants) }
    return DeterministicBucketing.choose(
      from: audience.variants, unitID: unitID, experimentID: audience.experimentID)
  }
}
