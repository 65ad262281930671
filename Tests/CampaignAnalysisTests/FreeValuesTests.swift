import ExpressionEngine
import Testing

@testable import CampaignAnalysis

/// Where the analysis cannot decide a condition, it tries the values that the condition mentions.
@Suite("Values for what is not decided")
struct FreeValuesTests {
  private func values(_ text: String) -> [Value] {
    FreeValues(text, dialect: .superscript).values
  }

  @Test("constants, their neighbours, and lists of them")
  func constants() {
    let plain: [Value] = [.int(5), .int(6), .int(4)]
    #expect(values("user.a % 5 == user.b") == plain + plain.map { .list([$0]) } + [.list([])])
    let double: [Value] = [.double(2.5), .double(3.5), .double(1.5)]
    #expect(values("user.a + 2.5 > user.b").starts(with: double))
    #expect(values(#"user.a.matches("^a-b$")"#).starts(with: ["^a-b$", "a-b", "^a-b$x"]))
  }

  @Test("elements of a list with the members that a loop compares")
  func elements() {
    let members = values(#"user.list.exists(s, s.id == "x" && s.isActive && 3 < s.count)"#).first
    #expect(members == .list([.map(["id": "x", "isActive": true, "count": .int(3)])]))
  }

  @Test("a text that is no filter has no values")
  func invalid() {
    #expect(values("user.a ==").isEmpty)
  }
}
