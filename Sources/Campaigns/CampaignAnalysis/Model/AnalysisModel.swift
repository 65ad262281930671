public import CampaignCore
public import ExpressionSyntax

/// A config as the analysis reads it: the audiences in order, their limits and their variants.
///
/// Make one of a config with `AnalysisModel(config)`; everything else in this module reads only this type.
public struct AnalysisModel: Sendable, Equatable {
  /// A placement and its audiences in the order in which they are tried.
  public struct Placement: Sendable, Hashable {
    /// The name.
    public var name: String
    /// The audiences; the first that matches wins.
    public var audiences: [Audience]

    /// Creates a placement.
    public init(name: String, audiences: [Audience]) {
      self.name = name
      self.audiences = audiences
    }
  }

  /// One audience: its filter, its limit and its variants.
  public struct Audience: Sendable, Hashable {
    /// The id of its experiment.
    public var experimentID: String
    /// The id of its campaign.
    public var campaignID: String
    /// The text of its filter; `nil` matches everyone.
    public var filter: String?
    /// The attributes of `device` that the matcher adds for this audience alone, such as
    /// `daysSince_app_install`.
    public var legacyKeys: Set<String>
    /// How often it may match; `nil` for any number of times.
    public var limit: Limit?
    /// The variants in order.
    public var variants: [Variant]

    /// Creates an audience.
    public init(
      experimentID: String, campaignID: String = "", filter: String?,
      legacyKeys: Set<String> = [], limit: Limit? = nil, variants: [Variant] = []
    ) {
      self.experimentID = experimentID
      self.campaignID = campaignID
      self.filter = filter
      self.legacyKeys = legacyKeys
      self.limit = limit
      self.variants = variants
    }
  }

  /// How often an audience may match.
  public struct Limit: Sendable, Hashable {
    /// The counter, which audiences with the same key share.
    public var key: String
    /// The largest count.
    public var maximum: Int64
    /// The length of the rolling window in minutes; `nil` if it never ends.
    public var minutes: Int64?
    /// Whether the window is so long that it counts as full.
    private let hasEndlessWindow: Bool

    /// Creates a limit.
    ///
    /// - Parameters:
    ///   - key: The name of the counter; audiences with one key share it.
    ///   - maximum: The largest count.
    ///   - minutes: The length of the rolling window in minutes; `nil` if it never ends.
    ///   - isClosed: Whether no user passes the limit for another reason than `maximum`.
    public init(key: String, maximum: Int64, minutes: Int64? = nil, isClosed: Bool = false) {
      self.key = key
      self.maximum = maximum
      self.minutes = minutes
      hasEndlessWindow = isClosed
    }

    /// Whether no user passes the limit, even the first time.
    public var isClosed: Bool { hasEndlessWindow || maximum < 1 }

    /// Whether this limit is reached whenever another one is: they share the counter, and this one
    /// allows no more in a window that is at least as long.
    func isReached(whenever other: Limit) -> Bool {
      if isClosed { return true }
      guard key == other.key, maximum <= other.maximum, !other.isClosed else { return false }
      guard let minutes else { return true }
      guard let others = other.minutes else { return false }
      return minutes >= others
    }
  }

  /// One way in which an experiment can turn out.
  public struct Variant: Sendable, Hashable {
    /// The id.
    public var id: String
    /// Whether nothing is shown.
    public var isHoldout: Bool
    /// The relative weight.
    public var weight: Int64
    /// The paywall that is shown.
    public var paywall: String?

    /// Creates a variant.
    public init(id: String, isHoldout: Bool = false, weight: Int64, paywall: String? = nil) {
      self.id = id
      self.isHoldout = isHoldout
      self.weight = weight
      self.paywall = paywall
    }
  }

  /// The placements in document order, each once.
  public var placements: [Placement]
  /// The identifiers of the paywalls that the config has.
  public var paywalls: [String]
  /// The dialect of the filters.
  public var dialect: Dialect.Name
  /// The behaviour of the platform: how times since an event are counted, among others.
  public var options: MatchingOptions

  /// Creates a model.
  public init(
    placements: [Placement], paywalls: [String] = [], dialect: Dialect.Name = .superscript,
    options: MatchingOptions = .iOS
  ) {
    self.placements = placements
    self.paywalls = paywalls
    self.dialect = dialect
    self.options = options
  }

  /// Returns the model with one of its placements only; with all of them for `nil`.
  func narrowed(to placement: String?) -> AnalysisModel {
    guard let placement else { return self }
    var model = self
    model.placements = placements.filter { $0.name == placement }
    return model
  }
}

extension AnalysisModel.Audience {
  /// The variants that no user gets: those of no weight beside others with one.
  var unreachableVariants: [AnalysisModel.Variant] {
    guard variants.count > 1, variants.contains(where: { $0.weight > 0 }) else { return [] }
    return variants.filter { $0.weight <= 0 }
  }
}
