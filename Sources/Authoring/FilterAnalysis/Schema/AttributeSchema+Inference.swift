import ExpressionCoding
public import ExpressionEngine

extension AttributeSchema {
  /// Creates a schema from sample contexts: the attributes with their types, how often they are
  /// present, and an example of each.
  ///
  /// An attribute that is missing or null in some sample is optional. One with values of several
  /// types is `any`; ints and doubles together are `number`. The roots of the samples are closed: a
  /// name that is not in any sample is unknown. Texts of the same form in every sample (versions,
  /// dates) get that format, and a few different texts over many samples become the list of values.
  /// Where a name and its values agree, a format or a unit is proposed: `user.country` with "SE"
  /// and "NO", `user.trialDays` with 7 and 14.
  ///
  /// - Complexity: O(size of the samples).
  public init(inferring samples: some Sequence<Context>) {
    var observations: [String: AttributeObservation] = [:]
    var count = 0
    for sample in samples {
      count += 1
      for (root, value) in sample.snapshot() {
        if case .map(let entries) = value {
          for (name, member) in entries {
            Self.observe(member, AttributePath(root: root, names: [name.text]), in: &observations)
          }
        } else {
          Self.observe(value, AttributePath(root: root), in: &observations)
        }
      }
    }
    self.init(
      observations.map { path, observation in observation.attribute(path, samples: count) })
    closedRoots = Set(observations.keys.map { String($0.prefix { $0 != "." && $0 != "[" }) })
  }

  /// The largest depth to which objects inside attributes are followed.
  private static let deepestMember = 4

  private static func observe(
    _ value: Value, _ path: AttributePath, in observations: inout [String: AttributeObservation]
  ) {
    let key = path.description
    observations[key, default: AttributeObservation(named: NameWords(key))].add(value)
    guard case .map(let entries) = value, path.names.count < deepestMember else { return }
    for (name, member) in entries {
      var inner = path
      inner.names.append(name.text)
      observe(member, inner, in: &observations)
    }
  }
}

/// The observations of one attribute in the samples.
private struct AttributeObservation {
  /// The largest number of different texts that make a list of values.
  private static let mostValues = 8
  /// The number of samples with an attribute before its texts make a list of values.
  private static let enoughSamples = 20

  private let name: NameWords
  private var count = 0
  private var type: AttributeType?
  private var texts: Set<String> = []
  private var formats: Set<AttributeSchema.Attribute.Format>?
  private var numbers: ClosedRange<Double>?
  private var example: Value?

  init(named name: NameWords) { self.name = name }

  mutating func add(_ value: Value) {
    // Null shows that the attribute may be missing, and nothing about its type.
    guard value != .null else { return }
    count += 1
    let observed = AttributeType(of: value)
    type = type.map { $0.joined(with: observed) } ?? observed
    if example == nil || value.isPrinted(before: example) { example = value }
    if let number = value.plainNumber, number.isFinite {
      numbers =
        min(numbers?.lowerBound ?? number, number)...max(numbers?.upperBound ?? number, number)
    }
    guard case .string(let text) = value else { return }
    if texts.count <= Self.mostValues { texts.insert(text) }
    // An attribute of any format may be empty where there is nothing.
    guard !text.isEmpty else { return }
    let matching = AttributeSchema.Attribute.Format.formats(of: text)
      .union(AttributeSchema.Attribute.Format.formats(of: text, named: name))
    formats = formats.map { $0.intersection(matching) } ?? matching
  }

  func attribute(_ path: String, samples: Int) -> AttributeSchema.Attribute {
    let known = AttributeSchema.builtIn[path]
    let isText = type == .string
    let isClosed = isText && count >= Self.enoughSamples && texts.count <= Self.mostValues
    let format = formats.flatMap { AttributeSchema.Attribute.Format.narrowest(of: $0) }
    let unit = numbers.flatMap {
      AttributeSchema.Attribute.Unit.proposed(
        name, from: $0.lowerBound, to: $0.upperBound, areWhole: type == .int)
    }
    return AttributeSchema.Attribute(
      path, type ?? .any, format: isText ? known?.format ?? format : nil,
      unit: type?.isNumeric == true ? known?.unit ?? unit : nil,
      summary: known?.summary ?? "", values: isClosed ? texts.sorted() : [],
      isOptional: count < samples, example: example.map { $0.jsonText() }, count: count)
  }
}

extension Value {
  /// Returns whether this example comes first, in an order that does not depend on the order of the
  /// samples.
  fileprivate func isPrinted(before other: Value?) -> Bool {
    guard let other else { return true }
    return literal < other.literal
  }
}

extension AttributeType {
  /// Creates the type of a value; the strings `true` and `false` are bools, as filters read them.
  package init(of value: Value) {
    switch value {
    case .bool: self = .bool
    case .int, .uint: self = .int
    case .double: self = .number
    case .string(let text): self = text == "true" || text == "false" ? .bool : .string
    case .list(let elements):
      guard let first = elements.first else {
        self = .list(.any)
        return
      }
      self = .list(
        elements.dropFirst().reduce(AttributeType(of: first)) {
          $0.joined(with: AttributeType(of: $1))
        })
    case .map: self = .map
    default: self = .any
    }
  }

  /// Returns the type that includes both types.
  package func joined(with other: AttributeType) -> AttributeType {
    if self == other { return self }
    switch (self, other) {
    case (.int, .number), (.number, .int): return .number
    case (.list(.any), .list), (.list, .list(.any)):
      // An empty list says nothing about its elements.
      return self == .list(.any) ? other : self
    case (.list(let left), .list(let right)): return .list(left.joined(with: right))
    default: return .any
    }
  }
}

extension AttributeSchema.Attribute.Format {
  /// Returns the formats that a text has.
  package static func formats(of text: String) -> Set<Self> {
    let bytes = Array(text.utf8)
    var formats: Set<Self> = []
    if isPaddedVersion(text) {
      formats.insert(.paddedVersion)
    } else if isVersion(text) {
      formats.insert(.version)
    }
    if shape(bytes) == "9999-99-99" { formats.insert(.date) }
    if shape(bytes) == "99:99:99" { formats.insert(.time) }
    if shape(bytes.prefix(19)) == "9999-99-99T99:99:99" { formats.insert(.dateTime) }
    return formats
  }

  /// Returns whether a text consists of two or more numbers with dots between them: `2.10`,
  /// `17.5.1`.
  package static func isVersion(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count >= 2 && parts.count <= 5
      && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { $0 &- 0x30 < 10 } }
  }

  /// Returns whether a text is a version in which every number has three digits: `002.010.000`.
  package static func isPaddedVersion(_ text: String) -> Bool {
    isVersion(text) && text.split(separator: ".").allSatisfy { $0.utf8.count == 3 }
  }

  /// Returns the text with every digit as 9.
  private static func shape(_ bytes: some Sequence<UInt8>) -> String {
    String(decoding: bytes.map { $0 &- 0x30 < 10 ? UInt8(ascii: "9") : $0 }, as: UTF8.self)
  }
}
