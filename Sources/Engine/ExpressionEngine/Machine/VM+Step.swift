// The rare or long instructions of the machine, executed one at a time outside the hot loop.

extension VM {
  /// Executes one instruction.
  ///
  /// - Returns: The number of the next instruction, or -1 if this one failed and `machine` has the
  ///   failure.
  @inline(never)
  static func step(
    _ instruction: Instruction, at pc: Int, _ header: UnsafePointer<ProgramHeader>,
    _ context: ContextStorage, _ frame: UnsafeMutablePointer<Slot>, _ machine: inout Machine
  ) -> Int {
    let program = header.pointee.program.takeUnretainedValue()
    machine.instruction = UInt32(truncatingIfNeeded: pc)
    let constants = program.constants
    let result: Slot
    switch instruction.opcode {
    case .loadAttribute:
      result = missingAttribute(
        program.attributes[instruction.wide], MissingPolicy(rawValue: instruction.x) ?? .fail,
        context, &machine)

    case .loadVariable:
      result = layer(named: program.attributes[instruction.wide], program, context, &machine)

    case .loadMember:
      result = missingMember(
        program.attributes[instruction.wide].name, of: frame[instruction.a],
        MissingPolicy(rawValue: instruction.x) ?? .fail, &machine)

    case .loadElement:
      result = machine.element(of: frame[instruction.b], at: frame[instruction.c])

    case .compare:
      result = machine.compare(
        ComparisonMask(bits: instruction.x), frame[instruction.b], frame[instruction.c])

    case .compareConstant:
      result = machine.compare(
        ComparisonMask(bits: instruction.x), frame[instruction.b], constants[instruction.c])

    case .compareReadings:
      result = machine.compareReadings(
        ComparisonMask(bits: instruction.x), frame[instruction.b], constants[instruction.c])

    case .membership:
      result = machine.membership(frame[instruction.b], in: frame[instruction.c])

    case .membershipConstant:
      result = machine.membership(frame[instruction.b], in: constants[instruction.c])

    case .memberOfSet:
      result = .bool(frame[instruction.b].isMember(ofSet: constants[instruction.c]))

    case .add, .subtract, .multiply, .divide, .remainder:
      result = machine.arithmetic(
        arithmetic(instruction, first: .add), frame[instruction.b], frame[instruction.c])

    case .addConstant, .subtractConstant, .multiplyConstant, .divideConstant,
      .remainderConstant:
      result = machine.arithmetic(
        arithmetic(instruction, first: .addConstant), frame[instruction.b],
        constants[instruction.c])

    case .negate:
      result = machine.negate(frame[instruction.b])

    case .not:
      let value = frame[instruction.b]
      result =
        instruction.x == 0 || value.isA(.bool)
        ? .bool(!value.isTruthy) : machine.fail(.unsupportedUnary, value)

    case .requireNumber:
      let value = frame[instruction.a]
      result = value.isNumber ? value : machine.fail(.unsupportedUnary, value)

    case .requireBool:
      let value = frame[instruction.a]
      result = value.isA(.bool) ? value : machine.fail(.notBool, value)

    case .expect:
      let value = frame[instruction.a]
      result =
        SlotKinds(rawValue: UInt32(truncatingIfNeeded: instruction.wide)).contains(tagOf: value)
        ? value : machine.fail(FailureCode(rawValue: instruction.x) ?? .unexpectedType, value)

    case .loopBegin:
      result = machine.beginLoop(over: frame[instruction.b], takesMaps: instruction.x != 0)

    case .loopNext:
      // The slice of steps is used up. This instruction runs again with the next one.
      machine.steps &+= 1
      return machine.refillSteps(atLeast: 1) ? pc : -1

    case .beginList:
      result = machine.beginBuilder(capacity: instruction.wide)

    case .append:
      result = machine.fail(.memoryLimit)

    case .endList:
      result = machine.finishedList(frame[instruction.a])

    case .insert:
      let failure = machine.insert(
        frame[instruction.b], frame[instruction.c], into: frame[instruction.a])
      return failure.isA(.error) ? -1 : pc &+ 1

    case .endMap:
      result = machine.finishedMap(frame[instruction.a])

    case .call:
      let arguments = arguments(instruction, frame)
      guard machine.spend(workOn: arguments) else { return -1 }
      result = program.builtins[instruction.c](&machine, arguments)

    case .callHost:
      guard machine.checkStop() else { return -1 }
      result = machine.callHost(
        program.hostFunctions[instruction.c], arguments(instruction, frame),
        hostState: context.hostState)

    case .callMatches:
      result = machine.matches(frame[instruction.b], program.patterns[instruction.c])

    case .callStartsWith, .callEndsWith:
      result = machine.fail(.unexpectedType, frame[instruction.b])

    case .raise:
      let code = FailureCode(rawValue: instruction.x) ?? .unsupportedConstruct
      result =
        instruction.wide == 0
        ? machine.fail(code) : machine.fail(code, constants[instruction.wide &- 1])

    case .reraise:
      let kept = frame[instruction.a]
      guard kept.isA(.error) else { return pc &+ 1 }
      result = machine.fail(again: kept)

    case .loadDeclared:
      let reference = program.attributes + instruction.wide
      guard let found = probe(reference, context.roots) else { return pc &+ 2 }
      result = found.pointee

    case .loopBeginPairs:
      // The index of a list's elements counts up from here; a map's key replaces it.
      frame[instruction.a &+ 1] = .int(-1)
      result = machine.beginLoop(over: frame[instruction.b], takesMaps: true)

    case .loopNextPair:
      return nextPair(instruction, at: pc, frame + instruction.a, &machine)

    case .appendOptional:
      let list = frame[instruction.a]
      let failure = machine.append(optional: frame[instruction.b], to: list)
      return failure.isA(.error) ? -1 : pc &+ 1

    case .insertOptional:
      let failure = machine.insert(
        frame[instruction.b], optional: frame[instruction.c], into: frame[instruction.a])
      return failure.isA(.error) ? -1 : pc &+ 1

    case .insertEntries:
      let failure = machine.insert(
        entriesOf: frame[instruction.b], into: frame[instruction.a])
      return failure.isA(.error) ? -1 : pc &+ 1

    case .force: return force(instruction, at: pc, frame + instruction.a, &machine)

    case .forced: return forced(frame + instruction.a)

    case .overlay:
      result = machine.overlay(frame[instruction.b], over: frame[instruction.c])

    case .absorbReferences:
      guard machine.failure.isMissingReference else { return -1 }
      result = .null

    case .isOne:
      result = .bool(frame[instruction.a].word0 == 1)

    case .returnValue, .loadConstant, .move, .truth, .conjoin, .jump, .jumpIfTrue, .jumpIfFalse,
      .jumpIfExactlyTrue, .jumpIfExactlyFalse, .countIfTrue, .increment:
      assertionFailure("the loop executes \(instruction.opcode) completely")
      return pc &+ 1
    }
    if result.isA(.error) { return -1 }
    frame[instruction.a] = result
    return pc &+ 1
  }

