import Synchronization

// Most filters compare attributes with constants and do little else. Specialized for the shapes of
// their contexts, they run here: a loop so small that its state stays in processor registers, without
// scratch memory, budgets or failures to prepare. What cannot be done here is given up, and begins
// again with a machine; nothing has happened yet that could be seen.

extension VM {
  /// The newest specialized code of a program, if it is plain and for the shapes of this context.
  @inline(__always)
  static func plainCode(
    _ header: UnsafePointer<ProgramHeader>, _ roots: UnsafePointer<UInt>
  ) -> UnsafePointer<SpecializedCode>? {
    let newest = header.pointee.specialized.pointee.load(ordering: .acquiring)
    guard let entry = UnsafePointer<SpecializedCode>(bitPattern: newest),
      entry.pointee.isPlain, entry.pointee.shapes == roots[header.pointee.shapesIndex]
    else { return nil }
    return entry
  }

  /// Runs plain specialized code.
  ///
  /// - Parameters:
  ///   - code: Code for which ``SpecializedCode/isPlain`` holds.
  ///   - header: The program that the code was made from.
  ///   - roots: The tables of a context of the shapes that the code was made for.
  /// - Returns: The value, or ``Slot/givenUp``.
  @inline(__always)
  static func runPlaced(
    _ code: UnsafePointer<SpecializedCode>, _ header: UnsafePointer<ProgramHeader>,
    _ roots: UnsafePointer<UInt>
  ) -> Slot {
    withUnsafeTemporaryAllocation(of: Slot.self, capacity: smallFrame) { frame in
      let registers = frame.baseAddress.unsafelyUnwrapped
      return code.pointee.isInfallible
        ? infallibleLoop(
          UnsafePointer(code.pointee.code), header.pointee.constants, roots, registers)
        : plainLoop(UnsafePointer(code.pointee.code), header, roots, registers)
    }
  }

  /// Runs comparisons that cannot fail, jumps and moves.
  @inline(never)
  private static func infallibleLoop(
    _ code: UnsafePointer<Instruction>, _ constants: UnsafePointer<Slot>,
    _ roots: UnsafePointer<UInt>, _ frame: UnsafeMutablePointer<Slot>
  ) -> Slot {
    var next = code
    while true {
      let instruction = next.pointee
      next += 1
      guard executeInfallible(instruction, code, &next, constants, roots, frame) else {
        return frame[instruction.a]
      }
    }
  }

  /// Runs all plain code: the above, and short instructions that may give up.
  @inline(never)
  private static func plainLoop(
    _ code: UnsafePointer<Instruction>, _ header: UnsafePointer<ProgramHeader>,
    _ roots: UnsafePointer<UInt>, _ frame: UnsafeMutablePointer<Slot>
  ) -> Slot {
    let constants = header.pointee.constants
    var next = code
    while true {
      let instruction = next.pointee
      next += 1
      let isDone: Bool
      switch instruction.opcode {
      case .jumpIfEmpty:
        if frame[instruction.a].aux == 0 { next = code + instruction.wide }
        isDone = true
      case .addConstant:
        isDone = add(frame[instruction.b], constants[instruction.c], frame + instruction.a)
      case .subtractConstant:
        isDone = subtract(frame[instruction.b], constants[instruction.c], frame + instruction.a)
      case .multiplyConstant:
        isDone = multiply(frame[instruction.b], constants[instruction.c], frame + instruction.a)
      case .add:
        isDone = add(frame[instruction.b], frame[instruction.c], frame + instruction.a)
      case .subtract:
        isDone = subtract(frame[instruction.b], frame[instruction.c], frame + instruction.a)
      case .multiply:
        isDone = multiply(frame[instruction.b], frame[instruction.c], frame + instruction.a)
      case .callStartsWith:
        let text = frame[instruction.b]
        isDone = text.isA(.string)
        if isDone { frame[instruction.a] = .bool(text.hasPrefix(constants[instruction.c])) }
      case .callEndsWith:
        let text = frame[instruction.b]
        isDone = text.isA(.string)
        if isDone { frame[instruction.a] = .bool(text.hasSuffix(constants[instruction.c])) }
      case .loopBegin:
        let list = frame[instruction.b]
        isDone = list.isA(.list)
        frame[instruction.a] = Slot(.iterator, list.word0, aux: list.aux, extra: 1)
      case .compareConstant:
        let left = frame[instruction.b]
        let right = constants[instruction.c]
        if left.isInt, right.isInt {
          let mask = ComparisonMask(bits: instruction.x)
          frame[instruction.a] = .bool(mask.accepts(intOrder(left, right)))
          isDone = true
        } else {
          isDone = placedStep(instruction, header, frame)
        }
      case .compare, .divideConstant, .scanConstant, .scanMembership, .callMatches, .not, .isOne,
        .expect:
        isDone = placedStep(instruction, header, frame)
      default:
        guard executeInfallible(instruction, code, &next, constants, roots, frame) else {
          return frame[instruction.a]
        }
        continue
      }
      if !isDone { return .givenUp }
    }
  }

