import ExpressionSyntax

extension CompiledFilter {
  /// What runs for contexts of the shape of one: the graph of decisions, one question a line with where
  /// to go on, or, if the filter does more than ask questions, the specialized code as ``disassembly``
  /// prints it.
  ///
  /// - Complexity: O(size of the program).
  public func specializedDisassembly(for context: Context) -> String {
    let code = program.specialize(for: context.storage)
    defer { code.deallocate() }
    guard let decisions = DecisionGraph.decisions(of: program, code, context.roots) else {
      return Disassembler(program: program, source: source, code: code).text
    }
    return DecisionListing(decisions, context).text
  }
}

/// Prints a ``DecisionGraph``.
struct DecisionListing {
  private let decisions: [Decision]
  private let context: Context

  init(_ decisions: [Decision], _ context: Context) {
    self.decisions = decisions
    self.context = context
  }

  var text: String {
    var listing = ListingText()
    for (number, decision) in decisions.enumerated() {
      let question = decision.test == .always ? [] : [name(of: decision), operand(of: decision)]
      listing.add(
        Disassembler.address(number), "\(decision.test)",
        question.filter { !$0.isEmpty }.joined(separator: ", "),
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

  /// The path of the attribute, found by its place in the tables of the context.
  private func name(of decision: Decision) -> String {
    let root = Root.allCases[Int(decision.root) % ContextStorage.rootCount]
    guard let base = UnsafeRawPointer(bitPattern: context.roots[Int(decision.root)]) else {
      return root.name
    }
    let table = MapTable(base: base)
    let entry = (0..<table.count).first { MapTable.valueOffset($0) == Int(decision.offset) }
    let key = entry.map { table.key($0).listingLiteral } ?? "?"
    return root == .other ? key : "\(root.name)[\(key)]"
  }

  private func operand(of decision: Decision) -> String {
    switch decision.test {
    case .always, .truthy: return ""
    case .stringMatches: return "a pattern"
    case .stringInSet:
      // A set is a map whose values mean nothing.
      let table = decision.constant.table
      let keys = (0..<table.count).map { table.key($0).listingLiteral }
      return "[\(keys.joined(separator: ", "))]".cut(to: 40)
    case .listCounts:
      let question = ListQuestion(decision.constant)
      let element = "\(question.operand.kind) \(question.operand.mask.spelling) "
      let count =
        question.operand.kind == .count ? " \(question.countMask.spelling) \(question.count)" : ""
      return element + question.bound.listingLiteral + count
    default: return decision.constant.listingLiteral
    }
  }
}
