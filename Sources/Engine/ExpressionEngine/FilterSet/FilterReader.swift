import ExpressionSyntax

/// Reads filters into the form that a set needs: distinct conditions, and for each filter their
/// combination.
///
/// A filter becomes a formula of `and` and `or` over conditions that must hold; negations are
/// pushed into the conditions. If a condition fails, neither it nor its opposite holds. Therefore
/// the formula is true whenever the filter is. It may also be true when the filter fails, or has a
/// value other than true, in two cases: a part that cannot be a condition is left out, which makes
/// the filter ``isChecked``; and a failure beside a true operand of `||` in the superscript
/// dialect, which ``guards`` cover.
struct FilterReader: ~Copyable {
  /// The attributes that conditions test; the names are in ``arena``.
  var references: [AttributeReference] = []
  /// The numbers of the attributes of contexts.
  private(set) var attributeTable = AttributeTable()
  /// The codes of the computed attributes, and the number of each of them.
  private var computedCodes = WordInterner()
  private var computedNumbers: [UInt32] = []
  /// The code of each attribute that is a ``ComputedAttribute``; empty for an attribute of
  /// contexts.
  var codes: [[UInt32]] = []
  /// The constants: the attribute with 1 for texts, then the bits of a double or the length and
  /// bytes.
  var constants = WordInterner()
  /// The conditions: the attribute, ``ConditionFlags``, then pairs of first and last positions (see
  /// ``SymbolicPosition``), or a test and its constant.
  var conditions = WordInterner()
  /// The formulas in postfix form; see ``FormulaWord``.
  var code: [FormulaWord] = []
  /// The end of each filter's formula in `code`.
  var ends: [Int] = []
  /// Whether each filter must be evaluated when its formula is true.
  var isChecked: [Bool] = []
  /// The part of the last filter that must be evaluated, if that is not the whole filter: a
  /// comparison that does not affect the other parts.
  var lastRest: SourceSpan? { isChecked.last == true ? rest : nil }
  /// Whether each filter's formula and rest cover the whole filter.
  var isComplete: [Bool] = []
  /// Whether each filter is known to be a bool when nothing fails.
  var isExact: [Bool] = []
  /// The filters that must be evaluated when a condition fails.
  var guards: [Guard] = []
  /// For each attribute, the kinds for which any condition fails.
  var failures: [PositionKinds] = []
  /// The number of filters read.
  private(set) var liveCount = 0
  /// The memory of names and constants.
  var arena = Arena(firstChunk: 1 << 12)

  /// The comparisons with numbers that were read: most occur many times.
  var comparisons = ComparisonTable()
  var row: [UInt32] = []
  private var budget = 0
  /// The variables of the loops around the current node, with their values, innermost last.
  var bindings: [Binding] = []
  /// The kinds for which the last emitted condition fails.
  var lastFailing = PositionKinds()
  var filterIsChecked = false
  /// Whether guards also list what fails when an attribute is missing, instead of the filter being
  /// evaluated whenever its formula is true.
  let guardsMissing: Bool
  /// Whether a constant is used in place of a bool, so that the filter may fail in any context.
  private var filterHasMisplacedConstant = false
  /// The only part of the filter that was left out, if it is an operand of the outermost
  /// conjunction.
  private var rest: SourceSpan?

  /// The variable of a loop with the element of a constant list that it is.
  struct Binding {
    let local: UInt32
    let value: Slot
  }

  struct Guard: BitwiseCopyable {
    let attribute: UInt32
    let kinds: PositionKinds
    /// The condition whose test fails, or `.max` when `kinds` is sufficient.
    let test: UInt32
    /// The filter, counted from the first one read.
    let filter: UInt32

    static let none = Guard(attribute: 0, kinds: [], test: .max, filter: 0)

    /// The key of guards that are checked together.
    var group: (UInt32, UInt16, UInt32) { (attribute, kinds.rawValue, test) }
    var order: (UInt32, UInt16, UInt32, UInt32) { (attribute, kinds.rawValue, test, filter) }
  }

