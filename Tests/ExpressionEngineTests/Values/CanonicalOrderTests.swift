import TestSupport
import Testing

@testable import ExpressionEngine

@Suite("The attributes of a layer stand in the same order in every process")
struct CanonicalOrderTests {
  private static let names = [
    "age", "plan", "daysSinceInstall", "daysSinceLastPaywallView", "", "a", "ab", "b\u{E9}", "z",
  ]

  private static func json(_ names: [String]) -> String {
    "{" + names.map { "\"\($0)\": \($0.utf8.count)" }.joined(separator: ", ") + "}"
  }

  private static func keys(_ layer: Context.Layer) -> [String] {
    let table = layer.storage.map.table
    return (0..<table.count).map { table.key($0).text }
  }

  @Test("attributes read from JSON stand as the document has them, at every level")
  func documents() throws {
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<50 {
      let names = Self.names.shuffled(using: &generator)
      #expect(Self.keys(try Context.Layer(json: Self.json(names))) == names)
      let context = try Context(json: "{\"x\": 1, \"user\": \(Self.json(names)), \"b\": 2}")
      let layers = context.storage.layers
      #expect(layers.user.map(Self.keys) == names)
      #expect(layers.other.map(Self.keys) == ["x", "b"])
    }
    let layer = try Context.Layer(json: "{\"b\": 1, \"a\": 1, \"b\": 2}")
    #expect(Self.keys(layer) == ["b", "a"])
    #expect(layer.value == ["a": 1, "b": 2])
  }

  @Test("attributes of dictionaries stand in the order of their bytes")
  func dictionaries() {
    let values = Dictionary(
      uniqueKeysWithValues: Self.names.map { ($0, Value.int(Int64($0.utf8.count))) })
    #expect(
      Self.keys(Context.Layer(values)) == [
        "", "a", "ab", "age", "b\u{E9}", "daysSinceInstall", "daysSinceLastPaywallView", "plan",
        "z",
      ])
    let eights = Context.Layer(["b": 1, "a": 1, "aaaaaaaab": 3, "aaaaaaaa": 4])
    #expect(Self.keys(eights) == ["a", "aaaaaaaa", "aaaaaaaab", "b"])
    let mixed = Context.Layer(entries: ["a": 1, 2: 2, true: 3, 1: 4])
    let table = mixed.storage.map.table
    #expect((0..<table.count).map { Value(table.key($0)) } == [true, 1, 2, "a"])
  }

  @Test("of repeated roots the last one wins, whatever it is")
  func repeatedRoots() throws {
    let context = try Context(
      json: """
        {"user": {"a": 1}, "device": 1, "x": {"y": "true"}, "user": [], "params": {"p": "true"}, \
        "device": {"d": {"e": ["false"]}}}
        """)
    let expected: [String: Value] = [
      "user": [], "device": ["d": ["e": ["false"]]], "x": ["y": "true"], "params": ["p": "true"],
    ]
    #expect(context.snapshot() == expected)
    #expect(context.storage.layers.user == nil)
    let normalized = context.storage.layers.params?.storage.currentRows().normalized.address
    #expect(normalized != context.storage.layers.params?.storage.currentRows().asGiven.address)
  }

  @Test("a name that only ends like a root's is a further root")
  func zerosBeforeRoots() throws {
    let context = try Context(json: "{\"\\u0000user\": {\"a\": 1}, \"\\u0000\\u0000device\": {}}")
    #expect(context.snapshot() == ["\0user": ["a": 1], "\0\0device": [:]])
  }

  @Test("a document nested deeper than a word of the scanner has bits keeps its slots apart")
  func deep() throws {
    let depth = 200
    let opening = (0..<depth).map { $0 % 2 == 0 ? "[1," : "{\"k\":\($0),\"l\":" }.joined()
    let closing = (0..<depth).reversed().map { $0 % 2 == 0 ? ",2]" : ",\"m\":\($0)}" }.joined()
    let context = try Context(
      json: "{\"user\": {\"a\": \(opening)\"end\"\(closing), \"b\": 7}}", maximumDepth: 1024)
    let table = try #require(context.storage.layers.user).storage.map.table
    #expect(table.value(1).intValue == 7)
    var slot = table.value(0)
    for level in 0..<depth {
      if level % 2 == 0 {
        #expect(slot.elements.count == 3)
        #expect(slot.elements[2].intValue == 2)
        slot = slot.elements[1]
      } else {
        #expect((0..<slot.table.count).map { slot.table.key($0).text } == ["k", "l", "m"])
        #expect(slot.table.value(2).intValue == Int64(level))
        slot = slot.table.value(1)
      }
    }
    #expect(slot.text == "end")
  }
}
