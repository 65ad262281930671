// Lists, maps and strings that an evaluation builds in its arena.

extension Machine {
  /// Starts a loop over the elements of a list or, where allowed, the keys of a map.
  mutating func beginLoop(over source: Slot, takesMaps: Bool) -> Slot {
    if source.isA(.list) { return Slot(.iterator, source.word0, aux: source.aux, extra: 1) }
    guard source.isA(.map), takesMaps else { return fail(.unexpectedType) }
    return Slot(.iterator, at: source.table.entries.baseAddress, count: source.aux, extra: 2)
  }

  /// Starts a list or map with room for `capacity` slots.
  mutating func beginBuilder(capacity: Int) -> Slot {
    guard let memory = arena.allocate(MemoryLayout<SlotBuffer>.stride),
      let buffer = SlotBuffer(capacity: min(capacity, 1 << 20), in: &arena)
    else { return fail(.memoryLimit) }
    memory.bindMemory(to: SlotBuffer.self, capacity: 1).initialize(to: buffer)
    return Slot(.builder, at: memory, count: 0)
  }

  /// Appends a slot to a list or map under construction. Returns `false` when the arena is
  /// exhausted.
  mutating func append(_ slot: Slot, to builder: Slot) -> Bool {
    builder.buffer.pointee.append(slot, in: &arena)
  }

  /// Returns the finished list.
  func finishedList(_ builder: Slot) -> Slot {
    let slots = builder.buffer.pointee.slots
    return Slot(.list, at: slots.baseAddress, count: UInt32(truncatingIfNeeded: slots.count))
  }

  /// Adds an entry to a map under construction. Returns null or an error slot.
  mutating func insert(_ key: Slot, _ value: Slot, into builder: Slot) -> Slot {
    switch key.tag {
    case .string, .bool, .int, .uint: break
    default: return fail(.unusableKey, key)
    }
    guard append(key, to: builder), append(value, to: builder) else { return fail(.memoryLimit) }
    return .null
  }

  /// Returns the finished map.
  mutating func finishedMap(_ builder: Slot) -> Slot {
    makeMap(
      builder.buffer.pointee.slots,
      duplicates: rules.contains(.uniqueLiteralKeys) ? .reject : .lastWins)
  }

  /// Returns a map with the entries of both. Those of `top` win.
  mutating func overlay(_ top: Slot, over base: Slot) -> Slot {
    guard top.isA(.map) else { return base }
    guard base.isA(.map), base.table.count > 0 else { return top }
    // A loop reads them repeatedly.
    if let overlaid, overlaid.top.isSame(as: top), overlaid.base.isSame(as: base) {
      return overlaid.result
    }
    let result = joinMaps(base, top)
    if result.isA(.map) { overlaid = (top, base, result) }
    return result
  }

  /// Returns a reference to a function, with its receiver.
  mutating func function(named name: Slot, of receiver: Slot) -> Slot {
    orOutOfMemory(Slot.makeFunction(name: name, receiver: receiver, in: &arena))
  }

  /// Calls a host function with copies of the arguments and copies its result into the arena.
  @inline(never)
  mutating func callHost(
    _ reference: HostFunctionReference, _ arguments: UnsafeBufferPointer<Slot>,
    hostState: HostStateValue?
  ) -> Slot {
    let function: FilterEnvironment.HostFunction
    var result = SlotKinds.any
    switch reference.form {
    case .function(let only): function = only
    case .overloads(let overloads):
      guard let overload = overloads.first(where: { $0.accepts(arguments) }) else {
        return failWithoutOverload(arguments)
      }
      function = overload.function.body
      result = overload.result
    }
    let copies = arguments.compactMap { Value.copy($0, parts: largestCopy) }
    guard copies.count == arguments.count else { return fail(.memoryLimit) }
    do {
      let answer = try function(copies, hostState)
      guard let slot = Slot.make(answer, in: &arena) else { return fail(.memoryLimit) }
      guard result.contains(tagOf: slot) else {
        cause = .host(
          HostFunctionError("the result is of kind \(slot.kindName), which its type does not allow")
        )
        return fail(.hostFailed)
      }
      return rules.contains(.normalizesAnswers)
        ? orOutOfMemory(slot.normalized(in: &arena)) : slot
    } catch {
      cause = .host(error)
      return fail(.hostFailed)
    }
  }
}

extension Slot {
  /// The row of a builder slot.
  fileprivate var buffer: UnsafeMutablePointer<SlotBuffer> {
    UnsafeMutablePointer(mutating: address.assumingMemoryBound(to: SlotBuffer.self))
  }

  /// Returns whether the text starts with another.
  @inline(__always)
  func hasPrefix(_ prefix: Slot) -> Bool {
    guard prefix.aux <= aux else { return false }
    let count = Int(prefix.aux)
    var offset = 0
    while offset &+ 8 <= count {
      guard word(at: offset) == prefix.word(at: offset) else { return false }
      offset &+= 8
    }
    // Both texts are padded, so the last word can be read whole; bytes after the prefix are shifted
    // out.
    return offset == count
      || (word(at: offset) ^ prefix.word(at: offset)) &<< UInt64(64 &- 8 &* (count &- offset)) == 0
  }

  /// Returns whether the text ends with another.
  @inline(__always)
  func hasSuffix(_ suffix: Slot) -> Bool {
    guard suffix.aux <= aux, suffix.aux != 0 else { return suffix.aux == 0 }
    let count = Int(suffix.aux)
    if count < 8 {
      // The last bytes of the text, shifted to the positions they have in the suffix.
      let end = aux >= 8 ? word(at: Int(aux) &- 8) : word(at: 0) &<< UInt64(64 &- 8 &* Int(aux))
      return end &>> UInt64(64 &- 8 &* count) == suffix.word(at: 0)
    }
    let start = Int(aux) &- count
    var offset = 0
    while offset &+ 8 <= count {
      guard word(at: start &+ offset) == suffix.word(at: offset) else { return false }
      offset &+= 8
    }
    // The last word overlaps the previous one.
    return word(at: start &+ count &- 8) == suffix.word(at: count &- 8)
  }

  /// Eight bytes of the text, the first one lowest.
  @inline(__always)
  private func word(at offset: Int) -> UInt64 {
    UInt64(littleEndian: address.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }
}