  /// The values of a node that make a condition hold. A bool node is true if it is truthy.
  enum Sense {
    case isTrue
    case isTruthy
    case isFalsy
    case isFalse

    var isPositive: Bool { self == .isTrue || self == .isTruthy }
  }

  init(guardsMissing: Bool = false) { self.guardsMissing = guardsMissing }

  // MARK: Attributes

  /// Returns the number of an attribute in the set.
  ///
  /// - Complexity: O(1) on average.
  mutating func number(of reference: AttributeReference) -> UInt32 {
    if let known = attributeTable.number(of: reference, among: references) { return known }
    var own = reference
    own.name = arena.copy(reference.name.byteBuffer, as: .string) ?? .null
    let number = addAttribute(own, code: [])
    attributeTable.insert(number, among: references)
    return number
  }

  /// Returns the number of a computed attribute in the set.
  ///
  /// - Parameters:
  ///   - code: The code; see ``ComputedAttribute``.
  ///   - first: The first attribute that it reads.
  mutating func number(ofComputed code: [UInt32], first: UInt32) -> UInt32 {
    let index = Int(computedCodes.number(of: code))
    if index == computedNumbers.count {
      // It is missing if it has no value, whether its root is declared or not.
      var reference = references[Int(first)]
      reference.hash = 0
      reference.name = .null
      reference.rootIsOptional = true
      computedNumbers.append(addAttribute(reference, code: code))
    }
    return computedNumbers[index]
  }

  private mutating func addAttribute(_ reference: AttributeReference, code: [UInt32]) -> UInt32 {
    references.append(reference)
    codes.append(code)
    failures.append(.undeclared)
    return UInt32(truncatingIfNeeded: references.count &- 1)
  }

  // MARK: Filters

  /// Reads the next filter.
  ///
  /// - Complexity: O(n) in the length of the filter.
  mutating func read(_ ir: borrowing IR) {
    let start = code.count
    filterIsChecked = false
    filterHasMisplacedConstant = false
    liveCount += 1
    budget = 64 &+ 16 &* ir.nodes.count
    let last = ir.nodes[Int(ir.root)]
    let root = last.kind == .absorbReferences ? last.first : ir.root
    rest = nil
    let node = ir.nodes[Int(root)]
    if node.kind == .conjunction || node.kind == .absorbingAnd {
      walkOperands(ir, node)
    } else {
      walk(ir, root, .isTrue, isGuarded: false, depth: 0)
    }
    if budget <= 0 {
      code.removeSubrange(start...)
      rest = nil
      leaveOut()
    }
    ends.append(code.count)
    isComplete.append(!filterIsChecked || rest != nil)
    isChecked.append(filterIsChecked)
    isExact.append(
      !filterIsChecked && !filterHasMisplacedConstant && node.isBool)
  }

  /// Reads the operands of the outermost conjunction. If one comparison among them is left out, it
  /// is all that must be evaluated.
  private mutating func walkOperands(_ ir: borrowing IR, _ node: IRNode) {
    let children = ir.children(of: node)
    var leftOut = 0
    for child in children {
      walk(
        ir, child, node.kind == .conjunction ? .isTruthy : .isTrue, isGuarded: false, depth: 1)
      guard filterIsChecked else { continue }
      filterIsChecked = false
      leftOut += 1
      let operand = ir.nodes[Int(child)]
      rest = operand.kind == .compare && code.last == .and(0) ? operand.span : nil
      if rest == nil { leftOut += 1 }
    }
    code.append(.and(children.count))
    filterIsChecked = leftOut > 0
    if leftOut != 1 { rest = nil }
  }

  /// Reads a filter that never holds.
  mutating func readNothing() {
    code.append(.or(0))
    ends.append(code.count)
    isChecked.append(false)
    isComplete.append(true)
    isExact.append(true)
  }

  /// Adds a placeholder for a part of the filter that is unknown and may be true.
  mutating func leaveOut() {
    filterIsChecked = true
    code.append(.and(0))
  }

