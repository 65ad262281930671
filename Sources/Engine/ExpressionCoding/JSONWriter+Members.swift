package import ExpressionEngine

// Whole containers and members at once: what a report is made of.

extension JSONWriter {
  /// Returns a document, which is one object.
  ///
  /// - Parameters:
  ///   - pretty: Whether to break lines and indent by two spaces.
  ///   - escapesInvisible: Whether what a terminal obeys is written by its code.
  ///   - members: Writes the members.
  package static func document(
    pretty: Bool = false, escapesInvisible: Bool = true, _ members: (inout JSONWriter) -> Void
  ) -> String {
    var writer = JSONWriter(pretty: pretty, escapesInvisible: escapesInvisible)
    writer.object(members)
    return writer.text
  }

  /// Writes an object, whose members `members` writes.
  package mutating func object(_ members: (inout JSONWriter) -> Void) {
    beginObject()
    members(&self)
    endObject()
  }

  /// Writes an array, each element of which `write` writes.
  package mutating func array<Element>(
    _ elements: some Sequence<Element>, _ write: (inout JSONWriter, Element) -> Void
  ) {
    beginArray()
    for element in elements { write(&self, element) }
    endArray()
  }

  /// Writes a member with a text, or null.
  package mutating func member(_ name: String, _ text: String?) {
    key(name)
    if let text { string(text) } else { null() }
  }

  /// Writes a member with a whole number, or null.
  package mutating func member(_ name: String, _ number: Int?) {
    key(name)
    if let number { int(Int64(number)) } else { null() }
  }

  /// Writes a member with a number, or null.
  package mutating func member(_ name: String, _ number: Double?) {
    key(name)
    if let number { double(number) } else { null() }
  }

  /// Writes a member with a bool.
  package mutating func member(_ name: String, _ flag: Bool) {
    key(name)
    bool(flag)
  }

  /// Writes a member with a value as plain JSON, or null.
  package mutating func member(_ name: String, value: Value?) {
    key(name)
    if let value { value.writePlain(to: &self) } else { null() }
  }

  /// Writes a member with an object.
  package mutating func member(_ name: String, _ members: (inout JSONWriter) -> Void) {
    key(name)
    object(members)
  }

  /// Writes a member with an array of texts.
  package mutating func member(_ name: String, texts: some Sequence<String>) {
    key(name)
    array(texts) { $0.string($1) }
  }

  /// Writes a member with an array, each element of which `write` writes.
  package mutating func member<Element>(
    _ name: String, _ elements: some Sequence<Element>,
    _ write: (inout JSONWriter, Element) -> Void
  ) {
    key(name)
    array(elements, write)
  }
}
