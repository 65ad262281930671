import Synchronization

/// Code for contexts of certain shapes: a copy of a program's code in which attributes are read from
/// their places, comparisons know the kinds of their operands, and a conjunction ends at its first
/// false condition, because the others are known not to fail.
///
/// Specialized code answers what the program's own code answers, instruction by instruction, and so does
/// its graph of decisions; tests compare the three. It is made after a program has met contexts of the same shapes a few times.
struct SpecializedCode {
  /// The packed shapes of the contexts that it is for.
  let shapes: UInt
  let code: UnsafeMutablePointer<Instruction>
  /// The graph of decisions that does the same, if the code only asks questions.
  let decisions: UnsafePointer<Decision>?
  /// Whether nothing in the code calls the host, allocates or loops without bound, so that ``VM/runPlain(_:_:)`` can run it
  /// without a ``Machine``. Where such code would fail it gives up, and a machine starts again.
  let isPlain: Bool
  /// Whether the code is infallible and has so few and simple jumps that many contexts can go through it together.
  let isForBlocks: Bool
  /// The code for other shapes that was made before, or `nil`.
  let next: UnsafeMutablePointer<SpecializedCode>?

  /// The most jumps of code for blocks.
  static let maximumBlockJumps = 32
}

/// How far specializing a program has come; guarded by ``Program/specialization``.
struct SpecializationState: @unchecked Sendable {
  /// The newest code; the list of all of them hangs on it and is freed with the program.
  fileprivate var newest: UnsafeMutablePointer<SpecializedCode>?
  fileprivate var count = 0
  /// How many more contexts without code are looked at. It is filled up when code was made.
  fileprivate var patience = Self.fullPatience
  /// Shapes that were met without code, and how often, less how often others stood in their way.
  private var candidates: [(shapes: UInt, count: UInt8)] = []

  static let fullPatience: UInt16 = 512
  static let maximumCandidates = 16

  /// Counts shapes; answers whether they were met often enough for code of their own.
  ///
  /// A shape that is new takes the place of the rarest candidate, or takes away one of its counts: so
  /// shapes that return are found among any number that do not.
  fileprivate mutating func meet(_ shapes: UInt) -> Bool {
    patience = max(patience, 1) &- 1
    guard let place = candidates.firstIndex(where: { $0.shapes == shapes }) else {
      if candidates.count < Self.maximumCandidates {
        candidates.append((shapes, 1))
      } else if let rarest = candidates.indices.min(by: {
        candidates[$0].count < candidates[$1].count
      }) {
        candidates[rarest].count &-= 1
        if candidates[rarest].count == 0 { candidates[rarest] = (shapes, 1) }
      }
      return false
    }
    candidates[place].count &+= 1
    guard candidates[place].count >= Program.warmUp else { return false }
    candidates.remove(at: place)
    patience = Self.fullPatience
    return true
  }

  fileprivate mutating func forgetCandidates() { candidates = [] }

  /// Frees all specialized code. Nothing may run it any more.
  mutating func free() {
    while let entry = newest {
      newest = entry.pointee.next
      entry.pointee.code.deallocate()
      entry.pointee.decisions?.deallocate()
      entry.deallocate()
    }
  }
}

extension Program {
  /// How often shapes must be met before code is made for them, and for how many shapes it is made.
  fileprivate static let warmUp = 3
  static let maximumSpecializations = 8

  /// The code for contexts of certain shapes, if there is or should be any.
  ///
  /// - Parameters:
  ///   - shapes: The packed shapes of the context, not 0.
  ///   - newest: The newest specialized code, as the caller found it.
  @inline(never)
  static func specializedCode(
    _ header: UnsafePointer<ProgramHeader>, for shapes: UInt, newest: UInt,
    in context: ContextStorage
  ) -> UnsafePointer<SpecializedCode>? {
    if let known = knownCode(for: shapes, newest: newest) { return known }
    // No more is written once it is settled, so that threads do not disturb each other.
    guard !header.pointee.isSettled.pointee.load(ordering: .relaxed) else { return nil }
    return header.pointee.program.takeUnretainedValue().meet(shapes, in: context)
  }

