// Runs the corpus with one mutant switched on, until a case fails.
//
//     runner NUMBER FOLDER...
//
// Exit status: 0 the mutant survived, 1 a case killed it, 2 the arguments or a file cannot be read.

import CMutant
import FilterCorpus
import Foundation

let arguments = CommandLine.arguments.dropFirst()
guard let number = arguments.first.flatMap({ Int32($0) }), arguments.count > 1 else { exit(2) }
var cases: [ConformanceCase] = []
for folder in arguments.dropFirst() {
  do {
    cases += try CaseFile.cases(at: folder)
  } catch {
    print("\(folder): \(error)")
    exit(2)
  }
}
// Only the engine is mutated, not what reads its cases.
mutant_set(number)
let runner = CaseRunner(evaluator: EngineEvaluator(paths: EvaluationPath.all))
// Cases far apart first: most mutants fail one of the first hundred.
let stride = 61
let size = 64
var order: [ConformanceCase] = []
order.reserveCapacity(cases.count)
for start in 0..<stride {
  order += Swift.stride(from: start, to: cases.count, by: stride).map { cases[$0] }
}
var start = 0
while start < order.count {
  let report = runner.run(Array(order[start..<min(start + size, order.count)]))
  if let failure = report.failures.first {
    print(failure.line.prefix(200))
    exit(1)
  }
  start += size
}
print("\(order.count) cases")
