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
    JSONWriter.document(pretty: pretty) { write(to: &$0) }
  }

  /// Writes the members of the explanation; see ``jsonText(pretty:)``.
  package func write(to writer: inout JSONWriter) {
    writer.member("filter", source.text)
    writer.member("matches", matches)
    writer.member("headline", headline)
    writer.member("outcome") { outcome.write(to: &$0) }
    writer.member("deciding", decidingID)
    if let changes {
      writer.member("changes", changes) { $1.write(to: &$0) }
    } else {
      writer.key("changes")
      writer.null()
    }
    writer.member("neverMatches", neverMatches)
    if let obstacle { writer.member("obstacle", obstacle) }
    writer.member("truncated", isTruncated)
    writer.key("root")
    root.write(to: &writer, lines: SourceLines(source))
  }
}

extension Explanation.Outcome {
  fileprivate func write(to writer: inout JSONWriter) {
    switch self {
    case .value(let value):
      writer.member("value", value: value)
      writer.member("kind", value.kindName)
    case .failure(let diagnostic): writer.member("error") { diagnostic.writeSummary(to: &$0) }
    case .notEvaluated: writer.member("evaluated", false)
    }
  }
}

extension Diagnostic {
  fileprivate func writeSummary(to writer: inout JSONWriter) {
    writer.member("id", id.rawValue)
    writer.member("message", message)
  }
}

extension Explanation.Change {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("path", path.description)
      if let call { writer.member("call", call) }
      writer.member("current", value: current)
      writer.member("missing", current == nil)
      writer.member("requirement", requirement)
      writer.member("example", value: example)
      writer.member("remove", example == nil)
      writer.member("text", text)
    }
  }
}

extension Explanation.Condition {
  fileprivate func write(to writer: inout JSONWriter, lines: SourceLines) {
    writer.object { writer in
      writer.member("id", id)
      writer.member("kind", kind.rawValue)
      writer.member("role", role.rawValue)
      writer.member("text", text)
      let location = lines.location(of: span.start)
      writer.member("line", location.line)
      writer.member("column", location.column)
      writer.member("offset", Int(span.start))
      writer.member("length", Int(span.length))
      writer.member("outcome") { outcome.write(to: &$0) }
      if let cause { writer.member("cause") { cause.writeSummary(to: &$0) } }
      if let element { writer.member("element") { element.write(to: &$0) } }
      writer.member("reads", reads) { $1.write(to: &$0) }
      writer.member("operands", operands) { writer, operand in
        writer.object { writer in
          writer.member("text", operand.text)
          writer.member("outcome") { operand.outcome.write(to: &$0) }
        }
      }
      writer.member("notes", texts: notes)
      writer.member("children", children) { $1.write(to: &$0, lines: lines) }
    }
  }
}

extension Explanation.Element {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.member("variable", variable)
    writer.member("index", index)
    writer.member("count", count)
    writer.member("value", value: value)
  }
}

extension Explanation.Read {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("path", path)
      writer.member("presence", presence.rawValue)
      writer.member("value", value: value)
      if let standIn { writer.member("standIn", value: standIn) }
    }
  }
}
