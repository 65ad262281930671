/// What a filter that cannot fail demands of a context: if one of its conditions is false, the filter is
/// false.
struct FilterDemands {
  /// The conditions, the last one of the filter first. Their attributes are numbered as in the program.
  var conditions: [PlacedCondition] = []
  /// Whether the filter is true exactly when all conditions are, and false otherwise.
  var isComplete = true
  /// Whether the filter is false for every context of these kinds.
  var isNever = false
}

extension Program {
  /// What the program demands of contexts whose attributes are of the same kinds as those of `context`.
  ///
  /// Superscript evaluates all operands of `&&`, so that a false condition decides nothing while
  /// another one may still fail (spec/superscript.md §8). Therefore the answer is `nil` unless no
  /// instruction of the code specialized for the context can fail. Whether one can depends on the kinds
  /// of the attributes alone, not on their values.
  func demands(of context: ContextStorage) -> FilterDemands? {
    let code = specialize(for: context)
    defer { code.deallocate() }
    guard isInfallible(code),
      let end = (0..<codeCount).first(where: { code[$0].opcode == .returnValue })
    else { return nil }
    let target = code[end].a
    let furthest = furthestLabels(code, before: end)
    var result = FilterDemands()
    // From the end: what is joined into the result, until something else is put there.
    for index in stride(from: end - 1, through: 0, by: -1) {
      let instruction = code[index]
      guard instruction.a == target, writes(instruction) else {
        // It prepares an operand, or jumps within one.
        result.isComplete = false
        continue
      }
      // A jump across it means that it is not always executed.
      guard furthest[index] <= index else { return result.incomplete }
      switch instruction.opcode {
      case .conjoin: result.isComplete = false
      case let opcode where instruction.isPlacedComparison:
        let x = PlacedComparison(rawValue: instruction.x)
        if opcode == .setBool {
          if !x.mask.accepts(instruction.wide == 1 ? 0 : 1) { result.isNever = true }
        } else {
          result.conditions.append(
            PlacedCondition(
              constant: constants[instruction.c],
              attribute: UInt32(truncatingIfNeeded: self.code[index].b), opcode: opcode,
              mask: x.mask))
        }
        if !x.conjoins { return result }
      default: return result.incomplete
      }
    }
    return result.incomplete
  }

  /// For each instruction the furthest label that the ones before it may continue at. Such code has
  /// no loops, so that all jumps lead forward.
  private func furthestLabels(
    _ code: UnsafeMutablePointer<Instruction>, before end: Int
  ) -> [Int] {
    var furthest = 0
    return (0..<end).map { index in
      defer {
        switch code[index].opcode {
        case .jump, .jumpIfTrue, .jumpIfFalse: furthest = max(furthest, code[index].wide)
        default: break
        }
      }
      return furthest
    }
  }

  private func writes(_ instruction: Instruction) -> Bool {
    switch OpcodeTable[instruction.opcode].roles[0] {
    case .target, .update: true
    default: false
    }
  }
}

extension FilterDemands {
  fileprivate var incomplete: FilterDemands {
    var copy = self
    copy.isComplete = false
    return copy
  }
}
