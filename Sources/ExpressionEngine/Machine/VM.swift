// source ─Tokenizer▶ … ─Compiler▶ Program ─[VM] + Context▶ Value

import Synchronization

/// The machine's loop.
enum VM {
  /// Runs a program over a context.
  ///
  /// - Parameters:
  ///   - header: Verified code, kept alive by the caller.
  ///   - context: What attributes are read from.
  ///   - machine: Scratch memory, failures and budgets.
  /// - Returns: The value, or an error slot whose failure `machine` remembers. The slot may borrow
  ///   memory of the program, the context and `machine`, which the caller keeps alive.
  @inline(__always)
  static func run(
    _ header: UnsafePointer<ProgramHeader>, _ context: ContextStorage, _ machine: inout Machine
  ) -> Slot {
    // A frame of fixed size is a mere move of the stack pointer; nearly all filters fit it.
    if header.pointee.registerCount <= smallFrame {
      return withUnsafeTemporaryAllocation(of: Slot.self, capacity: smallFrame) { frame in
        // A buffer with a capacity above zero has an address.
        loop(header, context, frame.baseAddress.unsafelyUnwrapped, &machine)
      }
    }
    return withUnsafeTemporaryAllocation(of: Slot.self, capacity: header.pointee.registerCount) {
      frame in
      loop(header, context, frame.baseAddress.unsafelyUnwrapped, &machine)
    }
  }

  static let smallFrame = 16

  /// Finds where a failure at `pc` continues, and puts it where the handler wants it.
  @inline(never)
  private static func rescue(
    _ header: UnsafePointer<ProgramHeader>, _ pc: Int, _ frame: UnsafeMutablePointer<Slot>,
    _ machine: inout Machine
  ) -> Int? {
    let program = header.pointee.program.takeUnretainedValue()
    // Exhausted budgets end the evaluation; nothing may carry on from them.
    switch machine.failure.code {
    case .stepLimit, .memoryLimit: return nil
    default: break
    }
    var next = program.handler(at: pc)
    while let number = next {
      let handler = program.handlers[number]
      next = program.handler(around: number)
      if handler.rescues == .missingKey, machine.failure.code != .noSuchKey { continue }
      if let register = handler.register, !frame[Int(register)].isA(.error) {
        // The first failure is the one that is told if nothing absorbs it.
        guard let kept = machine.keptFailure() else { return nil }
        frame[Int(register)] = kept
      }
      return Int(handler.target)
    }
    return nil
  }

