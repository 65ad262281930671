import ExpressionSyntax

/// Builds the ``DecisionGraph`` of a program from its IR.
///
/// Every part of the expression is built from the targets of its outcomes, from the last operand to
/// the first: in a conjunction, each operand leads to the next one when it is true. Whatever a
/// graph cannot express leads to ``Decision/Branch/bailout``; a graph that bails out at once is
/// discarded.
///
/// A failing operand means no match, unless the failure is absorbed. In superscript, operands
/// evaluated after the first false one can only turn "false" into a failure. Branches that skip
/// such operands are marked (``Decision/Branch/skipping``), and ``guards`` lists the kinds that
/// rule out a failure.
struct DecisionGraphBuilder {
  /// The parts of the IR that the builder reads.
  let nodes: UnsafeBufferPointer<IRNode>
  let children: UnsafeBufferPointer<UInt32>
  let constants: UnsafeBufferPointer<Slot>
  let attributes: UnsafeBufferPointer<AttributeReference>
  let comprehensions: UnsafeBufferPointer<Comprehension>
  let functions: [FunctionDefinition]
  let rules: ValueRules
  /// The constant numbers of the program's patterns.
  let patternConstants: [UInt32]
  /// The passes that are on.
  let optimizations: Optimizations

  /// The decisions, in reverse order: the targets of a decision are added before it.
  private(set) var decisions: [Decision] = []
  /// For each decision the number of the constant that its `constant` borrows, or ``none``.
  private(set) var constantNumbers: [UInt32] = []
  /// The entries of word sets, each set after the collection that it represents.
  private(set) var sideData: [Slot] = []
  private(set) var sideConstants: [(place: Int, constant: UInt32)] = []
  /// For each attribute the kinds with which no test of it fails.
  private(set) var guards: [KindGuard] = []
  /// The guards in the form that is checked first; empty if they do not have that form.
  private(set) var guardChunks: [GuardChunk] = []
  /// Whether the filter may fail regardless of the kinds.
  var mayFailAnyway = false
  /// Whether the graph would be too large.
  var isTooLarge = false
  /// The target of a missing key, inside an expression that is replaced when a key is missing.
  var missingTarget: Decision.Branch?
  /// The values of loop variables.
  var locals: [(local: UInt32, value: Operand)] = []
  /// The loop steps that the limits still allow. A graph does not count steps, so it must not be
  /// able to exceed them.
  var stepsLeft: Int
  /// The number of conditions built. Loops over constants build theirs repeatedly.
  var conditionCount = 0
  /// The depth of the node being built. Deeper nodes bail out: each level takes a few KB of the
  /// stack in a debug build.
  var depth = 0

  static let none = UInt32.max
  static let maximumDepth = 24
  /// The maximum number of attributes whose kinds are checked when operands were skipped.
  private static let maximumGuards = 64

  /// The value that a test reads.
  enum Operand {
    /// An attribute, by its number in the program. A variable must not be missing.
    case attribute(UInt32, MissingPolicy, isVariable: Bool)
    /// The element of the loop.
    case element
    /// A constant, by its number.
    case constant(UInt32)

    var isElement: Bool {
      if case .element = self { true } else { false }
    }
  }

  /// The targets of an expression's outcomes.
  struct Exits {
    var ifTrue: Decision.Branch
    var ifFalse: Decision.Branch
    var ifFailed: Decision.Branch

    /// The exits of the negated expression.
    var swapped: Exits { Exits(ifTrue: ifFalse, ifFalse: ifTrue, ifFailed: ifFailed) }
  }

  init(_ ir: borrowing IR, patternConstants: [UInt32], limits: EvaluationLimits) {
    nodes = ir.nodes.elements
    children = ir.children.elements
    constants = ir.constants.elements
    attributes = ir.attributes.elements
    comprehensions = ir.comprehensions.elements
    functions = ir.functions
    rules = ir.rules
    self.patternConstants = patternConstants
    optimizations = ir.optimizations
    mayFailAnyway = !optimizations.contains(.guards)
    stepsLeft = limits.steps
    decisions.reserveCapacity(8)
    constantNumbers.reserveCapacity(8)
  }

  /// Builds the graph of the whole program.
  ///
  /// - Returns: The first decision, or `nil` if a graph would have no use.
  mutating func build(root: UInt32) -> Decision.Branch? {
    let start = value(root)
    makeGuardChunks()
    return isTooLarge || start.outcome == .bailout ? nil : start
  }

  // MARK: Values

