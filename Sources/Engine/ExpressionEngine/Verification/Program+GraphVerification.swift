// The graph of decisions: where branches lead, and what tests read.

extension Program {
  /// Checks that every branch leads forward to a decision or an outcome, and that every test finds
  /// its row, its name and a constant of the kind that it reads.
  func verifyGraph() throws(Defect) {
    guard let graph = header.pointee.graph else { return }
    let count = Int(graph.count)
    guard count >= 0, count <= Int(counts.decisions),
      graph.start.isOutcome
        || graph.start.number < count
    else { throw Defect(instruction: 0, description: "the graph starts nowhere") }
    for number in 0..<count { try checkBranches(graph.decisions[number], number, count) }
    let places = try places(graph, count)
    let known = KnownConstants(self)
    for number in 0..<count {
      let decision = graph.decisions[number]
      try checkRow(decision, number, places[number])
      try checkConstant(decision, number, graph, known)
    }
    try checkGuards(graph)
  }

  /// Where a decision is reached from.
  private struct Places: OptionSet {
    let rawValue: UInt8
    static let outside = Places(rawValue: 1)
    static let loop = Places(rawValue: 2)
  }

  private func checkBranches(
    _ decision: Decision, _ number: Int, _ count: Int
  ) throws(Defect) {
    for branch in [decision.ifTrue, decision.ifFalse, decision.ifMissing, decision.ifFailed]
    where !branch.isOutcome {
      guard branch.number > number, branch.number < count else {
        throw Defect(instruction: number, description: "a decision that does not lead forward")
      }
    }
    guard decision.test != .loop || (number + 1..<count).contains(Int(decision.constant.word0))
    else { throw Defect(instruction: number, description: "a loop without decisions") }
  }

  /// Returns whether each decision is reached outside of loops, within one, or both.
  private func places(_ graph: DecisionGraph, _ count: Int) throws(Defect) -> [Places] {
    var result = [Places](repeating: [], count: count)
    if !graph.start.isOutcome { result[graph.start.number] = .outside }
    for number in 0..<count where !result[number].isEmpty {
      let decision = graph.decisions[number]
      for branch in [decision.ifTrue, decision.ifFalse, decision.ifMissing, decision.ifFailed]
      where !branch.isOutcome {
        result[branch.number].formUnion(result[number])
      }
      guard decision.test == .loop else { continue }
      guard result[number] == .outside else {
        throw Defect(instruction: number, description: "a loop in a loop")
      }
      result[Int(decision.constant.word0)].formUnion(.loop)
    }
    return result
  }

  private func checkRow(_ decision: Decision, _ number: Int, _ places: Places) throws(Defect) {
    if decision.root == Decision.elementRow {
      guard places.isSubset(of: .loop), decision.number == 0 else {
        throw Defect(instruction: number, description: "an element outside of a loop")
      }
    } else if Int(decision.root) == ContextStorage.nullRowIndex {
      // Steps that read only the accumulator find null in a row of one value.
      guard decision.number == 0 else {
        throw Defect(instruction: number, description: "no such value")
      }
    } else if Int(decision.root) >= ContextStorage.rowCount
      || decision.attribute >= attributeCount
    {
      throw Defect(instruction: number, description: "no such attribute")
    }
  }

  // MARK: Constants

  private func checkConstant(
    _ decision: Decision, _ number: Int, _ graph: DecisionGraph, _ known: KnownConstants
  ) throws(Defect) {
    let constant = decision.constant
    let isSound =
      switch decision.test {
      case .stringEqual, .stringAtLeast, .stringAbove, .hasPrefix, .hasSuffix, .contains:
        constant.isA(.string) && known.contains(constant)
      // Either a whole text or its bytes, of which only the comparison with others is read.
      case .shortStringEqual: true
      case .readingsEqual:
        constant.isA(.list) && known.contains(constant) && constant.aux > 0
      case .inCollection:
        (constant.isA(.list) || constant.isA(.map)) && known.contains(constant)
      case .inWordSet: isWordSet(constant, graph, known)
      case .matches: known.patterns.contains(constant.word0)
      case .truthy, .present, .load, .resultValue, .range, .loop: true
      default: !constant.borrowsMemory || known.contains(constant)
      }
    guard isSound else {
      throw Defect(instruction: number, description: "a constant of another kind")
    }
  }

  /// Returns whether the entries are in the side data, after their collection.
  private func isWordSet(
    _ set: Slot, _ graph: DecisionGraph, _ known: KnownConstants
  ) -> Bool {
    let stride = MemoryLayout<Slot>.stride
    let start = Int(graph.count) * MemoryLayout<Decision>.stride
    guard let offset = Int(exactly: set.word0), offset >= start + stride,
      (offset - start) % stride == 0, set.word1 & 63 >= 48
    else { return false }
    let end = (offset - start) / stride + WordSet.entryCount(multiplier: set.word1)
    guard end <= Int(counts.sideData) else { return false }
    let collection = (UnsafeRawPointer(graph.decisions) + offset - stride).load(as: Slot.self)
    return (collection.isA(.list) || collection.isA(.map)) && known.contains(collection)
  }

  // MARK: Guards

  private func checkGuards(_ graph: DecisionGraph) throws(Defect) {
    guard graph.guardCount <= Int32(truncatingIfNeeded: counts.guards),
      (0...Int32(truncatingIfNeeded: counts.guardChunks)).contains(graph.chunkCount)
    else { throw Defect(instruction: 0, description: "guards that are not there") }
    for index in 0..<max(Int(graph.guardCount), 0) {
      let entry = graph.guards[index]
      guard Int(entry.root) < ContextStorage.rowCount, entry.attribute < attributeCount else {
        throw Defect(instruction: 0, description: "a guard of no attribute")
      }
    }
    for index in 0..<Int(graph.chunkCount)
    where Int(graph.chunks[index].root) >= ContextStorage.rowCount {
      throw Defect(instruction: 0, description: "a guard of no row")
    }
  }
}

/// What decisions may borrow from their program.
private struct KnownConstants {
  private struct Words: Hashable {
    let word0: UInt64
    let word1: UInt64
  }

  private let constants: Set<Words>
  /// The addresses of the patterns.
  let patterns: Set<UInt64>

  init(_ program: Program) {
    constants = Set(
      (0..<program.constantCount).map {
        Words(word0: program.constants[$0].word0, word1: program.constants[$0].word1)
      })
    patterns = Set(
      program.patterns.map { UInt64(UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque())) })
  }

  func contains(_ slot: Slot) -> Bool {
    constants.contains(Words(word0: slot.word0, word1: slot.word1))
  }
}

extension Slot {
  /// Whether the slot refers to memory.
  fileprivate var borrowsMemory: Bool {
    borrowsMoreThanText || isA(.string) || isA(.bytes)
  }
}
