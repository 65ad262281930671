/// Turns specialized code into a graph of decisions, by running it over what is known of the registers.
///
/// Where the code asks something, the run splits in two, one for each answer. Runs that come to the same
/// place with the same knowledge are one, and a question whose answer changes nothing is not asked: so a
/// conjunction ends at its first false condition, and what follows from a disjunction is settled by its
/// first true one. Code that computes, loops or may fail has no graph.
struct DecisionGraph {
  /// The most places that are visited on the way, which bounds time, memory and recursion.
  static let maximumVisits = 160

  /// What is known of a register.
  private enum Register: Hashable {
    case unknown
    case null
    case bool(Bool)
    /// A constant, by its number.
    case constant(Int)
    /// The value of an attribute.
    case place(Place)
  }

  /// A place in the code, and what is known there.
  private struct State: Hashable {
    var pc = 0
    var registers: [Register]

    func moved(to pc: Int) -> State { State(pc: pc, registers: registers) }

    func setting(_ register: Int, _ value: Register, next pc: Int) -> State {
      var state = moved(to: pc)
      state.registers[register] = value
      return state
    }
  }

  /// A question before it is known what follows from the answer.
  private struct Question {
    let test: Decision.Test
    let constant: Slot
    let place: Place
    /// Whether a true answer to the test is the false one to the question.
    var isNegated = false
  }

  private enum Answer {
    case known(Bool)
    case question(Question)

    var negated: Answer {
      switch self {
      case .known(let isTrue): return .known(!isTrue)
      case .question(var question):
        question.isNegated.toggle()
        return .question(question)
      }
    }
  }

  private let program: Program
  private let code: UnsafePointer<Instruction>
  private let roots: UnsafePointer<UInt>
  /// What follows a decision stands before it.
  private var decisions: [Decision] = []
  private var visited: [State: Decision.Branch] = [:]

  private init(
    _ program: Program, _ code: UnsafePointer<Instruction>, _ roots: UnsafePointer<UInt>
  ) {
    self.program = program
    self.code = code
    self.roots = roots
  }

  /// The decisions of specialized code, the first one first; `nil` if the code has no graph.
  ///
  /// - Parameters:
  ///   - code: Code of `program`, specialized for the shapes of the context with the tables `roots`.
  /// - Complexity: O(length of the code), and at most ``maximumVisits`` steps from question to question.
  static func decisions(
    of program: Program, _ code: UnsafePointer<Instruction>, _ roots: UnsafePointer<UInt>
  ) -> [Decision]? {
    var graph = DecisionGraph(program, code, roots)
    let start = State(registers: Array(repeating: .unknown, count: program.registerCount))
    guard program.registerCount <= VM.smallFrame, let first = graph.branch(from: start) else {
      return nil
    }
    if first.isOutcome {
      // An attribute that is missing in all contexts of the shapes may settle everything.
      return Place(root: 0, entry: 0).map {
        [Decision(.always, .null, $0, ifTrue: first, ifFalse: first)]
      }
    }
    return graph.inOrder(from: first)
  }

  // MARK: Running over what is known

  /// What follows from a state; `nil` if the code has no graph.
  private mutating func branch(from start: State) -> Decision.Branch? {
    if let known = visited[start] { return known }
    guard visited.count < Self.maximumVisits else { return nil }
    // Holds the place until the result is known, so that the count is right.
    visited[start] = .givenUp
    guard let result = run(from: start) else { return nil }
    visited[start] = result
    return result
  }

