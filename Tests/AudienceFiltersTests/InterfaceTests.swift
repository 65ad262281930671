import AudienceFilters
import ExpressionCoding
import ExpressionEngine
import ExpressionPrinting
import ExpressionSyntax
import FilterAnalysis
import FilterAuthoring
import Foundation
import Testing

@Suite("Errors, filters and explanations print for people")
struct PrintingTests {
  @Test("a text that is not a filter prints as the tool prints it")
  func filterError() throws {
    let error = try #require(throws: FilterError.self) { try Filter("user.age >= && true") }
    let text = "\(error)"
    #expect(text.hasPrefix("error[E"))
    #expect(text.contains("1 | user.age >= && true"))
    #expect(text.contains("^"))
    #expect(text.last != "\n")
    #expect(error.localizedDescription == "\(error.message) (line 1, column 13)")
    #expect(error.text == "user.age >= && true")
  }

  @Test("a wrong text of a set is named by its index, or its id", arguments: [2, 60])
  func setErrors(count: Int) throws {
    var texts = Array(repeating: "user.age > 1", count: count)
    texts[1] = "user.age => 18"
    let byIndex = try #require(throws: FilterError.self) { try FilterSet(texts: texts) }
    #expect(byIndex.index == 1)
    #expect(byIndex.filterID == nil)
    #expect("\(byIndex)".contains("filters[1]:1:10"))
    #expect(byIndex.localizedDescription.hasPrefix("filters[1]: `=>` is not an operator"))
    let named = Dictionary(uniqueKeysWithValues: texts.enumerated().map { ("f\($0)", $1) })
    let byID = try #require(throws: FilterError.self) { try FilterSet(named) }
    #expect(byID.filterID == "f1")
    #expect("\(byID)".contains("f1:1:10"))
  }

  @Test("a set with ids keeps them, whatever is added")
  func setIDs() throws {
    var set = try FilterSet(["b": "user.age > 1", "a": "user.age > 5"])
    #expect(set.ids == ["a", "b"])
    set.append(try Filter("true"), id: "c")
    set.append(try Filter("true"))
    #expect(set.matchingIDs(Context(user: ["age": 3])) == ["b", "c", "3"])
    #expect(set["a"]?.text == "user.age > 5")
    #expect(set["x"] == nil)
    var plain = try FilterSet(texts: ["true"])
    #expect(plain.matchingIDs(Context()) == ["0"])
    plain.append(try Filter("true"), id: "z")
    #expect(plain.matchingIDs(Context()) == ["0", "z"])
    #expect(FilterSet(["x": try Filter("true")]).matchingIDs(Context()) == ["x"])
  }

  @Test("a failed evaluation prints with its place in the filter")
  func evaluationError() throws {
    let filter = try Filter("1 + user.name")
    let error = try #require(throws: EvaluationError.self) {
      try filter.evaluate(Context(user: ["name": [1]]))
    }
    let text = "\(error)"
    #expect(text.contains("error[\(error.id.rawValue)]"))
    #expect(text.contains("1 | 1 + user.name"))
    #expect(error.localizedDescription == "\(error.message) (\(error.id.rawValue))")
    #expect(!error.message.isEmpty)
    #expect(error.span.length > 0)
  }

  @Test("errors of JSON and schemas have descriptions")
  func otherErrors() throws {
    let json = try #require(throws: JSONError.self) { try Context.Layer(json: "{") }
    #expect(json.localizedDescription == json.description)
    let schema = try #require(throws: AttributeSchema.ReadingError.self) {
      try AttributeSchema(json: "[]")
    }
    #expect(schema.localizedDescription == schema.description)
  }

  @Test("filters, explanations and diagnostics print as text")
  func values() throws {
    let filter = try Filter("user.age >= 18")
    #expect("\(filter)" == "user.age >= 18")
    let explanation = filter.explain(Context(user: ["age": 3]))
    #expect("\(explanation)" == explanation.text)
    #expect(explanation.filter == "user.age >= 18")
    let schema = try AttributeSchema(json: #"{"user.plan": "string"}"#)
    let warning = try #require(try Filter("user.plan == 5").check(schema: schema).first)
    #expect("\(warning)" == "warning[\(warning.id.rawValue)]: \(warning.message)")
  }

  @Test("diagnostics of a text can be rendered and fixed without the tool")
  func diagnostics() throws {
    let text = "user.age = 5"
    let error = try #require(throws: FilterError.self) { try Filter(text) }
    let rendered = DiagnosticRenderer().render(error.diagnostics, in: text, named: "rule.filter")
    #expect(rendered.contains("rule.filter:1:10"))
    #expect(Filter.applyingFixes(of: error.diagnostics, to: text) == "user.age == 5")
  }
}

