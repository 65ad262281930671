import AudienceFilters
import ExpressionCoding
import ExpressionEngine
import ExpressionPrinting
import ExpressionSyntax
import FilterAnalysis
import FilterAuthoring
import FilterCorpus
import TestSupport
import Testing

@Suite("Explanations agree with the engine") struct ExplainPropertyTests {
  /// Checks what must hold for every explanation.
  static func check(_ filter: Filter, _ context: Context) {
    let faults = ExplanationRules.faults(of: filter, over: context)
    #expect(faults.isEmpty)
  }

  @Test("over generated filters", arguments: 0..<Effort.times(2))
  func generated(seed: Int) throws {
    var generator = FilterGenerator(seed: UInt64(seed))
    var suggested = 0
    for _ in 0..<60 {
      let text = generator.filter()
      let context = generator.context()
      let filter = try Filter(text, environment: generator.environment)
      Self.check(filter, context)
      if filter.explain(context).changes?.isEmpty == false { suggested += 1 }
    }
    // Most generated filters are made of plain comparisons, so that many non-matches can be mended.
    #expect(suggested > 8)
  }

  /// Values of every kind that the generated filters tell apart, made without a look at a filter.
  private static let pool: [Value?] =
    (-5...62).map { .int(Int64($0)) }
    + ["", "a", "o", "pro", "iOS", "25", "Oslo", "x", .bool(true), .bool(false), .null, nil]
    + [[], ["a"], ["o"], ["b"], [1], [11], [30], ["gold", "vip"], ["gold"], [1, 2], [1, 2, 3]]
    + [[1, 2, 3, 4], .double(0.5), .map(["city": "Oslo"])]

  private static let attributes = [
    "user.age", "user.seed", "device.count", "params.pages", "user.gone", "user.plan",
    "device.platform", "user.email", "params.city", "user.no", "user.isMember",
    "device.isSandbox", "params.flag", "user.absent", "user.tags", "device.activeEntitlements",
    "user.scores", "user.address.city",
  ].compactMap { AttributePath($0) }

  /// The number of non-matches.
  private static let count = Effort.times(40)

  @Test("no change is missing where one attribute suffices", arguments: 0..<4)
  func complete(seed: Int) throws {
    var generator = FilterGenerator(seed: 4_711 + UInt64(seed))
    var mendable = 0
    var tried = 0
    while tried < Self.count / 4 {
      let filter = try Filter(generator.filter(), environment: generator.environment)
      let context = generator.context()
      guard !filter.matches(context) else { continue }
      tried += 1
      let explanation = filter.explain(context)
      let faults = ExplanationRules.faults(of: filter, over: context)
      #expect(faults.isEmpty)
      let read = Self.attributes.filter { filter.text.contains($0.description) }
      let one = read.lazy.compactMap { path in
        Self.pool.first { filter.matches(context.setting(path, to: $0)) }.map { (path, $0) }
      }.first
      if explanation.neverMatches { #expect(one == nil, "\(filter.text)") }
      guard let one else { continue }
      mendable += 1
      #expect(
        explanation.changes?.count == 1,
        "\(filter.text) over \(context): \(one), found \(explanation.changes.map { $0.map(\.text) } ?? [])"
      )
    }
    #expect(mendable > tried / 4)
  }

  @Test("most non-matches have a change, and the others a reason")
  func reasons() throws {
    var generator = FilterGenerator(seed: 20_261_127)
    var tried = 0
    var changed = 0
    var others: [String: Int] = [:]
    while tried < Self.count {
      let filter = try Filter(generator.filter(), environment: generator.environment)
      let context = generator.context()
      guard !filter.matches(context) else { continue }
      tried += 1
      let explanation = filter.explain(context)
      #expect(ExplanationRules.faults(of: filter, over: context).isEmpty)
      if explanation.changes?.isEmpty == false {
        changed += 1
      } else {
        let reason = explanation.neverMatches ? "no user matches" : explanation.obstacle ?? "none"
        // Without the condition that it names.
        let parts = reason.split(separator: "`", omittingEmptySubsequences: false).enumerated()
        let general = parts.map { $0.offset.isMultiple(of: 2) ? String($0.element) : "…" }
        others[general.joined(separator: "`"), default: 0] += 1
      }
    }
    #expect(changed + (others["no user matches"] ?? 0) > tried * 3 / 4)
    guard Effort.factor > 1 else { return }
    print("\(tried) non-matches, \(changed) with a change")
    for (reason, count) in others.sorted(by: { $0.value > $1.value }).prefix(12) {
      print("\(count): \(reason)")
    }
  }

  @Test("over filters that the fuzzer found", arguments: ["f ? ghost : 2", "f ? 1 : ghost"])
  func found(text: String) throws {
    let filter = try Filter(text, dialect: .cel)
    for value: Value in [1, 0, true, false, "", .null] {
      Self.check(filter, Context(variables: ["f": value]))
    }
  }

  @Test(
    "over a fourth of the cases of the corpus, and over all with more effort",
    arguments: ["superscript", "cel"])
  func corpus(folder: String) throws {
    var count = 0
    let step = Effort.factor > 1 ? 1 : 4
    for (index, item) in try CaseFile.cases(at: TestFiles.path("corpus/\(folder)")).enumerated()
    where index.isMultiple(of: step) {
      guard case .expression(let text) = item.request.question,
        let filter = try? Filter(text, environment: item.request.environment)
      else { continue }
      Self.check(filter, Context(variables: item.request.variables))
      count += 1
    }
    #expect(count > 400)
  }
}
