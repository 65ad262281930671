import AudienceFilters
import ExpressionCoding
import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis
import FilterAuthoring
import FilterCorpus
import Foundation
import TestSupport
import Testing

@Suite("Checks") struct CheckTests {
  @Test("every id of a lint has a rule")
  func rules() {
    let lints = DiagnosticID.allCases.filter { $0.rawValue.hasPrefix("W07") }
    #expect(lints.filter { !LintRules.ids.contains($0) } == [])
    #expect(lints.count > 20)
  }

  private func ids(_ text: String, schema: AttributeSchema = .builtIn) throws -> [String] {
    try Filter(text).check(schema: schema).map(\.id.rawValue)
  }

  /// Filters that are right, some of them close to what is warned of.
  static let right: [String] = [
    #"size(device.activeEntitlements) == 0 && user.seed < 50"#, "true", "user.isLoggedIn",
    #"device.appVersionPadded >= "003.065.000" && device.appVersionPadded < "004.000.000""#,
    #"device.daysSinceInstall == "7""#, #"device.isSandbox == "false""#,
    #"params.abandoned_product_trial_period_days == "7""#, "user.age >= 18 && user.age < 65",
    "user.age < 18 || user.age > 65", "user.age != 3 && user.age != 4", "!user.isLoggedIn",
    #"user.plan == "a" || user.plan == "b""#, #"user.plan != "a" && user.plan != "b""#,
    #"user.plan == 0 && user.plan == """#, "user.age > 3 && user.age < 4",
    #"has(user.name) ? user.name.startsWith("A") : false"#, "has(user.age) && user.age > 3",
    #"has(user.name) && user.name.startsWith("A") && user.age > 3"#,
    #"user.a == 1 || (has(user.name) && user.name.startsWith("A"))"#,
    #"!has(user.name) || user.name.startsWith("A")"#, #"user.name != null && user.name == "Ann""#,
    #"user.tags.exists(t, t == "vip") && size(user.tags) > 1"#, #"(user.plan || "free") == "free""#,
    "device.daysSinceLastPaywallView >= 7", "device.daysSinceLastPaywallView > 0",
    "has(device.daysSinceLastPaywallView) && device.daysSinceLastPaywallView < 7",
    "device.daysSinceLastPaywallView == null || device.daysSinceLastPaywallView < 7",
    #"device.latestSubscriptionState == "subscribed" && !device.latestSubscriptionWillAutoRenew"#,
    #"device.osVersion >= "17""#,
    #"device.osVersion != "16.0""#, #"user.email.matches("^[a-z0-9._]+@example\\.(com|org)$")"#,
    #"user.name.matches(r"^\$\d+(\.\d+)*$")"#, #"user.name.matches("a$|^b")"#,
    #"user.name.matches("(?m)a$\nb")"#, #"user.name.matches("^([a-z]+,)*[a-z]+$")"#,
    #"["gold"].all(id, device.activeEntitlements.contains(id))"#, #"device.platform in ["iOS"]"#,
    #"device.daysSince("app_open") == null ? false : device.daysSince("app_open") > 3"#,
    #"user.tags.map(user, user == "a")[0]"#, #"user.flags.contains("true")"#,
    #"device.demandTier == "high" && device.ipContinent == "Europe""#,
    #"user.tags.exists(device, device.anything == 1)"#, "user.need == 1 && user.color == 2",
  ]

  @Test("right filters have no warnings", arguments: right)
  func rightFilters(text: String) throws {
    #expect(try ids(text) == [])
  }

  @Test("the ends of the largest ranges of a schema are values like others")
  func largestRanges() throws {
    let schema = AttributeSchema([
      .init("user.ratio", .number, minimum: .min, maximum: .max),
      .init("user.count", .int, minimum: .min, maximum: .max),
    ])
    for text in ["user.ratio * 2 > 5", "user.count - 1 < 5", "user.ratio > user.count"] {
      #expect(try Filter(text).check(schema: schema).isEmpty, "\(text)")
    }
  }

