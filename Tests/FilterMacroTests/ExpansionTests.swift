#if Macros
  import AudienceFilters
  import FilterMacros
  import SwiftDiagnostics
  import SwiftParser
  import SwiftSyntax
  import SwiftSyntaxMacroExpansion
  import SwiftSyntaxMacros
  import Testing

  @testable import FilterMacroPlugin

  @Suite("The macro #filter")
  struct ExpansionTests {
    /// A diagnostic, and the text after its position up to the end of the line.
    private struct Found {
      var diagnostic: SwiftDiagnostics.Diagnostic
      var rest: String
      var message: String { diagnostic.message }
    }

    /// The diagnostics of a source with a use of the macro, and what it expands to.
    private func expand(_ source: String) -> (text: String, diagnostics: [Found]) {
      let file = Parser.parse(source: source)
      let context = BasicMacroExpansionContext(
        sourceFiles: [file: .init(moduleName: "Test", fullFilePath: #filePath)])
      let expanded = file.expand(macros: ["filter": FilterMacro.self]) { _ in context }
      let found = context.diagnostics.map { diagnostic in
        let place = context.location(
          for: diagnostic.position, anchoredAt: diagnostic.node, fileName: "x")
        let bytes = Array(source.utf8)[place.offset...]
        return Found(
          diagnostic: diagnostic,
          rest: String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self))
      }
      return (expanded.description, found)
    }

    @Test("a filter without mistakes becomes a call with the same literal")
    func expansion() {
      let (text, diagnostics) = expand(#"let f = #filter("user.age >= 18")"#)
      #expect(text == #"let f = Filter.checked("user.age >= 18", dialect: .superscript)"#)
      #expect(diagnostics.isEmpty)
      #expect(expand(#"let f = #filter("user.age == 1u", dialect: .cel)"#).diagnostics.isEmpty)
    }

    @Test(
      "a mistake is reported at its column, however the literal is written",
      arguments: [
        (#"let f = #filter("user.age => 18")"#, "=> 18"),
        (##"let f = #filter(#"user.plan == "pro" and user.age > 1"#)"##, "and user"),
        (#"let f = #filter("user.plan == \"pro\" and user.age > 1")"#, "and user"),
        (#"let f = #filter("user.\u{70}lan == 'é' and user.age > 1")"#, "and user"),
        (
          #"let f = #filter("user.plan == \u{27}😀' and user.age > 1")"#, "and user"
        ),
        (
          "let f = #filter(\n  \"\"\"\n    user.plan == \"pro\"\n      and user.age > 1\n    \"\"\")",
          "and user"
        ),
        (
          "let f = #filter(\n  \"\"\"\n  user.plan == \"pro\" \\\n  and user.age > 1\n  \"\"\")",
          "and user"
        ),
      ])
    func columns(_ source: String, _ expected: String) throws {
      let diagnostics = expand(source).diagnostics
      #expect(diagnostics.count == 1)
      let diagnostic = try #require(diagnostics.first)
      #expect(diagnostic.diagnostic.diagMessage.severity == .error)
      #expect(diagnostic.rest.hasPrefix(expected), "\(diagnostic.rest)")
      // The carets of the message stand below the same place, whatever the escapes.
      let lines = diagnostic.message.split(separator: "\n")
      let carets = try #require(lines.last)
      let line = lines[lines.count - 2]
      let column = carets.prefix { $0 == " " }.count
      let marked = line.dropFirst(column).prefix(carets.count - column)
      #expect(expected.hasPrefix(marked), "\(diagnostic.message)")
    }

    @Test("a warning of the library is a warning, with its fix")
    func warnings() throws {
      let source = #"let f = #filter("device.platfrm == \"iOS\"")"#
      let diagnostic = try #require(expand(source).diagnostics.first)
      #expect(diagnostic.diagnostic.diagMessage.severity == .warning)
      #expect(diagnostic.message.contains("W0701"))
      #expect(diagnostic.rest.hasPrefix("device.platfrm"))
      #expect(diagnostic.diagnostic.fixIts.count == 1)
    }

    @Test("a schema beside the source file counts")
    func schemas() throws {
      let source = #"let f = #filter("user.pln == 1", schema: "schema.json")"#
      let diagnostic = try #require(expand(source).diagnostics.first)
      #expect(diagnostic.message.contains("user.plan"))
      #expect(expand(#"let f = #filter("user.pln == 1")"#).diagnostics.isEmpty)
    }

    @Test(
      "what is no literal of a filter is refused",
      arguments: [
        (#"#filter("user.age > \(x)")"#, "without interpolations"),
        ("#filter(text)", "string literal"),
        (#"#filter("true", dialect: name)"#, "dialect"),
        (#"#filter("true", schema: "nowhere.json")"#, "cannot be read"),
        (#"#filter("true", schema: "ExpansionTests.swift")"#, "is not JSON"),
      ])
    func refusals(_ source: String, _ expected: String) throws {
      let diagnostic = try #require(expand("let f = \(source)").diagnostics.first)
      #expect(diagnostic.message.contains(expected), "\(diagnostic.message)")
    }

    @Test("the compiler has expanded these, and they match")
    func use() {
      let adults = #filter("user.age >= 18")
      #expect(adults.matches(Context(user: ["age": 20])))
      #expect(!adults.matches(Context(user: ["age": 10])))
      let quoted = #filter(#"user.plan == "pro" && user.path != "a\\b""#)
      #expect(quoted.matches(Context(user: ["plan": "pro"])))
      let cel = #filter("user.age == 20", dialect: .cel)
      #expect(cel.matches(Context(user: ["age": 20])))
    }
  }
#endif
