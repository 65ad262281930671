import ExpressionEngine

/// How errors name the document and its members.
package struct PathNaming: Sendable {
  /// The name of the whole document.
  package let root: String
  /// Whether members are named as the document spells them, and not in snake_case.
  package let isVerbatim: Bool

  /// The names of a config, which comes in two spellings.
  package static let config = PathNaming(root: "config", isVerbatim: false)
  /// The names of a response of the server.
  package static let response = PathNaming(root: "response", isVerbatim: true)
}

/// A document under decoding, and what decoding collects beside the config itself.
package final class ConfigLog {
  let document: ConfigDocument
  let rules: ConfigRules
  let naming: PathNaming
  private(set) var diagnostics: [ConfigDiagnostic] = []
  private var unknownMembers: [String: (count: Int, first: String)] = [:]
  private var unknownOrder: [String] = []

  package init(
    _ document: ConfigDocument, rules: ConfigRules = ConfigRules(), naming: PathNaming = .config
  ) {
    self.document = document
    self.rules = rules
    self.naming = naming
  }

  func warn(_ kind: ConfigDiagnostic.Kind, _ path: String, _ message: String) {
    diagnostics.append(ConfigDiagnostic(kind: kind, path: path, message: message))
  }

  /// Counts an unknown member; equal ones of equal owners are reported once.
  func noteUnknown(member: String, of owner: String, at path: @autoclosure () -> String) {
    let text = "unknown member `\(member)` of \(owner) is ignored"
    if unknownMembers[text] == nil { unknownOrder.append(text) }
    unknownMembers[text, default: (0, path())].count += 1
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

/// The name of a member, which the wire also has in camelCase.
package struct MemberName: Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
  /// One of the two spellings.
  package enum Spelling {
    /// `event_name`, or a single word.
    case snake
    /// `eventName`.
    case camel
  }

  private let snake: StaticString

  /// Creates a name from its snake_case spelling.
  package init(stringLiteral snake: StaticString) { self.snake = snake }

  /// The snake_case spelling.
  package var description: String { snake.description }

  /// How a text spells this name; `nil` if it is another one. A single word is always `snake`.
  @inline(__always)
  package func spelling(in text: UnsafeBufferPointer<UInt8>) -> Spelling? {
    let name = UnsafeBufferPointer(start: snake.utf8Start, count: snake.utf8CodeUnitCount)
    if text.count == name.count { return text.hasSameBytes(as: name) ? .snake : nil }
    guard text.count < name.count, text.first == name.first, text.last == name.last else {
      return nil
    }
    return Self.isCamelCased(text, name) ? .camel : nil
  }

  private static func isCamelCased(
    _ text: UnsafeBufferPointer<UInt8>, _ snake: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    var index = 0
    var startsWord = false
    for byte in snake {
      if byte == UInt8(ascii: "_") {
        startsWord = true
        continue
      }
      guard index < text.count, text[index] == (startsWord ? byte & 0xDF : byte) else {
        return false
      }
      startsWord = false
      index += 1
    }
    return index == text.count
  }

  /// The camelCase spelling.
  var camelCased: String {
    let words = description.split(separator: "_")
    return words.dropFirst().reduce(into: String(words.first ?? "")) {
      $0 += $1.prefix(1).uppercased() + $1.dropFirst()
    }
  }

  /// The snake_case spelling of a name in either.
  package static func snakeCased(_ text: String) -> String {
    text.reduce(into: "") { $0 += $1.isUppercase ? "_" + $1.lowercased() : String($1) }
  }
}

/// One JSON value of a config, or of a response of the server.
package struct ConfigValue {
  let log: ConfigLog
  let node: Int

  var document: ConfigDocument { log.document }
  fileprivate var kind: JSONToken { log.document.nodes[node].kind }

  /// A value of a document, by default the whole.
  package init(_ log: ConfigLog, node: Int = 0) {
    self.log = log
    self.node = node
  }

  var path: String { document.path(of: node, naming: log.naming) }

  package func error(_ problem: String) -> ConfigError { ConfigError(path: path, problem: problem) }

  func mismatch(_ expected: String) -> ConfigError {
    error("must be \(expected), found \(document.description(of: node))")
  }

  package func object() throws(ConfigError) -> ConfigObject {
    guard kind == .beginObject else { throw mismatch("an object") }
    return ConfigObject(value: self)
  }

  package func string() throws(ConfigError) -> String {
    guard kind == .string else { throw mismatch("a string") }
    return document.text(of: node)
  }

  /// The text, if the value is one.
  var text: String? { kind == .string ? document.text(of: node) : nil }

  package func int() throws(ConfigError) -> Int64 {
    switch kind {
    case .int: return document.int(of: node)
    case .double:
      // `50.0` is an integer of the wire; `50.5` is not.
      if let exact = Int64(exactly: document.double(of: node)) { return exact }
    default: break
    }
    throw mismatch("an integer")
  }

  package func number() throws(ConfigError) -> Double {
    switch kind {
    case .int: Double(document.int(of: node))
    case .uint: Double(document.uint(of: node))
    case .double: document.double(of: node)
    default: throw mismatch("a number")
    }
  }

  package func bool() throws(ConfigError) -> Bool {
    guard kind == .true || kind == .false else { throw mismatch("true or false") }
    return kind == .true
  }

  /// A date as ISO 8601 text or as integer milliseconds since 1970 (§1.1).
  package func date() throws(ConfigError) -> WallTime {
    if kind == .int { return WallTime(milliseconds: document.int(of: node)) }
    if let text, let instant = WallTime(rfc3339: text) { return instant }
    throw mismatch("a date such as \"2026-03-01T10:20:30.456Z\"")
  }

  /// Decodes each element of an array; one failure fails the array.
  package func array<Element>(
    _ decode: (ConfigValue) throws(ConfigError) -> Element
  ) throws(ConfigError) -> [Element] {
    guard kind == .beginArray else { throw mismatch("an array") }
    let end = document.end(of: node)
    var count = 0
    var element = node + 1
    while element < end {
      element = document.end(of: element)
      count += 1
    }
    var result: [Element] = []
    result.reserveCapacity(count)
    element = node + 1
    while element < end {
      result.append(try decode(ConfigValue(log, node: element)))
      element = document.end(of: element)
    }
    return result
  }

  /// Decodes each element of an array; an element that fails is dropped with a warning.
  func lenientArray<Element>(
    of noun: String, _ decode: (ConfigValue) throws(ConfigError) -> Element
  ) throws(ConfigError) -> [Element] {
    try array { value throws(ConfigError) -> Element? in
      do throws(ConfigError) {
        return try decode(value)
      } catch {
        log.warn(.droppedElement, value.path, "this \(noun) is dropped: \(error)")
        return nil
      }
    }.compactMap(\.self)
  }
}

/// One JSON object of a config, or of a response of the server.
package struct ConfigObject {
  fileprivate let value: ConfigValue

  var log: ConfigLog { value.log }
  var path: String { value.path }

  func path(_ name: MemberName) -> String {
    let text = log.naming.isVerbatim ? name.camelCased : name.description
    return value.node == 0 ? text : "\(path).\(text)"
  }

  package func error(_ name: MemberName, _ problem: String) -> ConfigError {
    ConfigError(path: path(name), problem: problem)
  }

  /// Calls a function with the name and the node of the value of each member.
  @inline(__always)
  func forEachMember(_ body: (UnsafeBufferPointer<UInt8>, Int) -> Void) {
    let end = log.document.end(of: value.node)
    var name = value.node + 1
    while name < end {
      log.document.withText(of: name) { body($0, name + 1) }
      name = log.document.end(of: name + 1)
    }
  }

  /// The values of a member in both spellings; of several the last.
  private func find(_ name: MemberName) -> (snake: Int?, camel: Int?) {
    var snake: Int?
    var camel: Int?
    forEachMember { text, value in
      switch name.spelling(in: text) {
      case .snake: snake = value
      case .camel: camel = value
      case nil: break
      }
    }
    return (snake, camel)
  }

  /// The member in either spelling; null counts as absent.
  package func optional(_ name: MemberName) -> ConfigValue? {
    let (snake, camel) = find(name)
    if let snake, log.document.nodes[snake].kind != .null { return ConfigValue(log, node: snake) }
    if let camel, log.document.nodes[camel].kind != .null { return ConfigValue(log, node: camel) }
    return nil
  }

  /// The member in either spelling, which is required.
  package subscript(name: MemberName) -> ConfigValue {
    get throws(ConfigError) {
      if let value = optional(name) { return value }
      throw error(name, find(name) == (nil, nil) ? "is missing" : "is required, found null")
    }
  }

  /// Warns about members that are neither in `known` nor, spelled twice, one member.
  func reportUnknownMembers(of owner: String, known: [MemberName]) {
    var unknown: Set<String> = []
    var isCamelCased = false
    forEachMember { text, _ in
      for name in known {
        guard let spelling = name.spelling(in: text) else { continue }
        if spelling == .camel { isCamelCased = true }
        return
      }
      unknown.insert(String(decoding: text, as: UTF8.self))
    }
    if !unknown.isEmpty {
      for member in unknown.sorted() { log.noteUnknown(member: member, of: owner, at: path) }
    }
    guard isCamelCased else { return }
    for name in known.sorted(by: { $0.description < $1.description }) {
      guard case (_?, _?) = find(name) else { continue }
      log.warn(
        .ambiguousMember, path(name),
        "`\(name)` is also spelled `\(name.camelCased)`; the first one counts")
    }
  }
}
