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
    return follow(decisions, roots)
  }

  /// Goes from decision to decision until there is an outcome.
  ///
  /// - Parameters:
  ///   - decisions: The graph of specialized code.
  ///   - roots: The tables of a context of the shapes that the code was made for.
  @inline(never)
  static func follow(
    _ decisions: UnsafePointer<Decision>, _ roots: UnsafePointer<UInt>
  ) -> Decision.Branch {
    var decision = decisions
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
      case .stringAtLeast:
        holds = Slot.byteOrder(value(decision, roots), decision.pointee.constant) >= 0
      case .stringAbove:
        holds = Slot.byteOrder(value(decision, roots), decision.pointee.constant) > 0
      case .stringInSet: holds = isMember(value(decision, roots), ofSet: decision.pointee.constant)
      case .stringInList:
        holds = isMember(value(decision, roots), ofList: decision.pointee.constant)
      case .doubleEqual:
        holds = value(decision, roots).doubleValue == decision.pointee.constant.doubleValue
      case .doubleAtLeast:
        holds = value(decision, roots).doubleValue >= decision.pointee.constant.doubleValue
      case .doubleAbove:
        holds = value(decision, roots).doubleValue > decision.pointee.constant.doubleValue
      case .stringHasPrefix: holds = value(decision, roots).hasPrefix(decision.pointee.constant)
      case .stringHasSuffix: holds = value(decision, roots).hasSuffix(decision.pointee.constant)
      case .stringContains:
        holds = decision.pointee.constant.occurs(in: value(decision, roots))
      case .lengthEqual:
        holds = Int64(value(decision, roots).aux) == decision.pointee.constant.intValue
      case .lengthAtLeast:
        holds = Int64(value(decision, roots).aux) >= decision.pointee.constant.intValue
      case .lengthAbove:
        holds = Int64(value(decision, roots).aux) > decision.pointee.constant.intValue
      case .listHasString:
        holds = isMember(decision.pointee.constant, ofList: value(decision, roots))
      case .truthy: holds = value(decision, roots).isTruthy
      case .stringMatches:
        guard let matches = matches(decision.pointee, roots) else { return .givenUp }
        holds = matches
      case .listCounts:
        guard let counts = counts(decision.pointee, roots) else { return .givenUp }
        holds = counts
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

  @inline(never)
  private static func matches(_ decision: Decision, _ roots: UnsafePointer<UInt>) -> Bool? {
    // The program, which the caller keeps alive, keeps its patterns alive.
    Unmanaged<CompiledRegex>.fromOpaque(decision.constant.address)._withUnsafeGuaranteedRef {
      $0.decide(decision.value(roots).pointee.byteBuffer)
    }
  }

  @inline(never)
  private static func counts(_ decision: Decision, _ roots: UnsafePointer<UInt>) -> Bool? {
    let question = ListQuestion(decision.constant)
    let list = decision.value(roots).pointee
    let elements = Slot(.iterator, list.word0, aux: list.aux, extra: 1)
    let result = scan(elements, question.operand, question.bound)
    return result.isGivenUp ? nil : question.accepts(result)
  }
}
