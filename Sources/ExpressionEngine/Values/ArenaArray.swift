/// A growing array of trivial elements in an arena: it is neither counted nor freed by itself.
///
/// What it outgrows stays where it is until the arena is gone, so that ``elements`` taken before are
/// valid as long. Indices are checked as those of arrays are; they come from the passes that filled the
/// array, not from a filter's text. The arena must have no limit.
struct ArenaArray<Element: BitwiseCopyable>: ~Copyable {
  private var start: UnsafeMutablePointer<Element>?
  private(set) var count = 0
  private var capacity = 0

  /// Creates an empty array, which has no memory yet.
  init() {}

  /// Creates an empty array with room for some elements.
  init(capacity: Int, in arena: inout Arena) { grow(to: capacity, in: &arena) }

  /// Creates an array of equal elements.
  init(repeating element: Element, count: Int, in arena: inout Arena) {
    guard count > 0 else { return }
    grow(to: count, in: &arena)
    start?.initialize(repeating: element, count: count)
    self.count = count
  }

  var indices: Range<Int> { 0..<count }
  var last: Element? { count == 0 ? nil : self[count &- 1] }

  /// The elements. They do not see what is changed later.
  @inline(__always) var elements: UnsafeBufferPointer<Element> {
    UnsafeBufferPointer(start: start, count: count)
  }

  @inline(__always)
  subscript(index: Int) -> Element {
    get { checked(index).pointee }
    set { checked(index).pointee = newValue }
  }

  @inline(__always)
  private func checked(_ index: Int) -> UnsafeMutablePointer<Element> {
    guard let start, UInt(bitPattern: index) < UInt(bitPattern: count) else {
      preconditionFailure("index out of range")
    }
    return start + index
  }

  /// Some of the elements.
  func slice(from first: Int, count length: Int) -> UnsafeBufferPointer<Element> {
    precondition(first >= 0 && length >= 0 && length <= count &- first)
    return UnsafeBufferPointer(rebasing: elements[first..<(first &+ length)])
  }

  /// Adds an element. Amortised constant time.
  @inline(__always)
  mutating func append(_ element: Element, in arena: inout Arena) {
    if count == capacity { grow(to: max(capacity &* 2, 8), in: &arena) }
    (start.unsafelyUnwrapped + count).initialize(to: element)
    count &+= 1
  }

  /// Adds elements, which may be some of its own.
  mutating func append(contentsOf others: UnsafeBufferPointer<Element>, in arena: inout Arena) {
    guard let source = others.baseAddress, others.count > 0 else { return }
    if others.count > capacity &- count {
      grow(to: max(capacity &* 2, count &+ others.count), in: &arena)
    }
    (start.unsafelyUnwrapped + count).initialize(from: source, count: others.count)
    count &+= others.count
  }

  /// Takes the last element off.
  @discardableResult
  mutating func removeLast() -> Element {
    let element = self[count &- 1]
    count &-= 1
    return element
  }

  /// Takes all elements off but the first `remaining`.
  mutating func truncate(to remaining: Int) {
    precondition(remaining >= 0 && remaining <= count)
    count = remaining
  }

  @inline(never)
  private mutating func grow(to larger: Int, in arena: inout Arena) {
    guard let memory = arena.allocate(larger &* MemoryLayout<Element>.stride) else {
      // The only one is ``IR/scratch``, which has none.
      preconditionFailure("the arena has a limit")
    }
    let grown = memory.bindMemory(to: Element.self, capacity: larger)
    if let start { grown.initialize(from: start, count: count) }
    start = grown
    capacity = larger
  }
}
