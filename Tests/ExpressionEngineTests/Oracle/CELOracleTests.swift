import ExpressionChecking
import ExpressionSyntax
import FilterCorpus
import TestSupport
import Testing

@testable import ExpressionEngine

@Suite("The machine and the reference evaluator agree on the cel dialect")
struct CELOracleTests {
  private static let programCount = Effort.times(2_000)
  /// Each share runs on a thread of its own.
  private static let shareCount = 4

  @Test("programs agree in values and kinds of errors", arguments: 0..<shareCount)
  func fuzz(share: Int) throws {
    let tally = try onThread(stack: 256 << 20) { Self.run(share) }
    for (number, disagreement) in tally.disagreements {
      Issue.record("program \(number): \(disagreement)")
    }
    // A generator that mostly makes programs without a meaning would test nothing.
    let count = Self.programCount / Self.shareCount
    #expect(tally.refused * 20 < count, "\(tally)")
    #expect(tally.unspecified * 20 < count, "\(tally)")
    #expect(tally.values * 3 > count, "\(tally)")
    #expect(tally.failures * 5 > count, "\(tally)")
  }

  private struct Tally {
    var refused = 0
    var unspecified = 0
    /// Programs with a value in the full context.
    var values = 0
    /// Programs with an error in the full context.
    var failures = 0
    var disagreements: [(Int, Disagreement)] = []
  }

  private static func run(_ share: Int) -> Tally {
    let agreement = CELAgreement(
      environment: CELProgramGenerator.environment, contexts: CELProgramGenerator.contexts)
    var tally = Tally()
    for number in stride(from: share, to: programCount, by: shareCount) {
      var generator = CELProgramGenerator(seed: UInt64(number))
      let program = generator.program()
      switch agreement.check(program.text) {
      case .agrees(let outcomes, _):
        if case .value? = outcomes.first { tally.values += 1 } else { tally.failures += 1 }
      case .refused: tally.refused += 1
      case .unspecified: tally.unspecified += 1
      case .disagrees:
        guard tally.disagreements.count < 10 else { return tally }
        let small = program.shrunk { candidate in
          if case .disagrees = agreement.check(candidate.text) { true } else { false }
        }
        if case .disagrees(let found) = agreement.check(small.text) {
          tally.disagreements.append((number, found))
        }
      }
    }
    return tally
  }

  @Test("the corpus of the cel dialect")
  func corpus() throws {
    let called = try check(
      CaseFile.cases(at: TestFiles.path("corpus/cel")), atLeast: 5_000)
    for definition in FunctionLibrary.cel(ExtensionLibrary.all).definitions {
      for signature in definition.signatures {
        #expect(
          try isCalled(signature, of: definition, called),
          "no case in corpus/cel calls `\(signature)`")
      }
    }
  }

  /// Whether a case calls an overload, or a macro with that number of arguments.
  private func isCalled(
    _ signature: String, of definition: FunctionDefinition, _ called: Set<String>
  ) throws -> Bool {
    guard definition.isMacro else {
      // The machine does not look at the types of elements.
      return called.contains { $0.withoutElements == signature.withoutElements }
    }
    let form = try Overload(definition.name, signature: signature)
    if form.isVariadic { return called.contains { $0.hasPrefix("\(definition.name)/") } }
    let call = "\(definition.name)/\(form.parameters.count)"
    switch form.receiver?.alternatives.first {
    case .list?: return called.contains("list.\(call)") || called.contains(call)
    case .map?: return called.contains("map.\(call)")
    default: return called.contains(call)
    }
  }

  @Test(
    "the open conformance cases",
    .enabled(
      if: TestFiles.sharedPath("conformance/cel-open.jsonl") != nil,
      "needs the conformance cases; set SWEXPR_SHARED to the folder that has them"))
  func conformance() throws {
    try check(
      CaseFile.cases(at: #require(TestFiles.sharedPath("conformance/cel-open.jsonl"))),
      atLeast: 1_000)
  }

  /// Compares both evaluators with each other, and the reference with the case's answer.
  ///
  /// - Returns: The overloads and macros that were called.
  @discardableResult
  private func check(_ cases: [ConformanceCase], atLeast count: Int) throws -> Set<String> {
    let fitting = cases.filter { $0.request.dialect == .cel && $0.skipReason == nil }
    #expect(fitting.count >= count)
    let (failures, called) = try onThread(stack: 512 << 20) {
      var called: Set<String> = []
      return (fitting.compactMap { failure($0, &called) }, called)
    }
    for failure in failures { Issue.record("\(failure)") }
    return called
  }

  private func failure(_ item: ConformanceCase, _ called: inout Set<String>) -> String? {
    guard case .expression(let expression) = item.request.question,
      item.request.flags.isDisjoint(with: [.checksOnly, .lints])
    else { return nil }
    let agreement = CELAgreement(
      environment: item.request.environment,
      contexts: [OracleContext(item.id, item.request.variables)])
    switch agreement.check(expression) {
    case .disagrees(let disagreement): return "\(item.id): \(disagreement)"
    case .unspecified: return nil
    case .refused:
      return item.expectation.isError ? nil : "\(item.id): `\(expression)` is refused"
    case .agrees(let outcomes, let calls):
      called.formUnion(calls)
      guard case .value(let value)? = outcomes.first else {
        return item.expectation.isError
          ? nil : "\(item.id): `\(expression)` fails instead of \(item.expectation.summary)"
      }
      if case .value(let wanted, _) = item.expectation,
        !FilterCorpus.Expectation.value(wanted, type: nil).isMet(
          by: CaseOutcome(.value(value)), dialect: .cel)
      {
        return "\(item.id): `\(expression)` is \(value.literal), not \(wanted.literal)"
      }
      return item.expectation.isError
        ? "\(item.id): `\(expression)` is \(value.literal) instead of an error" : nil
    }
  }
}

extension FilterCorpus.Expectation {
  /// Whether an error is wanted, or at least admitted.
  fileprivate var isError: Bool {
    switch self {
    case .any, .anyError, .error: true
    case .value, .type: false
    }
  }
}

extension String {
  /// A signature without the types of elements: `list.sort() -> list`.
  fileprivate var withoutElements: String {
    replacing(/\b(list|map|optional_type)\([^()]*\)/) { $0.1 }
  }
}
