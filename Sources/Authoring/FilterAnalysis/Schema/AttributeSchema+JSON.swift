import ExpressionCoding
import ExpressionEngine

extension AttributeSchema {
  /// Thrown when a text is not a schema.
  public struct ReadingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The message for people.
    public let description: String

    init(_ description: String) { self.description = description }
  }

  /// Creates a schema from JSON, in the form that ``jsonText(pretty:)`` writes or in a short form.
  ///
  ///     {"attributes": {"user.plan": {"type": "string", "values": ["free", "pro"]},
  ///                     "user.age": "int"},
  ///      "functions": {"device.daysSince": "int"},
  ///      "closed": ["user"]}
  ///
  /// A root is closed if the schema lists attributes under it, unless `closed` says otherwise.
  /// Unlisted names under a closed root are unknown.
  ///
  /// An object without `attributes` is read as the attributes themselves. Names may be nested:
  /// `{"user": {"plan": "string"}}` is `user.plan`.
  ///
  /// - Throws: ``ReadingError`` that names the member that is wrong.
  public init(json text: String) throws(ReadingError) {
    let value: Value
    do throws(JSONError) {
      value = try Value(json: text)
    } catch {
      throw ReadingError("the schema is not JSON: \(error.description)")
    }
    guard case .map(let object) = value else { throw ReadingError("a schema is a JSON object") }
    self.init()
    let body = object["attributes"] ?? value
    guard case .map(let attributes) = body else {
      throw ReadingError("`attributes` must be an object of attributes by path")
    }
    let isWrapped = object["attributes"] != nil
    for (key, entry) in attributes {
      if !isWrapped, ["functions", "closed"].contains(key.text) { continue }
      try read(entry, at: key.text)
    }
    if let functions = object["functions"] { try readFunctions(functions) }
    if let closed = object["closed"] {
      guard case .list(let roots) = closed else {
        throw ReadingError("`closed` must be a list of roots, such as [\"user\"]")
      }
      for case .string(let root) in roots { closedRoots.insert(root) }
    } else {
      for path in self.attributes.keys { closedRoots.insert(String(path.prefix { $0 != "." })) }
    }
  }

  private mutating func readFunctions(_ functions: Value) throws(ReadingError) {
    guard case .map(let entries) = functions else {
      throw ReadingError("`functions` must be an object of types by name")
    }
    for (name, type) in entries {
      guard case .string(let text) = type, let known = AttributeType(name: text) else {
        throw ReadingError("the type of `\(name.text)` must be one of \(Self.typeNames)")
      }
      hostFunctions[name.text] = known
    }
  }

  private static let typeNames = "bool, int, number, string, list, list(…), map, any"

  private mutating func read(_ entry: Value, at path: String) throws(ReadingError) {
    switch entry {
    case .string(let name):
      self[path] = Attribute(path, try Self.type(name, of: path))
    case .map(let object):
      if case .string(let name)? = object["type"] {
        self[path] = try Self.attribute(path, type: try Self.type(name, of: path), object)
      } else {
        for (key, member) in object { try read(member, at: "\(path).\(key.text)") }
      }
    default:
      throw ReadingError(
        "`\(path)` must be a type such as \"int\", or an object with a `type`")
    }
  }

  private static func type(_ name: String, of path: String) throws(ReadingError) -> AttributeType {
    guard let type = AttributeType(name: name) else {
      throw ReadingError("`\(path)` has the unknown type \"\(name)\"; types are \(typeNames)")
    }
    return type
  }

  /// Returns the member of an object that is the name of one of several cases.
  private static func named<Case: RawRepresentable<String> & CaseIterable>(
    _ member: String, of path: String, _ object: [Value.Key: Value]
  ) throws(ReadingError) -> Case? {
    guard let name = text(object[.string(member)]) else { return nil }
    guard let found = Case(rawValue: name) else {
      let known = Case.allCases.map({ $0.rawValue }).joined(separator: ", ")
      throw ReadingError(
        "`\(path)` has the unknown \(member) \"\(name)\"; \(member)s are \(known)")
    }
    return found
  }

  private static func attribute(
    _ path: String, type: AttributeType, _ object: [Value.Key: Value]
  ) throws(ReadingError) -> Attribute {
    var attribute = Attribute(path, type)
    attribute.format = try named("format", of: path, object)
    attribute.unit = try named("unit", of: path, object)
    attribute.summary = text(object["summary"]) ?? ""
    attribute.since = text(object["since"])
    attribute.deprecated = text(object["deprecated"])
    attribute.example = object["example"].map { $0.jsonText() }
    attribute.values = texts(object["values"])
    attribute.usualValues = texts(object["usualValues"])
    if case .map(let members)? = object["members"] {
      for (name, entry) in members.sorted(by: { $0.key.text < $1.key.text }) {
        attribute.members.append(try member(entry, name.text, of: path))
      }
    }
    attribute.platforms = texts(object["platforms"])
    if case .bool(let isOptional)? = object["optional"] { attribute.isOptional = isOptional }
    if case .int(let count)? = object["count"] { attribute.count = Int(clamping: count) }
    if case .int(let least)? = object["minimum"] { attribute.minimum = Int(clamping: least) }
    if case .int(let most)? = object["maximum"] { attribute.maximum = Int(clamping: most) }
    return attribute
  }

  private static func member(
    _ entry: Value, _ name: String, of path: String
  ) throws(ReadingError) -> Attribute {
    switch entry {
    case .string(let type): return Attribute(name, try self.type(type, of: "\(path)[].\(name)"))
    case .map(let object):
      let type = try self.type(text(object["type"]) ?? "any", of: "\(path)[].\(name)")
      return try attribute(name, type: type, object)
    default:
      throw ReadingError("`\(path)[].\(name)` must be a type, or an object with a `type`")
    }
  }

  private static func text(_ value: Value?) -> String? {
    if case .string(let text)? = value { text } else { nil }
  }

  private static func texts(_ value: Value?) -> [String] {
    guard case .list(let elements)? = value else { return [] }
    return elements.compactMap { text($0) }
  }

  /// Returns the schema as JSON, with attributes sorted by path; ``init(json:)`` reads it back.
  ///
  /// - Parameter pretty: Whether to break lines and indent by two spaces.
  public func jsonText(pretty: Bool = true) -> String {
    JSONWriter.document(pretty: pretty) { writer in
      writer.member("attributes") { writer in
        for attribute in sorted { writer.member(attribute.path) { attribute.write(to: &$0) } }
      }
      if !hostFunctions.isEmpty {
        writer.member("functions") { writer in
          for (name, type) in hostFunctions.sorted(by: { $0.key < $1.key }) {
            writer.member(name, type.name)
          }
        }
      }
      writer.member("closed", texts: closedRoots.sorted())
    }
  }
}

extension AttributeSchema.Attribute {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.member("type", type.name)
    let texts = [
      ("format", format?.rawValue), ("unit", unit?.rawValue),
      ("summary", summary.isEmpty ? nil : summary), ("since", since),
      ("deprecated", deprecated),
    ]
    for case (let name, let text?) in texts { writer.member(name, text) }
    for (name, list) in [
      ("values", values), ("usualValues", usualValues), ("platforms", platforms),
    ] where !list.isEmpty {
      writer.member(name, texts: list)
    }
    if !members.isEmpty {
      writer.member("members") { writer in
        for member in members { writer.member(member.path) { member.write(to: &$0) } }
      }
    }
    if isOptional { writer.member("optional", true) }
    if let example {
      writer.key("example")
      writer.raw(example)
    }
    for case (let name, let number?) in [
      ("minimum", minimum), ("maximum", maximum), ("count", count),
    ] {
      writer.member(name, number)
    }
  }
}
