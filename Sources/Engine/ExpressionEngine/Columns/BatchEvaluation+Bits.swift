// The bits of the conditions, from positions and tests.

extension BatchEvaluation {
  // MARK: Bits

  /// Computes the conditions of an attribute that all users have the same value of.
  func setAll(_ attribute: BatchPlan.Attribute, _ position: UInt32) {
    for condition in attribute.conditions {
      (bits + condition.node &* words).update(
        repeating: condition.holds(at: position) ? .max : 0, count: words)
    }
    for test in attribute.tests {
      (bits + test.node &* words).update(repeating: test.isInitial ? .max : 0, count: words)
      if let failures = test.failures {
        (bits + failures &* words).update(repeating: 0, count: words)
      }
    }
  }

  /// Computes the conditions that are sets of positions.
  func setConditions(_ attribute: BatchPlan.Attribute) {
    guard attribute.line.count <= 256 else { return setConditions(attribute, positions) }
    // A step compares four times as many positions of a byte.
    for row in 0..<(words &* 64) { narrow[row] = UInt8(truncatingIfNeeded: positions[row]) }
    setConditions(attribute, narrow)
  }

  @inline(__always)
  private func setConditions<Position: FixedWidthInteger & UnsignedInteger>(
    _ attribute: BatchPlan.Attribute, _ positions: UnsafeMutablePointer<Position>
  ) {
    let count = words &* 64
    for condition in attribute.conditions {
      if condition.table.isEmpty {
        var isFirst = true
        if condition.runs.isEmpty { bytes.update(repeating: 0, count: count) }
        for run in condition.runs {
          let first = Position(truncatingIfNeeded: run.lowerBound)
          let span = Position(truncatingIfNeeded: run.upperBound &- run.lowerBound)
          if isFirst {
            for row in 0..<count { bytes[row] = positions[row] &- first <= span ? 1 : 0 }
          } else {
            for row in 0..<count { bytes[row] |= positions[row] &- first <= span ? 1 : 0 }
          }
          isFirst = false
        }
      } else {
        condition.table.withUnsafeBufferPointer { table in
          for row in 0..<rows.count { bytes[row] = table[Int(positions[row])] }
        }
      }
      pack(to: condition.node)
    }
  }

  /// Computes the tests of an attribute for values of any kind.
  func readTests(_ attribute: BatchPlan.Attribute, _ column: Column) {
    guard !attribute.tests.isEmpty else { return }
    let first = column.start &+ rows.lowerBound
    var arena = Arena(firstChunk: 1 << 12)
    for test in attribute.tests {
      set(test) { row in
        let slot = attribute.slot(column, first &+ row, &arena)
        return slot.isA(.error) ? .missing : test.outcome(slot, attribute.isNormalized)
      }
    }
  }

  /// Computes a test from its outcomes.
  @inline(__always)
  func set(_ test: BatchPlan.TestCondition, _ outcome: (Int) -> TestOutcome) {
    for row in 0..<rows.count { bytes[row] = test.byte(outcome(row)) }
    finish(test)
  }

  /// Turns the bytes of a test into bits.
  func finish(_ test: BatchPlan.TestCondition) {
    if let failures = test.failures { pack(to: failures, shiftedBy: 1) }
    pack(to: test.node)
  }

  /// Computes tests of texts in lists of texts: every element is looked up once, for all tests.
  ///
  /// - Returns: Whether there were only such tests, and only texts.
  func readMembers(
    _ attribute: BatchPlan.Attribute, _ column: Column, _ bounds: ColumnBounds, _ elements: Column
  ) -> Bool {
    guard !attribute.tests.isEmpty else { return true }
    // In cel a list has no `contains`, so that the test fails.
    let membership: Set<AttributeTest> = attribute.isNormalized ? [.member, .contains] : [.member]
    guard attribute.tests.allSatisfy({ membership.contains($0.test) }) else { return false }
    let text: (Int) -> UTF8Bytes?
    switch elements.storage {
    case .text(let bounds, let bytes):
      text = { elements.isValid($0) ? Column.text(bounds, bytes, $0) : nil }
    default: return false
    }
    let memo = memo(ofTexts: attribute)
    let words = words
    for test in attribute.tests {
      (bits + test.node &* words).update(repeating: 0, count: words)
      if let failures = test.failures {
        (bits + failures &* words).update(repeating: 0, count: words)
      }
    }
    let first = column.start &+ rows.lowerBound
    for row in 0..<rows.count where column.isValid(first &+ row) {
      let range = bounds.range(first &+ row)
      for index in 0..<range.count {
        guard let text = text(elements.start &+ range.first &+ index) else { continue }
        let rank = memo.rank(of: text) { text in
          attribute.isNormalized && text.isBoolWord ? 0 : attribute.members.rank(of: text)
        }
        guard rank & 1 != 0 else { continue }
        for test in attribute.memberTests[Int(rank >> 1)] {
          bits[attribute.tests[test].node &* words &+ row >> 6] |= 1 &<< UInt64(row & 63)
        }
      }
    }
    for test in attribute.tests where test.isOpposite || test.isInitial {
      let target = bits + test.node &* words
      for row in 0..<rows.count {
        let isValid = column.isValid(first &+ row)
        let bit: UInt64 = 1 &<< UInt64(row & 63)
        if isValid ? test.isOpposite : test.isInitial { target[row >> 6] ^= bit }
      }
    }
    return true
  }

  /// Turns bytes into bits.
  ///
  /// - Parameter shift: The bit of each byte.
  @inline(__always)
  private func pack(to node: Int, shiftedBy shift: UInt64 = 0) {
    let source = UnsafeRawPointer(bytes)
    let target = bits + node &* words
    for word in 0..<words {
      var result: UInt64 = 0
      for part in 0..<8 {
        let eight = UInt64(
          littleEndian: source.load(fromByteOffset: word &* 64 &+ part &* 8, as: UInt64.self))
        // Each byte's bit moves to its place among the upper eight.
        let packed =
          (((eight &>> shift) & 0x0101_0101_0101_0101) &* 0x0102_0408_1020_4080) &>> 56
        result |= packed &<< UInt64(truncatingIfNeeded: part &* 8)
      }
      target[word] = result
    }
  }
}
