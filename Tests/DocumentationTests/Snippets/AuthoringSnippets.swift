import AudienceFilters
import FilterAuthoring
import Testing

// The Swift of the documentation that explains and checks filters.

@Suite("Swift in the articles about writing filters")
@MainActor struct AuthoringSnippets {
  @Test("README")
  func readme() throws {
    let filter = try Filter("user.age >= 18 && device.platform == \"iOS\"")  // keep it
    let context = Context(user: ["age": 25], device: ["platform": "iOS"])
    let value = try filter.evaluate(context)  // true
    if filter.matches(context) { print("in") }  // only `true` matches; errors and null do not
    print(filter.explain(context).headline)  // match; needs `import FilterAuthoring`
    #expect(value == true)
    #expect(filter.explain(context).headline == "match")
  }

  @Test("getting started: evaluate")
  func evaluateOften() throws {
    let filter = try Filter("user.plan == \"trial\" && user.sessions > 5")
    let context = Context(
      user: ["plan": "trial", "sessions": 12], device: ["platform": "iOS"])
    let placement = context.replacing(params: ["source": "menu"])
    let isMatch = filter.matches(placement)  // true
    let value = try Filter("user.sessions + 1").evaluate(placement)  // 13
    #expect(isMatch)
    #expect(value == 13)
    let explanation = filter.explain(placement.replacing(params: [:]))
    print(explanation.headline)
    #expect(explanation.headline == "match")
  }

  @Test("why it does not match: explanations")
  func explanations() throws {
    let filter = try Filter("user.age >= 18 && user.sessions > 20")
    let context = Context(user: ["age": 25, "sessions": 12])
    let explanation = filter.explain(context)
    print(explanation.text)
    for change in explanation.changes ?? [] {
      print(change.path, change.requirement)
    }
    #expect(explanation.changes?.map(\.requirement) == ["> 20"])
  }

  @Test("why it does not match: checks")
  func checks() throws {
    let schema = try AttributeSchema(json: #"{"user.plan": "string", "user.sessions": "int"}"#)
    let findings = try Filter("user.plan == 5").check(schema: schema)
    print(findings.map(\.message))
    #expect(findings.map(\.id.rawValue) == ["W0703"])
  }

  @Test("AttributeSchema")
  func schema() throws {
    let text = #"{"attributes": {"user.plan": "string"}}"#
    var schema = AttributeSchema.builtIn
    schema.merge(try AttributeSchema(json: text))
    let warnings = try Filter("user.pln == 1").check(schema: schema)
    #expect(warnings.map(\.id.rawValue).contains("W0701"))
  }

  @Test("Explanation")
  func explanation() throws {
    let filter = try Filter("user.age >= 18 && device.platform == \"iOS\"")
    let context = Context(user: ["age": 16], device: ["platform": "iOS"])
    print(filter.explain(context).text)
    #expect(filter.explain(context).changes?.map(\.text) == ["user.age is 16, needs >= 18"])
  }

  @Test("the schema of a Swift type")
  func schemaOfType() throws {
    struct User: Codable {
      enum Plan: String, Codable, CaseIterable { case free, trial, pro }
      var plan: Plan
      var age: Int?
    }
    var schema = AttributeSchema.builtIn
    schema.merge(try AttributeSchema(of: User.self))
    let found = try Filter("user.age < 18").check(schema: schema)  // W0710: `age` is optional
    #expect(found.map(\.id.rawValue) == ["W0710"])
  }

  @Test("AttributeSchema of a type")
  func attributeSchemaOfType() throws {
    struct User: Codable {
      var plan: String
      var age: Int?
    }
    var schema = AttributeSchema.builtIn
    schema.merge(try AttributeSchema(of: User.self))
    #expect(schema["user.age"]?.isOptional == true)
  }

  @Test("what is left to decide")
  func simplified() throws {
    let offer = try Filter("user.plan == \"pro\" && user.age >= 18 && params.screen == \"home\"")
    let pro = Context(user: ["plan": "pro"], device: [:], params: [:])
    print(offer.simplified(knowing: pro))  // user.age >= 18 && params.screen == "home"
    #expect(
      offer.simplified(knowing: pro).text == "user.age >= 18 && params.screen == \"home\"")
  }
}
