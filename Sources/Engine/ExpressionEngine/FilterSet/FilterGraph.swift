/// The combined graph of a set's filters, built once, for contexts of every kind.
///
/// The leaves are conditions: sets of positions on an attribute's ``ValueLine``, and tests. The
/// inner nodes are `and` and `or`. Each node counts in a byte how many more operands must become
/// true, and has a list of what to notify then: its parents, and the filters that it is the root
/// of. The count starts with the conditions that are true when all attributes are missing, so that
/// the cost of an evaluation depends on the context and not on the size of the set.
///
/// A conjunction that only filters use does not count. It is attached to its rarest operand, and
/// the other operands are checked when that one is true.
///
/// Unchecked `Sendable`: nothing is written after `init`.
final class FilterGraph: @unchecked Sendable {
  /// The range of an attribute's elements in an array shared by all attributes.
  struct Part: BitwiseCopyable {
    var first = 0
    var end = 0

    var isEmpty: Bool { first == end }
    var range: Range<Int> { first..<end }
  }

  /// The data of an attribute.
  struct Attribute: BitwiseCopyable {
    let reference: AttributeReference
    /// The number of the value in its row; see ``AttributeNumbers``.
    let number: UInt16
    let line: ValueLine
    /// The range of its code in ``FilterGraph/code``, if it is a ``ComputedAttribute``.
    let code: Part
    /// The start of the attribute's tree in ``treeEnds``. The tree is a segment tree over
    /// positions: the nodes on the path from a position to the root list the conditions that change
    /// at it.
    var tree = 0
    var tests = Part()
    var guards = Part()
    /// The kinds with a guard, and the kinds for which any condition fails.
    var guardedKinds = PositionKinds()
    var failures = PositionKinds()
    /// Whether an undeclared root makes a difference.
    var isSensitive = false
  }

  struct Test: BitwiseCopyable {
    let test: AttributeTest
    let constant: Slot
    let condition: UInt32
    /// The node of the condition.
    let node: UInt32
    /// Whether the condition is true if the test does not hold, rather than if it does.
    let isOpposite: Bool
    /// Whether the condition is true of a missing attribute.
    let isInitial: Bool
  }

  /// Where the lists of a node start.
  struct ListStarts: BitwiseCopyable {
    /// The position in ``FilterGraph/parents``.
    var parents: UInt32 = 0
    /// The position in ``FilterGraph/rootFilters``.
    var filters: UInt32 = 0
    /// The position in ``FilterGraph/conjunctions``.
    var conjunctions: UInt32 = 0
  }

  /// Filters that must be evaluated when a condition fails for some kinds, or a test fails.
  struct Guard: BitwiseCopyable {
    let kinds: PositionKinds
    /// The test's condition, or `.max`.
    let test: UInt32
    /// The range of the filters in ``guardedFilters``.
    var filters: Part
  }

  /// A filter that must be evaluated when its formula is true.
  struct CheckedFilter: Sendable {
    let number: Int
    /// The filter, or the part of it that the formula does not cover.
    let filter: Filter
  }

  /// The numbers of the filters.
  let filters: Range<Int>
  let attributes: UnsafeBufferPointer<Attribute>
  /// The code of computed attributes, and the numbers of the attributes that they read.
  let code: UnsafeBufferPointer<UInt32>
  let computed: UnsafeBufferPointer<UInt32>
  let tests: UnsafeBufferPointer<Test>
  let guards: UnsafeBufferPointer<Guard>
  /// The filters of all guards, as ``NumberRuns``: each attribute of a large set has many.
  let guardedFilters: UnsafeBufferPointer<UInt8>
  /// The end of the list in ``treeItems`` for each node of each tree.
  let treeEnds: UnsafeBufferPointer<UInt32>
  /// Conditions that become true or, marked with ``retracts``, are no longer true.
  let treeItems: UnsafeBufferPointer<UInt32>
  /// The initial counts, when all attributes are missing.
  let start: UnsafeBufferPointer<Int8>
  /// Where the lists of each node start. Those of a node end where those of the next one start;
  /// after the last node is one more entry.
  let listStarts: UnsafeBufferPointer<ListStarts>
  /// The nodes that have a node as an operand and count.
  let parents: UnsafeBufferPointer<UInt32>
  /// The filters that a node is the root of.
  let rootFilters: UnsafeBufferPointer<UInt32>
  /// The conjunctions that are attached to a node: the number of other operands, the number of
  /// filters, the other operands, and the filters.
  let conjunctions: UnsafeBufferPointer<UInt32>
  /// Roots that are true when all attributes are missing, each followed by its filters.
  let initialRoots: UnsafeBufferPointer<UInt32>
  /// The number of conditions that are true when all attributes are missing, and may be retracted.
  let initialCount: Int
  /// The filters that their formulas cover only in part.
  let checked: UnsafeBufferPointer<CheckedFilter>
  /// For each filter, whether its formula is its value when nothing fails.
  let isExact: [Bool]
  /// The number of filters that had not been removed.
  let liveCount: Int
  /// The slots of an ``AttributeTable``.
  let attributeTable: UnsafeBufferPointer<UInt32>
  /// The roots that have attributes of the set, as bits.
  let usedRoots: UInt32
  /// The roots whose absence makes a difference, as bits.
  let sensitiveRoots: UInt32
  /// Whether an attribute is read in the cel dialect, where a variable may have a dotted name.
  let readsDottedNames: Bool
  /// The formulas as bit rows, if there are few rows; nodes, lists and trees are then empty.
  let bitmap: FilterBitmap?
  let scratchSizes: FilterGraphScratch.Sizes
  let pool: ScratchPool
  /// The number of bytes that the graph occupies.
  let byteCount: Int
  /// The memory of names and constants, and of everything else.
  private let arena: Arena
  private let rows: Arena

