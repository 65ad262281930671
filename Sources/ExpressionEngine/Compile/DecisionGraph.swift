/// Turns specialized code into a graph of decisions, by running it over what is known of the registers.
///
/// Where the code asks something, the run splits in two, one for each answer. Runs that come to the same
/// place with the same knowledge are one, and a question whose answer changes nothing is not asked: so a
/// conjunction ends at its first false condition, and what follows from a disjunction is settled by its
/// first true one. What is computed of numbers on the way is done where the result is asked for. Code that builds
/// something, loops or may fail in other ways than by a result too large has no graph.
struct DecisionGraph {
  /// The most questions that are met on the way, which bounds time and memory.
  static let maximumQuestions = 160
  /// The most questions in a row. Each takes up to 4 KB of the stack in a debug build.
  static let maximumDepth = 96

  /// What is known of a register.
  enum Register: Hashable {
    case unknown
    case null
    case bool(Bool)
    /// A constant, by its number.
    case constant(Int)
    /// The value of an attribute.
    case place(Place)
    /// How many elements or entries an attribute has.
    case length(Place)
    /// A walk over the elements of a constant list, by its number.
    case constantElements(Int)
    /// A walk over the elements of an attribute that is a list.
    case elements(Place)
    /// How many elements of a list are what a loop wants.
    case count(Place, ScanOperand, constant: Int)
    /// What is computed of attributes.
    case computed(Computation)
    /// How many elements of a list are true in a graph of their own.
    case counted(LoopBody)

    var isElementsOfAttribute: Bool {
      if case .elements = self { true } else { false }
    }
  }

  /// A place in the code, and what is known there.
  struct State: Hashable {
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
  struct Question {
    let test: Decision.Test
    let constant: Slot
    let place: Place
    /// Whether a true answer to the test is the false one to the question.
    var isNegated = false
    /// What must be done before the test, which asks for the result.
    var computation: Computation?
    /// What stands behind the decisions; the first word of `constant` does not yet say where.
    var behind: [Slot] = []

    /// How many decisions it becomes.
    var weight: Int { 1 + (computation?.operations.count ?? 0) }
  }

  /// What an instruction leads to.
  enum Step {
    case go(State)
    case end(Decision.Branch)
    /// Both ways, from questions of which one, or each, must be answered with true.
    case ask([Question], isAny: Bool, State, State)
  }

  enum Answer {
    case known(Bool)
    case question(Question)
    /// Whether one of some questions, or each of them, is answered with true.
    case questions([Question], isAny: Bool)

    var negated: Answer {
      switch self {
      case .known(let isTrue): return .known(!isTrue)
      case .question(var question):
        question.isNegated.toggle()
        return .question(question)
      case .questions(var questions, let isAny):
        for index in questions.indices { questions[index].isNegated.toggle() }
        return .questions(questions, isAny: !isAny)
      }
    }
  }

  let program: Program
  private let code: UnsafePointer<Instruction>
  let roots: UnsafePointer<UInt>
  /// Whether the limits allow for the loops of the code, whose steps nobody counts here.
  let allowsLoops: Bool
  /// What follows a decision stands before it.
  private var decisions: [Decision] = []
  /// What stands behind the decisions, and where each part of it begins.
  private var behind: [Slot] = []
  private var parts: [(start: Int, count: Int)] = []
  /// The loop whose body is being run over.
  var loop: Loop?
  /// Where loops are left, by how their bodies begin: one that was run over before is not run over again.
  var exits: [State: Int] = [:]
  private var visited: [State: Decision.Branch] = [:]
  private var asked = 0
  private var depth = 0

  private init(
    _ program: Program, _ code: UnsafePointer<Instruction>, _ roots: UnsafePointer<UInt>
  ) {
    self.program = program
    self.code = code
    self.roots = roots
    let loops = (0..<program.codeCount).count { code[$0].opcode.isLoop }
    allowsLoops = loops &* VM.longestPlainScan <= program.header.pointee.limits.steps
  }

  /// A graph as it is followed.
  struct Result {
    /// The first one first.
    var decisions: [Decision]
    /// What stands behind the decisions, which refer to it by the number of bytes from the first one.
    var behind: [Slot] = []
  }

  /// The graph of specialized code; `nil` if the code has none.
  ///
  /// - Parameters:
  ///   - code: Code of `program`, specialized for the shapes of the context with the tables `roots`.
  /// - Complexity: O(length of the code) for each of at most ``maximumQuestions`` questions; equal decisions are
  ///   found by looking at all of them.
  static func decisions(
    of program: Program, _ code: UnsafePointer<Instruction>, _ roots: UnsafePointer<UInt>
  ) -> Result? {
    var graph = DecisionGraph(program, code, roots)
    let start = State(registers: Array(repeating: .unknown, count: program.registerCount))
    guard program.registerCount <= VM.smallFrame, let first = graph.branch(from: start) else {
      return nil
    }
    if first.isOutcome {
      // An attribute that is missing in all contexts of the shapes may settle everything.
      return Result(
        decisions: [Decision(.always, .null, .none, ifTrue: first, ifFalse: first)])
    }
    return graph.inOrder(from: first)
  }

