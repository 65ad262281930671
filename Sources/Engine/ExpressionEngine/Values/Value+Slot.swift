// Conversion between the public ``Value`` and the machine's ``Slot``.

/// The maximum depth of values that cross the border of the engine.
///
/// Deeper parts become null on the way in and make a result too large. JSON is limited to 128
/// levels as well, so only values built by hand and values that a filter nests reach the limit.
/// Code that walks a value recurses this deep.
package let maximumValueDepth = 128

extension Slot {
  /// Copies a value into an arena.
  ///
  /// - Returns: The slot, or `nil` when the arena is exhausted.
  /// - Complexity: O(size of the value).
  static func make(_ value: Value, in arena: inout Arena, depth: Int = 0) -> Slot? {
    guard depth < maximumValueDepth else { return .null }
    switch value {
    case .null: return .null
    case .bool(let bool): return .bool(bool)
    case .int(let int): return .int(int)
    case .uint(let uint): return .uint(uint)
    case .double(let double): return .double(double)
    case .string(let string): return arena.copy(string)
    case .bytes(let bytes): return bytes.withUnsafeBufferPointer { arena.copy($0, as: .bytes) }
    case .list(let values): return makeList(values, in: &arena, depth: depth)
    case .map(let entries): return makeMap(entries, in: &arena, depth: depth)
    case .timestamp(let timestamp): return .timestamp(timestamp)
    case .duration(let duration): return .duration(duration)
    case .function(let name, let receiver):
      guard let nameSlot = arena.copy(name) else { return nil }
      var receiverSlot: Slot?
      if let receiver {
        guard let slot = make(receiver, in: &arena, depth: depth + 1) else { return nil }
        receiverSlot = slot
      }
      return makeFunction(name: nameSlot, receiver: receiverSlot, in: &arena)
    case .type(let name): return arena.copy(name, as: .type)
    case .optional(let content):
      guard let content else { return Slot(.optional, 0) }
      guard let slot = make(content, in: &arena, depth: depth + 1) else { return nil }
      return makeOptional(slot, in: &arena)
    case .network(let network):
      return network.octets.withUnsafeBufferPointer { octets in
        arena.copy(octets, as: .network).map { slot in
          Slot(
            .network, at: slot.address, count: slot.aux,
            extra: network.prefixLength.map { UInt16($0) + 1 } ?? 0)
        }
      }
    }
  }

  private static func makeList(_ values: [Value], in arena: inout Arena, depth: Int) -> Slot? {
    guard let count = UInt32(exactly: values.count),
      let memory = arena.allocate(max(values.count, 1) &* MemoryLayout<Slot>.stride)
    else { return nil }
    let slots = memory.bindMemory(to: Slot.self, capacity: max(values.count, 1))
    for (index, value) in values.enumerated() {
      guard let slot = make(value, in: &arena, depth: depth + 1) else { return nil }
      slots[index] = slot
    }
    return Slot(.list, at: memory, count: count)
  }

  private static func makeMap(
    _ entries: [Value.Key: Value], in arena: inout Arena, depth: Int
  ) -> Slot? {
    withUnsafeTemporaryAllocation(of: Slot.self, capacity: max(2 * entries.count, 1)) { pairs in
      var filled = 0
      for (key, value) in entries {
        guard let keySlot = make(key, in: &arena),
          let valueSlot = make(value, in: &arena, depth: depth + 1)
        else { return nil }
        pairs[filled] = keySlot
        pairs[filled + 1] = valueSlot
        filled += 2
      }
      return try? MapTable.build(
        UnsafeBufferPointer(rebasing: pairs[..<filled]), duplicates: .lastWins,
        crossNumeric: false, in: &arena)
    }
  }

  /// Copies a map key into an arena.
  static func make(_ key: Value.Key, in arena: inout Arena) -> Slot? {
    switch key {
    case .bool(let bool): .bool(bool)
    case .int(let int): .int(int)
    case .uint(let uint): .uint(uint)
    case .string(let string): arena.copy(string)
    }
  }

  /// Creates a function slot from the slots of its name and its receiver.
  static func makeFunction(name: Slot, receiver: Slot?, in arena: inout Arena) -> Slot? {
    guard let memory = arena.allocate(2 * MemoryLayout<Slot>.stride) else { return nil }
    let slots = memory.bindMemory(to: Slot.self, capacity: 2)
    slots[0] = name
    slots[1] = receiver ?? .null
    return Slot(.function, at: memory, count: 2, extra: receiver == nil ? 0 : 1)
  }

  /// Creates an optional slot that holds `content`.
  static func makeOptional(_ content: Slot, in arena: inout Arena) -> Slot? {
    guard let memory = arena.allocate(MemoryLayout<Slot>.stride) else { return nil }
    memory.bindMemory(to: Slot.self, capacity: 1).pointee = content
    return Slot(.optional, at: memory, count: 1)
  }

  /// The content of an optional slot, or `nil` when it is empty.
  var optionalContent: Slot? {
    word0 == 0 ? nil : address.load(as: Slot.self)
  }

  /// The name and receiver of a function slot.
  var functionParts: (name: Slot, receiver: Slot?) {
    let slots = address.assumingMemoryBound(to: Slot.self)
    return (slots[0], extra == 0 ? nil : slots[1])
  }
}

extension Value {
  /// Creates a copy of a slot's content, independent of the memory that the slot borrows.
  ///
  /// - Complexity: O(size of the value).
  init(_ slot: Slot) {
    var budget = Int.max
    self.init(slot, budget: &budget, depth: 0)
  }

