// Lists, maps and strings that an evaluation builds in its arena.

extension Machine {
  /// The start of a loop over the elements of a list or, where that is allowed, the keys of a map.
  mutating func beginLoop(over source: Slot, takesMaps: Bool) -> Slot {
    if source.isA(.list) { return Slot(.iterator, source.word0, aux: source.aux, extra: 1) }
    guard source.isA(.map), takesMaps else { return fail(.unexpectedType) }
    return Slot(.iterator, at: source.table.entries.baseAddress, count: source.aux, extra: 2)
  }

  /// A list or map under construction, with room for `capacity` slots.
  mutating func beginBuilder(capacity: Int) -> Slot {
    guard let memory = arena.allocate(MemoryLayout<SlotBuffer>.stride),
      let buffer = SlotBuffer(capacity: min(capacity, 1 << 20), in: &arena)
    else { return fail(.memoryLimit) }
    memory.bindMemory(to: SlotBuffer.self, capacity: 1).initialize(to: buffer)
    return Slot(.builder, at: memory, count: 0)
  }

  /// Adds a slot to a list or map under construction; `false` when the arena is exhausted.
  mutating func append(_ slot: Slot, to builder: Slot) -> Bool {
    builder.buffer.pointee.append(slot, in: &arena)
  }

  /// The list that was under construction.
  func finishedList(_ builder: Slot) -> Slot {
    let slots = builder.buffer.pointee.slots
    return Slot(.list, at: slots.baseAddress, count: UInt32(truncatingIfNeeded: slots.count))
  }

  /// Adds an entry to a map under construction; answers null or an error slot.
  mutating func insert(_ key: Slot, _ value: Slot, into builder: Slot) -> Slot {
    switch key.tag {
    case .string, .bool, .int, .uint: break
    default: return fail(.unusableKey, key)
    }
    guard append(key, to: builder), append(value, to: builder) else { return fail(.memoryLimit) }
    return .null
  }

  /// The map that was under construction.
  mutating func finishedMap(_ builder: Slot) -> Slot {
    makeMap(
      builder.buffer.pointee.slots,
      duplicates: rules.contains(.uniqueLiteralKeys) ? .reject : .lastWins)
  }

  /// A map with the entries of both; those of `top` win.
  mutating func overlay(_ top: Slot, over base: Slot) -> Slot {
    guard top.isA(.map) else { return base }
    guard base.isA(.map) else { return top }
    guard var pairs = SlotBuffer(capacity: 2 &* (top.table.count &+ base.table.count), in: &arena)
    else { return fail(.memoryLimit) }
    for slot in base.table.entries where !pairs.append(slot, in: &arena) {
      return fail(.memoryLimit)
    }
    for slot in top.table.entries where !pairs.append(slot, in: &arena) {
      return fail(.memoryLimit)
    }
    return makeMap(pairs.slots, duplicates: .lastWins)
  }

  /// A reference to a function, with its receiver.
  mutating func function(named name: Slot, of receiver: Slot) -> Slot {
    orOutOfMemory(Slot.makeFunction(name: name, receiver: receiver, in: &arena))
  }

  /// Calls a host function with copies of the arguments and copies its answer into the arena.
  @inline(never)
  mutating func callHost(
    _ reference: HostFunctionReference, _ arguments: UnsafeBufferPointer<Slot>,
    hostState: (any Sendable)?
  ) -> Slot {
    let copies = arguments.compactMap { Value.copy($0, parts: largestCopy) }
    guard copies.count == arguments.count else { return fail(.memoryLimit) }
    do {
      let answer = try reference.function(copies, hostState)
      guard let slot = Slot.make(answer, in: &arena) else { return fail(.memoryLimit) }
      return rules.contains(.normalizesAnswers)
        ? orOutOfMemory(slot.normalized(in: &arena)) : slot
    } catch {
      cause = error
      return fail(.hostFailed)
    }
  }
}

extension Slot {
  /// The row of a builder slot.
  fileprivate var buffer: UnsafeMutablePointer<SlotBuffer> {
    UnsafeMutablePointer(mutating: address.assumingMemoryBound(to: SlotBuffer.self))
  }

  /// Whether the text starts with another.
  @inline(__always)
  func hasPrefix(_ prefix: Slot) -> Bool {
    prefix.aux <= aux && Self.equalBytes(address, prefix.address, count: Int(prefix.aux))
  }

  /// Whether the text ends with another.
  @inline(__always)
  func hasSuffix(_ suffix: Slot) -> Bool {
    suffix.aux <= aux
      && Self.equalBytes(
        address + (Int(aux) &- Int(suffix.aux)), suffix.address, count: Int(suffix.aux))
  }

  /// Compares bytes that need not be padded: whole words, then a last word that overlaps them.
  @inline(__always)
  private static func equalBytes(
    _ a: UnsafeRawPointer, _ b: UnsafeRawPointer, count: Int
  ) -> Bool {
    var offset = 0
    while offset &+ 8 <= count {
      if a.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        != b.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      {
        return false
      }
      offset &+= 8
    }
    while offset < count {
      if a.load(fromByteOffset: offset, as: UInt8.self)
        != b.load(fromByteOffset: offset, as: UInt8.self)
      {
        return false
      }
      offset &+= 1
    }
    return true
  }
}
