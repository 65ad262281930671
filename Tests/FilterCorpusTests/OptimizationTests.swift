import ExpressionEngine
import ExpressionSyntax
import FilterCorpus
import TestSupport
import Testing

@Suite("No optimization changes what a filter means")
struct OptimizationTests {
  private static let cases: [ConformanceCase] = {
    // Those of limits take most of the time; `make optimizations` runs them.
    let folders = ["superscript", "cel", "fuzz-finds", "cookbook", "sql"]
    return folders.flatMap {
      (try? CaseFile.cases(at: TestFiles.path("corpus/\($0)"))) ?? []
    }
  }()

  private static func failures(
    _ cases: [ConformanceCase], without passes: Optimizations
  ) async -> [String] {
    let evaluator = EngineEvaluator(
      paths: EvaluationPath.all, optimizations: Optimizations.all.subtracting(passes))
    return await CaseRunner(evaluator: evaluator).runConcurrently(cases).failures.map(\.line)
  }

  /// Every `count`th case, from one on.
  private static func part(_ start: Int, of count: Int) -> [ConformanceCase] {
    stride(from: start, to: cases.count, by: count).map { cases[$0] }
  }

  @Test("a part of the corpus passes with all of them off")
  func none() async {
    #expect(Self.cases.count > 5_000)
    let failures = await Self.failures(Self.part(0, of: 4), without: .all)
    for failure in failures.prefix(20) { Issue.record("\(failure)") }
  }

  @Test(
    "a part of the corpus passes with each of them off; `make optimizations` tries all of it",
    arguments: Optimizations.named.map(\.name))
  func each(name: String) async throws {
    let number = try #require(Optimizations.named.firstIndex { $0.name == name })
    let failures = await Self.failures(
      Self.part(number, of: 50), without: Optimizations.named[number].pass)
    for failure in failures.prefix(20) { Issue.record("without \(name): \(failure)") }
  }

  @Test("each switch has a name and a bit of its own")
  func names() {
    let passes = Optimizations.named
    #expect(Set(passes.map(\.name)).count == passes.count)
    #expect(Optimizations.all.rawValue.nonzeroBitCount == passes.count)
  }
}
