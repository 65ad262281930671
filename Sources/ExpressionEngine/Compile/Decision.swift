/// A node of a ``DecisionGraph``: a test of one attribute, and where each outcome leads.
///
/// Graphs know nothing of the kinds that attributes have. A test is quick for the kind that its constant
/// suggests; a value of another kind, or none, takes ``VM/general(_:_:_:_:)``.
struct Decision {
  /// What is tested. Of a comparison and its opposite only one is here; the other has its branches
  /// swapped (``Detail/isNegated``).
  enum Test: UInt8 {
    // Comparisons with the constant.
    case intEqual
    case intAtLeast
    case intAbove
    case doubleEqual
    case doubleAtLeast
    case doubleAbove
    case boolEqual
    case stringEqual
    /// Equality with a text of one to eight bytes, which `constant` holds in place of an address.
    case shortStringEqual
    case stringAtLeast
    case stringAbove
    /// Equality with a numeric string literal, as text or as number; `constant` is the list of both.
    case readingsEqual
    /// A comparison with a constant of another kind.
    case compare
    /// Membership in a ``WordSet``; `constant` has the offset of its entries in the side data and the
    /// multiplier. The collection itself stands before the entries.
    case inWordSet
    /// Membership in a constant list, or in a constant set, which is a map.
    case inCollection
    /// Membership of the constant in the value.
    case has

    // Questions about a value.
    case truthy
    case present
    case hasPrefix
    case hasSuffix
    case contains
    /// Whether a text matches the pattern whose address `constant` holds.
    case matches
    /// How the number of elements, entries or bytes compares with an int.
    case count

    // Steps of a computation on the accumulator. Their outcome is true.
    case load
    /// Loads the value times the constant.
    case loadProduct
    /// Adds the value times the constant, or subtracts it.
    case addProduct
    case subtractProduct
    /// Puts the constant on the right side of the operator in ``detail``.
    case apply
    /// Compares the accumulator with the constant.
    case result
    /// Compares the accumulator with the value.
    case resultValue

    // Loops over a list. `detail` is a ``LoopDetail``.
    /// How many elements are ints between the two words of the constant.
    case range
    /// For how many elements the decisions from the first word of the constant on are true.
    case loop
  }

  /// Where to go on: the number of a decision, or an outcome.
  struct Branch: Hashable, BitwiseCopyable {
    let rawValue: UInt16

    /// Says that an operand was skipped that might have failed. It is kept until the end, where
    /// ``VM/isSafe(_:_:)`` decides whether the outcome counts.
    static let skipBit: UInt16 = 0x8000

    static let `true` = Branch(rawValue: 0x7FFF)
    static let `false` = Branch(rawValue: 0x7FFE)
    /// The filter fails or has a value that is not true: no match, and a machine finds out what it is.
    static let noMatch = Branch(rawValue: 0x7FFD)
    /// The graph cannot tell: a machine runs the program from the start.
    static let bailout = Branch(rawValue: 0x7FFC)

    /// The greatest number of decisions in a graph.
    static let maximumCount = 0x7FFC

    @inline(__always) init(rawValue: UInt16) { self.rawValue = rawValue }
    init(number: Int) { rawValue = UInt16(truncatingIfNeeded: number) }

    @inline(__always) var number: Int { Int(rawValue & ~Self.skipBit) }
    @inline(__always) var isOutcome: Bool { number >= Self.maximumCount }
    @inline(__always) var skips: Bool { rawValue & Self.skipBit != 0 }
    @inline(__always) var outcome: Branch { Branch(rawValue: rawValue & ~Self.skipBit) }
    /// The same branch, taken without evaluating something that may fail.
    var skipping: Branch { Branch(rawValue: rawValue | Self.skipBit) }
    /// Whether it ends in something that is not a match, skipped operands or not.
    var isNoMatch: Bool { outcome == .false || outcome == .noMatch }
  }

