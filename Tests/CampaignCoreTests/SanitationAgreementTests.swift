import AudienceFilters
import CampaignCore
import ExpressionEngine
import TestSupport
import Testing

/// Dictionaries of Swift values and `Value`s take two ways into a context, which must agree.
@Suite("Both ways of sanitizing agree")
struct SanitationAgreementTests {
  private static let names = ["email", "$id", "plan", "", "a$b", "Email"]
  private static let texts = ["ana@example.com", "ana", "$5", "a$@b.de", "", "x@y.z"]

  /// A random value, once as Swift has it and once as a filter sees it.
  private func pair(
    depth: Int, using random: inout some RandomNumberGenerator
  ) -> (swift: Any, value: Value) {
    switch Int.random(in: 0..<(depth == 0 ? 4 : 6), using: &random) {
    case 0:
      let text = Self.texts.randomElement(using: &random) ?? ""
      return (text, .string(text))
    case 1:
      let number = Int.random(in: -5...5, using: &random)
      return (number, .int(Int64(number)))
    case 2: return (true, true)
    case 3: return (2.5, 2.5)
    case 4:
      let parts = (0..<Int.random(in: 0...3, using: &random)).map { _ in
        pair(depth: depth - 1, using: &random)
      }
      return (parts.map(\.swift), .list(parts.map(\.value)))
    default:
      var swift: [String: Any] = [:]
      var entries: [Value.Key: Value] = [:]
      for name in Self.names where Bool.random(using: &random) {
        let part = pair(depth: depth - 1, using: &random)
        swift[name] = part.swift
        entries[.string(name)] = part.value
      }
      return (swift, .map(entries))
    }
  }

  @Test(
    "for random attributes",
    arguments: [MatchingOptions.Platform.iOS, .android],
    [SanitationRules.Stage.userAttributes, .placementParameters])
  func agree(_ platform: MatchingOptions.Platform, _ stage: SanitationRules.Stage) {
    var random = SeededGenerator(seed: 11)
    let sanitizer = AttributeSanitizer(options: platform == .android ? .android : .iOS)
    let rules = SanitationRules(
      stage: stage, platform: platform == .android ? .android : .iOS)
    for _ in 0..<500 {
      var swift: [String: Any] = [:]
      var values: [String: Value] = [:]
      for name in Self.names {
        let made = pair(depth: 2, using: &random)
        swift[name] = made.swift
        values[name] = made.value
      }
      let kept =
        stage == .userAttributes
        ? sanitizer.userAttributeChanges(values).compactMapValues { $0 }
        : sanitizer.placementParameters(values)
      let expected = kept.mapValues { sanitizer.contextValue($0) }
      let layer = Context.Layer(dictionary: swift, rules: rules)
      let actual = Context(user: layer).snapshot()["user"]
      var entries: [Value.Key: Value] = [:]
      for (name, value) in expected { entries[.string(name)] = value }
      #expect(actual == .map(entries))
    }
  }
}
