/// A growing array of trivial elements in an arena, without reference counting or deallocation of
/// its own.
///
/// When the array grows, its old memory stays allocated until the arena is released, so that
/// ``elements`` taken earlier remain valid. Indices are checked as in `Array`; they come from the
/// passes that filled the array, not from a filter's text. The arena must have no limit.
struct ArenaArray<Element: BitwiseCopyable>: ~Copyable {
  private var start: UnsafeMutablePointer<Element>?
  private(set) var count = 0
  private var capacity = 0

  /// Creates an empty array without memory.
  init() {}

  /// Creates an empty array with room for `capacity` elements.
  init(capacity: Int, in arena: inout Arena) { grow(to: capacity, in: &arena) }

  /// Creates an array of `count` equal elements.
  init(repeating element: Element, count: Int, in arena: inout Arena) {
    guard count > 0 else { return }
    grow(to: count, in: &arena)
    start?.initialize(repeating: element, count: count)
    self.count = count
  }

  var indices: Range<Int> { 0..<count }
  var last: Element? { count == 0 ? nil : self[count &- 1] }

  /// The elements. Later changes to the array do not affect them.
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
      // As in an array. Indexes come from the passes that filled this one, not from a text.
      preconditionFailure("index out of range")
    }
    return start + index
  }

  /// A range of the elements.
  func slice(from first: Int, count length: Int) -> UnsafeBufferPointer<Element> {
    precondition(first >= 0 && length >= 0 && length <= count &- first)
    return UnsafeBufferPointer(rebasing: elements[first..<(first &+ length)])
  }

  /// Appends an element. Amortized constant time.
  @inline(__always)
  mutating func append(_ element: Element, in arena: inout Arena) {
    if count == capacity { grow(to: max(capacity &* 2, 8), in: &arena) }
    (start.unsafelyUnwrapped + count).initialize(to: element)
    count &+= 1
  }

  /// Appends elements, which may be elements of this array.
  mutating func append(contentsOf others: UnsafeBufferPointer<Element>, in arena: inout Arena) {
    guard let source = others.baseAddress, others.count > 0 else { return }
    if others.count > capacity &- count {
      grow(to: max(capacity &* 2, count &+ others.count), in: &arena)
    }
    (start.unsafelyUnwrapped + count).initialize(from: source, count: others.count)
    count &+= others.count
  }

  /// Removes and returns the last element.
  @discardableResult
  mutating func removeLast() -> Element {
    let element = self[count &- 1]
    count &-= 1
    return element
  }

  /// Removes all but the first `remaining` elements.
  mutating func truncate(to remaining: Int) {
    precondition(remaining >= 0 && remaining <= count)
    count = remaining
  }

  @inline(never)
  private mutating func grow(to larger: Int, in arena: inout Arena) {
    guard let memory = arena.allocate(larger &* MemoryLayout<Element>.stride) else {
      // The only such arena is ``IR/scratch``, which has no limit.
      preconditionFailure("the arena has a limit")
    }
    let grown = memory.bindMemory(to: Element.self, capacity: larger)
    if let start { grown.initialize(from: start, count: count) }
    start = grown
    capacity = larger
  }
}
