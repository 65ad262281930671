public import ExpressionEngine

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
/// A `Value` is taken unchanged.
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

// The rules about names and texts. Whatever sanitizes attributes asks these functions.
extension SanitationRules {
  /// The first byte of the names that an app cannot use, and which Android removes from texts.
  package static let reservedByte = UInt8(ascii: "$")

  /// Whether an app may use a name.
  package static func acceptsName(_ name: String) -> Bool { name.utf8.first != reservedByte }

  /// Whether a user attribute may be a text: an `email` must be an address.
  package static func acceptsText(_ name: String, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
    name != "email" || isEmail(text)
  }

  /// Whether a text has the form of an e-mail address (docs/spec/campaigns.md §6.7):
  /// `^[a-zA-Z0-9._%+-]+@[a-zA-Z0-9.-]+\.[a-zA-Z]{2,}\z`.
  package static func isEmail(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 }
    func isDomain(_ byte: UInt8) -> Bool {
      isLetter(byte) || byte &- UInt8(ascii: "0") < 10 || byte == UInt8(ascii: ".")
        || byte == UInt8(ascii: "-")
    }
    func isLocal(_ byte: UInt8) -> Bool {
      isDomain(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "%")
        || byte == UInt8(ascii: "+")
    }
    guard let at = bytes.firstIndex(of: UInt8(ascii: "@")), at > 0,
      let dot = bytes.lastIndex(of: UInt8(ascii: ".")), dot > at + 1
    else { return false }
    return bytes[..<at].allSatisfy(isLocal) && bytes[(at + 1)..<dot].allSatisfy(isDomain)
      && bytes.count - dot > 2 && bytes[(dot + 1)...].allSatisfy(isLetter)
  }

  /// A text without the byte that Android removes.
  package static func withoutReservedBytes(_ text: String) -> String {
    text.utf8.contains(reservedByte) ? text.filter { $0 != "$" } : text
  }

  /// The rules as the engine applies them to a dictionary.
  @usableFromInline package var conversion: DictionaryConversion {
    var result = DictionaryConversion()
    let isAndroid = platform == .android
    if stage != .evaluator { result.acceptsName = Self.acceptsName }
    result.dropsUnsupported = stage != .evaluator
    result.dropsLists = stage == .placementParameters
    result.turnsDatesIntoText = stage == .placementParameters
    if stage == .userAttributes, !isAndroid {
      result.requiresJSON = true
      result.acceptsText = Self.acceptsText
    }
    if isAndroid {
      result.removedByte = Self.reservedByte
      result.keepsWidths = true
      result.textDepth = stage == .placementParameters ? 1 : 0
    }
    return result
  }
}