  /// The code that was made for certain shapes.
  @inline(__always)
  static func knownCode(
    for shapes: UInt, newest: UInt
  ) -> UnsafePointer<SpecializedCode>? {
    var entry = UnsafePointer<SpecializedCode>(bitPattern: newest)
    while let known = entry {
      if known.pointee.shapes == shapes { return known }
      entry = known.pointee.next.map { UnsafePointer($0) }
    }
    return nil
  }

  /// Makes code for shapes that were met for the third time; `nil` otherwise.
  private func meet(
    _ shapes: UInt, in context: ContextStorage
  ) -> UnsafePointer<SpecializedCode>? {
    // Whoever finds the lock taken runs the program's own code rather than wait.
    let made: UnsafePointer<SpecializedCode>?? = specialization.withLockIfAvailable { state in
      let isFrequent = state.meet(shapes)
      if isFrequent, state.count < Self.maximumSpecializations {
        state.count += 1
        let code = specialize(for: context)
        let entry = UnsafeMutablePointer<SpecializedCode>.allocate(capacity: 1)
        entry.initialize(
          to: SpecializedCode(
            shapes: shapes, code: code, decisions: decisions(code, context), isPlain: isPlain(code),
            isForBlocks: isInfallible(code) && isForBlocks(code), next: state.newest))
        state.newest = entry
        header.pointee.specialized.pointee.store(UInt(bitPattern: entry), ordering: .releasing)
        return UnsafePointer(entry)
      }
      if state.patience == 0 || state.count == Self.maximumSpecializations {
        header.pointee.isSettled.pointee.store(true, ordering: .relaxed)
        state.forgetCandidates()
      }
      return nil
    }
    return made ?? nil
  }

  /// Makes the code for contexts of the same shapes as `context`.
  func specialize(for context: ContextStorage) -> UnsafeMutablePointer<Instruction> {
    let copy = UnsafeMutablePointer<Instruction>.allocate(capacity: codeCount)
    // Only instructions that cannot fail any more may be skipped.
    var isInfallible = [Bool](repeating: false, count: codeCount)
    for index in 0..<codeCount {
      let placed = placed(code[index], at: index, context)
      (copy + index).initialize(to: placed ?? code[index])
      isInfallible[index] = placed?.isPlacedComparison ?? false
    }
    // From the end, so that each comparison knows how many follow in its conjunction.
    var following = 0
    for index in stride(from: codeCount - 1, through: 0, by: -1) where isInfallible[index] {
      let isContinued =
        index + 1 < codeCount && isInfallible[index + 1] && copy[index + 1].a == copy[index].a
        && PlacedComparison(rawValue: copy[index + 1].x).conjoins
      following = isContinued ? following + 1 : 0
      let x = PlacedComparison(rawValue: copy[index].x)
      copy[index] = copy[index].with(
        x: PlacedComparison(mask: x.mask, conjoins: x.conjoins, skip: following).rawValue)
    }
    return copy
  }

