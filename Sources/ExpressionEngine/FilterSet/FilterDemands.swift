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
    let path = path(code)
    var result = FilterDemands()
    // From the end: what is joined into the result, until something else is put there.
    for (index, isAlwaysExecuted) in path.reversed() {
      let instruction = code[index]
      if instruction.opcode == .jump { continue }
      guard instruction.a == target, writes(instruction) else {
        // It prepares an operand, or jumps within one.
        result.isComplete = false
        continue
      }
      guard isAlwaysExecuted else { return result.incomplete }
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

  /// The instructions before the return that are executed when no condition makes the code jump, and
  /// whether they are executed when one does. Such code has no loops: all jumps lead forward.
  private func path(_ code: UnsafeMutablePointer<Instruction>) -> [(index: Int, isAlways: Bool)] {
    var result: [(index: Int, isAlways: Bool)] = []
    // The furthest label that an instruction so far may continue at instead of going on.
    var furthest = 0
    // The instruction that the path goes on with.
    var next = 0
    var index = 0
    while true {
      let instruction = code[index]
      let isOnPath = index == next
      if isOnPath {
        if instruction.opcode == .returnValue { return result }
        result.append((index, furthest <= index))
        next = instruction.opcode == .jump ? instruction.wide : index + 1
      }
      switch instruction.opcode {
      case .jumpIfTrue, .jumpIfFalse, .jumpIfExactlyTrue, .jumpIfExactlyFalse:
        furthest = max(furthest, instruction.wide)
      case .jump where !isOnPath:
        furthest = max(furthest, instruction.wide)
      default: break
      }
      index += 1
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
