// The conditions of one attribute.

extension BatchEvaluation {
  /// Computes the conditions of an attribute for the chunk's users.
  func read(_ attribute: BatchPlan.Attribute, _ source: AttributeSource) {
    switch source {
    case .missing: setAll(attribute, ValueLine.missing)
    case .dictionary(let indices, let answers): read(attribute, indices, answers)
    case .layer(let root): readSlots(attribute) { row, _ in slot(attribute, root, row) }
    case .computed(let computed): read(attribute, computed)
    case .column(let column): read(attribute, column)
    }
  }

  private func read(_ attribute: BatchPlan.Attribute, _ column: Column) {
    let first = column.start &+ rows.lowerBound
    switch column.storage {
    case .int8(let values): readInts(attribute, column, values + first)
    case .int16(let values): readInts(attribute, column, values + first)
    case .int32(let values): readInts(attribute, column, values + first)
    case .int64(let values): readInts(attribute, column, values + first)
    case .uint8(let values): readInts(attribute, column, values + first)
    case .uint16(let values): readInts(attribute, column, values + first)
    case .uint32(let values): readInts(attribute, column, values + first)
    case .uint64(let values): readNumbers(attribute, column) { Double(values[first &+ $0]) }
    case .float(let values): readNumbers(attribute, column) { Double(values[first &+ $0]) }
    case .double(let values): readNumbers(attribute, column) { values[first &+ $0] }
    case .bool(let bits):
      for row in 0..<rows.count {
        positions[row] = ValueLine.bools &+ (Column.bit(bits, first &+ row) ? 1 : 0)
      }
      markMissing(column)
      setConditions(attribute)
      readTests(attribute, column)
    case .text(let bounds, let bytes): readTexts(attribute, column, bounds, bytes)
    case .list(let bounds, let elements):
      for row in 0..<rows.count { positions[row] = ValueLine.other }
      markMissing(column)
      setConditions(attribute)
      if !readMembers(attribute, column, bounds, elements) { readTests(attribute, column) }
    case .missing, .dictionary, .record, .slots, .values, .layers:
      readSlots(attribute) { row, arena in
        attribute.slot(column, first &+ row, &arena)
      }
    }
  }

  // MARK: Positions

  @inline(__always)
  private func readNumbers(
    _ attribute: BatchPlan.Attribute, _ column: Column, _ value: (Int) -> Double
  ) {
    if !attribute.conditions.isEmpty {
      setNumbers(attribute, value)
      markMissing(column)
      setConditions(attribute)
    }
    readTests(attribute, column)
  }

  @inline(__always)
  private func readInts<Element: FixedWidthInteger>(
    _ attribute: BatchPlan.Attribute, _ column: Column, _ values: UnsafePointer<Element>
  ) {
    guard !attribute.ints.isEmpty, !attribute.conditions.isEmpty else {
      return readNumbers(attribute, column) { Double(values[$0]) }
    }
    attribute.ints.withTable { position in
      for row in 0..<rows.count {
        positions[row] = position(Int64(truncatingIfNeeded: values[row]))
      }
    }
    markMissing(column)
    setConditions(attribute)
    readTests(attribute, column)
  }

  /// Computes the positions of numbers.
  @inline(__always)
  private func setNumbers(_ attribute: BatchPlan.Attribute, _ value: (Int) -> Double) {
    for row in 0..<rows.count { positions[row] = attribute.line.position(of: value(row)) }
  }

  private func readTexts(
    _ attribute: BatchPlan.Attribute, _ column: Column, _ bounds: ColumnBounds,
    _ bytes: UnsafePointer<UInt8>?
  ) {
    let first = column.start &+ rows.lowerBound
    if !attribute.conditions.isEmpty {
      let firstText = attribute.line.firstText
      let memo = memo(ofTexts: attribute)
      for row in 0..<rows.count {
        guard column.isValid(first &+ row) else {
          positions[row] = ValueLine.missing
          continue
        }
        positions[row] = memo.rank(of: Column.text(bounds, bytes, first &+ row)) { text in
          attribute.isNormalized && text.isBoolWord
            ? ValueLine.bools &+ (text.count == 4 ? 1 : 0)
            : firstText &+ attribute.texts.rank(of: text)
        }
      }
      setConditions(attribute)
    }
    for test in attribute.tests {
      set(test) { row in
        guard column.isValid(first &+ row) else { return .missing }
        let text = Column.text(bounds, bytes, first &+ row)
        if attribute.isNormalized, text.isBoolWord {
          return test.outcome(.bool(text.count == 4), true)
        }
        return test.outcome(ofText: text, attribute.isNormalized)
      }
    }
  }