  /// The comparison of a test, before its branches were swapped.
  struct Detail {
    let rawValue: UInt8

    @inline(__always) init(rawValue: UInt8) { self.rawValue = rawValue }
    init(_ mask: ComparisonMask, isNegated: Bool = false) {
      rawValue = mask.bits | (isNegated ? 0x80 : 0)
    }

    @inline(__always) var mask: ComparisonMask { ComparisonMask(bits: rawValue & 7) }
    @inline(__always) var isNegated: Bool { rawValue & 0x80 != 0 }
  }

  /// What a loop wants of its elements.
  struct LoopDetail {
    let rawValue: UInt8

    @inline(__always) init(rawValue: UInt8) { self.rawValue = rawValue }
    init(_ kind: LoopKind, isOutside: Bool = false) {
      rawValue = kind.rawValue | (isOutside ? 0x80 : 0)
    }

    @inline(__always) var kind: LoopKind { LoopKind(rawValue: rawValue & 0x7F) ?? .count }
    /// Whether elements outside of the range are wanted.
    @inline(__always) var isOutside: Bool { rawValue & 0x80 != 0 }
  }

  /// What the value is compared with. It borrows memory of the program.
  var constant: Slot
  /// The number of the attribute in the program, for lookups by name.
  var attribute: UInt16
  /// The number of the value in its row; see ``AttributeNumbers``.
  var number: UInt16
  /// The index of the row in ``ContextStorage/roots``.
  var root: UInt8
  var test: Test
  var detail: UInt8
  var ifTrue: Branch
  var ifFalse: Branch
  var ifMissing: Branch
  var ifFailed: Branch

  /// The number of a value that has none and is looked up by name.
  static let unnumbered: UInt16 = .max
  /// The index of the row that holds the element of the loop being run.
  static let elementRow = UInt8(ContextStorage.rowCount)
  /// The longest list that a graph goes through; a machine counts the steps of longer ones.
  static let longestLoop = 1024
}

/// The fast form of a program: one and/or structure became a graph of tests (``Decision``).
///
/// It is made with the program, holds for contexts of any kind, and never fails: where the program would
/// fail, it ends in ``Decision/Branch/noMatch``; where it cannot tell, in ``Decision/Branch/bailout``.
struct DecisionGraph: BitwiseCopyable {
  /// The decisions; the side data follows the last one.
  let decisions: UnsafePointer<Decision>
  let count: Int32
  /// The number of guards; negative when skipped operands may fail in ways that kinds do not tell.
  let guardCount: Int32
  let guards: UnsafePointer<KindGuard>
  /// What the guards say, 16 attributes of a root at a time.
  let chunkCount: Int32
  let chunks: UnsafePointer<GuardChunk>
  let start: Decision.Branch
}

/// The guards of 16 numbers of a root, in the form of ``LayerRow/kinds(_:)``.
struct GuardChunk {
  /// For each number, in the order of memory, the classes that are not allowed.
  var forbidden: (UInt64, UInt64)
  let root: UInt8
  let chunk: UInt8
  /// The highest guarded number. A row says nothing of numbers from ``LayerRow/known`` on.
  var last: UInt16
}

/// The kinds that an attribute may have so that no test of it fails.
struct KindGuard {
  let attribute: UInt16
  let number: UInt16
  let root: UInt8
  /// The allowed kinds. The bit of ``SlotTag/error`` stands for a missing attribute.
  var allowed: SlotKinds
}

extension SlotKinds {
  /// A missing attribute, in ``KindGuard/allowed``.
  static let missing = SlotKinds(.error)
  /// The kinds whose values are compared without walking through parts.
  static let scalars: SlotKinds = [
    SlotKinds(.null), .bool, .int, .uint, .double, .string, SlotKinds(.bytes),
    SlotKinds(.timestamp), SlotKinds(.duration),
  ]
  static let numbers: SlotKinds = [.int, .uint, .double]
}
