import ExpressionSyntax

/// Reads filters into the form that a set needs: distinct conditions, and for each filter their
/// combination.
///
/// A filter becomes a formula of `and` and `or` over conditions that must hold; negations are
/// pushed into the conditions. If a condition fails, neither it nor its opposite holds. Therefore
/// the formula is true whenever the filter is. It may also be true when the filter fails, or has a
/// value other than true, in two cases: a part that cannot be a condition is left out, which
/// ``coverage`` says; and a failure beside a true operand of `||` in the superscript
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
  var conditions = ConditionTable()
  /// The formulas in postfix form.
  var code: [FormulaWord] = []
  /// The end of each filter's formula in `code`.
  private(set) var ends: [Int] = []
  /// How much of each filter its formula covers.
  private(set) var coverage: [Coverage] = []
  /// The part of the last filter that must be evaluated, if that is not the whole filter: a
  /// comparison that does not affect the other parts.
  var lastRest: SourceSpan? { current.rest }
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
  /// The variables of the loops around the current node, with their values, innermost last.
  var bindings: [Binding] = []
  /// The filter that is being read, or was read last.
  var current = CurrentFilter()
  /// Whether guards also list what fails when an attribute is missing, instead of the filter being
  /// evaluated whenever its formula is true.
  let guardsMissing: Bool

  struct CurrentFilter {
    /// The number of nodes that may still be read.
    var budget = 0
    /// Whether a part was left out, so that the filter must be evaluated when its formula is true.
    var isChecked = false
    /// Whether a constant is used in place of a bool, so that the filter may fail in any context.
    var hasMisplacedConstant = false
    /// The only part that was left out, if it is an operand of the outermost conjunction.
    var rest: SourceSpan?
  }

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
    current = CurrentFilter(budget: 64 &+ 16 &* ir.nodes.count)
    liveCount += 1
    let last = ir.nodes[Int(ir.root)]
    let root = last.kind == .absorbReferences ? last.first : ir.root
    let node = ir.nodes[Int(root)]
    if node.kind == .conjunction || node.kind == .absorbingAnd {
      walkOutermost(ir, node)
    } else {
      walk(ir, root, Use())
    }
    if current.budget <= 0 {
      code.removeSubrange(start...)
      current.rest = nil
      leaveOut()
    }
    ends.append(code.count)
    if current.isChecked {
      coverage.append(current.rest == nil ? .part : .allButRest)
    } else {
      coverage.append(current.hasMisplacedConstant || !node.isBool ? .truth : .value)
    }
  }

  /// Reads the outermost conjunction. If one comparison among its operands is left out, it is all
  /// that must be evaluated.
  private mutating func walkOutermost(_ ir: borrowing IR, _ node: IRNode) {
    let children = ir.children(of: node)
    let use = Use(isStrict: node.kind == .absorbingAnd, depth: 1)
    var checkedCount = 0
    for child in children {
      current.isChecked = false
      walk(ir, child, use)
      guard current.isChecked else { continue }
      checkedCount += 1
      let operand = ir.nodes[Int(child)]
      current.rest = operand.kind == .compare && code.last == .unknown ? operand.span : nil
    }
    code.append(.and(children.count))
    current.isChecked = checkedCount > 0
    if checkedCount > 1 { current.rest = nil }
  }

  /// Reads a filter that never holds.
  mutating func readNothing() {
    current = CurrentFilter()
    code.append(.or(0))
    ends.append(code.count)
    coverage.append(.value)
  }

  /// Adds a placeholder for a part of the filter that is unknown and may be true.
  mutating func leaveOut() {
    current.isChecked = true
    code.append(.unknown)
  }
}

extension AttributeReference {
  /// Whether the attribute is read as the superscript dialect reads it.
  var isSuperscript: Bool { Int(root) >= ContextStorage.rootCount }
}
