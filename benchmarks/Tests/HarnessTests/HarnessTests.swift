import AllocationCount
import Foundation
import Testing

@testable import FloorSubjects
@testable import Harness

/// The package's own data file.
private func loadData() throws -> (cases: FilterCases, data: Data) {
  let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Data/filters.json")
  let data = try Data(contentsOf: file)
  return (try FilterCases(json: data), data)
}

@Suite("The floors")
struct FloorTests {
  @Test("every hand-written version of every filter answers what the data file expects")
  func answers() throws {
    let (cases, data) = try loadData()
    let floors = try FloorSubjects(cases, data: data)
    #expect(cases.filters.count == 13)
    for filter in cases.filters {
      let subjects = floors.subjects(for: filter)
      #expect(
        subjects.map(\.name)
          == ["c-fields", "c-slots", "c-inlined", "c-hashed", "c-hashing", "swift-struct"])
      for subject in subjects {
        #expect(
          subject.run(iterations: 3) == (filter.expected ? 3 : 0), "\(subject.name) \(filter.name)")
      }
    }
  }

  @Test(
    "every version reads its attributes: changing one that decides changes the answer",
    arguments: [
      ("simple_eq", "device", ["platform": JSONValue.string("Android")]),
      ("two_and", "user", ["age": .integer(17)]),
      ("expr_classic", "params", ["origin": .string("LED"), "country": .string("DE")]),
      ("version", "device", ["osVersion": .string("16.0")]),
      ("string_ops", "user", ["name": .string("Bob")]),
      ("in_list", "device", ["regionCode": .string("CN")]),
      ("regex", "user", ["email": .string("alice.smith@example.net")]),
      ("wide_and", "params", ["placement": .string("settings")]),
      ("arithmetic", "user", ["credits": .integer(202)]),
      ("macro_all", "device", ["activeEntitlements": .array([.string("basic")])]),
      ("macro_filter", "user", ["scores": .array([.integer(51), .integer(52), .integer(53)])]),
      ("ternary", "user", ["trialDaysLeft": .integer(4)]),
    ])
  func reads(filter: String, root: String, values: [String: JSONValue]) throws {
    let (cases, _) = try loadData()
    var context = cases.context
    context[root]?.merge(values) { $1 }
    let changed = try changedData(context, filters: cases.filters)
    let floors = try FloorSubjects(FilterCases(json: changed), data: changed)
    let row = try #require(cases.filters.first { $0.name == filter })
    for subject in floors.subjects(for: row) {
      #expect(subject.run(iterations: 2) == 0, "\(subject.name)")
    }
  }

  @Test("a missing attribute is refused when the context is made, by name")
  func missing() throws {
    let (cases, _) = try loadData()
    var context = cases.context
    context["user"]?["age"] = nil
    let changed = try changedData(context, filters: cases.filters)
    let error = #expect(throws: FloorError.self) {
      _ = try FloorContext(FilterCases(json: changed))
    }
    #expect(error?.description == "the context lacks user.age or has another type there")
  }

  private func changedData(
    _ context: [String: [String: JSONValue]], filters: [FilterCases.Case]
  ) throws -> Data {
    let object: [String: Any] = [
      "context": context.mapValues { $0.mapValues(\.native) },
      "filters": filters.map {
        ["name": $0.name, "expression": $0.expression, "expected": $0.expected] as [String: Any]
      },
    ]
    return try JSONSerialization.data(withJSONObject: object)
  }
}

@Suite("The harness")
struct HarnessTests {
  @Test("the median is the middle value, or the mean of the two middle ones")
  func medians() {
    #expect(median([]) == nil)
    #expect(median([3]) == 3)
    #expect(median([9, 1, 5]) == 5)
    #expect(median([4, 1, 3, 2]) == 2.5)
  }

  @Test("the geometric mean is defined for values above zero only")
  func geometricMeans() throws {
    #expect(geometricMean([]) == nil)
    #expect(geometricMean([1, 0]) == nil)
    #expect(abs(try #require(geometricMean([1, 4, 16])) - 4) < 1e-12)
  }

