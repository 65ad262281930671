import Synchronization

// One filter over up to 64 contexts at a time: each instruction is decoded once and executed for all
// of them, and the loads of different contexts do not wait for one another, which matters because
// contexts by the million are not in any cache.

extension VM {
  /// The most contexts of a block: one bit of a word for each.
  static let blockSize = 64

  /// What a row of contexts answers, a bit each.
  typealias Rows = UInt64

  /// Which of up to ``blockSize`` contexts a filter is true for.
  ///
  /// - Parameter context: The context of a row.
  @inline(__always)
  static func matchBlock(
    _ filter: CompiledFilter, _ contexts: UnsafeBufferPointer<Context>
  ) -> Rows {
    withUnsafeTemporaryAllocation(of: UnsafePointer<UInt>.self, capacity: blockSize) { memory in
      let roots = memory.baseAddress.unsafelyUnwrapped
      for row in 0..<contexts.count {
        (roots + row).initialize(to: contexts[row].roots)
      }
      return matchBlock(filter, contexts, roots)
    }
  }

  @inline(never)
  private static func matchBlock(
    _ filter: CompiledFilter, _ contexts: UnsafeBufferPointer<Context>,
    _ roots: UnsafeMutablePointer<UnsafePointer<UInt>>
  ) -> Rows {
    let header = UnsafePointer(filter.program.header)
    let shapesIndex = header.pointee.shapesIndex
    var result: Rows = 0
    var rest: Rows = contexts.count == blockSize ? .max : (1 << Rows(contexts.count)) &- 1
    while rest != 0 {
      let first = rest.trailingZeroBitCount
      let shapes = roots[first][shapesIndex]
      guard let entry = plainEntry(header, shapes), entry.pointee.isForBlocks else {
        // Evaluating it by itself makes code for its shapes, sooner or later.
        if filter.matches(contexts[first]) { result |= 1 << Rows(first) }
        rest &= rest &- 1
        continue
      }
      let alike = select(rest) { roots[$0][shapesIndex] == shapes }
      result |= runBlock(UnsafePointer(entry.pointee.code), header.pointee.constants, roots, alike)
      rest &= ~alike
    }
    return result
  }

  /// The plain specialized code for contexts of certain shapes, if there is any.
  private static func plainEntry(
    _ header: UnsafePointer<ProgramHeader>, _ shapes: UInt
  ) -> UnsafePointer<SpecializedCode>? {
    guard shapes != 0 else { return nil }
    let newest = header.pointee.specialized.pointee.load(ordering: .acquiring)
    guard let known = Program.knownCode(for: shapes, newest: newest) else { return nil }
    return known.pointee.isPlain ? known : nil
  }

  /// The rows of a selection for which something holds.
  @inline(__always)
  private static func select(_ rows: Rows, _ holds: (Int) -> Bool) -> Rows {
    var rest = rows
    var result: Rows = 0
    while rest != 0 {
      let row = rest.trailingZeroBitCount
      rest &= rest &- 1
      result |= (holds(row) ? 1 : 0) << Rows(truncatingIfNeeded: row)
    }
    return result
  }

  /// What block code knows of a register: for which rows it counts as true, and for which it is true.
  private struct Truths {
    var counts: Rows
    var isTrue: Rows
  }

  /// Rows that have jumped and wait for the others to get there.
  private struct Waiting {
    var label: Int
    var rows: Rows
  }

  /// Runs infallible specialized code over rows of contexts of its shapes.
  ///
  /// All rows go through the code together. A jump, which infallible code has only forward ones of, leaves
  /// the rows that take it waiting at its label.
  private static func runBlock(
    _ code: UnsafePointer<Instruction>, _ constants: UnsafePointer<Slot>,
    _ roots: UnsafePointer<UnsafePointer<UInt>>, _ rows: Rows
  ) -> Rows {
    withUnsafeTemporaryAllocation(of: Truths.self, capacity: smallFrame) { frame in
      withUnsafeTemporaryAllocation(of: Waiting.self, capacity: SpecializedCode.maximumBlockJumps) {
        waiting in
        frame.initialize(repeating: Truths(counts: 0, isTrue: 0))
        return blockLoop(
          code, constants, roots, rows, frame.baseAddress.unsafelyUnwrapped,
          waiting.baseAddress.unsafelyUnwrapped)
      }
    }
  }

