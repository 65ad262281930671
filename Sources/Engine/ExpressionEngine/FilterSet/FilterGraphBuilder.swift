/// Builds the graph of a set from the formulas of its filters: sorts every attribute's constants,
/// turns conditions into sets of positions, merges those of one attribute, and stores equal nodes
/// once.
struct FilterGraphBuilder: ~Copyable {
  var reader: FilterReader
  /// The number of the first filter that was read.
  let firstFilter: UInt32

  private(set) var lines: [ValueLine] = []
  /// The positions of all constants, and their texts.
  private var constantPositions: [UInt32] = []
  private(set) var texts: [Slot] = []
  private(set) var nodes = GraphNodeTable()
  /// The node of each condition.
  private(set) var conditionNodes: [Operand] = []
  /// The node of each filter.
  private(set) var roots: [UInt32] = []
  /// The operands that no operator has taken yet.
  private var stack: [Operand] = []
  private var operands: [Operand] = []
  private var children: [UInt32] = []
  private var runs: [ClosedRange<UInt32>] = []
  private var positions = MutablePositionSet()

  /// A node, with its attribute if it is a set of positions, to join sets of one attribute without
  /// looking them up.
  struct Operand: BitwiseCopyable, Comparable {
    let node: UInt32
    /// The attribute of a set of positions; `.max` for other nodes.
    var attribute = UInt32.max

    var isSet: Bool { attribute != .max }

    static func < (a: Operand, b: Operand) -> Bool {
      a.attribute == b.attribute ? a.node < b.node : a.attribute < b.attribute
    }
  }

  /// The maximum number of children; nodes with more are split, because they count in a byte.
  private static let maximumChildren = 100

  init(_ reader: consuming FilterReader, firstFilter: UInt32) {
    self.reader = reader
    self.firstFilter = firstFilter
    orderConstants()
    conditionNodes.reserveCapacity(self.reader.conditions.count)
    for condition in 0..<self.reader.conditions.count {
      conditionNodes.append(node(ofCondition: UInt32(truncatingIfNeeded: condition)))
    }
    roots.reserveCapacity(self.reader.ends.count)
    var start = 0
    for filter in self.reader.ends.indices {
      let end = self.reader.ends[filter]
      for position in start..<end { evaluate(self.reader.code[position]) }
      roots.append(stack.popLast()?.node ?? GraphNodeTable.falseNode)
      start = end
    }
  }

  // MARK: Constants

  private mutating func orderConstants() {
    let count = reader.constants.count
    var numbers = [[(Double, Int)]](repeating: [], count: reader.references.count)
    var words = [[(Slot, Int)]](repeating: [], count: reader.references.count)
    constantPositions = [UInt32](repeating: 0, count: count)
    texts = [Slot](repeating: .null, count: count)
    for constant in 0..<count {
      let row = reader.constants[UInt32(truncatingIfNeeded: constant)]
      let attribute = Int(row[0] >> 1)
      if row[0] & 1 == 0 {
        let bits = UInt64(row[1]) | UInt64(row[2]) << 32
        numbers[attribute].append((Double(bitPattern: bits), constant))
      } else {
        let bytes = UnsafeRawBufferPointer(
          rebasing: UnsafeRawBufferPointer(row)[8..<(8 + Int(row[1]))])
        let text = bytes.withMemoryRebound(to: UInt8.self) { reader.arena.copy($0, as: .string) }
        texts[constant] = text ?? .null
        words[attribute].append((texts[constant], constant))
      }
    }
    for attribute in reader.references.indices {
      numbers[attribute].sort { $0.0 < $1.0 }
      words[attribute].sort { Slot.byteOrder($0.0, $1.0) < 0 }
      let line = ValueLine(
        numbers: reader.arena.copyRow(numbers[attribute].map { $0.0 }),
        texts: reader.arena.copyRow(words[attribute].map { $0.0 }))
      for (rank, (_, constant)) in numbers[attribute].enumerated() {
        constantPositions[constant] =
          ValueLine.firstNumber &+ 2 &* UInt32(truncatingIfNeeded: rank) &+ 1
      }
      for (rank, (_, constant)) in words[attribute].enumerated() {
        constantPositions[constant] =
          line.firstText &+ 2 &* UInt32(truncatingIfNeeded: rank) &+ 1
      }
      lines.append(line)
    }
  }

