/// What is known about the attributes that filters read: their names, types and forms.
///
/// A schema tells ``Filter/check(schema:)`` what exists, and completion what to offer. ``builtIn`` is
/// the vocabulary of the paywall SDKs; add your own attributes to it from a file or from samples:
///
/// ```swift
/// var schema = AttributeSchema.builtIn
/// schema.merge(try AttributeSchema(json: text))
/// let warnings = try Filter("user.pln == 1").check(schema: schema)
/// ```
public struct AttributeSchema: Sendable, Hashable {
  /// The attributes by path: `user.age`, `device.customerInfo.subscriptions`.
  public private(set) var attributes: [String: Attribute] = [:]
  /// What the built-in functions under `device` and `computed` are called, with what they answer.
  public var hostFunctions: [String: AttributeType] = [:]
  /// Roots of which every attribute is listed, so that any other name under them is a mistake.
  public var closedRoots: Set<String> = []

  /// Creates a schema without attributes.
  public init() {}

  /// Creates a schema from attributes; of equal paths the last one wins.
  public init(_ attributes: some Sequence<Attribute>) {
    for attribute in attributes { self[attribute.path] = attribute }
  }

  /// The attribute at a path; set it to add, replace or remove one.
  public subscript(path: String) -> Attribute? {
    get { attributes[path] }
    set { attributes[path] = newValue }
  }

  /// Adds the attributes of another schema; of equal paths the other's wins.
  public mutating func merge(_ other: AttributeSchema) {
    attributes.merge(other.attributes) { _, new in new }
    hostFunctions.merge(other.hostFunctions) { _, new in new }
    closedRoots.formUnion(other.closedRoots)
  }

  /// The attributes sorted by path.
  public var sorted: [Attribute] { attributes.values.sorted { $0.path < $1.path } }

  /// The attributes directly or anywhere under a root or a member, sorted by path.
  public func attributes(under prefix: String) -> [Attribute] {
    sorted.filter { $0.path.hasPrefix(prefix + ".") }
  }

  /// What is known about an attribute, also about one that a family such as `acquisition_*` covers.
  public func attribute(at path: AttributePath) -> Attribute? {
    if let known = attributes[path.description] { return known }
    for attribute in attributes.values where attribute.path.hasSuffix("*") {
      if path.description.hasPrefix(attribute.path.dropLast()) { return attribute }
    }
    return nil
  }
}

/// The type of an attribute, as far as filters care.
public enum AttributeType: Sendable, Hashable {
  /// `true` or `false`.
  case bool
  /// A whole number.
  case int
  /// Any number.
  case number
  /// A text.
  case string
  /// A list whose elements are of a type.
  indirect case list(AttributeType)
  /// An object with members of its own.
  case map
  /// Not known, or of several types.
  case any

  /// The type as it is written in a schema file: `int`, `list(string)`.
  public var name: String {
    switch self {
    case .bool: "bool"
    case .int: "int"
    case .number: "number"
    case .string: "string"
    case .list(let element): element == .any ? "list" : "list(\(element.name))"
    case .map: "map"
    case .any: "any"
    }
  }

  /// Reads a type as ``name`` writes it; `double`, `float`, `uint`, `object` and `array` are known too.
  public init?(name: String) {
    switch name {
    case "bool", "boolean": self = .bool
    case "int", "integer", "uint": self = .int
    case "number", "double", "float": self = .number
    case "string": self = .string
    case "list", "array": self = .list(.any)
    case "map", "object": self = .map
    case "any": self = .any
    default:
      guard name.hasPrefix("list("), name.hasSuffix(")"),
        let element = AttributeType(name: String(name.dropFirst(5).dropLast()))
      else { return nil }
      self = .list(element)
    }
  }

  /// Whether values of this type are numbers.
  public var isNumeric: Bool { self == .int || self == .number }
}

extension AttributeSchema {
  /// One attribute of the vocabulary.
  public struct Attribute: Sendable, Hashable {
    /// What a text looks like, where comparisons depend on it.
    public enum Format: String, Sendable, Hashable, CaseIterable {
      /// A version such as `2.10.0`, whose order as text is not the order of versions.
      case version
      /// A version padded for comparing, such as `002.010.000`.
      case paddedVersion
      /// `2026-03-01`.
      case date
      /// `18:30:00`.
      case time
      /// `2026-03-01T18:30:00Z`.
      case dateTime
      /// `SE`.
      case region
      /// `sv`.
      case language
      /// `sv_SE`.
      case locale
    }

    /// The path, as it is written in a filter; `*` at the end stands for any name that starts so.
    public var path: String
    /// The type.
    public var type: AttributeType
    /// What a text looks like.
    public var format: Format?
    /// What it means, in a few words.
    public var summary: String
    /// Every value that it can have; empty when there is no such list.
    public var values: [String]
    /// Whether it may be missing.
    public var isOptional: Bool
    /// The platforms that have it, lower case; empty for all.
    public var platforms: [String]
    /// The first release of the SDK that has it.
    public var since: String?
    /// Why it should not be used any more, and what to use in its place.
    public var deprecated: String?
    /// A value that it might have, as a literal.
    public var example: String?
    /// How often samples had it, when the schema was inferred.
    public var count: Int?
    /// The least number that it may be.
    public var minimum: Int?
    /// The greatest number that it may be, which needs a ``minimum``.
    public var maximum: Int?

    /// Creates an attribute; see the properties.
    public init(
      _ path: String, _ type: AttributeType, format: Format? = nil, summary: String = "",
      values: [String] = [], isOptional: Bool = false, platforms: [String] = [],
      since: String? = nil, deprecated: String? = nil, example: String? = nil, count: Int? = nil,
      minimum: Int? = nil, maximum: Int? = nil
    ) {
      self.path = path
      self.type = type
      self.format = format
      self.summary = summary
      self.values = values
      self.isOptional = isOptional
      self.platforms = platforms
      self.since = since
      self.deprecated = deprecated
      self.example = example
      self.count = count
      self.minimum = minimum
      self.maximum = maximum
    }
  }
}
