import AudienceFilters
import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis
import FilterAuthoring
import Testing

@Suite("Findings") struct FindingTests {
  private static func findings(_ text: String) -> ParsedFilter.Findings {
    ParsedFilter(SourceText(text), environment: .standard).findings(schema: .builtIn)
  }

  // MARK: Errors

  @Test(
    "what else is wrong is said beside an error with a certain correction",
    arguments: [
      (#"user.plan = "free" AND user.seed > 120"#, ["=", "AND", "user.seed > 120"]),
      (#"device.platform === "ios""#, ["===", #""ios""#]),
      ("user.plan == “free” && user.seed <= 200", ["“", "user.seed <= 200"]),
      // What the correction writes has no place in the filter.
      (#"user.plan == 'free' or device.platform <> 'Windows'"#, ["or", "<>", "'Windows'"]),
      (#"user.plan = "free""#, ["="]),
    ])
  func besideErrors(text: String, places: [String]) {
    let source = SourceText(text)
    let found = Self.findings(text).diagnostics
    #expect(found.map { source.text(of: $0.primary.span) } == places)
    for diagnostic in found where diagnostic.severity != .error {
      // A fix would be one of the corrected text.
      #expect(diagnostic.fixIts.isEmpty)
    }
  }

  @Test(
    "nothing else is said beside an error without a correction, or with one that leads nowhere",
    arguments: ["user.seed > 120 && (", #"user.seed > 120 ~ "a""#, "user.seed > 120 &&& user.a"])
  func besideOthers(text: String) {
    #expect(Self.findings(text).diagnostics.allSatisfy { $0.severity == .error })
  }

  // MARK: Notes

  /// Values of each kind that conditions tell apart.
  private static let values: [Value?] = [
    nil, .int(0), .int(1), .int(9), .string(""), .string("a"), .string("a@x.com"), .bool(true),
    .bool(false), .list([]), .list([.string("a")]), .list([.string("b")]),
  ]
  private static let empty: [Value] = [.int(0), .string(""), .bool(false), .list([])]

  /// Returns all users with some values in some attributes.
  private static func users(_ paths: [AttributePath]) -> [Context] {
    paths.reduce([Context(user: Context.Layer([:]))]) { users, path in
      users.flatMap { user in values.map { user.setting(path, to: $0) } }
    }
  }

  @Test(
    "a note names attributes without which a condition fails, and which users need",
    arguments: [
      (#"!user.email.endsWith("@x.com")"#, ["user.email"], []),
      ("3 > user.lessons", ["user.lessons"], []),
      ("5 > user.lessons || user.vip == true", ["user.lessons"], ["user.vip"]),
      ("user.coins + 1 > 3 || user.vip == true", ["user.coins"], ["user.vip"]),
      ("size(user.tags) == 0", ["user.tags"], []),
      (#"user.tags.exists(t, t == "a") || user.vip == true"#, ["user.tags"], ["user.vip"]),
      (#"user.tags.all(t, t != "a")"#, ["user.tags"], []),
      ("user.level != user.most", ["user.level"], ["user.most"]),
      (
        "user.orders > 0 && user.returns / user.orders >= 1 || user.vip == true",
        ["user.orders", "user.returns"], ["user.vip"]
      ),
      (#"!user.email.startsWith("a") && user.vip == true"#, ["user.email"], ["user.vip"]),
    ])
  func failing(text: String, names: [String], others: [String]) throws {
    #expect(Self.findings(text).failingAttributes.map(\.description) == names)
    let filter = try Filter(text)
    for name in names {
      let path = try #require(AttributePath(name))
      let rest = (names + others).filter { $0 != name }.compactMap { AttributePath($0) }
      // Some users who lack it do not match, and would if it was 0 or empty, or a false condition.
      let loses = Self.users(rest).contains { user in
        !filter.matches(user.setting(path, to: nil))
          && (Self.empty + [.int(9)]).contains { filter.matches(user.setting(path, to: $0)) }
      }
      #expect(loses, "\(name)")
    }
  }

  @Test(
    "no note names an attribute that changes nothing when missing, or that the filter tests for",
    arguments: [
      #"user.email.endsWith("@x.com")"#, "user.age > 3", "user.vip", "!user.vip", "has(user.age)",
      "user.age != null", #"user.plan != "a""#, #"user.email == null || user.email.endsWith("a")"#,
      #"has(user.email) ? !user.email.endsWith("a") : true"#, "user.level == user.most",
      #"!has(user.email) || !user.email.endsWith("a")"#, "user.coins + 1 > 3 && user.vip == true",
      #"user.vip == true || user.email.endsWith("a")"#, #"!user.email.contains("a")"#,
    ])
  func notFailing(text: String) {
    #expect(Self.findings(text).failingAttributes.isEmpty)
  }

  @Test(
    "a note names a condition that is enough by itself beside `&&` without parentheses",
    arguments: [
      (#"user.vip == true || user.plan == "a" && user.level > 3"#, "user.vip == true"),
      (#"user.plan == "a" && user.level > 3 || user.vip == true"#, "user.vip == true"),
      (#"user.vip == true || (user.plan == "a" && user.level > 3)"#, nil),
      (#"(user.vip == true || user.plan == "a") && user.level > 3"#, nil),
      (#"user.vip == true && user.age > 3 || user.plan == "a" && user.level > 3"#, nil),
      (#"user.plan == "b" || user.plan == "a" && user.level > 3"#, #"user.plan == "b""#),
      // A warning says so.
      (#"user.vip || user.staff && user.level > 3"#, nil),
      (#"user.vip == true || user.plan == "a" && user.level > 3 // swexpr:ignore W0723"#, nil),
    ] as [(String, String?)])
  func loose(text: String, condition: String?) throws {
    #expect(Self.findings(text).looseAlternative?.condition == condition)
    guard condition != nil else { return }
    // A user who passes it alone matches.
    #expect(
      try Filter(text).matches(Context(user: Context.Layer(["vip": .bool(true), "plan": "b"]))))
  }

  @Test(
    "a note names attributes because of which users match who have none",
    arguments: [
      ("user.age < 18", ["user.age"]), (#"user.plan != "a" && user.seed < 50"#, ["user.plan"]),
      ("user.age < 18 && user.plan == 'a'", []), ("user.age > 18", []),
      // Where the left side is missing, the second condition is false.
      ("user.staff != true && user.seen != device.appVersion", []),
      // The last condition asks for the opposite of what a missing plan gives.
      (#"!(user.plan == "free") && (user.plan == "trial") == true"#, []),
      ("user.seed > 120 && user.age < 18", []),
    ])
  func open(text: String, names: [String]) throws {
    #expect(Self.findings(text).openAttributes.map(\.description) == names)
    // The user without any attribute of the app is one of them.
    guard !names.isEmpty else { return }
    #expect(try Filter(text).matches(Context(user: Context.Layer(["seed": .int(1)]))))
  }
}