  /// Executes an instruction of infallible code; answers `false` when it is the return.
  @inline(__always)
  private static func executeInfallible(
    _ instruction: Instruction, _ code: UnsafePointer<Instruction>,
    _ next: inout UnsafePointer<Instruction>, _ constants: UnsafePointer<Slot>,
    _ roots: UnsafePointer<UInt>, _ frame: UnsafeMutablePointer<Slot>
  ) -> Bool {
    let order: Int
    switch instruction.opcode {
    case .comparePlaceInt:
      order = intOrder(value(instruction, roots).pointee, constants[instruction.c])
    case .comparePlaceString:
      order = sameText(value(instruction, roots).pointee, constants[instruction.c]) ? 0 : 1
    case .comparePlaceBool:
      order = value(instruction, roots).pointee.word0 == constants[instruction.c].word0 ? 0 : 1
    case .orderPlaceString:
      order = Slot.byteOrder(value(instruction, roots).pointee, constants[instruction.c])
    case .comparePlaceReadings:
      let text = constants[instruction.c].elements[0]
      order = sameText(value(instruction, roots).pointee, text) ? 0 : 1
    case .comparePlaceDouble:
      order = doubleOrder(value(instruction, roots).pointee, constants[instruction.c])
    case .placeInSet:
      let slot = value(instruction, roots).pointee
      order = isMember(slot, ofSet: constants[instruction.c]) ? 0 : 1
    case .placeInList:
      let slot = value(instruction, roots).pointee
      order = isMember(slot, ofList: constants[instruction.c]) ? 0 : 1
    case .setBool:
      order = instruction.wide == 1 ? 0 : 1
    case .returnValue:
      return false
    case .jump:
      next = code + instruction.wide
      return true
    case .jumpIfTrue:
      if frame[instruction.a].isTruthy { next = code + instruction.wide }
      return true
    case .jumpIfFalse:
      if !frame[instruction.a].isTruthy { next = code + instruction.wide }
      return true
    case .jumpIfExactlyTrue:
      if frame[instruction.a].isTrue { next = code + instruction.wide }
      return true
    case .jumpIfExactlyFalse:
      if frame[instruction.a].isFalse { next = code + instruction.wide }
      return true
    case .reraise, .settle:
      // Nothing fails here, so that there is no failure to raise again.
      return true
    case .loadPlace:
      frame[instruction.a] = value(instruction, roots).pointee
      return true
    case .loadConstant:
      frame[instruction.a] = constants[instruction.wide]
      return true
    case .move:
      frame[instruction.a] = frame[instruction.b]
      return true
    case .conjoin:
      if !frame[instruction.b].isTruthy { frame[instruction.a] = .bool(false) }
      return true
    case .truth:
      frame[instruction.a] = .bool(frame[instruction.b].isTruthy)
      return true
    default:
      // `loadNull`; infallible code has no other instruction.
      frame[instruction.a] = .null
      return true
    }
    if !storePlaced(order, instruction, frame) {
      next += PlacedComparison(rawValue: instruction.x).skip
    }
    return true
  }

  // MARK: Longer instructions

  /// The longest list that plain code goes through.
  static let longestPlainScan = 1024

