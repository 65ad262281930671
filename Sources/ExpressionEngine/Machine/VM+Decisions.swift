import Synchronization

// The shortest way through a filter: no registers, no instructions, only questions.

extension VM {
  /// The outcome of a filter, if its newest specialized code is for the shapes of this context and has a
  /// graph of decisions; `nil` if another way must be taken.
  @inline(__always)
  static func decide(
    _ header: UnsafePointer<ProgramHeader>, _ roots: UnsafePointer<UInt>
  ) -> Decision.Branch? {
    let newest = header.pointee.specialized.pointee.load(ordering: .acquiring)
    guard let entry = UnsafePointer<SpecializedCode>(bitPattern: newest),
      entry.pointee.shapes == roots[header.pointee.shapesIndex],
      let decisions = entry.pointee.decisions
    else { return nil }
    return follow(decisions, roots, from: decisions)
  }

  /// Goes from decision to decision until there is an outcome.
  ///
  /// - Parameters:
  ///   - decisions: The graph of specialized code.
  ///   - roots: The tables of a context of the shapes that the code was made for.
  ///   - first: The decision to begin with.
  @inline(__always)
  static func follow(
    _ decisions: UnsafePointer<Decision>, _ roots: UnsafePointer<UInt>,
    from first: UnsafePointer<Decision>
  ) -> Decision.Branch {
    var decision = first
    // The running value of a computation: an int, or the bits of a double.
    var result: Int64 = 0
    while true {
      let holds: Bool
      switch decision.pointee.test {
      case .intEqual:
        holds = value(decision, roots).word0 == decision.pointee.constant.word0
      case .intAtLeast:
        holds = value(decision, roots).intValue >= decision.pointee.constant.intValue
      case .intAbove:
        holds = value(decision, roots).intValue > decision.pointee.constant.intValue
      case .stringEqual: holds = sameText(value(decision, roots), decision.pointee.constant)
      case .shortStringEqual:
        let text = value(decision, roots)
        holds =
          text.word1 == decision.pointee.constant.word1
          && text.textWord == decision.pointee.constant.word0
      case .stringAtLeast:
        holds = Slot.byteOrder(value(decision, roots), decision.pointee.constant) >= 0
      case .stringAbove:
        holds = Slot.byteOrder(value(decision, roots), decision.pointee.constant) > 0
      case .intInSet:
        let int = value(decision, roots)
        holds = isMember(int.word0, int.word1, decisions, decision.pointee.constant)
      case .shortStringInSet:
        let text = value(decision, roots)
        holds =
          text.aux &- 1 < 8
          && isMember(text.textWord, text.word1, decisions, decision.pointee.constant)
      case .doubleEqual:
        holds = value(decision, roots).doubleValue == decision.pointee.constant.doubleValue
      case .doubleAtLeast:
        holds = value(decision, roots).doubleValue >= decision.pointee.constant.doubleValue
      case .doubleAbove:
        holds = value(decision, roots).doubleValue > decision.pointee.constant.doubleValue
      case .stringHasPrefix: holds = value(decision, roots).hasPrefix(decision.pointee.constant)
      case .stringHasSuffix: holds = value(decision, roots).hasSuffix(decision.pointee.constant)
      case .lengthEqual:
        holds = Int64(value(decision, roots).aux) == decision.pointee.constant.intValue
      case .lengthAtLeast:
        holds = Int64(value(decision, roots).aux) >= decision.pointee.constant.intValue
      case .lengthAbove:
        holds = Int64(value(decision, roots).aux) > decision.pointee.constant.intValue
      case .truthy: holds = value(decision, roots).isTruthy
      case .listHasString:
        holds = isMember(decision.pointee.constant, ofList: value(decision, roots))
      case .intLoad:
        let (product, overflow) = product(decision, roots)
        result = product
        holds = !overflow
      case .intAddProduct:
        let (product, overflow) = product(decision, roots)
        let (sum, carry) = result.addingReportingOverflow(product)
        result = sum
        holds = !overflow && !carry
      case .intSubtractProduct:
        let (product, overflow) = product(decision, roots)
        let (difference, borrow) = result.subtractingReportingOverflow(product)
        result = difference
        holds = !overflow && !borrow
      case .resultEqual: holds = result == decision.pointee.constant.intValue
      case .resultAtLeast: holds = result >= decision.pointee.constant.intValue
      case .resultAbove: holds = result > decision.pointee.constant.intValue
      case .intApply:
        guard let applied = apply(decision, result) else { return .givenUp }
        result = applied
        holds = true
      case .doubleOperation:
        result = operate(decision, roots, result)
        holds = true
      case .stringMatches:
        guard let matches = matches(decision, roots) else { return .givenUp }
        holds = matches
      case .listCounts:
        guard let counts = counts(decision, roots) else { return .givenUp }
        holds = counts
      case .listLoop:
        guard let answer = loop(decision, decisions, roots) else { return .givenUp }
        holds = answer
      case .listRange:
        guard let answer = range(decision, decisions, roots) else { return .givenUp }
        holds = answer
      case .doubleResult:
        guard let compares = compares(decision, result) else { return .givenUp }
        holds = compares
      case .stringInSet, .stringInList, .stringContains, .attributesCompare:
        holds = longTest(decision, roots)
      case .always: holds = true
      }
      // Branches rather than computing with the answer: a predicted branch lets the machine run ahead
      // of the comparison.
      let next: Decision.Branch
      if _fastPath(holds) {
        next = decision.pointee.ifTrue
      } else {
        next = decision.pointee.ifFalse
      }
      if next.isOutcome { return next }
      decision = decisions + Int(next.rawValue)
    }
  }

