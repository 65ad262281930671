import ExpressionCoding

extension JSONWriter {
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
