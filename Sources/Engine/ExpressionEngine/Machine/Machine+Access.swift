// Members, indexes, truth (docs/spec/superscript.md §8, §9; docs/spec/cel.md §9).

extension Machine {
  /// Returns `receiver[index]`, or an error slot if it has no result.
  @inline(never)
  mutating func element(of receiver: Slot, at index: Slot) -> Slot {
    switch receiver.tag {
    case .list: return listElement(receiver, index)
    case .map: return mapValue(receiver, index)
    case .optional: return optionalElement(of: receiver, at: index)
    case .string where rules.contains(.indexesStrings) && index.isA(.int):
      return byteOfString(receiver, index.intValue)
    default: return fail(.notIndexable, receiver, index)
    }
  }

  private mutating func listElement(_ list: Slot, _ index: Slot) -> Slot {
    let number = rules.contains(.numericIndexes) ? index.integralKey : index
    let position: Int64
    switch number.tag {
    case .int: position = number.intValue
    case .uint where rules.contains(.numericIndexes):
      position = Int64(clamping: number.uintValue)
    default: return fail(.listIndex, index)
    }
    guard position >= 0, position < Int64(list.aux) else {
      return rules.contains(.lenientIndex) ? .null : fail(.indexOutOfRange, index, list)
    }
    return list.elements[Int(position)]
  }

  private mutating func mapValue(_ map: Slot, _ index: Slot) -> Slot {
    let key = rules.contains(.crossNumericKeys) ? index.integralKey : index
    switch key.tag {
    case .string, .bool, .int, .uint:
      if key.isA(.string), !spend(bytes: key.aux) { return failed }
      if let value = map.table.find(key, crossNumeric: true) { return value.pointee }
      return rules.contains(.lenientIndex) ? .null : fail(.noSuchKey, index)
    default:
      return rules.contains(.lenientIndex) ? fail(.mapIndex, index) : fail(.noSuchKey, index)
    }
  }

  /// Returns the character that starts at a byte offset if it is one byte long, otherwise null.
  private mutating func byteOfString(_ string: Slot, _ offset: Int64) -> Slot {
    guard offset >= 0, offset < Int64(string.aux) else { return .null }
    let byte = string.byteBuffer[Int(offset)]
    guard byte < 0x80, let start = arena.allocateBytes(1) else { return .null }
    start.storeBytes(of: byte, as: UInt8.self)
    return Slot(.string, at: start, count: 1)
  }
}

extension Slot {
  /// Whether the superscript dialect treats the value as true (docs/spec/superscript.md §8).
  @inline(__always) var isTruthy: Bool {
    if isA(.bool) { return boolValue }
    return isTruthyOther
  }

  @inline(never)
  private var isTruthyOther: Bool {
    switch tag {
    case .bool, .int, .uint: return word0 != 0
    case .double: return doubleValue != 0
    case .string, .bytes, .list, .map: return aux != 0
    case .timestamp:
      // True after 1970, as far as 64-bit nanoseconds reach.
      let instant = Value.Duration(seconds: intValue, nanoseconds: aux)
      return instant.totalNanoseconds.map { $0 > 0 } ?? false
    case .duration:
      return durationValue.totalNanoseconds.map { $0 != 0 } ?? false
    case .null, .function, .type, .optional, .network, .builder, .iterator, .error: return false
    }
  }
}