  @inline(__always)
  private static func value(
    _ decision: UnsafePointer<Decision>, _ roots: UnsafePointer<UInt>
  ) -> Slot {
    decision.pointee.value(roots).pointee
  }

  /// An attribute that is an int times the constant, and whether that is too large.
  @inline(__always)
  private static func product(
    _ decision: UnsafePointer<Decision>, _ roots: UnsafePointer<UInt>
  ) -> (partialValue: Int64, overflow: Bool) {
    value(decision, roots).intValue.multipliedReportingOverflow(
      by: decision.pointee.constant.intValue)
  }

  /// Whether a value is in a ``WordSet`` that stands behind the decisions.
  @inline(__always)
  private static func isMember(
    _ word: UInt64, _ word1: UInt64, _ decisions: UnsafePointer<Decision>, _ set: Slot
  ) -> Bool {
    WordSet.contains(
      word, word1, UnsafeRawPointer(decisions) + Int(truncatingIfNeeded: set.word0), set.word1)
  }

  // MARK: Longer tests

  /// The answer to a test that is too long for the loop.
  @inline(never)
  private static func longTest(
    _ decision: UnsafePointer<Decision>, _ roots: UnsafePointer<UInt>
  ) -> Bool {
    let value = value(decision, roots)
    let constant = decision.pointee.constant
    switch decision.pointee.test {
    case .stringInSet: return isMember(value, ofSet: constant)
    case .stringInList: return isMember(value, ofList: constant)
    case .stringContains: return constant.occurs(in: value)
    default:
      let comparison = AttributeComparison(constant)
      let other = comparison.other.value(roots).pointee
      return comparison.mask.accepts(order(value, other, comparison.mask))
    }
  }

  @inline(never)
  private static func matches(
    _ decision: UnsafePointer<Decision>, _ roots: UnsafePointer<UInt>
  ) -> Bool? {
    // The program, which the caller keeps alive, keeps its patterns alive.
    Unmanaged<CompiledRegex>.fromOpaque(decision.pointee.constant.address)._withUnsafeGuaranteedRef
    {
      $0.decide(value(decision, roots).byteBuffer)
    }
  }

  @inline(never)
  private static func counts(
    _ decision: UnsafePointer<Decision>, _ roots: UnsafePointer<UInt>
  ) -> Bool? {
    let question = ListQuestion(decision.pointee.constant)
    let list = value(decision, roots)
    let elements = Slot(.iterator, list.word0, aux: list.aux, extra: 1)
    let result = scan(elements, question.operand, question.bound.pointee)
    return result.isGivenUp ? nil : question.accepts(result)
  }

