public import FilterAnalysis

/// Something that an analysis found, with its proof or its witness.
public struct Finding: Sendable, Hashable {
  /// The kind of a finding.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// No user matches the filter.
    case deadAudience = "dead-audience"
    /// The limit lets no user through.
    case closedLimit = "closed-limit"
    /// The filter does not compile, so that no user matches it.
    case invalidFilter = "invalid-filter"
    /// Earlier audiences match every user of this one.
    case shadowedAudience = "shadowed-audience"
    /// A condition can be left out, and the filter matches the same users.
    case redundantCondition = "redundant-condition"
    /// A condition fails for some users, who would otherwise match.
    case failingFilter = "failing-filter"
    /// A variant that no new user is given.
    case unreachableVariant = "unreachable-variant"
    /// A paywall that no new user is shown.
    case unreachablePaywall = "unreachable-paywall"
    /// An audience is reached only when the limits of earlier ones are used up.
    case afterLimit = "after-limit"
    /// Earlier audiences match some users of this one.
    case partlyShadowed = "partly-shadowed"
    /// The audience matches every user of earlier ones.
    case impliedFilter = "implied-filter"
    /// The filter matches users who do not have an attribute that it compares.
    case missingAttribute = "missing-attribute"
    /// Some users match no audience.
    case unreachedUsers = "unreached-users"

    /// Whether the finding is a fault that should be corrected. The others may be
    /// intended.
    public var isFault: Bool {
      switch self {
      case .deadAudience, .closedLimit, .invalidFilter, .shadowedAudience, .redundantCondition,
        .failingFilter, .unreachableVariant, .unreachablePaywall:
        true
      case .afterLimit, .partlyShadowed, .impliedFilter, .missingAttribute, .unreachedUsers: false
      }
    }
  }

  /// An audience of a placement.
  public struct Place: Sendable, Hashable {
    /// The position in the placement, from 0.
    public let index: Int
    /// The id of the experiment.
    public let experimentID: String
  }

  /// The kind.
  public let kind: Kind
  /// The placement; `nil` for what concerns the config.
  public let placement: String?
  /// The audience; `nil` for what concerns the placement or the config.
  public let audience: Place?
  /// The finding in a sentence.
  public let message: String
  /// The earlier audiences that it is about, in order.
  public var related: [Place] = []
  /// The conditions that it is about: those that exclude each other, or the one that is superfluous.
  public var conditions: [String] = []
  /// A shorter filter that matches the same users.
  public var shorterFilter: String?
  /// A user who shows it; `nil` for a finding about all users.
  public var witness: Witness?
  /// The assumptions about free parts under which the witness shows it. Empty for proven findings
  /// and for witnesses that were run.
  public var assumptions: [String] = []
}

/// A question that an analysis left open, because a limit was reached or a free part decides it.
public struct OpenQuestion: Sendable, Hashable {
  /// The placement.
  public let placement: String
  /// The audience; `nil` for a question about all of them.
  public let audience: Finding.Place?
  /// The question.
  public let question: String
  /// Why it is open.
  public let reason: String

  static let limitReached = "the limits of the analysis were reached"
}

/// The results of analysing a config.
public struct CampaignProof: Sendable, Hashable {
  /// The findings, in the order of the config.
  public var findings: [Finding] = []
  /// The parts whose outcome was treated as unknown.
  public var freeParts: [FreePart] = []
  /// The questions that were not decided.
  public var openQuestions: [OpenQuestion] = []
  /// The number of audiences.
  public var audiences = 0
  /// The number of attributes and history calls that filters read.
  public var sources = 0
  /// The number of classes into which their values were cut.
  public var classes = 0
  /// The number of diagram nodes that were made.
  public var nodes = 0

  /// The findings that should be corrected.
  public var faults: [Finding] { findings.filter(\.kind.isFault) }
}
