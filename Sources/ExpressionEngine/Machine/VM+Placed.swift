import Synchronization

// Most filters compare attributes with constants and do little else. They run here, best when specialized
// for the shapes of their contexts: a loop so small that its state stays in processor registers, without
// scratch memory, budgets or failures to prepare. What cannot be done here is given up, and begins
// again with a machine; nothing has happened yet that could be seen.

extension VM {
  /// Runs a program as far as that goes without a machine.
  ///
  /// - Returns: The value, or ``Slot/givenUp``.
  @inline(never)
  static func runPlain(_ header: UnsafePointer<ProgramHeader>, _ context: Context) -> Slot {
    let shapes = context.roots[header.pointee.shapesIndex]
    if shapes != 0, let entry = specializedCode(header, for: shapes, context) {
      if let decisions = entry.pointee.decisions {
        let branch = follow(decisions, context.roots, from: decisions)
        return branch == .givenUp ? .givenUp : .bool(branch == .true)
      }
      return entry.pointee.isPlain
        ? runPlain(UnsafePointer(entry.pointee.code), header, context.roots) : .givenUp
    }
    return header.pointee.isPlain ? runPlain(header.pointee.code, header, context.roots) : .givenUp
  }

  /// The specialized code for a context, made now if it is time.
  @inline(__always)
  private static func specializedCode(
    _ header: UnsafePointer<ProgramHeader>, for shapes: UInt, _ context: Context
  ) -> UnsafePointer<SpecializedCode>? {
    let newest = header.pointee.specialized.pointee.load(ordering: .acquiring)
    // A machine asks for specialized code by itself; asked twice, a shape would count twice.
    return header.pointee.isPlain
      ? Program.specializedCode(header, for: shapes, newest: newest, in: context.storage)
      : Program.knownCode(for: shapes, newest: newest)
  }

