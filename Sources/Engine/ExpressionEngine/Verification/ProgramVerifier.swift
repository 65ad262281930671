/// Follows the contents of all registers along all paths of a program, and checks that every
/// instruction finds what it works on.
///
/// The contents before the instructions at which paths join grow until they no longer change. The
/// code of a lazily bound value is checked once, with the contents of all places that force it;
/// there, it changes only the registers that it writes.
struct ProgramVerifier {
  let program: Program
  let regions: [Program.LazyRegion]
  /// The numbers of the regions, by their first instructions.
  private let regionNumbers: [Int: Int]
  /// The registers that each region writes, its callees included.
  private var written: [Set<Int>]
  /// The contents after each region.
  private var results: [FrameContents?]
  /// The contents before each instruction at which paths join.
  private var joins: [FrameContents?]
  /// Whether contents before an instruction that was passed have changed.
  private var isUnfinished = false
  /// The contents before the current instruction, or after it; `nil` if no path leads there.
  private(set) var current: FrameContents?
  /// The number of the current instruction.
  private(set) var index = 0

  /// - Parameter program: A program with operands in range and a sound control flow.
  init(_ program: Program) throws(Program.Defect) {
    self.program = program
    let regions = try program.lazyRegions()
    self.regions = regions
    regionNumbers = Dictionary(
      uniqueKeysWithValues: regions.indices.map { (regions[$0].code.lowerBound, $0) })
    results = Array(repeating: nil, count: regions.count)
    joins = Array(repeating: nil, count: program.codeCount)
    written = []
    written = regions.indices.map { writtenRegisters(of: $0) }
  }

  mutating func run() throws(Program.Defect) {
    joins[0] = FrameContents(repeating: .garbage, count: program.registerCount)
    // Contents only grow, so this ends.
    repeat {
      isUnfinished = false
      current = nil
      for number in 0..<program.codeCount {
        index = number
        let isJoin = joins[number] != nil
        if isJoin {
          if let contents = current { merge(contents, before: number) }
          current = joins[number]
        }
        guard current != nil else { continue }
        try enterHandlers(isJoin: isJoin)
        try check(program.code[number])
      }
    } while isUnfinished
  }

  // MARK: Registers

  func contents(_ register: Int) -> RegisterContents { current?[register] ?? [] }

  /// Checks that a register has nothing but `wanted`.
  func require(_ register: Int, _ wanted: RegisterContents) throws(Program.Defect) {
    guard contents(register).isOnly(wanted) else {
      throw defect("register \(register) may have something else")
    }
  }

  mutating func set(_ register: Int, _ contents: RegisterContents) {
    current?[register] = contents
  }

  /// Keeps of the contents what has passed a test. Nothing follows if that is nothing.
  mutating func narrow(_ register: Int, to wanted: RegisterContents) {
    let rest = contents(register).intersection(wanted)
    if rest.isEmpty { current = nil } else { set(register, rest) }
  }

  func defect(_ description: String) -> Program.Defect {
    Program.Defect(
      instruction: index, description: "\(program.code[index].opcode): \(description)")
  }

  // MARK: Paths

  /// Nothing follows the current instruction.
  mutating func end() { current = nil }

  /// The current contents are possible before another instruction.
  mutating func jump(to target: Int) {
    if let current { merge(current, before: target) }
  }

  private mutating func merge(_ contents: FrameContents, before target: Int) {
    if joins[target] == nil {
      joins[target] = contents
    } else {
      guard joins[target]?.isSuperset(of: contents) == false else { return }
      joins[target]?.formUnion(contents)
    }
    if target <= index { isUnfinished = true }
  }

  // MARK: Failures

