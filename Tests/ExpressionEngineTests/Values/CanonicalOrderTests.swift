import Testing

@testable import ExpressionEngine

@Suite("Layers stand in one order, whatever order they came in")
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

  @Test("documents with their members in different orders have their keys in one order")
  func documents() throws {
    var generator = SeededGenerator(seed: 11)
    let first = Self.keys(try Context.Layer(json: Self.json(Self.names)))
    #expect(first == Self.names.sorted())
    for _ in 0..<50 {
      let shuffled = Self.names.shuffled(using: &generator)
      #expect(Self.keys(try Context.Layer(json: Self.json(shuffled))) == first)
      let nested = try Context(json: "{\"user\": \(Self.json(shuffled)), \"x\": 1, \"b\": 2}")
      #expect(nested.storage.layers.user.map(Self.keys) == first)
      #expect(nested.storage.layers.other.map(Self.keys) == ["b", "x"])
    }
    let values = Dictionary(
      uniqueKeysWithValues: Self.names.map { ($0, Value.int(Int64($0.utf8.count))) })
    #expect(Self.keys(Context.Layer(values)) == first)
  }

  @Test("keys stand in the order of their bytes, and the last of equal ones wins")
  func order() throws {
    let layer = try Context.Layer(
      json: "{\"b\": 1, \"a\": 1, \"b\": 2, \"aaaaaaaab\": 3, \"aaaaaaaa\": 4}")
    #expect(Self.keys(layer) == ["a", "aaaaaaaa", "aaaaaaaab", "b"])
    #expect(layer.value == ["a": 1, "b": 2, "aaaaaaaab": 3, "aaaaaaaa": 4])
    let mixed = Context.Layer(entries: ["a": 1, 2: 2, true: 3, 1: 4])
    let table = mixed.storage.map.table
    let keys = (0..<table.count).map { Value(table.key($0)) }
    #expect(keys == [true, 1, 2, "a"])
  }
}
