/// What becomes of Swift values on their way into a context.
///
/// The paywall SDKs pass attributes through three gates, each with rules of its own
/// (docs/spec/campaigns.md §6.7). Whoever sets user attributes meets the first and the third,
/// whoever registers a placement with parameters the second and the third, device attributes only
/// the third. A ``Stage`` names where the dictionary comes from; the rules of the third gate are
/// always applied.
///
/// | | user attributes | placement parameters | evaluator |
/// |---|---|---|---|
/// | name starts with `$` | dropped | dropped | kept |
/// | `String`, `Bool`, `Int`, finite `Double` | kept | kept | kept |
/// | NaN, infinity | dropped | dropped | dropped; inside a list or map an empty map |
/// | list | kept if all of it is JSON | dropped | kept |
/// | dictionary | kept if all of it is JSON | kept | kept, without names that are no strings |
/// | `nil` | dropped | dropped | an empty map |
/// | `NSNull` | an empty map | an empty map | an empty map |
/// | `Date` | dropped | text, `2024-02-29T12:34:56.789Z` | an empty map |
/// | `URL` | dropped | its absolute text | an empty map |
/// | `Data` | dropped | dropped | bytes |
/// | `UInt64` | uint | uint | uint |
/// | any other number | truncated to an int | truncated to an int | truncated to an int |
/// | anything else | dropped | dropped | an empty map |
/// | `email` that is none | dropped | – | – |
///
/// A ``Value`` is taken as it is.
public struct SanitationRules: Sendable, Hashable {
  /// Where a dictionary comes from.
  public enum Stage: String, Sendable, Hashable, CaseIterable {
    /// It was passed to `setUserAttributes`.
    case userAttributes
    /// It was passed to `register(placement:params:)`.
    case placementParameters
    /// It goes straight into the evaluator, as device attributes do.
    case evaluator
  }

  /// Whose rules are followed.
  public enum Platform: String, Sendable, Hashable, CaseIterable {
    /// The table above.
    case iOS
    /// No value check for user attributes; strings lose every `$`; `Int64`, `UInt64` and `UInt` become
    /// uints, a negative one wraps to a huge number; `Float` and `Double` stay fractional; null stays
    /// null; everything else becomes its text form.
    case android
  }

  /// Where the dictionary comes from.
  public var stage: Stage
  /// Whose rules are followed.
  public var platform: Platform

  /// Creates rules.
  public init(stage: Stage, platform: Platform = .iOS) {
    self.stage = stage
    self.platform = platform
  }

  /// The rules for user attributes on iOS.
  public static let userAttributes = SanitationRules(stage: .userAttributes)
  /// The rules for placement parameters on iOS.
  public static let placementParameters = SanitationRules(stage: .placementParameters)
  /// The rules for what goes straight into the evaluator on iOS.
  public static let evaluator = SanitationRules(stage: .evaluator)
}

extension SanitationRules {
  var dropsDollarNames: Bool { stage != .evaluator }
  /// Whether an attribute is dropped as a whole when any part of it is no JSON.
  var requiresJSON: Bool { stage == .userAttributes && platform == .iOS }
  var dropsLists: Bool { stage == .placementParameters }
  var turnsDatesIntoText: Bool { stage == .placementParameters }
  var checksEmail: Bool { stage == .userAttributes && platform == .iOS }
  var isAndroid: Bool { platform == .android }
}

extension Context.Layer {
  /// What sanitation changed in a dictionary, asked for with `init(dictionary:rules:report:)`.
  public struct Report: Sendable, Hashable {
    /// One attribute, or a part of one, that did not arrive as it was given.
    public struct Entry: Sendable, Hashable {
      /// Its path: `plan`, `address.since`, `visits[2]`.
      public var path: String
      /// Why.
      public var reason: Reason
      /// What became of it.
      public var effect: Effect

      /// Creates an entry.
      public init(path: String, reason: Reason, effect: Effect) {
        self.path = path
        self.reason = reason
        self.effect = effect
      }
    }

    /// Why a value did not arrive as it was given.
    public enum Reason: String, Sendable, Hashable {
      /// The name starts with `$`.
      case reservedName
      /// The name of a nested entry is no string.
      case nameIsNoString
      /// It is `nil` or null.
      case null
      /// It is NaN or infinite.
      case notFinite
      /// It is a list where none is allowed.
      case list
      /// It is a date.
      case date
      /// It is a URL.
      case url
      /// It is binary data.
      case data
      /// It is of a type that nothing is known about, or has such a part.
      case unsupportedType
      /// It is no email address.
      case invalidEmail
      /// It is a number that only fits an int without its fraction or its upper bits.
      case inexactNumber
      /// It is nested more than 128 levels deep.
      case tooDeep
    }

    /// What became of a value.
    public enum Effect: String, Sendable, Hashable {
      /// It is missing.
      case dropped
      /// An empty map stands in its place.
      case emptyMap
      /// A number of fewer digits stands in its place.
      case truncated
      /// Its text stands in its place.
      case text
    }

    /// The entries, in the order in which they were met.
    public var entries: [Entry] = []

    /// Creates an empty report.
    public init() {}

    /// Whether everything arrived as it was given.
    public var isEmpty: Bool { entries.isEmpty }
  }
}

extension Context.Layer.Report.Entry: CustomStringConvertible {
  /// The entry in words: `visits[2] (notFinite): dropped`.
  public var description: String { "\(path) (\(reason.rawValue)): \(effect.rawValue)" }
}