  /// Builds the test of a filter's value: true and false are outcomes, any other value does not
  /// match.
  mutating func value(_ id: UInt32) -> Decision.Branch {
    guard depth < Self.maximumDepth else { return .bailout }
    depth += 1
    defer { depth -= 1 }
    let node = nodes[Int(id)]
    switch node.kind {
    case .absorbReferences: return value(node.first)
    case .disjunction: return disjunctionValue(node)
    case .conditional:
      let exits = Exits(
        ifTrue: value(node.second), ifFalse: value(node.third), ifFailed: .noMatch)
      return truth(node.first, isStrict: node.detail != 0, exits)
    case .constant:
      let slot = constants[Int(node.first)]
      return slot.isTrue ? .true : (slot.isFalse ? .false : .noMatch)
    case .attribute, .variable, .local:
      return exactTest(id, Exits(ifTrue: .true, ifFalse: .false, ifFailed: .noMatch))
    default:
      guard isBool(id) else { return .bailout }
      return condition(id, Exits(ifTrue: .true, ifFalse: .false, ifFailed: .noMatch))
    }
  }

  /// Builds `||` as a value: that of the first operand that counts as true, otherwise of the last
  /// one.
  private mutating func disjunctionValue(_ node: IRNode) -> Decision.Branch {
    let operands = children(of: node)
    guard let last = operands.last else { return .bailout }
    var next = value(last)
    for operand in operands.dropLast().reversed() {
      if isBool(operand) {
        next = condition(operand, Exits(ifTrue: .true, ifFalse: next, ifFailed: .noMatch))
      } else {
        let other = condition(operand, Exits(ifTrue: .noMatch, ifFalse: next, ifFailed: .noMatch))
        next = exactTest(operand, Exits(ifTrue: .true, ifFalse: next, ifFailed: other))
      }
    }
    return next
  }

  // MARK: Tests of a value

  /// Builds a test of whether a value counts as true.
  mutating func truthTest(_ id: UInt32, _ exits: Exits) -> Decision.Branch {
    guard let operand = operand(id) else { return giveUp() }
    if case .constant(let number) = operand {
      return constants[Int(number)].isTruthy ? exits.ifTrue : exits.ifFalse
    }
    note(operand, .any)
    return add(
      .truthy, operand, exits, ifMissing: missing(operand, exits, null: exits.ifFalse))
  }

  /// Builds a test of whether a value is true or false. Any other value is a failure.
  mutating func exactTest(_ id: UInt32, _ exits: Exits) -> Decision.Branch {
    guard let operand = operand(id) else {
      return isBool(id) ? condition(id, exits) : giveUp()
    }
    if case .constant(let number) = operand {
      let slot = constants[Int(number)]
      return slot.isTrue ? exits.ifTrue : (slot.isFalse ? exits.ifFalse : exits.ifFailed)
    }
    note(operand, .bool)
    let ifMissing = missing(operand, exits, null: exits.ifFailed)
    let isFalse = add(
      .boolEqual, operand,
      Exits(ifTrue: exits.ifFalse, ifFalse: exits.ifFailed, ifFailed: exits.ifFailed),
      ifMissing: ifMissing, constant: .bool(false), detail: Decision.Detail(.equal).rawValue)
    return add(
      .boolEqual, operand,
      Exits(ifTrue: exits.ifTrue, ifFalse: isFalse, ifFailed: exits.ifFailed),
      ifMissing: ifMissing, constant: .bool(true), detail: Decision.Detail(.equal).rawValue)
  }

  /// Returns the target of a missing operand.
  ///
  /// - Parameter null: The target of null.
  func missing(
    _ operand: Operand, _ exits: Exits, null: Decision.Branch
  ) -> Decision.Branch {
    switch operand {
    case .attribute(_, _, isVariable: true): .bailout
    case .attribute(_, .null, _): null
    case .attribute: missingTarget ?? exits.ifFailed
    case .element, .constant: .bailout
    }
  }

  // MARK: Operands

  /// Returns the operand that a node represents, if it is a single value.
  func operand(_ id: UInt32) -> Operand? {
    let node = nodes[Int(id)]
    switch node.kind {
    case .attribute:
      return UInt16(exactly: node.first).flatMap { _ in
        MissingPolicy(rawValue: node.detail).map { .attribute(node.first, $0, isVariable: false) }
      }
    case .variable:
      return UInt16(exactly: node.first).map { _ in
        .attribute(node.first, .fail, isVariable: true)
      }
    case .constant: return .constant(node.first)
    case .local: return locals.last { $0.local == node.first }?.value
    default: return nil
    }
  }

  func children(of node: IRNode) -> Slice<UnsafeBufferPointer<UInt32>> {
    children[Int(node.second)..<(Int(node.second) + Int(node.third))]
  }

  /// Returns whether the value of an expression is always a bool.
  func isBool(_ id: UInt32) -> Bool { nodes[Int(id)].isBool }

