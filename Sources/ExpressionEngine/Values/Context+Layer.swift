extension Context {
  /// One immutable table of attributes, ready to be shared between contexts and threads.
  public struct Layer: Sendable {
    let storage: LayerStorage

    /// Creates an empty layer.
    public init() { storage = LayerStorage.empty }

    /// Freezes attributes.
    ///
    /// - Parameter attributes: Values by name.
    /// - Complexity: O(size of the attributes).
    public init(_ attributes: [String: Value]) {
      storage = LayerStorage(count: attributes.count) { pairs, arena in
        for (name, value) in attributes {
          guard let key = arena.copy(name), let slot = Slot.make(value, in: &arena) else { return }
          pairs.append(key, slot)
        }
      }
    }

    /// Freezes the entries of a map value, whose keys may be of any kind.
    ///
    /// - Complexity: O(size of the entries).
    package init(entries: [Value.Key: Value]) {
      storage = LayerStorage(count: entries.count) { pairs, arena in
        for (name, value) in entries {
          guard let key = Slot.make(name, in: &arena), let slot = Slot.make(value, in: &arena)
          else { return }
          pairs.append(key, slot)
        }
      }
    }

    init(storage: LayerStorage) { self.storage = storage }

    /// The number of attributes.
    public var count: Int { storage.map.table.count }

    /// The attributes as a map value, copied out.
    public var value: Value { Value(storage.map) }
  }
}

/// The memory of a layer: an arena with everything that its table refers to.
final class LayerStorage: @unchecked Sendable {
  /// The table as given, and as the superscript dialect reads it. Both live in `arena`.
  let map: Slot
  private let normalizedMap: Slot
  /// The shapes of the two tables.
  private let shape: Shape
  private let normalizedShape: Shape
  /// Owns the memory, perhaps together with other layers of the same document.
  private let arena: FrozenArena

  static let empty = LayerStorage(count: 0) { _, _ in }

  /// The keys and values of a table that is being filled.
  struct Pairs: ~Copyable {
    private let slots: UnsafeMutableBufferPointer<Slot>
    private(set) var filled = 0

    init(_ slots: UnsafeMutableBufferPointer<Slot>) { self.slots = slots }

    /// Adds an entry; what does not fit the promised count is dropped.
    mutating func append(_ key: Slot, _ value: Slot) {
      guard filled &+ 1 < slots.count else { return }
      slots[filled] = key
      slots[filled &+ 1] = value
      filled &+= 2
    }

    /// Puts the entries in canonical order.
    fileprivate func sort() {
      CanonicalOrder.sort(UnsafeMutableBufferPointer(rebasing: slots[..<filled]))
    }
  }

  /// Builds a layer of at most `count` entries, which `fill` adds; of equal keys the last one wins.
  convenience init(count: Int, fill: (inout Pairs, inout Arena) -> Void) {
    var arena = Arena(firstChunk: 256 &+ 128 &* count)
    let map = withUnsafeTemporaryAllocation(of: Slot.self, capacity: max(2 &* count, 2)) { memory in
      var pairs = Pairs(memory)
      fill(&pairs, &arena)
      pairs.sort()
      return Self.build(UnsafeBufferPointer(rebasing: memory[..<pairs.filled]), in: &arena)
    }
    self.init(map: map, in: arena)
  }

  /// Takes over a table that was built in `arena`, with everything that it refers to.
  convenience init(map: Slot, in arena: consuming Arena) {
    let normalized = map.normalized(in: &arena)
    self.init(map: map, normalized: normalized ?? map, arena: FrozenArena(arena))
  }

  /// Puts together two tables that `arena` owns.
  init(map: Slot, normalized: Slot, arena: FrozenArena) {
    self.map = map
    normalizedMap = normalized
    shape = ShapeRegistry.shape(of: map.table)
    normalizedShape =
      normalized.word0 == map.word0 ? shape : ShapeRegistry.shape(of: normalized.table)
    self.arena = arena
  }

  private static func build(
    _ pairs: UnsafeBufferPointer<Slot>, in arena: inout Arena
  ) -> Slot {
    // The arena has no limit and duplicates are allowed, so that building cannot fail.
    (try? MapTable.build(pairs, duplicates: .lastWins, crossNumeric: false, in: &arena)) ?? .null
  }

  /// Whether there is an attribute of that name.
  func contains(_ name: String) -> Bool {
    var name = name
    return name.withUTF8 { bytes in
      var arena = Arena(firstChunk: bytes.count &+ 64)
      guard let key = arena.copy(bytes, as: .string) else { return false }
      return map.table.find(key, crossNumeric: false) != nil
    }
  }

  func shape(_ form: ValueForm) -> Shape { form == .asGiven ? shape : normalizedShape }

  func address(_ form: ValueForm) -> UInt {
    UInt((form == .asGiven ? map : normalizedMap).word0)
  }
}

/// An arena that is only kept alive, never used again, and therefore safe to share.
final class FrozenArena: @unchecked Sendable {
  // Nothing reads or writes the arena's bookkeeping after `init`; `deinit` frees its memory.
  private let arena: Arena

  init(_ arena: consuming Arena) { self.arena = arena }
}