  /// Runs to the next question or to the end.
  private mutating func run(from start: State) -> Decision.Branch? {
    var state = start
    while state.pc < program.codeCount {
      let instruction = code[state.pc]
      let next = state.pc + 1
      switch instruction.opcode {
      case .reraise, .settle:
        state.pc = next
      case .loadNull: state = state.setting(instruction.a, .null, next: next)
      case .loadConstant:
        state = state.setting(instruction.a, .constant(instruction.wide), next: next)
      case .loadPlace:
        let place = Place(rawValue: UInt16(truncatingIfNeeded: instruction.b))
        state = state.setting(instruction.a, .place(place), next: next)
      case .move:
        state = state.setting(instruction.a, state.registers[instruction.b], next: next)
      case .expect:
        let kinds = SlotKinds(rawValue: UInt32(truncatingIfNeeded: instruction.wide))
        guard let value = value(state.registers[instruction.a]), kinds.contains(tagOf: value)
        else { return nil }
        state.pc = next
      case .jump:
        guard instruction.wide > state.pc else { return nil }
        state.pc = instruction.wide
      case .returnValue:
        return returned(state.registers[instruction.a])
      default:
        guard let answer = answer(to: instruction, state.registers) else { return nil }
        let ifTrue = self.state(after: instruction, true, state)
        let ifFalse = self.state(after: instruction, false, state)
        // Code for decisions only goes forward, so that every run ends.
        guard ifTrue.pc > state.pc, ifFalse.pc > state.pc else { return nil }
        switch answer {
        case .known(let isTrue): state = isTrue ? ifTrue : ifFalse
        case .question(let question): return ask(question, ifTrue, ifFalse)
        }
      }
    }
    return nil
  }

  /// The outcome of a filter whose value stands in a register, if that is a bool.
  private mutating func returned(_ register: Register) -> Decision.Branch? {
    switch register {
    case .bool(let isTrue): return .outcome(isTrue)
    case .place(let place) where value(of: place).isA(.bool):
      return add(Question(test: .truthy, constant: .null, place: place), .true, .false)
    case .constant(let number) where program.constants[number].isA(.bool):
      return .outcome(program.constants[number].boolValue)
    default: return nil
    }
  }

  /// Goes both ways from a question.
  private mutating func ask(
    _ question: Question, _ ifTrue: State, _ ifFalse: State
  ) -> Decision.Branch? {
    guard let yes = branch(from: ifTrue), let no = branch(from: ifFalse) else { return nil }
    return question.isNegated ? add(question, no, yes) : add(question, yes, no)
  }

  private mutating func add(
    _ question: Question, _ ifTrue: Decision.Branch, _ ifFalse: Decision.Branch
  ) -> Decision.Branch {
    // What may be given up must be tried, because a machine would fail there.
    if ifTrue == ifFalse, question.test != .stringMatches { return ifTrue }
    let decision = Decision(
      question.test, question.constant, question.place, ifTrue: ifTrue, ifFalse: ifFalse)
    if let known = decisions.firstIndex(where: { $0.isSame(as: decision) }) {
      return Decision.Branch(rawValue: UInt16(known))
    }
    decisions.append(decision)
    return Decision.Branch(rawValue: UInt16(decisions.count - 1))
  }

  // MARK: Instructions that ask

  /// What an instruction asks, or its answer; `nil` for an instruction that does something else.
  private func answer(to instruction: Instruction, _ registers: [Register]) -> Answer? {
    switch instruction.opcode {
    case .jumpIfTrue, .jumpIfFalse: return truth(of: registers[instruction.a])
    case .jumpIfExactlyTrue, .jumpIfExactlyFalse:
      let register = registers[instruction.a]
      guard value(register)?.isA(.bool) ?? true else { return .known(false) }
      guard let answer = truth(of: register) else { return nil }
      return instruction.opcode == .jumpIfExactlyTrue ? answer : answer.negated
    case .truth, .conjoin: return truth(of: registers[instruction.b])
    case .not:
      let register = registers[instruction.b]
      guard instruction.x == 0 || (value(register)?.isA(.bool) ?? true) else { return nil }
      return truth(of: register)?.negated
    case .compareConstant:
      return comparison(
        registers[instruction.b], ComparisonMask(bits: instruction.x),
        program.constants[instruction.c])
    case .callStartsWith:
      return stringTest(
        .stringHasPrefix, registers[instruction.b], program.constants[instruction.c])
    case .callEndsWith:
      return stringTest(
        .stringHasSuffix, registers[instruction.b], program.constants[instruction.c])
    case .callMatches:
      // The program, which the code belongs to, keeps its patterns alive.
      let pattern = program.header.pointee.patterns[instruction.c].toOpaque()
      return stringTest(
        .stringMatches, registers[instruction.b],
        Slot(word0: UInt64(UInt(bitPattern: pattern)), word1: 0))
    default: return placedComparison(instruction)
    }
  }

