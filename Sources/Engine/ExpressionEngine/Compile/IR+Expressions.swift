import ExpressionSyntax

// Creation of nodes, with constants folded where nothing can fail.

extension IR {
  /// Adds a comparison or a membership test.
  ///
  /// - Parameter missing: The replacement when the left operand is missing.
  mutating func comparison(
    _ op: Operator, _ left: UInt32, _ right: UInt32, missing: UInt32?, span: SourceSpan
  ) -> UInt32 {
    let mask = ComparisonMask(op)
    if missing == nil, let a = constantSlot(left), let b = constantSlot(right),
      let folded = fold({ machine in
        mask.map { machine.compare($0, a, b) } ?? machine.membership(a, in: b)
      })
    {
      return constant(folded, span: span)
    }
    let set = mask == nil ? set(right) : nil
    return add(
      IRNode(
        kind: mask == nil ? .membership : .compare, detail: set == nil ? 0 : 1,
        mask: mask?.bits ?? 0, span: span,
        first: left, second: set ?? right, third: missing ?? IRNode.none))
  }

  /// Returns the value of `left op right` for two constants outside the program, or `nil` if it
  /// fails.
  mutating func comparison(_ op: Operator, _ left: Slot, _ right: Slot) -> Slot? {
    let mask = ComparisonMask(op)
    // The most common comparisons do not need a machine.
    if let mask, mask.isEquality, left.isA(.string), right.isA(.string) {
      return .bool(mask.accepts(VM.sameText(left, right) ? 0 : 1))
    }
    if let mask, left.isA(.int), right.isA(.int) {
      let (a, b) = (left.intValue, right.intValue)
      return .bool(mask.accepts(a < b ? -1 : a == b ? 0 : 1))
    }
    return fold { machine in
      mask.map { machine.compare($0, left, right) } ?? machine.membership(left, in: right)
    }
  }

  /// Returns a constant list of keys as a set, in which membership takes constant time, or `nil`
  /// for any other collection.
  ///
  /// Strings, ints, uints and bools are keys. As in the list, a number is in the set if the set has
  /// a number of the same value, of whatever kind.
  private mutating func set(_ collection: UInt32) -> UInt32? {
    guard optimizations.contains(.sets), let list = constantSlot(collection), list.isA(.list),
      list.aux > 2,
      list.elements.allSatisfy({ SlotKinds([.string, .bool, .int, .uint]).contains(tagOf: $0) }),
      // Integers beyond the exact range of doubles may equal a double of a different value.
      list.elements.allSatisfy({ !$0.isNumber || $0.asDouble.magnitude < 0x1p53 })
    else { return nil }
    let pairs = list.elements.flatMap { [$0, .bool(true)] }
    let table = pairs.withUnsafeBufferPointer { pairs in
      try? MapTable.build(pairs, duplicates: .lastWins, crossNumeric: true, in: &arena)
    }
    return table.map { constant($0, span: nodes[Int(collection)].span) }
  }

  /// Adds `left op right` for one of the five arithmetic operators.
  mutating func arithmetic(
    _ op: Operator, _ left: UInt32, _ right: UInt32, span: SourceSpan
  ) -> UInt32 {
    let arithmetic: ArithmeticOperator =
      switch op {
      case .add: .add
      case .subtract: .subtract
      case .multiply: .multiply
      case .divide: .divide
      default: .remainder
      }
    if let a = constantSlot(left), let b = constantSlot(right), a.isSmall, b.isSmall,
      let folded = fold({ $0.arithmetic(arithmetic, a, b) })
    {
      return constant(folded, span: span)
    }
    return add(
      IRNode(
        kind: .arithmetic, detail: arithmetic.rawValue, span: span, first: left, second: right))
  }

  /// Adds a list of the elements. It is a constant if all elements are.
  mutating func list(_ elements: [UInt32], span: SourceSpan) -> UInt32 {
    let constants = elements.compactMap { constantSlot($0) }
    if optimizations.contains(.folding), constants.count == elements.count,
      let list = constants.withUnsafeBufferPointer({ arena.copyList($0) })
    {
      return constant(list, span: span)
    }
    return add(.list, children: elements, span: span)
  }

  /// Adds a map of alternating keys and values. It is a constant if all of them are and the keys
  /// are valid.
  mutating func map(_ children: [UInt32], span: SourceSpan) -> UInt32 {
    let slots = children.compactMap { constantSlot($0) }
    let usable = SlotKinds([.string, .bool, .int, .uint])
    if optimizations.contains(.folding), slots.count == children.count,
      stride(from: 0, to: slots.count, by: 2).allSatisfy({ usable.contains(tagOf: slots[$0]) }),
      let map = slots.withUnsafeBufferPointer({ pairs in
        try? MapTable.build(
          pairs, duplicates: rules.contains(.uniqueLiteralKeys) ? .reject : .lastWins,
          crossNumeric: rules.contains(.crossNumericKeys), in: &arena)
      })
    {
      return constant(map, span: span)
    }
    return add(.map, children: children, span: span)
  }

  /// Adds the size of a filtered list, counted without building the list. Returns `nil` for other
  /// arguments.
  mutating func counting(_ arguments: [UInt32]) -> UInt32? {
    guard optimizations.contains(.counting), arguments.count == 1, let argument = arguments.first
    else { return nil }
    var node = nodes[Int(argument)]
    guard node.kind == .loop, node.detail == LoopKind.filter.rawValue else { return nil }
    node.detail = LoopKind.count.rawValue
    return add(node)
  }

