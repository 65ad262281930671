/// Builds the graph of a set from the formulas of its filters: sorts every attribute's constants,
/// turns conditions into sets of positions, merges those of one attribute, and stores equal nodes
/// once.
struct FilterGraphBuilder: ~Copyable {
  var reader: FilterReader
  /// The number of the first filter that was read.
  let firstFilter: UInt32

  private(set) var lines: [ValueLine] = []
  /// The positions of all constants, and their texts.
  private var positions: [UInt32] = []
  private(set) var texts: [Slot] = []
  /// The nodes: a ``Kind`` with an attribute or a condition, followed by ranges of positions or
  /// children. Children have smaller numbers than their parents.
  private(set) var nodes = WordInterner()
  /// The node of each condition.
  private(set) var conditionNodes: [Operand] = []
  /// The node of each filter.
  private(set) var roots: [UInt32] = []
  private var row: [UInt32] = []
  private var other: [UInt32] = []
  private var stack: [Operand] = []
  private var operands: [Operand] = []
  private var children: [UInt32] = []

  /// A node with the head of a set, to join sets of one attribute without looking them up.
  struct Operand: BitwiseCopyable, Comparable {
    let node: UInt32
    /// The first word of a node that is a set of positions; `.max` for others.
    let head: UInt32

    var isSet: Bool { head != .max }

    static func < (a: Operand, b: Operand) -> Bool {
      a.head == b.head ? a.node < b.node : a.head < b.head
    }
  }

  /// The upper two bits of a node's first word.
  enum Kind {
    static let set: UInt32 = 0
    static let test: UInt32 = 1 << 30
    static let and: UInt32 = 2 << 30
    static let or: UInt32 = 3 << 30
    static let mask: UInt32 = 3 << 30
  }

  /// The maximum number of children; nodes with more are split, because they count in a byte.
  private static let maximumChildren = 100

  static let falseNode: UInt32 = 0
  static let trueNode: UInt32 = 1