  /// Runs plain code.
  ///
  /// - Parameters:
  ///   - code: Code for which ``SpecializedCode/isPlain`` or ``ProgramHeader/isPlain`` holds.
  ///   - header: The program that the code belongs to.
  ///   - roots: The tables of a context, of the shapes that the code was made for if it is specialized.
  /// - Returns: The value, or ``Slot/givenUp``.
  @inline(__always)
  private static func runPlain(
    _ code: UnsafePointer<Instruction>, _ header: UnsafePointer<ProgramHeader>,
    _ roots: UnsafePointer<UInt>
  ) -> Slot {
    withUnsafeTemporaryAllocation(of: Slot.self, capacity: smallFrame) { frame in
      plainLoop(code, header, roots, frame.baseAddress.unsafelyUnwrapped)
    }
  }

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
      case .compareAttributeInt, .compareAttributeString, .orderAttributeString,
        .compareAttributeReadings, .compareAttributeBool, .compareAttribute, .attributeInSet,
        .attributeInConstant:
        guard compareAttribute(instruction, header, roots, frame) else { return .givenUp }
        continue
      case .loadAttribute, .loadVariable:
        guard loadAttribute(instruction, header, roots, frame) else { return .givenUp }
        continue
      case .returnValue:
        return frame[instruction.a]
      case .jump:
        next = code + instruction.wide
        continue
      case .jumpIfTrue:
        if frame[instruction.a].isTruthy { next = code + instruction.wide }
        continue
      case .jumpIfFalse:
        if !frame[instruction.a].isTruthy { next = code + instruction.wide }
        continue
      case .jumpIfExactlyTrue:
        if frame[instruction.a].isTrue { next = code + instruction.wide }
        continue
      case .jumpIfExactlyFalse:
        if frame[instruction.a].isFalse { next = code + instruction.wide }
        continue
      case .reraise, .settle:
        // Nothing fails here, so that there is no failure to raise again.
        continue
      case .loadPlace:
        frame[instruction.a] = value(instruction, roots).pointee
        continue
      case .loadConstant:
        frame[instruction.a] = constants[instruction.wide]
        continue
      case .move:
        frame[instruction.a] = frame[instruction.b]
        continue
      case .conjoin:
        if !frame[instruction.b].isTruthy { frame[instruction.a] = .bool(false) }
        continue
      case .truth:
        frame[instruction.a] = .bool(frame[instruction.b].isTruthy)
        continue
      case .loadNull:
        frame[instruction.a] = .null
        continue
      case .jumpIfEmpty:
        if frame[instruction.a].aux == 0 { next = code + instruction.wide }
        continue
      case .addConstant:
        guard add(frame[instruction.b], constants[instruction.c], frame + instruction.a) else {
          return .givenUp
        }
        continue
      case .subtractConstant:
        guard subtract(frame[instruction.b], constants[instruction.c], frame + instruction.a) else {
          return .givenUp
        }
        continue
      case .multiplyConstant:
        guard multiply(frame[instruction.b], constants[instruction.c], frame + instruction.a) else {
          return .givenUp
        }
        continue
      case .divideConstant:
        let result = divide(frame[instruction.b], constants[instruction.c])
        if result.isGivenUp { return .givenUp }
        frame[instruction.a] = result
        continue
      case .add:
        guard add(frame[instruction.b], frame[instruction.c], frame + instruction.a) else {
          return .givenUp
        }
        continue
      case .subtract:
        guard subtract(frame[instruction.b], frame[instruction.c], frame + instruction.a) else {
          return .givenUp
        }
        continue
      case .multiply:
        guard multiply(frame[instruction.b], frame[instruction.c], frame + instruction.a) else {
          return .givenUp
        }
        continue
      case .callStartsWith:
        let text = frame[instruction.b]
        guard text.isA(.string) else { return .givenUp }
        frame[instruction.a] = .bool(text.hasPrefix(constants[instruction.c]))
        continue
      case .callEndsWith:
        let text = frame[instruction.b]
        guard text.isA(.string) else { return .givenUp }
        frame[instruction.a] = .bool(text.hasSuffix(constants[instruction.c]))
        continue
      case .loopBegin:
        let list = frame[instruction.b]
        guard list.isA(.list) else { return .givenUp }
        frame[instruction.a] = Slot(.iterator, list.word0, aux: list.aux, extra: 1)
        continue
      case .compareConstant:
        let left = frame[instruction.b]
        let right = constants[instruction.c]
        if left.isInt, right.isInt {
          let mask = ComparisonMask(bits: instruction.x)
          frame[instruction.a] = .bool(mask.accepts(intOrder(left, right)))
          continue
        }
        guard placedStep(instruction, header, frame) else { return .givenUp }
        continue
      default:
        guard placedStep(instruction, header, frame) else { return .givenUp }
        continue
      }
      if !storePlaced(order, instruction, frame) {
        next += PlacedComparison(rawValue: instruction.x).skip
      }
    }
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

  @inline(__always)
  private static func divide(_ left: Slot, _ right: Slot) -> Slot {
    // Zero and -1 are the divisors that may have no result.
    guard left.isInt, right.isInt, UInt64(bitPattern: right.intValue &+ 1) > 1 else {
      return .givenUp
    }
    return .int(left.intValue / right.intValue)
  }

  /// A loop whose body is `element mask constant`: over ints, or for equality with a string.
  static func scan(_ iterator: Slot, _ operand: ScanOperand, _ constant: Slot) -> Slot {
    if constant.isA(.string), operand.mask.isEquality {
      let ifSame = operand.mask == .equal
      // What is no string is another value, and no failure.
      return scan(iterator, operand.kind) { sameText($0, constant) == ifSame }
    }
    guard constant.isInt else { return .givenUp }
    let bound = constant.intValue
    // A loop for each operator: asking the mask would take longer than comparing.
    return switch operand.mask {
    case .greater: scan(iterator, operand.kind) { $0.isInt ? $0.intValue > bound : nil }
    case .greaterEqual: scan(iterator, operand.kind) { $0.isInt ? $0.intValue >= bound : nil }
    case .less: scan(iterator, operand.kind) { $0.isInt ? $0.intValue < bound : nil }
    case .lessEqual: scan(iterator, operand.kind) { $0.isInt ? $0.intValue <= bound : nil }
    case .equal: scan(iterator, operand.kind) { $0.isInt ? $0.intValue == bound : nil }
    default:
      scan(iterator, operand.kind) { element in
        element.isInt ? operand.mask.accepts(intOrder(element, constant)) : nil
      }
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
