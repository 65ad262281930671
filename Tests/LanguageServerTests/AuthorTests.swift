import AudienceFilters
import ExpressionCoding
import ExpressionEngine
import ExpressionPrinting
import ExpressionSyntax
import FilterAnalysis
import Testing

@testable import LanguageServer

/// Completion and hover.
@Suite("Words in editors")
struct AuthorTests {
  private static let files = [
    "/p/context.json":
      #"{"user": {"age": 16, "plan": "trial", "first name": "Ana", "home": {"city": "Ghent"}}, "host": {"daysSince(app_open)": 9}}"#,
    "/p/contexts/ben.json":
      #"{"user": {"age": 30, "plan": "pro"}, "device": {"platform": "Android"}}"#,
    "/p/schema.json":
      #"{"attributes": {"user.age": "int", "user.tags": "list(string)"}, "closed": []}"#,
  ]

  /// The completions at `|`.
  private func completions(_ text: String, in uri: String = "file:///p/a.filter") throws -> [Value]
  {
    let session = try Session(files: Self.files)
    let (document, position) = try Self.cursor(text)
    session.open(uri, document.string)
    let answer = try session.request("textDocument/completion", uri, at: position)
    return answer["items"]?.listValue ?? []
  }

  private static func cursor(_ text: String) throws -> (DocumentText, Position) {
    let cursor = try #require(text.firstIndex(of: "|"))
    var plain = text
    plain.remove(at: cursor)
    let document = DocumentText(plain)
    let offset = text.utf8.distance(from: text.startIndex, to: cursor)
    return (document, document.position(of: offset))
  }

  private func labels(_ text: String, in uri: String = "file:///p/a.filter") throws -> [String] {
    try completions(text, in: uri).compactMap { $0["label"]?.stringValue }
  }

