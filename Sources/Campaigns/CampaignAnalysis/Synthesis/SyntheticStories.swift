import CampaignCore
import ExpressionEngine

/// Lets synthetic users register again, wait and draw, so that they test limits and variants, too.
struct SyntheticStories {
  private(set) var users: [SyntheticUser]
  private(set) var openQuestions: [OpenQuestion] = []
  private let placement: AnalysisModel.Placement
  private let maker: DecisionMaker

  /// The most registrations of one user at one instant.
  private static let maximumRegistrations = 64
  /// The longest wait in minutes; the windows of most limits are shorter.
  private static let longestWait: Int64 = 100 * 366 * 1_440

  init(_ placement: AnalysisModel.Placement, in model: AnalysisModel, users: [SyntheticUser]) {
    self.placement = placement
    maker = DecisionMaker(placement.name, in: model)
    self.users = users
  }

  private func experiment(_ index: Int?) -> String? {
    index.map { placement.audiences[$0].experimentID }
  }

  // MARK: Limits

  /// Makes one user of each audience with a limit use it up, and wait until it opens again.
  mutating func addLimits() {
    for (index, audience) in placement.audiences.enumerated() {
      guard let limit = audience.limit, !limit.isClosed,
        let number = users.firstIndex(where: { $0.expected?.index == index })
      else { continue }
      guard let registrations = registrations(of: users[number].user) else {
        openQuestions.append(
          OpenQuestion(
            placement: placement.name,
            audience: Finding.Place(index: index, experimentID: audience.experimentID),
            question: "the limit of \"\(audience.experimentID)\"",
            reason: "it takes more than \(Self.maximumRegistrations) registrations to use it up"))
        continue
      }
      users[number].registrations = registrations
      users[number].purposes.append("the limit of \"\(audience.experimentID)\"")
    }
  }

  /// Registrations until no limit is left to use up, then both sides of the end of each window.
  private func registrations(of witness: Witness) -> [Registration]? {
    var user = LimitedUser(maker)
    let context = witness.context
    var registrations: [Registration] = []
    var windows: Set<Int64> = []
    func register(after minutes: Int64 = 0) -> AnalysisModel.Limit? {
      let index = user.register(context, after: minutes)
      registrations.append(Registration(minutes: minutes, expected: experiment(index)))
      return index.flatMap { placement.audiences[$0].limit }
    }
    while let limit = register() {
      windows.insert(min(limit.minutes ?? Self.longestWait, Self.longestWait))
      guard registrations.count <= Self.maximumRegistrations else { return nil }
    }
    var elapsed: Int64 = 0
    for window in windows.sorted() {
      // The window includes its beginning.
      _ = register(after: window - elapsed)
      _ = register(after: 1)
      elapsed = window + 1
    }
    return registrations
  }

  // MARK: Variants

  /// Gives users the first and the last number that leads to each variant.
  mutating func addVariants() {
    for audience in placement.audiences where audience.variants.count > 1 {
      var places = places(of: audience.experimentID)[...]
      guard let first = places.first else { continue }
      for draw in Self.draws(of: audience) {
        guard let variant = audience.variants(forDraw: draw).first else { continue }
        var place = first
        if let next = places.popFirst() {
          place = next
        } else {
          // No user is left: the first one comes again.
          var copy = users[first.user]
          copy.registrations = Array(copy.registrations.prefix(first.registration + 1))
          copy.purposes = []
          users.append(copy)
          place.user = users.count - 1
        }
        users[place.user].registrations[place.registration].draw = draw
        users[place.user].registrations[place.registration].variant = variant
        users[place.user].purposes.append(
          "variant \"\(variant)\" of \"\(audience.experimentID)\"")
      }
    }
  }

  /// Where an experiment is expected.
  private func places(of experiment: String) -> [(user: Int, registration: Int)] {
    users.indices.flatMap { user in
      users[user].registrations.indices.compactMap { registration in
        users[user].registrations[registration].expected == experiment
          ? (user, registration) : nil
      }
    }
  }

  /// The first and the last number that leads to each variant.
  static func draws(of audience: AnalysisModel.Audience) -> [UInt64] {
    let weights = audience.variants.map { UInt64(max(0, $0.weight)) }
    guard weights.contains(where: { $0 > 0 }) else {
      return weights.indices.map { UInt64($0) }
    }
    var draws: [UInt64] = []
    var sum: UInt64 = 0
    for weight in weights where weight > 0 {
      let (next, isTooLarge) = sum.addingReportingOverflow(weight)
      // A test file has no larger numbers.
      guard !isTooLarge, next <= UInt64(Int64.max) else { break }
      draws += weight > 1 ? [sum, next - 1] : [sum]
      sum = next
    }
    return draws
  }
}
