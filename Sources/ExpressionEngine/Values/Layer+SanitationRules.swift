/// The rules for converting Swift values to attributes of a context.
///
/// The paywall SDKs pass attributes through three gates, each with its own rules
/// (docs/spec/campaigns.md §6.7). User attributes pass the first and the third, placement
/// parameters the second and the third, and device attributes only the third. A ``Stage`` names the
/// origin of the dictionary; the rules of the third gate always apply.
///
/// | | user attributes | placement parameters | evaluator |
/// |---|---|---|---|
/// | name starts with `$` | dropped | dropped | kept |
/// | `String`, `Bool`, `Int`, finite `Double` | kept | kept | kept |
/// | NaN, infinity | dropped | dropped | dropped; inside a list or map an empty map |
/// | list | kept if all of it is JSON | dropped | kept |
/// | dictionary | kept if all of it is JSON | kept | kept, without names that are not strings |
/// | `nil` | dropped | dropped | an empty map |
/// | `NSNull` | an empty map | an empty map | an empty map |
/// | `Date` | dropped | text, `2024-02-29T12:34:56.789Z` | an empty map |
/// | `URL` | dropped | its absolute text | an empty map |
/// | `Data` | dropped | dropped | bytes |
/// | `UInt64` | uint | uint | uint |
/// | any other number | truncated to an int | truncated to an int | truncated to an int |
/// | anything else | dropped | dropped | an empty map |
/// | `email` that is not an address | dropped | – | – |
///
/// A ``Value`` is taken unchanged.
public struct SanitationRules: Sendable, Hashable {
  /// The origin of a dictionary.
  public enum Stage: String, Sendable, Hashable, CaseIterable {
    /// Attributes passed to `setUserAttributes`.
    case userAttributes
    /// Parameters passed to `register(placement:params:)`.
    case placementParameters
    /// Attributes that go straight into the evaluator, such as device attributes.
    case evaluator
  }

  /// The platform whose rules apply.
  public enum Platform: String, Sendable, Hashable, CaseIterable {
    /// The rules of the table above.
    case iOS
    /// No type check for user attributes. Strings lose every `$`. `Int64`, `UInt64` and `UInt`
    /// become uints; negative numbers wrap around. `Float` and `Double` keep their fractions. Null
    /// stays null. Everything else becomes its text form.
    case android
  }

  /// The origin of the dictionary.
  public var stage: Stage
  /// The platform whose rules apply.
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
  /// The rules for attributes that go straight into the evaluator on iOS.
  public static let evaluator = SanitationRules(stage: .evaluator)
}

extension SanitationRules {
  var dropsDollarNames: Bool { stage != .evaluator }
  /// Whether an attribute is dropped as a whole when any part of it is not JSON.
  var requiresJSON: Bool { stage == .userAttributes && platform == .iOS }
  var dropsLists: Bool { stage == .placementParameters }
  var turnsDatesIntoText: Bool { stage == .placementParameters }
  var checksEmail: Bool { stage == .userAttributes && platform == .iOS }
  var isAndroid: Bool { platform == .android }
}

extension Context.Layer {
  /// The changes that sanitation made to a dictionary, as `init(dictionary:rules:report:)` reports
  /// them.
  public struct Report: Sendable, Hashable {
    /// A change to an attribute or a part of one.
    public struct Entry: Sendable, Hashable {
      /// The path of the value: `plan`, `address.since`, `visits[2]`.
      public var path: String
      /// The reason for the change.
      public var reason: Reason
      /// The effect on the value.
      public var effect: Effect

      /// Creates an entry.
      public init(path: String, reason: Reason, effect: Effect) {
        self.path = path
        self.reason = reason
        self.effect = effect
      }
    }

    /// The reason for a change.
    public enum Reason: String, Sendable, Hashable {
      /// The name starts with `$`.
      case reservedName
      /// The name of a nested entry is not a string.
      case nameIsNoString
      /// The value is `nil` or null.
      case null
      /// The value is NaN or infinite.
      case notFinite
      /// The value is a list where lists are not allowed.
      case list
      /// The value is a date.
      case date
      /// The value is a URL.
      case url
      /// The value is binary data.
      case data
      /// The value, or a part of it, is of an unknown type.
      case unsupportedType
      /// The value is not an email address.
      case invalidEmail
      /// The value is a number that fits an int only without its fraction or its upper bits.
      case inexactNumber
      /// The value is nested more than 128 levels deep.
      case tooDeep
    }

    /// The effect of a change.
    public enum Effect: String, Sendable, Hashable {
      /// The value was dropped.
      case dropped
      /// An empty map replaced the value.
      case emptyMap
      /// A truncated number replaced the value.
      case truncated
      /// Its text replaced the value.
      case text
    }

    /// The entries, in the order of conversion.
    public var entries: [Entry] = []

    /// Creates an empty report.
    public init() {}

    /// Whether no value was changed.
    public var isEmpty: Bool { entries.isEmpty }
  }
}

extension Context.Layer.Report.Entry: CustomStringConvertible {
  /// A description of the entry: `visits[2] (notFinite): dropped`.
  public var description: String { "\(path) (\(reason.rawValue)): \(effect.rawValue)" }
}
