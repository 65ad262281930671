public import FilterAnalysis

/// The audience that a user gets at a placement.
public struct Decision: Sendable, Hashable {
  /// The position of the audience, from 0.
  public let index: Int
  /// The audience with its variants and its limit.
  public let audience: AnalysisModel.Audience

  /// Whether two decisions are the same for the user: experiment, variants and limit.
  func isSame(as other: Decision) -> Bool {
    audience.experimentID == other.audience.experimentID
      && audience.campaignID == other.audience.campaignID
      && audience.variants == other.audience.variants && audience.limit == other.audience.limit
  }
}

/// Users of a placement whose decision changes.
public struct DecisionChange: Sendable, Hashable {
  /// The decision in the old config; `nil` for nothing.
  public let old: Decision?
  /// The decision in the new config; `nil` for nothing.
  public let new: Decision?
  /// The filters of which one is true for each of these users.
  public let filters: [String]
  /// How many of the filters, from the first on, are about values of the kinds that the filters of the
  /// configs or the schema expect. The others are about texts where a number is expected, and the like.
  public let likelyCount: Int
  /// Whether the filters select exactly these users. When not, some of them are left out, and no
  /// others are selected.
  public let isExact: Bool
  /// Fewer and shorter filters, which select exactly these users among the users with the old
  /// decision. Empty if there are too many.
  public let filtersAmongOld: [String]
  /// One of these users.
  public let witness: Witness?
  /// The assumptions about free parts under which the witness shows it.
  public let assumptions: [String]
}

/// The changes at one placement.
public struct PlacementChange: Sendable, Hashable {
  /// Whether a placement was changed, added or removed.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// It is in both configs.
    case changed
    /// It is only in the new one.
    case added
    /// It is only in the old one.
    case removed
  }

  /// The placement.
  public let name: String
  /// Whether it was changed, added or removed.
  public let kind: Kind
  /// The users whose decision changes.
  public let changes: [DecisionChange]
}

/// The changes between two configs.
public struct CampaignChanges: Sendable, Hashable {
  /// The placements at which something changes, in the order of the new config.
  public var placements: [PlacementChange] = []
  /// The placements at which nothing does.
  public var unchanged: [String] = []
  /// The parts that were treated as unknown at placements at which something changes.
  public var freeParts: [FreePart] = []
  /// The questions that were not decided.
  public var openQuestions: [OpenQuestion] = []

  /// Whether every user gets the same of every placement.
  public var isEmpty: Bool { placements.isEmpty && openQuestions.isEmpty }
}