  /// Returns a copy of a slot's content, unless it has too many parts or nests too deep.
  ///
  /// A list may contain another list many times, so that little memory can hold a very large value,
  /// and loops can nest lists deeper than any filter.
  ///
  /// - Parameter parts: The maximum number of parts of the copy.
  /// - Returns: `nil` when the value has more parts, or nests deeper than ``maximumValueDepth``.
  static func copy(_ slot: Slot, parts: Int) -> Value? {
    var budget = parts
    let value = Value(slot, budget: &budget, depth: 0)
    // Written out, because `nil` alone would be the null value.
    return budget < 0 ? Optional.none : value
  }

  private init(_ slot: Slot, budget: inout Int, depth: Int) {
    if depth > maximumValueDepth { budget = -1 }
    guard budget >= 0 else {
      self = .null
      return
    }
    switch slot.tag {
    case .null, .builder, .iterator, .error: self = .null
    case .bool: self = .bool(slot.boolValue)
    case .int: self = .int(slot.intValue)
    case .uint: self = .uint(slot.uintValue)
    case .double: self = .double(slot.doubleValue)
    case .string, .bytes:
      budget &-= Int(slot.aux) / MemoryLayout<Slot>.stride
      guard budget >= 0 else {
        self = .null
        return
      }
      self = slot.isA(.string) ? .string(slot.text) : .bytes(Array(slot.byteBuffer))
    case .list:
      budget &-= Int(slot.aux)
      var elements: [Value] = []
      if budget >= 0 { elements.reserveCapacity(Int(slot.aux)) }
      for element in slot.elements where budget >= 0 {
        elements.append(Value(element, budget: &budget, depth: depth &+ 1))
      }
      self = .list(elements)
    case .map:
      let table = slot.table
      budget &-= table.count
      var entries: [Key: Value] = [:]
      if budget >= 0 { entries.reserveCapacity(table.count) }
      for index in 0..<table.count where budget >= 0 {
        entries[Key(table.key(index))] = Value(
          table.value(index), budget: &budget, depth: depth &+ 1)
      }
      self = .map(entries)
    case .timestamp: self = .timestamp(slot.timestampValue)
    case .duration: self = .duration(slot.durationValue)
    case .function:
      let (name, receiver) = slot.functionParts
      self = .function(
        name: name.text, receiver: receiver.map { Value($0, budget: &budget, depth: depth &+ 1) })
    case .type: self = .type(slot.text)
    case .optional:
      self = .optional(
        slot.optionalContent.map { Value($0, budget: &budget, depth: depth &+ 1) })
    case .network:
      self = .network(
        NetworkValue(
          octets: Array(slot.byteBuffer),
          prefixLength: slot.extra == 0 ? nil : UInt8(truncatingIfNeeded: slot.extra &- 1)))
    }
  }
}

extension Value.Key {
  /// Creates the key that a slot of a map table holds.
  init(_ slot: Slot) {
    switch slot.tag {
    case .bool: self = .bool(slot.boolValue)
    case .int: self = .int(slot.intValue)
    case .uint: self = .uint(slot.uintValue)
    default: self = .string(slot.text)
    }
  }
}

// MARK: - The normalized form

extension Slot {
  /// Whether ``normalized(in:)`` would change the value.
  ///
  /// The superscript dialect reads the strings `true` and `false` as bools and timestamps as their
  /// whole seconds, at any depth of a variable (docs/spec/superscript.md §1 and §4). Map keys are
  /// unchanged.
  var needsNormalization: Bool {
    switch tag {
    case .string: return isBoolWord
    case .timestamp: return true
    case .list: return Self.needNormalization(elements, from: 0, by: 1)
    case .map: return Self.needNormalization(table.entries, from: 1, by: 2)
    default: return false
    }
  }

  @inline(__always)
  private static func needNormalization(
    _ slots: UnsafeBufferPointer<Slot>, from start: Int, by step: Int
  ) -> Bool {
    var index = start
    while index < slots.count {
      // The tags of scalar values are the lowest.
      let slot = slots[index]
      if slot.tagByte >= SlotTag.string.rawValue,
        slot.isA(.string) ? slot.isBoolWord : slot.needsNormalization
      {
        return true
      }
      index &+= step
    }
    return false
  }

  /// Whether a string slot spells `true` or `false`.
  @inline(__always)
  var isBoolWord: Bool {
    guard aux == 4 || aux == 5 else { return false }
    // Strings are padded with zeros to whole words.
    let word = UInt64(littleEndian: address.load(as: UInt64.self))
    return word == (aux == 4 ? 0x6575_7274 : 0x65_736C_6166)
  }

  /// Returns the value as the superscript dialect reads it. Unchanged parts are shared, not copied.
  func normalized(in arena: inout Arena) -> Slot? {
    guard needsNormalization else { return self }
    switch tag {
    case .string: return .bool(aux == 4)
    case .timestamp: return .int(intValue)
    case .list:
      guard let copy = arena.copyList(elements) else { return nil }
      let slots = UnsafeMutablePointer(
        mutating: copy.address.assumingMemoryBound(to: Slot.self))
      for index in 0..<Int(aux) {
        guard let slot = slots[index].normalized(in: &arena) else { return nil }
        slots[index] = slot
      }
      return copy
    case .map:
      let entries = table.entries
      return withUnsafeTemporaryAllocation(of: Slot.self, capacity: max(entries.count, 1)) {
        pairs in
        for index in 0..<entries.count {
          guard index % 2 == 1 else {
            pairs[index] = entries[index]
            continue
          }
          guard let slot = entries[index].normalized(in: &arena) else { return nil }
          pairs[index] = slot
        }
        return try? MapTable.build(
          UnsafeBufferPointer(rebasing: pairs[..<entries.count]), duplicates: .lastWins,
          crossNumeric: false, in: &arena)
      }
    default: return self
    }
  }
}
