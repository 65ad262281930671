// Runs the corpus once for each mutant, until a case fails.
//
//     runner MUTANTS FOLDER... < NUMBERS
//
// MUTANTS is how many there are. The numbers of those to run are read from the standard input, one
// on a line. Writes a line for each: its number, `survived`, `killed` or `crashed`, the processor
// time in seconds, and a remark. The first line is about number 0, no mutant.

import CMutant
import FilterCorpus
import Foundation

/// The cases in chunks, and which mutants each of these reaches.
struct Chunks {
  private static let size = 64

  private let chunks: [[ConformanceCase]]
  private let width: Int
  /// A row of bytes for each chunk, with one for each mutant that is not 0 if the chunk reaches it.
  /// The first byte is the processor time of the chunk, in tenths of seconds. Shared with the
  /// process that writes it.
  private let reached: UnsafeMutablePointer<UInt8>

  init(folders: [String], mutantCount: Int) throws(CaseFile.Failure) {
    var cases: [ConformanceCase] = []
    for folder in folders { cases += try CaseFile.cases(at: folder) }
    chunks = stride(from: 0, to: cases.count, by: Self.size).map {
      Array(cases[$0..<min($0 + Self.size, cases.count)])
    }
    width = mutantCount + 1
    reached = mutant_table(chunks.count * width)
  }

  private func firstFailure(in chunk: Int) -> String? {
    CaseRunner(evaluator: EngineEvaluator(paths: EvaluationPath.all))
      .run(chunks[chunk]).failures.first?.line
  }

  /// Runs all cases without a mutant, and notes which chunk reaches which mutant.
  func runAll() -> String? {
    for index in chunks.indices {
      let row = reached + index * width
      mutant_note(row)
      let start = mutant_seconds()
      if let failure = firstFailure(in: index) { return failure }
      row.pointee = UInt8(clamping: Int(10 * (mutant_seconds() - start)) + 1)
    }
    return nil
  }

  /// The chunks that reach a mutant. Those far from each other come first: most mutants fail soon.
  func numbers(reaching mutant: Int32) -> [Int] {
    let step = 13
    return (0..<step).flatMap { stride(from: $0, to: chunks.count, by: step) }
      .filter { reached[$0 * width + Int(mutant)] != 0 }
  }

  /// Returns the first failure in some chunks. Ends the process if one takes far longer than
  /// without a mutant.
  func firstFailure(in numbers: [Int]) -> String? {
    for number in numbers {
      limitTime(to: mutant_seconds() + 2 + 0.6 * Double(reached[number * width]))
      if let failure = firstFailure(in: number) { return failure }
    }
    return nil
  }
}

/// The processor time that a process may take at most.
let mostSeconds: Int32 = 600

/// Ends this process when its processor time exceeds so many seconds.
func limitTime(to seconds: Double) {
  #if canImport(Glibc)
    let resource = __rlimit_resource_t(RLIMIT_CPU.rawValue)
  #else
    let resource = RLIMIT_CPU
  #endif
  var limits = rlimit()
  getrlimit(resource, &limits)
  limits.rlim_cur = rlim_t(seconds)
  setrlimit(resource, &limits)
}

/// Runs cases in a process of its own, because mutants crash, and because none may see what another
/// one has left. Prints the result.
func report(_ number: Int32, mutant: Int32, _ run: () -> String?) {
  print(number, terminator: " ")
  fflush(nil)
  let status = mutant_fork(mutant, mostSeconds)
  if status == Int32(MUTANT_CHILD) {
    if let failure = run() {
      print("killed", mutant_seconds(), failure.prefix(160).replacing("\n", with: " "))
    } else {
      print("survived", mutant_seconds())
    }
    fflush(nil)
    mutant_end()
  }
  if status != 0 { print("crashed", 0, "ended by signal \(status)") }
  fflush(nil)
}

guard let count = CommandLine.arguments.dropFirst().first.flatMap({ Int($0) }) else { exit(2) }
let chunks: Chunks
do {
  chunks = try Chunks(folders: Array(CommandLine.arguments.dropFirst(2)), mutantCount: count)
} catch {
  print(error)
  exit(2)
}
report(0, mutant: Int32(MUTANT_NOTING)) { chunks.runAll() }
while let line = readLine() {
  guard let number = Int32(line) else { exit(2) }
  let numbers = chunks.numbers(reaching: number)
  if numbers.isEmpty {
    print(number, "survived", 0, "no case gets there")
    fflush(nil)
  } else {
    report(number, mutant: number) { chunks.firstFailure(in: numbers) }
  }
}
