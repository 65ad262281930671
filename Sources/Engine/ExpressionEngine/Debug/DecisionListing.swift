import ExpressionSyntax

// Program ─[DecisionListing]▶ text

extension Filter {
  /// The graph of decisions, one per line with the targets of its outcomes, or `nil` for a filter
  /// that only a machine can run.
  ///
  /// - Complexity: O(size of the program).
  package var decisionListing: String? {
    program.header.pointee.graph.map { DecisionListing(program: program, graph: $0).text }
  }
}

/// Prints a ``DecisionGraph``.
struct DecisionListing {
  let program: Program
  let graph: DecisionGraph

  var text: String {
    var listing = ListingText()
    for number in 0..<Int(graph.count) {
      let decision = graph.decisions[number]
      listing.add(
        Disassembler.address(number), "\(decision.test)", operands(of: decision),
        targets(of: decision))
    }
    let count = Int(graph.count)
    let start = count > 0 && graph.start.number == 0 ? "" : ", start: \(Self.name(graph.start))"
    return "\(count) decision\(count == 1 ? "" : "s")\(start)\n" + listing.text()
  }

  private func targets(of decision: Decision) -> String {
    var words = ["true: \(Self.name(decision.ifTrue))"]
    if decision.ifFalse != decision.ifTrue { words.append("false: \(Self.name(decision.ifFalse))") }
    if decision.attribute != .max { words.append("missing: \(Self.name(decision.ifMissing))") }
    words.append("else: \(Self.name(decision.ifFailed))")
    return words.joined(separator: ", ")
  }

  private static func name(_ branch: Decision.Branch) -> String {
    let name =
      switch branch.outcome {
      case .true: "yes"
      case .false: "no"
      case .noMatch: "no match"
      case .bailout: "machine"
      default: Disassembler.address(branch.number)
      }
    return branch.skips ? name + " (skipping)" : name
  }

  private func operands(of decision: Decision) -> String {
    var words: [String] = []
    if decision.root == Decision.elementRow { words.append("element") }
    if decision.attribute != .max {
      words.append(program.attributes[Int(decision.attribute)].listingName)
    }
    let constant = constant(of: decision)
    if !constant.isEmpty { words.append(constant) }
    return words.joined(separator: " ")
  }

  private func constant(of decision: Decision) -> String {
    let constant = decision.constant
    let mask = Decision.Detail(rawValue: decision.detail).mask.spelling
    switch decision.test {
    case .truthy, .present, .load: return ""
    case .matches: return "a pattern"
    case .shortStringEqual: return Self.literal(ofWord: constant)
    case .inWordSet: return members(of: constant)
    case .compare, .count, .result: return "\(mask) \(constant.listingLiteral)"
    case .resultValue: return mask
    case .loadProduct, .addProduct, .subtractProduct:
      return constant.intValue == 1 ? "" : "* \(constant.listingLiteral)"
    case .apply:
      let name = ArithmeticOperator(rawValue: decision.detail).map { "\($0) " } ?? ""
      return name + constant.listingLiteral
    case .range:
      let loop = Decision.LoopDetail(rawValue: decision.detail)
      return "\(loop.kind) \(loop.isOutside ? "outside" : "in") \(constant.intValue)..."
        + "\(Int64(bitPattern: constant.word1))"
    case .loop:
      let loop = Decision.LoopDetail(rawValue: decision.detail)
      return "\(loop.kind) \(Disassembler.address(Int(constant.word0)))"
    default: return constant.listingLiteral
    }
  }

  /// Returns the members of a ``WordSet``, which does not preserve the order in which they were
  /// written.
  private func members(of set: Slot) -> String {
    let entries = UnsafeBufferPointer(
      start: (UnsafeRawPointer(graph.decisions) + Int(truncatingIfNeeded: set.word0))
        .assumingMemoryBound(to: Slot.self), count: WordSet.entryCount(multiplier: set.word1))
    let members = entries.filter { $0.word1 != 0 }.sorted { $0.intValue < $1.intValue }.map {
      $0.isInt ? $0.listingLiteral : Self.literal(ofWord: $0)
    }
    return "[\(members.joined(separator: ", "))]".cut(to: 40)
  }

  /// Returns the literal of a string whose bytes are stored in place of their address.
  private static func literal(ofWord slot: Slot) -> String {
    withUnsafeBytes(of: slot.word0.littleEndian) {
      Value.string(String(decoding: $0.prefix(Int(slot.aux)), as: UTF8.self)).literal
    }
  }
}
