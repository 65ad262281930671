import CArrow
import CSwexpr
import Testing

@testable import CInterface

@Suite("Options of the C interface")
struct OptionTests {
  /// Calls a function that creates an object or a string; returns the message if it fails.
  private func problem(_ make: (Calls.Place) throws -> Bool) -> String {
    var error: UnsafeMutablePointer<CChar>?
    let isMade = (try? make(&error)) ?? false
    let message = Calls.take(error) ?? ""
    return isMade == message.isEmpty ? message : "\(isMade) and \(message)"
  }

  /// One campaign for adults, and one for users of iOS.
  private let config = """
    {"build_id":"b","paywall_responses":[],"trigger_options":[\
    {"event_name":"start","rules":[\
    {"experiment_group_id":"c","experiment_id":"e","expression_cel":"user.age >= 18",\
    "variants":[{"variant_id":"v","variant_type":"HOLDOUT","percentage":100}],\
    "preload":{"behavior":"NEVER"}}]},\
    {"event_name":"open","rules":[\
    {"experiment_group_id":"c","experiment_id":"f","expression_cel":"device.system == 'iOS'",\
    "variants":[{"variant_id":"w","variant_type":"HOLDOUT","percentage":100}],\
    "preload":{"behavior":"NEVER"}}]}],\
    "log_level":10,"localization":{"locales":[]},"toggles":[],\
    "app_session_timeout_ms":3600000,"disable_preload":{"all":false,"triggers":[]}}
    """

  @Test(
    "of campaigns",
    arguments: [
      ("{}", ""),
      (#"{"platform": "ios"}"#, ""),
      // The configs of Android have one member more.
      (#"{"platform": "android"}"#, "`postback` is missing"),
      (#"{"platform": "web"}"#, "`platform` is `ios` or `android`"),
      (#"{"dialect": "cel"}"#, ""),
      (#"{"dialect": "lua"}"#, "there is no dialect `lua`: use `superscript` or `cel`"),
      (#"{"variants": "deterministic"}"#, ""),
      (#"{"variants": "random"}"#, ""),
      (#"{"variants": "best"}"#, "`variants` is `deterministic` or `random`"),
      (#"{"seed": 1}"#, ""),
      (#"{"seed": "x"}"#, "the option `seed` must be an integer"),
      (#"{"now": "2026-03-01T10:00:00Z"}"#, ""),
      (#"{"now": "noon"}"#, "`noon` is not a date and time such as 2026-03-01T10:00:00Z"),
      (#"{"now": 3}"#, "the option `now` must be a string"),
      (#"{"x": 1}"#, "there is no option `x`"),
      ("3", "the options are not a JSON object"),
    ])
  func campaigns(_ options: String, _ message: String) {
    let found = problem { error in
      let campaign = swexpr_campaign_create(config, -1, options, -1, error)
      defer { swexpr_campaign_free(campaign) }
      return campaign != nil
    }
    #expect(found == message)
  }

  @Test(
    "a campaign decides with all roots of the context",
    arguments: [
      ("start", #"{"user": {"age": 20}}"#, "holdout"),
      ("start", #"{"user": {"age": 17}}"#, "noAudienceMatch"),
      ("open", #"{"device": {"system": "iOS"}}"#, "holdout"),
      ("open", #"{"device": {"system": "Android"}}"#, "noAudienceMatch"),
    ])
  func decisions(_ placement: String, _ context: String, _ result: String) throws {
    let campaign = try Calls.throwing { swexpr_campaign_create(config, -1, nil, 0, $0) }
    defer { swexpr_campaign_free(campaign) }
    let decision = try Calls.text {
      swexpr_campaign_decide(campaign, placement, -1, context, -1, $0)
    }
    #expect(decision.contains(result), "\(decision)")
  }

  @Test(
    "of columns",
    arguments: [
      (#"{"rot": "user"}"#, "there is no option `rot`"),
      (#"{"root": 3}"#, "the option `root` has a value of another kind"),
      (#"{"attributes": []}"#, "the option `attributes` has a value of another kind"),
      (#"{"attributes": {"a": "a b"}}"#, "the attribute of the column `a` is not a path"),
      (#"{"json": "a"}"#, "the option `json` has a value of another kind"),
      (#"{"json": [3]}"#, "the option `json` must be a list of strings"),
    ])
  func columns(_ options: String, _ message: String) {
    let table = TestTable()
    table.addInts("a", [1])
    let found = problem {
      swexpr_batch_create(table.array, table.schema, options, -1, $0) != nil
    }
    #expect(found == message)
  }

  @Test(
    "say where a column goes",
    arguments: [
      (nil, "user.tags == \"[1]\""),
      (#"{"root": "device"}"#, "device.tags == \"[1]\""),
      (#"{"attributes": {"tags": "user.marks"}}"#, "user.marks == \"[1]\""),
      (#"{"json": ["tags"]}"#, "user.tags[0] == 1"),
    ])
  func places(_ options: String?, _ filter: String) throws {
    let table = TestTable()
    table.addTexts("tags", ["[1]", "[2]"])
    let batch = swexpr_batch_create(table.array, table.schema, options, -1, nil)
    defer { swexpr_batch_free(batch) }
    let set = filter.withCString { swexpr_set_create([$0], nil, 1, nil, nil) }
    defer { swexpr_set_free(set) }
    let matcher = try Calls.throwing { swexpr_matcher_create(set, $0) }
    defer { swexpr_matcher_free(matcher) }
    var counts = [0]
    #expect(swexpr_matcher_counts(matcher, batch, UInt32(SWEXPR_EACH), &counts, 1, nil))
    #expect(counts == [1])
  }

  @Test("a set without filters needs no memory for them")
  func emptySet() throws {
    let table = TestTable()
    table.addInts("a", [1])
    let batch = swexpr_batch_create(table.array, table.schema, nil, 0, nil)
    defer { swexpr_batch_free(batch) }
    let set = try Calls.throwing { swexpr_set_create(nil, nil, 0, nil, $0) }
    defer { swexpr_set_free(set) }
    let matcher = try Calls.throwing { swexpr_matcher_create(set, $0) }
    defer { swexpr_matcher_free(matcher) }
    #expect(swexpr_matcher_matches(matcher, batch, nil, 0, nil))
    #expect(swexpr_matcher_counts(matcher, batch, UInt32(SWEXPR_EACH), nil, 0, nil))
  }

  @Test(
    "a limit may be as high as its maximum",
    arguments: [
      (#"{"steps": 1000000000}"#, ""), (#"{"steps": 1}"#, ""),
      (#"{"steps": 1000000001}"#, "the option `steps` must be an integer from 1 to 1000000000"),
      (#"{"steps": 0}"#, "the option `steps` must be an integer from 1 to 1000000000"),
    ])
  func limits(_ options: String, _ message: String) {
    let found = problem { error in
      let environment = swexpr_environment_create(options, -1, nil, nil, nil, error)
      defer { swexpr_environment_free(environment) }
      return environment != nil
    }
    #expect(found == message)
  }

  @Test("a layout has between 20 and 1,000 columns", arguments: [19, 20, 1_000, 1_001])
  func layout(width: Int) {
    let found = problem { error in
      let text = swexpr_layout("user.a==1", -1, nil, width, error)
      #expect(Calls.take(text) == ((20...1_000).contains(width) ? "user.a == 1" : nil))
      return (20...1_000).contains(width)
    }
    #expect(found == ((20...1_000).contains(width) ? "" : "`width` is out of range"))
  }
}