  /// The current contents are possible where the handlers of the current instruction continue.
  ///
  /// - Parameter isJoin: Whether anything may have changed; otherwise only what the previous
  ///   instruction wrote, within the same handlers.
  private mutating func enterHandlers(isJoin: Bool) throws(Program.Defect) {
    var next = program.handler(at: index)
    while let number = next {
      let handler = program.handlers[number]
      try enter(handler, isWhole: isJoin || index == Int(handler.start))
      if handler.rescues == .any { return }
      next = program.handler(around: number)
    }
  }

  private mutating func enter(
    _ handler: FailureHandler, isWhole: Bool
  ) throws(Program.Defect) {
    guard var contents = current else { return }
    let target = Int(handler.target)
    let register = handler.register.map(Int.init)
    if let register, contents[register].contains(.garbage) {
      throw defect("a failure is stored in a register that was not written")
    }
    // Handlers continue further on, so the contents there are read later in this pass.
    guard !isWhole, let previous = index > 0 ? program.code[index - 1] : nil, joins[target] != nil
    else {
      // This failure, or an earlier one that is kept.
      if let register { contents[register] = .failure }
      return merge(contents, before: target)
    }
    func add(_ written: Int) {
      let added = written == register ? .failure : contents[written]
      joins[target]?[written].formUnion(added)
    }
    for written in Self.writtenRegisters(previous) { add(written) }
    for written in lazilyWritten(by: previous) { add(written) }
  }

  private func lazilyWritten(by instruction: Instruction) -> Set<Int> {
    guard instruction.opcode == .force, let number = regionNumbers[instruction.wide] else {
      return []
    }
    return written[number]
  }

  // MARK: Lazily bound values

  /// The registers that an instruction may write.
  private static func writtenRegisters(_ instruction: Instruction) -> Range<Int> {
    let info = OpcodeTable[instruction.opcode]
    let first = instruction.a
    return first..<(info.roles[0] == .unused ? first : first + 1 + info.extraRegisters)
  }

  private func writtenRegisters(of region: Int) -> Set<Int> {
    var result: Set<Int> = []
    var seen: Set<Int> = [region]
    var open = [region]
    while let number = open.popLast() {
      for index in regions[number].code {
        for register in Self.writtenRegisters(program.code[index]) { result.insert(register) }
      }
      for handler in program.handlers
      where handler.start < handler.end && regions[number].code.contains(Int(handler.start)) {
        if let register = handler.register { result.insert(Int(register)) }
      }
      for callee in regions[number].callees where seen.insert(callee).inserted {
        open.append(callee)
      }
    }
    return result
  }

  /// Checks an instruction that evaluates a lazily bound value unless that was done.
  mutating func force(_ instruction: Instruction) throws(Program.Defect) {
    let (value, state) = (instruction.a, instruction.a + 1)
    try require(value, .valueOrFailure)
    try require(state, [.null, .bool])
    guard let region = regionNumbers[instruction.wide], let before = current else { return }
    var after: FrameContents?
    if contents(state).contains(.null) {
      var inside = before
      inside[state] = .returnAddress
      merge(inside, before: instruction.wide)
      if let result = results[region] {
        var contents = before
        for register in written[region] { contents[register].formUnion(result[register]) }
        after = contents
      }
    }
    if contents(state).contains(.bool) || after != nil {
      current = after ?? before
      set(state, .bool)
      narrow(value, to: .value)
    } else {
      end()
    }
  }

  /// Checks the last instruction of a lazily bound value.
  mutating func forced(_ instruction: Instruction) throws(Program.Defect) {
    try require(instruction.a, .valueOrFailure)
    try require(instruction.a + 1, .returnAddress)
    guard let current else { return }
    guard let region = regions.firstIndex(where: { $0.code.upperBound == index + 1 }) else {
      throw defect("no value to return from")
    }
    var result = results[region] ?? FrameContents(repeating: [], count: current.count)
    var hasChanged = results[region] == nil
    for register in written[region] where !result[register].isSuperset(of: current[register]) {
      result[register].formUnion(current[register])
      hasChanged = true
    }
    results[region] = result
    if hasChanged { isUnfinished = true }
    end()
  }
}