  // The hot state lives in locals: code, frame, constants, attributes and roots are raw pointers into
  // memory that `program` and `context` own and that is not written while they live; the caller keeps
  // both alive. Indexes come from instructions that ``Program/verify()`` has checked. Instructions that
  // are rare or long go to `step`, so that few registers are spilled here.
  @inline(never)
  private static func loop(
    _ header: UnsafePointer<ProgramHeader>, _ context: ContextStorage,
    _ frame: UnsafeMutablePointer<Slot>, _ machine: inout Machine
  ) -> Slot {
    let code = code(header, context)
    let constants = header.pointee.constants
    let attributes = header.pointee.attributes
    let roots = context.roots
    var pc = 0

    while true {
      let instruction = code[pc]
      pc &+= 1
      switch instruction.opcode {

      case .compareAttributeInt:
        if let found = probe(attributes + instruction.b, roots),
          found.pointee.word1 == UInt64(SlotTag.int.rawValue)
        {
          let order = intOrder(found.pointee, constants[instruction.c])
          store(order, instruction, frame)
          continue
        }

      case .compareAttributeString:
        if let found = probe(attributes + instruction.b, roots) {
          let slot = found.pointee
          let constant = constants[instruction.c]
          if slot.word1 == constant.word1 {
            let same = Slot.sameBytes(slot.word0, constant.word0, count: constant.aux)
            store(same ? 0 : 1, instruction, frame)
            continue
          }
          if slot.isA(.string) {
            store(1, instruction, frame)
            continue
          }
        }

      case .compareAttributeReadings:
        if let found = probe(attributes + instruction.b, roots), found.pointee.isA(.string) {
          let slot = found.pointee
          // A text can only equal the first reading, which is the text.
          let text = constants[instruction.c].elements[0]
          let same =
            slot.word1 == text.word1
            && Slot.sameBytes(slot.word0, text.word0, count: text.aux)
          store(same ? 0 : 1, instruction, frame)
          continue
        }

      case .orderAttributeString:
        if let found = probe(attributes + instruction.b, roots), found.pointee.isA(.string) {
          store(Slot.byteOrder(found.pointee, constants[instruction.c]), instruction, frame)
          continue
        }

      case .compareAttributeBool:
        if let found = probe(attributes + instruction.b, roots), found.pointee.isA(.bool) {
          store(
            found.pointee.word0 == constants[instruction.c].word0 ? 0 : 1, instruction, frame)
          continue
        }

      case .attributeInSet:
        if let found = probe(attributes + instruction.b, roots), found.pointee.isA(.string) {
          let slot = found.pointee
          let isMember =
            constants[instruction.c].table.find(hash: KeyHash.of(slot), string: slot) != nil
          store(isMember ? 0 : 1, instruction, frame)
          continue
        }

      case .loadAttribute:
        if let found = probe(attributes + instruction.wide, roots) {
          frame[instruction.a] = found.pointee
          continue
        }

      case .loadVariable:
        if let found = probe(attributes + instruction.wide, roots) {
          frame[instruction.a] = found.pointee
          continue
        }

      case .loadConstant:
        frame[instruction.a] = constants[instruction.wide]
        continue

      case .move:
        frame[instruction.a] = frame[instruction.b]
        continue

      case .loadPlace:
        frame[instruction.a] = value(instruction, roots).pointee
        continue

      case .loadNull:
        frame[instruction.a] = .null
        continue

      case .comparePlaceInt:
        let order = intOrder(value(instruction, roots).pointee, constants[instruction.c])
        if !storePlaced(order, instruction, frame) {
          pc &+= PlacedComparison(rawValue: instruction.x).skip
        }
        continue

      case .comparePlaceDouble:
        let left = value(instruction, roots).pointee.doubleValue
        let right = constants[instruction.c].asDouble
        if !storePlaced((left > right ? 1 : 0) &- (left < right ? 1 : 0), instruction, frame) {
          pc &+= PlacedComparison(rawValue: instruction.x).skip
        }
        continue

      case .comparePlaceString:
        let isSame = sameText(value(instruction, roots).pointee, constants[instruction.c])
        if !storePlaced(isSame ? 0 : 1, instruction, frame) {
          pc &+= PlacedComparison(rawValue: instruction.x).skip
        }
        continue

      case .comparePlaceReadings:
        let isSame = sameText(
          value(instruction, roots).pointee, constants[instruction.c].elements[0])
        if !storePlaced(isSame ? 0 : 1, instruction, frame) {
          pc &+= PlacedComparison(rawValue: instruction.x).skip
        }
        continue

      case .orderPlaceString:
        let order = Slot.byteOrder(value(instruction, roots).pointee, constants[instruction.c])
        if !storePlaced(order, instruction, frame) {
          pc &+= PlacedComparison(rawValue: instruction.x).skip
        }
        continue

      case .comparePlaceBool:
        let isSame = value(instruction, roots).pointee.word0 == constants[instruction.c].word0
        if !storePlaced(isSame ? 0 : 1, instruction, frame) {
          pc &+= PlacedComparison(rawValue: instruction.x).skip
        }
        continue

      case .placeInSet:
        let slot = value(instruction, roots).pointee
        let isMember =
          constants[instruction.c].table.find(hash: KeyHash.of(slot), string: slot) != nil
        if !storePlaced(isMember ? 0 : 1, instruction, frame) {
          pc &+= PlacedComparison(rawValue: instruction.x).skip
        }
        continue

      case .placeInList:
        let isMember = isMember(
          value(instruction, roots).pointee, ofList: constants[instruction.c])
        if !storePlaced(isMember ? 0 : 1, instruction, frame) {
          pc &+= PlacedComparison(rawValue: instruction.x).skip
        }
        continue

      case .setBool:
        if !storePlaced(instruction.wide == 1 ? 0 : 1, instruction, frame) {
          pc &+= PlacedComparison(rawValue: instruction.x).skip
        }
        continue

      case .returnValue:
        return frame[instruction.a]

      case .loadMember:
        let receiver = frame[instruction.a]
        let reference = attributes + instruction.wide
        if receiver.isA(.map),
          let found = receiver.table.find(
            hash: reference.pointee.hash, string: reference.pointee.name)
        {
          frame[instruction.a] = found.pointee
          continue
        }

      case .compare:
        let left = frame[instruction.b]
        let right = frame[instruction.c]
        if left.isInt, right.isInt {
          store(intOrder(left, right), instruction, frame)
          continue
        }

      case .compareConstant:
        let left = frame[instruction.b]
        let right = constants[instruction.c]
        if left.isInt {
          if right.isInt {
            store(intOrder(left, right), instruction, frame)
            continue
          }
          if right.isA(.double), !right.doubleValue.isNaN {
            let number = Double(left.intValue)
            store(
              (number > right.doubleValue ? 1 : 0) &- (number < right.doubleValue ? 1 : 0),
              instruction, frame)
            continue
          }
        }

      case .add:
        if add(frame[instruction.b], frame[instruction.c], frame + instruction.a) { continue }

      case .addConstant:
        if add(frame[instruction.b], constants[instruction.c], frame + instruction.a) { continue }

      case .subtract:
        if subtract(frame[instruction.b], frame[instruction.c], frame + instruction.a) { continue }

      case .subtractConstant:
        if subtract(frame[instruction.b], constants[instruction.c], frame + instruction.a) {
          continue
        }

      case .multiply:
        if multiply(frame[instruction.b], frame[instruction.c], frame + instruction.a) { continue }

      case .multiplyConstant:
        if multiply(frame[instruction.b], constants[instruction.c], frame + instruction.a) {
          continue
        }

      case .conjoin:
        if !frame[instruction.b].isTruthy { frame[instruction.a] = .bool(false) }
        continue

      case .truth:
        frame[instruction.a] = .bool(frame[instruction.b].isTruthy)
        continue

      case .jump:
        pc = instruction.wide
        continue

      case .jumpIfTrue:
        if frame[instruction.a].isTruthy { pc = instruction.wide }
        continue

      case .jumpIfFalse:
        if !frame[instruction.a].isTruthy { pc = instruction.wide }
        continue

      case .jumpIfExactlyTrue:
        if frame[instruction.a].isTrue { pc = instruction.wide }
        continue

      case .jumpIfExactlyFalse:
        if frame[instruction.a].isFalse { pc = instruction.wide }
        continue

      case .loopNext:
        let iterator = frame[instruction.a]
        if iterator.aux == 0 {
          pc = instruction.wide
          continue
        }
        machine.steps &-= 1
        if machine.steps >= 0 {
          frame[instruction.a &+ 1] = iterator.address.load(as: Slot.self)
          frame[instruction.a] = iterator.advanced
          continue
        }

      case .jumpIfEmpty:
        if frame[instruction.a].aux == 0 { pc = instruction.wide }
        continue

      case .loopBegin:
        let source = frame[instruction.b]
        if source.isA(.list) {
          frame[instruction.a] = Slot(.iterator, source.word0, aux: source.aux, extra: 1)
          continue
        }

      case .countIfTrue:
        if frame[instruction.b].isTrue { frame[instruction.a].word0 &+= 1 }
        continue

      case .append:
        if machine.append(frame[instruction.b], to: frame[instruction.a]) { continue }

      case .increment:
        frame[instruction.a].word0 &+= 1
        continue

      case .callStartsWith:
        let value = frame[instruction.b]
        if value.isA(.string) {
          frame[instruction.a] = .bool(value.hasPrefix(constants[instruction.c]))
          continue
        }

      case .callEndsWith:
        let value = frame[instruction.b]
        if value.isA(.string) {
          frame[instruction.a] = .bool(value.hasSuffix(constants[instruction.c]))
          continue
        }

      case .divideConstant:
        let left = frame[instruction.b]
        let right = constants[instruction.c]
        // Zero and -1 are the divisors that may have no result.
        if left.isInt, right.isInt, UInt64(bitPattern: right.intValue &+ 1) > 1 {
          frame[instruction.a] = .int(left.intValue / right.intValue)
          continue
        }

      case .divide, .remainder, .remainderConstant, .compareAttribute,
        .attributeInConstant, .loadElement, .membership, .membershipConstant, .memberOfSet,
        .compareReadings, .negate, .requireNumber, .not, .requireBool,
        .scanConstant,
        .scanMembership, .beginList,
        .endList, .insert, .endMap, .call, .callHost, .callMatches, .expect,
        .raise, .reraise, .overlay, .absorbReferences, .isOne, .settle, .loadDeclared,
        .loopBeginPairs,
        .loopNextPair, .appendOptional, .insertOptional, .insertEntries, .force, .forced:
        break
      }

      // Whatever was not decided above.
      let here = pc &- 1
      pc = step(instruction, at: here, header, context, frame, &machine)
      if pc < 0 {
        guard let target = rescue(header, here, frame, &machine) else {
          return Slot(.error, UInt64(machine.failure.code.rawValue))
        }
        pc = target
      }
    }
  }