  @inline(__always)
  private static func arithmetic(_ instruction: Instruction, first: Opcode) -> ArithmeticOperator {
    ArithmeticOperator(rawValue: instruction.opcodeByte &- first.rawValue) ?? .add
  }

  /// Returns the arguments of a call: a range of registers, or the elements of a list when there
  /// are many.
  @inline(__always)
  private static func arguments(
    _ instruction: Instruction, _ frame: UnsafeMutablePointer<Slot>
  ) -> UnsafeBufferPointer<Slot> {
    if instruction.x == .max { return frame[instruction.b].elements }
    return UnsafeBufferPointer(start: frame + instruction.b, count: Int(instruction.x))
  }

  /// Returns the result of reading an attribute that the probe did not find: null or a failure.
  private static func missingAttribute(
    _ reference: AttributeReference, _ policy: MissingPolicy, _ context: ContextStorage,
    _ machine: inout Machine
  ) -> Slot {
    if machine.rules.contains(.dottedVariables),
      let value = dottedVariable(reference, context, &machine)
    {
      return value
    }
    if LayerRow(address: context.roots[Int(reference.root)]).table == nil, !reference.rootIsOptional
    {
      // The root may be a variable that is not a map: it has no members, but it is declared.
      let root = Root.allCases[Int(reference.root) % ContextStorage.rootCount]
      guard let others = context.layers.other, others.storage.contains(root.name) else {
        guard root != .other else { return machine.fail(.undeclared, reference.name) }
        let name = machine.string(root.name)
        return name.isA(.error) ? name : machine.fail(.undeclared, name)
      }
    }
    return policy == .null ? .null : machine.fail(.noSuchKey, reference.name)
  }

  /// Returns the result of selecting a member that the receiver lacks.
  private static func missingMember(
    _ name: Slot, of receiver: Slot, _ policy: MissingPolicy, _ machine: inout Machine
  ) -> Slot {
    switch policy {
    case .null: .null
    case .fail: machine.memberElsewhere(of: receiver, named: name)
    case .function: machine.function(named: name, of: receiver)
    }
  }

  /// Returns the value of a bare name without a variable of its own: a whole layer, or a failure.
  private static func layer(
    named reference: AttributeReference, _ program: Program, _ context: ContextStorage,
    _ machine: inout Machine
  ) -> Slot {
    let form = Int(program.form.rawValue) * ContextStorage.rootCount
    if let root = Root(layerNamed: reference.name.text),
      let table = LayerRow(address: context.roots[form + root.index]).table
    {
      return Slot(.map, at: table.base, count: UInt32(truncatingIfNeeded: table.count))
    }
    return reference.rootIsOptional
      ? LayerStorage.empty.map : machine.fail(.undeclared, reference.name)
  }
}
