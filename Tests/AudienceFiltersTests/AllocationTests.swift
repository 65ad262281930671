import AudienceFilters
import CAllocationCount
import ExpressionCoding
import ExpressionEngine
import Foundation
import TestSupport
import Testing

@Suite("Evaluation does not allocate")
struct AllocationTests {
  private struct Sample {
    var name: String
    var filter: Filter
    var context: Context
    var expected: Value
  }

  /// The thirteen filters that everyone is measured on, from the benchmarks' data.
  private static func samples() throws -> [Sample] {
    let file = TestFiles.root.appending(path: "benchmarks/Data/filters.json")
    let text = try String(contentsOf: file, encoding: .utf8)
    guard case .map(let document) = try Value(json: text),
      case .map(let variables)? = document["context"], case .list(let rows)? = document["filters"]
    else { return [] }
    let context = Context(
      variables: Dictionary(uniqueKeysWithValues: variables.map { ($0.key.text, $0.value) }))
    return try rows.compactMap { row in
      guard case .map(let row) = row, case .string(let name)? = row["name"],
        case .string(let expression)? = row["expression"], let expected = row["expected"]
      else { return nil }
      return Sample(
        name: name, filter: try Filter(expression), context: context, expected: expected)
    }
  }

  /// Whether this is a release build, where `assert` is not evaluated.
  private static var isOptimized: Bool {
    var isOptimized = true
    assert(
      {
        isOptimized = false
        return true
      }())
    return isOptimized
  }

  /// The allocations of this thread while `body` runs.
  private func allocations(_ body: () -> Void) -> UInt64 {
    let before = allocation_count_now().allocations
    body()
    return allocation_count_now().allocations - before
  }

  @Test("a filter that builds no list and no text costs no allocation")
  func filters() throws {
    let samples = try Self.samples()
    #expect(samples.count == 13)
    guard allocation_count_available() else {
      print("allocations cannot be counted here, so none are")
      return
    }
    for sample in samples {
      #expect(try evaluate(sample.filter, sample.context) == sample.expected, "\(sample.name)")
      var matched = 0
      let count = allocations {
        for _ in 0..<100 where sample.filter.matches(sample.context) { matched += 1 }
      }
      #expect(matched == (sample.expected == true ? 100 : 0))
      #expect(count == 0, "\(sample.name)")
      // A bool comes out of the machine without an allocation, too.
      let values = allocations {
        for _ in 0..<100 { _ = try? evaluate(sample.filter, sample.context) }
      }
      #expect(values == 0, "\(sample.name)")
    }
  }

  @Test("the counter counts: building a list and freezing a context allocate")
  func counter() throws {
    guard allocation_count_available() else { return }
    let context = Context(user: ["age": 25])
    let filter = try Filter("[user.age, 1]")
    _ = try evaluate(filter, context)
    #expect(allocations { _ = try? evaluate(filter, context) } > 0)
    #expect(allocations { _ = context.replacing(params: ["a": 1]) } > 0)
  }

  @Test("freezing allocates chunks, not something for each attribute")
  func freezing() {
    guard allocation_count_available() else { return }
    func dictionary(_ count: Int) -> [String: Any] {
      Dictionary(uniqueKeysWithValues: (0..<count).map { ("name\($0)", $0 as Any) })
    }
    let small = dictionary(4)
    let large = dictionary(400)
    // The first layers set up what lives as long as the process.
    for dictionary in [small, large] { _ = Context.Layer(dictionary: dictionary) }
    let few = allocations { _ = Context.Layer(dictionary: small) }
    let many = allocations { _ = Context.Layer(dictionary: large) }
    // Without optimization sorting allocates a closure's context for each comparison.
    guard Self.isOptimized else { return }
    #expect(many <= few + 12, "\(few) and \(many)")
  }
}
