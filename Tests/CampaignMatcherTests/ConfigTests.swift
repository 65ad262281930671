import CampaignCore
import CampaignMatcher
import ExpressionCoding
import ExpressionEngine
import Foundation
import TestSupport
import Testing

@Suite("Configs")
struct ConfigTests {
  static let sample = TestFiles.sharedText("samples/campaigns.json")

  /// The same JSON with every member name in camelCase.
  static func camelCased(_ value: Value) -> Value {
    switch value {
    case .list(let elements): return .list(elements.map(camelCased))
    case .map(let entries):
      var result: [Value.Key: Value] = [:]
      for case (.string(let name), let value) in entries {
        let words = name.split(separator: "_", omittingEmptySubsequences: true)
        let camel = words.enumerated().map {
          $0 == 0 ? String($1) : $1.prefix(1).uppercased() + $1.dropFirst()
        }
        result[.string(camel.joined())] = camelCased(value)
      }
      return .map(result)
    default: return value
    }
  }

  @Test("the sample decodes in both spellings to the same config", .enabled(if: sample != nil))
  func sampleDecodes() throws {
    let json = try Value(json: #require(Self.sample))
    let (config, diagnostics) = try ConfigDecoder().decode(json)
    let (camel, _) = try ConfigDecoder().decode(Self.camelCased(json))
    #expect(config == camel)
    #expect(config.triggers.count == 9)
    let audiences = config.triggers.flatMap(\.audiences)
    #expect(Set(audiences.map(\.experimentID)).count == 21)
    #expect(config.products.count == 4)
    #expect(diagnostics.contains { $0.kind == .droppedElement })
    let weeks = audiences.first { $0.experimentID == "3002" }
    #expect(weeks?.computedProperties.map(\.kind) == [.daysSince, .hoursSince])
    #expect(weeks?.preload == .always)
    let unknownVariant = audiences.first { $0.experimentID == "6001" }?.variants.first
    #expect(unknownVariant?.kind == .treatment)
    #expect(audiences.first { $0.experimentID == "7002" }?.limit?.interval == .infinity)
    #expect(config.paywalls.reduce(0) { $0 + $1.surveys.count } == 1)
    #expect(!config.isEnabled("no such toggle"))
  }

  @Test("every filter of the sample compiles", .enabled(if: sample != nil))
  func sampleCompiles() throws {
    let matcher = try Matcher(.init(clock: ManualClock(WallTime(milliseconds: 0)), zone: .utc))
    let diagnostics = try matcher.load(Value(json: #require(Self.sample)))
    #expect(!diagnostics.contains { $0.kind == .invalidFilter })
    #expect(try matcher.assignments.all().count == 21)
  }

  @Test("no cut or changed config can crash the decoder")
  func hostileConfigs() throws {
    let text = """
      {"build_id":"b","trigger_options":[{"event_name":"x","rules":[{"experiment_group_id":"1",
      "experiment_id":"1","expression_cel":"user.a == 1","variants":[{"variant_type":"TREATMENT",
      "variant_id":"v","percentage":100,"paywall_identifier":"p"}],"occurrence":{"key":"k",
      "max_count":1,"interval":{"type":"MINUTES","minutes":5}},"preload":{"behavior":"ALWAYS"}}]}],
      "paywall_responses":[{"id":"1","identifier":"p"}],"log_level":10,
      "localization":{"locales":[{"locale":"en"}]},"app_session_timeout_ms":3600000,
      "toggles":[{"key":"a","enabled":true}],"disable_preload":{"all":false,"triggers":["x"]}}
      """
    let good = try Value(json: text)
    #expect(throws: Never.self) { try ConfigDecoder().decode(good) }
    let replacements: [Value] = [
      .null, .int(.min), .double(1e300), .string(""), .list([]), .map([:]), .bool(true),
    ]
    var decoded = 0
    func mutate(_ value: Value, rebuild: (Value) -> Value) {
      for replacement in replacements {
        let changed = rebuild(replacement)
        let outcome = Result { try ConfigDecoder().decode(changed).config }
        if (try? outcome.get()) != nil { decoded += 1 }
        #expect(
          "\(outcome)"
            == "\(Result { try ConfigDecoder().decode(ConfigDocument(json: changed.jsonText())).config })"
        )
      }
      switch value {
      case .list(let elements):
        for index in elements.indices {
          mutate(elements[index]) { new in
            var changed = elements
            changed[index] = new
            return rebuild(.list(changed))
          }
        }
      case .map(let entries):
        for key in entries.keys {
          mutate(entries[key] ?? .null) { new in
            var changed = entries
            changed[key] = new
            return rebuild(.map(changed))
          }
        }
      default: break
      }
    }
    mutate(good) { $0 }
    #expect(decoded > 0)
  }

  /// The smallest config, with members in front.
  private static func minimal(_ members: String = "") -> String {
    """
    {\(members)"build_id":"b","trigger_options":[],"paywall_responses":[],"log_level":10,
    "localization":{"locales":[]},"app_session_timeout_ms":1,"toggles":[],
    "disable_preload":{"all":false,"triggers":[]}}
    """
  }

  private static func outcome(_ text: String) -> String {
    do {
      let (config, diagnostics) = try ConfigDecoder().decode(ConfigDocument(json: text))
      return ([config.buildID] + diagnostics.map(\.description)).joined(separator: " ")
    } catch {
      return "\(error)"
    }
  }

  @Test("a byte order mark may precede a config, once")
  func byteOrderMark() {
    #expect(Self.outcome("\u{FEFF}" + Self.minimal()) == "b")
    #expect(
      Self.outcome("\u{FEFF}\u{FEFF}" + Self.minimal())
        == "expected a value, found a byte order mark at line 1 column 1")
    let error = #expect(throws: JSONError.self) { try ConfigDocument(json: "\u{FEFF}{,") }
    #expect(error?.offset == 4)
    #expect(error?.column == 2)
  }

  @Test("how deep a member nests that nobody reads does not matter", arguments: [14, 600, 100_000])
  func depth(_ depth: Int) {
    let brackets = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    #expect(
      Self.outcome(Self.minimal("\"x\":\(brackets),"))
        == "b warning[unknown-member]: unknown member `x` of the config is ignored (at `config`)")
    #expect(
      Self.outcome(Self.minimal("\"request_id\":{\"a\":\(brackets)},"))
        == "`request_id` must be a string, found an object")
    #expect(
      Self.outcome(Self.minimal("\"products_v3\":[1,{\"store_product\":\(brackets)}],")).contains(
        "`products_v3[1].entitlements` is missing"))
    #expect(
      Self.outcome(Self.minimal("\"x\":\(brackets.dropLast())}")).hasPrefix(
        "expected `,` or `]`, found `}` at line 1"))
  }

  @Test(
    "members are found in either spelling, escaped, null or repeated",
    arguments: [
      (#""buildId":"c""#, "c"), (#""BuildId":"c""#, "`build_id` is missing"),
      (#""build_id":null,"buildId":"c""#, "c warning[ambiguous-member]"),
      (#""build_id":null"#, "`build_id` is required, found null"),
      (#""buildId":"c","build_id":"d""#, "d warning[ambiguous-member]"),
      (#""build_id":5,"build_id":"d""#, "d"),
      (#""build_id":"d","build_id":5"#, "`build_id` must be a string, found number 5"),
      (#""bu\u0069ld_id":"d\ne""#, "d\ne"),
      (
        #""build_id":"d","productsV3":[{"entitlements":[7]}]"#,
        "d warning[dropped-element]: this product is dropped:"
          + " `products_v3[0].entitlements[0]` must be an object, found number 7"
      ),
    ])
  func spellings(members: String, outcome: String) {
    let text = Self.minimal().replacing(#""build_id":"b""#, with: members)
    #expect(Self.outcome(text).hasPrefix(outcome))
  }
}