  @Test("hundreds of right filters, odd ones among them, have no warnings in either dialect")
  func noFalseAlarms() throws {
    var alarms: [String] = []
    var count = 0
    for (dialect, filters) in [
      (Dialect.superscript, RightFilters.common + RightFilters.superscript),
      (Dialect.cel, RightFilters.common + RightFilters.cel),
    ] {
      for text in filters {
        let found = try Filter(text, environment: FilterEnvironment(dialect: dialect)).check()
        alarms += found.map { "\(text): \($0.message)" }
        count += 1
      }
    }
    #expect(alarms == [])
    #expect(count > 600)
  }

  @Test(
    "the sample campaigns have no warnings",
    .enabled(if: TestFiles.sharedPath("samples/campaigns.json") != nil))
  func sample() throws {
    let text = try #require(TestFiles.sharedText("samples/campaigns.json"))
    var filters: [String] = []
    func collect(_ value: Value) {
      switch value {
      case .map(let entries):
        for (key, member) in entries {
          if key == "expression_cel", case .string(let filter) = member { filters.append(filter) }
          collect(member)
        }
      case .list(let elements): for element in elements { collect(element) }
      default: break
      }
    }
    collect(try Value(json: text))
    #expect(filters.count > 15)
    for filter in filters { #expect(try ids(filter) == [], "\(filter)") }
  }

  @Test("an unknown attribute is only reported where the schema is closed or the name is close")
  func unknown() throws {
    #expect(try ids("user.plan == 1 && user.shoeSize == 40") == [])
    let schema = try AttributeSchema(json: #"{"user": {"plan": "string", "country": "string"}}"#)
    #expect(try ids("user.contry == \"SE\"", schema: schema) == ["W0701"])
    #expect(try ids("user.shoeSize == 40", schema: schema) == ["W0701"])
    #expect(try ids("device.shoeSize == 40", schema: schema) == [])
  }

  private static let app = """
    {"attributes": {
      "user.stars": {"type": "number", "minimum": 1, "maximum": 5, "optional": true},
      "user.floor": {"type": "int", "minimum": 2},
      "user.pausedOn": {"type": "string", "format": "date", "optional": true},
      "user.tongue": {"type": "string", "format": "language"},
      "user.home": {"type": "string", "format": "locale"},
      "user.coin": {"type": "string", "format": "currency"},
      "user.rank": {"type": "string", "values": ["true", "none"]},
      "params.origin": "string", "params.stage": "string"
    }, "closed": ["user"]}
    """

  /// Filters over `app`, with the ids of the findings in either dialect.
  static let ofApp: [(String, superscript: [String], cel: [String])] = [
    // A missing one counts as 0 in the superscript dialect, and is an error in the cel dialect.
    ("user.stars > 0", [], []), ("user.stars >= 1", [], []), ("user.stars != 0", [], []),
    ("user.stars > -1", ["W0705"], []), ("user.stars < 6", ["W0705"], []),
    ("user.stars < 1", ["W0710"], ["W0704"]), ("user.stars == 0", ["W0710"], ["W0704"]),
    ("user.stars > 5", ["W0704"], ["W0704"]), ("user.stars > 0 && user.stars < 3", [], ["W0724"]),
    ("user.floor > 1", ["W0705"], ["W0705"]), ("user.floor < 2", ["W0704"], ["W0704"]),
    ("user.stars in [0, 3]", ["W0714"], ["W0714"]), ("user.stars in [1, 5]", [], []),
    // A missing text comes before every other.
    (#"user.pausedOn < "2026-03-01""#, ["W0710"], []), (#"user.pausedOn > "2026-03-01""#, [], []),
    (#"has(user.pausedOn) && user.pausedOn < "2026-03-01""#, [], []),
    (#"user.pausedOn > "2026-06-31""#, ["W0714"], ["W0714"]),
    (#"user.tongue == "sv-SE""#, ["W0714"], ["W0714"]), (#"user.tongue == "sv""#, [], []),
    (#"user.home.startsWith("sv-")"#, ["W0713"], ["W0713"]),
    (#"user.home.startsWith("sv_")"#, [], []), (#"user.home.startsWith("zh-Hans")"#, [], []),
    (#"user.coin == "sek""#, ["W0713"], ["W0713"]), (#"user.coin in ["SEK", "NOK"]"#, [], []),
    (#"user.rank == "true""#, [], []), (#"user.rank == "false""#, ["W0714"], ["W0714"]),
    // One slip from a name of the schema file, although the root is open.
    (#"params.orgin == "menu""#, ["W0701"], ["W0701"]),
    (#"params.stgae == 1"#, ["W0701"], ["W0701"]),
    (#"params.stages == "a""#, [], []), (#"params.region == "a""#, [], []),
  ]

  @Test(
    "constants are checked against the schema file, and against a missing attribute",
    arguments: ofApp)
  func schemaFile(text: String, superscript: [String], cel: [String]) throws {
    var schema = AttributeSchema.builtIn
    schema.merge(try AttributeSchema(json: Self.app))
    #expect(try ids(text, schema: schema) == superscript)
    let found = try Filter(text, environment: .cel).check(schema: schema)
    #expect(found.map(\.id.rawValue) == cel)
  }

  static let silenced: [(String, [String])] = [
    ("device.platform == \"ios\" // swexpr:ignore", []),
    ("device.platform == \"ios\" // swexpr:ignore W0713", []),
    ("device.platform == \"ios\" // swexpr:ignore W0714, w0713", []),
    ("device.platform == \"ios\" // swexpr:ignore W0714", ["W0713"]),
    ("// swexpr:ignore W0713\ndevice.platform == \"ios\"", []),
    ("// swexpr:ignore W0713\n\ndevice.platform == \"ios\"", ["W0713"]),
    ("// swexpr:ignore-filter W0713\n\n\ndevice.platform == \"ios\"", []),
    ("device.platform == \"ios\" || // swexpr:ignore\ndevice.platform == \"android\"", ["W0713"]),
    ("device.platform == \"ios\" // ignore W0713", ["W0713"]),
  ]

  @Test(
    "comments silence warnings of their line, of the next line, or of the filter",
    arguments: silenced)
  func silencing(text: String, expected: [String]) throws {
    #expect(try ids(text) == expected)
  }

  @Test("errors are not silenced")
  func errorsAreNotSilenced() throws {
    #expect(try ids(#"user.name.matches("(") // swexpr:ignore"#) == ["E0513"])
  }

  static let fixes: [(String, String)] = [
    (#"device.platform == "ios""#, #"device.platform == "iOS""#),
    (#"device.appVersion >= "2.9.0""#, #"device.appVersionPadded >= "002.009.000""#),
    (#""2.9" <= device.appVersion"#, #""002.009.000" <= device.appVersionPadded"#),
    (#"device.daysSinceInstall >= "7""#, "device.daysSinceInstall >= 7"),
    ("device.appBuildString == 412", #"device.appBuildString == "412""#),
    (#"device.activeEntitlements == "gold""#, #""gold" in device.activeEntitlements"#),
    (
      #"!(has(user.name) && user.name.startsWith("A") && user.age > 3)"#,
      #"!(has(user.name) ? user.name.startsWith("A") && user.age > 3 : false)"#
    ),
    (
      #"(has(user.name) && user.name.startsWith("A")) || user.a == 1"#,
      #"(has(user.name) ? user.name.startsWith("A") : false) || user.a == 1"#
    ),
    ("user.tags.size() > 2", "size(user.tags) > 2"),
    ("device.Platform == \"iOS\"", "device.platform == \"iOS\""),
    (
      #"device.platform == "ios" && device.sdkVersionPadded > "4.1""#,
      #"device.platform == "iOS" && device.sdkVersionPadded > "004.001.000""#
    ),
  ]

  @Test("fixes write what was meant, and the result has no warnings", arguments: fixes)
  func fixing(text: String, expected: String) throws {
    let filter = try Filter(text)
    let (fixed, applied) = SourceText(text).applyingFixes(of: filter.check())
    #expect(fixed == expected)
    #expect(!applied.isEmpty)
    #expect(try ids(fixed) == [])
  }

  @Test("every fix of the corpora keeps the filter a filter")
  func fixesParse() throws {
    var count = 0
    for entry in CheckedCorpus.entries where entry.dialect == .superscript {
      // A correction of an error may leave others.
      for diagnostic in entry.findings
      where diagnostic.severity != .error && !diagnostic.fixIts.isEmpty {
        let (fixed, _) = SourceText(entry.text).applyingFixes(of: [diagnostic])
        #expect((try? Filter(fixed)) != nil, "\(entry.text) became \(fixed)")
        count += 1
      }
    }
    #expect(count > 20)
  }

  @Test("a conditional in place of a useless guard answers the same when the attribute is there")
  func guardFix() throws {
    let text = #"(has(user.name) && user.name.startsWith("A")) || user.a == 1"#
    let filter = try Filter(text)
    let fixed = try Filter(SourceText(text).applyingFixes(of: filter.check()).text)
    for name in ["Ann", "Bo", ""] {
      let context = Context(user: Context.Layer(["name": .string(name)]))
      #expect(filter.matches(context) == fixed.matches(context))
    }
    #expect(try evaluate(fixed, Context()) == false)
  }

  @Test(
    "what is called always false never matches, and always true always does",
    arguments: 0..<Effort.times(1))
  func reasoning(seed: Int) throws {
    var generator = FilterGenerator(seed: UInt64(seed) &+ 1_000)
    var found = 0
    for _ in 0..<800 {
      let text = generator.chain()
      let filter = try Filter(text)
      guard
        let verdict = filter.check().first(where: { ["W0704", "W0705"].contains($0.id.rawValue) })
      else { continue }
      found += 1
      for value in generator.values() {
        let context = Context(user: Context.Layer(value.map { ["x": $0] } ?? [:]))
        if verdict.id == .alwaysFalse {
          #expect(!filter.matches(context), "\(text) with \(value?.literal ?? "nothing")")
        } else if Self.isNatural(value) {
          #expect(filter.matches(context), "\(text) with \(value?.literal ?? "nothing")")
        }
      }
    }
    #expect(found > 20)
  }

  /// Whether a value is of the kind that the generated chains compare with.
  private static func isNatural(_ value: Value?) -> Bool {
    switch value {
    case nil, .int, .double: true
    default: false
    }
  }
}

extension FilterGenerator {
  /// Two or three comparisons of one attribute with small numbers.
  mutating func chain() -> String {
    let op = next(["&&", "||"])
    let count = next([2, 2, 3])
    return (0..<count).map { _ in
      let number = next(["0", "1", "2", "3", "-1", "1.5"])
      let comparison = next(["==", "!=", "<", "<=", ">", ">="])
      return next([
        "user.x \(comparison) \(number)", "!(user.x \(comparison) \(number))",
        "\(number) \(comparison) user.x", "user.x in [\(number), 2]",
      ])
    }.joined(separator: " \(op) ")
  }

  /// Values around the constants of ``chain()``, values of other kinds, and no value.
  func values() -> [Value?] {
    let numbers: [Value] = [-2, -1, 0, 1, 2, 3, 4, 0.5, 1.5, 1.75, 2.5, -0.5]
    return numbers + [nil, .null, "1", "", true, [1]]
  }

  private mutating func next<Element>(_ choices: [Element]) -> Element { pick(choices) }
}
