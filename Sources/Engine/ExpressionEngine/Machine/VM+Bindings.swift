// Loops over pairs, bindings that are evaluated lazily, and names that may stand for several
// variables (docs/spec/cel.md §3, §14–§16).

extension VM {
  /// Evaluates a lazy binding by the code at the label, unless that was done.
  ///
  /// - Parameter target: The value, and after it the instruction to return to, or true once the
  ///   value is there.
  @inline(never)
  static func force(
    _ instruction: Instruction, at pc: Int, _ target: UnsafeMutablePointer<Slot>,
    _ machine: inout Machine
  ) -> Int {
    if target[1].isA(.null) {
      // The code at the label returns to this instruction.
      target[1] = .int(Int64(pc))
      return instruction.wide
    }
    guard target.pointee.isA(.error) else { return pc &+ 1 }
    return machine.fail(again: target.pointee).isA(.error) ? -1 : pc &+ 1
  }

  /// Marks a lazy binding as evaluated.
  ///
  /// - Returns: The instruction that needed the value.
  static func forced(_ target: UnsafeMutablePointer<Slot>) -> Int {
    let next = Int(target[1].intValue)
    target[1] = .bool(true)
    return next
  }

  /// Puts the next index or key and the next element or value in the registers after the iterator.
  @inline(never)
  static func nextPair(
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
