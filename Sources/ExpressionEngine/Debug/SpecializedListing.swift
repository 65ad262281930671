import ExpressionSyntax

extension CompiledFilter {
  /// What runs for contexts of the shape of one: the graph of decisions, one question or operation a line with
  /// where to go on, or, if the filter does more than that, the specialized code as ``disassembly``
  /// prints it.
  ///
  /// - Complexity: O(size of the program).
  public func specializedDisassembly(for context: Context) -> String {
    let code = program.specialize(for: context.storage)
    defer { code.deallocate() }
    guard let graph = DecisionGraph.decisions(of: program, code, context.roots) else {
      return Disassembler(program: program, source: source, code: code).text
    }
    return DecisionListing(graph, context).text
  }
}

/// Prints a ``DecisionGraph``.
struct DecisionListing {
  private let decisions: [Decision]
  private let behind: [Slot]
  private let context: Context

  init(_ graph: DecisionGraph.Result, _ context: Context) {
    decisions = graph.decisions
    behind = graph.behind
    self.context = context
  }

  var text: String {
    var listing = ListingText()
    for (number, decision) in decisions.enumerated() {
      listing.add(
        Disassembler.address(number), "\(decision.test)",
        operands(of: decision).filter { !$0.isEmpty }.joined(separator: ", "),
        "true: \(target(decision.ifTrue))", "false: \(target(decision.ifFalse))")
    }
    return "\(decisions.count) decision\(decisions.count == 1 ? "" : "s")\n" + listing.text()
  }

  private func target(_ branch: Decision.Branch) -> String {
    switch branch {
    case .true: "yes"
    case .false: "no"
    case .givenUp: "another way"
    default: Disassembler.address(Int(branch.rawValue))
    }
  }

  private func operands(of decision: Decision) -> [String] {
    switch decision.test {
    case .always: []
    case .resultEqual, .resultAtLeast, .resultAbove, .doubleResult, .intApply:
      [operand(of: decision)]
    case .doubleOperation where decision.constant.word1 >= DoubleOperation.add.rawValue:
      [operand(of: decision)]
    default: [name(of: decision.root, decision.offset), operand(of: decision)]
    }
  }

  /// The path of an attribute, found by its place in the tables of the context.
  private func name(of number: UInt8, _ offset: UInt32) -> String {
    if number == Decision.elementRoot { return "element" }
    let root = Root.allCases[Int(number) % ContextStorage.rootCount]
    guard let base = UnsafeRawPointer(bitPattern: context.roots[Int(number)]) else {
      return root.name
    }
    let table = MapTable(base: base)
    let entry = (0..<table.count).first { MapTable.valueOffset($0) == Int(offset) }
    let key = entry.map { table.key($0).listingLiteral } ?? "?"
    return root == .other ? key : "\(root.name)[\(key)]"
  }

  private func operand(of decision: Decision) -> String {
    let constant = decision.constant
    switch decision.test {
    case .always, .truthy: return ""
    case .stringMatches: return "a pattern"
    case .shortStringEqual: return Self.literal(ofWord: constant)
    case .intInSet, .shortStringInSet: return members(of: constant)
    case .stringInSet:
      // A set is a map whose values mean nothing.
      let table = constant.table
      return Self.list((0..<table.count).map { table.key($0).listingLiteral })
    case .listCounts:
      let question = ListQuestion(constant)
      let element = "\(question.operand.kind) \(question.operand.mask.spelling) "
      let count =
        question.operand.kind.counts ? " \(question.countMask.spelling) \(question.count)" : ""
      return element + question.bound.pointee.listingLiteral + count
    case .listLoop:
      return loop(constant, Disassembler.address(Int(constant.word0)))
    case .listRange:
      let bounds = behind[indexBehind(constant)]
      let word = LoopOperand(rawValue: constant.word1).isOutside ? "outside" : "in"
      return loop(constant, "\(word) \(bounds.intValue)...\(Int64(bitPattern: bounds.word1))")
    case .attributesCompare:
      let comparison = AttributeComparison(constant)
      let name = name(
        of: UInt8(truncatingIfNeeded: comparison.other.root),
        UInt32(truncatingIfNeeded: MapTable.valueOffset(comparison.other.entry)))
      return "\(comparison.mask.spelling) \(name)"
    case .intLoad, .intAddProduct, .intSubtractProduct: return "* \(constant.intValue)"
    case .resultEqual, .resultAtLeast, .resultAbove: return "\(constant.intValue)"
    case .intApply:
      let op = ArithmeticOperator(rawValue: constant.tagByte).map { "\($0) " } ?? ""
      return op + "\(constant.intValue)"
    case .doubleOperation:
      let op = DoubleOperation(rawValue: constant.word1).map { "\($0) " } ?? ""
      return op + Slot.double(constant.doubleValue).listingLiteral
    case .doubleResult:
      let mask = ComparisonMask(bits: constant.tagByte)
      return "\(mask.spelling) \(Slot.double(constant.doubleValue).listingLiteral)"
    default: return constant.listingLiteral
    }
  }

  /// The members of a ``WordSet``, which has lost the order in which they were written.
  private func members(of set: Slot) -> String {
    let start = indexBehind(set)
    let entries = behind[start..<(start + WordSet.entryCount(multiplier: set.word1))]
    return Self.list(
      entries.filter { $0.word1 != 0 }.sorted { $0.intValue < $1.intValue }.map {
        $0.isInt ? $0.listingLiteral : Self.literal(ofWord: $0)
      })
  }

  /// Which slot behind the decisions a constant refers to.
  private func indexBehind(_ constant: Slot) -> Int {
    (Int(constant.word0) - decisions.count * MemoryLayout<Decision>.stride)
      / MemoryLayout<Slot>.stride
  }

  /// What a loop wants to find.
  private func loop(_ constant: Slot, _ what: String) -> String {
    let operand = LoopOperand(rawValue: constant.word1)
    return operand.counts
      ? "count \(what) \(operand.mask.spelling) \(operand.number)" : "exists \(what)"
  }

  /// A text whose bytes stand in place of their address.
  private static func literal(ofWord slot: Slot) -> String {
    withUnsafeBytes(of: slot.word0.littleEndian) {
      Value.string(String(decoding: $0.prefix(Int(slot.aux)), as: UTF8.self)).literal
    }
  }

  private static func list(_ members: [String]) -> String {
    "[\(members.joined(separator: ", "))]".cut(to: 40)
  }
}
