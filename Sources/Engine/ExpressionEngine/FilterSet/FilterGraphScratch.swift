/// The memory of one evaluation of a ``FilterGraph``.
struct FilterGraphScratch {
  /// The counts of the nodes.
  let left: UnsafeMutablePointer<Int8>
  /// Nodes that have become true and whose parents must be notified, in this order.
  let queue: UnsafeMutablePointer<UInt32>
  var queueCount = 0
  /// Nodes that are no longer true.
  let retracted: UnsafeMutablePointer<UInt32>
  var retractedCount = 0
  /// True nodes that conjunctions are attached to.
  let candidates: UnsafeMutablePointer<UInt32>
  var candidateCount = 0
  /// The numbers in ``FilterGraph/checked`` of filters whose formulas are true.
  let checked: UnsafeMutablePointer<UInt32>
  var checkedCount = 0
  /// Filters that must be evaluated, whatever their formulas are, because a condition failed.
  var guarded: [UInt32] = []
  /// Whether any condition failed.
  var hasFailed = false

  /// The number of elements at each pointer.
  struct Sizes {
    let nodes: Int
    let initial: Int
    let hanging: Int
    let checked: Int

    var words: Int { nodes &+ hanging &+ initial &+ checked }
    var bytes: Int { 4 &* words &+ nodes }
  }

  init(_ memory: UnsafeMutableRawPointer, _ sizes: Sizes) {
    queue = memory.bindMemory(to: UInt32.self, capacity: sizes.words)
    candidates = queue + sizes.nodes
    retracted = candidates + sizes.hanging
    checked = retracted + sizes.initial
    left = UnsafeMutableRawPointer(queue + sizes.words).bindMemory(
      to: Int8.self, capacity: sizes.nodes)
  }
}

/// A few memory blocks of one size that evaluations on any thread borrow without locks.
final class ScratchPool: Sendable {
  /// The addresses of two free blocks, or 0.
  private let free = AtomicWords(count: 2)
  private let size: Int

  init(size: Int) { self.size = size }

  deinit {
    UnsafeMutableRawPointer(bitPattern: free.load(0))?.deallocate()
    UnsafeMutableRawPointer(bitPattern: free.load(1))?.deallocate()
    free.destroy()
  }

  /// Calls `body` with uninitialized memory.
  @inline(__always)
  func withMemory<Result>(_ body: (UnsafeMutableRawPointer) -> Result) -> Result {
    let memory =
      UnsafeMutableRawPointer(bitPattern: free.exchange(0, at: 0))
      ?? UnsafeMutableRawPointer(bitPattern: free.exchange(0, at: 1))
      ?? .allocate(byteCount: size, alignment: 16)
    defer { giveBack(memory) }
    return body(memory)
  }

  @inline(__always)
  private func giveBack(_ memory: UnsafeMutableRawPointer) {
    let address = UInt(bitPattern: memory)
    if !free.fill(0, with: address), !free.fill(1, with: address) { memory.deallocate() }
  }
}
