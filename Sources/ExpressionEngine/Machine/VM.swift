// source ─Tokenizer▶ … ─Compiler▶ Program ─[VM] + Context▶ Value

/// The machine's loop.
enum VM {
  /// Runs a program over a context.
  ///
  /// - Parameters:
  ///   - program: Verified code.
  ///   - context: What attributes are read from.
  ///   - machine: Scratch memory, failures and budgets.
  /// - Returns: The value, or an error slot whose failure `machine` remembers. The slot may borrow
  ///   memory of the program, the context and `machine`, which the caller keeps alive.
  static func run(
    _ program: Program, _ context: ContextStorage, _ machine: inout Machine
  ) -> Slot {
    withUnsafeTemporaryAllocation(of: Slot.self, capacity: program.registerCount) { frame in
      guard let base = frame.baseAddress else { return machine.fail(.memoryLimit) }
      return loop(program, context, base, &machine)
    }
  }

  /// Finds where a failure at `pc` continues, and puts it where the handler wants it.
  @inline(never)
  private static func rescue(
    _ program: Program, _ pc: Int, _ frame: UnsafeMutablePointer<Slot>, _ machine: borrowing Machine
  ) -> Int? {
    // Exhausted budgets end the evaluation; nothing may carry on from them.
    switch machine.failure.code {
    case .stepLimit, .memoryLimit: return nil
    default: break
    }
    for handler in program.handlers where handler.start <= pc && pc < handler.end {
      if handler.rescues == .missingKey, machine.failure.code != .noSuchKey { continue }
      if let register = handler.register {
        frame[Int(register)] = Slot(.error, UInt64(machine.failure.code.rawValue))
      }
      return Int(handler.target)
    }
    return nil
  }

