import ExpressionSyntax

// Code for languages in which failures are values that a later operand may absorb, a name may stand
// for several variables, and bindings are evaluated lazily (docs/spec/cel.md §3, §7, §8, §16).

extension Compiler {
  // MARK: Logic

  /// Generates `&&` or `||` where one side can decide the outcome whatever happens on the other.
  mutating func generateAbsorbing(
    _ id: UInt32, into target: UInt16
  ) throws(CompilerFailure) {
    let node = node(id)
    let isAnd = node.kind == .absorbingAnd
    let deciding: Opcode = isAnd ? .jumpIfExactlyFalse : .jumpIfExactlyTrue
    let saved = top
    let pending = try allocate(node.span)
    var decided: [Int] = []
    // `pending` holds the first failure, or null if there was no failure.
    emitInitial(.null, into: pending, node)
    for child in children(of: id) {
      let start = here
      try generate(child, into: target)
      decided.append(emitJump(deciding, a: target, node.span))
      keepFailure(of: child, in: target, from: start, pending: pending)
    }
    emit(Instruction(.reraise, a: pending, wide: 0), node.span)
    emitInitial(.bool(isAnd), into: target, node)
    for jump in decided { land(jump) }
    top = saved
  }

  /// Ends the code of an operand that must be a bool and whose failure is stored in `pending`.
  @inline(never)
  private mutating func keepFailure(
    of child: UInt32, in target: UInt16, from start: UInt32, pending: UInt16
  ) {
    if !node(child).isBool {
      emit(Instruction(.requireBool, a: target, wide: 0), node(child).span)
    }
    rescue(
      FailureHandler(start: start, end: here, target: here, rescues: .any, register: pending))
  }

  // MARK: Names

  /// Tries the variables that a name may stand for. Each continues at its own first field.
  mutating func generateName(
    _ id: UInt32, into target: UInt16
  ) throws(CompilerFailure) {
    let node = node(id)
    let name = ir.names[Int(node.first)]
    var jumps: [(position: Int, coveredFields: Int)] = []
    for candidate in name.candidates {
      emit(Instruction(.loadDeclared, a: target, wide: candidate.attribute), node.span)
      jumps.append((emitJump(.jump, node.span), candidate.coveredFields))
    }
    try generate(name.last, into: target)
    // The last alternative may cover more fields than another; then it jumps over some as well.
    let fewest = name.candidates.map { $0.coveredFields }.min() ?? name.lastCoveredFields
    if fewest < name.lastCoveredFields {
      jumps.append((emitJump(.jump, node.span), name.lastCoveredFields))
    }
    for covered in min(fewest, name.lastCoveredFields)...name.fields.count {
      for jump in jumps where jump.coveredFields == covered { land(jump.position) }
      guard covered < name.fields.count else { break }
      emit(
        Instruction(
          .loadMember, x: MissingPolicy.fail.rawValue, a: target, wide: name.fields[covered]),
        node.span)
    }
  }

  // MARK: Bindings

  /// Generates code that evaluates each bound value at most once, followed by the body.
  ///
  /// A binding has two registers: its value, and its state, which is null before evaluation, then
  /// the instruction to return to, and finally true. Its code uses registers of its own, because it
  /// is entered in the middle of the body.
  mutating func generateLazyBind(
    _ id: UInt32, into target: UInt16
  ) throws(CompilerFailure) {
    let node = node(id)
    let saved = top
    let children = children(of: id)
    let first = Int(node.first)
    for offset in 0..<(children.count &- 1) {
      let value = try allocate(node.span)
      let state = try allocate(node.span)
      localRegisters[first &+ offset] = value
      emitInitial(.null, into: value, node)
      emitInitial(.null, into: state, node)
    }
    let toBody = emitJump(.jump, node.span)
    let outerHighest = highest
    highest = top
    for offset in 0..<(children.count &- 1) {
      let register = localRegisters[first &+ offset]
      lazyLabels[first &+ offset] = here
      let start = here
      try generate(children[offset], into: register)
      rescue(
        FailureHandler(start: start, end: here, target: here, rescues: .any, register: register))
      emit(Instruction(.forced, a: register, wide: 0), self.node(children[offset]).span)
      // Later bindings may be evaluated during this one.
      top = highest
    }
    land(toBody)
    highest = max(highest, outerHighest)
    try generate(children[children.count &- 1], into: target)
    top = saved
  }

  /// Ensures that a lazily bound local has its value, and returns its register.
  mutating func force(_ node: IRNode) -> UInt16 {
    let register = localRegisters[Int(node.first)]
    emit(Instruction(.force, a: register, wide: lazyLabels[Int(node.first)]), node.span)
    return register
  }

