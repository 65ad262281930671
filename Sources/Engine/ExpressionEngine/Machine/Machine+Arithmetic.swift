// Arithmetic over slots (docs/spec/superscript.md §7, docs/spec/cel.md §6). The loop has fast paths
// for two ints and two doubles; this file handles all other cases.

/// The five arithmetic operators. The raw values follow the order of the opcodes.
package enum ArithmeticOperator: UInt8, Sendable, BitwiseCopyable {
  case add
  case subtract
  case multiply
  case divide
  case remainder

  /// Returns the wrapped result for two ints and whether it overflowed. A divisor of zero counts as
  /// an overflow.
  @inline(__always)
  func reportingOverflow(_ x: Int64, _ y: Int64) -> (partialValue: Int64, overflow: Bool) {
    switch self {
    case .add: x.addingReportingOverflow(y)
    case .subtract: x.subtractingReportingOverflow(y)
    case .multiply: x.multipliedReportingOverflow(by: y)
    case .divide: x.dividedReportingOverflow(by: y)
    case .remainder: x.remainderReportingOverflow(dividingBy: y)
    }
  }
}

extension Machine {
  /// Computes `a op b`. Returns an error slot if the operator has no meaning or no result.
  @inline(never)
  mutating func arithmetic(_ op: ArithmeticOperator, _ a: Slot, _ b: Slot) -> Slot {
    switch (a.tag, b.tag) {
    case (.int, .int): return integers(op, a, b)
    case (.uint, .uint): return unsigned(op, a, b)
    case (.double, .double): return doubles(op, a, b)
    case (.double, .int), (.double, .uint), (.int, .double), (.uint, .double):
      guard rules.contains(.mixedArithmetic) else { return fail(.unsupportedBinary, a, b) }
      return doubles(op, .double(a.asDouble), .double(b.asDouble))
    default:
      switch op {
      case .add: return join(a, b)
      case .subtract: return subtractTimes(a, b)
      default: return fail(.unsupportedBinary, a, b)
      }
    }
  }

  private mutating func integers(_ op: ArithmeticOperator, _ a: Slot, _ b: Slot) -> Slot {
    let isDivision = op == .divide || op == .remainder
    if isDivision, b.intValue == 0 { return fail(.divisionByZero, a, b) }
    let result = op.reportingOverflow(a.intValue, b.intValue)
    // The smallest int divided by -1 has no result in any of the languages.
    if isDivision, result.overflow { return fail(.overflow, a, b) }
    if result.overflow, !rules.contains(.wrappingArithmetic) { return fail(.overflow, a, b) }
    return .int(result.partialValue)
  }

  private mutating func unsigned(_ op: ArithmeticOperator, _ a: Slot, _ b: Slot) -> Slot {
    let x = a.uintValue
    let y = b.uintValue
    let result: (partialValue: UInt64, overflow: Bool)
    switch op {
    case .add: result = x.addingReportingOverflow(y)
    case .subtract: result = x.subtractingReportingOverflow(y)
    case .multiply: result = x.multipliedReportingOverflow(by: y)
    case .divide, .remainder:
      if y == 0 { return fail(.divisionByZero, a, b) }
      return .uint(op == .divide ? x / y : x % y)
    }
    if result.overflow, !rules.contains(.wrappingArithmetic) { return fail(.overflow, a, b) }
    return .uint(result.partialValue)
  }

  private mutating func doubles(_ op: ArithmeticOperator, _ a: Slot, _ b: Slot) -> Slot {
    let x = a.doubleValue
    let y = b.doubleValue
    switch op {
    case .add: return .double(x + y)
    case .subtract: return .double(x - y)
    case .multiply: return .double(x * y)
    case .divide: return .double(x / y)
    case .remainder:
      guard rules.contains(.doubleRemainder) else { return fail(.unsupportedBinary, a, b) }
      return .double(x.truncatingRemainder(dividingBy: y))
    }
  }

  /// Computes `+` for operands that are not numbers.
  private mutating func join(_ a: Slot, _ b: Slot) -> Slot {
    switch (a.tag, b.tag) {
    case (.string, .string): return joinBytes(a, b, as: .string)
    case (.bytes, .bytes) where rules.contains(.joinsBytes): return joinBytes(a, b, as: .bytes)
    case (.list, .list): return joinLists(a, b)
    case (.map, .map) where rules.contains(.joinsMaps): return joinMaps(a, b)
    case (.timestamp, .duration): return shift(a, by: b)
    case (.duration, .timestamp): return shift(b, by: a)
    case (.duration, .duration):
      return checked(
        TimeArithmetic.add(a.durationValue, b.durationValue, rules: timeRules).map(Slot.duration),
        a, b)
    default: return fail(.unsupportedBinary, a, b)
    }
  }

