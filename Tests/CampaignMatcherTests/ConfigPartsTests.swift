import CampaignCore
import CampaignMatcher
import ExpressionCoding
import ExpressionEngine
import Testing

/// What apps ask of a config beside matching.
@Suite("Parts of configs")
struct ConfigPartsTests {
  @Test(
    "a localized paywall is fetched for a known locale, else for a known language but English (§1.5)",
    arguments: [
      ("de_AT", ["de_AT"], true), ("de_AT", ["de"], true), ("de_AT", ["de_DE"], false),
      ("de", ["de"], true), ("de_AT", [], false), ("en_GB", ["en"], false),
      ("en_GB", ["en_GB"], true), ("en", ["en"], true), ("en_GB", ["de"], false),
      ("pt_BR", ["pt", "en"], true),
    ])
  func localizedPaywalls(locale: String, locales: [String], isNeeded: Bool) {
    var config = CampaignConfig(buildID: "b")
    config.locales = Set(locales)
    #expect(config.needsLocalizedPaywall(locale: locale) == isNeeded)
  }

  @Test("entitlements of a product are the union over all elements with its id (§1.4)")
  func entitlements() throws {
    func product(_ id: String, composite: String? = nil, _ entitlements: [String]) -> String {
      let list = entitlements.map { "{\"identifier\":\"\($0)\",\"type\":\"SERVICE_LEVEL\"}" }
      let own = composite.map { ",\"sw_composite_product_id\":\"\($0)\"" } ?? ""
      return """
        {"store_product":{"store":"APP_STORE","product_identifier":"\(id)"}\(own),
        "entitlements":[\(list.joined(separator: ","))]}
        """
    }
    let products = [
      product("year", ["gold"]), product("month", ["silver"]), product("year", ["silver", "gold"]),
      product("other", composite: "month", ["bronze"]), product("none", []),
    ]
    let (config, _) = try ConfigDecoder().decode(
      Value(
        json: """
          {"build_id":"b","trigger_options":[],"paywall_responses":[],"log_level":10,
          "localization":{"locales":[]},"app_session_timeout_ms":1,"toggles":[],
          "disable_preload":{"all":false,"triggers":[]},
          "products_v3":[\(products.joined(separator: ","))]}
          """))
    let names = config.entitlementsByProductID.mapValues { $0.map(\.identifier).sorted() }
    #expect(
      names == [
        "year": ["gold", "silver"], "month": ["bronze", "silver"], "none": [],
      ])
  }

  @Test("what a person should know about the config in force stays known until the next one")
  func diagnostics() throws {
    func config(_ filter: String) throws -> Value {
      try Value(
        json: """
          {"build_id":"b","trigger_options":[{"event_name":"p","rules":[
          {"experiment_group_id":"1","experiment_id":"1","expression_cel":"\(filter)",
          "variants":[{"variant_type":"HOLDOUT","variant_id":"h","percentage":100}],
          "preload":{"behavior":"ALWAYS"}}]}],"paywall_responses":[],"log_level":10,
          "localization":{"locales":[]},"app_session_timeout_ms":1,"toggles":[],
          "disable_preload":{"all":false,"triggers":[]}}
          """)
    }
    let matcher = try Matcher(.init(zone: .utc))
    #expect(matcher.configDiagnostics == [])
    let first = try matcher.load(config("user.age >"))
    #expect(first.map(\.kind) == [.invalidFilter])
    #expect(matcher.configDiagnostics == first)
    // A config that does not decode leaves the previous one in force, with what there is to say of
    // it.
    #expect(throws: LoadError.self) { try matcher.load(["build_id": "c"]) }
    #expect(matcher.configDiagnostics == first)
    #expect(try matcher.load(config("user.age > 1")) == [])
    #expect(matcher.configDiagnostics == [])
  }
}
