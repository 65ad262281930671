import ExpressionSyntax
import TestSupport
import Testing

@testable import ExpressionChecking
@testable import ExpressionEngine

@Suite("Programs with a type")
struct TypedProgramTests {
  private static let programCount = Effort.times(2_500)

  /// The kinds of errors that types exclude.
  private static let typeErrors: Set<DiagnosticID> = [
    .undeclaredName, .unknownFunction, .argumentCount, .noMatchingOverload, .notComparable,
    .unsupportedOperands, .unexpectedType, .notBool, .notIndexable, .unusableIndex, .unusableKey,
    .unsupportedConstruct,
  ]

  private struct Tally {
    var values = 0
    var problems: [String] = []
    /// The overloads that were called.
    var called: Set<String> = []
  }

  @Test("the checker accepts them, no evaluation has a type error, and all ways to evaluate agree")
  func soundness() throws {
    let declarations = try TypedProgramGenerator.environment.checkingDeclarations()
    let tally = try onThread(stack: 256 << 20) { Self.run(declarations) }
    for problem in tally.problems { Issue.record("\(problem)") }
    // Programs that fail for other reasons, such as an overflow, would show little.
    #expect(tally.values * 5 > Self.programCount * 2)
    #expect(tally.called.count > 100)
  }

  private static func run(_ declarations: Declarations) -> Tally {
    var tally = Tally()
    let agreement = CELAgreement(
      environment: TypedProgramGenerator.environment, contexts: TypedProgramGenerator.contexts)
    for number in 0..<programCount where tally.problems.count < 10 {
      var generator = TypedProgramGenerator(seed: UInt64(number))
      let program = generator.program()
      func problem(_ sketch: Sketch) -> String? {
        Self.problem(of: sketch.text, program.type, declarations, agreement, &tally)
      }
      if let found = problem(program.sketch) {
        tally.problems.append("program \(number): `\(program.sketch.text)`: \(found)")
      }
    }
    return tally
  }

  /// Returns what is wrong with a program, if anything is.
  private static func problem(
    of text: String, _ type: Type, _ declarations: Declarations, _ agreement: CELAgreement,
    _ tally: inout Tally
  ) -> String? {
    let environment = TypedProgramGenerator.environment
    let tree: SyntaxTree
    let filter: Filter
    do {
      tree = try parse(SourceText(text), dialect: .cel, limits: environment.parserLimits)
      filter = try Filter(tree, environment: environment)
    } catch {
      return "no filter: \(error)"
    }
    let result = Checker.check(tree, declarations: declarations)
    guard result.isAccepted else { return "refused: \(result.diagnostics.map { $0.message })" }
    guard result.type == type else { return "has the type \(result.type.text), not \(type.text)" }
    for context in TypedProgramGenerator.contexts {
      do throws(EvaluationError) {
        let value = try filter.evaluate(context.context)
        if context.name == TypedProgramGenerator.contexts[0].name { tally.values += 1 }
        guard value.isOf(type) else { return "is \(value.literal), no \(type.text)" }
      } catch {
        if typeErrors.contains(error.id) { return "ends in \(error.id.rawValue): \(error.message)" }
      }
    }
    switch agreement.check(text) {
    case .agrees(_, let called): tally.called.formUnion(called)
    case .unspecified: break
    case .refused(let error): return "refused: \(error)"
    case .disagrees(let found): return found.description
    }
    return nil
  }
}

extension Value {
  /// Returns whether the value, with all that is in it, is of a type.
  fileprivate func isOf(_ type: Type) -> Bool {
    switch (self, type) {
    case (.bool, .bool), (.int, .int), (.uint, .uint), (.double, .double), (.string, .string),
      (.bytes, .bytes), (.timestamp, .timestamp), (.duration, .duration), (.null, .null):
      true
    case (.list(let elements), .list(let element)): elements.allSatisfy { $0.isOf(element) }
    case (.optional(let value), .optional(let wrapped)): value?.isOf(wrapped) ?? true
    case (.map(let entries), .map(let key, let value)):
      entries.allSatisfy { $0.key.isOf(key) && $0.value.isOf(value) }
    default: false
    }
  }
}

extension Value.Key {
  fileprivate func isOf(_ type: Type) -> Bool {
    switch (self, type) {
    case (.bool, .bool), (.int, .int), (.uint, .uint), (.string, .string): true
    default: false
    }
  }
}