  // The hot state lives in locals: code, frame, constants, attributes and roots are raw pointers into
  // memory that `program` and `context` own and that is not written while they live; the caller keeps
  // both alive. Indexes come from instructions that ``Program/verify()`` has checked.
  //
  // swift-format-ignore
  private static func loop(
    _ program: Program, _ context: ContextStorage, _ frame: UnsafeMutablePointer<Slot>,
    _ machine: inout Machine
  ) -> Slot {
    let code = UnsafePointer(program.code)
    let constants = UnsafePointer(program.constants)
    let attributes = UnsafePointer(program.attributes)
    let roots = UnsafePointer(context.roots)
    var pc = 0

    while true {
      let instruction = code[pc]
      pc &+= 1
      var result: Slot
      switch instruction.opcode {

      case .compareAttributeInt:
        let constant = constants[instruction.c]
        if let found = probe(attributes + instruction.b, roots),
          found.pointee.word1 == UInt64(SlotTag.int.rawValue)
        {
          let left = found.pointee.intValue
          let right = constant.intValue
          let order = (left > right ? 1 : 0) &- (left < right ? 1 : 0)
          let x = FusedComparison(rawValue: instruction.x)
          store(x.mask.accepts(order), x, frame + instruction.a)
          continue
        }
        result = compareAttributeSlowly(
          instruction, at: pc &- 1, program, context, frame, &machine)

      case .compareAttributeString:
        let constant = constants[instruction.c]
        if let found = probe(attributes + instruction.b, roots), found.pointee.isA(.string) {
          let slot = found.pointee
          let same =
            slot.word1 == constant.word1
            && Slot.sameBytes(slot.word0, constant.word0, count: constant.aux)
          let x = FusedComparison(rawValue: instruction.x)
          store(x.mask.accepts(same ? 0 : 1), x, frame + instruction.a)
          continue
        }
        result = compareAttributeSlowly(
          instruction, at: pc &- 1, program, context, frame, &machine)

      case .orderAttributeString:
        let constant = constants[instruction.c]
        if let found = probe(attributes + instruction.b, roots), found.pointee.isA(.string) {
          let order = Slot.byteOrder(found.pointee, constant)
          let x = FusedComparison(rawValue: instruction.x)
          store(x.mask.accepts(order), x, frame + instruction.a)
          continue
        }
        result = compareAttributeSlowly(
          instruction, at: pc &- 1, program, context, frame, &machine)

      case .compareAttributeBool:
        let constant = constants[instruction.c]
        if let found = probe(attributes + instruction.b, roots), found.pointee.isA(.bool) {
          let x = FusedComparison(rawValue: instruction.x)
          store(
            x.mask.accepts(found.pointee.word0 == constant.word0 ? 0 : 1), x,
            frame + instruction.a)
          continue
        }
        result = compareAttributeSlowly(
          instruction, at: pc &- 1, program, context, frame, &machine)

      case .compareAttribute, .attributeInConstant:
        result = compareAttributeSlowly(
          instruction, at: pc &- 1, program, context, frame, &machine)

      case .loadAttribute:
        if let found = probe(attributes + instruction.wide, roots) {
          frame[instruction.a] = found.pointee
          continue
        }
        machine.instruction = UInt32(truncatingIfNeeded: pc &- 1)
        result = missingAttribute(
          attributes[instruction.wide], MissingPolicy(rawValue: instruction.x) ?? .fail, context,
          &machine)
        frame[instruction.a] = result

      case .loadVariable:
        if let found = probe(attributes + instruction.wide, roots) {
          frame[instruction.a] = found.pointee
          continue
        }
        machine.instruction = UInt32(truncatingIfNeeded: pc &- 1)
        result = layer(named: attributes[instruction.wide], program, context, &machine)
        frame[instruction.a] = result

      case .loadConstant:
        frame[instruction.a] = constants[instruction.wide]
        continue

      case .move:
        frame[instruction.a] = frame[instruction.b]
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
        if instruction.x == MissingPolicy.null.rawValue {
          frame[instruction.a] = .null
          continue
        }
        machine.instruction = UInt32(truncatingIfNeeded: pc &- 1)
        if instruction.x == MissingPolicy.function.rawValue {
          result = machine.function(named: reference.pointee.name, of: receiver)
          frame[instruction.a] = result
        } else {
          result = machine.fail(.noSuchKey, reference.pointee.name)
        }

      case .loadElement:
        machine.instruction = UInt32(truncatingIfNeeded: pc &- 1)
        result = machine.element(of: frame[instruction.b], at: frame[instruction.c])
        frame[instruction.a] = result

      case .compare:
        machine.instruction = UInt32(truncatingIfNeeded: pc &- 1)
        result = compare(
          ComparisonMask(bits: instruction.x), frame[instruction.b], frame[instruction.c],
          &machine)
        frame[instruction.a] = result

      case .compareConstant:
        machine.instruction = UInt32(truncatingIfNeeded: pc &- 1)
        result = compare(
          ComparisonMask(bits: instruction.x), frame[instruction.b], constants[instruction.c],
          &machine)
        frame[instruction.a] = result

      case .membership:
        machine.instruction = UInt32(truncatingIfNeeded: pc &- 1)
        result = machine.membership(frame[instruction.b], in: frame[instruction.c])
        frame[instruction.a] = result

      case .membershipConstant:
        machine.instruction = UInt32(truncatingIfNeeded: pc &- 1)
        result = machine.membership(frame[instruction.b], in: constants[instruction.c])
        frame[instruction.a] = result

      case .add, .subtract, .multiply, .divide, .remainder:
        machine.instruction = UInt32(truncatingIfNeeded: pc &- 1)
        result = arithmetic(
          instruction.opcodeByte &- Opcode.add.rawValue, frame[instruction.b],
          frame[instruction.c], &machine)
        frame[instruction.a] = result

      case .addConstant, .subtractConstant, .multiplyConstant, .divideConstant,
        .remainderConstant:
        machine.instruction = UInt32(truncatingIfNeeded: pc &- 1)
        result = arithmetic(
          instruction.opcodeByte &- Opcode.addConstant.rawValue, frame[instruction.b],
          constants[instruction.c], &machine)
        frame[instruction.a] = result

      case .conjoin:
        let value = frame[instruction.b].isTruthy
        if !value { frame[instruction.a] = .bool(false) }
        continue

      case .truth:
        frame[instruction.a] = .bool(frame[instruction.b].isTruthy)
        continue

      case .not:
        let value = frame[instruction.b]
        if instruction.x == 0 || value.isA(.bool) {
          frame[instruction.a] = .bool(!value.isTruthy)
          continue
        }
        machine.instruction = UInt32(truncatingIfNeeded: pc &- 1)
        result = machine.fail(.unsupportedUnary, value)

      case .requireBool:
        let value = frame[instruction.a]
        if value.isA(.bool) { continue }
        machine.instruction = UInt32(truncatingIfNeeded: pc &- 1)
        result = machine.fail(.notBool, value)

      case .requireNumber:
        let value = frame[instruction.a]
        if value.isNumber { continue }
        machine.instruction = UInt32(truncatingIfNeeded: pc &- 1)
        result = machine.fail(.unsupportedUnary, value)

      case .negate:
        machine.instruction = UInt32(truncatingIfNeeded: pc &- 1)
        result = machine.negate(frame[instruction.b])
        frame[instruction.a] = result

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

      case .jumpIfNotBool:
        if !frame[instruction.a].isA(.bool) { pc = instruction.wide }
        continue

      case .loopBegin:
        let source = frame[instruction.b]
        if source.isA(.list) {
          frame[instruction.a] = Slot(.iterator, source.word0, aux: source.aux, extra: 1)
          continue
        }
        if source.isA(.map), instruction.x != 0 {
          frame[instruction.a] = Slot(
            .iterator, at: source.table.entries.baseAddress, count: source.aux, extra: 2)
          continue
        }
        machine.instruction = UInt32(truncatingIfNeeded: pc &- 1)
        result = machine.fail(.unexpectedType)

      case .loopNext:
        let iterator = frame[instruction.a]
        if iterator.aux == 0 {
          pc = instruction.wide
          continue
        }
        machine.steps &-= 1
        if machine.steps < 0 {
          machine.instruction = UInt32(truncatingIfNeeded: pc &- 1)
          result = machine.fail(.stepLimit)
          break
        }
        frame[instruction.a &+ 1] = iterator.address.load(as: Slot.self)
        frame[instruction.a] = Slot(
          .iterator, iterator.word0 &+ UInt64(iterator.extra) &* 16, aux: iterator.aux &- 1,
          extra: iterator.extra)
        continue

      case .beginList:
        result = machine.beginBuilder(capacity: instruction.wide)
        frame[instruction.a] = result

      case .append:
        if machine.append(frame[instruction.b], to: frame[instruction.a]) { continue }
        result = machine.fail(.memoryLimit)

      case .endList:
        frame[instruction.a] = machine.finishedList(frame[instruction.a])
        continue

      case .insert:
        machine.instruction = UInt32(truncatingIfNeeded: pc &- 1)
        result = machine.insert(
          frame[instruction.b], frame[instruction.c], into: frame[instruction.a])

      case .endMap:
        machine.instruction = UInt32(truncatingIfNeeded: pc &- 1)
        result = machine.finishedMap(frame[instruction.a])
        frame[instruction.a] = result

      case .call:
        machine.instruction = UInt32(truncatingIfNeeded: pc &- 1)
        result = program.builtins[instruction.c](
          &machine, arguments(instruction, frame))
        frame[instruction.a] = result

      case .callHost:
        machine.instruction = UInt32(truncatingIfNeeded: pc &- 1)
        result = machine.callHost(
          program.hostFunctions[instruction.c], arguments(instruction, frame))
        frame[instruction.a] = result

      case .callMatches:
        machine.instruction = UInt32(truncatingIfNeeded: pc &- 1)
        result = machine.matches(frame[instruction.b], program.patterns[instruction.c])
        frame[instruction.a] = result

      case .callStartsWith:
        let value = frame[instruction.b]
        if value.isA(.string) {
          frame[instruction.a] = .bool(value.hasPrefix(constants[instruction.c]))
          continue
        }
        machine.instruction = UInt32(truncatingIfNeeded: pc &- 1)
        result = machine.fail(.unexpectedType, value)

      case .callEndsWith:
        let value = frame[instruction.b]
        if value.isA(.string) {
          frame[instruction.a] = .bool(value.hasSuffix(constants[instruction.c]))
          continue
        }
        machine.instruction = UInt32(truncatingIfNeeded: pc &- 1)
        result = machine.fail(.unexpectedType, value)

      case .callContains:
        let value = frame[instruction.b]
        if value.isA(.string) {
          frame[instruction.a] = .bool(constants[instruction.c].occurs(in: value))
          continue
        }
        machine.instruction = UInt32(truncatingIfNeeded: pc &- 1)
        result = machine.fail(.unexpectedType, value)

      case .expect:
        let value = frame[instruction.a]
        if SlotKinds(rawValue: UInt32(truncatingIfNeeded: instruction.wide)).contains(tagOf: value) {
          continue
        }
        machine.instruction = UInt32(truncatingIfNeeded: pc &- 1)
        result = machine.fail(FailureCode(rawValue: instruction.x) ?? .unexpectedType, value)

      case .raise:
        machine.instruction = UInt32(truncatingIfNeeded: pc &- 1)
        result = machine.fail(FailureCode(rawValue: instruction.x) ?? .unsupportedConstruct)

      case .reraise:
        result = frame[instruction.a]

      case .overlay:
        machine.instruction = UInt32(truncatingIfNeeded: pc &- 1)
        result = machine.overlay(frame[instruction.b], over: frame[instruction.c])
        frame[instruction.a] = result

      case .absorbReferences:
        if machine.failure.isMissingReference {
          frame[instruction.a] = .null
          continue
        }
        result = Slot(.error, UInt64(machine.failure.code.rawValue))

      case .increment:
        frame[instruction.a].word0 &+= 1
        continue

      case .isOne:
        frame[instruction.a] = .bool(frame[instruction.a].word0 == 1)
        continue
      }

      // Only operations that can fail get here; their results were stored above.
      if result.isA(.error) {
        guard let target = rescue(program, pc &- 1, frame, machine) else { return result }
        pc = target
      }
    }
  }