  /// The graph of decisions of specialized code, in memory of its own, with what they refer to behind it.
  private func decisions(
    _ code: UnsafeMutablePointer<Instruction>, _ context: ContextStorage
  ) -> UnsafePointer<Decision>? {
    guard let graph = DecisionGraph.decisions(of: self, code, context.roots) else { return nil }
    let size = graph.decisions.count * MemoryLayout<Decision>.stride
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: size + graph.behind.count * MemoryLayout<Slot>.stride,
      alignment: MemoryLayout<Decision>.alignment)
    (memory + size).initializeMemory(
      as: Slot.self, from: graph.behind, count: graph.behind.count)
    return UnsafePointer(
      memory.initializeMemory(
        as: Decision.self, from: graph.decisions, count: graph.decisions.count))
  }

  private func isPlain(_ code: UnsafeMutablePointer<Instruction>) -> Bool {
    Self.isPlain(
      UnsafeBufferPointer(start: code, count: codeCount), registerCount: registerCount,
      limits: header.pointee.limits)
  }

  /// Whether code can run without a machine; see ``SpecializedCode/isPlain``.
  static func isPlain(
    _ code: UnsafeBufferPointer<Instruction>, registerCount: Int, limits: EvaluationLimits
  ) -> Bool {
    guard registerCount <= VM.smallFrame else { return false }
    var steps = 0
    for instruction in code {
      switch instruction.opcode {
      case .absorbReferences: return true
      case .scanConstant, .scanMembership:
        // Longer lists are left to a machine, which counts steps.
        steps &+= VM.longestPlainScan
        guard steps <= limits.steps else { return false }
      case let opcode:
        guard opcode.isPlain || instruction.isPlacedComparison else { return false }
      }
    }
    return true
  }

  /// Whether code consists of comparisons that cannot fail, jumps and moves only.
  ///
  /// What stands behind the last return is code for failures, which such code does not reach.
  func isInfallible(_ code: UnsafeMutablePointer<Instruction>) -> Bool {
    guard registerCount <= VM.smallFrame else { return false }
    for index in 0..<codeCount {
      switch code[index].opcode {
      case .absorbReferences: return true
      case .returnValue, .loadConstant, .move, .loadPlace, .loadNull, .jump, .jumpIfTrue,
        .jumpIfFalse, .jumpIfExactlyTrue, .jumpIfExactlyFalse, .reraise, .settle, .conjoin,
        .truth:
        continue
      default:
        guard code[index].isPlacedComparison else { return false }
      }
    }
    return true
  }

  /// Whether infallible code is simple enough for ``SpecializedCode/isForBlocks``.
  private func isForBlocks(_ code: UnsafeMutablePointer<Instruction>) -> Bool {
    var jumps = 0
    for index in 0..<codeCount {
      switch code[index].opcode {
      case .jump, .jumpIfTrue, .jumpIfFalse, .jumpIfExactlyTrue: jumps &+= 1
      case .jumpIfExactlyFalse: return false
      default: continue
      }
    }
    return jumps <= SpecializedCode.maximumBlockJumps
  }

  /// The instruction that does the same as `instruction` for all contexts of the same shapes, or `nil`.
  private func placed(
    _ instruction: Instruction, at index: Int, _ context: ContextStorage
  ) -> Instruction? {
    let a = UInt16(truncatingIfNeeded: instruction.a)
    switch instruction.opcode {
    case .loadAttribute, .loadVariable:
      let reference = attributes[instruction.wide]
      switch find(reference, in: context.roots) {
      case .value(let place, _): return Instruction(.loadPlace, a: a, b: place.rawValue)
      case .missing
      where instruction.opcode == .loadAttribute
        && instruction.x == MissingPolicy.null.rawValue:
        return Instruction(.loadNull, a: a, wide: 0)
      default: return nil
      }
    case .loadDeclared:
      switch find(attributes[instruction.wide], in: context.roots) {
      case .value(let place, _): return Instruction(.loadPlace, a: a, b: place.rawValue)
      case .missing: return Instruction(.jump, wide: UInt32(truncatingIfNeeded: index &+ 2))
      case .undecided: return nil
      }
    case _ where instruction.isNamedComparison:
      let comparison = FusedComparison(rawValue: instruction.x)
      switch find(attributes[instruction.b], in: context.roots) {
      case .value(let place, let slot):
        return comparePlace(instruction, comparison, place, slot)
      case .missing where comparison.missing != .fail:
        return Instruction(
          .setBool,
          x: PlacedComparison(mask: .equal, conjoins: comparison.conjoins, skip: 0).rawValue,
          a: a, wide: comparison.missing == .true ? 1 : 0)
      default: return nil
      }
    default: return nil
    }
  }

  private func comparePlace(
    _ instruction: Instruction, _ comparison: FusedComparison, _ place: Place, _ slot: Slot
  ) -> Instruction? {
    let constant = constants[instruction.c]
    let opcode: Opcode
    switch (instruction.opcode, slot.tag) {
    case (.compareAttributeInt, .int): opcode = .comparePlaceInt
    case (.compareAttributeInt, .double), (.compareAttribute, .double):
      guard constant.isNumber, !slot.doubleValue.isNaN,
        !constant.isA(.double) || !constant.doubleValue.isNaN
      else { return nil }
      opcode = .comparePlaceDouble
    case (.compareAttributeString, .string): opcode = .comparePlaceString
    case (.orderAttributeString, .string): opcode = .orderPlaceString
    case (.compareAttributeReadings, .string): opcode = .comparePlaceReadings
    case (.compareAttributeBool, .bool): opcode = .comparePlaceBool
    case (.attributeInSet, .string): opcode = .placeInSet
    case (.attributeInConstant, .string): opcode = .placeInList
    default: return nil
    }
    return Instruction(
      opcode,
      x: PlacedComparison(mask: comparison.mask, conjoins: comparison.conjoins, skip: 0).rawValue,
      a: UInt16(truncatingIfNeeded: instruction.a), b: place.rawValue,
      c: UInt16(truncatingIfNeeded: instruction.c))
  }

  /// What is known of an attribute in all contexts of the same shapes.
  enum Lookup {
    case value(Place, Slot)
    /// The root is there, the name is not.
    case missing
    case undecided
  }

  /// Where an attribute stands, in the tables `roots` of a context.
  func find(_ reference: AttributeReference, in roots: UnsafePointer<UInt>) -> Lookup {
    guard let base = UnsafeRawPointer(bitPattern: roots[Int(reference.root)]) else {
      return reference.rootIsOptional ? .missing : .undecided
    }
    let table = MapTable(base: base)
    guard let found = table.find(hash: reference.hash, string: reference.name),
      let entries = table.entries.baseAddress
    else { return .missing }
    guard let place = Place(root: reference.root, entry: (found - entries) / 2) else {
      return .undecided
    }
    return .value(place, found.pointee)
  }
}

