// Loops over lists whose body only asks questions about the element: a graph within the graph.

extension DecisionGraph {
  /// The loop whose body is being run over.
  struct Loop {
    /// Where the next element is fetched.
    let start: Int
    /// The last jump back to there.
    let end: Int
    /// An element: the body's graph is for elements of its kind.
    let sample: Slot
    /// Where an element that ends the loop leads to; `nil` as long as none does.
    var exit: Int?

    /// What the body has come to at a place: false is to go on with the next element, true is to leave.
    func outcome(at pc: Int) -> Decision.Branch? {
      if pc == start { return .false }
      return pc > end ? .true : nil
    }
  }

  /// A loop over a list, with the graph of its body.
  struct LoopBody: Hashable {
    let place: Place
    let first: Decision.Branch
    let kind: SlotTag
  }

  /// What a loop leads to: both ways, with an element that ends it and without one, or a number of elements.
  mutating func loop(_ instruction: Instruction, _ state: State) -> Step? {
    guard loop == nil, allowsLoops, case .elements(let place) = state.registers[instruction.a],
      let end = lastJumpBack(to: state.pc)
    else { return nil }
    for sample in samples(place) {
      var inner = state.moved(to: state.pc + 1)
      inner.registers[instruction.a + 1] = .place(.element)
      let body = attempt { graph -> (first: Decision.Branch, exit: Int?)? in
        graph.loop = Loop(start: state.pc, end: end, sample: sample)
        defer { graph.loop = nil }
        guard let first = graph.branch(from: inner), first != .givenUp else { return nil }
        if let exit = graph.loop?.exit { graph.exits[inner] = exit }
        return (first, graph.exits[inner])
      }
      guard let body else { continue }
      let loopBody = LoopBody(place: place, first: body.first, kind: sample.tag)
      return step(behind: loopBody, body.exit, from: state, end, to: instruction.wide)
    }
    return nil
  }

  /// What follows from a loop.
  ///
  /// - Parameters:
  ///   - exit: Where an element that ends the loop leads to; if none does, the loop counts.
  ///   - end: The last instruction of the body.
  ///   - next: Where the loop leads to without such an element.
  private func step(
    behind body: LoopBody, _ exit: Int?, from state: State, _ end: Int, to next: Int
  ) -> Step? {
    var rest = state.moved(to: next)
    // What the body leaves in its registers belongs to the last element.
    var counter: Int?
    for pc in state.pc...end {
      let instruction = code(at: pc)
      if instruction.opcode.counts { counter = instruction.a }
      if instruction.opcode.writesFirst { rest.registers[instruction.a] = .unknown }
    }
    guard let exit else {
      guard let counter, isZero(state.registers[counter]) else { return nil }
      rest.registers[counter] = .counted(body)
      return .go(rest)
    }
    guard counter == nil, let question = question(body, count: nil) else { return nil }
    return .ask([question], isAny: true, rest.moved(to: exit), rest)
  }

  /// A loop that is one instruction and looks each element up in constants.
  mutating func scanLoop(_ instruction: Instruction, _ state: State) -> Step? {
    let kind = ScanOperand(rawValue: instruction.x).kind
    guard loop == nil, allowsLoops, case .elements(let place) = state.registers[instruction.b]
    else { return nil }
    let next = state.pc + 1
    for sample in samples(place) {
      loop = Loop(start: state.pc, end: state.pc, sample: sample)
      let isMember = membership(of: .place(.element), in: state.registers[instruction.c])
      loop = nil
      guard case .question(let found) = kind == .all ? isMember?.negated : isMember else {
        continue
      }
      let first = found.isNegated ? add(found, .false, .true) : add(found, .true, .false)
      let body = LoopBody(place: place, first: first, kind: sample.tag)
      if kind.counts { return .go(state.setting(instruction.a, .counted(body), next: next)) }
      return question(body, count: nil).map {
        .ask(
          [$0], isAny: true, state.setting(instruction.a, .bool(kind == .exists), next: next),
          state.setting(instruction.a, .bool(kind == .all), next: next))
      }
    }
    return nil
  }

  /// What a body that counts has come to.
  mutating func counted(_ instruction: Instruction, _ state: State) -> Decision.Branch? {
    guard let loop, state.pc + 1 == loop.end else { return nil }
    if instruction.opcode == .increment { return .true }
    let register = state.registers[instruction.b]
    guard value(register)?.isA(.bool) ?? true else { return .false }
    switch register {
    case .bool(let isTrue): return .outcome(isTrue)
    case .constant(let number): return .outcome(program.constants[number].isTrue)
    case .place(let place):
      return add(Question(test: .truthy, constant: .null, place: place), .true, .false)
    default: return nil
    }
  }