  private mutating func node(ofCondition number: UInt32) -> Operand {
    let condition = reader.conditions[number]
    guard case .positions(let symbolic) = condition.claim else {
      return Operand(node: nodes.number(ofTest: number))
    }
    let line = lines[Int(condition.attribute)]
    resolve(symbolic, on: line)
    positions.removeAll()
    if condition.holdsForMissing { positions.append(ValueLine.missing...ValueLine.missing) }
    if condition.isNegated {
      positions.append(complementOf: runs, in: ValueLine.null..<line.count)
    } else {
      for run in runs { positions.append(run) }
    }
    return set(of: condition.attribute)
  }

  /// Replaces ``runs`` by positions on a line, in ascending order.
  private mutating func resolve(_ symbolic: [SymbolicRun], on line: ValueLine) {
    runs.removeAll(keepingCapacity: true)
    for run in symbolic {
      let first = run.first.resolved(on: line, constantPositions)
      let last = run.last.resolved(on: line, constantPositions)
      if first <= last { runs.append(first...last) }
    }
    runs.sort { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
  }

  /// Returns the node of ``positions``.
  private mutating func set(of attribute: UInt32) -> Operand {
    let node = nodes.number(of: positions, attribute: attribute)
    return node == GraphNodeTable.falseNode
      ? Operand(node: node) : Operand(node: node, attribute: attribute)
  }

  // MARK: Formulas

  private mutating func evaluate(_ word: FormulaWord) {
    switch word.step {
    case .condition(let condition): stack.append(conditionNodes[Int(condition)])
    case .unknown: stack.append(Operand(node: GraphNodeTable.trueNode))
    case .and(let count): stack.append(combine(count, isAnd: true))
    case .or(let count): stack.append(combine(count, isAnd: false))
    }
  }

  /// Takes operands from the stack, and returns the node that is true if all of them are, or any.
  private mutating func combine(_ count: Int, isAnd: Bool) -> Operand {
    operands.removeAll(keepingCapacity: true)
    operands.append(contentsOf: stack.suffix(count))
    stack.removeLast(count)
    let neutral = isAnd ? GraphNodeTable.trueNode : GraphNodeTable.falseNode
    let deciding = isAnd ? GraphNodeTable.falseNode : GraphNodeTable.trueNode
    // Sets of positions come first, sorted by attribute; everything else comes last.
    operands.sort()
    children.removeAll(keepingCapacity: true)
    var last = Operand(node: neutral)
    var previous: Operand?
    for operand in operands where operand.node != neutral && operand != previous {
      if operand.node == deciding { return operand }
      previous = operand
      if operand.isSet, operand.attribute == last.attribute {
        last = join(last, operand, isAnd: isAnd)
        if last.node == deciding { return last }
        children[children.count &- 1] = last.node
      } else {
        last = operand
        children.append(last.node)
      }
    }
    return children.count > 1 ? Operand(node: inner(isAnd: isAnd)) : last
  }

  /// Returns the node of two sets of positions of one attribute: their intersection or union.
  private mutating func join(_ a: Operand, _ b: Operand, isAnd: Bool) -> Operand {
    positions.removeAll()
    let (one, other) = (nodes.positions(of: a.node), nodes.positions(of: b.node))
    if isAnd {
      positions.append(intersectionOf: one, other)
    } else {
      positions.append(unionOf: one, other)
    }
    return set(of: a.attribute)
  }

  /// Returns the inner node of ``children``, with nodes between if there are too many.
  private mutating func inner(isAnd: Bool) -> UInt32 {
    children.sort()
    while children.count > Self.maximumChildren {
      children = stride(from: 0, to: children.count, by: Self.maximumChildren).map { start in
        let part = children[start..<min(start + Self.maximumChildren, children.count)]
        return part.count == 1
          ? children[start] : nodes.number(ofOperands: part, isAnd: isAnd)
      }
    }
    return nodes.number(ofOperands: children[...], isAnd: isAnd)
  }
}

extension Arena {
  /// Copies elements into the arena, which must have no limit.
  mutating func copyRow<Element: BitwiseCopyable>(
    _ elements: [Element]
  ) -> UnsafeBufferPointer<Element> {
    let size = max(elements.count, 1) &* MemoryLayout<Element>.stride
    // The arenas of graphs and of their readers have none.
    guard let memory = allocate(size) else { preconditionFailure("the arena has a limit") }
    let row = memory.bindMemory(to: Element.self, capacity: max(elements.count, 1))
    elements.withUnsafeBufferPointer { source in
      if let address = source.baseAddress { row.initialize(from: address, count: source.count) }
    }
    return UnsafeBufferPointer(start: row, count: elements.count)
  }
}