extension Opcode {
  /// Whether plain code may have the instruction. Those from `callStartsWith` on may give up.
  fileprivate var isPlain: Bool {
    switch self {
    case .returnValue, .loadConstant, .move, .loadPlace, .loadNull, .jump, .jumpIfTrue,
      .jumpIfFalse, .jumpIfExactlyTrue, .jumpIfExactlyFalse, .reraise, .settle, .conjoin, .truth,
      .jumpIfEmpty, .isOne,
      .callStartsWith, .callEndsWith, .callMatches, .compare, .compareConstant, .add, .subtract,
      .multiply, .addConstant, .subtractConstant, .multiplyConstant, .divideConstant, .expect,
      .loopBegin, .not, .loadAttribute, .loadVariable, .compareAttributeInt,
      .compareAttributeString, .orderAttributeString, .compareAttributeReadings,
      .compareAttributeBool, .compareAttribute, .attributeInSet, .attributeInConstant:
      true
    default: false
    }
  }
}

extension Instruction {
  /// Whether it is a comparison of specialized code, which cannot fail.
  var isPlacedComparison: Bool {
    switch opcode {
    case .comparePlaceInt, .comparePlaceDouble, .comparePlaceString, .orderPlaceString,
      .comparePlaceReadings, .comparePlaceBool, .placeInSet, .placeInList, .setBool:
      true
    default: false
    }
  }

  /// Whether it is a comparison that finds its attribute by name.
  var isNamedComparison: Bool {
    switch opcode {
    case .compareAttributeInt, .compareAttributeString, .orderAttributeString,
      .compareAttributeReadings, .compareAttributeBool, .compareAttribute, .attributeInSet,
      .attributeInConstant:
      true
    default: false
    }
  }

  /// The instruction with another `x` operand.
  fileprivate func with(x: UInt8) -> Instruction {
    Instruction(word: (word & ~0xFF00) | UInt64(x) << 8)
  }
}