  /// Adds a failure that happens when it is reached.
  ///
  /// - Parameter name: The subject of the message.
  mutating func raise(
    _ code: FailureCode, naming name: String? = nil, span: SourceSpan
  ) -> UInt32 {
    var node = IRNode(kind: .raise, span: span, first: UInt32(code.rawValue))
    if var name {
      node.second = newConstant(name.withUTF8 { text($0) })
    }
    return add(node)
  }

  /// Adds `second`, after `first` was evaluated for its failures.
  mutating func sequence(_ first: UInt32, _ second: UInt32, span: SourceSpan) -> UInt32 {
    if constantSlot(first) != nil { return second }
    return add(IRNode(kind: .sequence, span: span, first: first, second: second))
  }

  /// Adds `body`, replaced by `instead` when it fails in the given way.
  mutating func rescue(
    _ body: UInt32, _ rescues: RescueClass, instead: UInt32, span: SourceSpan
  ) -> UInt32 {
    add(
      IRNode(
        kind: .rescue, detail: rescues.rawValue, span: span, first: body, second: instead))
  }

  /// Returns the number of a library function in the program.
  mutating func function(_ definition: FunctionDefinition) -> UInt32 {
    if let number = functions.firstIndex(where: { $0.name == definition.name }) {
      return UInt32(truncatingIfNeeded: number)
    }
    functions.append(definition)
    return UInt32(truncatingIfNeeded: functions.count &- 1)
  }

  /// Returns the number of a host function in the program.
  mutating func hostFunction(_ reference: HostFunctionReference) -> UInt32 {
    if let number = hostFunctions.firstIndex(where: {
      $0.name == reference.name && $0.table == reference.table
    }) {
      return UInt32(truncatingIfNeeded: number)
    }
    hostFunctions.append(reference)
    return UInt32(truncatingIfNeeded: hostFunctions.count &- 1)
  }

  /// Adds a call of a host function. It is folded if the state is known, all arguments are
  /// constants, and the call does not fail.
  ///
  /// - Returns: The node, and what it requires of the host unless it was folded.
  mutating func hostCall(
    _ reference: HostFunctionReference, _ arguments: [UInt32], knownState: HostStateValue?,
    span: SourceSpan
  ) -> (node: UInt32, requirement: Requirements.HostCall?) {
    let constants = arguments.compactMap { constantSlot($0) }
    let areConstant = constants.count == arguments.count
    if areConstant, let knownState,
      let folded = fold({ machine in
        constants.withUnsafeBufferPointer {
          machine.callHost(reference, $0, hostState: knownState)
        }
      })
    {
      return (constant(folded, span: span), nil)
    }
    return (
      add(.hostCall, first: hostFunction(reference), children: arguments, span: span),
      Requirements.HostCall(
        table: reference.table, name: reference.name,
        arguments: areConstant ? constants.map { Value($0) } : nil)
    )
  }

  // MARK: Runs of `&&` and `||`

  /// Appends an operand of a run of `&&` or `||`, or its own operands if it is such a run itself.
  @inline(never)
  mutating func append(
    _ operand: UInt32, to operands: inout ArenaArray<UInt32>, ofRun kind: IRKind
  ) {
    let node = nodes[Int(operand)]
    if node.kind == kind {
      operands.append(contentsOf: children(of: node), in: &scratch)
    } else {
      operands.append(operand, in: &scratch)
    }
  }

  /// Adds the node of a run, and removes its operands, which begin at `base`.
  @inline(never)
  mutating func run(
    _ kind: IRKind, _ operands: inout ArenaArray<UInt32>, from base: Int, span: SourceSpan
  ) -> UInt32 {
    let children = operands.slice(from: base, count: operands.count &- base)
    operands.truncate(to: base)
    return add(kind, children: children, span: span)
  }

  /// Adds a call of a function that depends only on its arguments. It is folded if all of them are
  /// constants and the call does not fail.
  mutating func call(
    _ definition: FunctionDefinition, _ arguments: [UInt32], span: SourceSpan
  ) -> UInt32 {
    let constants = arguments.compactMap { constantSlot($0) }
    if constants.count == arguments.count, case .function(let builtin) = definition.form,
      let folded = fold({ machine in
        constants.withUnsafeBufferPointer { builtin(&machine, $0) }
      })
    {
      return constant(folded, span: span)
    }
    return add(.call, first: function(definition), children: arguments, span: span)
  }

  /// Returns the result of an operation on constants, moved into the program's memory, or `nil` if
  /// it fails or is large: chains of joined texts would take quadratic space.
  private mutating func fold(_ operation: (inout Machine) -> Slot) -> Slot? {
    guard optimizations.contains(.folding) else { return nil }
    let limits = EvaluationLimits(steps: 1_000, memory: 16_384)
    var machine = Machine(rules: rules, limits: limits)
    let result = operation(&machine)
    switch result.tag {
    case .error: return nil
    case .null, .bool, .int, .uint, .double, .timestamp, .duration: return result
    default: return Slot.make(Value(result), in: &arena)
    }
  }
}

extension Slot {
  /// Whether joining the value to another constant copies little. A long chain of joined constants
  /// would take quadratic time and memory.
  fileprivate var isSmall: Bool {
    switch tag {
    case .list, .map: false
    case .string, .bytes: aux <= 256
    default: true
    }
  }
}

extension ComparisonMask {
  /// Creates the mask of a comparison operator, or `nil` for `in` and all other operators.
  init?(_ op: Operator) {
    switch op {
    case .equal: self = .equal
    case .notEqual: self = .notEqual
    case .less: self = .less
    case .lessEqual: self = .lessEqual
    case .greater: self = .greater
    case .greaterEqual: self = .greaterEqual
    default: return nil
    }
  }
}
