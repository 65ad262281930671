/// The attributes that filters read: their names, types and formats.
///
/// `Filter.check(schema:)` and completion use a schema to know which attributes exist.
/// ``builtIn`` is the vocabulary of the paywall SDKs; add your own attributes to it from a file or
/// from samples:
///
/// ```swift
/// var schema = AttributeSchema.builtIn
/// schema.merge(try AttributeSchema(json: text))
/// let warnings = try Filter("user.pln == 1").check(schema: schema)
/// ```
public struct AttributeSchema: Sendable, Hashable {
  /// The attributes by path: `user.age`, `device.customerInfo.subscriptions`.
  public private(set) var attributes: [String: Attribute] = [:]
  /// The names directly under each beginning of a path, sorted; without families.
  private var names: [String: [String]] = [:]
  /// The variables that the paths start with.
  package private(set) var roots: Set<String> = []
  /// The beginnings of the paths that end with `*`.
  private var families: Set<String> = []
  /// The built-in functions under `device` and `computed`, with the types of their results.
  public var hostFunctions: [String: AttributeType] = [:]
  /// Roots of which every attribute is listed; any other name under them is a mistake.
  public var closedRoots: Set<String> = []

  /// Creates a schema without attributes.
  public init() {}

  /// Creates a schema from attributes. If several have the same path, the last one is used.
  public init(_ attributes: some Sequence<Attribute>) {
    for attribute in attributes { self[attribute.path] = attribute }
  }

  /// The attribute at a path; set it to add, replace or remove one.
  public subscript(path: String) -> Attribute? {
    get { attributes[path] }
    set {
      let isListed = attributes[path] != nil
      attributes[path] = newValue
      if newValue == nil { listAll() } else if !isListed { list(path) }
      guard path.hasSuffix("*") else { return }
      let beginning = String(path.dropLast())
      if newValue == nil { families.remove(beginning) } else { families.insert(beginning) }
    }
  }

  /// Adds the attributes of another schema, which replace those with the same path.
  public mutating func merge(_ other: AttributeSchema) {
    for (path, attribute) in other.attributes { self[path] = attribute }
    for (name, function) in other.hostFunctions { hostFunctions[name] = function }
    closedRoots.formUnion(other.closedRoots)
  }

  /// Returns the names directly under a beginning of a path, sorted; without families.
  package func memberNames(of beginning: String) -> [String] { names[beginning] ?? [] }

  /// Returns the beginnings of the names of families directly under a root: `acquisition_`.
  package func familyNames(under root: String) -> [String] {
    families.filter { $0.hasPrefix(root + ".") }.map { String($0.dropFirst(root.utf8.count + 1)) }
      .sorted()
  }

  /// Adds the name of a new attribute to those under the beginning of its path.
  private mutating func list(_ path: String) {
    roots.insert(String(path.prefix { $0 != "." && $0 != "[" }))
    guard let dot = path.lastIndex(of: "."), !path.hasSuffix("*") else { return }
    let name = String(path[path.index(after: dot)...])
    var siblings = names.removeValue(forKey: String(path[..<dot])) ?? []
    // A schema may have thousands of names.
    var (low, high) = (0, siblings.count)
    while low < high {
      let middle = low + (high - low) / 2
      if siblings[middle] < name { low = middle + 1 } else { high = middle }
    }
    siblings.insert(name, at: low)
    names[String(path[..<dot])] = siblings
  }

  /// Lists all names anew, after one was removed.
  private mutating func listAll() {
    (names, roots) = ([:], [])
    for path in attributes.keys { list(path) }
  }

  /// The attributes sorted by path.
  public var sorted: [Attribute] { attributes.values.sorted { $0.path < $1.path } }

  /// Returns the attributes at any depth under a root or a member, sorted by path.
  public func attributes(under prefix: String) -> [Attribute] {
    sorted.filter { $0.path.hasPrefix(prefix + ".") }
  }

  /// Returns the attribute at a path. A family such as `acquisition_*` covers its members.
  public func attribute(at path: AttributePath) -> Attribute? {
    let text = path.description
    if let known = attributes[text] { return known }
    // The longest beginning is the closest family.
    var closest: String?
    for family in families where text.hasPrefix(family) {
      if closest.map({ $0.utf8.count < family.utf8.count }) ?? true { closest = family }
    }
    return closest.flatMap { attributes[$0 + "*"] }
  }
}

/// The type of an attribute, as far as it matters to filters.
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
  /// An unknown type, or several types.
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

  /// Creates a type from its name in ``name``; also accepts `double`, `float`, `uint`, `object` and
  /// `array`.
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

  /// Whether values of this type are texts or numbers, which have no members.
  package var isTextOrNumber: Bool { self == .string || isNumeric }
}