  static let retracts: UInt32 = 1 << 31
  /// Marks the number of a filter in ``checked``.
  static let isChecked: UInt32 = 1 << 31

  /// Returns whether the part of a checked filter that its formula does not cover is true.
  @inline(__always)
  func matches(_ check: Int, _ context: Context) -> Bool {
    // The caller keeps the graph alive, and the graph keeps the filters alive.
    Unmanaged.passUnretained(checked[check].filter)._withUnsafeGuaranteedRef {
      $0.matches(context)
    }
  }

  /// Builds the graph of filters.
  ///
  /// - Complexity: O(n log n) in the number of conditions.
  init(
    _ builder: consuming FilterGraphBuilder, checked: [CheckedFilter], usesBitmaps: Bool
  ) {
    let memory = UnsafeMutableBufferPointer<CheckedFilter>.allocate(capacity: checked.count)
    _ = memory.initialize(from: checked)
    self.checked = UnsafeBufferPointer(memory)
    var builder = builder
    let first = Int(builder.firstFilter)
    filters = first..<(first + builder.roots.count)
    isExact = builder.reader.coverage.map { $0 == .value }
    liveCount = builder.reader.liveCount
    var layout = FilterGraphLayout(builder)
    layout.makeTests(builder)
    let bitmap = usesBitmaps ? FilterBitmapBuilder(builder, layout) : nil
    if bitmap == nil {
      layout.makeLists(builder)
      layout.makeTrees(builder)
    } else {
      layout.dropNodes()
    }
    layout.makeGuards(builder)
    initialCount = layout.initialCount
    var arena = Arena()
    swap(&arena, &builder.reader.arena)
    // A single block of memory of the right size for all of them.
    var rows = Arena(
      firstChunk: layout.byteCount + builder.reader.attributeTable.byteCount
        + (bitmap?.byteCount ?? 0))
    attributes = rows.copyRow(layout.attributes)
    usedRoots = layout.attributes.reduce(0) { $0 | 1 << $1.reference.root }
    code = rows.copyRow(layout.code)
    computed = rows.copyRow(layout.computed)
    tests = rows.copyRow(layout.tests)
    guards = rows.copyRow(layout.guards)
    guardedFilters = rows.copyRow(layout.guardedFilters)
    treeEnds = rows.copyRow(layout.treeEnds)
    treeItems = rows.copyRow(layout.treeItems)
    start = rows.copyRow(layout.start)
    listStarts = rows.copyRow(layout.listStarts)
    parents = rows.copyRow(layout.parents)
    rootFilters = rows.copyRow(layout.rootFilters)
    conjunctions = rows.copyRow(layout.conjunctions)
    initialRoots = rows.copyRow(layout.initialRoots)
    self.bitmap = bitmap.map { $0.finish(in: &rows) }
    attributeTable = rows.copyRow(builder.reader.attributeTable.slots)
    sensitiveRoots = layout.attributes.reduce(0) { roots, attribute in
      attribute.isSensitive && !attribute.reference.rootIsOptional
        ? roots | 1 << attribute.reference.root : roots
    }
    readsDottedNames = layout.attributes.contains {
      !$0.reference.isSuperscript && Int($0.reference.root) != Root.other.index
    }
    scratchSizes = FilterGraphScratch.Sizes(
      nodes: start.count, initial: initialCount, hanging: layout.hangingCount,
      checked: checked.count)
    pool = ScratchPool(size: scratchSizes.bytes)
    byteCount =
      scratchSizes.bytes + arena.used + rows.used + isExact.count
      + checked.reduce(0) { $0 + $1.filter.approximateByteCount }
    self.arena = arena
    self.rows = rows
  }

  deinit {
    let memory = UnsafeMutableBufferPointer(mutating: checked)
    memory.deinitialize()
    memory.deallocate()
  }

  /// Returns where the lists of a node start, and where they end.
  @inline(__always)
  func lists(of node: UInt32) -> (start: ListStarts, end: ListStarts) {
    let starts = listStarts.baseAddress.unsafelyUnwrapped + Int(node)
    return (starts[0], starts[1])
  }
}
