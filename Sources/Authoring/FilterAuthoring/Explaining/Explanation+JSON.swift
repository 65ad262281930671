package import ExpressionCoding
import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

extension Explanation {
  /// Returns the explanation as one JSON document.
  ///
  ///     {"filter", "matches", "outcome", "deciding" (number or null), "headline",
  ///      "changes" ([{"path", "current", "missing", "requirement", "example", "remove", "text"}] or null),
  ///      "truncated", "root": condition}
  ///
  /// A condition is `{"id", "kind", "role", "text", "line", "column", "offset", "length",
  /// "outcome", "element"?, "reads", "operands", "notes", "children"}`; an outcome is
  /// `{"value", "kind"}`, `{"error": {"id", "message"}}` or `{"evaluated": false}`.
  ///
  /// - Parameter pretty: Whether to break lines and indent by two spaces.
  public func jsonText(pretty: Bool = false) -> String {
    var writer = JSONWriter(pretty: pretty)
    write(to: &writer)
    return writer.text
  }

  /// Writes the explanation as one JSON object; see ``jsonText(pretty:)``.
  ///
  /// - Parameter more: Writes further members.
  package func write(to writer: inout JSONWriter, more: (inout JSONWriter) -> Void = { _ in }) {
    writer.beginObject()
    writer.member("filter", source.text)
    writer.key("matches")
    writer.bool(matches)
    writer.member("headline", headline)
    writer.key("outcome")
    outcome.write(to: &writer)
    writer.key("deciding")
    decidingID.map { writer.int(Int64($0)) } ?? writer.null()
    writer.key("changes")
    if let changes {
      writer.beginArray()
      for change in changes { change.write(to: &writer) }
      writer.endArray()
    } else {
      writer.null()
    }
    writer.key("neverMatches")
    writer.bool(neverMatches)
    writer.key("truncated")
    writer.bool(isTruncated)
    writer.key("root")
    root.write(to: &writer, lines: SourceLines(source))
    more(&writer)
    writer.endObject()
  }
}

extension JSONWriter {
  fileprivate mutating func member(_ name: String, _ text: String) {
    key(name)
    string(text)
  }

  fileprivate mutating func member(_ name: String, _ number: Int) {
    key(name)
    int(Int64(number))
  }

  fileprivate mutating func member(_ name: String, _ value: Value?) {
    key(name)
    if let value { value.writePlain(to: &self) } else { null() }
  }
}

extension Explanation.Outcome {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.beginObject()
    switch self {
    case .value(let value):
      writer.member("value", value)
      writer.member("kind", value.kindName)
    case .failure(let diagnostic):
      writer.key("error")
      diagnostic.writeSummary(to: &writer)
    case .notEvaluated:
      writer.key("evaluated")
      writer.bool(false)
    }
    writer.endObject()
  }
}

extension Diagnostic {
  fileprivate func writeSummary(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("id", id.rawValue)
    writer.member("message", message)
    writer.endObject()
  }
}

extension Explanation.Change {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("path", path.description)
    if let call { writer.member("call", call) }
    writer.member("current", current)
    writer.key("missing")
    writer.bool(current == nil)
    writer.member("requirement", requirement)
    writer.member("example", example)
    writer.key("remove")
    writer.bool(example == nil)
    writer.member("text", text)
    writer.endObject()
  }
}

extension Explanation.Condition {
  fileprivate func write(to writer: inout JSONWriter, lines: SourceLines) {
    writer.beginObject()
    writer.member("id", id)
    writer.member("kind", kind.rawValue)
    writer.member("role", role.rawValue)
    writer.member("text", text)
    let location = lines.location(of: span.start)
    writer.member("line", location.line)
    writer.member("column", location.column)
    writer.member("offset", Int(span.start))
    writer.member("length", Int(span.length))
    writer.key("outcome")
    outcome.write(to: &writer)
    if let cause {
      writer.key("cause")
      cause.writeSummary(to: &writer)
    }
    if let element { element.write(to: &writer) }
    writer.key("reads")
    writer.beginArray()
    for read in reads { read.write(to: &writer) }
    writer.endArray()
    writer.key("operands")
    writer.beginArray()
    for operand in operands {
      writer.beginObject()
      writer.member("text", operand.text)
      writer.key("outcome")
      operand.outcome.write(to: &writer)
      writer.endObject()
    }
    writer.endArray()
    writer.key("notes")
    writer.beginArray()
    for note in notes { writer.string(note) }
    writer.endArray()
    writer.key("children")
    writer.beginArray()
    for child in children { child.write(to: &writer, lines: lines) }
    writer.endArray()
    writer.endObject()
  }
}

extension Explanation.Element {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.key("element")
    writer.beginObject()
    writer.member("variable", variable)
    writer.member("index", index)
    writer.member("count", count)
    writer.member("value", value)
    writer.endObject()
  }
}

extension Explanation.Read {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("path", path)
    writer.member("presence", presence.rawValue)
    writer.member("value", value)
    if let standIn { writer.member("standIn", standIn) }
    writer.endObject()
  }
}
