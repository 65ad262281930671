import ExpressionSyntax

/// The reason why code could not be generated: the filter exceeds the range of an instruction's
/// operands.
enum CompilerFailure: Error {
  /// The filter needs more than 65,535 registers.
  case tooManyRegisters(SourceSpan)
  /// A constant that must be an operand has a number above 65,535.
  case tooManyConstants(SourceSpan)
  /// Values are nested too deep for the compiler.
  case tooDeep(SourceSpan)
}

/// Translates IR to a ``Program``: allocates registers, generates instructions, resolves labels.
///
/// Left-nested chains (`a + b + c`, `a.b.c`) are walked in a loop, however long they are.
/// Everything else recurses, up to ``Lowering/maximumDepth``. Code with large frames is kept in
/// functions that do not recurse, so that the frames of the recursion are small. Functions that all
/// filters need are mutating even if they change nothing: nonmutating ones would work on a copy,
/// and the compiler is large. Functions that recurse take the number of a node, not the node: in
/// unoptimized builds a `switch` over it would have room for a copy of the node for each case.
struct Compiler: ~Copyable {
  var ir: IR
  private(set) var code: ArenaArray<Instruction>
  private var spans: ArenaArray<SourceSpan>
  private var handlers = ArenaArray<FailureHandler>()
  var patterns: [CompiledRegex] = []
  /// The constant numbers of the patterns.
  var patternConstants: [UInt32] = []
  /// The registers of the locals.
  var localRegisters: ArenaArray<UInt16>
  /// The start of the code of each lazily bound local.
  var lazyLabels: ArenaArray<UInt32>
  /// The first free register.
  var top = 0
  var highest = 1
  /// The depth of the node being generated.
  private var depth = 0
  /// The nodes from each node being generated down to its innermost left operand, outermost first.
  private var links = ArenaArray<UInt32>()
  private let limits: EvaluationLimits

  init(_ ir: consuming IR, limits: EvaluationLimits) {
    self.limits = limits
    self.ir = ir
    localRegisters = ArenaArray(repeating: 0, count: self.ir.localCount, in: &self.ir.scratch)
    lazyLabels = ArenaArray(repeating: 0, count: self.ir.localCount, in: &self.ir.scratch)
    let capacity = self.ir.nodes.count &+ 2
    code = ArenaArray(capacity: capacity, in: &self.ir.scratch)
    spans = ArenaArray(capacity: capacity, in: &self.ir.scratch)
  }

  /// Generates the program.
  static func compile(
    _ ir: consuming IR, limits: EvaluationLimits = .standard
  ) throws(CompilerFailure) -> Program {
    var compiler = Compiler(ir, limits: limits)
    let root = compiler.ir.root
    let span = compiler.ir.nodes[Int(root)].span
    let target = try compiler.allocate(span)
    try NestingLimit.withRoom(for: compiler.ir.nodes.count) { () throws(CompilerFailure) in
      try compiler.generateRoot(root, into: target)
    }
    var graph = DecisionGraphBuilder(
      compiler.ir, patternConstants: compiler.patternConstants, limits: limits)
    let start = compiler.ir.optimizations.contains(.graph) ? graph.build(root: root) : nil
    return compiler.finish(start.map { (graph, $0) })
  }

  /// Generates the whole program. If missing references make the result null, the code for that
  /// follows the end, so that it costs nothing on the normal path.
  private mutating func generateRoot(
    _ root: UInt32, into target: UInt16
  ) throws(CompilerFailure) {
    let node = node(root)
    guard node.kind == .absorbReferences else {
      try generate(root, into: target)
      emit(Instruction(.returnValue, a: target, wide: 0), node.span)
      return
    }
    try generate(node.first, into: target)
    emit(Instruction(.returnValue, a: target, wide: 0), node.span)
    rescue(FailureHandler(start: 0, end: here, target: here, rescues: .any))
    emit(Instruction(.absorbReferences, a: target, wide: 0), node.span)
    emit(Instruction(.returnValue, a: target, wide: 0), node.span)
  }

  private consuming func finish(
    _ graph: (builder: DecisionGraphBuilder, start: Decision.Branch)?
  ) -> Program {
    let program = Program(
      code: code.elements, spans: spans.elements, handlers: handlers.elements,
      registerCount: highest, constants: ir.constants.elements,
      attributes: ir.attributes.elements, functions: ir.functions,
      hostFunctions: ir.hostFunctions, patterns: patterns, rules: ir.rules, form: ir.form,
      limits: limits, graph: graph, memory: ir.arena)
    // The arrays are read in its memory up to this point.
    withExtendedLifetime(ir.scratch) {}
    #if DEBUG
      // Verification keeps the contents of all registers for each handler.
      guard program.registerCount * program.handlers.count < 1 << 22 else { return program }
      do {
        try program.verify()
      } catch {
        assertionFailure("\(error)")
      }
    #endif
    return program
  }

