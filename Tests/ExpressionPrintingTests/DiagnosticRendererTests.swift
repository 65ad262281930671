import ExpressionPrinting
import ExpressionSyntax
import Foundation
import Testing

/// The exact look of diagnostics.
@Suite struct DiagnosticRendererTests {
  private func error(_ text: String, name: String? = nil) -> (SourceText, [Diagnostic]) {
    let source = SourceText(text, name: name)
    do {
      _ = try parse(source, dialect: .superscript)
      return (source, [])
    } catch {
      return (source, error.diagnostics)
    }
  }

  private func rich(_ text: String, name: String? = nil) -> String {
    let (source, diagnostics) = error(text, name: name)
    return DiagnosticRenderer().render(diagnostics, in: source)
  }

  @Test("a rich diagnostic shows the line, a caret under the smallest span, and one help")
  func unclosedString() {
    #expect(
      rich("device.model == \"Pixel 9") == """
        error[E0105]: string is not closed
         --> <filter>:1:17
          |
        1 | device.model == "Pixel 9
          |                 ^^^^^^^^ opened here, the filter ends first
          |
          = help: add `"` at the end

        """)
  }

  @Test("labels of one line hang below each other, the rightmost beside its caret")
  func labels() {
    #expect(
      rich("(user.sessions > 3 && )") == """
        error[E0211]: expected an expression after `&&`, found `)`
         --> <filter>:1:23
          |
        1 | (user.sessions > 3 && )
          | -                  -- ^ found here
          | |                  |
          | |                  needs a right side
          | the group opened here
          |
          = help: remove `&&`, or give its right side

        """)
  }

  @Test("labels on several lines show each line, with a gap between distant ones")
  func severalLines() {
    #expect(
      rich("f(\n1,\n2,\n3 4)", name: "spring.expr") == """
        error[E0204]: expected `)` or `,`, found `4`
         --> spring.expr:4:3
          |
        1 | f(
          |  - opened here
        ...
        4 | 3 4)
          |   ^ found here
          |
          = help: put a comma or an operator before it

        """)
  }

  @Test("wide characters take two cells, tabs one, and columns count characters")
  func cells() {
    #expect(
      rich("\"日本👩‍👩‍👧\"\t= 1") == """
        error[E0210]: `=` is not an operator; equality is `==`
         --> <filter>:1:7
          |
        1 | "日本👩‍👩‍👧" = 1
          |          ^ write `==`

        """)
  }

  @Test("a line that is far too long is cut around the mistake")
  func longLine() {
    let text = String(repeating: "a + ", count: 500) + "b b" + String(repeating: " + a", count: 500)
    let lines = rich(text).split(separator: "\n")
    #expect(lines.allSatisfy { $0.count < 140 })
    #expect(lines[3].hasPrefix("1 | …") && lines[3].hasSuffix("…"))
    #expect(lines[4].contains("^"))
    let caret = lines[4].firstIndex(of: "^").map {
      lines[4].distance(from: lines[4].startIndex, to: $0)
    }
    let place = lines[3].range(of: "b b").map {
      lines[3].distance(from: lines[3].startIndex, to: $0.lowerBound) + 2
    }
    #expect(caret == place)
  }

  @Test("plain text says the same in sentences")
  func plain() {
    let (source, diagnostics) = error("(user.sessions > 3 && )")
    #expect(
      DiagnosticRenderer(style: .plain).render(diagnostics, in: source) == """
        Error E0211: expected an expression after `&&`, found `)`.
        At line 1, column 23, `)`: found here, in the filter.
        See line 1, column 1, `(`: the group opened here.
        See line 1, column 20, `&&`: needs a right side.
        Help: remove `&&`, or give its right side.

        """)
  }

  @Test("colour adds escapes and nothing else")
  func colour() {
    let (source, diagnostics) = error("a = 1")
    var text = DiagnosticRenderer(usesColor: true).render(diagnostics, in: source)
    #expect(text.contains("\u{1B}["))
    while let start = text.range(of: "\u{1B}["),
      let end = text[start.upperBound...].firstIndex(of: "m")
    {
      text.removeSubrange(start.lowerBound...end)
    }
    #expect(text == DiagnosticRenderer().render(diagnostics, in: source))
  }

  @Test("JSON holds everything, with byte offsets and line and column")
  func json() throws {
    let (source, diagnostics) = error("é == \u{201C}\n")
    let text = DiagnosticRenderer.json(diagnostics, in: source)
    let array = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
    #expect(array.count == diagnostics.count)
    let first = try #require(array.first)
    #expect(first["id"] as? String == "E0101")
    #expect(first["severity"] as? String == "error")
    let primary = try #require(first["primary"] as? [String: Any])
    #expect(primary["start"] as? Int == 0)
    #expect(primary["end"] as? Int == 2)
    #expect(primary["line"] as? Int == 1)
    #expect(primary["endColumn"] as? Int == 2)
    let (other, errors) = error("a = \"\u{1}\\n\"")
    #expect(
      DiagnosticRenderer.json(errors, in: other)
        == #"[{"id":"E0210","severity":"error","message":"`=` is not an operator; equality is `==`","primary":{"start":2,"end":3,"line":1,"column":3,"endLine":1,"endColumn":4,"message":"write `==`"},"secondary":[],"notes":[],"helps":[],"fixIts":[{"message":"write `==`","edits":[{"start":2,"end":3,"replacement":"=="}]}]}]"#
    )
  }

  @Test("suggestions stay within a third of the name, two at most, nearest first")
  func suggestions() {
    let names = ["user.country", "user.county", "user.age", "device.platform", "size", "has"]
    #expect(
      Suggestions.closest(to: "user.contry", among: names) == ["user.country", "user.county"])
    #expect(Suggestions.closest(to: "sizee", among: names) == ["size"])
    #expect(Suggestions.closest(to: "hsa", among: names) == ["has"])
    #expect(Suggestions.closest(to: "USER.AGE", among: names) == ["user.age"])
    #expect(Suggestions.closest(to: "zzzzzz", among: names).isEmpty)
    #expect(Suggestions.help(for: "sizee", among: names) == "did you mean `size`?")
    #expect(Suggestions.help(for: "size", among: ["size"]) == nil)
  }
}
