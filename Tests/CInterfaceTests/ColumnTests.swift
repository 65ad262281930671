import AudienceFilters
import CArrow
import CSwexpr
import TestSupport
import Testing

@testable import CInterface

@Suite("Columns through the C interface")
struct ColumnTests {
  private func matcher(_ texts: [String]) throws -> OpaquePointer {
    let strings = texts.map { $0.utf8CString }
    let set = strings.withPointers { swexpr_set_create($0, nil, texts.count, nil, nil) }
    defer { swexpr_set_free(set) }
    return try #require(swexpr_matcher_create(set, nil))
  }

  @Test("counts and bits, with both structures released once")
  func matches() throws {
    let table = TestTable()
    table.addInts("age", [31, 17, 40], validity: 0b101)
    table.addTexts("plan", ["pro", "pro", "free"])
    let matcher = try matcher(["user.age >= 18", "user.plan == \"pro\""])
    defer { swexpr_matcher_free(matcher) }
    let batch = swexpr_batch_create(table.array, table.schema, nil, 0, nil)
    #expect(swexpr_batch_count(batch) == 3)
    #expect(table.releases.schema == 1)
    #expect(table.releases.array == 0)
    var counts = [Int](repeating: -1, count: 2)
    #expect(swexpr_matcher_counts(matcher, batch, UInt32(SWEXPR_EACH), &counts, 2, nil))
    #expect(counts == [2, 2])
    #expect(swexpr_matcher_counts(matcher, batch, UInt32(SWEXPR_FIRST), &counts, 2, nil))
    #expect(counts == [2, 1])
    var bits = [UInt64](repeating: 0, count: 2)
    #expect(swexpr_matcher_matches(matcher, batch, &bits, 2, nil))
    #expect(bits == [0b101, 0b011])
    swexpr_batch_free(batch)
    #expect(table.releases.array == 1)
    #expect(table.releases.schema == 1)
  }

  @Test("the attributes of a set")
  func attributes() throws {
    let texts = [
      "user.age >= 18 && device.platform == \"iOS\"", "user.age < 5 || params[\"$x\"] == 1",
    ]
    let strings = texts.map { $0.utf8CString }
    let set = strings.withPointers { swexpr_set_create($0, nil, texts.count, nil, nil) }
    defer { swexpr_set_free(set) }
    let json = try #require(swexpr_set_attributes(set, nil))
    defer { swexpr_string_free(json) }
    #expect(String(cString: json) == #"["device.platform","params","user.age"]"#)
    #expect(swexpr_set_attributes(nil, nil) == nil)
  }

