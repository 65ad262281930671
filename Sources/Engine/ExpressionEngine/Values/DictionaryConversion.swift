/// The rules by which the values of a Swift dictionary become attributes, are replaced or are
/// dropped.
@usableFromInline package struct DictionaryConversion: Sendable {
  /// Whether an attribute may have a name; `nil` allows all.
  package var acceptsName: (@Sendable (_ name: String) -> Bool)?
  /// Whether an attribute may be a text; `nil` allows all.
  package var acceptsText: (@Sendable (_ name: String, _ text: UnsafeBufferPointer<UInt8>) -> Bool)?
  /// A byte that is removed from all texts; it must be ASCII.
  package var removedByte: UInt8?
  /// Whether an attribute is dropped as a whole when any part of it is not JSON.
  package var requiresJSON = false
  /// Whether lists are dropped; those inside of other values are kept.
  package var dropsLists = false
  /// Whether a date or a URL becomes its text; those inside of other values do not.
  package var turnsDatesIntoText = false
  /// Whether an attribute is dropped that is `nil` or has no counterpart; inside of another value
  /// an empty map takes its place.
  package var dropsUnsupported = false
  /// Whether integers of 64 bits become uints, fractional numbers keep their fractions, and null
  /// stays null.
  package var keepsWidths = false
  /// Whether every value keeps its kind and its content: numbers, dates, enums and what encodes
  /// itself. The other rules then do not apply.
  package var isLossless = false
  /// The depth from which on a value without a counterpart becomes its text; `nil` for none.
  package var textDepth: Int?

  /// Creates the conversion of the reference's evaluator, which the SDKs' rules narrow down.
  package init() {}

  /// The conversion that keeps all that an attribute can be.
  @usableFromInline package static let lossless: DictionaryConversion = {
    var conversion = DictionaryConversion()
    conversion.isLossless = true
    return conversion
  }()
}

extension Context.Layer {
  /// The changes that a conversion made to a dictionary, as `init(dictionary:rules:report:)`
  /// reports them.
  public struct Report: Sendable, Hashable {
    /// A change to an attribute or a part of one.
    public struct Entry: Sendable, Hashable {
      /// The path of the value: `plan`, `address.since`, `visits[2]`.
      public var path: String
      /// The reason for the change.
      public var reason: Reason
      /// The effect on the value.
      public var effect: Effect
      /// The Swift type of the value, if that is the reason.
      public var type: String?

      /// Creates an entry.
      public init(path: String, reason: Reason, effect: Effect, type: String? = nil) {
        self.path = path
        self.reason = reason
        self.effect = effect
        self.type = type
      }
    }

    /// The reason for a change.
    public enum Reason: String, Sendable, Hashable {
      /// The rules do not allow the name.
      case reservedName
      /// The name of a nested entry is not a string.
      case nameIsNoString
      /// The value is `nil` or null.
      case null
      /// The value is NaN or infinite.
      case notFinite
      /// The value is a list where lists are not allowed.
      case list
      /// The value is a date, or one that is out of range.
      case date
      /// The value is a URL.
      case url
      /// The value is binary data.
      case data
      /// The value, or a part of it, is of an unknown type.
      case unsupportedType
      /// The rules do not allow this text under this name.
      case invalidText
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
      /// Null replaced the value.
      case null
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

  /// The reason as a sentence for people, without a full stop: `` `plan` has the reserved name ``.
  public var message: String {
    let subject = "`\(path)`"
    return switch reason {
    case .reservedName: "\(subject) has a reserved name"
    case .nameIsNoString: "\(subject) has a key that is not a text"
    case .null: "\(subject) is null"
    case .notFinite: "\(subject) is not a finite number"
    case .list: "\(subject) is a list"
    case .date: "\(subject) is a date that an attribute cannot be"
    case .url: "\(subject) is a URL"
    case .data: "\(subject) is binary data"
    case .unsupportedType:
      "\(subject) has " + (type.map { "the type \($0)" } ?? "a type") + ", which no attribute has"
    case .invalidText: "\(subject) is a text that its name does not allow"
    case .inexactNumber: "\(subject) is a number that is not kept exactly"
    case .tooDeep: "\(subject) is nested more than 128 levels deep"
    }
  }
}
