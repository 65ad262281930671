import ExpressionEngine
import ExpressionSyntax
import FilterCorpus
import Testing

@Suite("No optimization changes what a filter means")
struct OptimizationTests {
  private static let cases: [ConformanceCase] = {
    let folders = ["superscript", "cel", "limits", "fuzz-finds", "cookbook", "sql"]
    return folders.flatMap {
      (try? CaseFile.cases(at: "\(SharedData.repository)/corpus/\($0)")) ?? []
    }
  }()

  private static func failures(
    _ cases: [ConformanceCase], without passes: Optimizations
  ) async -> [String] {
    let evaluator = EngineEvaluator(
      paths: EvaluationPath.all, optimizations: Optimizations.all.subtracting(passes))
    return await CaseRunner(evaluator: evaluator).runConcurrently(cases).failures.map(\.line)
  }

  @Test("the corpus passes with all of them off")
  func none() async {
    #expect(Self.cases.count > 5_000)
    let failures = await Self.failures(Self.cases, without: .all)
    for failure in failures.prefix(20) { Issue.record("\(failure)") }
  }

  @Test(
    "a part of the corpus passes with each of them off; `make optimizations` tries all of it",
    arguments: Optimizations.named.map(\.name))
  func each(name: String) async throws {
    let number = try #require(Optimizations.named.firstIndex { $0.name == name })
    let stride = Optimizations.named.count
    let part = Self.cases.enumerated().filter { $0.offset % stride == number }.map(\.element)
    let failures = await Self.failures(part, without: Optimizations.named[number].pass)
    for failure in failures.prefix(20) { Issue.record("without \(name): \(failure)") }
  }

  @Test("each switch has a name and a bit of its own")
  func names() {
    let passes = Optimizations.named
    #expect(Set(passes.map(\.name)).count == passes.count)
    #expect(Optimizations.all.rawValue.nonzeroBitCount == passes.count)
  }
}