  mutating func walk(
    _ ir: borrowing IR, _ id: UInt32, _ sense: Sense, isGuarded: Bool, depth: Int
  ) {
    budget &-= 1
    guard budget > 0, depth < Lowering.maximumDepth else { return leaveOut() }
    let node = ir.nodes[Int(id)]
    switch node.kind {
    case .constant:
      let slot = ir.constants[Int(node.first)]
      if sense == .isTrue || sense == .isFalse, !slot.isA(.bool) {
        filterHasMisplacedConstant = true
      }
      emit(holds: Self.truth(slot, sense))
    case .not:
      let inner: Sense =
        node.detail == 0
        ? (sense.isPositive ? .isFalsy : .isTruthy) : (sense.isPositive ? .isFalse : .isTrue)
      walk(ir, node.first, inner, isGuarded: isGuarded, depth: depth &+ 1)
    case .truth:
      walk(
        ir, node.first, sense.isPositive ? .isTruthy : .isFalsy, isGuarded: isGuarded,
        depth: depth &+ 1)
    case .conjunction, .absorbingAnd:
      let isStrict = node.kind == .absorbingAnd
      let inner: Sense =
        sense.isPositive ? (isStrict ? .isTrue : .isTruthy) : (isStrict ? .isFalse : .isFalsy)
      // `!(a && b)` fails if either operand does.
      let isGuarded = isGuarded || (!sense.isPositive && !isStrict)
      let children = ir.children(of: node)
      for child in children { walk(ir, child, inner, isGuarded: isGuarded, depth: depth &+ 1) }
      code.append(
        sense.isPositive ? .and(children.count) : .or(children.count))
    case .absorbingOr:
      let children = ir.children(of: node)
      for child in children {
        walk(
          ir, child, sense.isPositive ? .isTrue : .isFalse, isGuarded: false, depth: depth &+ 1)
      }
      code.append(
        sense.isPositive ? .or(children.count) : .and(children.count))
    case .disjunction:
      walkDisjunction(ir, node, sense, isGuarded: isGuarded, depth: depth &+ 1)
    case .conditional:
      let isStrict = node.detail != 0
      walk(ir, node.first, isStrict ? .isTrue : .isTruthy, isGuarded: isGuarded, depth: depth &+ 1)
      walk(ir, node.second, sense, isGuarded: isGuarded, depth: depth &+ 1)
      code.append(.and(2))
      walk(ir, node.first, isStrict ? .isFalse : .isFalsy, isGuarded: isGuarded, depth: depth &+ 1)
      walk(ir, node.third, sense, isGuarded: isGuarded, depth: depth &+ 1)
      code.append(.and(2))
      code.append(.or(2))
    case .compare:
      if ComparisonMask(bits: node.mask).isEquality, node.detail == 0, node.third == IRNode.none,
        Self.isLogic(ir.nodes[Int(node.first)]), Self.isLogic(ir.nodes[Int(node.second)])
      {
        return walkEquivalence(ir, node, sense, isGuarded: isGuarded, depth: depth &+ 1)
      }
      readComparison(ir, node, sense, isGuarded)
    case .membership: readMembership(ir, node, sense, isGuarded)
    case .attribute, .variable: readTruth(ir, node, sense, isGuarded)
    case .rescue: readPresence(ir, node, sense, isGuarded)
    case .call: readCall(ir, node, sense, isGuarded)
    case .loop: walkLoop(ir, node, sense, isGuarded: isGuarded, depth: depth &+ 1)
    case .comprehension:
      walkComprehension(
        ir, ir.comprehensions[Int(node.first)], sense, isGuarded: isGuarded, depth: depth &+ 1)
    default: leaveOut()
    }
  }