  /// Returns whether an expression may fail for some value that it reads.
  func mayFail(_ id: UInt32) -> Bool {
    let node = nodes[Int(id)]
    switch node.kind {
    case .constant: return false
    case .compare where nodes[Int(node.first)].kind == .local:
      // Values of any kind can be tested for equality with a scalar.
      let right = nodes[Int(node.second)]
      return !ComparisonMask(bits: node.mask).isEquality || right.kind != .constant
        || !SlotKinds.scalars.contains(tagOf: constants[Int(right.first)])
    default: return true
    }
  }

  /// Records the kinds with which a test does not fail.
  mutating func note(_ operand: Operand, _ kinds: SlotKinds) {
    guard case .attribute(let number, let policy, let isVariable) = operand else {
      if case .element = operand, kinds != .any { mayFailAnyway = true }
      return
    }
    var allowed = kinds.subtracting(.missing)
    if policy == .null ? kinds.contains(SlotKinds(.null)) : missingTarget != nil, !isVariable {
      allowed.insert(.missing)
    }
    note(number, allowed)
  }

  mutating func note(_ number: UInt32, _ allowed: SlotKinds) {
    guard !mayFailAnyway else { return }
    let attribute = UInt16(truncatingIfNeeded: number)
    if let index = guards.firstIndex(where: { $0.attribute == attribute }) {
      guards[index].allowed.formIntersection(allowed)
    } else if guards.count == Self.maximumGuards {
      mayFailAnyway = true
    } else {
      guards.append(
        KindGuard(
          attribute: attribute, number: rowNumber(number), root: row(number), allowed: allowed))
    }
  }

  /// Builds the chunks, unless a name has no number. Guards are checked one by one if there are no
  /// chunks, or if a chunk forbids a value.
  private mutating func makeGuardChunks() {
    guard !mayFailAnyway, guards.allSatisfy({ $0.number != Decision.unnumbered }) else { return }
    for entry in guards {
      let chunk = UInt8(truncatingIfNeeded: entry.number / 16)
      var index = guardChunks.firstIndex { $0.root == entry.root && $0.chunk == chunk }
      if index == nil {
        index = guardChunks.count
        guardChunks.append(
          GuardChunk(forbidden: (0, 0), root: entry.root, chunk: chunk, last: 0))
      }
      guard let index else { continue }
      guardChunks[index].last = max(guardChunks[index].last, entry.number)
      withUnsafeMutableBytes(of: &guardChunks[index].forbidden) { bytes in
        bytes[Int(entry.number % 16)] = ~KindClass(allowing: entry.allowed).rawValue
      }
    }
  }

  private func rowNumber(_ attribute: UInt32) -> UInt16 {
    let reference = attributes[Int(attribute)]
    return AttributeNumbers.number(hash: reference.hash, reference.name) ?? Decision.unnumbered
  }

  private func row(_ attribute: UInt32) -> UInt8 {
    UInt8(truncatingIfNeeded: attributes[Int(attribute)].root)
  }

  // MARK: Adding

  /// Adds a decision.
  ///
  /// - Parameters:
  ///   - operand: The value it reads, or `nil` for steps that read only the accumulator.
  ///   - number: The number of the constant whose memory `constant` borrows.
  mutating func add(
    _ test: Decision.Test, _ operand: Operand?, _ exits: Exits, ifMissing: Decision.Branch,
    constant: Slot = .null, number: UInt32 = Self.none, detail: UInt8 = 0
  ) -> Decision.Branch {
    guard decisions.count < Decision.Branch.maximumCount else {
      isTooLarge = true
      return .bailout
    }
    var decision = Decision(
      constant: constant, attribute: .max, number: 0,
      root: UInt8(truncatingIfNeeded: ContextStorage.nullRowIndex), test: test, detail: detail,
      ifTrue: exits.ifTrue, ifFalse: exits.ifFalse, ifMissing: ifMissing,
      ifFailed: exits.ifFailed)
    switch operand {
    case .attribute(let attribute, _, _):
      decision.attribute = UInt16(truncatingIfNeeded: attribute)
      decision.number = rowNumber(attribute)
      decision.root = row(attribute)
    case .element: decision.root = Decision.elementRow
    case .constant, nil: break
    }
    decisions.append(decision)
    constantNumbers.append(number)
    return Decision.Branch(number: decisions.count - 1)
  }

  /// Adds the entries of a word set and returns their position in the side data.
  mutating func addSideData(_ entries: [Slot], collection: UInt32) -> Int {
    sideConstants.append((sideData.count, collection))
    sideData.append(constants[Int(collection)])
    sideData += entries
    return sideData.count - entries.count
  }
}