  private func read(
    _ attribute: BatchPlan.Attribute, _ indices: Column,
    _ answers: AttributeSource.DictionaryAnswers
  ) {
    if !attribute.conditions.isEmpty {
      answers.positions.withUnsafeBufferPointer { known in
        forEachEntry(indices, known.count) { row, entry in
          positions[row] = known[entry]
        } missing: { row in
          positions[row] = ValueLine.missing
        }
      }
      setConditions(attribute)
    }
    for (number, test) in attribute.tests.enumerated() {
      let missing = test.byte(.missing)
      answers.tests[number].withUnsafeBufferPointer { known in
        forEachEntry(indices, known.count) { row, entry in
          bytes[row] = known[entry]
        } missing: { row in
          bytes[row] = missing
        }
      }
      finish(test)
    }
  }

  /// Calls a function with the entry of a dictionary that each user has.
  @inline(__always)
  private func forEachEntry(
    _ indices: Column, _ entryCount: Int, _ body: (Int, Int) -> Void, missing: (Int) -> Void
  ) {
    let first = indices.start &+ rows.lowerBound
    @inline(__always)
    func visit<Element: FixedWidthInteger>(_ values: UnsafePointer<Element>) {
      for row in 0..<rows.count {
        // A negative index is a large one here.
        let entry = UInt(truncatingIfNeeded: values[first &+ row])
        if entry < UInt(bitPattern: entryCount) {
          body(row, Int(bitPattern: entry))
        } else {
          missing(row)
        }
      }
    }
    switch indices.storage {
    case .int8(let values): visit(values)
    case .int16(let values): visit(values)
    case .int32(let values): visit(values)
    case .int64(let values): visit(values)
    case .uint8(let values): visit(values)
    case .uint16(let values): visit(values)
    case .uint32(let values): visit(values)
    case .uint64(let values): visit(values)
    default: for row in 0..<rows.count { missing(row) }
    }
    guard indices.validity != nil else { return }
    for row in 0..<rows.count where !indices.isValid(first &+ row) { missing(row) }
  }

  /// Reads values one by one.
  private func readSlots(
    _ attribute: BatchPlan.Attribute, _ value: (Int, inout Arena) -> Slot
  ) {
    var arena = Arena(firstChunk: 1 << 14)
    var memo: TextMemo?
    withUnsafeTemporaryAllocation(of: Slot.self, capacity: max(rows.count, 1)) { slots in
      for row in 0..<rows.count {
        let slot = value(row, &arena)
        slots.initializeElement(at: row, to: slot)
        if slot.isA(.string) {
          let known = memo ?? self.memo(ofTexts: attribute)
          memo = known
          positions[row] = known.rank(of: slot.byteBuffer) {
            attribute.line.firstText &+ attribute.texts.rank(of: $0)
          }
        } else {
          positions[row] =
            slot.isA(.error) ? ValueLine.missing : attribute.line.position(of: slot)
        }
      }
      setConditions(attribute)
      for test in attribute.tests {
        set(test) { row in
          slots[row].isA(.error)
            ? .missing : test.outcome(slots[row], attribute.isNormalized)
        }
      }
    }
  }

  private func read(_ attribute: BatchPlan.Attribute, _ computed: ComputedColumn) {
    if attribute.tests.isEmpty, computed.isInteger {
      withUnsafeTemporaryAllocation(of: Int64.self, capacity: computed.depth &* rows.count) {
        values in
        bytes.update(repeating: 0, count: words &* 64)
        computed.compute(rows, values, overflows: bytes)
        if attribute.ints.isEmpty {
          setNumbers(attribute) { Double(values[$0]) }
        } else {
          attribute.ints.withTable { position in
            for row in 0..<rows.count { positions[row] = position(values[row]) }
          }
        }
        for row in 0..<rows.count where bytes[row] != 0 { positions[row] = ValueLine.missing }
      }
      return setConditions(attribute)
    }
    attribute.code.withUnsafeBufferPointer { code in
      readSlots(attribute) { row, arena in
        ComputedAttribute.compute(code, isSuperscript: attribute.isNormalized) { number in
          if let column = computed.columns[number] {
            return plan.attributes[number].slot(
              column, column.start &+ rows.lowerBound &+ row, &arena)
          }
          return Root(layerNamed: plan.attributes[number].path.root).map {
            slot(plan.attributes[number], $0, row)
          } ?? .absent
        }
      }
    }
  }

  /// Returns the value of an attribute in the layer of a root that is given whole, as the dialect
  /// reads it, or ``Slot/absent``.
  private func slot(_ attribute: BatchPlan.Attribute, _ root: Root, _ row: Int) -> Slot {
    guard let storage = layers[root]?[row]?.storage else { return .absent }
    let rows = storage.currentRows()
    let row = attribute.isNormalized ? rows.normalized : rows.asGiven
    return row.table?.find(hash: attribute.reference.hash, string: attribute.reference.name)?
      .pointee ?? .absent
  }

  /// Moves the users without a value to their position.
  @inline(__always)
  private func markMissing(_ column: Column) {
    guard column.validity != nil else { return }
    let first = column.start &+ rows.lowerBound
    for row in 0..<rows.count where !column.isValid(first &+ row) {
      positions[row] = ValueLine.missing
    }
  }
}