  /// A loop whose body is a graph: the element at hand has an index behind those of the tables.
  @inline(never)
  private static func loop(
    _ decision: UnsafePointer<Decision>, _ decisions: UnsafePointer<Decision>,
    _ roots: UnsafePointer<UInt>
  ) -> Bool? {
    let list = value(decision, roots)
    let operand = LoopOperand(rawValue: decision.pointee.constant.word1)
    let first = decisions + Int(truncatingIfNeeded: decision.pointee.constant.word0)
    guard list.aux <= longestPlainScan else { return nil }
    let tableCount = Int(Decision.elementRoot)
    return withUnsafeTemporaryAllocation(of: UInt.self, capacity: tableCount + 1) { indexed in
      let places = indexed.baseAddress.unsafelyUnwrapped
      places.initialize(from: roots, count: tableCount)
      var found = 0
      for element in list.elements.indices {
        let address = list.address + element &* MemoryLayout<Slot>.stride
        guard address.load(as: Slot.self).tagByte == operand.kind else { return nil }
        (places + tableCount).initialize(to: UInt(bitPattern: address))
        switch followBody(decisions, places, from: first) {
        case .false: continue
        case .true where operand.counts: found &+= 1
        case .true: return true
        default: return nil
        }
      }
      return operand.counts && operand.accepts(found)
    }
  }

  @inline(never)
  private static func followBody(
    _ decisions: UnsafePointer<Decision>, _ places: UnsafePointer<UInt>,
    from first: UnsafePointer<Decision>
  ) -> Decision.Branch {
    follow(decisions, places, from: first)
  }

  /// A loop that asks for ints in a range, or outside of one.
  @inline(never)
  private static func range(
    _ decision: UnsafePointer<Decision>, _ decisions: UnsafePointer<Decision>,
    _ roots: UnsafePointer<UInt>
  ) -> Bool? {
    let list = value(decision, roots)
    let operand = LoopOperand(rawValue: decision.pointee.constant.word1)
    let bounds =
      (UnsafeRawPointer(decisions) + Int(truncatingIfNeeded: decision.pointee.constant.word0))
      .load(as: Slot.self)
    // One unsigned comparison says whether an int is between two.
    let width = bounds.word1 &- bounds.word0
    let isOutside = operand.isOutside
    guard list.aux <= longestPlainScan else { return nil }
    var found = 0
    if operand.counts {
      for element in list.elements {
        guard element.isInt else { return nil }
        found &+= element.word0 &- bounds.word0 <= width ? 1 : 0
      }
      return operand.accepts(isOutside ? Int(list.aux) &- found : found)
    }
    for element in list.elements {
      guard element.isInt else { return nil }
      if (element.word0 &- bounds.word0 <= width) != isOutside { return true }
    }
    return false
  }

  /// Whether the running double compares as it should; `nil` if it is no number.
  @inline(never)
  private static func compares(_ decision: UnsafePointer<Decision>, _ result: Int64) -> Bool? {
    let number = Double(bitPattern: UInt64(bitPattern: result))
    guard !number.isNaN else { return nil }
    let constant = decision.pointee.constant
    return ComparisonMask(bits: constant.tagByte).accepts(
      doubleOrder(.double(number), .double(constant.doubleValue)))
  }

  /// The order of two values of one kind; of texts only whether they are the same, if that is the question.
  @inline(__always)
  private static func order(_ a: Slot, _ b: Slot, _ mask: ComparisonMask) -> Int {
    switch a.tag {
    case .string:
      mask.isEquality ? (sameText(a, b) ? 0 : 1) : Slot.byteOrder(a, b).signum()
    case .double: a.doubleValue == b.doubleValue ? 0 : 1
    default: intOrder(a, b)
    }
  }

  /// A constant applied to the running int; `nil` where the result is too large.
  @inline(never)
  private static func apply(_ decision: UnsafePointer<Decision>, _ left: Int64) -> Int64? {
    let constant = decision.pointee.constant
    guard let op = ArithmeticOperator(rawValue: constant.tagByte) else { return nil }
    let (result, overflow) = op.reportingOverflow(left, constant.intValue)
    return overflow ? nil : result
  }

  /// The running double after an operation.
  @inline(never)
  private static func operate(
    _ decision: UnsafePointer<Decision>, _ roots: UnsafePointer<UInt>, _ running: Int64
  ) -> Int64 {
    let constant = decision.pointee.constant.doubleValue
    let left = Double(bitPattern: UInt64(bitPattern: running))
    let result =
      switch DoubleOperation(rawValue: decision.pointee.constant.word1) {
      case .load: value(decision, roots).asDouble * constant
      case .addProduct: left + value(decision, roots).asDouble * constant
      case .subtractProduct: left - value(decision, roots).asDouble * constant
      case .add: left + constant
      case .multiply: left * constant
      case .divide: left / constant
      case nil: left
      }
    return Int64(bitPattern: result.bitPattern)
  }
}
