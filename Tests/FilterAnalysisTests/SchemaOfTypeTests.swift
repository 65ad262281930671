import AudienceFilters
import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis
import FilterAuthoring
import Foundation
import Testing

/// A user as an app has it.
private struct User: Codable {
  enum Plan: String, Codable, CaseIterable { case free, pro }
  enum Level: Int, Codable, CaseIterable {
    case low = 1
    case middle, high
  }
  enum Mood: String, Codable { case good, bad }

  struct Address: Codable {
    var city: String
    var zip: String?
  }

  final class Friend: Codable {
    var name = ""
    var best: Friend?
    var others: [Friend] = []
  }

  var id: UUID
  var plan: Plan
  var level: Level
  var age: Int?
  var score: Double
  var ratio: Float?
  var isPro: Bool
  var tags: [String]
  var flags: Set<Int>
  var counts: [String: Int]
  var matrix: [[Double]]
  var address: Address
  var home: Address?
  var visits: [Address]
  var joined: Date
  var site: URL?
  var mood: Mood?
  var extra: Value?
  var friend: Friend?
  var renamed: Int
  var small: UInt8

  private enum CodingKeys: String, CodingKey {
    case id, plan, level, age, score, ratio, isPro, tags, flags, counts, matrix, address, home
    case visits, joined, site, mood, extra, friend, small
    case renamed = "first name"
  }
}

@Suite("Schemas of types") struct SchemaOfTypeTests {
  private static let properties = [
    ("id", "string", false), ("plan", "string", false), ("level", "int", false),
    ("age", "int", true), ("score", "number", false), ("ratio", "number", true),
    ("isPro", "bool", false), ("tags", "list(string)", false), ("flags", "list(int)", false),
    ("counts", "map", false), ("matrix", "list(list(number))", false), ("address", "map", false),
    ("address.city", "string", false),
    ("address.zip", "string", true), ("home", "map", true), ("home.city", "string", true),
    ("visits", "list(map)", false), ("joined", "any", false), ("site", "string", true),
    ("mood", "string", true), ("extra", "any", true), ("friend", "map", true),
    ("friend.name", "string", true), ("friend.others", "list", true), ("small", "int", false),
  ]

  @Test("every property is an attribute with its type, under its coding key", arguments: properties)
  func property(name: String, kind: String, isOptional: Bool) throws {
    let attribute = try #require(try AttributeSchema(of: User.self)["user.\(name)"])
    #expect(attribute.type.name == kind)
    #expect(attribute.isOptional == isOptional)
  }

  @Test("cases of an enum are its values, names that need quotes are quoted, the root is closed")
  func schema() throws {
    let schema = try AttributeSchema(of: User.self)
    #expect(schema["user.plan"]?.values == ["free", "pro"])
    #expect(schema["user.level"]?.minimum == 1 && schema["user.level"]?.maximum == 3)
    #expect(schema[#"user["first name"]"#]?.type == .int)
    #expect(schema["user.renamed"] == nil)
    #expect(schema.closedRoots == ["user"])
    #expect(try AttributeSchema(json: schema.jsonText())["user.plan"] == schema["user.plan"])
    #expect(try AttributeSchema(of: User.self, root: "params")["params.age"]?.isOptional == true)
  }

  @Test(
    "filters are checked against it",
    arguments: [
      ("user.pln == \"pro\"", ["W0701"]), ("user.plan == \"gold\"", ["W0714"]),
      ("user.age < 18", ["W0710"]), ("user.score < 18", []),
      ("user.home.city != \"Oslo\"", ["W0710"]),
      ("has(user.age) && user.age < 18", []), ("user.level > 3", ["W0704"]),
      ("\"a\" in user.tags", []), ("user.isPro && user.address.city == \"Oslo\"", []),
    ])
  func findings(text: String, ids: [String]) throws {
    var schema = AttributeSchema.builtIn
    schema.merge(try AttributeSchema(of: User.self))
    #expect(try Filter(text).check(schema: schema).map(\.id.rawValue) == ids)
  }

  @Test("a type that accepts no zero is an error that names the property")
  func wrong() {
    struct Moody: Decodable { var mood: User.Mood }
    struct Strict: Decodable {
      struct Refused: Error {}

      init(from decoder: any Decoder) throws { throw Refused() }
    }
    let error = #expect(throws: AttributeSchema.TypeError.self) {
      try AttributeSchema(of: Moody.self)
    }
    #expect(error?.description.hasPrefix("`mood` of type Mood cannot be decoded") == true)
    #expect(throws: AttributeSchema.TypeError.self) { try AttributeSchema(of: Strict.self) }
    // Neither an object nor anything else has attributes.
    #expect((try? AttributeSchema(of: Int.self))?.attributes.isEmpty == true)
  }
}
