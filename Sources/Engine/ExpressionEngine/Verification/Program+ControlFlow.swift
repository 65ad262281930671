// Why every run ends: each cycle of the code takes a step of the budget.

extension Program {
  /// The code of a lazily bound value, which ``Opcode/force`` enters and ``Opcode/forced`` leaves.
  struct LazyRegion {
    /// The instructions; the last one is ``Opcode/forced``.
    let code: Range<Int>
    /// The register of the value; the next one is its state.
    let register: Int
    /// The numbers of the regions that are forced within this one.
    var callees: [Int] = []
  }

  /// Checks that jumps, handlers and lazily bound values cannot form a cycle that takes no step.
  ///
  /// * A jump back leads to a loop's next turn, from within the loop: between that instruction and
  ///   the label at which the loop ends. Of the jumps back in a cycle, take the one with the
  ///   highest source. The cycle cannot leave its loop at the end, because nothing would lead back
  ///   from there; so it takes another turn, and a step.
  /// * A handler continues after the code that it covers.
  /// * The code of a lazily bound value that something needs is entered only by ``Opcode/force``
  ///   and left only by its last instruction, by a failure, or for good. It does not force itself,
  ///   not even by others.
  func checkControlFlow() throws(Defect) {
    for index in 0..<codeCount {
      let instruction = code[index]
      let opcode = instruction.opcode
      guard OpcodeTable[opcode].effects.contains(.jumps), opcode != .loadDeclared,
        opcode != .force, opcode != .forced
      else { continue }
      let target = instruction.wide
      if target > index { continue }
      let head = code[target]
      guard opcode != .loopNext, opcode != .loopNextPair, target < index,
        head.opcode == .loopNext || head.opcode == .loopNextPair, head.wide > index
      else { throw Defect(instruction: index, description: "a jump back without a step") }
    }
    for handler in handlers {
      guard handler.start <= handler.end, handler.end <= codeCount, handler.target < codeCount,
        handler.target >= handler.end, Int(handler.register ?? 0) < max(registerCount, 1)
      else { throw Defect(instruction: Int(handler.start), description: "handler out of range") }
    }
    let regions = try lazyRegions()
    guard !regions.isEmpty else { return }
    try checkBorders(of: regions)
    try checkRecursion(of: regions)
  }

  /// Returns the regions in the order of their starts.
  func lazyRegions() throws(Defect) -> [LazyRegion] {
    var registers: [Int: Int] = [:]
    for index in 0..<codeCount where code[index].opcode == .force {
      let known = registers.updateValue(code[index].a, forKey: code[index].wide)
      guard known == nil || known == code[index].a else {
        throw Defect(instruction: index, description: "two values have the same code")
      }
    }
    var regions: [LazyRegion] = []
    for (start, register) in registers.sorted(by: { $0.key < $1.key }) {
      guard
        let end = (start..<codeCount).first(where: {
          code[$0].opcode == .forced && code[$0].a == register
        })
      else { throw Defect(instruction: start, description: "the code of a value has no end") }
      regions.append(LazyRegion(code: start..<(end + 1), register: register))
    }
    let numbers = Dictionary(
      uniqueKeysWithValues: regions.indices.map { (regions[$0].code.lowerBound, $0) })
    for number in regions.indices {
      for index in regions[number].code where code[index].opcode == .force {
        if let callee = numbers[code[index].wide] { regions[number].callees.append(callee) }
      }
    }
    return regions
  }

  /// Checks that nothing but `force` and failures crosses the border of a region.
  private func checkBorders(of regions: [LazyRegion]) throws(Defect) {
    let inner = try innermostRegions(regions)
    for index in 0..<codeCount {
      for target in successors(of: index) where inner[index] != inner[target] {
        throw Defect(instruction: index, description: "a jump across the code of a value")
      }
    }
    for handler in handlers where handler.start < handler.end {
      guard inner[Int(handler.start)] == inner[Int(handler.target)] else {
        throw Defect(
          instruction: Int(handler.start), description: "a handler across the code of a value")
      }
    }
  }

  /// Returns the number of the innermost region of each instruction.
  private func innermostRegions(_ regions: [LazyRegion]) throws(Defect) -> [Int?] {
    var result = [Int?](repeating: nil, count: codeCount)
    var open: [Int] = []
    var next = 0
    for index in 0..<codeCount {
      while let last = open.last, regions[last].code.upperBound == index { open.removeLast() }
      while next < regions.count, regions[next].code.lowerBound == index {
        if let last = open.last, regions[last].code.upperBound < regions[next].code.upperBound {
          throw Defect(instruction: index, description: "the code of two values overlaps")
        }
        open.append(next)
        next += 1
      }
      result[index] = open.last
    }
    return result
  }

  /// The instructions that may follow one, apart from failures and lazily bound values.
  private func successors(of index: Int) -> [Int] {
    let instruction = code[index]
    let effects = OpcodeTable[instruction.opcode].effects
    var result = effects.contains(.ends) ? [] : [index + 1]
    switch instruction.opcode {
    case .loadDeclared: result.append(index + 2)
    case .force, .forced: break
    default: if effects.contains(.jumps) { result.append(instruction.wide) }
    }
    return result
  }

  private func checkRecursion(of regions: [LazyRegion]) throws(Defect) {
    // 0: not visited; 1: being visited; 2: done.
    var marks = [UInt8](repeating: 0, count: regions.count)
    for root in regions.indices where marks[root] == 0 {
      var stack = [(number: root, next: 0)]
      marks[root] = 1
      while let top = stack.last {
        guard top.next < regions[top.number].callees.count else {
          marks[top.number] = 2
          stack.removeLast()
          continue
        }
        stack[stack.count - 1].next += 1
        let callee = regions[top.number].callees[top.next]
        guard marks[callee] != 1 else {
          throw Defect(
            instruction: regions[callee].code.lowerBound, description: "a value that needs itself")
        }
        if marks[callee] == 0 {
          marks[callee] = 1
          stack.append((callee, 0))
        }
      }
    }
  }
}
