// The functions of the superscript library (docs/spec/superscript.md §10).

extension Machine {
  /// The number of bytes, elements or entries.
  mutating func size(_ value: Slot) -> Slot {
    switch value.tag {
    case .string, .bytes, .list, .map: .int(Int64(value.aux))
    default: fail(.invalidArgument, value)
    }
  }

  mutating func superscriptContains(_ collection: Slot, _ part: Slot) -> Slot {
    switch collection.tag {
    case .string:
      return .bool(part.isA(.string) && part.occurs(in: collection))
    case .list:
      return membership(part, in: collection)
    case .map:
      switch part.tag {
      case .string, .bool, .int, .uint:
        return .bool(collection.table.find(part, crossNumeric: false) != nil)
      default: return fail(.unusableKey, part)
      }
    case .bytes:
      guard part.isA(.bytes) else { return .bool(false) }
      // The reference aborts on an empty sequence.
      return part.aux == 0 ? fail(.invalidArgument) : .bool(part.occurs(in: collection))
    default:
      return .bool(false)
    }
  }

  mutating func superscriptMax(_ arguments: UnsafeBufferPointer<Slot>) -> Slot {
    var values = arguments
    if values.count == 1 {
      guard values[0].isA(.list) else { return values[0] }
      values = values[0].elements
    }
    guard var largest = values.first else { return .null }
    for value in values.dropFirst() {
      let isLarger = compare(.greater, largest, value)
      if isLarger.isA(.error) { return isLarger }
      // The last of equal values wins.
      if !isLarger.boolValue { largest = value }
    }
    return largest
  }

  mutating func superscriptString(_ value: Slot) -> Slot {
    var output: [UInt8] = []
    switch value.tag {
    case .string: return value
    case .int: IntegerText.append(value.intValue, to: &output)
    case .uint: IntegerText.append(value.uintValue, to: &output)
    case .double: DoubleText.appendSuperscript(value.doubleValue, to: &output)
    case .timestamp: TimestampText.appendSuperscript(value.timestampValue, to: &output)
    case .duration: DurationText.appendSuperscript(value.durationValue, to: &output)
    case .bytes: UTF8Text.appendLossy(value.byteBuffer, to: &output)
    default: return fail(.invalidArgument, value)
    }
    return bytes(output, as: .string)
  }

  /// Copies bytes into the arena.
  mutating func bytes(_ bytes: [UInt8], as tag: SlotTag) -> Slot {
    orOutOfMemory(bytes.withUnsafeBufferPointer { arena.copy($0, as: tag) })
  }

  mutating func superscriptDouble(_ value: Slot) -> Slot {
    switch value.tag {
    case .double: return value
    case .int, .uint: return .double(value.asDouble)
    case .string:
      guard let number = try? DoubleText.parseSuperscript(value.byteBuffer) else {
        return fail(.invalidArgument)
      }
      return .double(number)
    default: return fail(.invalidArgument, value)
    }
  }

  mutating func superscriptInt(_ value: Slot) -> Slot {
    switch value.tag {
    case .int: return value
    case .uint:
      return Int64(exactly: value.uintValue).map { .int($0) } ?? fail(.overflow, value)
    case .double:
      // Both ends of the range count as doubles, and saturate; NaN becomes 0.
      let number = value.doubleValue
      if number > Double(Int64.max) || number < Double(Int64.min) { return fail(.overflow, value) }
      return .int(DurationText.saturating(number))
    case .string:
      guard let number = try? IntegerText.parseInt(value.byteBuffer) else {
        return fail(.invalidArgument)
      }
      return .int(number)
    default: return fail(.invalidArgument, value)
    }
  }

  mutating func superscriptUInt(_ value: Slot) -> Slot {
    switch value.tag {
    case .uint: return value
    case .int:
      return UInt64(exactly: value.intValue).map { .uint($0) } ?? fail(.overflow, value)
    case .double:
      let number = value.doubleValue
      if number > Double(UInt64.max) || number < 0 { return fail(.overflow, value) }
      if number.isNaN { return .uint(0) }
      return .uint(UInt64(exactly: number.rounded(.towardZero)) ?? .max)
    case .string:
      guard let number = try? IntegerText.parseUInt(value.byteBuffer, allowsPlus: true) else {
        return fail(.invalidArgument)
      }
      return .uint(number)
    default: return fail(.invalidArgument, value)
    }
  }
}
