import ExpressionSyntax

@testable import ExpressionEngine

/// Holds fused, plain and specialized code of the cel dialect against the reference evaluator.
struct CELAgreement {
  let environment: Environment
  let contexts: [OracleContext]

  /// What came of comparing.
  enum Verdict {
    /// Every way says the same: what they say, one outcome a context, and which overloads were called.
    case agrees([CELReferenceEvaluator.Outcome], called: Set<String>)
    /// No filter: the text does not parse, a macro is malformed, or it nests too deep.
    case refused(FilterError)
    /// The outcome hangs on the order of a map's keys.
    case unspecified
    case disagrees(Disagreement)
  }

  /// Compares the machine with the reference in each context.
  ///
  /// - Parameter shapesPrograms: Whether code is run often enough that it is specialized for the shapes
  ///   of the contexts.
  func check(_ expression: String, shapesPrograms: Bool = true) -> Verdict {
    let source = Source(expression)
    let tree: SyntaxTree
    do {
      tree = try parse(source, dialect: environment.dialect, limits: environment.parserLimits)
    } catch {
      return .refused(FilterError(source: source, diagnostics: error.diagnostics))
    }
    do {
      let fused = try Lowering.program(tree, environment: environment, fuses: true)
      let plain = try Lowering.program(tree, environment: environment, fuses: false)
      for program in [fused, plain] {
        do {
          try program.verify()
        } catch {
          return .disagrees(
            Disagreement(
              expression: expression, context: "verification",
              answers: [("verify()", error.description)]))
        }
      }
      return compare(
        tree, expression, [("fused code", fused), ("plain code", plain)],
        runs: shapesPrograms ? Self.warmUp : 1)
    } catch {
      return .refused(error)
    }
  }

  /// More often than shapes must be met before code is made for them.
  private static let warmUp = 4

  private func compare(
    _ tree: SyntaxTree, _ expression: String, _ programs: [(name: String, program: Program)],
    runs: Int
  ) -> Verdict {
    var wanted: [CELReferenceEvaluator.Outcome] = []
    var called: Set<String> = []
    for context in contexts {
      var reference = CELReferenceEvaluator(
        tree, environment: environment, variables: context.variables)
      let outcome = reference.run()
      if reference.dependsOnKeyOrder { return .unspecified }
      wanted.append(outcome)
      called.formUnion(reference.called)
    }
    for round in 0..<(runs > 1 ? 2 : 1) {
      for (context, wanted) in zip(contexts, wanted) {
        for time in 0..<(round == 0 ? runs : 1) {
          for (name, program) in programs {
            let answer = program.celOutcome(context.context)
            if answer.isIdentical(to: wanted) { continue }
            return .disagrees(
              Disagreement(
                expression: expression, context: "\(context.name) (round \(round), time \(time))",
                answers: [(name, answer.description), ("reference", wanted.description)]))
          }
        }
      }
    }
    return .agrees(wanted, called: called)
  }
}

extension CELReferenceEvaluator.Outcome: CustomStringConvertible {
  /// Failures are the same when they are of one kind. For the specification a call with arguments that
  /// no overload takes is one kind of error, whichever of two codes the machine has for it.
  func isIdentical(to other: Self) -> Bool {
    switch (self, other) {
    case (.failure(let a), .failure(let b)):
      a == b || Set([a, b]) == [.unexpectedType, .noMatchingOverload]
    case (.value(let a), .value(let b)): a.isIdentical(to: b)
    default: false
    }
  }

  var description: String {
    switch self {
    case .failure(let code): "the error \(code)"
    case .value(let value): "\(value.literal) : \(value.kindName)"
    }
  }
}

extension Program {
  /// Runs the program as ``CompiledFilter`` does, keeping the kind of a failure.
  func celOutcome(_ context: Context) -> CELReferenceEvaluator.Outcome {
    withExtendedLifetime(self) {
      var machine = Machine(UnsafePointer(header))
      let result = VM.run(UnsafePointer(header), context.storage, &machine)
      return result.isA(.error) ? .failure(machine.failure.code) : .value(Value(result))
    }
  }
}
