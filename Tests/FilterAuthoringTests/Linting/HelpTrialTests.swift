import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis
import Testing

@testable import FilterAuthoring

/// Helps that would lead to another mistake are not given.
@Suite("Helps are tried")
struct HelpTrialTests {
  private static func findings(_ text: String) -> [Diagnostic] {
    ParsedFilter(SourceText(text), environment: .standard).diagnostics(schema: .builtIn)
  }

  private static func found(_ text: String, helps: [String]) -> [Diagnostic] {
    let span = SourceSpan(start: 0, end: UInt32(text.utf8.count))
    let filter = ParsedFilter(SourceText(text), environment: .standard)
    let diagnostic = Diagnostic(.impossibleValue, "found", at: span, helps: helps)
    return HelpTrial(filter, schema: .builtIn, found: [diagnostic]).keepingHelpsThatHelp()
  }

  @Test(
    "a condition that is a mistake itself is not given",
    arguments: [
      #"write `device.platform == "Windows"`"#, "write `device.seedOfUser < 3`",
      "write `device.daysSinceInstall >= 0`", "write `device.platform > 3`",
    ])
  func mistakes(_ help: String) {
    let found = Self.found(#"device.platform == "PC""#, helps: [help, "or something else"])
    #expect(found.flatMap(\.helps) == ["or something else"])
  }

  @Test(
    "a condition that no lint finds fault with is given, and so is what is not a condition",
    arguments: [
      #"write `device.platform == "iOS"`"#, "write `condition ? first : second`", "write `&&`",
      "write `size(user.tags)`", "write `matches(\"(?i)…\")`", "there is `device.platform`",
    ])
  func right(_ help: String) {
    let found = Self.found(#"device.platform == "PC""#, helps: [help])
    #expect(found.flatMap(\.helps) == [help])
  }

  @Test("a condition that excludes another one of the filter is not given")
  func contradiction() throws {
    let text = #"device.platform == "iOS" && device.interfaceType == "android""#
    let found = try #require(Self.findings(text).first)
    #expect(found.helps.isEmpty && found.fixIts.isEmpty)
    let alone = try #require(Self.findings(#"device.interfaceType == "android""#).first)
    #expect(alone.helps.contains { $0.contains(#"device.platform == "Android""#) })
  }

  @Test("the values of two attributes may be exchanged: each is the other's mistake")
  func exchanged() {
    let text =
      #"device.latestSubscriptionPeriodType == "subscribed" && "#
      + #"device.latestSubscriptionState == "trial""#
    #expect(Self.findings(text).count { !$0.helps.isEmpty } == 2)
  }

  @Test("a label does not say to write what is not offered")
  func labels() throws {
    let found = Self.findings("{{ user.points | times: 2 }} > 7")
    #expect(!found.isEmpty)
    #expect(found.allSatisfy { !$0.primary.message.hasPrefix("write") })
  }

  @Test("the marks of a merge conflict are no slips")
  func conflict() throws {
    let text = "<<<<<<< ours\nuser.plan == 1\n=======\nuser.plan == 2\n>>>>>>> theirs"
    let found = Self.findings(text)
    #expect(found.count == 1)
    #expect(found.first?.message.contains("merge conflict") == true)
  }

  @Test("each guess at what a foreign path means is the first for its example")
  func guesses() throws {
    for (index, guess) in FilterLinter.foreignGuesses.enumerated() {
      let filter = ParsedFilter(
        SourceText("\(guess.example) == \"x\""), environment: .standard)
      let outline = try #require(filter.outline)
      let linter = FilterLinter(outline, schema: .builtIn)
      let root = try #require(outline.tree.nodes.firstIndex { $0.kind == .identifier })
      let id = NodeID(UInt32(root))
      let path = linter.foreignPath(
        id, outline.tree.name(of: outline.tree[id]), outline.tree[outline.parent(of: id)])
      let first = FilterLinter.foreignGuesses.firstIndex { $0.advice(linter, path) != nil }
      #expect(first == index, "\(guess.example)")
    }
  }
}
