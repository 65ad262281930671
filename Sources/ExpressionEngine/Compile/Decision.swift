/// A node of a decision graph: a test of one attribute that cannot fail, and what follows from it.
///
/// Specialized code that only asks such questions is a graph of them (``DecisionGraph``): which operator
/// joined two questions no longer matters, only what to ask next.
struct Decision {
  /// What is asked. Of a comparison and its opposite only one is here; the other has its branches
  /// swapped.
  enum Test: UInt8 {
    /// Nothing; the first branch is taken.
    case always
    case intEqual
    case intAtLeast
    case intAbove
    case doubleEqual
    case doubleAtLeast
    case doubleAbove
    case stringEqual
    case stringAtLeast
    case stringAbove
    case stringInSet
    case stringInList
    case stringHasPrefix
    case stringHasSuffix
    case stringContains
    /// Whether a string matches the pattern whose reference `constant` holds; it may be given up.
    case stringMatches
    /// How the number of elements or entries compares with an int.
    case lengthEqual
    case lengthAtLeast
    case lengthAbove
    /// Whether a list has a string among its elements.
    case listHasString
    /// Whether as many elements of a list as a ``ListQuestion`` wants are what it wants; it may be given
    /// up.
    case listCounts
    /// Whether the value counts as true.
    case truthy

    /// Whether the test may be given up, so that it must be tried even if nothing depends on its answer:
    /// a machine might fail there.
    var mayBeGivenUp: Bool { self == .stringMatches || self == .listCounts }
  }

  /// Where to go on: the number of a decision, or an outcome.
  struct Branch: Hashable {
    let rawValue: UInt16

    /// The filter is true.
    static let `true` = Branch(rawValue: .max)
    /// The filter is false.
    static let `false` = Branch(rawValue: .max - 1)
    /// The question has no answer here; plain code or a machine finds out.
    static let givenUp = Branch(rawValue: .max - 2)

    static func outcome(_ isTrue: Bool) -> Branch { isTrue ? .true : .false }

    @inline(__always) var isOutcome: Bool { rawValue >= Branch.givenUp.rawValue }
  }

  /// What the attribute is compared with. It borrows memory of the program.
  let constant: Slot
  /// Where the attribute's value stands, in bytes from the start of its table.
  let offset: UInt32
  /// The index of the table in ``ContextStorage/roots``.
  let root: UInt8
  let test: Test
  var ifTrue: Branch
  var ifFalse: Branch

  init(_ test: Test, _ constant: Slot, _ place: Place, ifTrue: Branch, ifFalse: Branch) {
    self.constant = constant
    self.test = test
    offset = UInt32(truncatingIfNeeded: MapTable.valueOffset(place.entry))
    root = UInt8(truncatingIfNeeded: place.root)
    self.ifTrue = ifTrue
    self.ifFalse = ifFalse
  }

  /// The value of the attribute.
  @inline(__always)
  func value(_ roots: UnsafePointer<UInt>) -> UnsafePointer<Slot> {
    // The shapes say that this root has a table with that many entries.
    let base = UnsafeRawPointer(bitPattern: roots[Int(root)]).unsafelyUnwrapped
    return (base + Int(offset)).assumingMemoryBound(to: Slot.self)
  }

  /// Whether two decisions are the same to the last bit.
  func isSame(as other: Decision) -> Bool {
    constant.word0 == other.constant.word0 && constant.word1 == other.constant.word1
      && offset == other.offset && root == other.root && test == other.test
      && ifTrue == other.ifTrue && ifFalse == other.ifFalse
  }
}

/// What ``Decision/Test/listCounts`` asks: a loop over ints, and what its result must be. It takes the
/// place of a constant.
struct ListQuestion {
  /// What every element is compared with.
  let bound: Slot
  let operand: ScanOperand
  /// For a loop that counts: how the count must compare with `count`.
  let countMask: ComparisonMask
  let count: Int32

  init(bound: Slot, operand: ScanOperand, countMask: ComparisonMask = .equal, count: Int32 = 0) {
    self.bound = bound
    self.operand = operand
    self.countMask = countMask
    self.count = count
  }

  @inline(__always)
  init(_ packed: Slot) {
    bound = .int(packed.intValue)
    operand = ScanOperand(rawValue: packed.tagByte)
    countMask = ComparisonMask(bits: UInt8(truncatingIfNeeded: packed.extra))
    count = Int32(bitPattern: packed.aux)
  }

  var packed: Slot {
    Slot(
      word0: bound.word0,
      word1: UInt64(operand.rawValue) | UInt64(countMask.bits) << 16
        | UInt64(UInt32(bitPattern: count)) << 32)
  }

  /// Whether the result of the loop, a bool or a count, is the wanted one.
  @inline(__always)
  func accepts(_ result: Slot) -> Bool {
    result.isInt
      ? countMask.accepts(VM.intOrder(result, .int(Int64(count)))) : result.boolValue
  }
}
