/// A node of a ``DecisionGraph``: a test of one attribute and the targets of its outcomes.
///
/// Graphs do not depend on the kinds of attributes. A test is fast for the kind that its constant
/// suggests; a value of another kind, or a missing one, takes ``VM/general(_:_:_:_:)``.
struct Decision {
  /// The condition that is tested. Only one of a comparison and its opposite has a case; the other
  /// one swaps the branches (``Detail/isNegated``).
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
    /// Equality with a string of one to eight bytes, which `constant` holds in place of an address.
    case shortStringEqual
    case stringAtLeast
    case stringAbove
    /// Equality with a numeric string literal, as a string or as a number; `constant` is the list
    /// of both.
    case readingsEqual
    /// A comparison with a constant of another kind.
    case compare
    /// Membership in a ``WordSet``. `constant` has the offset of its entries in the side data and
    /// the multiplier. The collection itself precedes the entries.
    case inWordSet
    /// Membership in a constant list, or in a constant set, which is a map.
    case inCollection
    /// Membership of the constant in the value.
    case has

    // Conditions on a value.
    case truthy
    case present
    case hasPrefix
    case hasSuffix
    case contains
    /// Whether a string matches the pattern whose address `constant` holds.
    case matches
    /// A comparison of the number of elements, entries or bytes with an int.
    case count

    // Steps of a computation on the accumulator. Their outcome is always true.
    case load
    /// Loads the value times the constant.
    case loadProduct
    /// Adds the value times the constant, or subtracts it.
    case addProduct
    case subtractProduct
    /// Applies the operator in ``detail`` to the accumulator and the constant on the right.
    case apply
    /// Compares the accumulator with the constant.
    case result
    /// Compares the accumulator with the value.
    case resultValue

    // Loops over a list. `detail` is a ``LoopDetail``.
    /// The number of elements that are ints between the two words of the constant.
    case range
    /// The number of elements for which the decisions from the first word of the constant on are
    /// true.
    case loop
  }

  /// The target of an outcome: the number of a decision, or an outcome of the filter.
  struct Branch: Hashable, BitwiseCopyable {
    let rawValue: UInt16

    /// The mark for a skipped operand that might have failed. It is preserved until the end, where
    /// ``VM/isSafe(_:_:)`` decides whether the outcome counts.
    static let skipBit: UInt16 = 0x8000

    static let `true` = Branch(rawValue: 0x7FFF)
    static let `false` = Branch(rawValue: 0x7FFE)
    /// The filter fails or has a value other than true: no match. The machine determines the value.
    static let noMatch = Branch(rawValue: 0x7FFD)
    /// The graph cannot decide. The machine runs the program from the start.
    static let bailout = Branch(rawValue: 0x7FFC)

    /// The maximum number of decisions in a graph.
    static let maximumCount = 0x7FFC

    @inline(__always) init(rawValue: UInt16) { self.rawValue = rawValue }
    init(number: Int) { rawValue = UInt16(truncatingIfNeeded: number) }

    @inline(__always) var number: Int { Int(rawValue & ~Self.skipBit) }
    @inline(__always) var isOutcome: Bool { number >= Self.maximumCount }
    @inline(__always) var skips: Bool { rawValue & Self.skipBit != 0 }
    @inline(__always) var outcome: Branch { Branch(rawValue: rawValue & ~Self.skipBit) }
    /// The same branch, taken without evaluating an operand that may fail.
    var skipping: Branch { Branch(rawValue: rawValue | Self.skipBit) }
    /// Whether the outcome is not a match, with or without skipped operands.
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

  /// The elements that a loop counts.
  struct LoopDetail {
    let rawValue: UInt8

    @inline(__always) init(rawValue: UInt8) { self.rawValue = rawValue }
    init(_ kind: LoopKind, isOutside: Bool = false) {
      rawValue = kind.rawValue | (isOutside ? 0x80 : 0)
    }

    @inline(__always) var kind: LoopKind { LoopKind(rawValue: rawValue & 0x7F) ?? .count }
    /// Whether the loop counts the elements outside the range.
    @inline(__always) var isOutside: Bool { rawValue & 0x80 != 0 }
  }

  /// The operand that the value is compared with. It borrows memory of the program.
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

  /// The number of a value without a number, which is looked up by name.
  static let unnumbered: UInt16 = .max
  /// The index of the row that holds the element of the current loop.
  static let elementRow = UInt8(ContextStorage.rowCount)
  /// The maximum length of a list that a graph visits; the machine counts the steps of longer ones.
  static let longestLoop = 1024
}

/// The fast form of a program: its and/or structure as a graph of tests (``Decision``).
///
/// It is built with the program, works for contexts with attributes of any kind, and never fails.
/// Where the program would fail, it ends in ``Decision/Branch/noMatch``; where it cannot decide, in
/// ``Decision/Branch/bailout``.
struct DecisionGraph: BitwiseCopyable {
  /// The decisions; the side data follows the last one.
  let decisions: UnsafePointer<Decision>
  let count: Int32
  /// The number of guards; negative when skipped operands may fail in ways that kinds do not rule
  /// out.
  let guardCount: Int32
  let guards: UnsafePointer<KindGuard>
  /// The number of chunks of guards, each for 16 attributes of a root.
  let chunkCount: Int32
  let chunks: UnsafePointer<GuardChunk>
  let start: Decision.Branch
}

/// The guards of 16 numbers of a root, in the form of ``LayerRow/kinds(_:)``.
struct GuardChunk {
  /// The classes that are not allowed, for each number in memory order.
  var forbidden: (UInt64, UInt64)
  let root: UInt8
  let chunk: UInt8
  /// The highest guarded number. A row has no information on numbers from ``LayerRow/known`` on.
  var last: UInt16
}

/// The kinds of an attribute with which no test of it fails.
struct KindGuard {
  let attribute: UInt16
  let number: UInt16
  let root: UInt8
  /// The allowed kinds. The bit of ``SlotTag/error`` represents a missing attribute.
  var allowed: SlotKinds
}

extension SlotKinds {
  /// A missing attribute, in ``KindGuard/allowed``.
  static let missing = SlotKinds(.error)
  /// The kinds whose values are compared without visiting parts.
  static let scalars: SlotKinds = [
    SlotKinds(.null), .bool, .int, .uint, .double, .string, SlotKinds(.bytes),
    SlotKinds(.timestamp), SlotKinds(.duration),
  ]
  static let numbers: SlotKinds = [.int, .uint, .double]
}