  // MARK: Pieces of the loop

  /// The code to run: that for the context's shapes if there is any, or else the program's own.
  @inline(__always)
  private static func code(
    _ header: UnsafePointer<ProgramHeader>, _ context: ContextStorage
  ) -> UnsafePointer<Instruction> {
    let shapes = context.roots[header.pointee.shapesIndex]
    let newest = header.pointee.specialized.pointee.load(ordering: .acquiring)
    if let entry = UnsafePointer<SpecializedCode>(bitPattern: newest),
      entry.pointee.shapes == shapes
    {
      return UnsafePointer(entry.pointee.code)
    }
    guard shapes != 0 else { return header.pointee.code }
    return Program.specializedCode(header, for: shapes, newest: newest, in: context).map {
      UnsafePointer($0.pointee.code)
    } ?? header.pointee.code
  }

  /// The value at a place of a context's tables, which specialized code was made for.
  @inline(__always)
  static func value(
    _ instruction: Instruction, _ roots: UnsafePointer<UInt>
  ) -> UnsafePointer<Slot> {
    Place(rawValue: UInt16(truncatingIfNeeded: instruction.b)).value(roots)
  }

  /// Puts the outcome of a comparison at its target and answers it.
  ///
  /// A condition that is true leaves a conjunction as it was. The caller branches on the answer rather
  /// than computing with it: a predicted branch lets the machine run ahead of the comparison.
  @inline(__always)
  static func storePlaced(
    _ order: Int, _ instruction: Instruction, _ frame: UnsafeMutablePointer<Slot>
  ) -> Bool {
    let x = PlacedComparison(rawValue: instruction.x)
    guard _fastPath(x.mask.accepts(order)) else {
      frame[instruction.a] = .bool(false)
      return false
    }
    if !x.conjoins { frame[instruction.a] = .bool(true) }
    return true
  }

