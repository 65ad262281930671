public import ExpressionEngine

extension Value {
  /// The conversion from a value to plain JSON.
  public enum JSONStyle: UInt8, Sendable, Hashable {
    /// For people and scripts: integers always as numbers, NaN and the infinities as null; what
    /// JSON does not have becomes text: bytes as base64, times as RFC 3339 and `1.5s`, types and
    /// functions by name, networks as written; map keys of every kind become strings. An empty
    /// optional is null, a full one its content. Never fails.
    case plain
    /// As cel maps values to JSON (docs/spec/cel.md §25): integers beyond ±(2^53-1) as strings, NaN
    /// and the infinities as `"NaN"`, `"Infinity"`, `"-Infinity"`; types, functions, networks and
    /// maps with keys that are not strings have no JSON.
    case cel
  }

  /// A value that has no JSON in the style asked for.
  public struct NotJSON: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of the value: `type`, or `map` for a map with a key that is not a string.
    public var kind: String
    /// The sentence for people.
    public var description: String { "a \(kind) of this kind has no JSON" }
  }

  /// The value as plain JSON text; the keys of maps are sorted by their bytes.
  ///
  /// - Parameter pretty: Whether to break lines and indent by two spaces.
  public func jsonText(pretty: Bool = false) -> String {
    var writer = JSONWriter(pretty: pretty)
    writePlain(to: &writer)
    return writer.text
  }

  /// The value as JSON text in the style of cel; the keys of maps are sorted by their bytes.
  ///
  /// - Throws: `NotJSON` if some part has no JSON.
  public func celJSONText(pretty: Bool = false) throws(NotJSON) -> String {
    var writer = JSONWriter(pretty: pretty)
    try writeCEL(to: &writer)
    return writer.text
  }

  /// Writes the value as plain JSON (`JSONStyle/plain`).
  package func writePlain(to writer: inout JSONWriter) {
    switch self {
    case .null: writer.null()
    case .bool(let value): writer.bool(value)
    case .int(let value): writer.int(value)
    case .uint(let value): writer.uint(value)
    case .double(let value): writer.double(value)
    case .string(let value): writer.string(value)
    case .bytes(let value): writer.string(value.base64Text)
    case .timestamp(let value): writer.string(value.rfc3339Text)
    case .duration(let value): writer.string(value.secondsText)
    case .type(let name): writer.string(name)
    case .function(let name, _): writer.string(name)
    case .network(let value): writer.string(value.text)
    case .optional(let content): content.map { $0.writePlain(to: &writer) } ?? writer.null()
    case .list(let elements):
      writer.beginArray()
      for element in elements { element.writePlain(to: &writer) }
      writer.endArray()
    case .map(let entries):
      writer.beginObject()
      for (key, value) in Self.sortedByText(entries) {
        writer.key(key)
        value.writePlain(to: &writer)
      }
      writer.endObject()
    }
  }

  private func writeCEL(to writer: inout JSONWriter) throws(NotJSON) {
    let exact: UInt64 = 1 << 53 - 1
    switch self {
    case .int(let value) where value.magnitude > exact: writer.string(String(value))
    case .uint(let value) where value > exact: writer.string(String(value))
    case .double(let value) where !value.isFinite: writer.string(value.shortestText)
    case .type, .function, .network: throw NotJSON(kind: kindName)
    case .optional(let content):
      guard let content else { return writer.null() }
      try content.writeCEL(to: &writer)
    case .list(let elements):
      writer.beginArray()
      for element in elements { try element.writeCEL(to: &writer) }
      writer.endArray()
    case .map(let entries):
      guard entries.keys.allSatisfy({ if case .string = $0 { true } else { false } }) else {
        throw NotJSON(kind: kindName)
      }
      writer.beginObject()
      for (key, value) in Self.sortedByText(entries) {
        writer.key(key)
        try value.writeCEL(to: &writer)
      }
      writer.endObject()
    default: writePlain(to: &writer)
    }
  }
}

extension Value {
  /// The entries with their keys as text, sorted by the bytes of that text.
  ///
  /// Of keys with the same text (int 1 and string "1") the one of the later kind stays: bool, int,
  /// uint, string.
  static func sortedByText(_ entries: [Key: Self]) -> [(key: String, value: Self)] {
    var result: [(key: String, value: Self)] = []
    result.reserveCapacity(entries.count)
    let keyed = entries.map { (key: $0.key, text: $0.key.text, value: $0.value) }
    for entry in keyed.sorted(by: { left, right in
      left.text.utf8.elementsEqual(right.text.utf8)
        ? left.key.rank < right.key.rank
        : left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }) {
      if let last = result.last, last.key.utf8.elementsEqual(entry.text.utf8) {
        result.removeLast()
      }
      result.append((entry.text, entry.value))
    }
    return result
  }
}
