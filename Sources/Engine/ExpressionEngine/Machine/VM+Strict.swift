// Instructions for languages in which names may stand for several variables, loops take pairs,
// entries may be omitted, and bindings are evaluated lazily (docs/spec/cel.md §3, §14–§16).

extension VM {
  /// Executes one instruction; see ``step(_:at:_:_:_:_:)``.
  @inline(never)
  static func strictStep(
    _ instruction: Instruction, at pc: Int, _ program: Program, _ context: ContextStorage,
    _ frame: UnsafeMutablePointer<Slot>, _ machine: inout Machine
  ) -> Int {
    let target = frame + instruction.a
    let result: Slot
    switch instruction.opcode {
    case .loadDeclared:
      guard
        let found = probe(program.attributes + instruction.wide, context.roots)
      else { return pc &+ 2 }
      target.pointee = found.pointee
      return pc &+ 1

    case .loopBeginPairs:
      result = machine.beginLoop(over: frame[instruction.b], takesMaps: true)
      // The index of a list's elements counts up from here; a map's key replaces it.
      target[1] = .int(-1)
      if !result.isA(.error) { target.pointee = result }

    case .loopNextPair:
      return nextPair(instruction, at: pc, target, &machine)

    case .appendOptional:
      result = machine.append(optional: frame[instruction.b], to: target.pointee)

    case .insertOptional:
      result = machine.insert(
        frame[instruction.b], optional: frame[instruction.c], into: target.pointee)

    case .insertEntries:
      result = machine.insert(entriesOf: frame[instruction.b], into: target.pointee)

    case .force:
      if target[1].isA(.null) {
        // The code at the label returns to this instruction.
        target[1] = .int(Int64(pc))
        return instruction.wide
      }
      guard target.pointee.isA(.error) else { return pc &+ 1 }
      result = machine.fail(again: target.pointee)

    default:
      // `forced`
      let next = Int(target[1].intValue)
      target[1] = .bool(true)
      return next
    }
    return result.isA(.error) ? -1 : pc &+ 1
  }

  /// Puts the next index or key and the next element or value in the registers after the iterator.
  private static func nextPair(
    _ instruction: Instruction, at pc: Int, _ target: UnsafeMutablePointer<Slot>,
    _ machine: inout Machine
  ) -> Int {
    let iterator = target.pointee
    if iterator.aux == 0 { return instruction.wide }
    guard machine.spend(steps: 1) else { return -1 }
    let next = iterator.address.assumingMemoryBound(to: Slot.self)
    if iterator.extra == 2 {
      target[1] = next[0]
      target[2] = next[1]
    } else {
      target[1].word0 &+= 1
      target[2] = next[0]
    }
    target.pointee = iterator.advanced
    return pc &+ 1
  }

  /// Returns the value of the variable whose name is the attribute's full path, if there is one.
  @inline(never)
  static func dottedVariable(
    _ reference: AttributeReference, _ context: ContextStorage, _ machine: inout Machine
  ) -> Slot? {
    let root = Root.allCases[Int(reference.root) % ContextStorage.rootCount]
    let variables = context.roots[Int(reference.root) &- root.index &+ Root.other.index]
    guard root != .other, let table = LayerRow(address: variables).table,
      let name = machine.arena.copy("\(root.name).\(reference.name.text)")
    else { return nil }
    return table.find(name, crossNumeric: false)?.pointee
  }
}
