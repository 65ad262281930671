/// Memory that grows in chunks and is freed all at once.
///
/// An arena allocates its first chunk when it is first needed, so an evaluation that builds no
/// lists or strings costs no allocation. Addresses stay valid until ``release()``.
struct Arena: ~Copyable {
  private var cursor: UnsafeMutableRawPointer?
  private var remaining = 0
  private var newestChunk: UnsafeMutableRawPointer?
  private var nextChunkSize: Int
  /// The number of bytes handed out and wasted at chunk ends so far.
  private(set) var used = 0
  /// The number of bytes that may be in use before ``allocate(_:)`` returns `nil`.
  let limit: Int

  /// Creates an empty arena.
  ///
  /// - Parameters:
  ///   - firstChunk: The size in bytes of the first chunk, allocated when first needed.
  ///   - limit: The maximum number of bytes to hand out.
  init(firstChunk: Int = 1024, limit: Int = .max) {
    nextChunkSize = max(64, firstChunk)
    self.limit = limit
  }

  deinit {
    var chunk = newestChunk
    while let current = chunk {
      chunk = current.load(as: UnsafeMutableRawPointer?.self)
      current.deallocate()
    }
  }

  /// Returns `count` uncleared bytes aligned for a ``Slot``, or `nil` when the limit is reached.
  @inline(__always)
  mutating func allocate(_ count: Int) -> UnsafeMutableRawPointer? {
    let rounded = (count &+ 15) & ~15
    if rounded <= remaining, let start = cursor {
      cursor = start + rounded
      remaining &-= rounded
      return start
    }
    return allocateInNewChunk(rounded)
  }

  @inline(never)
  private mutating func allocateInNewChunk(_ count: Int) -> UnsafeMutableRawPointer? {
    guard count >= 0, count <= limit &- used else { return nil }
    let headerSize = 16
    let size = max(nextChunkSize, count &+ headerSize)
    // Every allocation has this alignment anyway; asking for more takes a slower path.
    let chunk = UnsafeMutableRawPointer.allocate(
      byteCount: size, alignment: MemoryLayout<Slot>.alignment)
    chunk.storeBytes(of: newestChunk, as: UnsafeMutableRawPointer?.self)
    newestChunk = chunk
    used &+= size
    nextChunkSize = min(size &* 2, 1 << 20)
    cursor = chunk + headerSize + count
    remaining = size &- headerSize &- count
    return chunk + headerSize
  }

  /// A position to free memory back to.
  struct Mark {
    fileprivate let cursor: UnsafeMutableRawPointer?
    fileprivate let remaining: Int
  }

  /// The position that the next allocation starts at.
  var mark: Mark { Mark(cursor: cursor, remaining: remaining) }

  /// Frees what was allocated since `mark`, unless the allocations needed a new chunk.
  mutating func giveBack(to mark: Mark) {
    guard let start = mark.cursor, let end = cursor, mark.remaining >= remaining,
      end - start == mark.remaining &- remaining
    else { return }
    cursor = start
    remaining = mark.remaining
  }

  /// Copies bytes into the arena, padded as ``Slot`` promises, and returns a slot for them.
  mutating func copy(_ bytes: UnsafeBufferPointer<UInt8>, as tag: SlotTag) -> Slot? {
    guard let length = UInt32(exactly: bytes.count), let start = allocateBytes(bytes.count) else {
      return nil
    }
    if let source = bytes.baseAddress {
      start.copyMemory(from: source, byteCount: bytes.count)
    }
    return Slot(tag, at: start, count: length)
  }

  /// Copies bytes into the arena a word at a time, padded as ``Slot`` promises, and returns a
  /// string.
  ///
  /// - Parameter source: The bytes. Eight more after them must be readable.
  @inline(__always)
  mutating func copyWords(from source: UnsafeRawPointer, count: Int) -> Slot? {
    let whole = count & ~7
    guard count <= UInt32.max, let start = allocate(whole &+ 8) else { return nil }
    if whole == 8 {
      start.copyMemory(from: source, byteCount: 8)
    } else if whole > 8 {
      start.copyMemory(from: source, byteCount: whole)
    }
    // The last word holds fewer than eight bytes; the mask clears those after the end.
    let last = UInt64(littleEndian: source.loadUnaligned(fromByteOffset: whole, as: UInt64.self))
    let mask = 1 &<< (UInt64(count & 7) &* 8) &- 1
    start.storeBytes(of: (last & mask).littleEndian, toByteOffset: whole, as: UInt64.self)
    return Slot(.string, at: start, count: UInt32(truncatingIfNeeded: count))
  }

  /// Returns memory for `count` bytes whose last word is cleared, so that padding is zero.
  mutating func allocateBytes(_ count: Int) -> UnsafeMutableRawPointer? {
    let padded = (max(count, 1) &+ 7) & ~7
    guard let start = allocate(padded) else { return nil }
    start.storeBytes(of: 0, toByteOffset: padded &- 8, as: UInt64.self)
    return start
  }

  /// Copies the UTF-8 bytes of `text` into the arena.
  mutating func copy(_ text: String, as tag: SlotTag = .string) -> Slot? {
    var text = text
    // `withUTF8` makes bridged strings contiguous first; `utf8.withContiguous…` would return `nil`.
    let bytes = text.withUTF8 { bytes in
      allocateBytes(bytes.count).map { start in
        if let source = bytes.baseAddress {
          start.copyMemory(from: source, byteCount: bytes.count)
        }
        return (start, bytes.count)
      }
    }
    guard let (start, count) = bytes, let length = UInt32(exactly: count) else { return nil }
    return Slot(tag, at: start, count: length)
  }

  /// Copies slots into the arena and returns a list slot for them.
  mutating func copyList(_ slots: UnsafeBufferPointer<Slot>) -> Slot? {
    guard let count = UInt32(exactly: slots.count),
      let start = allocate(max(slots.count, 1) &* MemoryLayout<Slot>.stride)
    else { return nil }
    if let source = slots.baseAddress {
      start.copyMemory(from: source, byteCount: slots.count &* MemoryLayout<Slot>.stride)
    }
    return Slot(.list, at: start, count: count)
  }
}

/// A growing array of slots in an arena, which becomes a list or a map.
struct SlotBuffer {
  private(set) var start: UnsafeMutablePointer<Slot>
  private(set) var count: Int
  private var capacity: Int

  /// Creates an empty buffer with room for `capacity` slots, or `nil` when the arena is exhausted.
  init?(capacity: Int, in arena: inout Arena) {
    let capacity = max(capacity, 4)
    guard let memory = arena.allocate(capacity &* MemoryLayout<Slot>.stride) else { return nil }
    start = memory.bindMemory(to: Slot.self, capacity: capacity)
    count = 0
    self.capacity = capacity
  }

  /// The slots added so far.
  var slots: UnsafeBufferPointer<Slot> { UnsafeBufferPointer(start: start, count: count) }

  /// Appends a slot. Returns `false` when the arena is exhausted. Amortized constant time.
  @inline(__always)
  mutating func append(_ slot: Slot, in arena: inout Arena) -> Bool {
    if count == capacity, !grow(in: &arena) { return false }
    start[count] = slot
    count &+= 1
    return true
  }

  @inline(never)
  private mutating func grow(in arena: inout Arena) -> Bool {
    let larger = capacity &* 2
    guard let memory = arena.allocate(larger &* MemoryLayout<Slot>.stride) else { return false }
    memory.copyMemory(from: start, byteCount: count &* MemoryLayout<Slot>.stride)
    start = memory.bindMemory(to: Slot.self, capacity: larger)
    capacity = larger
    return true
  }
}