  // MARK: Running over what is known

  /// What follows from a state; `nil` if the code has no graph.
  mutating func branch(from start: State) -> Decision.Branch? {
    if let known = visited[start] { return known }
    guard depth < Self.maximumDepth else { return nil }
    depth += 1
    defer { depth -= 1 }
    // Holds the place until the result is known, so that the count is right.
    visited[start] = .givenUp
    guard let result = run(from: start) else { return nil }
    visited[start] = result
    return result
  }

  /// Runs to the next question or to the end.
  ///
  /// Only this, ``ask(_:isAny:_:_:)`` and ``branch(from:)`` call themselves; what one step needs of the stack
  /// is free again before the next.
  private mutating func run(from start: State) -> Decision.Branch? {
    var state = start
    while true {
      switch step(state) {
      case .go(let next): state = next
      case .end(let outcome): return outcome
      case .ask(let questions, let isAny, let ifTrue, let ifFalse):
        return ask(questions, isAny: isAny, ifTrue, ifFalse)
      case nil: return nil
      }
    }
  }

  /// What an instruction leads to; `nil` if the code has no graph.
  @inline(never)
  private mutating func step(_ state: State) -> Step? {
    guard state.pc < program.codeCount else { return nil }
    if let outcome = loop.map({ $0.outcome(at: state.pc) }) ?? nil {
      return outcome == .false || leaveLoop(at: state.pc) ? .end(outcome) : nil
    }
    let instruction = code[state.pc]
    let next = state.pc + 1
    switch instruction.opcode {
    case .reraise, .settle: return .go(state.moved(to: next))
    case .requireBool:
      return value(state.registers[instruction.a])?.isA(.bool) == true
        ? .go(state.moved(to: next)) : nil
    case .expect:
      let kinds = SlotKinds(rawValue: UInt32(truncatingIfNeeded: instruction.wide))
      guard let value = value(state.registers[instruction.a]), kinds.contains(tagOf: value)
      else { return nil }
      return .go(state.moved(to: next))
    case .jump:
      return isForward(instruction.wide, from: state.pc)
        ? .go(state.moved(to: instruction.wide)) : nil
    case .loadAttribute: return missing(instruction, state)
    case .loopNext: return loop(instruction, state)
    case .scanMembership where state.registers[instruction.b].isElementsOfAttribute:
      return scanLoop(instruction, state)
    case .countIfTrue, .increment: return counted(instruction, state).map { .end($0) }
    case .returnValue:
      return loop == nil ? returned(state.registers[instruction.a]).map { .end($0) } : nil
    default:
      if let result = register(instruction, state.registers) {
        return .go(state.setting(instruction.a, result, next: next))
      }
      return question(instruction, state)
    }
  }

  /// Where an attribute that is missing in all contexts of the shapes leads to, if that is no failure to the
  /// outside.
  private func missing(_ instruction: Instruction, _ state: State) -> Step? {
    // A variable with a dotted name may take its place.
    guard !program.rules.contains(.dottedVariables),
      case .missing = program.find(program.attributes[instruction.wide], in: roots),
      let handler = program.handler(at: state.pc).map({ program.handlers[$0] }),
      handler.rescues == .missingKey, handler.register == nil,
      isForward(Int(handler.target), from: state.pc)
    else { return nil }
    return .go(state.moved(to: Int(handler.target)))
  }

  /// What an instruction puts into its target without asking; `nil` for one that asks, or does something else.
  private func register(_ instruction: Instruction, _ registers: [Register]) -> Register? {
    switch instruction.opcode {
    case .loadNull: .null
    case .loadConstant: .constant(instruction.wide)
    case .loadPlace: .place(Place(rawValue: UInt16(truncatingIfNeeded: instruction.b)))
    case .move: registers[instruction.b]
    case .loopBegin: elements(of: registers[instruction.b])
    case .scanConstant: counting(instruction, registers)
    case .call: length(instruction, registers)
    default: computation(of: instruction, registers).map { .computed($0) }
    }
  }

  /// The question that an instruction asks, or where its answer leads to.
  private func question(_ instruction: Instruction, _ state: State) -> Step? {
    guard let answer = answer(to: instruction, state.registers) else { return nil }
    let ifTrue = self.state(after: instruction, true, state)
    let ifFalse = self.state(after: instruction, false, state)
    guard isForward(ifTrue.pc, from: state.pc), isForward(ifFalse.pc, from: state.pc) else {
      return nil
    }
    switch answer {
    case .known(let isTrue): return .go(isTrue ? ifTrue : ifFalse)
    case .question(let question): return .ask([question], isAny: true, ifTrue, ifFalse)
    case .questions(let questions, let isAny):
      return .ask(questions, isAny: isAny, ifTrue, ifFalse)
    }
  }

