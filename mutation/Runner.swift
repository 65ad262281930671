// Runs the corpus once for each mutant, until a case fails.
//
//     runner SECONDS FOLDER... < NUMBERS
//
// The numbers of the mutants are read from the standard input, one on a line; 0 is none. Writes a line
// for each: its number, `survived`, `killed` or `crashed`, the processor time in seconds, and how it ended.
// A mutant may take so many SECONDS of processor time.

import CMutant
import FilterCorpus
import Foundation

/// The cases, and the sample of them that is run first: most mutants fail one of it.
struct Cases {
  private static let sampling = 37
  private static let chunk = 512

  let all: [ConformanceCase]

  init(folders: [String]) throws(CaseFile.Failure) {
    var all: [ConformanceCase] = []
    for folder in folders { all += try CaseFile.cases(at: folder) }
    self.all = all
  }

  /// Returns the first failure, as far as the cases are in order.
  func firstFailure() -> String? {
    let runner = CaseRunner(evaluator: EngineEvaluator(paths: EvaluationPath.all))
    let sample = stride(from: 0, to: all.count, by: Self.sampling).map { all[$0] }
    if let failure = runner.run(sample).failures.first { return failure.line }
    for start in stride(from: 0, to: all.count, by: Self.chunk) {
      let report = runner.run(Array(all[start..<min(start + Self.chunk, all.count)]))
      if let failure = report.failures.first { return failure.line }
    }
    return nil
  }
}

guard let seconds = CommandLine.arguments.dropFirst().first.flatMap({ Int32($0) }) else { exit(2) }
let cases: Cases
do {
  cases = try Cases(folders: Array(CommandLine.arguments.dropFirst(2)))
} catch {
  print(error)
  exit(2)
}
while let line = readLine() {
  guard let number = Int32(line) else { exit(2) }
  print(number, terminator: " ")
  fflush(nil)
  // A process of its own, because mutants crash, and because none may see what another one has left.
  let status = mutant_fork(number, seconds)
  if status == MUTANT_CHILD {
    if let failure = cases.firstFailure() {
      print("killed", mutant_seconds(), failure.prefix(160).replacing("\n", with: " "))
    } else {
      print("survived", mutant_seconds())
    }
    fflush(nil)
    mutant_end()
  }
  if status != 0 { print("crashed", 0, "ended by signal \(status)") }
}
