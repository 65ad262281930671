import CallgrindMarks

/// Runs one subject between two of callgrind's marks, twice: once for the iterations and once for
/// twice as many, so that what does not repeat cancels in the difference.
///
/// The output files are named `<subject>/<case>#<iterations>`; `instructions/check` subtracts them.
///
/// - Returns: false when the process does not run under callgrind, and then nothing is run.
package func markInstructions(
  _ subject: any Subject, in row: BenchmarkCase, iterations: Int
) -> Bool {
  guard callgrind_marks_active() else { return false }
  // Warm: lazy symbol binding, caches, the first use of anything.
  _ = subject.run(iterations: 16)
  for count in [iterations, iterations * 2] {
    callgrind_marks_zero()
    let sum = subject.run(iterations: count)
    callgrind_marks_dump("\(subject.name)/\(row.name)#\(count)")
    precondition(sum == subject.expectedSum &* UInt64(count), "wrong answers while counting")
  }
  return true
}
