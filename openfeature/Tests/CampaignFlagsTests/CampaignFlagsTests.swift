import CampaignFlags
import Foundation
import Testing

@Suite("Flags of a config")
struct CampaignFlagsTests {
  private static let config = """
    {"build_id":"b7","trigger_options":[{"trigger_version":"V2","event_name":"open","rules":[
    {"experiment_group_id":"c1","experiment_id":"e1","expression_cel":"user.plan == \\"pro\\"",
    "variants":[{"variant_type":"HOLDOUT","variant_id":"h","percentage":100}],"preload":{"behavior":"ALWAYS"}},
    {"experiment_group_id":"c1","experiment_id":"e2","expression_cel":"device.os == 17 || params.n > 3",
    "variants":[{"variant_type":"TREATMENT","variant_id":"t1","percentage":50,"paywall_identifier":"pw1"},
    {"variant_type":"TREATMENT","variant_id":"t2","percentage":50,"paywall_identifier":"pw2"}],
    "preload":{"behavior":"ALWAYS"}}]}],"paywall_responses":[],"log_level":10,"localization":{"locales":[]},
    "app_session_timeout_ms":1,"toggles":[],"disable_preload":{"all":false,"triggers":[]}}
    """

  private func member(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  private func flag(_ key: String, _ context: String) throws -> [String: Any] {
    let flags = try CampaignFlags(config: Self.config)
    return try member(flags.flag(key, body: #"{"context":\#(context)}"#.utf8))
  }

  @Test("a placement is three flags, whose keys are listed")
  func keys() throws {
    #expect(try CampaignFlags(config: Self.config).keys == ["open", "open.decision", "open.shows"])
  }

  @Test("a holdout has a variant and no paywall")
  func holdout() throws {
    let plain = try flag("open", #"{"targetingKey":"u","plan":"pro"}"#)
    #expect(plain["value"] == nil)
    #expect(plain["variant"] as? String == "h")
    #expect(plain["reason"] as? String == "TARGETING_MATCH")
    #expect(
      try flag("open.shows", #"{"targetingKey":"u","plan":"pro"}"#)["value"] as? Bool == false)
  }

  @Test("layers of the context are layers of filters")
  func layers() throws {
    for context in [
      #"{"targetingKey":"u","device":{"os":17}}"#, #"{"targetingKey":"u","params":{"n":4}}"#,
    ] {
      let decision = try flag("open.decision", context)
      let value = try #require(decision["value"] as? [String: Any])
      #expect(value["result"] as? String == "paywall")
      #expect(value["experiment"] as? String == "e2")
      #expect(["pw1", "pw2"].contains(value["paywall"] as? String))
      #expect(decision["reason"] as? String == "SPLIT")
    }
    let user = try flag("open", #"{"targetingKey":"u","plan":"free","user":{"plan":"pro"}}"#)
    #expect(user["variant"] as? String == "h")
  }

  @Test("a unit keeps its variant, and units are divided")
  func bucketing() throws {
    var counts: [String: Int] = [:]
    for number in 0..<400 {
      let context = #"{"targetingKey":"u\#(number)","params":{"n":4}}"#
      let variant = try #require(try flag("open", context)["variant"] as? String)
      #expect(try flag("open", context)["variant"] as? String == variant)
      counts[variant, default: 0] += 1
    }
    #expect(counts.keys.sorted() == ["t1", "t2"])
    #expect(counts.values.allSatisfy { $0 > 140 })
  }

  @Test(
    "a bad request has a code and a reason",
    arguments: [
      ("open", "{", "PARSE_ERROR"), ("open", "[]", "INVALID_CONTEXT"),
      ("open", "{}", "INVALID_CONTEXT"), ("open", #"{"context":{}}"#, "TARGETING_KEY_MISSING"),
      ("open", #"{"context":{"targetingKey":7}}"#, "TARGETING_KEY_MISSING"),
      ("opens", #"{"context":{"targetingKey":"u"}}"#, "FLAG_NOT_FOUND"),
      ("open.sho", #"{"context":{"targetingKey":"u"}}"#, "FLAG_NOT_FOUND"),
      ("", "{}", "FLAG_NOT_FOUND"),
    ])
  func errors(_ key: String, _ body: String, _ code: String) throws {
    let flags = try CampaignFlags(config: Self.config)
    do {
      _ = try flags.flag(key, body: body.utf8)
      Issue.record("no error")
    } catch {
      #expect(error.code.rawValue == code)
      #expect(try member(error.body(key: key))["key"] as? String == key)
    }
  }

  @Test("all flags at once are the single ones")
  func all() throws {
    let flags = try CampaignFlags(config: Self.config)
    let body = Array(#"{"context":{"targetingKey":"u","params":{"n":4}}}"#.utf8)
    let whole = try member(flags.allFlags(body: body))
    let list = try #require(whole["flags"] as? [NSDictionary])
    #expect(list.count == 3)
    for flag in list {
      let key = try #require(flag["key"] as? String)
      #expect(try member(flags.flag(key, body: body)) as NSDictionary == flag)
    }
    #expect((whole["metadata"] as? [String: Any])?["version"] as? String == "b7")
  }
}