  /// The text after taking a completion at `|`.
  private func taking(_ label: String, _ text: String, in uri: String = "file:///p/a.filter") throws
    -> String
  {
    let item = try #require(
      try completions(text, in: uri).first { $0["label"] == .string(label) }, "\(label) in \(text)")
    return try Self.cursor(text).0.applying([try #require(item["textEdit"])])
  }

  @Test("attributes come from the schema and from the sample users")
  func attributes() throws {
    let user = try labels("user.|")
    for name in ["age", "tags", "plan", "home", "first name", "seed"] {
      #expect(user.contains(name), "\(name)")
    }
    #expect(try labels("user.home.|").contains("city"))
    #expect(try labels("!device.pl|").contains("platform"))
    #expect(try labels("|").contains("user"))
    #expect(try labels("user.age > 1 && |").contains("device"))
    #expect(try taking("age", "user.|") == "user.age")
    #expect(try taking("age", "user.ag| == 1") == "user.age == 1")
    #expect(try taking("first name", "user.fi| == 1") == #"user["first name"] == 1"#)
    #expect(try taking("first name", #"user["f|"] == 1"#) == #"user["first name"] == 1"#)
  }

  @Test("values come from the schema, else from the sample users")
  func values() throws {
    #expect(try taking("\"iOS\"", "device.platform == |") == #"device.platform == "iOS""#)
    #expect(try labels(#"user.plan == "|"#) == ["pro", "trial"])
    #expect(try taking("pro", #"user.plan == "p|"#) == #"user.plan == "pro""#)
    #expect(
      try taking("pro", #"user.plan == "t|rial" && user.age > 3"#)
        == #"user.plan == "pro" && user.age > 3"#)
    #expect(
      try taking("pro", #"user.plan == "| && device.platform == "iOS""#)
        == #"user.plan == "pro" && device.platform == "iOS""#)
    #expect(try taking("pro", #"user.plan in ["trial", "|"]"#) == #"user.plan in ["trial", "pro"]"#)
    #expect(try taking(#""pro""#, "user.plan != |") == #"user.plan != "pro""#)
    #expect(try labels("device.isMac == |").prefix(2) == ["false", "true"])
    #expect(try labels("device.interfaceType == \"|\"").contains("iphone"))
  }

  @Test("functions and the variables of loops are offered where they can be")
  func functions() throws {
    #expect(try labels("|").contains("size"))
    #expect(try labels(#"user.plan.|"#).contains("startsWith"))
    #expect(try labels("user.tags.|").contains("exists"))
    #expect(try !labels("user.|").contains("exists"))
    #expect(try labels("user.tags.exists(tag, |").contains("tag"))
    #expect(try !labels("user.tags.exists(tag, tag == 1) && |").contains("tag"))
    #expect(try labels("user.tags.exists(tag, tag.|").contains("startsWith"))
    #expect(try labels("device.days|").contains("daysSince"))
    #expect(try taking("daysSince", "device.days|") == "device.daysSince(\"")
    #expect(try labels("user.age |").contains("&&"))
  }

  @Test("events are the placements of the config and those of the SDK")
  func events() throws {
    let config = Configs.text(["device.daysSince(CURSOR) > 3"])
      .replacing("CURSOR", with: #"\"|\""#)
    let events = try labels(config, in: "file:///p/config.json")
    #expect(events.contains("opened_menu") && events.contains("app_open"))
  }

  @Test("in comments, numbers and strings of no attribute nothing is offered")
  func nothing() throws {
    for text in ["user.age // us|", "user.age > 1|", "\"us|\"", "user.age == 1 // |", "r\"us|"] {
      #expect(try labels(text) == [], "\(text)")
    }
    #expect(try labels("{\"bui|ld_id\": 1}", in: "file:///p/config.json") == [])
  }

  @Test("completions in a config are escaped for JSON")
  func escapes() throws {
    let config = Configs.text(["user.plan == CURSOR"]).replacing("CURSOR", with: "|")
    let taken = try taking(#""pro""#, config, in: "file:///p/config.json")
    #expect(taken == Configs.text([#"user.plan == "pro""#]))
    let inside = Configs.text(["user.plan == CURSOR"]).replacing("CURSOR", with: #"\"p|"#)
    #expect(try taking("pro", inside, in: "file:///p/config.json") == taken)
  }

  @Test("at every place of every filter each completion replaces text around the cursor")
  func everywhere() throws {
    let session = try Session(files: Self.files)
    for (index, entry) in CorpusFilters.all.enumerated() where index % 5 == 0 {
      let uri = "file:///p/a.\(entry.dialect == .cel ? "cel" : "filter")"
      session.open(uri, entry.text)
      let text = DocumentText(entry.text)
      for offset in stride(from: 0, through: text.bytes.count, by: 3) {
        let position = text.position(of: offset)
        let answer = try session.request("textDocument/completion", uri, at: position)
        for item in answer["items"]?.listValue ?? [] {
          let (start, end) = try #require(item["textEdit"]["range"]).range()
          #expect(start <= position && position <= end)
          #expect(start.line == end.line)
        }
      }
    }
  }

  // MARK: Hover

  /// The hover at `|`.
  private func hover(_ text: String, in uri: String = "file:///p/a.filter") throws -> String? {
    let session = try Session(files: Self.files)
    let (document, position) = try Self.cursor(text)
    session.open(uri, document.string)
    let answer = try session.request("textDocument/hover", uri, at: position)
    return answer["contents"]["value"]?.stringValue
  }

  @Test("a hover has the type, the meaning, the value, and why the filter does not match")
  func attributeHover() throws {
    let text = try #require(
      try hover(#"user.a|ge >= 18 && user.plan == "trial""#))
    for part in [
      "user.age : int", "**context.json**", "`user.age` is `16`", "`user.age >= 18` is `false`",
      "No match: `user.age >= 18` is false", "user.age is 16, needs >= 18",
    ] {
      #expect(text.contains(part), "\(part) in \(text)")
    }
    #expect(
      try hover("device.plat|form == \"iOS\"")?.contains("`device.platform` is missing") == true)
    #expect(try hover("user.hom|e.city == \"Ghent\"")?.contains("The filter matches.") == true)
  }

  @Test("functions, functions of the app, operators, words and loop variables have a hover")
  func otherHovers() throws {
    #expect(try hover("si|ze(user.plan) > 3")?.contains("size(string") == true)
    let days = try #require(try hover("device.da|ysSince(\"app_open\") > 7"))
    #expect(days.contains("device.daysSince(event) -> int"))
    #expect(days.contains("The filter matches."), "the answers of `host` count")
    #expect(try hover("user.age |&& true")?.contains("true if both sides are") == true)
    #expect(try hover("-user.age == |-1")?.isEmpty == false)
    #expect(try hover("tr|ue")?.contains("only this value is a match") == true)
    #expect(
      try hover("user.tags.exists(ta|g, tag == 1)")?.contains("over `user.tags`") == true)
    #expect(
      try hover("user.tags.exists(tag, ta|g == 1)")?.contains("variable of the loop `exists`")
        == true)
  }

  @Test("without sample users, and outside of filters, there is no more than that")
  func bareHover() throws {
    #expect(try hover("user.a|ge > 3", in: "file:///q/a.filter")?.contains("context") == false)
    #expect(try hover("   |", in: "file:///q/a.filter") == nil)
    #expect(try hover("{\"buil|d_id\": 1}", in: "file:///p/config.json") == nil)
  }

  @Test("a hover works at every place of every filter")
  func hoverEverywhere() throws {
    let session = try Session(files: Self.files)
    for (index, entry) in CorpusFilters.all.enumerated() where index % 7 == 0 {
      let uri = "file:///p/a.\(entry.dialect == .cel ? "cel" : "filter")"
      session.open(uri, entry.text)
      let text = DocumentText(entry.text)
      for offset in stride(from: 0, through: text.bytes.count, by: 5) {
        let position = text.position(of: offset)
        let answer = try session.request("textDocument/hover", uri, at: position)
        guard !answer.isNull else { continue }
        let (start, end) = try #require(answer["range"]).range()
        #expect(start <= position && position <= end)
      }
    }
  }
}