extension AttributeSchema {
  /// One attribute of the vocabulary.
  public struct Attribute: Sendable, Hashable {
    /// The format of a text, if comparisons depend on it.
    public enum Format: String, Sendable, Hashable, CaseIterable {
      /// A version such as `2.10.0`, whose order as text is not the order of versions.
      case version
      /// A version padded for comparison, such as `002.010.000`.
      case paddedVersion
      /// `2026-03-01`.
      case date
      /// `18:30:00`.
      case time
      /// `2026-03-01T18:30:00Z`.
      case dateTime
      /// `SE`.
      case region
      /// `SWE`.
      case storefront
      /// `sv`.
      case language
      /// `sv_SE`.
      case locale
      /// `SEK`.
      case currency
      /// `17.5.1` on iOS, `14` on Android.
      case systemVersion
      /// `iPhone16,2`.
      case model
      /// `Europe/Stockholm`.
      case timeZone
      /// `Sweden`.
      case country
      /// `CA`, a part of a country.
      case subdivision
      /// `kr`, the sign of a currency.
      case currencySymbol
      /// `9.99`, a number as a text.
      case decimal
      /// `7`, a whole number as a text.
      case integer
      /// `session_start`, the name of an event that starts a placement.
      case placement
      /// `https://acme.com/promo?ref=mail`.
      case url
      /// `acme.com`, the host of a link.
      case host
      /// `/promo/summer`, the path of a link.
      case path
      /// `summer`, the last part of a path.
      case pathComponent
      /// `ref=mail`, what is after the question mark of a link.
      case query
      /// `prices`, what is after the `#` of a link.
      case fragment
      /// `html`, what is after the last dot of a path.
      case pathExtension

      /// Whether it is a link or a part of one.
      package var isLinkPart: Bool {
        switch self {
        case .url, .host, .path, .pathComponent, .query, .fragment, .pathExtension: true
        default: false
        }
      }
    }

    /// The unit of a number, if a constant in another one is a likely mistake.
    public enum Unit: String, Sendable, Hashable, CaseIterable {
      /// Whole minutes.
      case minutes
      /// Whole hours.
      case hours
      /// Whole days.
      case days
      /// Whole months.
      case months
      /// Whole years.
      case years
      /// Seconds since 2001-01-01T00:00:00Z.
      case referenceDate
      /// Seconds east of GMT, such as `7200`.
      case offset
      /// Points of 0 to 100, or to 99.
      case points
      /// A part of a whole, such as `0.8`, or a factor, such as `1.25`.
      case factor
    }

    /// The path, as it is written in a filter; a `*` at the end stands for any name with that
    /// beginning.
    public var path: String
    /// The type.
    public var type: AttributeType
    /// The format of a text.
    public var format: Format?
    /// The unit of a number.
    public var unit: Unit?
    /// A short description.
    public var summary: String
    /// The possible values; empty if they are not listed.
    public var values: [String]
    /// Usual values, beside which there may be others.
    public var usualValues: [String]
    /// The members of the elements, if the attribute is a list of objects, with their names as
    /// paths; empty if they are not listed.
    public var members: [Attribute]
    /// Whether the attribute may be missing.
    public var isOptional: Bool
    /// Whether the SDK fetches the attribute from its server, so that it is missing until the reply
    /// comes. Its absence says nothing about the user, as that of other optional attributes does.
    public var isFetched: Bool
    /// The platforms that have the attribute, in lower case; empty for all.
    public var platforms: [String]
    /// The placements that send the attribute as a parameter; empty for all, and for attributes
    /// that are not parameters.
    package var placements: [String] = []
    /// The first release of the SDK that has the attribute.
    public var since: String?
    /// The reason for the deprecation and the replacement; `nil` if the attribute is not
    /// deprecated.
    public var deprecated: String?
    /// A possible value, as a literal.
    public var example: String?
    /// The number of samples that had the attribute, if the schema was inferred.
    public var count: Int?
    /// The least possible number.
    public var minimum: Int?
    /// The greatest possible number, which needs a ``minimum``.
    public var maximum: Int?

    /// Creates an attribute; see the properties.
    public init(
      _ path: String, _ type: AttributeType, format: Format? = nil, unit: Unit? = nil,
      summary: String = "",
      values: [String] = [], usualValues: [String] = [], members: [Attribute] = [],
      isOptional: Bool = false, isFetched: Bool = false,
      platforms: [String] = [], since: String? = nil, deprecated: String? = nil,
      example: String? = nil, count: Int? = nil,
      minimum: Int? = nil, maximum: Int? = nil
    ) {
      self.path = path
      self.type = type
      self.format = format
      self.unit = unit
      self.summary = summary
      self.values = values
      self.usualValues = usualValues
      self.members = members
      self.isOptional = isOptional || isFetched
      self.isFetched = isFetched
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
