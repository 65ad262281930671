/// Where the values of an attribute of a ``BatchPlan`` come from.
enum AttributeSource {
  /// No user has the attribute.
  case missing
  case column(Column)
  /// A dictionary, and what is known of its entries.
  case dictionary(indices: Column, DictionaryAnswers)
  /// The attribute of a root that is given whole.
  case layer(Root)
  /// A ``ComputedAttribute``.
  case computed(ComputedColumn)

  /// The positions of a dictionary's entries, and the bytes of tests.
  struct DictionaryAnswers {
    let positions: [UInt32]
    let tests: [[UInt8]]
  }

  /// - Parameter attribute: An attribute of the plan.
  init(_ attribute: BatchPlan.Attribute, _ plan: BatchPlan, _ batch: ColumnBatch) {
    guard attribute.code.isEmpty else {
      self = .computed(ComputedColumn(attribute, plan, batch))
      return
    }
    if let root = Root(layerNamed: attribute.path.root), batch.layers[root] != nil {
      self = .layer(root)
      return
    }
    guard let column = batch.column(attribute.path) else {
      self = .missing
      return
    }
    switch column.storage {
    case .missing: self = .missing
    case .dictionary(let indices, let entries) where entries.count <= 2 &* column.count &+ 1_024:
      // A slice of few users does not pay for a large dictionary.
      self = .dictionary(indices: indices, Self.answers(attribute, entries))
    default: self = .column(column)
    }
  }

  private static func answers(
    _ attribute: BatchPlan.Attribute, _ entries: Column
  ) -> DictionaryAnswers {
    var arena = Arena(firstChunk: 1 << 12)
    var positions: [UInt32] = []
    var tests = [[UInt8]](repeating: [], count: attribute.tests.count)
    positions.reserveCapacity(entries.count)
    for entry in 0..<entries.count {
      let slot = attribute.slot(entries, entries.start &+ entry, &arena)
      positions.append(slot.isA(.error) ? ValueLine.missing : attribute.line.position(of: slot))
      for (number, test) in attribute.tests.enumerated() {
        tests[number].append(
          test.byte(slot.isA(.error) ? .missing : test.outcome(slot, attribute.isNormalized)))
      }
    }
    return DictionaryAnswers(positions: positions, tests: tests)
  }
}

/// The outcome of a test for one user.
enum TestOutcome: UInt8 {
  case fails
  case holds
  case doesNotHold
  case missing
}

extension BatchPlan.TestCondition {
  /// Returns the outcome for a value.
  @inline(__always)
  func outcome(_ slot: Slot, _ isSuperscript: Bool) -> TestOutcome {
    guard let holds = test.holds(slot, constant, isSuperscript: isSuperscript) else {
      return .fails
    }
    return holds ? .holds : .doesNotHold
  }

  /// Returns the outcome for a text that is read as one.
  @inline(__always)
  func outcome(ofText text: UTF8Bytes, _ isSuperscript: Bool) -> TestOutcome {
    let constant = constant.isA(.string) ? constant.byteBuffer : UTF8Bytes(start: nil, count: 0)
    let holds: Bool
    switch test {
    case .startsWith: holds = UTF8Text.hasPrefix(constant, in: text)
    case .endsWith: holds = UTF8Text.hasSuffix(constant, in: text)
    case .contains: holds = UTF8Text.contains(constant, in: text)
    case .member:
      guard isSuperscript else { return .fails }
      holds = UTF8Text.contains(constant, in: text)
    case .truth: holds = !text.isEmpty
    }
    return holds ? .holds : .doesNotHold
  }

  /// The byte of an outcome, whose bits say whether the condition is true and whether the test
  /// fails.
  @inline(__always)
  func byte(_ outcome: TestOutcome) -> UInt8 {
    (isTrue(outcome) ? 1 : 0) | (outcome == .fails ? 2 : 0)
  }

  /// Whether the condition is true for an outcome.
  @inline(__always)
  private func isTrue(_ outcome: TestOutcome) -> Bool {
    switch outcome {
    case .fails: false
    case .holds: !isOpposite
    case .doesNotHold: isOpposite
    case .missing: isInitial
    }
  }
}

extension BatchPlan.Attribute {
  /// Returns the value at a place of a column as the dialect reads it, or ``Slot/absent``.
  func slot(_ column: Column, _ place: Int, _ arena: inout Arena) -> Slot {
    let slot = column.slot(at: place, in: &arena)
    guard isNormalized, !slot.isA(.error) else { return slot }
    return slot.normalized(in: &arena) ?? slot
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether a text spells `true` or `false`, which the superscript dialect reads as a bool.
  @inline(__always)
  var isBoolWord: Bool {
    guard count == 4 || count == 5 else { return false }
    return TextIndex.key(self, from: 0)
      == (count == 4 ? 0x7472_7565_0000_0000 : 0x6661_6C73_6500_0000)
  }
}
