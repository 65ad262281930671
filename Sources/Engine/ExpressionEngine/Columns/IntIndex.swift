/// The positions of ints on a ``ValueLine``, in a table if its numbers are close together.
struct IntIndex {
  /// The int before the numbers, whose position all smaller ones have.
  private let first: Int64
  /// The positions from ``first`` to the int after the numbers; empty if they are far apart.
  private let positions: [UInt32]

  /// The largest number of ints in a table.
  private static let maximumCount = 4_096.0

  init(_ line: ValueLine) {
    let limit = Self.maximumCount
    guard let low = line.numbers.first?.rounded(.down), let high = line.numbers.last?.rounded(.up),
      high - low <= limit, low.magnitude < 0x1p52
    else {
      first = 0
      positions = []
      return
    }
    let start = Int64(low) - 1
    first = start
    positions = (start...(Int64(high) + 1)).map { line.position(of: .int($0)) }
  }

  /// Whether there is a table.
  var isEmpty: Bool { positions.isEmpty }

  /// Calls `body` with a function that returns the position of an int.
  @inline(__always)
  func withTable(_ body: ((Int64) -> UInt32) -> Void) {
    let last = Int64(truncatingIfNeeded: positions.count &- 1)
    let (start, end) = (first, first &+ last)
    positions.withUnsafeBufferPointer { table in
      body { value in table[Int(truncatingIfNeeded: min(max(value, start), end) &- start)] }
    }
  }
}
