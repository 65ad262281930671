import AudienceFilters
import ExpressionEngine

/// Chooses the variants of users who have none: one for each user and experiment, at however many
/// placements the experiment stands.
struct VariantSampler {
  private let chooser: VariantChooser
  /// The filters whose values are tried in turn as the unit of bucketing; empty for a random choice.
  private let unitIDs: [Filter]
  /// The names of these attributes of `user`.
  let unitNames: [String]
  /// The audiences from which experiments are drawn.
  private var experiments: [CompiledAudience] = []
  private var numbers: [ExactName: Int] = [:]
  /// The draws of the current user, by experiment; a draw of another user is out of date.
  private var draws: [(user: Int, variant: Int?)] = []

  init(options: MatchingOptions, random: any RandomSource) {
    chooser = VariantChooser(random: random)
    guard case .deterministic(let unit) = options.variantChoice else {
      unitIDs = []
      unitNames = []
      return
    }
    unitNames = unit == .alias ? ["aliasId"] : ["appUserId", "id", "aliasId"]
    unitIDs = unitNames.compactMap { try? Filter("user.\($0)") }
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

  /// The variants from which an experiment is drawn.
  func variants(of experiment: Int) -> [Variant] { experiments[experiment].audience.variants }

  /// Forgets all draws.
  mutating func removeAll() { draws = draws.map { _ in (-1, nil) } }

  /// The position of the variant that a user gets in an experiment, among ``variants(of:)``.
  ///
  /// - Parameter unit: Returns the unit of bucketing; empty for a user without a name, who cannot get
  ///   the same variant again.
  mutating func draw(
    _ experiment: Int, user: Int, unit: (borrowing VariantSampler) -> String
  ) -> Int? {
    if draws[experiment].user == user { return draws[experiment].variant }
    let variant = choose(experiments[experiment], unit)
    draws[experiment] = (user, variant)
    return variant
  }

  private func choose(
    _ experiment: CompiledAudience, _ unit: (borrowing VariantSampler) -> String
  ) -> Int? {
    let variants = experiment.audience.variants
    guard variants.count > 1, !unitIDs.isEmpty else { return chooser.chooseIndex(from: variants) }
    let unitID = unit(self)
    guard !unitID.isEmpty else { return chooser.chooseIndex(from: variants) }
    return DeterministicBucketing.chooseIndex(
      from: variants, unitID: unitID, experimentID: experiment.audience.experimentID)
  }

  /// The unit of bucketing in a context: the first text that is not empty.
  func unit(in context: Context) -> String {
    for filter in unitIDs {
      if case .string(let id)? = try? evaluate(filter, context), !id.isEmpty { return id }
    }
    return ""
  }
}
