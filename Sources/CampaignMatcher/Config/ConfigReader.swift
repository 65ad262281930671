import ExpressionEngine

/// What one decoding collects beside the config itself.
final class ConfigLog {
  let rules: ConfigRules
  private(set) var diagnostics: [ConfigDiagnostic] = []
  private var unknownMembers: [String: (count: Int, first: ConfigPath)] = [:]
  private var unknownOrder: [String] = []

  init(rules: ConfigRules) { self.rules = rules }

  func warn(_ kind: ConfigDiagnostic.Kind, _ path: ConfigPath, _ message: String) {
    diagnostics.append(ConfigDiagnostic(kind: kind, path: path.text, message: message))
  }

  /// Counts an unknown member; equal ones of equal owners are reported once.
  func noteUnknown(member: String, of owner: String, at path: ConfigPath) {
    let text = "unknown member `\(member)` of \(owner) is ignored"
    if unknownMembers[text] == nil { unknownOrder.append(text) }
    unknownMembers[text, default: (0, path)].count += 1
  }

  /// All diagnostics, those about unknown members last.
  func finish() -> [ConfigDiagnostic] {
    for text in unknownOrder {
      guard let entry = unknownMembers[text] else { continue }
      let times = entry.count == 1 ? "" : " (\(entry.count) times)"
      warn(.unknownMember, entry.first, text + times)
    }
    unknownMembers = [:]
    unknownOrder = []
    return diagnostics
  }
}

/// The name of a member in both spellings of the wire.
struct MemberName: Sendable, Hashable, ExpressibleByStringLiteral {
  let snake: String
  let camel: String

  /// Creates a name from its snake_case spelling.
  init(stringLiteral snake: String) {
    self.snake = snake
    var camel = ""
    var startsWord = false
    for character in snake {
      if character == "_" {
        startsWord = true
      } else {
        camel += startsWord ? character.uppercased() : String(character)
        startsWord = false
      }
    }
    self.camel = camel
  }
}

/// One JSON object of a config, with the path that leads to it.
struct ConfigObject {
  let members: [Value.Key: Value]
  let path: ConfigPath
  let log: ConfigLog

  init(_ value: Value, at path: ConfigPath, log: ConfigLog) throws(ConfigError) {
    guard case .map(let members) = value else {
      throw ConfigError(
        path: path.text, problem: "must be an object, found \(value.wireDescription)")
    }
    self.members = members
    self.path = path
    self.log = log
  }

  func path(_ name: MemberName) -> ConfigPath { .member(path, name.snake) }

  func error(_ name: MemberName, _ problem: String) -> ConfigError {
    ConfigError(path: path(name).text, problem: problem)
  }

  /// The member in either spelling; null counts as absent.
  ///
  /// `Optional.none` is spelled out because a `nil` next to a ``Value`` would be its null.
  func value(_ name: MemberName) -> Value? {
    if let snake = members[.string(name.snake)], snake != .null { return snake }
    guard name.camel != name.snake, let camel = members[.string(name.camel)], camel != .null else {
      return Optional.none
    }
    return camel
  }

  func required(_ name: MemberName) throws(ConfigError) -> Value {
    if let value = value(name) { return value }
    let isNull = members[.string(name.snake)] != nil || members[.string(name.camel)] != nil
    throw error(name, isNull ? "is required, found null" : "is missing")
  }

  private func mismatch(_ name: MemberName, _ expected: String, _ value: Value) -> ConfigError {
    error(name, "must be \(expected), found \(value.wireDescription)")
  }

  func string(_ name: MemberName) throws(ConfigError) -> String {
    let value = try required(name)
    guard case .string(let text) = value else { throw mismatch(name, "a string", value) }
    return text
  }

  func optionalString(_ name: MemberName) throws(ConfigError) -> String? {
    guard value(name) != nil else { return nil }
    return try string(name)
  }

  func int(_ name: MemberName) throws(ConfigError) -> Int64 {
    let value = try required(name)
    switch value {
    case .int(let number): return number
    case .double(let number):
      // `50.0` is an integer of the wire; `50.5` is not.
      if let exact = Int64(exactly: number) { return exact }
    default: break
    }
    throw mismatch(name, "an integer", value)
  }