  /// Notes where the loop is left; `false` if there are two such places.
  mutating func leaveLoop(at pc: Int) -> Bool {
    guard loop?.exit == nil || loop?.exit == pc else { return false }
    loop?.exit = pc
    return true
  }

  // MARK: Questions

  /// A comparison of the number of elements that are true in a graph of their own.
  func question(_ body: LoopBody, _ mask: ComparisonMask, _ number: Slot) -> Answer? {
    guard number.isInt, let number = Int32(exactly: number.intValue) else { return nil }
    return question(body, count: (mask, number)).map { .question($0) }
  }

  private func question(
    _ body: LoopBody, count: (mask: ComparisonMask, number: Int32)?
  ) -> Question? {
    guard !body.first.isOutcome else { return nil }
    if body.kind == .int, let (range, isOutside) = range(body.first) {
      let operand = LoopOperand(kind: .int, count: count, isOutside: isOutside)
      let bounds = Slot(
        word0: UInt64(bitPattern: range.lowerBound), word1: UInt64(bitPattern: range.upperBound))
      return Question(
        test: .listRange, constant: Slot(word0: 0, word1: operand.rawValue), place: body.place,
        behind: [bounds])
    }
    let operand = LoopOperand(kind: body.kind, count: count)
    return Question(
      test: .listLoop,
      constant: Slot(word0: UInt64(body.first.rawValue), word1: operand.rawValue),
      place: body.place)
  }

  // MARK: Elements

  /// Elements whose kinds are worth a try: the list's first one, or what most lists have.
  private func samples(_ place: Place) -> [Slot] {
    let list = value(of: place)
    guard list.isA(.list) else { return [] }
    guard let first = list.elements.first else {
      return [.int(0), Slot(.string, at: program.constants, count: 0)]
    }
    return first.isInt || first.isA(.string) || first.isA(.bool) ? [first] : []
  }

  private func isZero(_ register: Register) -> Bool {
    guard let value = value(register) else { return false }
    return value.isInt && value.intValue == 0
  }

  private func lastJumpBack(to start: Int) -> Int? {
    (start..<program.codeCount).last {
      code(at: $0).opcode == .jump && code(at: $0).wide == start
    }
  }

  // MARK: Ranges

  /// The most constants that an element is compared with.
  private static let maximumBounds = 16

  /// The ints that are true in a graph, or those that are not, if they are all ints between two and
  /// nothing else is asked of them.
  private func range(
    _ first: Decision.Branch
  ) -> (range: ClosedRange<Int64>, isOutside: Bool)? {
    // Between two neighbours of these nothing changes.
    var starts: Set<Int64> = [.min]
    var open = [first]
    var seen: Set<Decision.Branch> = []
    while let branch = open.popLast() {
      guard !branch.isOutcome, seen.insert(branch).inserted else { continue }
      let decision = self[branch]
      guard decision.root == Decision.elementRoot, starts.count < Self.maximumBounds else {
        return nil
      }
      let bound = decision.constant.intValue
      switch decision.test {
      case .intAtLeast: starts.insert(bound)
      case .intAbove: starts.insert(bound == .max ? bound : bound + 1)
      case .intEqual: starts.formUnion([bound, bound == .max ? bound : bound + 1])
      default: return nil
      }
      open += [decision.ifTrue, decision.ifFalse]
    }
    let ordered = starts.sorted()
    let answers = ordered.map { outcome(of: $0, first) }
    // Neighbours with one answer are one run; two changes at most make a range.
    let changes = ordered.indices.dropFirst().filter { answers[$0] != answers[$0 - 1] }
    let last = { (index: Int) in index == ordered.count ? Int64.max : ordered[index] - 1 }
    switch changes.count {
    case 1:
      let isTrueFirst = answers[0]
      return (
        isTrueFirst ? .min...last(changes[0]) : ordered[changes[0]] ... .max, false
      )
    case 2: return (ordered[changes[0]]...last(changes[1]), answers[0])
    default: return nil
    }
  }

  /// Whether an int is true in a graph that only compares ints.
  private func outcome(of int: Int64, _ first: Decision.Branch) -> Bool {
    var branch = first
    while !branch.isOutcome {
      let decision = self[branch]
      let bound = decision.constant.intValue
      let holds =
        switch decision.test {
        case .intAtLeast: int >= bound
        case .intAbove: int > bound
        default: int == bound
        }
      branch = holds ? decision.ifTrue : decision.ifFalse
    }
    return branch == .true
  }
}

extension Opcode {
  /// Whether it counts an element.
  fileprivate var counts: Bool { self == .countIfTrue || self == .increment }

  /// Whether its first operand is a register that it writes.
  fileprivate var writesFirst: Bool {
    let role = OpcodeTable[self].roles.first
    return role == .target || role == .update
  }
}
