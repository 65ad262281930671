import TestSupport
import Testing

@testable import ExpressionEngine

@Suite("Runs of ascending numbers")
struct NumberRunsTests {
  @Test("every run reads back as it was written")
  func roundTrip() {
    var random = SeededGenerator(seed: 12)
    for _ in 0..<500 {
      var numbers: [UInt32] = []
      var next = UInt64.random(in: 0...200, using: &random)
      while numbers.count < 40, next <= UInt64(UInt32.max) {
        numbers.append(UInt32(next))
        next += UInt64.random(
          in: 0...(1 << UInt64.random(in: 0...31, using: &random)), using: &random)
      }
      var run: [UInt8] = []
      for (index, number) in numbers.enumerated() {
        NumberRuns.append(number, after: index == 0 ? nil : numbers[index - 1], to: &run)
      }
      var read: [UInt32] = []
      run.withUnsafeBufferPointer { bytes in
        NumberRuns.forEach(in: bytes[...]) { read.append($0) }
      }
      #expect(read == numbers)
    }
  }
}