  init(_ reader: consuming FilterReader, firstFilter: UInt32) {
    self.reader = reader
    self.firstFilter = firstFilter
    _ = nodes.number(of: [Kind.or])
    _ = nodes.number(of: [Kind.and])
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
      roots.append(stack.popLast()?.node ?? Self.falseNode)
      start = end
    }
  }

  // MARK: Constants

  private mutating func orderConstants() {
    let count = reader.constants.count
    var numbers = [[(Double, Int)]](repeating: [], count: reader.references.count)
    var words = [[(Slot, Int)]](repeating: [], count: reader.references.count)
    positions = [UInt32](repeating: 0, count: count)
    texts = [Slot](repeating: .null, count: count)
    for constant in 0..<count {
      reader.constants.copy(UInt32(truncatingIfNeeded: constant), into: &row)
      let attribute = Int(row[0] >> 1)
      if row[0] & 1 == 0 {
        let bits = UInt64(row[1]) | UInt64(row[2]) << 32
        numbers[attribute].append((Double(bitPattern: bits), constant))
      } else {
        let text = row.withUnsafeBytes { bytes in
          let text = UnsafeRawBufferPointer(rebasing: bytes[8..<(8 + Int(row[1]))])
          return text.withMemoryRebound(to: UInt8.self) { reader.arena.copy($0, as: .string) }
        }
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
        positions[constant] =
          ValueLine.firstNumber &+ 2 &* UInt32(truncatingIfNeeded: rank) &+ 1
      }
      for (rank, (_, constant)) in words[attribute].enumerated() {
        positions[constant] = line.firstText &+ 2 &* UInt32(truncatingIfNeeded: rank) &+ 1
      }
      lines.append(line)
    }
  }

  private mutating func node(ofCondition condition: UInt32) -> Operand {
    reader.conditions.copy(condition, into: &other)
    let flags = ConditionFlags(rawValue: other[1])
    row.removeAll(keepingCapacity: true)
    if flags.contains(.test) {
      row.append(Kind.test | condition)
      return Operand(node: nodes.number(of: row), head: .max)
    }
    let line = lines[Int(other[0])]
    var ranges: [(UInt32, UInt32)] = []
    for index in stride(from: 2, to: other.count, by: 2) {
      let first = SymbolicPosition.resolve(other[index], on: line, positions)
      let last = SymbolicPosition.resolve(other[index &+ 1], on: line, positions)
      if first <= last { ranges.append((first, last)) }
    }
    ranges.sort { $0 < $1 }
    row.append(Kind.set | other[0])
    if flags.contains(.missing) { row += [ValueLine.missing, ValueLine.missing] }
    if flags.contains(.complement) {
      var next = ValueLine.null
      for (first, last) in ranges {
        if next < first { PositionRuns.append(next, first &- 1, to: &row, from: 1) }
        next = max(next, last &+ 1)
      }
      if next < line.count { PositionRuns.append(next, line.count &- 1, to: &row, from: 1) }
    } else {
      for (first, last) in ranges { PositionRuns.append(first, last, to: &row, from: 1) }
    }
    return row.count == 1
      ? Operand(node: Self.falseNode, head: .max)
      : Operand(node: nodes.number(of: row), head: Kind.set | other[0])
  }

  // MARK: Formulas

  private mutating func evaluate(_ word: FormulaWord) {
    switch word.step {
    case .condition(let condition): stack.append(conditionNodes[Int(condition)])
    case .and(let count):
      takeOperands(count)
      stack.append(combine(isAnd: true))
    case .or(let count):
      takeOperands(count)
      stack.append(combine(isAnd: false))
    }
  }

  private mutating func takeOperands(_ count: Int) {
    operands.removeAll(keepingCapacity: true)
    operands.append(contentsOf: stack[(stack.count &- count)...])
    stack.removeLast(count)
  }

  /// Returns the node that is true if all of ``operands`` are true, or any of them.
  private mutating func combine(isAnd: Bool) -> Operand {
    let (neutral, deciding) =
      isAnd ? (Self.trueNode, Self.falseNode) : (Self.falseNode, Self.trueNode)
    // Sets of positions come first, sorted by attribute; everything else comes last.
    operands.sort()
    children.removeAll(keepingCapacity: true)
    var head = UInt32.max
    var previous: Operand?
    for operand in operands where operand.node != neutral && operand != previous {
      if operand.node == deciding { return Operand(node: deciding, head: .max) }
      if let last = children.last, operand.isSet, operand.head == head {
        let both = join(last, operand.node, isAnd: isAnd)
        if both == deciding { return Operand(node: deciding, head: .max) }
        children[children.count &- 1] = both
      } else {
        children.append(operand.node)
        head = operand.head
      }
      previous = operand
    }
    if children.count == 1, let only = children.first { return Operand(node: only, head: head) }
    children.sort()
    while children.count > Self.maximumChildren {
      children = stride(from: 0, to: children.count, by: Self.maximumChildren).map { start in
        inner(children[start..<min(start + Self.maximumChildren, children.count)], isAnd: isAnd)
      }
    }
    return Operand(node: inner(children[...], isAnd: isAnd), head: .max)
  }

  private mutating func inner(_ children: ArraySlice<UInt32>, isAnd: Bool) -> UInt32 {
    if children.count == 1, let only = children.first { return only }
    row.removeAll(keepingCapacity: true)
    row.append(isAnd ? Kind.and : Kind.or)
    row.append(contentsOf: children)
    return nodes.number(of: row)
  }

  /// Returns the node of the intersection or union of two sets of positions of one attribute.
  private mutating func join(_ a: UInt32, _ b: UInt32, isAnd: Bool) -> UInt32 {
    var row: [UInt32] = []
    swap(&row, &self.row)
    defer { swap(&row, &self.row) }
    row.removeAll(keepingCapacity: true)
    row.append(nodes[nodes.bounds(a).lowerBound])
    nodes.withTails(a, b) { a, b in
      if isAnd {
        PositionRuns.appendIntersection(a, b, to: &row, from: 1)
      } else {
        PositionRuns.appendUnion(a, b, to: &row, from: 1)
      }
    }
    return row.count == 1 ? Self.falseNode : nodes.number(of: row)
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