  /// Whether code goes forward, so that every run ends; back to the start of a loop is an outcome of its body.
  private func isForward(_ target: Int, from pc: Int) -> Bool {
    target > pc || target == loop?.start
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

  /// Goes both ways from questions of which one, or each, must be answered with true.
  private mutating func ask(
    _ questions: [Question], isAny: Bool, _ ifTrue: State, _ ifFalse: State
  ) -> Decision.Branch? {
    asked += questions.reduce(0) { $0 + $1.weight }
    guard asked <= Self.maximumQuestions, let yes = branch(from: ifTrue),
      let no = branch(from: ifFalse)
    else { return nil }
    var rest = isAny ? no : yes
    for question in questions.reversed() {
      let (onTrue, onFalse) = isAny ? (yes, rest) : (rest, no)
      rest =
        question.isNegated ? add(question, onFalse, onTrue) : add(question, onTrue, onFalse)
    }
    return rest
  }

  /// The decision that asks a question, with what must be done before it.
  mutating func add(
    _ question: Question, _ ifTrue: Decision.Branch, _ ifFalse: Decision.Branch
  ) -> Decision.Branch {
    if ifTrue == ifFalse, !question.test.mayBeGivenUp { return ifTrue }
    var constant = question.constant
    if !question.behind.isEmpty { constant.word0 = offset(of: question.behind) }
    var first = add(
      Decision(question.test, constant, question.place, ifTrue: ifTrue, ifFalse: ifFalse))
    for operation in (question.computation?.decisions ?? []).reversed() {
      first = add(
        Decision(
          operation.test, operation.constant, operation.place, ifTrue: first, ifFalse: .givenUp))
    }
    return first
  }

  private mutating func add(_ decision: Decision) -> Decision.Branch {
    if let known = decisions.firstIndex(where: { $0.isSame(as: decision) }) {
      return Decision.Branch(rawValue: UInt16(known))
    }
    decisions.append(decision)
    return Decision.Branch(rawValue: UInt16(decisions.count - 1))
  }

  /// Where something stands, in bytes behind the last decision.
  private mutating func offset(of part: [Slot]) -> UInt64 {
    let known = parts.first {
      behind[$0.start..<($0.start + $0.count)].elementsEqual(part) { $0.isSame(as: $1) }
    }
    let start = known?.start ?? behind.count
    if known == nil {
      parts.append((start, part.count))
      behind += part
    }
    return UInt64(start * MemoryLayout<Slot>.stride)
  }

  /// Tries to find a graph for a part of the code; what was noted on the way is forgotten if there is none.
  mutating func attempt<T>(_ body: (inout DecisionGraph) -> T?) -> T? {
    var copy = self
    guard let result = body(&copy) else { return nil }
    self = copy
    return result
  }

  // MARK: Values

  /// A value of the kind that a register has; `nil` if that is not known.
  func value(_ register: Register) -> Slot? {
    switch register {
    case .unknown: nil
    case .null: .null
    case .bool(let isTrue): .bool(isTrue)
    case .constant(let number): program.constants[number]
    case .place(let place): value(of: place)
    case .length, .constantElements, .elements, .count, .computed, .counted: nil
    }
  }

  /// The value of an attribute in the context at hand; others of its shapes have one of the same kind.
  func value(of place: Place) -> Slot {
    place == .element ? loop?.sample ?? .null : place.value(roots).pointee
  }

  // MARK: The result

  /// The decisions from `first` on, what follows from a true answer next to the question.
  private func inOrder(from first: Decision.Branch) -> Result {
    var numbers: [UInt16: UInt16] = [:]
    var order: [UInt16] = []
    var open = [first]
    while let branch = open.popLast() {
      guard !branch.isOutcome, numbers[branch.rawValue] == nil else { continue }
      numbers[branch.rawValue] = UInt16(order.count)
      order.append(branch.rawValue)
      let decision = decisions[Int(branch.rawValue)]
      if let body = decision.body { open.append(body) }
      open.append(decision.ifFalse)
      open.append(decision.ifTrue)
    }
    func renumbered(_ branch: Decision.Branch) -> Decision.Branch {
      numbers[branch.rawValue].map { Decision.Branch(rawValue: $0) } ?? branch
    }
    let size = UInt64(order.count * MemoryLayout<Decision>.stride)
    let ordered = order.map { number in
      var decision = decisions[Int(number)]
      if decision.test.refersBehind { decision.constant.word0 += size }
      if let body = decision.body { decision.constant.word0 = UInt64(renumbered(body).rawValue) }
      decision.ifTrue = renumbered(decision.ifTrue)
      decision.ifFalse = renumbered(decision.ifFalse)
      return decision
    }
    return Result(decisions: ordered, behind: behind)
  }

  func code(at pc: Int) -> Instruction { code[pc] }

  /// A decision that was made.
  subscript(branch: Decision.Branch) -> Decision { decisions[Int(branch.rawValue)] }
}

extension Decision {
  /// The first decision about each element, if it is a loop over a list.
  var body: Branch? {
    test == .listLoop ? Branch(rawValue: UInt16(truncatingIfNeeded: constant.word0)) : nil
  }
}

extension Opcode {
  /// Whether it goes over a list.
  fileprivate var isLoop: Bool {
    self == .scanConstant || self == .scanMembership || self == .loopNext
  }
}