  // MARK: Registers, labels, instructions

  mutating func allocate(_ span: SourceSpan) throws(CompilerFailure) -> UInt16 {
    guard let register = UInt16(exactly: top), register < .max else {
      throw .tooManyRegisters(span)
    }
    top &+= 1
    highest = max(highest, top)
    return register
  }

  /// Appends an instruction. Not inlined: it has a hundred callers, and two appends in each are
  /// large.
  @inline(never)
  mutating func emit(_ instruction: Instruction, _ span: SourceSpan) {
    code.append(instruction, in: &ir.scratch)
    spans.append(span, in: &ir.scratch)
  }

  /// Adds a failure handler. Inner handlers come first.
  @inline(never)
  mutating func rescue(_ handler: FailureHandler) { handlers.append(handler, in: &ir.scratch) }

  var here: UInt32 {
    mutating get { UInt32(truncatingIfNeeded: code.count) }
  }

  /// Emits a jump whose label is not known yet and returns its position.
  mutating func emitJump(
    _ opcode: Opcode, x: UInt8 = 0, a: UInt16 = 0, _ span: SourceSpan
  ) -> Int {
    emit(Instruction(opcode, x: x, a: a, wide: 0), span)
    return code.count &- 1
  }

  /// Sets the label of a jump to the current position.
  mutating func land(_ jump: Int) { code[jump] = code[jump].with(wide: here) }

  mutating func node(_ id: UInt32) -> IRNode { ir.nodes[Int(id)] }

  mutating func kind(_ id: UInt32) -> IRKind { ir.nodes[Int(id)].kind }

  mutating func children(of id: UInt32) -> UnsafeBufferPointer<UInt32> {
    ir.children(of: ir.nodes[Int(id)])
  }

  /// Returns the constant number of a constant node, if it fits a 16-bit operand.
  mutating func constantOperand(_ id: UInt32) -> UInt16? {
    let node = node(id)
    return node.kind == .constant ? UInt16(exactly: node.first) : nil
  }

  /// Returns the number of a constant that is read from the pool rather than from a register.
  mutating func pooledOperand(_ id: UInt32) -> UInt16? {
    ir.optimizations.contains(.operands) ? constantOperand(id) : nil
  }

  // MARK: Nodes

  /// Generates code that stores the value of a node in a register.
  @inline(never)
  mutating func generate(_ id: UInt32, into target: UInt16) throws(CompilerFailure) {
    try descend(id)
    // A left-nested chain is unrolled: its innermost operand first, then one step after another,
    // all in the same register. All steps share the start, because nothing runs before the
    // innermost operand.
    let start = here
    try generatePart(links.removeLast(), into: target, from: start)
    while !endsChain() { try generatePart(links.removeLast(), into: target, from: start) }
    depth -= 1
  }

  /// Pushes a mark, a node, and its left operands down to the innermost one on ``links``.
  @inline(never)
  private mutating func descend(_ id: UInt32) throws(CompilerFailure) {
    // Lowering walks chains of calls in a loop, but each call is an argument of the next.
    guard depth < Lowering.maximumDepth else { throw .tooDeep(node(id).span) }
    depth += 1
    links.append(IRNode.none, in: &ir.scratch)
    var current = id
    links.append(current, in: &ir.scratch)
    while let left = leftOperand(node(current)) {
      current = left
      links.append(current, in: &ir.scratch)
    }
  }

  /// Returns whether the innermost chain has no more steps. If so, pops its mark from ``links``.
  private mutating func endsChain() -> Bool {
    guard links.last == IRNode.none else { return false }
    links.removeLast()
    return true
  }

  /// Returns the operand that is evaluated first and in place, if the node has one.
  private mutating func leftOperand(_ node: IRNode) -> UInt32? {
    switch node.kind {
    case .compare, .membership, .member, .element, .arithmetic, .negate, .number, .not, .truth,
      .expect, .overlay:
      return node.first
    case .constant, .variable, .attribute, .local, .lazyLocal, .raise, .conjunction, .disjunction,
      .absorbingAnd, .absorbingOr, .conditional, .list, .map, .call, .hostCall, .loop, .rescue,
      .sequence, .bind, .lazyBind, .name, .comprehension, .absorbReferences, .optionalEntry:
      return nil
    }
  }

  /// Returns the register of the left operand. If a local has just been moved to `target`, the move
  /// is undone and the local is read in place.
  mutating func leftRegister(_ target: UInt16, from start: UInt32) -> UInt16 {
    guard ir.optimizations.contains(.operands), here == start &+ 1, let last = code.last,
      last.opcode == .move, last.a == Int(target)
    else { return target }
    code.removeLast()
    spans.removeLast()
    return UInt16(truncatingIfNeeded: last.b)
  }