  @Test("campaigns count a batch, decide about a user, and say what is wrong")
  func campaigns() throws {
    let config = """
      {"build_id":"b","paywall_responses":[],"trigger_options":[{"event_name":"start","rules":[
      {"experiment_group_id":"c","experiment_id":"e","expression_cel":"user.age >= 18",
      "variants":[{"variant_id":"v","variant_type":"HOLDOUT","percentage":100}],
      "preload":{"behavior":"NEVER"}}]}],"log_level":10,"localization":{"locales":[]},"toggles":[],
      "app_session_timeout_ms":3600000,"disable_preload":{"all":false,"triggers":[]}}
      """
    func text(_ string: UnsafeMutablePointer<CChar>?) -> String {
      defer { swexpr_string_free(string) }
      return string.map { String(cString: $0) } ?? ""
    }
    let options = #"{"now": "2026-03-01T10:00:00+01:00", "seed": 1}"#
    let campaign = swexpr_campaign_create(config, -1, options, -1, nil)
    defer { swexpr_campaign_free(campaign) }
    let table = TestTable()
    table.addInts("age", [31, 17, 40], validity: 0b101)
    let batch = swexpr_batch_create(table.array, table.schema, nil, 0, nil)
    defer { swexpr_batch_free(batch) }
    let counts = text(swexpr_campaign_counts(campaign, batch, nil))
    #expect(counts.contains(#""matched":2"#) && counts.contains(#""unmatched":1"#))
    // An object never changes: the users of a batch are counted once.
    #expect(text(swexpr_campaign_counts(campaign, batch, nil)) == counts)
    #expect(text(swexpr_campaign_counts(campaign, nil, nil)).contains(#""users":0"#))
    #expect(text(swexpr_campaign_attributes(campaign, nil)).contains("user.age"))
    #expect(text(swexpr_campaign_notes(campaign, nil)).hasPrefix("["))
    let decision = swexpr_campaign_decide(campaign, "start", -1, #"{"user":{"age":17}}"#, -1, nil)
    #expect(text(decision).contains("noAudienceMatch"))
    for wrong in [
      "3", "{", #"{"now":"noon"}"#, #"{"platform":"web"}"#, #"{"seed":"x"}"#, #"{"x":1}"#,
    ] {
      var error: UnsafeMutablePointer<CChar>?
      #expect(swexpr_campaign_create(config, -1, wrong, -1, &error) == nil)
      #expect(!text(error).isEmpty)
    }
    #expect(swexpr_campaign_create("{}", -1, nil, 0, nil) == nil)
    #expect(swexpr_campaign_decide(campaign, "start", -1, #"{"users":{}}"#, -1, nil) == nil)
  }

  @Test("mistakes are errors, and release both structures")
  func mistakes() throws {
    let options = [
      "3", "{", #"{"rot": "user"}"#, #"{"root": 3}"#, #"{"attributes": {"age": "a b"}}"#,
      #"{"json": [3]}"#, #"{"attributes": {"age": "user.a.b"}}"#,
    ]
    for options in options {
      let table = TestTable()
      table.addInts("age", [1])
      var error: UnsafeMutablePointer<CChar>?
      #expect(swexpr_batch_create(table.array, table.schema, options, -1, &error) == nil)
      #expect(error != nil, "\(options)")
      swexpr_string_free(error)
      #expect(table.releases.array == 1 && table.releases.schema == 1, "\(options)")
    }
    let matcher = try matcher(["user.age >= 18"])
    defer { swexpr_matcher_free(matcher) }
    #expect(swexpr_batch_create(nil, nil, nil, 0, nil) == nil)
    #expect(swexpr_batch_count(nil) == 0)
    #expect(!swexpr_matcher_counts(matcher, nil, 0, nil, 0, nil))
    let table = TestTable()
    table.addInts("age", [1])
    let batch = swexpr_batch_create(table.array, table.schema, nil, 0, nil)
    defer { swexpr_batch_free(batch) }
    var bits: [UInt64] = [0]
    #expect(!swexpr_matcher_matches(matcher, batch, &bits, 2, nil))
    #expect(!swexpr_matcher_matches(matcher, batch, nil, 1, nil))
    var counts = [0]
    #expect(!swexpr_matcher_counts(matcher, batch, 7, &counts, 1, nil))
  }

  @Test("a damaged array is an error or a batch, never a trap", arguments: 0..<400)
  func damage(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let table = TestTable()
    table.addInts("age", [31, 17, 40], validity: 0b101)
    table.addTexts("plan", ["pro", "pro", "free"])
    table.damage(&random)
    let matcher = try matcher([
      "user.age >= 18", "user.plan == \"pro\" && user.plan.contains(\"r\")",
    ])
    defer { swexpr_matcher_free(matcher) }
    var error: UnsafeMutablePointer<CChar>?
    let batch = swexpr_batch_create(table.array, table.schema, nil, 0, &error)
    #expect((batch == nil) == (error != nil))
    swexpr_string_free(error)
    if batch != nil {
      var counts = [0, 0]
      #expect(swexpr_matcher_counts(matcher, batch, 0, &counts, 2, nil))
      swexpr_batch_free(batch)
    }
    #expect(table.releases.array == 1)
    #expect(table.releases.schema == 1)
  }
}

extension [ContiguousArray<CChar>] {
  /// Calls `body` with the addresses of the texts.
  fileprivate func withPointers<Result>(
    _ body: ([UnsafePointer<CChar>?]) -> Result
  ) -> Result {
    func next(_ rest: ArraySlice<ContiguousArray<CChar>>, _ found: [UnsafePointer<CChar>?])
      -> Result
    {
      guard let text = rest.first else { return body(found) }
      return text.withUnsafeBufferPointer { next(rest.dropFirst(), found + [$0.baseAddress]) }
    }
    return next(self[...], [])
  }
}
