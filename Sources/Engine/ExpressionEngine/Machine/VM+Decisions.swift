// The fast path through a filter: no registers, no instructions, only tests (``DecisionGraph``).

extension VM {
  /// Follows the decisions until there is an outcome.
  ///
  /// - Parameters:
  ///   - header: A program, kept alive by the caller.
  ///   - decisions: The decisions of its graph.
  ///   - rows: The rows of a context (``ContextStorage/roots``), followed by the element's within a
  ///     loop.
  ///   - start: The first decision.
  /// - Returns: The outcome, marked if a skipped operand may have failed.
  @inline(never)
  static func follow(
    _ header: UnsafePointer<ProgramHeader>, _ decisions: UnsafePointer<Decision>,
    _ rows: UnsafePointer<UInt>, from start: Decision.Branch
  ) -> Decision.Branch {
    var branch = start
    var skipped = start.rawValue
    // The current value of a computation.
    var accumulator = Slot.null
    while !branch.isOutcome {
      let decision = decisions + branch.number
      let row = LayerRow(address: rows[Int(decision.pointee.root)])
      let number = decision.pointee.number
      let value =
        _fastPath(UInt(number) < row.count)
        ? row.values[Int(number)] : lookUp(decision, header, row)
      let constant = decision.pointee.constant
      let holds: Bool
      switch decision.pointee.test {
      case .intEqual where value.isInt: holds = value.word0 == constant.word0
      case .intAtLeast where value.isInt: holds = value.intValue >= constant.intValue
      case .intAbove where value.isInt: holds = value.intValue > constant.intValue
      case .shortStringEqual where value.isA(.string):
        holds = value.word1 == constant.word1 && value.textWord == constant.word0
      case .stringEqual where value.isA(.string): holds = sameText(value, constant)
      case .stringAtLeast where value.isA(.string):
        holds = Slot.byteOrder(value, constant) >= 0
      case .stringAbove where value.isA(.string): holds = Slot.byteOrder(value, constant) > 0
      case .boolEqual where value.isA(.bool): holds = value.word0 == constant.word0
      case .inWordSet where value.isShortText:
        holds = isMember(value.textWord, value.word1, decisions, constant)
      case .inWordSet where value.isInt:
        holds = isMember(value.word0, value.word1, decisions, constant)
      case .hasPrefix where value.isA(.string): holds = value.hasPrefix(constant)
      case .hasSuffix where value.isA(.string): holds = value.hasSuffix(constant)
      case .truthy where !value.isA(.error): holds = value.isTruthy
      case .present where !value.isA(.error): holds = true
      case .has where value.isA(.list) && constant.isA(.string):
        holds = isMember(constant, ofList: value)
      case .contains where value.isA(.string): holds = constant.occurs(in: value)
      case .matches where value.isA(.string):
        guard let matches = matches(constant, value) else { return .bailout }
        holds = matches
      case .count where value.isA(.list):
        holds = mask(decision).accepts(intOrder(.int(Int64(value.aux)), constant))
      case .readingsEqual where value.isA(.string):
        // A string can equal only the first alternative, which is the string.
        holds = sameText(value, constant.elements[0])
      case .doubleEqual where value.isA(.double):
        holds = value.doubleValue == constant.doubleValue
      case .doubleAtLeast where value.isA(.double) && !value.doubleValue.isNaN:
        holds = value.doubleValue >= constant.doubleValue
      case .doubleAbove where value.isA(.double) && !value.doubleValue.isNaN:
        holds = value.doubleValue > constant.doubleValue
      case .load where !value.isA(.error):
        accumulator = value
        holds = true
      case .loadProduct where value.isInt:
        let (product, overflow) = value.intValue.multipliedReportingOverflow(by: constant.intValue)
        accumulator = .int(product)
        if overflow {
          branch = .bailout
          continue
        }
        holds = true
      case .result where accumulator.isInt && constant.isInt:
        holds = mask(decision).accepts(intOrder(accumulator, constant))
      case .result where accumulator.isInt && constant.isA(.double) && !constant.doubleValue.isNaN:
        holds = mask(decision).accepts(doubleOrder(accumulator, constant.doubleValue))
      case .resultValue where accumulator.isInt && value.isInt:
        holds = mask(decision).accepts(intOrder(accumulator, value))
      case .addProduct, .subtractProduct, .apply:
        guard let result = compute(decision, accumulator, value, header) else {
          branch = value.isA(.error) ? missing(decision, value, header, rows) : .bailout
          skipped |= branch.rawValue
          continue
        }
        accumulator = result
        holds = true
      case .range where value.isA(.list):
        guard let answer = count(decision, value, &accumulator) else { return .bailout }
        holds = answer
      case .loop where value.isA(.list):
        guard let answer = loop(decision, value, header, decisions, rows, &accumulator) else {
          return .bailout
        }
        holds = answer
      default:
        branch = general(decision, value, accumulator, header, rows)
        skipped |= branch.rawValue
        continue
      }
      // Branches rather than computing with the result: a predicted branch lets the processor run
      // ahead of the comparison.
      if _fastPath(holds) {
        branch = decision.pointee.ifTrue
      } else {
        branch = decision.pointee.ifFalse
      }
      skipped |= branch.rawValue
    }
    return Decision.Branch(
      rawValue: branch.outcome.rawValue | skipped & Decision.Branch.skipBit)
  }