  // MARK: Pieces of the loop

  /// The value of an attribute, found with one probe; `nil` when the root or the name is missing.
  @inline(__always)
  private static func probe(
    _ reference: UnsafePointer<AttributeReference>, _ roots: UnsafePointer<UInt>
  ) -> UnsafePointer<Slot>? {
    guard let root = UnsafeRawPointer(bitPattern: roots[Int(reference.pointee.root)]) else {
      return nil
    }
    return MapTable(base: root).find(
      hash: reference.pointee.hash, string: reference.pointee.name)
  }

  @inline(__always)
  private static func store(
    _ value: Bool, _ comparison: FusedComparison, _ target: UnsafeMutablePointer<Slot>
  ) {
    if comparison.conjoins {
      target.pointee.word0 &= value ? 1 : 0
    } else {
      target.pointee = .bool(value)
    }
  }

  @inline(__always)
  private static func compare(
    _ mask: ComparisonMask, _ a: Slot, _ b: Slot, _ machine: inout Machine
  ) -> Slot {
    if a.word1 == UInt64(SlotTag.int.rawValue), b.word1 == UInt64(SlotTag.int.rawValue) {
      let order = (a.intValue > b.intValue ? 1 : 0) &- (a.intValue < b.intValue ? 1 : 0)
      return .bool(mask.accepts(order))
    }
    return machine.compare(mask, a, b)
  }