  /// The value of an attribute, found with one probe; `nil` when the root or the name is missing.
  @inline(__always)
  static func probe(
    _ reference: UnsafePointer<AttributeReference>, _ roots: UnsafePointer<UInt>
  ) -> UnsafePointer<Slot>? {
    guard let root = UnsafeRawPointer(bitPattern: roots[Int(reference.pointee.root)]) else {
      return nil
    }
    return MapTable(base: root).find(
      hash: reference.pointee.hash, string: reference.pointee.name)
  }

  /// Puts the outcome of a comparison where its instruction wants it.
  @inline(__always)
  private static func store(
    _ order: Int, _ instruction: Instruction, _ frame: UnsafeMutablePointer<Slot>
  ) {
    let x = FusedComparison(rawValue: instruction.x)
    let value: UInt64 = x.mask.accepts(order) ? 1 : 0
    if x.conjoins {
      frame[instruction.a].word0 &= value
    } else {
      frame[instruction.a] = Slot(.bool, value)
    }
  }

  @inline(__always)
  static func sameText(_ a: Slot, _ b: Slot) -> Bool {
    a.word1 == b.word1 && Slot.sameBytes(a.word0, b.word0, count: a.aux)
  }

  @inline(__always)
  static func intOrder(_ a: Slot, _ b: Slot) -> Int {
    (a.intValue > b.intValue ? 1 : 0) &- (a.intValue < b.intValue ? 1 : 0)
  }

  @inline(__always)
  static func add(_ a: Slot, _ b: Slot, _ target: UnsafeMutablePointer<Slot>) -> Bool {
    guard a.isInt, b.isInt else { return false }
    let (result, overflow) = a.intValue.addingReportingOverflow(b.intValue)
    if !overflow { target.pointee = .int(result) }
    return !overflow
  }

  @inline(__always)
  static func subtract(
    _ a: Slot, _ b: Slot, _ target: UnsafeMutablePointer<Slot>
  ) -> Bool {
    guard a.isInt, b.isInt else { return false }
    let (result, overflow) = a.intValue.subtractingReportingOverflow(b.intValue)
    if !overflow { target.pointee = .int(result) }
    return !overflow
  }

  @inline(__always)
  static func multiply(
    _ a: Slot, _ b: Slot, _ target: UnsafeMutablePointer<Slot>
  ) -> Bool {
    guard a.isInt, b.isInt else { return false }
    let (result, overflow) = a.intValue.multipliedReportingOverflow(by: b.intValue)
    if !overflow { target.pointee = .int(result) }
    return !overflow
  }
}