  func optionalInt(_ name: MemberName) throws(ConfigError) -> Int64? {
    guard value(name) != nil else { return nil }
    return try int(name)
  }

  func number(_ name: MemberName) throws(ConfigError) -> Double {
    let value = try required(name)
    switch value {
    case .int(let number): return Double(number)
    case .uint(let number): return Double(number)
    case .double(let number): return number
    default: throw mismatch(name, "a number", value)
    }
  }

  func optionalNumber(_ name: MemberName) throws(ConfigError) -> Double? {
    guard value(name) != nil else { return nil }
    return try number(name)
  }

  func bool(_ name: MemberName) throws(ConfigError) -> Bool {
    let value = try required(name)
    guard case .bool(let flag) = value else { throw mismatch(name, "true or false", value) }
    return flag
  }

  func optionalBool(_ name: MemberName) throws(ConfigError) -> Bool? {
    guard value(name) != nil else { return nil }
    return try bool(name)
  }

  func object(_ name: MemberName) throws(ConfigError) -> ConfigObject {
    try ConfigObject(required(name), at: path(name), log: log)
  }

  func optionalObject(_ name: MemberName) throws(ConfigError) -> ConfigObject? {
    guard value(name) != nil else { return nil }
    return try object(name)
  }

  private func elements(_ name: MemberName) throws(ConfigError) -> [Value] {
    let value = try required(name)
    guard case .list(let elements) = value else { throw mismatch(name, "an array", value) }
    return elements
  }

  /// Decodes each element of a required array; one failure fails the array.
  func array<Element>(
    _ name: MemberName, _ decode: (Value, ConfigPath) throws(ConfigError) -> Element
  ) throws(ConfigError) -> [Element] {
    let elements = try elements(name)
    var result: [Element] = []
    result.reserveCapacity(elements.count)
    for (index, element) in elements.enumerated() {
      result.append(try decode(element, .index(path(name), index)))
    }
    return result
  }

  /// Decodes each element of an optional array; an element that fails is dropped with a warning.
  func lenientArray<Element>(
    _ name: MemberName, of noun: String,
    _ decode: (Value, ConfigPath) throws(ConfigError) -> Element
  ) throws(ConfigError) -> [Element] {
    guard value(name) != nil else { return [] }
    var result: [Element] = []
    for (index, element) in try elements(name).enumerated() {
      do throws(ConfigError) {
        result.append(try decode(element, .index(path(name), index)))
      } catch {
        log.warn(
          .droppedElement, .index(path(name), index), "this \(noun) is dropped: \(error)")
      }
    }
    return result
  }

  /// Warns about members that are neither in `known` nor, spelled twice, one member.
  func reportUnknownMembers(of owner: String, known: Set<MemberName>) {
    let spellings = Set(known.flatMap { [$0.snake, $0.camel] })
    for case .string(let member) in members.keys.sorted(by: Value.Key.textOrder)
    where !spellings.contains(member) {
      log.noteUnknown(member: member, of: owner, at: path)
    }
    for name in known.sorted(by: { $0.snake < $1.snake })
    where name.snake != name.camel && members[.string(name.snake)] != nil
      && members[.string(name.camel)] != nil
    {
      log.warn(
        .ambiguousMember, path(name),
        "`\(name.snake)` is also spelled `\(name.camel)`; the first one counts")
    }
  }
}

extension Value.Key {
  static func textOrder(_ left: Value.Key, _ right: Value.Key) -> Bool {
    left.text < right.text
  }

  /// The key as text, as it would stand in a JSON object.
  var text: String {
    switch self {
    case .bool(let value): String(value)
    case .int(let value): String(value)
    case .uint(let value): String(value)
    case .string(let value): value
    }
  }
}

extension Value {
  /// The kind of a value in the words of JSON, with short scalars spelled out.
  var wireDescription: String {
    switch self {
    case .null: return "null"
    case .bool(let value): return String(value)
    case .int(let value): return "number \(value)"
    case .uint(let value): return "number \(value)"
    case .double(let value): return "number \(value)"
    case .string(let value):
      return value.utf8.count <= 40 ? "string \"\(value)\"" : "a string"
    case .list: return "an array"
    case .map: return "an object"
    default: return "a value that JSON does not have"
    }
  }
}
