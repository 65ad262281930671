// The standard functions of the cel dialect (docs/spec/cel.md §10–§12).

extension Machine {
  /// The number of code points, octets, elements or entries.
  mutating func celSize(_ value: Slot) -> Slot {
    value.isA(.string)
      ? .int(Int64(UTF8Text.codePointCount(value.byteBuffer))) : .int(Int64(value.aux))
  }

  mutating func celBool(_ text: Slot) -> Slot {
    switch text.text {
    case "true", "True", "TRUE", "t", "1": .bool(true)
    case "false", "False", "FALSE", "f", "0": .bool(false)
    default: fail(.invalidArgument, text)
    }
  }

  mutating func celInt(_ value: Slot) -> Slot {
    switch value.tag {
    case .uint: return Int64(exactly: value.uintValue).map { .int($0) } ?? fail(.overflow, value)
    case .double:
      // Both ends of the range are excluded; NaN is in no range.
      let number = value.doubleValue
      guard number > -0x1p63, number < 0x1p63 else { return fail(.overflow, value) }
      return .int(Int64(number))
    default:
      guard let number = try? IntegerText.parseInt(value.byteBuffer) else {
        return fail(.invalidArgument, value)
      }
      return .int(number)
    }
  }

  mutating func celUInt(_ value: Slot) -> Slot {
    switch value.tag {
    case .int: return UInt64(exactly: value.intValue).map { .uint($0) } ?? fail(.overflow, value)
    case .double:
      let number = value.doubleValue
      guard number >= 0, number < 0x1p64 else { return fail(.overflow, value) }
      return .uint(UInt64(number))
    default:
      guard let number = try? IntegerText.parseUInt(value.byteBuffer, allowsPlus: false) else {
        return fail(.invalidArgument, value)
      }
      return .uint(number)
    }
  }

  /// Returns a value as text; strings are unchanged.
  mutating func celString(_ value: Slot) -> Slot {
    var output: [UInt8] = []
    switch value.tag {
    case .bool: return string(value.boolValue ? "true" : "false")
    case .int: IntegerText.append(value.intValue, to: &output)
    case .uint: IntegerText.append(value.uintValue, to: &output)
    case .double: DoubleText.appendCEL(value.doubleValue, to: &output)
    case .timestamp: TimestampText.appendCEL(value.timestampValue, to: &output)
    case .duration: DurationText.appendCEL(value.durationValue, to: &output)
    case .bytes:
      guard UTF8Text.isValid(value.byteBuffer) else { return fail(.invalidArgument, value) }
      return Slot(.string, at: value.address, count: value.aux)
    case .network:
      guard case .network(let network) = Value(value) else { return fail(.invalidArgument, value) }
      return string(network.text)
    default: return value
    }
    return bytes(output, as: .string)
  }

  /// The type of a value, as a value.
  mutating func celType(_ value: Slot) -> Slot {
    orOutOfMemory(arena.copy(value.typeName, as: .type))
  }

  mutating func celTimestamp(_ value: Slot) -> Slot {
    if value.isA(.int) {
      guard TimeRules.cel.secondsRange.contains(value.intValue) else {
        return fail(.overflow, value)
      }
      return .timestamp(Value.Timestamp(seconds: value.intValue))
    }
    guard let instant = try? TimestampText.parse(value.byteBuffer, rules: .cel) else {
      return fail(.invalidArgument, value)
    }
    return .timestamp(instant)
  }

  /// Returns a component of an instant as a clock in a time zone shows it.
  mutating func celField(_ field: CivilTime.Field, of instant: Slot, in zone: Slot) -> Slot {
    let timestamp = instant.timestampValue
    guard
      let offset = try? TimeZoneDatabase.system.offset(
        of: zone.byteBuffer, at: timestamp.seconds)
    else { return fail(.invalidArgument, zone) }
    return .int(CivilTime(timestamp, utcOffset: offset).value(of: field))
  }
}

extension Slot {
  /// The name of the value's type in the cel dialect.
  var typeName: String {
    switch tag {
    case .null: "null_type"
    case .bool: "bool"
    case .int: "int"
    case .uint: "uint"
    case .double: "double"
    case .string: "string"
    case .bytes: "bytes"
    case .list: "list"
    case .map: "map"
    case .timestamp: "google.protobuf.Timestamp"
    case .duration: "google.protobuf.Duration"
    case .function: "function"
    case .type: "type"
    case .optional: "optional_type"
    case .network: extra == 0 ? "net.IP" : "net.CIDR"
    case .builder, .iterator, .error: "error"
    }
  }
}
