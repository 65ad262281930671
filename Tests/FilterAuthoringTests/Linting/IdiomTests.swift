import AudienceFilters
import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis
import FilterAuthoring
import FilterCorpus
import TestSupport
import Testing

@Suite("Filters in the words of another language")
struct IdiomTests {
  private static func fixes(_ text: String) -> [String] {
    ParsedFilter(SourceText(text), environment: .standard).diagnostics(schema: .builtIn)
      .flatMap(\.fixIts).map { fix in
        let diagnostic = Diagnostic(
          .foreignOperator, "", at: SourceSpan(start: 0, end: 0), fixIts: [fix])
        return SourceText(text).applyingFixes(of: [diagnostic]).text
      }
  }

  @Test(
    "a whole filter is translated",
    arguments: [
      (
        "user.age &gt; 18 &amp;&amp; user.plan == &quot;pro&quot;",
        #"user.age > 18 && user.plan == "pro""#
      ),
      ("{{ user.plan }} == 'pro'", "user.plan  == 'pro'"),
      ("${user.plan} == 'pro'", "user.plan == 'pro'"),
      ("plan:pro", #"user.plan == "pro""#),
      (
        "score:[10 TO 20] OR user.city:Lyon",
        #"user.score >= 10 && user.score <= 20 || user.city == "Lyon""#
      ),
      ("plan:pro AND country:US", #"user.plan == "pro" && device.regionCode == "US""#),
      ("user.plan:pro && user.country:US", #"user.plan == "pro" && user.country == "US""#),
      ("user.plan:pro || user.plan:free", #"user.plan == "pro" || user.plan == "free""#),
      ("status:active", #"device.subscriptionStatus == "ACTIVE""#),
      ("status:pending", #"user.status == "pending""#),
      ("plan:pro OR platform:ios", #"user.plan == "pro" || device.platform == "iOS""#),
      ("version:[2.0 TO *]", #"device.appVersionPadded >= "002.000.000""#),
      ("user.age.$gte(18) && user.b", "user.age >= 18 && user.b"),
      ("user.age.$ne(18)", "user.age != 18"), ("user.age = > 3", "user.age >= 3"),
      ("(user.age) = < 3", "(user.age) <= 3"),
      ("plan:pro AND sessions:3", #"user.plan == "pro" && user.sessions == 3"#),
      ("device.activeEntitlements is empty", "size(device.activeEntitlements) == 0"),
      ("device.activeProducts is not empty", "size(device.activeProducts) > 0"),
      ("age:[18 TO *]", "user.age >= 18"), ("age:[* TO 18]", "user.age <= 18"),
      ("[10:42] Tom: device.daysSinceInstall > 7", "device.daysSinceInstall > 7"),
      ("user.isPro == да", "user.isPro == true"),
      ("user.age is between 18 and 25", "user.age >= 18 && user.age <= 25"),
      (
        "user.age between 18 and 25 and user.plan == 'x'",
        "user.age >= 18 && user.age <= 25 && user.plan == 'x'"
      ),
      ("user.email is set", "has(user.email)"),
      ("user.email is not set or user.age > 3", "!has(user.email) || user.age > 3"),
      (
        "user.email is set and user.age between 1 and 2",
        "has(user.email) && user.age >= 1 && user.age <= 2"
      ),
      ("user.email is blank", #"user.email == """#),
      (#"user.name regexp "^A""#, #"user.name.matches("^A")"#),
      (#"user.name =~ "^A""#, #"user.name.matches("^A")"#),
      (#"user.tags.exists(t -> t == "beta")"#, #"user.tags.exists(t, t == "beta")"#),
    ])
  func translated(_ text: String, _ wanted: String) {
    #expect(Self.fixes(text) == [wanted])
  }

  @Test(
    "forms of templates, tables, searches and notes",
    arguments: [
      (#""user.plan == ""pro"" && user.age > 3""#, #"user.plan == "pro" && user.age > 3"#),
      ("{{#if user.isPro}}true{{else}}false{{/if}}", "user.isPro"),
      ("{% if user.isPro %}false{% else %}true{% endif %}", "!(user.isPro)"),
      ("user.age?.let { it > 3 } ?: false", "user.age > 3"),
      ("IF({Plan} = 'pro', TRUE, FALSE)", "user.plan == 'pro'"),
      (#"user.settings{"theme"} == "dark""#, #"user.settings["theme"] == "dark""#),
      (
        "user.answer == Far too slow && user.age > 3",
        #"user.answer == "Far too slow" && user.age > 3"#
      ),
      ("user.age >= 18 \u{2026} user.plan == 'pro'", "user.age >= 18 && user.plan == 'pro'"),
      ("user.age >= 18 (asked by Tom)", "user.age >= 18"),
      ("**Filter:** user.age >= 18;", "user.age >= 18"),
      ("user.age:>=18 AND NOT user.plan:pro", #"user.age >= 18 && !(user.plan == "pro")"#),
      (
        "user.plan == \"pro\u{201D} && user.city == \"Ulm\"",
        #"user.plan == "pro" && user.city == "Ulm""#
      ),
    ])
  func ofOtherPlaces(_ text: String, _ wanted: String) {
    #expect(Self.fixes(text).map { $0.filter { $0 != " " } } == [wanted.filter { $0 != " " }])
  }

  @Test(
    "a form inside a filter, or around it, is translated",
    arguments: [
      (#"`user.level > 3`"#, #"user.level > 3"#),
      (#"<i>user.level > 3</i>"#, #"user.level > 3"#),
      (#""filter": "user.level > 3""#, #"user.level > 3"#),
      (#"user.city == \"Oslo\""#, #"user.city == "Oslo""#),
      (##"user.level > 3 # members"##, #"user.level > 3 // members"#),
      (#"user.level > 3 -- members"#, #"user.level > 3 // members"#),
      (#"SELECT id FROM users WHERE user.level > 3 LIMIT 5"#, #"user.level > 3"#),
      (#"if (user.level > 3) { return true; } else { return false; }"#, #"(user.level > 3)"#),
      (#"(u) => u.level > 3"#, #"user.level > 3"#),
      (#"function(u) { return u.level > 3; }"#, #"user.level > 3"#),
      (#"user.level in 3..9"#, #"user.level >= 3 && user.level <= 9"#),
      (#"user.level in [3-9]"#, #"user.level >= 3 && user.level <= 9"#),
      (#"user.level in [3..9]"#, #"user.level >= 3 && user.level <= 9"#),
      (#"user.city not in ["Oslo"]"#, #"!(user.city in ["Oslo"])"#),
      (#"any(t == "a" for t in user.tags)"#, #"user.tags.exists(t, t == "a")"#),
      (#"user.tags[*] == "a""#, #""a" in user.tags"#),
      (#"ANY user.tags == "a""#, #""a" in user.tags"#),
      (#"user.tags.exists(|t| t == "a")"#, #"user.tags.exists(t, t == "a")"#),
      (#"device.daysSince(name: "menu_open") > 3"#, #"device.daysSince("menu_open") > 3"#),
      (#"[device hoursSince:@"menu_open"] > 3"#, #"device.hoursSince("menu_open") > 3"#),
      (#"user.city == :oslo"#, #"user.city == "oslo""#),
      (#"user.level > 5k"#, #"user.level > 5000"#),
      (#"user.level > 12 000"#, #"user.level > 12000"#),
      (#"user.city ?? "Oslo" == "Oslo""#, #"(has(user.city) ? user.city : "Oslo") == "Oslo""#),
      (
        #"{{ user.city | default: "Oslo" }} == "Oslo""#,
        #"(has(user.city) ? user.city : "Oslo") == "Oslo""#
      ),
      (##"#{user.level} > 3"##, #"user.level > 3"#),
      (#""\(user.city)" == "Oslo""#, #"user.city == "Oslo""#),
      (#"%user.city% == "Oslo""#, #"user.city == "Oslo""#),
      (#"[user].[level] > 3"#, #"user.level > 3"#),
      (#"user&.level > 3"#, #"user.level > 3"#),
      (#"user$level > 3"#, #"user.level > 3"#),
      (#"user[:level] > 3"#, #"user["level"] > 3"#),
      (#"$user.level > 3"#, #"user.level > 3"#),
      (#"user.lеvel > 3"#, #"user.level > 3"#),
      (#"in(user.city, ["Oslo"])"#, #"user.city in ["Oslo"]"#),
      (#"user.level > 3 if user.isMember else False"#, #"user.isMember && user.level > 3"#),
    ])
  func translatedForms(_ text: String, _ wanted: String) {
    #expect(Self.fixes(text) == [wanted])
  }

  @Test(
    "words, shells, R, Ruby, casts and what is around a condition are translated",
    arguments: [
      (#"user.city == "Oslo" unless user.isGuest"#, #"user.city == "Oslo" && !(user.isGuest)"#),
      (#"user.level > 3 where user.city == "Oslo""#, #"user.level > 3 && user.city == "Oslo""#),
      (#"user.level > 3 und user.city == "Oslo""#, #"user.level > 3 && user.city == "Oslo""#),
      (#"user.level > 3 oder user.city == "Oslo""#, #"user.level > 3 || user.city == "Oslo""#),
      (#"user.city == "Oslo"，user.level > 3"#, #"user.city == "Oslo" && user.level > 3"#),
      (#"user.city was "Oslo""#, #"user.city == "Oslo""#),
      (#"user.city matches any of ["Oslo"]"#, #"user.city in ["Oslo"]"#),
      (#"user.level is at least 3"#, #"user.level >= 3"#),
      (#"has user.city && user.level > 3"#, #"has(user.city) && user.level > 3"#),
      (#"user.city == quote Oslo quote"#, #"user.city == "Oslo""#),
      (#"Try this one: user.level > 3"#, #"user.level > 3"#),
      (#"Anna 9:15 user.city == "Oslo""#, #"user.city == "Oslo""#),
      (#"user.city == "Oslo" | sort by name"#, #"user.city == "Oslo""#),
      (#"(1) user.level > 3 (2) user.isMember"#, #"user.level > 3 && user.isMember"#),
      (#"user.level > 3\n&& user.isMember"#, #"user.level > 3 && user.isMember"#),
      (#"user.level -ge 3 -a user.isMember"#, #"user.level >= 3 && user.isMember"#),
      (#"[ user.level -gt 3 ]"#, #"user.level > 3"#),
      (#"user.city %in% c("Oslo", "Bergen")"#, #"user.city in ["Oslo", "Bergen"]"#),
      (#"!is.na(user$level)"#, #"has(user.level)"#),
      (#"%w[Oslo Bergen].include?(user.city)"#, #"["Oslo", "Bergen"].contains(user.city)"#),
      (#"user.city.eql?("Oslo")"#, #"user.city == "Oslo""#),
      (#"user.tags.empty? == true"#, #"size(user.tags) == 0"#),
      (
        #"user.city == 'Oslo && user.isMember == 'x'"#,
        #"user.city == 'Oslo' && user.isMember == 'x'"#
      ),
      (#"user.city == "Oslo" "Bergen""#, #"user.city in ["Oslo", "Bergen"]"#),
      (#"user.level == 3-9"#, #"user.level >= 3 && user.level <= 9"#),
      (#"user.level in 3-9"#, #"user.level >= 3 && user.level <= 9"#),
      (#"user.level == 3,5,7"#, #"user.level in [3, 5, 7]"#),
      (#"user.points > 10'000"#, #"user.points > 10000"#),
      (#"user.points > R$ 500"#, #"user.points > 500"#),
      (#"user.points > 50 €"#, #"user.points > 50"#),
      (#"user.level::int > 3"#, #"int(user.level) > 3"#),
      (#"CAST(user.level AS int) > 3"#, #"int(user.level) > 3"#),
      (#"user.tags.any((t) => t == "vip")"#, #"user.tags.exists(t, t == "vip")"#),
      (
        #"user.trips.first(where: { $0.isOpen }) != nil"#, #"user.trips.exists(x, x.isOpen)"#
      ),
    ])
  func translatedWords(_ text: String, _ wanted: String) {
    #expect(Self.fixes(text) == [wanted])
  }

  /// Forms of all idioms, cut off and put together.
  @Test(
    "formulas of other languages, columns, groups of searches and literals of patterns",
    arguments: [
      (#"=UND(user.alter>=18;user.plan="pro")"#, #"(user.alter>=18 && user.plan == "pro")"#),
      ("=SI(user.age>20;VRAI;FAUX)", "user.age>20"),
      ("=IF(user.age>20,TRUE,FALSE)", "user.age>20"),
      (
        "SELECT id FROM users WHERE age > 20 AND plan = 'pro'",
        "user.age > 20 && user.plan == 'pro'"
      ),
      (
        "plan:(pro OR team) AND NOT beta:true",
        #"user.plan in ["pro", "team"] && !(user.beta == true)"#
      ),
      (#"user.phone =~ /^\+49/"#, #"user.phone.matches(r"^\+49")"#),
      (#"user.email =~ /@acme\.com$/"#, #"user.email.matches(r"@acme\.com$")"#),
      ("user.level is less than or equal to 4", "user.level <= 4"),
      ("isset($user.phone) && !empty($user.city)", "has(user.phone) && has(user.city)"),
      ("params.url == https://acme.com/a?b=1", #"params.url == "https://acme.com/a?b=1""#),
      (#"user.city in "Rome" "Oslo""#, #"user.city in ["Rome", "Oslo"]"#),
    ])
  func formulasAndSearches(_ text: String, _ wanted: String) {
    #expect(Self.fixes(text) == [wanted])
  }

  @Test(
    "sentences are named as what they are",
    arguments: [
      ("people who bought twice and never came back", true),
      ("l'utilisateur a ouvert l'app trois fois", true),
      ("東京に住む新しい利用者だけ", true),
      ("user plan is pro and age over 18", false),
      ("plan equals pro", false),
    ])
  func sentences(_ text: String, _ isSentence: Bool) {
    let found = ParsedFilter(SourceText(text), environment: .standard).diagnostics(schema: .builtIn)
    #expect((found.first?.message == "this is a sentence, and not a condition") == isSentence)
  }

  @Test("no beginning, end or middle of a form ends the process", arguments: 0..<8)
  func partsOfForms(_ seed: UInt64) {
    let forms = [
      #"user.level == 3,5,7"#, #"user.level in 3-9"#, #"user.code[0:4] == "1990""#,
      #"%w[a b].include?(user.x)"#, #"user.x.first(where: { $0.y }) != nil"#,
      #"[ user.level -gt 3 ]"#, #"!is.na(user$level)"#, #"(1) user.a (2) user.b"#,
      #"user.x == quote a quote"#, #"user.a unless user.b"#, #"CAST(user.a AS int) > 3"#,
      #"user.a::int"#, #"Try this: user.a | b"#, #"user.points > R$ 500 €"#, #"user.a ?? "b""#,
      #"any(t == "a" for t in user.tags)"#, #"user.a == 'b && user.c == 'd'"#,
      #"in(user.a, ["b"])"#,
    ]
    var random = SeededGenerator(seed: seed)
    for _ in 0..<400 {
      let first = forms.randomElement(using: &random) ?? ""
      let second = forms.randomElement(using: &random) ?? ""
      let head = first.prefix(Int.random(in: 0...first.count, using: &random))
      let tail = second.suffix(Int.random(in: 0...second.count, using: &random))
      _ = Self.fixes(head + (Bool.random(using: &random) ? " " : "") + tail)
    }
  }

  @Test(
    "words that turn a condition round are not left out",
    arguments: [
      #"not for guests: user.level > 3"#, #"never user.level > 3"#,
      #"user.level > 3 except guests"#,
      #"platform is iOS and user.level > 3"#,
    ])
  func keepsMeaning(_ text: String) {
    #expect(!Self.fixes(text).contains("user.level > 3"))
  }

  @Test(
    "what compiles, or cannot be translated, is left alone",
    arguments: [
      "user.plan == 'a' ? 1 : 2", "user.tags == {}", "plan:", "user.email is", "a -> b", "&amp;",
    ])
  func leftAlone(_ text: String) {
    let diagnostics = ParsedFilter(SourceText(text), environment: .standard)
      .diagnostics(schema: .builtIn)
    #expect(!diagnostics.contains { $0.message.hasPrefix("this is written as in") })
  }

  @Test("every fix of a warning leads to a filter that compiles")
  func fixesHelp() throws {
    var count = 0
    for item in try CaseFile.cases(at: TestFiles.path("corpus/diagnostics")) {
      guard case .expression(let text) = item.request.question else { continue }
      let filter = ParsedFilter(SourceText(text), environment: .standard)
      for diagnostic in filter.diagnostics(schema: .builtIn) where diagnostic.severity != .error {
        for fix in diagnostic.fixIts {
          var alone = diagnostic
          alone.fixIts = [fix]
          let fixed = SourceText(text).applyingFixes(of: [alone]).text
          count += 1
          let compiles = ParsedFilter(SourceText(fixed), environment: .standard).filter != nil
          #expect(compiles, "\(text): \(fixed)")
        }
      }
    }
    #expect(count > 50)
  }
}