  @inline(__always)
  private static func mask(_ decision: UnsafePointer<Decision>) -> ComparisonMask {
    Decision.Detail(rawValue: decision.pointee.detail).mask
  }

  /// Looks a value up by its name.
  @inline(never)
  static func lookUp(
    _ decision: UnsafePointer<Decision>, _ header: UnsafePointer<ProgramHeader>, _ row: LayerRow
  ) -> Slot {
    lookUp(
      header.pointee.attributes + Int(decision.pointee.attribute), decision.pointee.number, row)
  }

  static func lookUp(
    _ reference: UnsafePointer<AttributeReference>, _ number: UInt16, _ row: LayerRow
  ) -> Slot {
    if UInt(number) < row.known { return .absent }
    guard let table = row.table else {
      return reference.pointee.rootIsOptional ? .absent : .undeclared
    }
    return table.find(hash: reference.pointee.hash, string: reference.pointee.name)?.pointee
      ?? .absent
  }

  /// Returns whether a value is in a ``WordSet`` of the graph.
  @inline(__always)
  private static func isMember(
    _ word: UInt64, _ word1: UInt64, _ decisions: UnsafePointer<Decision>, _ set: Slot
  ) -> Bool {
    WordSet.contains(word, word1, sideData(decisions, set), set.word1)
  }

  @inline(__always)
  private static func sideData(
    _ decisions: UnsafePointer<Decision>, _ constant: Slot
  ) -> UnsafeRawPointer {
    UnsafeRawPointer(decisions) + Int(truncatingIfNeeded: constant.word0)
  }

  /// Returns whether a string is an element of a list. A string equals only strings.
  @inline(__always)
  private static func isMember(_ string: Slot, ofList list: Slot) -> Bool {
    let count = Int(list.aux)
    let elements = list.address.assumingMemoryBound(to: Slot.self)
    var index = 0
    if string.isShortText {
      let word = string.textWord
      while index < count {
        if elements[index].word1 == string.word1, elements[index].textWord == word { return true }
        index &+= 1
      }
      return false
    }
    while index < count {
      if sameText(elements[index], string) { return true }
      index &+= 1
    }
    return false
  }

  // MARK: Values of other kinds

  /// Returns the target of a missing value.
  private static func missing(
    _ decision: UnsafePointer<Decision>, _ value: Slot, _ header: UnsafePointer<ProgramHeader>,
    _ rows: UnsafePointer<UInt>
  ) -> Decision.Branch {
    // An absent root may be a variable that is not a map; a missing attribute may be a variable
    // with a dotted name.
    guard value.word0 == Slot.absent.word0 else { return .bailout }
    if header.pointee.rules.contains(.dottedVariables) {
      let root = Int(decision.pointee.root)
      let others = root - root % ContextStorage.rootCount + Root.other.index
      guard LayerRow(address: rows[others]).table == nil else { return .bailout }
    }
    return decision.pointee.ifMissing
  }

