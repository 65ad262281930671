import ExpressionSyntax
import Testing

@testable import ExpressionEngine

@Suite("One filter over many contexts")
struct BatchTests {
  @Test(
    "A batch answers what its contexts get one by one, whatever their shapes",
    arguments: 0..<4 as Range<UInt64>, [Dialect.superscript, .cel])
  func equalsOneByOne(seed: UInt64, dialect: Dialect) throws {
    let environment = FilterEnvironment(dialect: dialect)
    var generator = FilterSetGenerator(seed: seed)
    let contexts = (0..<12).map { _ in generator.context() }
    // Runs of one shape, so that code for shapes is made, in rows of lengths around the block size.
    let row = (0..<300).map { contexts[$0 / 7 % contexts.count] }
    for _ in 0..<40 {
      let filter = try Filter(generator.filter(), environment)
      let alone = row.map { filter.matches($0) }
      for count in [0, 1, 63, 64, 65, 128, 300] {
        let want = Array(alone.prefix(count))
        #expect(filter.matches(row.prefix(count)) == want, "\(filter.source.text)")
        #expect(filter.countMatches(in: row.prefix(count)) == want.count { $0 })
        // A sequence that is not stored anywhere.
        #expect(filter.matches(row.prefix(count).lazy.map { $0 }) == want)
        var numbers: [Int] = []
        filter.forEachMatch(in: row.prefix(count)) { numbers.append($0) }
        #expect(numbers == want.indices.filter { want[$0] })
      }
    }
  }

  @Test("Rows of one shape go through jumps together")
  func jumps() throws {
    let sources = [
      "user.a == 1 || user.b == 2", "user.a == 1 || user.b == 2 || user.a == 3 && user.b > 1",
      "user.a > 2 ? user.b > 2 : user.b < 2", "(user.a > 1 || user.b > 1) && user.a != user.b",
      "user.a > 1 && (user.b > 1 || user.a > 2 || user.b == 0) && user.b < 3", "user.f",
      "user.f && user.a > 1", "user.f || user.a > 1", "user.a > 1 && user.f", "user.a",
      "user.s in [\"x\", \"y\"] || user.s >= \"y\" && user.s != \"z\"",
      "user.a > 1 ? (user.b > 1 ? user.f : user.s == \"x\") : user.s in [\"x\", \"z\", \"q\"]",
      "user.none || user.a == 1", "user.d > 1.5 && user.d <= 2 || user.s == \"1\"",
    ]
    var contexts: [Context] = []
    for number in 0..<200 {
      contexts.append(
        Context(
          user: Context.Layer([
            "a": .int(Int64(number % 4)), "b": .int(Int64(number / 4 % 4)),
            "f": .bool(number % 3 == 0), "s": .string(["x", "y", "z", "1"][number % 4]),
            "d": .double(Double(number % 5) / 2),
          ])))
    }
    for source in sources {
      let filter = try Filter(source)
      let alone = contexts.map { filter.matches($0) }
      for _ in 0..<2 { #expect(filter.matches(contexts) == alone, "\(source)") }
    }
  }

  @Test("Tasks answer in the order of the contexts")
  func concurrency() async throws {
    let filter = try Filter("user.n > 5 && user.n < 9000")
    let contexts = (0..<10_000).map {
      Context(user: Context.Layer(["n": .int(Int64($0))]), device: nil, params: nil)
    }
    let want = (0..<10_000).map { $0 > 5 && $0 < 9000 }
    for tasks in [-1, 1, 3, 64] {
      #expect(await filter.concurrentMatches(contexts, taskCount: tasks) == want)
      #expect(await filter.concurrentMatchCount(in: contexts, taskCount: tasks) == 8994)
    }
    #expect(await filter.concurrentMatches([]) == [])
  }
}