  /// Generates the code of a node after its left operand, if it has one, whose value is in
  /// `target`.
  ///
  /// There is no `default`, so that the compiler finds a kind of node without code.
  @inline(never)
  private mutating func generatePart(
    _ id: UInt32, into target: UInt16, from start: UInt32
  ) throws(CompilerFailure) {
    switch kind(id) {
    // Steps of a chain: the left operand is in the register.
    case .compare, .membership: try generateComparison(id, into: target, from: start)
    case .element: try generatePair(id, .loadElement, into: target)
    case .overlay: try generatePair(id, .overlay, into: target)
    case .arithmetic: try generateArithmetic(id, into: target, from: start)
    case .member: emit(id) { Instruction(.loadMember, x: $0.detail, a: target, wide: $0.second) }
    case .negate: emit(id) { _ in Instruction(.negate, a: target, b: target) }
    case .number: emit(id) { _ in Instruction(.requireNumber, a: target, wide: 0) }
    case .not: emit(id) { Instruction(.not, x: $0.detail, a: target, b: target) }
    case .truth: emit(id) { _ in Instruction(.truth, a: target, b: target) }
    case .expect:
      emit(id) {
        Instruction(.expect, x: UInt8(truncatingIfNeeded: $0.third), a: target, wide: $0.second)
      }

    // Leaves.
    case .constant: emit(id) { Instruction(.loadConstant, a: target, wide: $0.first) }
    case .variable: emit(id) { Instruction(.loadVariable, a: target, wide: $0.first) }
    case .attribute:
      emit(id) { Instruction(.loadAttribute, x: $0.detail, a: target, wide: $0.first) }
    case .local:
      let register = localRegisters[Int(node(id).first)]
      emit(id) { _ in Instruction(.move, a: target, b: register) }
    case .lazyLocal:
      let register = force(node(id))
      emit(id) { _ in Instruction(.move, a: target, b: register) }
    case .raise:
      emit(id) {
        Instruction(
          .raise, x: UInt8(truncatingIfNeeded: $0.first),
          wide: $0.second == IRNode.none ? 0 : $0.second &+ 1)
      }

    // The others generate their operands themselves.
    case .conjunction: try generateConjunction(id, into: target)
    case .disjunction: try generateDisjunction(id, into: target)
    case .absorbingAnd, .absorbingOr: try generateAbsorbing(id, into: target)
    case .conditional: try generateConditional(id, into: target)
    case .list: try generateList(id, into: target)
    case .map: try generateMap(id, into: target)
    case .call: try generateCall(id, into: target)
    case .hostCall: try generateArguments(id, into: target, .callHost)
    case .loop: try generateLoop(id, into: target)
    case .rescue: try generateRescue(id, into: target)
    case .sequence: try generateSequence(id, into: target)
    case .bind: try generateBind(id, into: target)
    case .lazyBind: try generateLazyBind(id, into: target)
    case .name: try generateName(id, into: target)
    case .comprehension: try generateComprehension(id, into: target)
    // The whole program, and entries of lists and maps: their owners generate them.
    case .absorbReferences, .optionalEntry: assertionFailure("\(kind(id)) is part of another node")
    }
  }

  /// Emits the only instruction of a node.
  @inline(never)
  mutating func emit(_ id: UInt32, _ instruction: (IRNode) -> Instruction) {
    let node = node(id)
    emit(instruction(node), node.span)
  }

  @inline(never)
  private mutating func generatePair(
    _ id: UInt32, _ opcode: Opcode, into target: UInt16
  ) throws(CompilerFailure) {
    let node = node(id)
    try withOperand(node.second) { (compiler, operand) throws(CompilerFailure) in
      compiler.emit(Instruction(opcode, a: target, b: target, c: operand), node.span)
    }
  }

  /// Evaluates a node into a temporary register for the duration of `body`.
  mutating func withOperand(
    _ id: UInt32, _ body: (inout Compiler, UInt16) throws(CompilerFailure) -> Void
  ) throws(CompilerFailure) {
    let node = node(id)
    if node.kind == .local {
      return try body(&self, localRegisters[Int(node.first)])
    }
    if node.kind == .lazyLocal { return try body(&self, force(node)) }
    let saved = top
    let register = try allocate(node.span)
    try generate(id, into: register)
    try body(&self, register)
    top = saved
  }

  @inline(never)
  private mutating func generateSequence(
    _ id: UInt32, into target: UInt16
  ) throws(CompilerFailure) {
    try generate(node(id).first, into: target)
    try generate(node(id).second, into: target)
  }
}