  /// The state after an instruction for which ``answer(to:_:)`` has an answer.
  private func state(after instruction: Instruction, _ isTrue: Bool, _ state: State) -> State {
    let next = state.pc + 1
    switch instruction.opcode {
    case .jumpIfTrue:
      return refined(state, instruction.a, isTrue).moved(to: isTrue ? instruction.wide : next)
    case .jumpIfFalse:
      return refined(state, instruction.a, isTrue).moved(to: isTrue ? next : instruction.wide)
    case .jumpIfExactlyTrue, .jumpIfExactlyFalse:
      return state.moved(to: isTrue ? instruction.wide : next)
    case .conjoin:
      return isTrue ? state.moved(to: next) : state.setting(instruction.a, .bool(false), next: next)
    case .truth, .not, .compareConstant, .callStartsWith, .callEndsWith, .callMatches:
      return state.setting(instruction.a, .bool(isTrue), next: next)
    default:
      let x = PlacedComparison(rawValue: instruction.x)
      guard isTrue else {
        return state.setting(instruction.a, .bool(false), next: next + x.skip)
      }
      return x.conjoins
        ? state.moved(to: next) : state.setting(instruction.a, .bool(true), next: next)
    }
  }

  /// The state with what a jump has found out: a bool that counts as true is true.
  private func refined(_ state: State, _ register: Int, _ isTrue: Bool) -> State {
    guard case .place(let place) = state.registers[register], value(of: place).isA(.bool) else {
      return state
    }
    return state.setting(register, .bool(isTrue), next: state.pc)
  }

  private func truth(of register: Register) -> Answer? {
    switch register {
    case .unknown: nil
    case .null: .known(false)
    case .bool(let isTrue): .known(isTrue)
    case .constant(let number): .known(program.constants[number].isTruthy)
    case .place(let place):
      .question(Question(test: .truthy, constant: .null, place: place))
    }
  }

  private func placedComparison(_ instruction: Instruction) -> Answer? {
    let mask = PlacedComparison(rawValue: instruction.x).mask
    let place = Place(rawValue: UInt16(truncatingIfNeeded: instruction.b))
    let constant = { program.constants[instruction.c] }
    switch instruction.opcode {
    case .setBool: return .known(mask.accepts(instruction.wide == 1 ? 0 : 1))
    case .comparePlaceInt: return ordered(.ints, mask, place, constant())
    case .comparePlaceDouble:
      return ordered(.doubles, mask, place, .double(constant().asDouble))
    case .orderPlaceString: return ordered(.strings, mask, place, constant())
    // Bools are compared by their word, as ints are.
    case .comparePlaceBool: return equality(.intEqual, mask, place, constant())
    case .comparePlaceString: return equality(.stringEqual, mask, place, constant())
    case .comparePlaceReadings:
      return equality(.stringEqual, mask, place, constant().elements[0])
    case .placeInSet: return equality(.stringInSet, mask, place, constant())
    case .placeInList: return equality(.stringInList, mask, place, constant())
    default: return nil
    }
  }

  /// A comparison of a register with a constant, as far as it cannot fail.
  private func comparison(
    _ register: Register, _ mask: ComparisonMask, _ constant: Slot
  ) -> Answer? {
    guard case .place(let place) = register else { return nil }
    let value = value(of: place)
    if value.isInt, constant.isInt { return ordered(.ints, mask, place, constant) }
    if value.isA(.double), constant.isA(.double), !value.doubleValue.isNaN,
      !constant.doubleValue.isNaN
    {
      return ordered(.doubles, mask, place, constant)
    }
    return nil
  }