@Suite("Filters and contexts as values")
struct IdentityTests {
  @Test("filters are equal by text and dialect")
  func equality() throws {
    let filter = try Filter("user.age > 1")
    #expect(filter == (try Filter("user.age > 1")))
    #expect(filter != (try Filter("user.age > 2")))
    #expect(filter != (try Filter("user.age > 1", environment: .cel)))
    #expect(Set([filter, try Filter("user.age > 1")]).count == 1)
  }

  @Test("a filter survives coding, dialect included", arguments: [true, false])
  func coding(isCEL: Bool) throws {
    let filter = try Filter(
      "user.age > 1 && \"é\" != 'x'", environment: isCEL ? .cel : .standard)
    let again = try JSONDecoder().decode(Filter.self, from: JSONEncoder().encode(filter))
    #expect(again == filter)
  }

  @Test(
    "what is not a filter does not decode",
    arguments: [#"{"text": "1 +"}"#, #"{"text": "1", "dialect": "sql"}"#, #"{}"#, "1"])
  func refusal(json: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Filter.self, from: Data(json.utf8))
    }
  }

  @Test("contexts are equal by their values, and attributes are read by path")
  func contexts() {
    let context = Context(variables: [
      "user": ["age": 5, "tags": ["a", "b"], "address": ["city": "Rome"]], "x": 1,
    ])
    #expect(context == Context(variables: context.snapshot()))
    #expect(context != context.replacing(params: Context.Layer(["p": 1])))
    #expect(context["user.age"] == 5)
    #expect(context["user.address.city"] == "Rome")
    #expect(context[#"user["address"]["city"]"#] == "Rome")
    #expect(context["x"] == 1)
    #expect(context["user"]?.count == 3)
    #expect(context["user.gone"] == nil)
    #expect(context["user.age.gone"] == nil)
    #expect(context["device"] == nil)
    #expect(context["user.age >="] == nil)
  }
}

@Suite("Reading values")
struct ValueAccessTests {
  private let value: Value = ["a": [1, nil, "x"], "b": ["c": 2.5], "d": true]

  @Test("members and elements are read in steps")
  func steps() {
    #expect(value["a"][0] == 1)
    #expect(value["a"][1] == .null)
    #expect(value["a"][3] == nil)
    #expect(value["a"][-1] == nil)
    #expect(value["b"]["c"] == 2.5)
    #expect(value["gone"]["c"][0] == nil)
    #expect(value[Value.Key.string("d")] == true)
  }

  @Test("each accessor gives values of its kind only")
  func accessors() {
    #expect(value["d"]?.boolValue == true)
    #expect(value["a"][0]?.intValue == 1)
    #expect(value["a"][0]?.doubleValue == 1)
    #expect(value["b"]["c"]?.intValue == nil)
    #expect(value["a"][2]?.stringValue == "x")
    #expect(value["a"]?.count == 3)
    #expect(value["a"][1]?.isNull == true)
    #expect(Value.uint(.max).intValue == nil)
    #expect(Value.uint(7).intValue == 7)
    #expect(value.stringValue == nil)
    #expect(value.listValue == nil)
    #expect(value.mapValue?.count == 3)
    #expect(value["d"]?.count == nil)
  }

  private struct User: Codable, Equatable {
    struct Address: Codable, Equatable { var city: String }
    enum Plan: String, Codable { case free, pro }
    var name: String
    var age: Int
    var score: Double
    var plan: Plan
    var note: String?
    var tags: [String]
    var homes: [Address]
    var counts: [String: UInt8]
    var raw: Value
  }

  @Test("a type decodes from the value that it encodes to")
  func roundTrip() throws {
    let user = User(
      name: "Ann", age: 25, score: 3, plan: .pro, note: nil, tags: ["a"],
      homes: [.init(city: "Rome")], counts: ["x": 255], raw: ["k": [1, 2.5]])
    #expect(try Value(encoding: user).decode(User.self) == user)
  }

  @Test("what does not fit is an error with its path")
  func misfits() throws {
    let tooLarge: Value = ["counts": ["x": 256]]
    struct Counts: Decodable { var counts: [String: UInt8] }
    let error = try #require(throws: DecodingError.self) { try tooLarge.decode(Counts.self) }
    guard case .dataCorrupted(let context) = error else { throw error }
    #expect(context.codingPath.map(\.stringValue) == ["counts", "x"])
    #expect(throws: DecodingError.self) { try Value.null.decode(Int.self) }
    #expect(throws: DecodingError.self) { try Value.double(1.5).decode(Int.self) }
    #expect(throws: DecodingError.self) { try Value.list([1]).decode((String).self) }
    #expect(try Value.null.decode(Int?.self) == nil)
  }
}