  @inline(__always)
  private static func arithmetic(
    _ op: UInt8, _ a: Slot, _ b: Slot, _ machine: inout Machine
  ) -> Slot {
    if a.word1 == UInt64(SlotTag.int.rawValue), b.word1 == UInt64(SlotTag.int.rawValue) {
      let (result, overflow) =
        switch op {
        case 0: a.intValue.addingReportingOverflow(b.intValue)
        case 1: a.intValue.subtractingReportingOverflow(b.intValue)
        case 2: a.intValue.multipliedReportingOverflow(by: b.intValue)
        case 3: a.intValue.dividedReportingOverflow(by: b.intValue)
        default: a.intValue.remainderReportingOverflow(dividingBy: b.intValue)
        }
      if !overflow { return .int(result) }
    }
    return machine.arithmetic(ArithmeticOperator(rawValue: op) ?? .add, a, b)
  }

  /// The arguments of a call: a row of registers, or the elements of a list when there are many.
  @inline(__always)
  private static func arguments(
    _ instruction: Instruction, _ frame: UnsafeMutablePointer<Slot>
  ) -> UnsafeBufferPointer<Slot> {
    if instruction.x == .max { return frame[instruction.b].elements }
    return UnsafeBufferPointer(start: frame + instruction.b, count: Int(instruction.x))
  }