  private func stringTest(
    _ test: Decision.Test, _ register: Register, _ constant: Slot
  ) -> Answer? {
    guard case .place(let place) = register, value(of: place).isA(.string) else { return nil }
    return .question(Question(test: test, constant: constant, place: place))
  }

  /// The tests of an ordered kind.
  private struct OrderTests {
    let equal: Decision.Test
    let atLeast: Decision.Test
    let above: Decision.Test

    static let ints = OrderTests(equal: .intEqual, atLeast: .intAtLeast, above: .intAbove)
    static let doubles = OrderTests(
      equal: .doubleEqual, atLeast: .doubleAtLeast, above: .doubleAbove)
    static let strings = OrderTests(
      equal: .stringEqual, atLeast: .stringAtLeast, above: .stringAbove)
  }

  private func ordered(
    _ tests: OrderTests, _ mask: ComparisonMask, _ place: Place, _ constant: Slot
  ) -> Answer {
    func ask(_ test: Decision.Test, isNegated: Bool) -> Answer {
      .question(Question(test: test, constant: constant, place: place, isNegated: isNegated))
    }
    return switch mask {
    case .equal: ask(tests.equal, isNegated: false)
    case .notEqual: ask(tests.equal, isNegated: true)
    case .greaterEqual: ask(tests.atLeast, isNegated: false)
    case .less: ask(tests.atLeast, isNegated: true)
    case .greater: ask(tests.above, isNegated: false)
    case .lessEqual: ask(tests.above, isNegated: true)
    default: .known(mask.accepts(0))
    }
  }

  /// A test that says only whether two values are the same.
  private func equality(
    _ test: Decision.Test, _ mask: ComparisonMask, _ place: Place, _ constant: Slot
  ) -> Answer {
    let (ifSame, ifOther) = (mask.accepts(0), mask.accepts(1))
    guard ifSame != ifOther else { return .known(ifSame) }
    return .question(
      Question(test: test, constant: constant, place: place, isNegated: ifOther))
  }

  // MARK: Values

  /// A value of the kind that a register has; `nil` if that is not known.
  private func value(_ register: Register) -> Slot? {
    switch register {
    case .unknown: nil
    case .null: .null
    case .bool(let isTrue): .bool(isTrue)
    case .constant(let number): program.constants[number]
    case .place(let place): value(of: place)
    }
  }

  /// The value of an attribute in the context at hand; others of its shapes have one of the same kind.
  private func value(of place: Place) -> Slot {
    // Places are made for the tables of this context.
    let base = UnsafeRawPointer(bitPattern: roots[place.root]).unsafelyUnwrapped
    return MapTable.value(place.entry, in: base).pointee
  }

  // MARK: The result

  /// The decisions from `first` on, each before what follows from it, the likely way next to it.
  private func inOrder(from first: Decision.Branch) -> [Decision] {
    var numbers: [UInt16: UInt16] = [:]
    var order: [UInt16] = []
    var open = [first]
    while let branch = open.popLast() {
      guard !branch.isOutcome, numbers[branch.rawValue] == nil else { continue }
      numbers[branch.rawValue] = UInt16(order.count)
      order.append(branch.rawValue)
      open.append(decisions[Int(branch.rawValue)].ifFalse)
      open.append(decisions[Int(branch.rawValue)].ifTrue)
    }
    func renumbered(_ branch: Decision.Branch) -> Decision.Branch {
      numbers[branch.rawValue].map { Decision.Branch(rawValue: $0) } ?? branch
    }
    return order.map { number in
      var decision = decisions[Int(number)]
      decision.ifTrue = renumbered(decision.ifTrue)
      decision.ifFalse = renumbered(decision.ifFalse)
      return decision
    }
  }
}
