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
    /// Whether a text is another of one to eight bytes, which `constant` holds in place of an address.
    case shortStringEqual
    case stringAtLeast
    case stringAbove
    /// Whether an int is a member of a ``WordSet``: `constant` says where behind the decisions the entries
    /// stand, and has the multiplier.
    case intInSet
    /// The same for a text.
    case shortStringInSet
    case stringInSet
    case stringInList
    /// How an attribute compares with another of the same kind, as an ``AttributeComparison`` says.
    case attributesCompare
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
    /// Whether elements of a list are true in a graph of their own, as many as a ``LoopOperand`` wants. The
    /// first word of the constant is the number of their first decision. It may be given up.
    case listLoop
    /// The same where an element must be an int in a range. The first word of the constant says where
    /// behind the decisions the bounds stand.
    case listRange
    /// Whether the value counts as true.
    case truthy
    /// Operations of a ``Computation`` on ints. They are true, or given up where the result is too large.
    case intLoad
    case intAddProduct
    case intSubtractProduct
    case intApply
    /// An operation of a ``Computation`` on doubles, by ``DoubleOperation``. It is always true.
    case doubleOperation
    /// How the result of a computation compares with a constant.
    case resultEqual
    case resultAtLeast
    case resultAbove
    /// Whether a result that is a double compares with a constant as the mask in its second word says; it
    /// is given up if the result is no number.
    case doubleResult

    /// Whether the test, or what must be done for it, may be given up, so that it must be tried even if
    /// nothing depends on its answer: a machine might fail there.
    var mayBeGivenUp: Bool {
      switch self {
      case .stringMatches, .listCounts, .listLoop, .listRange, .resultEqual, .resultAtLeast,
        .resultAbove, .doubleResult:
        true
      default: false
      }
    }

    /// Whether the first word of the constant says where something stands behind the decisions.
    var refersBehind: Bool {
      self == .intInSet || self == .shortStringInSet || self == .listRange
    }
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
  var constant: Slot
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
    if place == .element {
      offset = 0
      root = Self.elementRoot
    } else {
      offset = UInt32(truncatingIfNeeded: MapTable.valueOffset(place.entry))
      root = UInt8(truncatingIfNeeded: place.root)
    }
    self.ifTrue = ifTrue
    self.ifFalse = ifFalse
  }

  /// The index of the address of a loop's element, behind the tables.
  static let elementRoot: UInt8 = 8

  /// The value of the attribute.
  @inline(__always)
  func value(_ roots: UnsafePointer<UInt>) -> UnsafePointer<Slot> {
    // The shapes say that this root has a table with that many entries.
    let base = UnsafeRawPointer(bitPattern: roots[Int(root)]).unsafelyUnwrapped
    return (base + Int(offset)).assumingMemoryBound(to: Slot.self)
  }

  /// Whether two decisions are the same to the last bit.
  func isSame(as other: Decision) -> Bool {
    constant.isSame(as: other.constant) && offset == other.offset && root == other.root
      && test == other.test && ifTrue == other.ifTrue && ifFalse == other.ifFalse
  }
}

/// What ``Decision/Test/attributesCompare`` asks. It takes the place of a constant.
struct AttributeComparison {
  /// Where the right operand stands.
  let other: Place
  let mask: ComparisonMask

  init(other: Place, mask: ComparisonMask) {
    self.other = other
    self.mask = mask
  }

  @inline(__always)
  init(_ packed: Slot) {
    other = Place(rawValue: UInt16(truncatingIfNeeded: packed.word0))
    mask = ComparisonMask(bits: packed.tagByte)
  }

  var packed: Slot { Slot(word0: UInt64(other.rawValue), word1: UInt64(mask.bits)) }
}

/// What ``Decision/Test/doubleOperation`` does with the running value, an attribute and the double in the
/// first word of the constant. The raw value is the constant's second word.
enum DoubleOperation: UInt64 {
  case load
  case addProduct
  case subtractProduct
  case add
  case multiply
  case divide
}

/// What ``Decision/Test/listCounts`` asks: a loop over a list, and what its result must be. It takes the
/// place of a constant.
struct ListQuestion {
  /// What every element is compared with, a constant of the program.
  let bound: UnsafePointer<Slot>
  let operand: ScanOperand
  /// For a loop that counts: how the count must compare with `count`.
  let countMask: ComparisonMask
  let count: Int32

  init(
    bound: UnsafePointer<Slot>, operand: ScanOperand, countMask: ComparisonMask = .equal,
    count: Int32 = 0
  ) {
    self.bound = bound
    self.operand = operand
    self.countMask = countMask
    self.count = count
  }

  @inline(__always)
  init(_ packed: Slot) {
    bound = packed.address.assumingMemoryBound(to: Slot.self)
    operand = ScanOperand(rawValue: packed.tagByte)
    countMask = ComparisonMask(bits: UInt8(truncatingIfNeeded: packed.extra))
    count = Int32(bitPattern: packed.aux)
  }

  var packed: Slot {
    Slot(
      word0: UInt64(UInt(bitPattern: bound)),
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

/// What ``Decision/Test/listLoop`` and ``Decision/Test/listRange`` want. It is the second word of their
/// constants.
struct LoopOperand {
  let rawValue: UInt64

  init(rawValue: UInt64) { self.rawValue = rawValue }

  /// - Parameters:
  ///   - kind: The kind of the elements; lists with others are given up.
  ///   - count: How the number of elements must compare with a number; `nil` to ask whether there is one.
  ///   - isOutside: Whether elements outside of the range are wanted.
  init(
    kind: SlotTag, count: (mask: ComparisonMask, number: Int32)?, isOutside: Bool = false
  ) {
    rawValue =
      UInt64(kind.rawValue) | (count == nil ? 0 : 1 << 8) | (isOutside ? 1 << 9 : 0)
      | UInt64(count?.mask.bits ?? 0) << 16
      | UInt64(UInt32(bitPattern: count?.number ?? 0)) << 32
  }

  @inline(__always) var kind: UInt8 { UInt8(truncatingIfNeeded: rawValue) }
  @inline(__always) var counts: Bool { rawValue & 1 << 8 != 0 }
  @inline(__always) var isOutside: Bool { rawValue & 1 << 9 != 0 }
  @inline(__always) var mask: ComparisonMask {
    ComparisonMask(bits: UInt8(truncatingIfNeeded: rawValue >> 16) & 7)
  }
  @inline(__always) var number: Int64 { Int64(Int32(truncatingIfNeeded: rawValue >> 32)) }

  /// Whether a number of elements is what is wanted.
  @inline(__always)
  func accepts(_ found: Int) -> Bool {
    mask.accepts(VM.intOrder(.int(Int64(found)), .int(number)))
  }
}
