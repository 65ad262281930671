import ExpressionCoding

extension JSONWriter {
  /// Writes an object, whose members `body` writes.
  mutating func object(_ body: (inout JSONWriter) -> Void) {
    beginObject()
    body(&self)
    endObject()
  }

  /// Writes an array, whose elements `body` writes.
  mutating func array<Element>(
    _ elements: some Sequence<Element>, _ body: (inout JSONWriter, Element) -> Void
  ) {
    beginArray()
    for element in elements { body(&self, element) }
    endArray()
  }

  /// Writes a member with a text.
  mutating func member(_ name: String, _ text: String) {
    key(name)
    string(text)
  }

  /// Writes a member with a number.
  mutating func member(_ name: String, _ number: Int) {
    key(name)
    int(Int64(number))
  }

  /// Writes a member with a bool.
  mutating func member(_ name: String, _ flag: Bool) {
    key(name)
    bool(flag)
  }

  /// Writes a member with an object.
  mutating func member(_ name: String, _ body: (inout JSONWriter) -> Void) {
    key(name)
    object(body)
  }

  /// Writes a position.
  mutating func position(_ position: Position) {
    object { writer in
      writer.member("line", position.line)
      writer.member("character", position.character)
    }
  }

  /// Writes the member `range` with a place in a text.
  mutating func range(_ span: Range<Int>, in text: DocumentText) {
    range("range", span, in: text)
  }

  /// Writes a member with a place in a text.
  mutating func range(_ name: String, _ span: Range<Int>, in text: DocumentText) {
    member(name) { writer in
      writer.key("start")
      writer.position(text.position(of: span.lowerBound))
      writer.key("end")
      writer.position(text.position(of: span.upperBound))
    }
  }
}
