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
  /// The attributes that conditions test: the root, the length of the name and its bytes.
  var attributes = WordInterner()
  /// The references of `attributes`; the names are in ``arena``.
  var references: [AttributeReference] = []
  /// The code of each attribute that is a ``ComputedAttribute``; empty for an attribute of
  /// contexts.
  private(set) var codes: [[UInt32]] = []
  /// The constants: the attribute with 1 for texts, then the bits of a double or the length and
  /// bytes.
  var constants = WordInterner()
  /// The conditions: the attribute, ``ConditionFlags``, then pairs of first and last positions (see
  /// ``SymbolicPosition``), or a test and its constant.
  var conditions = WordInterner()
  /// The formulas in postfix form; see ``FormulaWord``.
  var code: [UInt32] = []
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

  /// Comparisons with numbers in their source form, and the conditions they became: most occur many
  /// times.
  private var comparisons = WordInterner()
  private var known: [(condition: UInt32, failing: PositionKinds)] = []
  private var row: [UInt32] = []
  private var budget = 0
  /// The kinds for which the last emitted condition fails.
  private var lastFailing = PositionKinds()
  private var filterIsChecked = false
  /// Whether a constant is used in place of a bool, so that the filter may fail in any context.
  private var filterHasMisplacedConstant = false
  /// The only part of the filter that was left out, if it is an operand of the outermost
  /// conjunction.
  private var rest: SourceSpan?

  struct Guard: BitwiseCopyable {
    let attribute: UInt32
    let kinds: PositionKinds
    /// The condition whose test fails, or `.max` when `kinds` is sufficient.
    let test: UInt32
    /// The filter, counted from the first one read.
    let filter: UInt32

    /// The key of guards that are checked together.
    var group: (UInt32, UInt16, UInt32) { (attribute, kinds.rawValue, test) }
    var order: (UInt32, UInt16, UInt32, UInt32) { (attribute, kinds.rawValue, test, filter) }
  }

  /// The values of a node that make a condition hold. A bool node is true if it is truthy.
  private enum Sense {
    case isTrue
    case isTruthy
    case isFalsy
    case isFalse

    var isPositive: Bool { self == .isTrue || self == .isTruthy }
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
      rest = operand.kind == .compare && code.last == FormulaWord.and(0) ? operand.span : nil
      if rest == nil { leftOut += 1 }
    }
    code.append(FormulaWord.and(children.count))
    filterIsChecked = leftOut > 0
    if leftOut != 1 { rest = nil }
  }

  /// Reads a filter that never holds.
  mutating func readNothing() {
    code.append(FormulaWord.or(0))
    ends.append(code.count)
    isChecked.append(false)
    isComplete.append(true)
    isExact.append(true)
  }

  /// Adds a placeholder for a part of the filter that is unknown and may be true.
  private mutating func leaveOut() {
    filterIsChecked = true
    code.append(FormulaWord.and(0))
  }

  private mutating func walk(
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
        sense.isPositive ? FormulaWord.and(children.count) : FormulaWord.or(children.count))
    case .absorbingOr:
      let children = ir.children(of: node)
      for child in children {
        walk(
          ir, child, sense.isPositive ? .isTrue : .isFalse, isGuarded: false, depth: depth &+ 1)
      }
      code.append(
        sense.isPositive ? FormulaWord.or(children.count) : FormulaWord.and(children.count))
    case .disjunction:
      walkDisjunction(ir, node, sense, isGuarded: isGuarded, depth: depth &+ 1)
    case .conditional:
      let isStrict = node.detail != 0
      walk(ir, node.first, isStrict ? .isTrue : .isTruthy, isGuarded: isGuarded, depth: depth &+ 1)
      walk(ir, node.second, sense, isGuarded: isGuarded, depth: depth &+ 1)
      code.append(FormulaWord.and(2))
      walk(ir, node.first, isStrict ? .isFalse : .isFalsy, isGuarded: isGuarded, depth: depth &+ 1)
      walk(ir, node.third, sense, isGuarded: isGuarded, depth: depth &+ 1)
      code.append(FormulaWord.and(2))
      code.append(FormulaWord.or(2))
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
    default: leaveOut()
    }
  }

  /// Reads `||` of the superscript dialect: the first truthy operand, otherwise the last one.
  private mutating func walkDisjunction(
    _ ir: borrowing IR, _ node: IRNode, _ sense: Sense, isGuarded: Bool, depth: Int
  ) {
    let children = ir.children(of: node)
    var enclosing: [Int] = []
    var count = 0
    for (index, child) in children.enumerated() {
      let isLast = index &+ 1 == children.count
      guard sense.isPositive else {
        walk(ir, child, isLast ? sense : .isFalsy, isGuarded: isGuarded, depth: depth)
        continue
      }
      let kind = ir.nodes[Int(child)].kind
      // If an operand is likely to fail, or to be truthy without being true, the later ones count
      // only if it is falsy. If it fails only for unusual values, a guard handles that.
      let isExplicit =
        !isLast
        && (kind == .call || kind == .variable
          || (sense == .isTrue && !ir.nodes[Int(child)].isBool))
      walk(
        ir, child, sense, isGuarded: isGuarded || !(isLast || isExplicit), depth: depth)
      count &+= 1
      if isExplicit {
        walk(ir, child, .isFalsy, isGuarded: isGuarded, depth: depth)
        enclosing.append(count)
        count = 0
      }
    }
    guard sense.isPositive else { return code.append(FormulaWord.and(children.count)) }
    code.append(FormulaWord.or(count))
    for count in enclosing.reversed() {
      code.append(FormulaWord.and(2))
      code.append(FormulaWord.or(count &+ 1))
    }
  }

  private mutating func emit(holds: Bool) {
    code.append(holds ? FormulaWord.and(0) : FormulaWord.or(0))
  }

  private static func truth(_ slot: Slot, _ sense: Sense) -> Bool {
    switch sense {
    case .isTrue: slot.isTrue
    case .isFalse: slot.isFalse
    case .isTruthy: slot.isTruthy
    case .isFalsy: !slot.isTruthy
    }
  }

  /// Returns whether a node is a bool made of other bools.
  private static func isLogic(_ node: IRNode) -> Bool { node.isBool && node.kind != .constant }

  // MARK: Conditions

  /// An attribute as an operand.
  struct Operand {
    let attribute: UInt32
    /// Whether a missing attribute makes the operand null, rather than a failure.
    let isNullWhenMissing: Bool
  }

  mutating func operand(_ ir: borrowing IR, _ id: UInt32) -> Operand? {
    var node = ir.nodes[Int(id)]
    // Tests check the kind of their subject themselves.
    if node.kind == .expect { node = ir.nodes[Int(node.first)] }
    if node.kind == .rescue, node.detail == RescueClass.any.rawValue {
      node = ir.nodes[Int(node.first)]
    }
    let isVariable = node.kind == .variable
    guard node.kind == .attribute || isVariable else { return nil }
    let reference = ir.attributes[Int(node.first)]
    if isVariable, reference.rootIsOptional || Root(layerNamed: reference.name.byteBuffer) != nil {
      return nil
    }
    return Operand(
      attribute: number(of: reference),
      isNullWhenMissing: !isVariable && node.detail == MissingPolicy.null.rawValue)
  }

  /// Returns the number of an attribute in the set.
  private mutating func number(of reference: AttributeReference) -> UInt32 {
    row.removeAll(keepingCapacity: true)
    row.append(reference.root &* 2 &+ (reference.rootIsOptional ? 1 : 0))
    appendText(reference.name)
    let number = attributes.number(of: row)
    if Int(number) == references.count {
      var own = reference
      own.name = arena.copy(reference.name.byteBuffer, as: .string) ?? .null
      addReference(own, code: [])
    }
    return number
  }

  /// Adds an attribute with a new number.
  mutating func addReference(_ reference: AttributeReference, code: [UInt32]) {
    references.append(reference)
    codes.append(code)
    failures.append(.undeclared)
  }

  /// Appends a text's length and bytes to ``row``. Texts are padded with zeros.
  private mutating func appendText(_ text: Slot) {
    row.append(text.aux)
    for offset in stride(from: 0, to: Int(text.aux), by: 4) {
      row.append(text.address.load(fromByteOffset: offset, as: UInt32.self))
    }
  }

  /// Appends the position of a constant to ``row`` twice, as a first and a last one. Returns
  /// `false` if the line cannot represent the constant. A value that equals nothing (NaN) appends
  /// nothing.
  private mutating func appendPoint(
    _ slot: Slot, of attribute: UInt32, to positions: inout [UInt32]
  ) -> Bool {
    switch slot.tag {
    case .null: positions += [ValueLine.null, ValueLine.null]
    case .bool:
      let position = ValueLine.bools &+ UInt32(truncatingIfNeeded: slot.word0)
      positions += [position, position]
    case .double where slot.doubleValue.isNaN: break
    case .int, .uint, .double, .string:
      guard let constant = constant(slot, of: attribute) else { return false }
      let position = SymbolicPosition.constant(constant, 0)
      positions += [position, position]
    default: return false
    }
    return true
  }

  /// Returns the number of a constant that an attribute is compared with, or `nil` for integers
  /// that doubles cannot distinguish.
  private mutating func constant(_ slot: Slot, of attribute: UInt32) -> UInt32? {
    row.removeAll(keepingCapacity: true)
    row.append(attribute &* 2 &+ (slot.isA(.string) ? 1 : 0))
    if slot.isA(.string) {
      appendText(slot)
    } else {
      // Both zeros are the same constant.
      let number = slot.asDouble + 0.0
      guard number.magnitude < 0x1p53 || slot.isA(.double) && number.isInfinite else { return nil }
      row.append(UInt32(truncatingIfNeeded: number.bitPattern))
      row.append(UInt32(truncatingIfNeeded: number.bitPattern >> 32))
    }
    let number = constants.number(of: row)
    return number < 1 << 28 ? number : nil
  }

  /// Emits a condition.
  ///
  /// - Parameters:
  ///   - failing: The kinds for which the condition and its opposite fail.
  private mutating func emit(
    _ flags: ConditionFlags, _ words: [UInt32], of attribute: UInt32, failing: PositionKinds,
    isGuarded: Bool
  ) {
    row.removeAll(keepingCapacity: true)
    row.append(attribute)
    row.append(flags.rawValue)
    row.append(contentsOf: words)
    emit(conditions.number(of: row), of: attribute, failing, isGuarded, flags.contains(.test))
  }

  private mutating func emit(
    _ condition: UInt32, of attribute: UInt32, _ failing: PositionKinds, _ isGuarded: Bool,
    _ isTest: Bool = false
  ) {
    code.append(FormulaWord.condition(condition))
    lastFailing = failing
    let index = Int(attribute)
    if !failing.isSubset(of: failures[index]) { failures[index].formUnion(failing) }
    guard isGuarded else { return }
    // There is no list of missing attributes that could be checked for guards.
    if failing.contains(.missing) { filterIsChecked = true }
    guards.append(
      Guard(
        attribute: attribute, kinds: failing, test: isTest ? condition : .max,
        filter: UInt32(truncatingIfNeeded: ends.count)))
  }

  private func slot(_ ir: borrowing IR, _ id: UInt32) -> Slot? {
    let node = ir.nodes[Int(id)]
    return node.kind == .constant ? ir.constants[Int(node.first)] : nil
  }

  /// Returns the result of a comparison whose left operand is missing, or `nil` if it fails.
  private func missingResult(_ ir: borrowing IR, _ node: IRNode) -> Bool?? {
    guard node.third != IRNode.none else { return .some(nil) }
    guard let replacement = slot(ir, node.third), replacement.isA(.bool) else { return nil }
    return replacement.boolValue
  }

  /// Reads `a == b` or `a != b` of bools.
  private mutating func walkEquivalence(
    _ ir: borrowing IR, _ node: IRNode, _ sense: Sense, isGuarded: Bool, depth: Int
  ) {
    let isEqual = (ComparisonMask(bits: node.mask) == .equal) == sense.isPositive
    for left in [Sense.isTrue, .isFalse] {
      let right: Sense = (left == .isTrue) == isEqual ? .isTrue : .isFalse
      walk(ir, node.first, left, isGuarded: isGuarded, depth: depth)
      walk(ir, node.second, right, isGuarded: isGuarded, depth: depth)
      code.append(FormulaWord.and(2))
    }
    code.append(FormulaWord.or(2))
  }

  private mutating func readComparison(
    _ ir: borrowing IR, _ node: IRNode, _ sense: Sense, _ isGuarded: Bool
  ) {
    var (left, right, mask) = (node.first, node.second, ComparisonMask(bits: node.mask))
    if slot(ir, left) != nil, node.detail == 0, node.third == IRNode.none {
      (left, right, mask) = (right, left, mask.swapped)
    }
    guard let constant = slot(ir, right), let missing = missingResult(ir, node),
      let operand = comparedOperand(ir, left, mask, constant, missing)
    else { return leaveOut() }
    let isNegated = !sense.isPositive
    guard constant.isNumber else {
      return emitComparison(ir, mask, constant, node.detail, operand, missing, isNegated, isGuarded)
    }
    row.removeAll(keepingCapacity: true)
    row.append(operand.attribute)
    row.append(
      UInt32(mask.bits) | (isNegated ? 8 : 0) | (operand.isNullWhenMissing ? 16 : 0)
        | (missing.map { $0 ? 64 : 32 } ?? 0) | UInt32(constant.tagByte) << 8)
    row.append(UInt32(truncatingIfNeeded: constant.word0))
    row.append(UInt32(truncatingIfNeeded: constant.word0 >> 32))
    let number = Int(comparisons.number(of: row))
    if number < known.count, known[number].condition != .max {
      return emit(known[number].condition, of: operand.attribute, known[number].failing, isGuarded)
    }
    if number == known.count { known.append((.max, .all)) }
    emitComparison(ir, mask, constant, node.detail, operand, missing, isNegated, isGuarded)
    if let last = code.last, last < FormulaWord.andBit { known[number] = (last, lastFailing) }
  }

  private mutating func emitComparison(
    _ ir: borrowing IR, _ mask: ComparisonMask, _ constant: Slot, _ detail: UInt8,
    _ operand: Operand, _ missing: Bool?, _ isNegated: Bool, _ isGuarded: Bool
  ) {
    if mask.isEquality {
      var positions: [UInt32] = []
      let readings =
        detail == 0
        ? appendPoint(constant, of: operand.attribute, to: &positions)
        : constant.elements.allSatisfy {
          appendPoint($0, of: operand.attribute, to: &positions)
        }
      guard readings else { return leaveOut() }
      return emitEquality(
        positions, operand, missing, isEqual: (mask == .equal) != isNegated, isNegated: isNegated,
        isGuarded: isGuarded)
    }
    readOrder(
      isNegated ? ComparisonMask(bits: ~mask.bits & 0b111) : mask, constant, operand, missing,
      isNegated: isNegated, isSuperscript: ir.rules.contains(.nanOrderFails), isGuarded: isGuarded)
  }

  /// Returns the attribute that is compared. A computed one can be ordered only by a number: other
  /// values, or no value, make the comparison fail.
  private mutating func comparedOperand(
    _ ir: borrowing IR, _ id: UInt32, _ mask: ComparisonMask, _ constant: Slot, _ missing: Bool?
  ) -> Operand? {
    switch ir.nodes[Int(id)].kind {
    case .attribute, .variable: operand(ir, id)
    case .arithmetic where !mask.isEquality && constant.isNumber && missing == nil:
      computedOperand(ir, id)
    default: nil
    }
  }

  private func isCall(_ ir: borrowing IR, _ id: UInt32) -> Bool {
    let kind = ir.nodes[Int(id)].kind
    return kind != .attribute && kind != .variable
  }

  /// Emits a condition that the attribute is at one of the positions, or at none of them.
  private mutating func emitEquality(
    _ positions: [UInt32], _ operand: Operand, _ missing: Bool?, isEqual: Bool, isNegated: Bool,
    isGuarded: Bool
  ) {
    var flags: ConditionFlags = isEqual ? [] : .complement
    var failing = PositionKinds.undeclared
    if operand.isNullWhenMissing {
      if positions.contains(ValueLine.null) == isEqual { flags.insert(.missing) }
    } else if let missing {
      if missing != isNegated { flags.insert(.missing) }
    } else {
      failing.insert(.missing)
    }
    emit(
      flags, Self.sorted(positions), of: operand.attribute, failing: failing, isGuarded: isGuarded)
  }

  /// Returns pairs of equal positions in ascending order, so that equal lists are equal rows.
  private static func sorted(_ positions: [UInt32]) -> [UInt32] {
    positions.count <= 2 ? positions : positions.sorted()
  }

  private mutating func readOrder(
    _ mask: ComparisonMask, _ constant: Slot, _ operand: Operand, _ missing: Bool?,
    isNegated: Bool, isSuperscript: Bool, isGuarded: Bool
  ) {
    var failing = PositionKinds.all
    var positions: [UInt32]
    switch constant.tag {
    case .bool:
      failing.subtract(.bool)
      positions = []
      for value in [0, 1] as [UInt32]
      where mask.accepts(Int(value) &- (constant.boolValue ? 1 : 0)) {
        positions += [ValueLine.bools &+ value, ValueLine.bools &+ value]
      }
    case .int, .uint, .double, .string:
      let isText = constant.isA(.string)
      guard isText || !constant.asDouble.isNaN,
        let number = self.constant(constant, of: operand.attribute)
      else { return leaveOut() }
      failing.subtract(isText ? .text : .number)
      let (first, last) =
        isText
        ? (SymbolicPosition.firstText, SymbolicPosition.lastText)
        : (SymbolicPosition.firstNumber, SymbolicPosition.lastNumber)
      let includes = mask.accepts(0) ? 0 : 1
      positions =
        mask.accepts(-1)
        ? [first, SymbolicPosition.constant(number, -includes)]
        : [SymbolicPosition.constant(number, includes), last]
      if !isText, !isSuperscript {
        // Nothing is less or greater than NaN, which is not a failure here.
        failing.subtract(.notANumber)
        if isNegated { positions = [ValueLine.notANumber, ValueLine.notANumber] + positions }
      }
    default: return leaveOut()
    }
    var flags = ConditionFlags()
    if !operand.isNullWhenMissing, let missing {
      failing.subtract(.missing)
      if missing != isNegated { flags.insert(.missing) }
    }
    emit(flags, positions, of: operand.attribute, failing: failing, isGuarded: isGuarded)
  }

  private mutating func readMembership(
    _ ir: borrowing IR, _ node: IRNode, _ sense: Sense, _ isGuarded: Bool
  ) {
    if let element = slot(ir, node.first) {
      guard element.isA(.string), node.third == IRNode.none, !isCall(ir, node.second),
        let operand = operand(ir, node.second)
      else { return leaveOut() }
      return readTest(.member, element, operand, sense, isGuarded)
    }
    guard let collection = slot(ir, node.second), let missing = missingResult(ir, node),
      !isCall(ir, node.first), let operand = operand(ir, node.first),
      collection.isA(.list) || (node.detail == 1 && collection.isA(.map))
    else { return leaveOut() }
    var positions: [UInt32] = []
    let count = collection.isA(.list) ? Int(collection.aux) : collection.table.count
    for index in 0..<count {
      let element =
        collection.isA(.list) ? collection.elements[index] : collection.table.key(index)
      guard appendPoint(element, of: operand.attribute, to: &positions) else { return leaveOut() }
    }
    emitEquality(
      positions, operand, missing, isEqual: sense.isPositive, isNegated: !sense.isPositive,
      isGuarded: isGuarded)
  }

  /// Reads an attribute as a truth value.
  private mutating func readTruth(
    _ ir: borrowing IR, _ node: IRNode, _ sense: Sense, _ isGuarded: Bool
  ) {
    // Read again, as an operand.
    let reference = ir.attributes[Int(node.first)]
    if node.kind == .variable,
      reference.rootIsOptional || Root(layerNamed: reference.name.byteBuffer) != nil
    {
      return leaveOut()
    }
    let operand = Operand(
      attribute: number(of: reference),
      isNullWhenMissing: node.kind == .attribute && node.detail == MissingPolicy.null.rawValue)
    switch sense {
    case .isTrue, .isFalse:
      let position = ValueLine.bools &+ (sense == .isTrue ? 1 : 0)
      // Whether other kinds fail depends on the use of the value.
      let failing =
        operand.isNullWhenMissing ? .undeclared : PositionKinds.all.subtracting(.bool)
      emit(
        [], [position, position], of: operand.attribute, failing: failing, isGuarded: isGuarded)
    case .isTruthy, .isFalsy:
      readTest(.truth, .null, operand, sense, isGuarded)
    }
  }

  /// Reads `has(user.a)`.
  private mutating func readPresence(
    _ ir: borrowing IR, _ node: IRNode, _ sense: Sense, _ isGuarded: Bool
  ) {
    guard Self.isPresence(ir, node),
      let operand = operand(ir, ir.nodes[Int(node.first)].first)
    else { return leaveOut() }
    emit(
      sense.isPositive ? .complement : .missing, [], of: operand.attribute, failing: .undeclared,
      isGuarded: isGuarded)
  }

  private static func isPresence(_ ir: borrowing IR, _ node: IRNode) -> Bool {
    let present = ir.nodes[Int(node.first)]
    guard node.detail == RescueClass.missingKey.rawValue, present.kind == .sequence else {
      return false
    }
    let attribute = ir.nodes[Int(present.first)]
    let (yes, no) = (ir.nodes[Int(present.second)], ir.nodes[Int(node.second)])
    guard attribute.kind == .attribute, attribute.detail == MissingPolicy.fail.rawValue,
      yes.kind == .constant, ir.constants[Int(yes.first)].isTrue
    else { return false }
    // In the cel dialect the other side checks whether the root is something without attributes;
    // the fallback for such contexts covers that.
    return no.kind == .constant
      ? ir.constants[Int(no.first)].isFalse
      : no.kind == .call && ir.functions[Int(no.first)].name == FunctionDefinition.celHas.name
  }

  /// Returns a call as a test, if its other argument is a constant text.
  private static func test(_ ir: borrowing IR, _ node: IRNode) -> (AttributeTest, Slot)? {
    let arguments = ir.children(of: node)
    guard arguments.count == 2 else { return nil }
    let last = ir.nodes[Int(arguments[1])]
    guard last.kind == .constant, ir.constants[Int(last.first)].isA(.string) else { return nil }
    let constant = ir.constants[Int(last.first)]
    switch ir.functions[Int(node.first)].intrinsic {
    case .startsWith: return (.startsWith, constant)
    case .endsWith: return (.endsWith, constant)
    case .contains: return (.contains, constant)
    case .matches, .size, nil: return nil
    }
  }

  private mutating func readCall(
    _ ir: borrowing IR, _ node: IRNode, _ sense: Sense, _ isGuarded: Bool
  ) {
    guard let (test, constant) = Self.test(ir, node),
      let operand = operand(ir, ir.children(of: node)[0])
    else { return leaveOut() }
    readTest(test, constant, operand, sense, isGuarded)
  }

  private mutating func readTest(
    _ test: AttributeTest, _ slot: Slot, _ operand: Operand, _ sense: Sense, _ isGuarded: Bool
  ) {
    let isSuperscript = references[Int(operand.attribute)].isSuperscript
    var flags: ConditionFlags = sense.isPositive ? .test : [.test, .complement]
    var failing = PositionKinds.undeclared
    let missing =
      operand.isNullWhenMissing
      ? test.holds(.null, slot, isSuperscript: isSuperscript) : nil
    if let missing {
      if missing == sense.isPositive { flags.insert(.missing) }
    } else {
      failing.insert(.missing)
    }
    var words = [test.rawValue]
    if slot.isA(.string) {
      guard let number = constant(slot, of: operand.attribute) else { return leaveOut() }
      words.append(number)
    }
    emit(flags, words, of: operand.attribute, failing: failing, isGuarded: isGuarded)
  }
}

/// The meaning of a condition's positions.
struct ConditionFlags: OptionSet {
  let rawValue: UInt32

  /// The condition holds at all positions except the given ones, from null on; a test holds where
  /// the condition does not.
  static let complement = ConditionFlags(rawValue: 1)
  /// The condition holds for a missing attribute.
  static let missing = ConditionFlags(rawValue: 2)
  /// The condition is an ``AttributeTest``.
  static let test = ConditionFlags(rawValue: 4)
}

/// A word of a formula: a condition, or an operator with the number of its operands, which precede
/// it. `and` without operands is true, `or` without operands is false.
enum FormulaWord {
  static let andBit: UInt32 = 1 << 30
  static let orBit: UInt32 = 1 << 31

  static func condition(_ number: UInt32) -> UInt32 { number }
  static func and(_ count: Int) -> UInt32 { andBit | UInt32(truncatingIfNeeded: count) }
  static func or(_ count: Int) -> UInt32 { orBit | UInt32(truncatingIfNeeded: count) }
}

extension AttributeReference {
  /// Whether the attribute is read as the superscript dialect reads it.
  var isSuperscript: Bool { Int(root) >= ContextStorage.rootCount }
}
