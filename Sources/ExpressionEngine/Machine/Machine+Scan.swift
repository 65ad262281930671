// Loops that are one instruction: every element against a constant, or looked up in a collection.

extension Machine {
  /// Runs a loop whose body is `element mask constant`.
  ///
  /// - Returns: What ``LoopKind`` says, with a count in place of ``LoopKind/existsOne``'s bool, or an
  ///   error slot.
  @inline(never)
  mutating func scan(_ iterator: Slot, _ operand: ScanOperand, _ constant: Slot) -> Slot {
    let mask = operand.mask
    guard constant.isInt else {
      return scan(iterator, operand.kind) { machine, element in
        machine.compare(mask, element, constant)
      }
    }
    let wanted = constant.intValue
    return scan(iterator, operand.kind) { machine, element in
      guard element.isInt else { return machine.compare(mask, element, constant) }
      let order =
        (element.intValue > wanted ? 1 : 0) &- (element.intValue < wanted ? 1 : 0)
      return .bool(mask.accepts(order))
    }
  }

  /// Runs a loop whose body is `element in collection`.
  @inline(never)
  mutating func scan(_ iterator: Slot, _ operand: ScanOperand, in collection: Slot) -> Slot {
    guard collection.isA(.list) else {
      return scan(iterator, operand.kind) { $0.membership($1, in: collection) }
    }
    let elements = collection.elements
    return scan(iterator, operand.kind) { machine, element in
      guard element.isA(.string) else { return machine.membership(element, in: collection) }
      return .bool(
        elements.contains {
          $0.word1 == element.word1
            && Slot.sameBytes($0.word0, element.word0, count: element.aux)
        })
    }
  }

  @inline(__always)
  private mutating func scan(
    _ iterator: Slot, _ kind: LoopKind, _ body: (inout Machine, Slot) -> Slot
  ) -> Slot {
    var place = iterator
    var count: Int64 = 0
    while place.aux != 0 {
      steps &-= 1
      if steps < 0 { return fail(.stepLimit) }
      let outcome = body(&self, place.address.load(as: Slot.self))
      if outcome.isA(.error) { return outcome }
      switch kind {
      case .all: if !outcome.boolValue { return .bool(false) }
      case .exists: if outcome.boolValue { return .bool(true) }
      default: count &+= outcome.boolValue ? 1 : 0
      }
      place = place.advanced
    }
    switch kind {
    case .all: return .bool(true)
    case .exists: return .bool(false)
    default: return .int(count)
    }
  }
}