  private static func blockLoop(
    _ code: UnsafePointer<Instruction>, _ constants: UnsafePointer<Slot>,
    _ roots: UnsafePointer<UnsafePointer<UInt>>, _ rows: Rows,
    _ frame: UnsafeMutablePointer<Truths>, _ waiting: UnsafeMutablePointer<Waiting>
  ) -> Rows {
    var active = rows
    var waitingCount = 0
    var pc = 0
    while true {
      var index = 0
      while index < waitingCount {
        if waiting[index].label <= pc {
          active |= waiting[index].rows
          waitingCount &-= 1
          waiting[index] = waiting[waitingCount]
        } else {
          index &+= 1
        }
      }
      let instruction = code[pc]
      pc &+= 1
      let target = frame + instruction.a
      switch instruction.opcode {
      case .returnValue:
        // Rows that jumped across other instructions wait for this one at the latest.
        return target.pointee.isTrue
      case .jump:
        waiting[waitingCount] = Waiting(label: instruction.wide, rows: active)
        waitingCount &+= 1
        active = 0
        // Nobody is left to go on: the next label is where the next rows wait.
        pc = waiting[0].label
        for index in 1..<waitingCount { pc = min(pc, waiting[index].label) }
      case .jumpIfTrue, .jumpIfFalse, .jumpIfExactlyTrue:
        let leaving: Rows =
          switch instruction.opcode {
          case .jumpIfTrue: active & target.pointee.counts
          case .jumpIfFalse: active & ~target.pointee.counts
          default: active & target.pointee.isTrue
          }
        waiting[waitingCount] = Waiting(label: instruction.wide, rows: leaving)
        waitingCount &+= 1
        active &= ~leaving
      case .loadPlace:
        let counts = select(active) { value(instruction, roots[$0]).pointee.isTruthy }
        set(target, active, counts, select(counts) { value(instruction, roots[$0]).pointee.isTrue })
      case .loadConstant:
        let constant = constants[instruction.wide]
        set(target, active, constant.isTruthy ? .max : 0, constant.isTrue ? .max : 0)
      case .move:
        let source = frame[instruction.b]
        set(target, active, source.counts, source.isTrue)
      case .conjoin:
        let counts = frame[instruction.b].counts | ~active
        target.pointee.counts &= counts
        target.pointee.isTrue &= counts
      case .truth:
        let counts = frame[instruction.b].counts
        set(target, active, counts, counts)
      case .loadNull:
        set(target, active, 0, 0)
      case .reraise, .settle:
        break
      default:
        let x = PlacedComparison(rawValue: instruction.x)
        // A conjunction that is false already stays so.
        let open = x.conjoins ? active & target.pointee.counts : active
        let holds = compare(instruction, x.mask, constants, roots, open)
        set(target, active, holds, holds)
        // With nobody waiting there is nobody to join in within the rest of the conjunction.
        if holds == 0, waitingCount == 0 { pc &+= x.skip }
      }
    }
  }

  @inline(__always)
  private static func set(
    _ target: UnsafeMutablePointer<Truths>, _ rows: Rows, _ counts: Rows, _ isTrue: Rows
  ) {
    target.pointee.counts = (target.pointee.counts & ~rows) | (counts & rows)
    target.pointee.isTrue = (target.pointee.isTrue & ~rows) | (isTrue & rows)
  }

  /// The rows of a selection for which a placed comparison is true.
  @inline(__always)
  private static func compare(
    _ instruction: Instruction, _ mask: ComparisonMask, _ constants: UnsafePointer<Slot>,
    _ roots: UnsafePointer<UnsafePointer<UInt>>, _ rows: Rows
  ) -> Rows {
    if instruction.opcode == .setBool {
      return mask.accepts(instruction.wide == 1 ? 0 : 1) ? rows : 0
    }
    let constant = constants[instruction.c]
    switch instruction.opcode {
    case .comparePlaceInt:
      return select(rows) {
        mask.accepts(intOrder(value(instruction, roots[$0]).pointee, constant))
      }
    case .comparePlaceString, .comparePlaceReadings:
      let text = instruction.opcode == .comparePlaceString ? constant : constant.elements[0]
      return select(rows) {
        mask.accepts(sameText(value(instruction, roots[$0]).pointee, text) ? 0 : 1)
      }
    case .comparePlaceBool:
      return select(rows) {
        mask.accepts(value(instruction, roots[$0]).pointee.word0 == constant.word0 ? 0 : 1)
      }
    case .orderPlaceString:
      return select(rows) {
        mask.accepts(Slot.byteOrder(value(instruction, roots[$0]).pointee, constant))
      }
    case .comparePlaceDouble:
      return select(rows) {
        mask.accepts(doubleOrder(value(instruction, roots[$0]).pointee, constant))
      }
    case .placeInSet:
      return select(rows) {
        mask.accepts(isMember(value(instruction, roots[$0]).pointee, ofSet: constant) ? 0 : 1)
      }
    default:
      return select(rows) {
        mask.accepts(isMember(value(instruction, roots[$0]).pointee, ofList: constant) ? 0 : 1)
      }
    }
  }
}
