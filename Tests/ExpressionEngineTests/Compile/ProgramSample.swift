import ExpressionSyntax
import FilterCorpus
import TestSupport

@testable import ExpressionEngine

/// A program with the contexts that it runs over.
struct ProgramSample {
  let text: String
  let program: Program
  let contexts: [OracleContext]

  /// Compiles a text; `nil` if it is not a filter.
  init?(
    _ text: String, _ environment: FilterEnvironment, _ contexts: [OracleContext],
    limits: EvaluationLimits? = nil
  ) {
    var environment = environment
    if let limits { environment.limits = limits }
    guard
      let tree = try? parse(
        SourceText(text), dialect: environment.dialect, limits: environment.parserLimits),
      let program = try? Lowering.program(tree, environment: environment)
    else { return nil }
    self.text = text
    self.program = program
    self.contexts = contexts
  }

  /// Generated programs of both dialects.
  static func generated(seed: UInt64, limits: EvaluationLimits? = nil) -> [ProgramSample] {
    var superscript = ProgramGenerator(seed: seed)
    var cel = CELProgramGenerator(seed: seed)
    return [
      ProgramSample(
        superscript.program().text, OracleContexts.environment, OracleContexts.all, limits: limits),
      ProgramSample(
        cel.program().text, CELProgramGenerator.environment, CELProgramGenerator.contexts,
        limits: limits),
    ].compactMap { $0 }
  }

  /// The programs of folders of the corpus.
  static func corpus(
    _ folders: [String], limits: EvaluationLimits? = nil
  ) throws -> [ProgramSample] {
    try folders.flatMap { folder in
      try CaseFile.cases(at: TestFiles.path("corpus/\(folder)")).compactMap { item in
        guard case .expression(let text) = item.request.question else { return nil }
        return ProgramSample(
          text, item.request.environment, [OracleContext(item.id, item.request.variables)],
          limits: limits)
      }
    }
  }
}
