package import ExpressionEngine

extension PassableValue {
  /// `value` as tagged JSON text, as the reference evaluator reports results; the members of maps
  /// are sorted by their bytes, where the reference has no order.
  ///
  /// Always succeeds: NaN and the infinities become a `float` with a null value, durations and what
  /// only the `cel` dialect knows (types, optionals, networks) `Null`, timestamps whole seconds
  /// rounded down, keys of every kind text.
  package static func text(_ value: Value, pretty: Bool = false) -> String {
    var writer = JSONWriter(pretty: pretty)
    write(value, to: &writer)
    return writer.text
  }

  /// Writes `value` as tagged JSON.
  package static func write(_ value: Value, to writer: inout JSONWriter) {
    switch value {
    case .null, .duration, .type, .optional, .network:
      writer.beginObject()
      writer.key("type")
      writer.string(Tag.null.rawValue)
      writer.endObject()
    case .int(let value): tagged(.int, &writer) { $0.int(value) }
    case .uint(let value): tagged(.uint, &writer) { $0.uint(value) }
    case .double(let value): tagged(.float, &writer) { $0.double(value) }
    case .string(let value): tagged(.string, &writer) { $0.string(value) }
    case .bool(let value): tagged(.bool, &writer) { $0.bool(value) }
    case .timestamp(let value): tagged(.timestamp, &writer) { $0.int(value.seconds) }
    case .bytes(let octets):
      tagged(.bytes, &writer) { writer in
        writer.beginArray()
        for octet in octets { writer.int(Int64(octet)) }
        writer.endArray()
      }
    case .list(let elements):
      tagged(.list, &writer) { writer in
        writer.beginArray()
        for element in elements { write(element, to: &writer) }
        writer.endArray()
      }
    case .map(let entries):
      tagged(.map, &writer) { writer in
        writer.beginObject()
        for (key, value) in Value.sortedByText(entries) {
          writer.key(key)
          write(value, to: &writer)
        }
        writer.endObject()
      }
    case .function(let name, let receiver):
      tagged(.function, &writer) { writer in
        writer.beginArray()
        writer.string(name)
        if let receiver { write(receiver, to: &writer) } else { writer.null() }
        writer.endArray()
      }
    }
  }

  private static func tagged(
    _ tag: Tag, _ writer: inout JSONWriter, _ content: (inout JSONWriter) -> Void
  ) {
    writer.beginObject()
    writer.key("type")
    writer.string(tag.rawValue)
    writer.key("value")
    content(&writer)
    writer.endObject()
  }
}
