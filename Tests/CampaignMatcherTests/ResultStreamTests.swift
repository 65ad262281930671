import CampaignMatcher
import ExpressionEngine
import TestSupport
import Testing

@Suite("The result of a placement, as it changes")
struct ResultStreamTests {
  private static let config = #"""
    {"build_id": "1", "trigger_options": [{"event_name": "open", "rules": [
      {"experiment_id": "10", "experiment_group_id": "1", "expression_cel": "user.plan == \"free\"",
       "variants": [{"variant_id": "a", "variant_type": "HOLDOUT", "percentage": 100}],
       "preload": {"behavior": "NEVER"}}]}],
     "paywall_responses": [], "log_level": 10, "localization": {"locales": []},
     "app_session_timeout_ms": 3600000, "toggles": [],
     "disable_preload": {"all": false, "triggers": []}}
    """#

  @Test("a stream has the present result at once, and another one after each change of it")
  func stream() async throws {
    let matcher = try Matcher()
    var results = matcher.results(of: MatchRequest("open")).makeAsyncIterator()
    #expect(await results.next() == PlacementResult.error(MatchError.noConfig))
    try matcher.load(ConfigDocument(json: Self.config))
    let unmatched = await results.next()
    #expect(unmatched?.caseName == "noAudienceMatch", "\(String(describing: unmatched))")
    try matcher.user.setAttributes(["plan": "free"])
    let holdout = await results.next()
    #expect(holdout?.caseName == "holdout")
    // What changes nothing about the result is no element.
    try matcher.user.setAttributes(["name": "Ana"])
    matcher.device.set(values: ["model": "x"])
    try matcher.user.setAttributes(["plan": "pro"])
    let last = await results.next()
    #expect(
      last?.caseName == "noAudienceMatch",
      "\(String(describing: last)) after \(String(describing: holdout))")
    #expect(try matcher.assignments.all().isEmpty == false)
  }

  @Test("a stream ends with its matcher")
  func end() async throws {
    var matcher: Matcher? = try Matcher()
    let stream = try #require(matcher).results(of: MatchRequest("open"))
    matcher = nil
    for await result in stream { #expect(result == PlacementResult.error(MatchError.noConfig)) }
  }
}
