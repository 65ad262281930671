import Synchronization

// Most filters compare attributes with constants and do nothing else. Specialized for the shapes of
// their contexts, they cannot fail, and run here: a loop so small that all of its state stays in
// processor registers, without scratch memory, budgets or failures to prepare.

extension VM {
  /// The newest specialized code of a program, if it is plain and for the shapes of this context.
  @inline(__always)
  static func plainCode(
    _ header: UnsafePointer<ProgramHeader>, _ context: ContextStorage
  ) -> UnsafePointer<Instruction>? {
    let newest = header.pointee.specialized.pointee.load(ordering: .acquiring)
    guard let entry = UnsafePointer<SpecializedCode>(bitPattern: newest),
      entry.pointee.isPlain, entry.pointee.shapes == context.roots[header.pointee.shapesIndex]
    else { return nil }
    return UnsafePointer(entry.pointee.code)
  }

  /// Runs plain specialized code.
  ///
  /// - Parameters:
  ///   - code: Code for which ``SpecializedCode/isPlain`` holds.
  ///   - constants: The program's constants.
  ///   - roots: The tables of a context of the shapes that the code was made for.
  @inline(__always)
  static func runPlaced(
    _ code: UnsafePointer<Instruction>, _ constants: UnsafePointer<Slot>,
    _ roots: UnsafePointer<UInt>
  ) -> Slot {
    withUnsafeTemporaryAllocation(of: Slot.self, capacity: smallFrame) { frame in
      placedLoop(code, constants, roots, frame.baseAddress.unsafelyUnwrapped)
    }
  }

  @inline(never)
  private static func placedLoop(
    _ code: UnsafePointer<Instruction>, _ constants: UnsafePointer<Slot>,
    _ roots: UnsafePointer<UInt>, _ frame: UnsafeMutablePointer<Slot>
  ) -> Slot {
    var next = code
    while true {
      let instruction = next.pointee
      next += 1
      let order: Int
      switch instruction.opcode {
      case .comparePlaceInt:
        order = intOrder(value(instruction, roots).pointee, constants[instruction.c])
      case .comparePlaceString:
        order = sameText(value(instruction, roots).pointee, constants[instruction.c]) ? 0 : 1
      case .comparePlaceBool:
        order = value(instruction, roots).pointee.word0 == constants[instruction.c].word0 ? 0 : 1
      case .orderPlaceString:
        order = Slot.byteOrder(value(instruction, roots).pointee, constants[instruction.c])
      case .comparePlaceReadings:
        let text = constants[instruction.c].elements[0]
        order = sameText(value(instruction, roots).pointee, text) ? 0 : 1
      case .comparePlaceDouble:
        order = doubleOrder(value(instruction, roots).pointee, constants[instruction.c])
      case .placeInSet:
        let slot = value(instruction, roots).pointee
        order = isMember(slot, ofSet: constants[instruction.c]) ? 0 : 1
      case .placeInList:
        let slot = value(instruction, roots).pointee
        order = isMember(slot, ofList: constants[instruction.c]) ? 0 : 1
      case .setBool:
        order = instruction.wide == 1 ? 0 : 1
      case .returnValue:
        return frame[instruction.a]
      case .jump:
        next = code + instruction.wide
        continue
      case .jumpIfTrue:
        if frame[instruction.a].isTruthy { next = code + instruction.wide }
        continue
      case .jumpIfFalse:
        if !frame[instruction.a].isTruthy { next = code + instruction.wide }
        continue
      case .jumpIfExactlyTrue:
        if frame[instruction.a].isTrue { next = code + instruction.wide }
        continue
      case .jumpIfExactlyFalse:
        if frame[instruction.a].isFalse { next = code + instruction.wide }
        continue
      case .reraise, .settle:
        // Nothing fails here, so that there is no failure to raise again.
        continue
      case .loadPlace:
        frame[instruction.a] = value(instruction, roots).pointee
        continue
      case .loadConstant:
        frame[instruction.a] = constants[instruction.wide]
        continue
      case .move:
        frame[instruction.a] = frame[instruction.b]
        continue
      case .conjoin:
        if !frame[instruction.b].isTruthy { frame[instruction.a] = .bool(false) }
        continue
      case .truth:
        frame[instruction.a] = .bool(frame[instruction.b].isTruthy)
        continue
      default:
        // `loadNull`; plain code has no other instruction.
        frame[instruction.a] = .null
        continue
      }
      if !storePlaced(order, instruction, frame) {
        next += PlacedComparison(rawValue: instruction.x).skip
      }
    }
  }

  // MARK: Comparisons that cannot fail

  /// The order of a double and a number, neither of them NaN.
  @inline(__always)
  static func doubleOrder(_ double: Slot, _ number: Slot) -> Int {
    let left = double.doubleValue
    let right = number.asDouble
    return (left > right ? 1 : 0) &- (left < right ? 1 : 0)
  }

  /// Whether a string is a key of a constant set.
  @inline(__always)
  static func isMember(_ string: Slot, ofSet set: Slot) -> Bool {
    set.table.find(hash: KeyHash.of(string), string: string) != nil
  }

  /// Whether a string is an element of a constant list.
  @inline(__always)
  static func isMember(_ string: Slot, ofList list: Slot) -> Bool {
    for element in list.elements where sameText(element, string) { return true }
    return false
  }
}