  // MARK: Loops

  /// Generates a loop over a list or a map.
  mutating func generateComprehension(
    _ id: UInt32, into target: UInt16
  ) throws(CompilerFailure) {
    let node = node(id)
    let loop = ir.comprehensions[Int(node.first)]
    let saved = top
    let iterator = try allocate(node.span)
    let first = try allocate(node.span)
    localRegisters[Int(loop.firstLocal)] = first
    let takesPairs = loop.secondLocal != nil
    if let second = loop.secondLocal {
      localRegisters[Int(second)] = try allocate(node.span)
    }
    try generate(loop.range, into: iterator)
    emit(
      Instruction(
        takesPairs ? .loopBeginPairs : .loopBegin, x: 1, a: iterator, b: iterator),
      self.node(loop.range).span)
    switch loop.kind {
    case .all, .exists:
      try generateQuantifier(loop, node, iterator: iterator, into: target)
    case .existsOne, .list, .map, .entries:
      try generateCollection(loop, node, iterator: iterator, first: first, into: target)
    }
    top = saved
  }

  /// Generates `all` or `exists`, where a failure counts only if no element decides.
  private mutating func generateQuantifier(
    _ loop: Comprehension, _ node: IRNode, iterator: UInt16, into target: UInt16
  ) throws(CompilerFailure) {
    let isAll = loop.kind == .all
    let pending = try allocate(node.span)
    emitInitial(.null, into: pending, node)
    let next = emitJump(
      loop.secondLocal == nil ? .loopNext : .loopNextPair, a: iterator, node.span)
    let body = try allocate(node.span)
    let start = here
    try generate(loop.body, into: body)
    let decided = emitJump(isAll ? .jumpIfExactlyFalse : .jumpIfExactlyTrue, a: body, node.span)
    keepFailure(of: loop.body, in: body, from: start, pending: pending)
    emit(Instruction(.jump, wide: UInt32(truncatingIfNeeded: next)), node.span)
    land(next)
    emit(Instruction(.reraise, a: pending, wide: 0), node.span)
    emitInitial(.bool(isAll), into: target, node)
    let end = emitJump(.jump, node.span)
    land(decided)
    emitInitial(.bool(!isAll), into: target, node)
    land(end)
  }

  /// Generates a loop that visits every element: counting, or collecting into a list or a map.
  private mutating func generateCollection(
    _ loop: Comprehension, _ node: IRNode, iterator: UInt16, first: UInt16, into target: UInt16
  ) throws(CompilerFailure) {
    // The collection is separate from the target, which may be a register that the body reads.
    let result = try allocate(node.span)
    if loop.kind == .existsOne {
      emitInitial(.int(0), into: result, node)
    } else {
      emit(Instruction(.beginList, a: result, wide: 8), node.span)
    }
    let next = emitJump(
      loop.secondLocal == nil ? .loopNext : .loopNextPair, a: iterator, node.span)
    let again = UInt32(truncatingIfNeeded: next)
    let body = try allocate(node.span)
    if let filter = loop.filter {
      try generateCondition(filter, into: body)
      emit(Instruction(.jumpIfFalse, a: body, wide: again), node.span)
    }
    switch loop.kind {
    case .existsOne:
      try generateCondition(loop.body, into: body)
      emit(Instruction(.jumpIfFalse, a: body, wide: again), node.span)
      emit(Instruction(.increment, a: result, wide: 0), node.span)
    default:
      try withOperand(loop.body) { (compiler, operand) throws(CompilerFailure) in
        let span = compiler.node(loop.body).span
        switch loop.kind {
        case .map:
          compiler.emit(Instruction(.insert, a: result, b: first, c: operand), span)
        case .entries: compiler.emit(Instruction(.insertEntries, a: result, b: operand), span)
        default: compiler.emit(Instruction(.append, a: result, b: operand), span)
        }
      }
    }
    emit(Instruction(.jump, wide: again), node.span)
    land(next)
    switch loop.kind {
    case .existsOne: emit(Instruction(.isOne, a: result, wide: 0), node.span)
    case .map, .entries: emit(Instruction(.endMap, a: result, wide: 0), node.span)
    default: emit(Instruction(.endList, a: result, wide: 0), node.span)
    }
    emit(Instruction(.move, a: target, b: result), node.span)
  }

  /// Generates a value that must be a bool.
  private mutating func generateCondition(
    _ id: UInt32, into register: UInt16
  ) throws(CompilerFailure) {
    try generate(id, into: register)
    let node = node(id)
    if !node.isBool { emit(Instruction(.requireBool, a: register, wide: 0), node.span) }
  }
}
