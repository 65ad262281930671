// Optional entries, and members of optionals (docs/spec/cel.md §14, §15).

extension Machine {
  /// Appends the content of an optional, if any, to a list under construction.
  @inline(never)
  mutating func append(optional value: Slot, to builder: Slot) -> Slot {
    guard value.isA(.optional) else { return fail(.unexpectedType, value) }
    guard let content = value.optionalContent else { return .null }
    return append(content, to: builder) ? .null : fail(.memoryLimit)
  }

  /// Adds an entry to a map under construction unless the optional value is empty.
  @inline(never)
  mutating func insert(_ key: Slot, optional value: Slot, into builder: Slot) -> Slot {
    guard value.isA(.optional) else { return fail(.unexpectedType, value) }
    guard let content = value.optionalContent else { return .null }
    return insert(key, content, into: builder)
  }

  /// Adds the entries of a map to a map under construction.
  @inline(never)
  mutating func insert(entriesOf map: Slot, into builder: Slot) -> Slot {
    guard map.isA(.map) else { return fail(.unexpectedType, map) }
    for slot in map.table.entries where !append(slot, to: builder) { return fail(.memoryLimit) }
    return .null
  }

  /// Returns the member of a value that is not a map, or of a map that does not have it.
  @inline(never)
  mutating func memberElsewhere(of receiver: Slot, named name: Slot) -> Slot {
    guard receiver.isA(.optional) else { return fail(.noSuchKey, name) }
    guard let content = receiver.optionalContent else { return receiver }
    return optionalMember(of: content, named: name)
  }

  /// `receiver.?name`: an optional of the member, empty if a map or an optional does not have it.
  mutating func optionalMember(of receiver: Slot, named name: Slot) -> Slot {
    switch receiver.tag {
    case .map:
      guard let found = receiver.table.find(name, crossNumeric: false) else {
        return Slot(.optional, 0)
      }
      return optional(found.pointee)
    case .optional: return memberElsewhere(of: receiver, named: name)
    default: return fail(.noSuchKey, name)
    }
  }

  /// `receiver[index]` of an optional receiver: an optional of the element.
  @inline(never)
  mutating func optionalElement(of receiver: Slot, at index: Slot) -> Slot {
    var receiver = receiver
    if receiver.isA(.optional) {
      guard let content = receiver.optionalContent else { return receiver }
      receiver = content
    }
    switch receiver.tag {
    case .list, .map, .optional: break
    default: return fail(.notIndexable, receiver, index)
    }
    let found = element(of: receiver, at: index)
    if found.isA(.error) {
      switch failure.code {
      case .noSuchKey where receiver.isA(.map), .indexOutOfRange where receiver.isA(.list):
        return Slot(.optional, 0)
      default: return found
      }
    }
    // Indexing a nested optional has already made an optional of the element.
    return receiver.isA(.optional) ? found : optional(found)
  }

  /// An optional that holds a value.
  mutating func optional(_ content: Slot) -> Slot {
    orOutOfMemory(Slot.makeOptional(content, in: &arena))
  }
}