  /// Executes an instruction of plain code that is too long for the loop; answers `false` to give up.
  @inline(never)
  private static func placedStep(
    _ instruction: Instruction, _ header: UnsafePointer<ProgramHeader>,
    _ frame: UnsafeMutablePointer<Slot>
  ) -> Bool {
    let constants = header.pointee.constants
    let result: Slot
    switch instruction.opcode {
    case .compareConstant:
      result = compareNumbers(instruction, frame[instruction.b], constants[instruction.c])
    case .compare:
      result = compareNumbers(instruction, frame[instruction.b], frame[instruction.c])
    case .divideConstant:
      result = divide(frame[instruction.b], constants[instruction.c])
    case .scanConstant:
      result = scan(
        frame[instruction.b], ScanOperand(rawValue: instruction.x), constants[instruction.c])
    case .scanMembership:
      result = scan(
        frame[instruction.b], ScanOperand(rawValue: instruction.x), in: frame[instruction.c])
    case .callMatches:
      let text = frame[instruction.b]
      // The program, which the caller keeps alive, keeps its patterns alive.
      guard text.isA(.string),
        let matches = header.pointee.patterns[instruction.c]._withUnsafeGuaranteedRef({
          $0.decide(text.byteBuffer)
        })
      else { return false }
      result = .bool(matches)
    case .not:
      let value = frame[instruction.b]
      guard instruction.x == 0 || value.isA(.bool) else { return false }
      result = .bool(!value.isTruthy)
    case .isOne:
      result = .bool(frame[instruction.a].word0 == 1)
    case .expect:
      let value = frame[instruction.a]
      let kinds = SlotKinds(rawValue: UInt32(truncatingIfNeeded: instruction.wide))
      return kinds.contains(tagOf: value)
    default:
      // Plain code has no other instruction.
      return false
    }
    frame[instruction.a] = result
    return !result.isGivenUp
  }

  private static func compareNumbers(
    _ instruction: Instruction, _ left: Slot, _ right: Slot
  ) -> Slot {
    guard left.isNumber, right.isNumber else { return .givenUp }
    let order = Slot.numericOrder(left, right)
    guard order != .unordered else { return .givenUp }
    return .bool(ComparisonMask(bits: instruction.x).accepts(order.rawValue))
  }

  private static func divide(_ left: Slot, _ right: Slot) -> Slot {
    // Zero and -1 are the divisors that may have no result.
    guard left.isInt, right.isInt, UInt64(bitPattern: right.intValue &+ 1) > 1 else {
      return .givenUp
    }
    return .int(left.intValue / right.intValue)
  }

  /// A loop whose body is `element mask constant`, over ints.
  private static func scan(_ iterator: Slot, _ operand: ScanOperand, _ constant: Slot) -> Slot {
    guard constant.isInt else { return .givenUp }
    let mask = operand.mask
    return scan(iterator, operand.kind) { element in
      element.isInt ? mask.accepts(intOrder(element, constant)) : nil
    }
  }

  /// A loop whose body is `element in collection`, over strings.
  private static func scan(_ iterator: Slot, _ operand: ScanOperand, in list: Slot) -> Slot {
    guard list.isA(.list) else { return .givenUp }
    return scan(iterator, operand.kind) { element in
      element.isA(.string) ? isMember(element, ofList: list) : nil
    }
  }

  @inline(__always)
  private static func scan(
    _ iterator: Slot, _ kind: LoopKind, _ body: (Slot) -> Bool?
  ) -> Slot {
    let count = Int(iterator.aux)
    guard iterator.extra == 1, count <= longestPlainScan else { return .givenUp }
    let elements = UnsafePointer(iterator.address.assumingMemoryBound(to: Slot.self))
    var found: Int64 = 0
    switch kind {
    case .all, .exists:
      // The first element that decides ends the loop.
      let deciding = kind == .exists
      for index in 0..<count {
        guard let isTrue = body(elements[index]) else { return .givenUp }
        if isTrue == deciding { return .bool(deciding) }
      }
      return .bool(!deciding)
    default:
      for index in 0..<count {
        guard let isTrue = body(elements[index]) else { return .givenUp }
        found &+= isTrue ? 1 : 0
      }
      return .int(found)
    }
  }

  // MARK: Comparisons that cannot fail

  /// The order of a double and a number, neither of them NaN.
  @inline(__always)
  static func doubleOrder(_ double: Slot, _ number: Slot) -> Int {
    let left = double.doubleValue
    let right = number.asDouble
    return (left > right ? 1 : 0) &- (left < right ? 1 : 0)
  }

  /// Whether a string is a key of a constant set.
  @inline(__always)
  static func isMember(_ string: Slot, ofSet set: Slot) -> Bool {
    set.table.find(hash: KeyHash.of(string), string: string) != nil
  }

  /// Whether a string is an element of a constant list.
  @inline(__always)
  static func isMember(_ string: Slot, ofList list: Slot) -> Bool {
    for element in list.elements where sameText(element, string) { return true }
    return false
  }
}

extension Slot {
  /// What plain code answers when it leaves the evaluation to a machine. No program has such a value.
  static let givenUp = Slot(.error, 0)

  @inline(__always) var isGivenUp: Bool { isA(.error) }
}
