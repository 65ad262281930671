/// Ascending numbers in a byte each, or a few: the differences between neighbors, in groups of
/// seven bits, the lowest first. The high bit marks a byte that is not the last one of its number.
enum NumberRuns {
  /// Appends a number to a run.
  ///
  /// - Parameters:
  ///   - number: At least as large as `previous`.
  ///   - previous: The number before it; `nil` begins a run.
  ///   - run: The bytes.
  static func append(_ number: UInt32, after previous: UInt32?, to run: inout [UInt8]) {
    var rest = number &- (previous ?? 0)
    while rest > 0x7F {
      run.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    run.append(UInt8(truncatingIfNeeded: rest))
  }

  /// Calls `body` with each number of a run.
  static func forEach(in run: Slice<UnsafeBufferPointer<UInt8>>, _ body: (UInt32) -> Void) {
    var number: UInt32 = 0
    var difference: UInt32 = 0
    var shift: UInt32 = 0
    for byte in run {
      difference |= UInt32(byte & 0x7F) << shift
      shift &+= 7
      guard byte & 0x80 == 0 else { continue }
      number &+= difference
      body(number)
      (difference, shift) = (0, 0)
    }
  }
}
