// Loops: those over constants are unrolled; those over attributes become one decision with its own
// graph.

extension DecisionGraphBuilder {
  /// A loop of either dialect, reduced to the parts that graphs need.
  private struct Loop {
    let kind: LoopKind
    let range: UInt32
    let local: UInt32
    let body: UInt32
  }

  /// The maximum length of a constant list that is unrolled.
  private static let maximumUnrolled: UInt32 = 16

  private func loop(_ node: IRNode) -> Loop? {
    guard optimizations.contains(.graphLoops) else { return nil }
    guard node.kind == .comprehension else {
      return LoopKind(rawValue: node.detail).map {
        Loop(kind: $0, range: node.first, local: node.third, body: node.second)
      }
    }
    let loop = comprehensions[Int(node.first)]
    guard loop.secondLocal == nil, loop.filter == nil else { return nil }
    let kind: LoopKind
    switch loop.kind {
    case .all: kind = .all
    case .exists: kind = .exists
    case .existsOne: kind = .existsOne
    case .list, .map, .entries: return nil
    }
    return Loop(kind: kind, range: loop.range, local: loop.firstLocal, body: loop.body)
  }

  /// Builds `exists`, `all` or `exists_one`.
  mutating func quantifier(_ node: IRNode, _ exits: Exits) -> Decision.Branch {
    guard let loop = loop(node), loop.kind.givesBool, isBool(loop.body),
      let range = operand(loop.range)
    else { return giveUp() }
    if case .constant(let number) = range {
      return unrolled(loop, Int(number), isAbsorbing: node.kind == .comprehension, exits)
    }
    return loopDecision(loop, range, exits)
  }

  /// Builds a loop that counts elements in the accumulator.
  mutating func count(_ node: IRNode, ifCounted: Decision.Branch) -> Decision.Branch {
    guard let loop = loop(node), loop.kind == .count, isBool(loop.body),
      let range = operand(loop.range)
    else { return giveUp() }
    if case .constant = range { return giveUp() }
    return loopDecision(
      loop, range, Exits(ifTrue: ifCounted, ifFalse: ifCounted, ifFailed: .bailout))
  }

  /// Builds a loop over a constant list, one element after another.
  private mutating func unrolled(
    _ loop: Loop, _ listNumber: Int, isAbsorbing: Bool, _ exits: Exits
  ) -> Decision.Branch {
    let list = constants[listNumber]
    guard loop.kind == .exists || loop.kind == .all, list.isA(.list),
      list.aux <= Self.maximumUnrolled, takeSteps(Int(list.aux))
    else { return giveUp() }
    var inner = exits
    // Another element may still decide.
    if isAbsorbing, list.aux > 1 { inner.ifFailed = .bailout }
    let isAll = loop.kind == .all
    var next = isAll ? exits.ifTrue : exits.ifFalse
    for element in list.elements.reversed() {
      // A list's elements became constants before the list did, most of them just before.
      guard let number = constants[..<listNumber].lastIndex(where: { $0.isSame(as: element) })
      else {
        return giveUp()
      }
      if isAll { inner.ifTrue = next } else { inner.ifFalse = next }
      next = body(loop, .constant(UInt32(number)), inner)
    }
    return next
  }

  private mutating func body(
    _ loop: Loop, _ value: Operand, _ exits: Exits
  ) -> Decision.Branch {
    locals.append((loop.local, value))
    defer { locals.removeLast() }
    return condition(loop.body, exits)
  }

  /// Adds the decision of a loop over an attribute.
  private mutating func loopDecision(
    _ loop: Loop, _ range: Operand, _ exits: Exits
  ) -> Decision.Branch {
    // Nested loops would each need an element of their own.
    guard !locals.contains(where: { $0.value.isElement }), takeSteps(Decision.longestLoop) else {
      return giveUp()
    }
    mayFailAnyway = true
    let ifMissing = missing(range, exits, null: exits.ifFailed)
    if let (bounds, isOutside) = interval(loop) {
      return add(
        .range, range, exits, ifMissing: ifMissing, constant: bounds,
        detail: Decision.LoopDetail(loop.kind, isOutside: isOutside).rawValue)
    }
    let first = body(
      loop, .element, Exits(ifTrue: .true, ifFalse: .false, ifFailed: .bailout))
    // A loop keeps the number of its first decision only, which has no mark of skipped operands.
    guard !first.isOutcome, !first.skips else { return giveUp() }
    return add(
      .loop, range, exits, ifMissing: ifMissing,
      constant: Slot(word0: UInt64(first.number), word1: 0),
      detail: Decision.LoopDetail(loop.kind).rawValue)
  }

  // MARK: Intervals

  /// Returns the interval of ints for which a loop's body is true, or false if `isOutside`,
  /// provided that the body only compares the element with ints.
  private func interval(_ loop: Loop) -> (Slot, isOutside: Bool)? {
    guard optimizations.contains(.ranges) else { return nil }
    let node = nodes[Int(loop.body)]
    guard node.kind == .conjunction || node.kind == .absorbingAnd else {
      return interval(of: node, loop.local)
    }
    var lower = Int64.min
    var upper = Int64.max
    for child in children(of: node) {
      guard let (bounds, isOutside) = interval(of: nodes[Int(child)], loop.local), !isOutside
      else { return nil }
      lower = max(lower, Int64(bitPattern: bounds.word0))
      upper = min(upper, Int64(bitPattern: bounds.word1))
    }
    return Self.bounds(lower, upper).map { ($0, false) }
  }

  private func interval(of node: IRNode, _ local: UInt32) -> (Slot, isOutside: Bool)? {
    guard node.kind == .compare, node.detail == 0, node.third == IRNode.none,
      nodes[Int(node.first)].kind == .local, nodes[Int(node.first)].first == local,
      nodes[Int(node.second)].kind == .constant
    else { return nil }
    let constant = constants[Int(nodes[Int(node.second)].first)]
    guard constant.isInt else { return nil }
    let value = constant.intValue
    let bounds: Slot? =
      switch ComparisonMask(bits: node.mask) {
      case .equal, .notEqual: Self.bounds(value, value)
      case .greaterEqual: Self.bounds(value, .max)
      case .lessEqual: Self.bounds(.min, value)
      case .greater: value == .max ? nil : Self.bounds(value + 1, .max)
      default: value == .min ? nil : Self.bounds(.min, value - 1)
      }
    return bounds.map { ($0, ComparisonMask(bits: node.mask) == .notEqual) }
  }

  private static func bounds(_ lower: Int64, _ upper: Int64) -> Slot? {
    guard lower <= upper else { return nil }
    return Slot(word0: UInt64(bitPattern: lower), word1: UInt64(bitPattern: upper))
  }
}
