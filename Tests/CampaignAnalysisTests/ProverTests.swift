import CampaignAnalysis
import CampaignCore
import FilterAnalysis
import Testing

@Suite("The prover")
struct ProverTests {
  /// A placement with one audience for each filter.
  static func model(_ filters: String?...) -> AnalysisModel {
    AnalysisModel(placements: [
      AnalysisModel.Placement(
        name: "open",
        audiences: filters.enumerated().map { index, filter in
          AnalysisModel.Audience(experimentID: "e\(index)", filter: filter)
        })
    ])
  }

  private func kinds(_ filter: String) -> [Finding.Kind] {
    CampaignProver(Self.model(filter)).proof().faults.map(\.kind)
  }

  @Test("the example of the method: the second audience is covered by the first")
  func example() {
    let proof = CampaignProver(
      Self.model(
        "user.age >= 18 && user.plan == \"free\"", "user.age > 21 && user.plan == \"free\"",
        "user.plan != \"free\" && device.appVersionPadded < \"003.010.000\"")
    ).proof()
    #expect(proof.faults.map(\.kind) == [.shadowedAudience])
    #expect(proof.faults.first?.related.map(\.index) == [0])
    #expect(proof.openQuestions.isEmpty)
  }

  @Test("a name with a dot in front is no variable of a loop")
  func rootedName() {
    var model = Self.model(#"[{"z": 0}].exists(y, .y.z == 5)"#, "[1].exists(y, .y == 5)")
    model.dialect = .cel
    let proof = CampaignProver(model, schema: nil).proof()
    #expect(!proof.findings.contains { $0.kind == .deadAudience })
    model = Self.model(#"[{"z": 0}].exists(y, y.z == 5)"#, "[1].exists(y, y == 5)")
    model.dialect = .cel
    let dead = CampaignProver(model, schema: nil).proof().findings
    #expect(dead.count { $0.kind == .deadAudience } == 2)
  }

  @Test(
    "audiences that nobody matches",
    arguments: [
      "user.age > 18 && user.age < 10", "user.plan == \"a\" && user.plan == \"b\"",
      "user.name.startsWith(\"ab\") && user.name.startsWith(\"ac\")",
      "user.name.endsWith(\"x\") && size(user.name) == 2 && user.name.startsWith(\"abc\")",
      "device.platform == \"Windows\"", "user.seed > 99",
      "device.placementsInHour(\"x\") > 3 && device.placementsInDay(\"x\") < 3",
      "device.subscriptionStatus == \"ACTIVE\" && size(device.activeEntitlements) == 0",
      "device.appVersion == \"2.10.0\" && device.appVersionPadded < \"002.010.000\"",
      "[\"gold\"].all(e, device.activeEntitlements.contains(e)) && size(device.activeEntitlements) == 0",
      "device.daysSince(\"x\") > 10 && device.hoursSince(\"x\") < 24",
      "user.age == \"7\" && user.age == 8", "!(has(user.x) || !has(user.x))",
      "device.daysSinceInstall < 2.5 && device.daysSinceInstall > 2",
      "device.daysSinceInstall > 2.1 && device.daysSinceInstall < 2.9",
    ])
  func dead(_ filter: String) { #expect(kinds(filter).first == .deadAudience) }

  @Test(
    "superfluous conditions, and the filter without them",
    arguments: [
      ("user.age > 18 && user.age > 21", "user.age > 21"),
      ("user.age > 18 || user.age > 21", "user.age > 18"),
      (
        "user.plan == \"a\" && (user.plan == \"a\" || user.age > 3) && user.x == 1",
        "user.plan == \"a\" && user.x == 1"
      ),
      ("has(user.name) && user.name.startsWith(\"a\")", "user.name.startsWith(\"a\")"),
    ])
  func redundant(_ filter: String, _ shorter: String) {
    let proof = CampaignProver(Self.model(filter)).proof()
    #expect(proof.faults.map(\.kind) == [.redundantCondition])
    #expect(proof.faults.first?.shorterFilter == shorter)
  }

  @Test(
    "filters without a fault",
    arguments: [
      "device.daysSinceInstall > 2.5 && device.daysSinceInstall < 3.5",
      "device.daysSince(\"x\") >= 2.5 && device.daysSince(\"x\") < 3.5",
      "device.placementsInHour(\"x\") < 3 && device.placementsInDay(\"x\") >= 3",
      "device.subscriptionStatus == \"INACTIVE\" && size(device.activeEntitlements) > 0",
      "device.appVersion == \"2.10.0\" || device.appVersionPadded < \"002.010.000\"",
    ])
  func alive(_ filter: String) { #expect(kinds(filter).isEmpty) }

  @Test("on Android the hours of a clock say nothing about days")
  func platforms() {
    let filter = "device.daysSince(\"x\") > 10 && device.hoursSince(\"x\") == 3"
    var model = Self.model(filter)
    #expect(CampaignProver(model).proof().faults.map(\.kind) == [.deadAudience])
    model.options = .android
    #expect(CampaignProver(model).proof().faults.isEmpty)
    var minutes = Self.model("device.minutesSince(\"x\") > 59")
    #expect(CampaignProver(minutes).proof().faults.isEmpty)
    minutes.options = .android
    #expect(CampaignProver(minutes).proof().faults.map(\.kind) == [.deadAudience])
  }

  @Test("an audience that matches all users of an earlier one, and one whose limit comes first")
  func implied() {
    let kinds = CampaignProver(Self.model("user.age > 20", "user.age > 18")).proof().findings
      .filter { $0.audience?.index == 1 }.map(\.kind)
    #expect(kinds.contains(.impliedFilter))
    var model = Self.model("user.age > 18", "user.age > 18")
    model.placements[0].audiences[0].limit = .init(key: "k", maximum: 1)
    let limited = CampaignProver(model).proof()
    #expect(limited.faults.isEmpty)
    #expect(limited.findings.contains { $0.kind == .afterLimit && $0.audience?.index == 1 })
  }

  @Test("a limit that opens again is not reached for good by one that does not")
  func openingLimit() {
    var model = Self.model("user.age > 18", "user.age > 18")
    model.placements[0].audiences[0].limit = .init(key: "k", maximum: 1)
    model.placements[0].audiences[1].limit = .init(key: "k", maximum: 1, minutes: 60)
    #expect(CampaignProver(model).proof().faults.isEmpty)
    // The other way around the second one is reached whenever the first one is.
    model.placements[0].audiences[0].limit = .init(key: "k", maximum: 1, minutes: 60)
    model.placements[0].audiences[1].limit = .init(key: "k", maximum: 1)
    #expect(CampaignProver(model).proof().faults.map(\.kind) == [.shadowedAudience])
  }

  @Test("a later limit on the same counter lets no one pass unless its window is shorter")
  func sharedCounter() {
    func faults(_ first: Int64, _ second: Int64) -> [Finding.Kind] {
      var model = Self.model("user.age > 18", "user.age > 18")
      model.placements[0].audiences[0].limit = .init(key: "k", maximum: 1, minutes: first)
      model.placements[0].audiences[1].limit = .init(key: "k", maximum: 1, minutes: second)
      return CampaignProver(model).proof().faults.map(\.kind)
    }
    #expect(faults(60, 60) == [.shadowedAudience])
    #expect(faults(30, 60) == [.shadowedAudience])
    #expect(faults(60, 30) == [])
  }

  @Test("a proof may look at one placement alone")
  func onePlacement() {
    var model = Self.model("user.age > 18 && user.age < 10", "user.plan == \"a\"")
    model.placements.append(
      AnalysisModel.Placement(
        name: "close",
        audiences: [AnalysisModel.Audience(experimentID: "x", filter: "user.b > 1 && user.b < 0")]))
    #expect(CampaignProver(model).proof().faults.map(\.placement) == ["open", "close"])
    let proof = CampaignProver(model, placement: "close").proof()
    #expect(proof.faults.map(\.placement) == ["close"])
    #expect(proof.audiences == 1)
    #expect(proof.sources == 1)
  }

  @Test("an audience after one that takes everyone is what decoding reports")
  func beyondDecoding() {
    func audience(_ id: String, _ filter: String?) -> Audience {
      var audience = Audience(
        campaignID: "c", experimentID: id,
        variants: [Variant(id: id, kind: .treatment, percentage: 100, paywallIdentifier: "p")])
      audience.expression = filter
      return audience
    }
    func faults(_ first: String?) -> [Finding.Kind] {
      var config = CampaignConfig(buildID: "b")
      config.triggers = [
        CampaignTrigger(
          placement: "open", audiences: [audience("a", first), audience("b", "user.age > 20")])
      ]
      return CampaignProver(AnalysisModel(config)).proof().faults(beyondDecoding: config)
        .map(\.kind)
    }
    #expect(faults(nil).isEmpty)
    #expect(faults("user.age > 18") == [.shadowedAudience])
  }

  @Test("only the audiences that are needed to cover another one are named")
  func neededCover() {
    let proof = CampaignProver(
      Self.model("user.a > 1 && user.b == 1", "user.a > 0", "user.a == 2 && user.c == 1")
    ).proof()
    let shadowed = proof.faults.first { $0.kind == .shadowedAudience }
    #expect(shadowed?.related.map(\.index) == [1])
  }

  @Test(
    "an audience that one of two covers alone names that one, whichever users are tried first",
    arguments: ["user.a > 5 && user.b == 1", "user.a <= 5 && user.b == 1"])
  func neededCover(_ other: String) {
    let proof = CampaignProver(Self.model(other, "user.a > 0", "user.a > 1 && user.b == 1")).proof()
    let shadowed = proof.faults.first { $0.kind == .shadowedAudience }
    #expect(shadowed?.related.map(\.index) == [1])
  }

  @Test("a missing bool that counts as false is noted, and a test for presence is not")
  func missingBool() {
    func notes(_ filter: String) -> Int {
      CampaignProver(Self.model(filter)).proof().findings.count { $0.kind == .missingAttribute }
    }
    #expect(notes("user.isTrial == false") == 1)
    #expect(notes("!has(user.isTrial)") == 0)
  }

  @Test("functions of versions exist in the cel dialect alone")
  func versionFunctions() {
    var model = Self.model("device.versionAtLeast(device.appVersion, \"2.0\")")
    model.dialect = .cel
    #expect(!CampaignProver(model).proof().faults.contains { $0.kind == .invalidFilter })
    #expect(model.environment.deviceFunctions["versionAtLeast"] != nil)
    model.dialect = .superscript
    #expect(model.environment.deviceFunctions["versionAtLeast"] == nil)
  }

  @Test("variants and paywalls that nobody is given")
  func unreachable() {
    var model = Self.model("user.age > 18", "user.age > 20", "user.x == 1")
    model.paywalls = ["a", "b", "c", "d"]
    model.placements[0].audiences[0].variants = [
      .init(id: "0a", weight: 100, paywall: "a"), .init(id: "0b", weight: 0, paywall: "b"),
    ]
    // After the first, so that nobody is given it.
    model.placements[0].audiences[1].variants = [.init(id: "1", weight: 100, paywall: "c")]
    model.placements[0].audiences[2].variants = [
      .init(id: "2a", weight: 0, paywall: "d"), .init(id: "2b", weight: 0, paywall: "a"),
    ]
    let proof = CampaignProver(model).proof()
    #expect(
      proof.faults.map(\.kind) == [
        .unreachableVariant, .shadowedAudience, .unreachablePaywall, .unreachablePaywall,
      ])
    let messages = proof.faults.suffix(2).map(\.message)
    #expect(messages[0].contains("\"b\"") && messages[1].contains("\"c\""), "\(messages)")
  }

  @Test("what is too large is left open, and ends")
  func limits() {
    let wide = (0..<2_000).map { "user.a\($0) == \($0)" }.joined(separator: " && ")
    let proof = CampaignProver(Self.model(wide, "user.x == 1")).proof()
    #expect(!proof.openQuestions.isEmpty)
    let alternatives = (0..<400).map { "user.a\($0 % 20) == \($0)" }.joined(separator: " || ")
    let open = CampaignProver(Self.model(alternatives)).proof()
    #expect(open.openQuestions.map(\.reason) == ["it has more than 256 of them"])
    let small = CampaignProver(
      Self.model("user.a == 1 && user.b == 2 && user.c == 3"), limits: AnalysisLimits(nodes: 4)
    ).proof()
    #expect(!small.openQuestions.isEmpty && small.faults.isEmpty)
  }

  @Test(
    "parts that are not analysed are named, and nothing false is said because of them",
    arguments: [
      ("user.a < user.b", FreePart.Reason.severalAttributes),
      ("user.a + 1 > 3", .calculation),
      ("user.a.matches(\"x+\")", .pattern),
      ("user.a.exists(x, x.id == 3)", .comprehension),
      ("user.a[0] == 3", .structure),
      ("user.a == [1, 2]", .structure),
      ("user.a == 9007199254740993", .largeNumber),
      ("size(user) > 3", .wholeObject),
    ])
  func free(_ filter: String, _ reason: FreePart.Reason) {
    let proof = CampaignProver(Self.model("\(filter) && user.z == 1", "user.z == 1")).proof()
    #expect(proof.freeParts.map(\.reason) == [reason])
    #expect(proof.faults.isEmpty, "\(proof.text())")
    // A part is the same wherever it stands.
    let dead = CampaignProver(Self.model("\(filter) && !(\(filter))")).proof()
    #expect(dead.faults.first?.kind == .deadAudience, "\(dead.text())")
  }
}
