import ExpressionEngine
import ExpressionSyntax
import Testing

@testable import LanguageService

/// What an editor shows of functions of the app that filters call by their names.
@Suite("Functions of the app in an editor") struct AddedFunctionTests {
  private func language(_ dialect: Dialect.Name) -> FilterLanguage {
    FilterLanguage(
      dialect: dialect,
      added: [
        .init(
          "isVIP", .init(parameters: ["string"], result: "bool"),
          documentation: "Whether a customer is on the list."
        ) { _, _ in true },
        .init("isVIP", .init(parameters: ["int"], result: "bool")) { _, _ in true },
        .init("tier", .init(isMember: true, parameters: ["string"], result: "string")) { _, _ in
          "gold"
        },
        // The environment refuses it.
        .init("size", .init(parameters: [], result: "int")) { _, _ in 5 },
      ])
  }

  @Test("completion offers functions where a value begins, and methods after a dot")
  func completion() throws {
    for dialect in [Dialect.Name.superscript, .cel] {
      let language = language(dialect)
      let global = AnalyzedFilter(SourceText("isV"), language).completions(at: 3)
      let item = try #require(global.first { $0.label == "isVIP" })
      #expect(item.replacement == "isVIP(" && item.detail == "isVIP(string) -> bool")
      #expect(item.documentation.contains("Whether a customer is on the list."))
      #expect(!global.contains { $0.label == "tier" })
      let text = "device.platform."
      let members = AnalyzedFilter(SourceText(text), language).completions(
        at: UInt32(text.utf8.count))
      #expect(members.contains { $0.label == "tier" && $0.replacement == "tier(" })
    }
  }

  @Test("hovering shows the forms and the documentation")
  func hover() throws {
    for dialect in [Dialect.Name.superscript, .cel] {
      let filter = AnalyzedFilter(SourceText("isVIP('a')"), language(dialect))
      let hover = try #require(filter.hover(at: 2))
      #expect(hover.text.contains("isVIP(string) -> bool\nisVIP(int) -> bool"))
      #expect(hover.text.contains("Whether a customer is on the list."))
      #expect(!filter.diagnostics.contains { $0.severity == .error })
    }
  }
}
