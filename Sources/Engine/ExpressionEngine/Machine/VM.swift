// source ─Tokenizer▶ … ─Compiler▶ Program ─[VM] + Context▶ Value

/// The machine's loop.
enum VM {
  /// Runs a program over a context.
  ///
  /// - Parameters:
  ///   - header: Verified code, kept alive by the caller.
  ///   - context: The attributes.
  ///   - machine: Scratch memory, failures and budgets.
  /// - Returns: The value, or an error slot whose failure `machine` holds. The slot may borrow
  ///   memory of the program, the context and `machine`, which the caller keeps alive.
  @inline(__always)
  static func run(
    _ header: UnsafePointer<ProgramHeader>, _ context: ContextStorage, _ machine: inout Machine
  ) -> Slot {
    // A frame of fixed size only moves the stack pointer; nearly all filters fit it.
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

  /// Finds the continuation of a failure at `pc`, and stores the failure where the handler expects
  /// it.
  @inline(never)
  private static func rescue(
    _ header: UnsafePointer<ProgramHeader>, _ pc: Int, _ frame: UnsafeMutablePointer<Slot>,
    _ machine: inout Machine
  ) -> Int? {
    let program = header.pointee.program.takeUnretainedValue()
    if machine.failure.code.isFinal { return nil }
    var next = program.handler(at: pc)
    while let number = next {
      let handler = program.handlers[number]
      next = program.handler(around: number)
      if handler.rescues == .missingKey, machine.failure.code != .noSuchKey { continue }
      if let register = handler.register, !frame[Int(register)].isA(.error) {
        // The first failure is reported if nothing absorbs it.
        guard let kept = machine.keptFailure() else { return nil }
        frame[Int(register)] = kept
      }
      return Int(handler.target)
    }
    return nil
  }

  // The hot state lives in locals: code, frame, constants, attributes and roots are raw pointers
  // into memory that `program` and `context` own and that is not written while they live; the
  // caller keeps both alive. Indexes come from instructions that ``Program/verify()`` has checked.
  // Instructions that are rare or long go to `step`, so that few registers are spilled here.
  @inline(never)
  private static func loop(
    _ header: UnsafePointer<ProgramHeader>, _ context: ContextStorage,
    _ frame: UnsafeMutablePointer<Slot>, _ machine: inout Machine
  ) -> Slot {
    let code = header.pointee.code
    let constants = header.pointee.constants
    let attributes = header.pointee.attributes
    let roots = context.roots
    var pc = 0

    while true {
      let instruction = code[pc]
      pc &+= 1
      switch instruction.opcode {

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
          frame[instruction.a] = .bool(
            ComparisonMask(bits: instruction.x).accepts(intOrder(left, right)))
          continue
        }

      case .compareConstant:
        let left = frame[instruction.b]
        let right = constants[instruction.c]
        if left.isInt {
          if right.isInt {
            frame[instruction.a] = .bool(
              ComparisonMask(bits: instruction.x).accepts(intOrder(left, right)))
            continue
          }
          if right.isA(.double), !right.doubleValue.isNaN {
            frame[instruction.a] = .bool(
              ComparisonMask(bits: instruction.x).accepts(doubleOrder(left, right.doubleValue)))
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
        // Zero and -1 are the only divisors that may have no result.
        if left.isInt, right.isInt, UInt64(bitPattern: right.intValue &+ 1) > 1 {
          frame[instruction.a] = .int(left.intValue / right.intValue)
          continue
        }

      case .loadElement, .compareReadings, .membership, .membershipConstant, .memberOfSet, .divide,
        .remainder, .remainderConstant, .negate, .requireNumber, .not, .requireBool, .beginList,
        .endList, .insert, .endMap, .call, .callHost, .callMatches, .expect, .raise, .reraise,
        .overlay, .absorbReferences, .isOne, .loadDeclared, .loopBeginPairs, .loopNextPair,
        .appendOptional, .insertOptional, .insertEntries, .force, .forced:
        // ``step`` executes these (``OpcodeSite/step``). There is no `default`, so that the
        // compiler finds an opcode that neither executes.
        break
      }

      // All cases that were not decided above.
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

  /// Returns the value of an attribute, found with one probe, or `nil` if the root or the name is
  /// missing.
  @inline(__always)
  static func probe(
    _ reference: UnsafePointer<AttributeReference>, _ roots: UnsafePointer<UInt>
  ) -> UnsafePointer<Slot>? {
    LayerRow(address: roots[Int(reference.pointee.root)]).table?.find(
      hash: reference.pointee.hash, string: reference.pointee.name)
  }

  @inline(__always)
  static func sameText(_ a: Slot, _ b: Slot) -> Bool {
    a.word1 == b.word1 && Slot.sameBytes(a.word0, b.word0, count: a.aux)
  }

  @inline(__always)
  static func intOrder(_ a: Slot, _ b: Slot) -> Int {
    (a.intValue > b.intValue ? 1 : 0) &- (a.intValue < b.intValue ? 1 : 0)
  }

  /// Returns the order of an int and a double that is not NaN.
  @inline(__always)
  static func doubleOrder(_ a: Slot, _ b: Double) -> Int {
    let number = Double(a.intValue)
    return (number > b ? 1 : 0) &- (number < b ? 1 : 0)
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