  /// The general form of the fused comparisons: every kind of attribute, present or missing.
  @inline(never)
  private static func compareAttributeSlowly(
    _ instruction: Instruction, at pc: Int, _ program: Program, _ context: ContextStorage,
    _ frame: UnsafeMutablePointer<Slot>, _ machine: inout Machine
  ) -> Slot {
    let reference = program.attributes + instruction.b
    let constant = program.constants[instruction.c]
    let comparison = FusedComparison(rawValue: instruction.x)
    machine.instruction = UInt32(truncatingIfNeeded: pc)
    var result: Slot
    if let found = probe(reference, UnsafePointer(context.roots)) {
      result =
        instruction.opcode == .attributeInConstant
        ? machine.membership(found.pointee, in: constant)
        : machine.compare(comparison.mask, found.pointee, constant)
    } else {
      result = missingAttribute(reference.pointee, .fail, context, &machine)
      if result.isA(.error), machine.failure.code == .noSuchKey, comparison.missing != .fail {
        result = .bool(comparison.missing == .true)
      } else if !result.isA(.error) {
        result =
          instruction.opcode == .attributeInConstant
          ? machine.membership(result, in: constant)
          : machine.compare(comparison.mask, result, constant)
      }
    }
    if result.isA(.bool) {
      store(result.boolValue, comparison, frame + instruction.a)
    }
    return result
  }

  /// What an attribute is that the first probe did not find.
  @inline(never)
  private static func missingAttribute(
    _ reference: AttributeReference, _ policy: MissingPolicy, _ context: ContextStorage,
    _ machine: inout Machine
  ) -> Slot {
    if context.roots[Int(reference.root)] == 0, !reference.rootIsOptional {
      // The root may be a variable that is no map: it has no members, but it is declared.
      let root = Int(reference.root) % ContextStorage.rootCount
      let name = Root.allCases[root].name
      guard let others = context.layers[Root.other.index],
        others.storage.contains(name)
      else { return machine.fail(.undeclared, reference.name) }
    }
    return policy == .null ? .null : machine.fail(.noSuchKey, reference.name)
  }

  /// The value of a bare name: a whole layer, or a failure.
  @inline(never)
  private static func layer(
    named reference: AttributeReference, _ program: Program, _ context: ContextStorage,
    _ machine: inout Machine
  ) -> Slot {
    let form = Int(program.form.rawValue) * ContextStorage.rootCount
    if let root = Root(layerNamed: reference.name.text),
      let base = UnsafeRawPointer(bitPattern: context.roots[form + root.index])
    {
      return Slot(.map, at: base, count: UInt32(truncatingIfNeeded: MapTable(base: base).count))
    }
    return reference.rootIsOptional
      ? LayerStorage.empty.map : machine.fail(.undeclared, reference.name)
  }
}