  /// Reads `||` of the superscript dialect: the first truthy operand, otherwise the last one.
  ///
  /// `a || b` is negated as `!a && !b`. Otherwise it is read as alternatives, or, where it matters
  /// that `b` counts only if `a` is falsy, as `a || (!a && b)`.
  private mutating func walkDisjunction(
    _ ir: borrowing IR, _ node: IRNode, _ sense: Sense, isGuarded: Bool, depth: Int
  ) {
    let children = ir.children(of: node)
    guard sense.isPositive else {
      for child in children.dropLast() {
        walk(ir, child, .isFalsy, isGuarded: isGuarded, depth: depth)
      }
      if let last = children.last { walk(ir, last, sense, isGuarded: isGuarded, depth: depth) }
      return code.append(.and(children.count))
    }
    // The number of alternatives in each group. A group after the first is the second half of
    // `(!a && …)`, which is an alternative of the group before it.
    var groups = [0]
    for (index, child) in children.enumerated() {
      let isLast = index &+ 1 == children.count
      let hidesLater = !isLast && hidesLaterOperands(ir.nodes[Int(child)], sense)
      walk(ir, child, sense, isGuarded: isGuarded || !(isLast || hidesLater), depth: depth)
      groups[groups.count &- 1] &+= 1
      if hidesLater {
        walk(ir, child, .isFalsy, isGuarded: isGuarded, depth: depth)
        groups.append(0)
      }
    }
    code.append(.or(groups.removeLast()))
    for count in groups.reversed() {
      code.append(.and(2))
      code.append(.or(count &+ 1))
    }
  }

  /// Returns whether an operand of `||` is likely to fail, or to be truthy without being true, so
  /// that the later ones count only if it is falsy. If it fails only for unusual values, a guard
  /// handles that.
  private func hidesLaterOperands(_ operand: IRNode, _ sense: Sense) -> Bool {
    operand.kind == .call || operand.kind == .variable || (sense == .isTrue && !operand.isBool)
  }

  /// Reads a loop over a constant list of the superscript dialect.
  private mutating func walkLoop(
    _ ir: borrowing IR, _ node: IRNode, _ sense: Sense, isGuarded: Bool, depth: Int
  ) {
    let isAll = node.detail == LoopKind.all.rawValue
    guard isAll || node.detail == LoopKind.exists.rawValue else { return leaveOut() }
    // An element that decides does not count if the body fails for an earlier one.
    walkElements(
      ir, range: node.first, body: node.second, local: node.third, isAll: isAll, sense,
      isGuarded: isGuarded || isAll != sense.isPositive, depth: depth)
  }

  /// Reads a loop over a constant list of the cel dialect, as `&&` or `||` of its bodies.
  private mutating func walkComprehension(
    _ ir: borrowing IR, _ loop: Comprehension, _ sense: Sense, isGuarded: Bool, depth: Int
  ) {
    let isAll = loop.kind == .all
    guard isAll || loop.kind == .exists, loop.secondLocal == nil, loop.filter == nil else {
      return leaveOut()
    }
    walkElements(
      ir, range: loop.range, body: loop.body, local: loop.firstLocal, isAll: isAll, sense,
      isGuarded: isAll && isGuarded, depth: depth)
  }

  /// Reads the body of a loop once for each element of a constant list.
  private mutating func walkElements(
    _ ir: borrowing IR, range: UInt32, body: UInt32, local: UInt32, isAll: Bool, _ sense: Sense,
    isGuarded: Bool, depth: Int
  ) {
    guard let list = slot(ir, range), list.isA(.list), ir.nodes[Int(body)].isBool else {
      return leaveOut()
    }
    for element in list.elements {
      bindings.append(Binding(local: local, value: element))
      walk(
        ir, body, sense.isPositive ? .isTrue : .isFalse, isGuarded: isGuarded, depth: depth)
      bindings.removeLast()
    }
    let count = list.elements.count
    code.append(isAll == sense.isPositive ? .and(count) : .or(count))
  }

  mutating func emit(holds: Bool) {
    code.append(holds ? .and(0) : .or(0))
  }

  static func truth(_ slot: Slot, _ sense: Sense) -> Bool {
    switch sense {
    case .isTrue: slot.isTrue
    case .isFalse: slot.isFalse
    case .isTruthy: slot.isTruthy
    case .isFalsy: !slot.isTruthy
    }
  }

  /// Returns whether a node is a bool made of other bools.
  private static func isLogic(_ node: IRNode) -> Bool { node.isBool && node.kind != .constant }
}

extension AttributeReference {
  /// Whether the attribute is read as the superscript dialect reads it.
  var isSuperscript: Bool { Int(root) >= ContextStorage.rootCount }
}