  private mutating func joinBytes(_ a: Slot, _ b: Slot, as tag: SlotTag) -> Slot {
    let (total, overflow) = a.aux.addingReportingOverflow(b.aux)
    guard !overflow, let start = arena.allocateBytes(Int(total)) else { return fail(.memoryLimit) }
    start.copyMemory(from: a.address, byteCount: Int(a.aux))
    (start + Int(a.aux)).copyMemory(from: b.address, byteCount: Int(b.aux))
    return Slot(tag, at: start, count: total)
  }

  private mutating func joinLists(_ a: Slot, _ b: Slot) -> Slot {
    let (total, overflow) = a.aux.addingReportingOverflow(b.aux)
    let stride = MemoryLayout<Slot>.stride
    guard !overflow, let start = arena.allocate(max(Int(total), 1) &* stride) else {
      return fail(.memoryLimit)
    }
    start.copyMemory(from: a.address, byteCount: Int(a.aux) &* stride)
    (start + Int(a.aux) &* stride).copyMemory(from: b.address, byteCount: Int(b.aux) &* stride)
    return Slot(.list, at: start, count: total)
  }

  /// Returns a map with the entries of both. Those of `b` win.
  mutating func joinMaps(_ a: Slot, _ b: Slot) -> Slot {
    guard var pairs = SlotBuffer(capacity: 2 &* (a.table.count &+ b.table.count), in: &arena)
    else { return fail(.memoryLimit) }
    for slot in a.table.entries where !pairs.append(slot, in: &arena) { return fail(.memoryLimit) }
    for slot in b.table.entries where !pairs.append(slot, in: &arena) { return fail(.memoryLimit) }
    return makeMap(pairs.slots, duplicates: .lastWins)
  }

  /// Builds a map from alternating keys and values.
  mutating func makeMap(
    _ pairs: UnsafeBufferPointer<Slot>, duplicates: MapTable.DuplicatePolicy
  ) -> Slot {
    do {
      return try MapTable.build(
        pairs, duplicates: duplicates, crossNumeric: rules.contains(.crossNumericKeys),
        in: &arena)
    } catch {
      switch error {
      case .outOfMemory: return fail(.memoryLimit)
      case .duplicateKey(let index): return fail(.duplicateKey, pairs[2 &* index])
      }
    }
  }

  // MARK: Time

  private var timeRules: TimeRules { rules.contains(.protobufTimeRanges) ? .cel : .superscript }

  private mutating func subtractTimes(_ a: Slot, _ b: Slot) -> Slot {
    switch (a.tag, b.tag) {
    case (.timestamp, .timestamp):
      return checked(
        TimeArithmetic.difference(a.timestampValue, b.timestampValue, rules: timeRules).map(
          Slot.duration), a, b)
    case (.timestamp, .duration):
      return checked(
        TimeArithmetic.subtract(a.timestampValue, b.durationValue, rules: timeRules).map(
          Slot.timestamp), a, b)
    case (.duration, .duration):
      return checked(
        TimeArithmetic.subtract(a.durationValue, b.durationValue, rules: timeRules).map(
          Slot.duration), a, b)
    default: return fail(.unsupportedBinary, a, b)
    }
  }

  private mutating func shift(_ instant: Slot, by duration: Slot) -> Slot {
    checked(
      TimeArithmetic.add(instant.timestampValue, duration.durationValue, rules: timeRules).map(
        Slot.timestamp), instant, duration)
  }

  /// Returns `result`, or fails with ``FailureCode/overflow`` if it is `nil`.
  private mutating func checked(_ result: Slot?, _ a: Slot, _ b: Slot) -> Slot {
    result ?? fail(.overflow, a, b)
  }

  // MARK: Prefix operators

  /// `-a`: ints and doubles.
  @inline(never)
  mutating func negate(_ a: Slot) -> Slot {
    switch a.tag {
    case .int:
      let (result, overflow) = Int64(0).subtractingReportingOverflow(a.intValue)
      if overflow, !rules.contains(.wrappingArithmetic) { return fail(.overflow, a) }
      return .int(result)
    case .double: return .double(-a.doubleValue)
    default: return fail(.unsupportedUnary, a)
    }
  }
}