  @Test(
    "numbers print with a fixed count of decimals",
    arguments: [
      (0.0, 1, "0.0"), (1.05, 2, "1.05"), (12.349, 1, "12.3"), (0.996, 2, "1.00"),
      (-0.04, 1, "0.0"), (-2.5, 1, "-2.5"), (7.5, 0, "8"),
    ])
  func decimals(value: Double, digits: Int, text: String) {
    #expect(fixed(value, digits: digits) == text)
  }

  @Test("a subject that answers wrongly is refused, whatever its time")
  func wrongAnswers() {
    let liar = ClosureSubject(name: "liar", expectedSum: 1) { UInt64($0) + 1 }
    #expect(throws: MeasurementError.self) {
      try measure(
        BenchmarkCase(name: "any", subjects: [liar]), baseline: nil,
        method: Method(batchNanoseconds: 1_000, rounds: 1))
    }
  }

  @Test("a subject whose loop takes no time is refused")
  func nothing() {
    let idle = ClosureSubject(name: "idle", expectedSum: 1) { UInt64($0) }
    #expect(throws: MeasurementError.self) {
      try measure(
        BenchmarkCase(name: "any", subjects: [idle]), baseline: nil,
        method: Method(batchNanoseconds: 1_000_000, rounds: 1))
    }
  }

  @Test("twice the work measures as about twice the time, and the baseline's ratio is one")
  func ratios() throws {
    let row = BenchmarkCase(name: "spin", subjects: [spinner("one", 200), spinner("two", 400)])
    let cells = try measure(
      row, baseline: "one", method: Method(batchNanoseconds: 1_000_000, rounds: 9))
    #expect(cells[0].ratio == 1)
    let ratio = try #require(cells[1].ratio)
    #expect((1.3...3.0).contains(ratio))
    #expect(cells[0].minimumNanoseconds <= cells[0].medianNanoseconds)
  }

  /// A subject that walks a chain of dependent multiplications.
  private func spinner(_ name: String, _ steps: Int) -> ClosureSubject {
    func spin(_ iterations: Int) -> UInt64 {
      var state: UInt64 = 1
      for _ in 0..<(iterations * steps) { state = state &* 6_364_136_223_846_793_005 | 1 }
      return UInt64(iterations) &+ (state & 0)
    }
    return ClosureSubject(name: name, expectedSum: 1, loop: spin)
  }

  @Test("the command line is read in full, and what it does not know is an error")
  func options() throws {
    let options = try Options([
      "evaluate", "--filter", "two_and,regex", "--rounds", "3", "--batch-ms", "0.5", "--json",
    ])
    #expect(options.suites == ["evaluate"])
    #expect(options.filters == ["two_and", "regex"])
    #expect(options.rounds == 3)
    #expect(options.batchMilliseconds == 0.5)
    #expect(options.json)
    #expect(throws: OptionsError.self) { try Options(["--rounds"]) }
    #expect(throws: OptionsError.self) { try Options(["--rounds", "0"]) }
    #expect(throws: OptionsError.self) { try Options(["--rounds", "nan"]) }
    #expect(throws: OptionsError.self) { try Options(["--frobnicate"]) }
  }
}

@Suite("Counting allocations")
struct AllocationCountTests {
  @Test("an array costs one allocation, and a loop that allocates nothing counts nothing")
  func counts() throws {
    guard allocation_count_available() else { return }
    let quiet = ClosureSubject(name: "quiet", expectedSum: 1) { UInt64($0) }
    #expect(countMallocs(quiet) == 0)
    let loud = ClosureSubject(name: "loud", expectedSum: 64) { iterations in
      var sum: UInt64 = 0
      for _ in 0..<iterations { sum &+= UInt64(makeArray(64).count) }
      return sum
    }
    #expect(countMallocs(loud) == 1)
  }

  @Test("other threads' allocations are not counted here")
  func threads() {
    guard allocation_count_available() else { return }
    let before = allocation_count_now().allocations
    let started = allocation_count_now().allocations
    #expect(before == started)
    let thread = Thread { for size in 1..<1_000 { _ = makeArray(size) } }
    let own = allocation_count_now().allocations
    thread.start()
    while !thread.isFinished { usleep(1_000) }
    // Starting a thread allocates a little on this one; its thousand arrays do not count.
    #expect(allocation_count_now().allocations - own < 500)
  }
}

@inline(never)
private func makeArray(_ count: Int) -> [UInt8] {
  [UInt8](repeating: 1, count: count)
}