  /// Tests a value that is missing, or of a kind other than the constant suggests, as the machine
  /// does.
  @inline(never)
  private static func general(
    _ decision: UnsafePointer<Decision>, _ value: Slot, _ accumulator: Slot,
    _ header: UnsafePointer<ProgramHeader>, _ rows: UnsafePointer<UInt>
  ) -> Decision.Branch {
    if value.isA(.error) { return missing(decision, value, header, rows) }
    let test = decision.pointee.test
    let constant = decision.pointee.constant
    let detail = Decision.Detail(rawValue: decision.pointee.detail)
    var machine = Machine(header)
    let result: Slot
    switch test {
    case .intEqual, .intAtLeast, .intAbove, .doubleEqual, .doubleAtLeast, .doubleAbove, .boolEqual,
      .stringEqual, .stringAtLeast, .stringAbove, .compare:
      result = machine.compare(detail.mask, value, constant)
    // The value is not a string.
    case .shortStringEqual: result = .bool(detail.mask == .notEqual)
    case .readingsEqual: result = machine.compareReadings(detail.mask, value, constant)
    case .inWordSet:
      // The collection precedes the entries.
      guard let decisions = header.pointee.graph?.decisions else { return .bailout }
      let entries = sideData(decisions, constant)
      result = membership(
        value, (entries - MemoryLayout<Slot>.stride).load(as: Slot.self), &machine)
    case .inCollection: result = membership(value, constant, &machine)
    case .has: result = machine.membership(constant, in: value)
    case .contains:
      guard !header.pointee.rules.contains(.dottedVariables) else {
        return decision.pointee.ifFailed
      }
      result = machine.superscriptContains(value, constant)
    case .hasPrefix, .hasSuffix, .matches: return decision.pointee.ifFailed
    case .count:
      let isCounted =
        value.isA(.list) || value.isA(.map)
        || value.isA(.string) && !header.pointee.rules.contains(.dottedVariables)
      guard isCounted else { return .bailout }
      result = .bool(detail.mask.accepts(intOrder(.int(Int64(value.aux)), constant)))
    case .result: result = machine.compare(detail.mask, accumulator, constant)
    case .resultValue: result = machine.compare(detail.mask, accumulator, value)
    default: return .bailout
    }
    if result.isA(.error) { return decision.pointee.ifFailed }
    return result.boolValue != detail.isNegated
      ? decision.pointee.ifTrue : decision.pointee.ifFalse
  }

  private static func membership(
    _ value: Slot, _ collection: Slot, _ machine: inout Machine
  ) -> Slot {
    collection.isA(.list)
      ? machine.membership(value, in: collection) : .bool(value.isMember(ofSet: collection))
  }

  @inline(never)
  private static func matches(_ pattern: Slot, _ text: Slot) -> Bool? {
    // The program, which the caller keeps alive, keeps its patterns alive.
    Unmanaged<CompiledRegex>.fromOpaque(pattern.address)._withUnsafeGuaranteedRef {
      $0.decide(text.byteBuffer)
    }
  }

  // MARK: Computations

  /// Returns the accumulator after a step, or `nil` if the machine has to decide.
  @inline(__always)
  private static func compute(
    _ decision: UnsafePointer<Decision>, _ accumulator: Slot, _ value: Slot,
    _ header: UnsafePointer<ProgramHeader>
  ) -> Slot? {
    let constant = decision.pointee.constant
    guard accumulator.isInt, constant.isInt else {
      return computeOther(decision, accumulator, value, header)
    }
    switch decision.pointee.test {
    case .addProduct where value.isInt:
      let (product, isTooLarge) = value.intValue.multipliedReportingOverflow(by: constant.intValue)
      let (sum, overflow) = accumulator.intValue.addingReportingOverflow(product)
      return isTooLarge || overflow ? nil : .int(sum)
    case .subtractProduct where value.isInt:
      let (product, isTooLarge) = value.intValue.multipliedReportingOverflow(by: constant.intValue)
      let (difference, overflow) = accumulator.intValue.subtractingReportingOverflow(product)
      return isTooLarge || overflow ? nil : .int(difference)
    case .apply:
      guard let op = ArithmeticOperator(rawValue: decision.pointee.detail) else { return nil }
      let (result, overflow) = op.reportingOverflow(accumulator.intValue, constant.intValue)
      return overflow ? nil : .int(result)
    default: return computeOther(decision, accumulator, value, header)
    }
  }

  /// Computes a step on doubles, or on an int and a double.
  @inline(never)
  private static func computeOther(
    _ decision: UnsafePointer<Decision>, _ accumulator: Slot, _ value: Slot,
    _ header: UnsafePointer<ProgramHeader>
  ) -> Slot? {
    var machine = Machine(header)
    var operand = decision.pointee.constant
    var op = ArithmeticOperator(rawValue: decision.pointee.detail) ?? .add
    if decision.pointee.test != .apply {
      guard value.isNumber else { return nil }
      op = decision.pointee.test == .addProduct ? .add : .subtract
      // A factor of one is skipped, because it would not have to fit the value's kind.
      operand = operand.intValue == 1 ? value : machine.arithmetic(.multiply, value, operand)
    }
    guard accumulator.isNumber, operand.isNumber else { return nil }
    let result = machine.arithmetic(op, accumulator, operand)
    return result.isNumber ? result : nil
  }
}

extension Slot {
  /// A marker for an attribute of an absent root.
  static let undeclared = Slot(.error, 1)
}
