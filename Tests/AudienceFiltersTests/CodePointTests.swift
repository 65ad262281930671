import AudienceFilters
import ExpressionCoding
import ExpressionEngine
import ExpressionSyntax
import Testing

@Suite("Texts and keys are compared by code points, never up to canonical equivalence")
struct CodePointTests {
  private static let composed = "\u{E9}"
  private static let decomposed = "e\u{301}"
  /// The same marks in another order: equivalent, and of the same length.
  private static let reordered = ["a\u{301}\u{323}", "a\u{323}\u{301}"]

  /// An object with the two spellings as names of members.
  private struct Both: Encodable {
    struct Name: CodingKey {
      let stringValue: String
      var intValue: Int? { nil }
      init(_ name: String) { stringValue = name }
      init?(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Name.self)
      try container.encode(1, forKey: Name(CodePointTests.composed))
      try container.encode(2, forKey: Name(CodePointTests.decomposed))
    }
  }

  private static let both: Value = .map([.string(composed): 1, .string(decomposed): 2])

  @Test("values and keys with equivalent texts differ")
  func values() {
    #expect(Self.composed == Self.decomposed, "Swift takes the two as equal")
    for (one, other) in [
      (Self.composed, Self.decomposed), (Self.reordered[0], Self.reordered[1]),
    ] {
      #expect(Value.string(one) != .string(other))
      #expect(Value.type(one) != .type(other))
      #expect(Value.Key.string(one) != .string(other))
      #expect(Value.function(name: one, receiver: nil) != .function(name: other, receiver: nil))
      #expect(Set([Value.string(one), .string(other), .string(one)]).count == 2)
      #expect(Value.list([.string(one)]) != .list([.string(other)]))
      let entries: [Value.Key: Value] = [.string(one): 1, .string(other): 2]
      #expect(entries[.string(one)] == 1)
      #expect(entries[.string(other)] == 2)
    }
    #expect(Set([Value.Key.string("a"), .int(1), .uint(1), .bool(true), .string("a")]).count == 4)
    #expect(Value.double(.nan) != .double(.nan))
    #expect(Value.double(-0.0) == .double(0))
    #expect(Value.double(-0.0).hashValue == Value.double(0).hashValue)
  }

  /// One user with both members, from every kind of source.
  private static func layers() throws -> [Context.Layer] {
    let json = "{\"\(composed)\": 1, \"\(decomposed)\": 2}"
    let tagged = """
      {"\(composed)": {"type": "int", "value": 1}, "\(decomposed)": {"type": "int", "value": 2}}
      """
    return [
      try Context.Layer(json: json), try Context.Layer(encoding: Both()),
      try Context.Layer(passableJSON: tagged),
      try Context.Layer(passableJSON: "{\"type\": \"map\", \"value\": \(tagged)}"),
    ]
  }

  @Test("JSON, tagged JSON and Encodable types keep equivalent names apart")
  func sources() throws {
    for layer in try Self.layers() { #expect(layer.value == Self.both) }
    let json = "{\"\(Self.composed)\": 1, \"\(Self.decomposed)\": 2}"
    #expect(try Value(json: json) == Self.both)
    #expect(try Value(json: json, reading: .init(duplicates: .error)) == Self.both)
    #expect(try Value(json: Self.both.jsonText()) == Self.both)
    #expect(try PassableValue.read(PassableValue.text(Self.both)) == Self.both)
    #expect(try Value(encoding: Both()) == Self.both)
    let context = Context(user: Context.Layer(["m": Self.both]))
    #expect(context.snapshot()["user"] == ["m": Self.both])
  }

  @Test("both dialects look names up by code points", arguments: Dialect.Name.allCases)
  func lookups(_ dialect: Dialect.Name) throws {
    let environment = dialect == .cel ? FilterEnvironment.cel : .standard
    for layer in try Self.layers() {
      let context = Context(user: layer)
      for (name, value) in [(Self.composed, 1 as Value), (Self.decomposed, 2)] {
        #expect(
          try evaluate(Filter("user[\"\(name)\"]", environment: environment), context) == value)
      }
    }
  }

  @Test("both dialects compare and search by code points", arguments: Dialect.Name.allCases)
  func operators(_ dialect: Dialect.Name) throws {
    let environment = dialect == .cel ? FilterEnvironment.cel : .standard
    let context = Context(
      user: Context.Layer(["c": .string(Self.composed), "d": .string(Self.decomposed)]))
    let c = "\"\(Self.composed)\""
    let d = "\"\(Self.decomposed)\""
    var rows: [(String, Value)] = [
      ("user.c == user.d", false), ("user.c != user.d", true), ("user.c == \(d)", false),
      ("user.c == \(c)", true), ("\(c) == \(d)", false), ("user.c in [\(d)]", false),
      ("user.c in [\(d), \(c)]", true), ("user.c in [\(d), \"x\", \"y\"]", false),
      ("user.d in {\(c): 1}", false), ("user.d in {\(c): 1, \(d): 2}", true),
      ("{\(c): 1, \(d): 2}[user.d]", 2), ("size({\(c): 1, \(d): 2})", 2),
      ("user.c.contains(user.d)", false), ("user.d.contains(\"e\")", true),
      ("user.c.contains(\"e\")", false), ("user.d.startsWith(\"e\")", true),
      ("{\(c): 1} == {\(d): 1}", false), ("[user.c] == [user.d]", false),
      ("user.d < user.c", true),
    ]
    if dialect == .cel {
      rows += [
        ("size([user.c, user.d, user.c].distinct())", 2),
        ("sets.contains([user.c], [user.d])", false),
        ("sets.intersects([user.c], [user.d])", false),
        ("sets.equivalent([user.c, user.d], [user.d, user.c])", true),
      ]
    }
    for (text, expected) in rows {
      #expect(
        try evaluate(Filter(text, environment: environment), context) == expected, "\(text)")
    }
  }
}
