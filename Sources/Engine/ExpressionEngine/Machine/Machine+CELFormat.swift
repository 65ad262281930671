// `format` of the cel dialect (docs/spec/cel.md §18).

extension Machine {
  /// Fills in a template with the elements of a list.
  mutating func celFormat(_ template: Slot, _ arguments: Slot) -> Slot {
    let text = template.byteBuffer
    let values = arguments.elements
    var output: [UInt8] = []
    var next = 0
    var index = 0
    while index < text.count {
      let byte = text[index]
      index &+= 1
      guard byte == UInt8(ascii: "%") else {
        output.append(byte)
        continue
      }
      if index < text.count, text[index] == UInt8(ascii: "%") {
        output.append(byte)
        index &+= 1
        continue
      }
      guard let precision = Self.precision(text, &index), index < text.count else {
        return fail(.invalidArgument, template)
      }
      guard next < values.count else { return fail(.invalidArgument, template) }
      let isKnown = append(values[next], as: text[index], precision: precision, to: &output)
      if output.count > textLimit { return fail(.memoryLimit) }
      guard isKnown else { return fail(.invalidArgument, values[next]) }
      index &+= 1
      next &+= 1
    }
    return bytes(output, as: .string)
  }

  /// Reads `.digits`. Returns 6 if absent, or `nil` if digits are missing or the number is too
  /// large.
  private static func precision(_ text: UTF8Bytes, _ index: inout Int) -> Int? {
    guard index < text.count, text[index] == UInt8(ascii: ".") else { return 6 }
    index &+= 1
    let start = index
    var value = 0
    while index < text.count, text[index] &- 0x30 < 10 {
      value = value &* 10 &+ Int(text[index] &- 0x30)
      if value > DoubleText.maximumPrecision { return nil }
      index &+= 1
    }
    return index > start ? value : nil
  }

  /// Appends a value in the form of a format letter. Returns `false` if the value does not fit the
  /// letter.
  private mutating func append(
    _ value: Slot, as letter: UInt8, precision: Int, to output: inout [UInt8]
  ) -> Bool {
    switch letter {
    case UInt8(ascii: "s"): return appendPlain(value, to: &output)
    case UInt8(ascii: "d"): return value.isNumber && appendPlain(value, to: &output)
    case UInt8(ascii: "f"):
      guard value.isNumber else { return false }
      DoubleText.appendFixed(value.asDouble, precision: precision, to: &output)
    case UInt8(ascii: "e"):
      guard value.isNumber else { return false }
      DoubleText.appendScientific(value.asDouble, precision: precision, to: &output)
    case UInt8(ascii: "x"): return appendHexadecimal(value, uppercase: false, to: &output)
    case UInt8(ascii: "X"): return appendHexadecimal(value, uppercase: true, to: &output)
    case UInt8(ascii: "o"): return appendInteger(value, radix: 8, to: &output)
    case UInt8(ascii: "b"):
      guard value.isA(.bool) else { return appendInteger(value, radix: 2, to: &output) }
      output.append(value.boolValue ? 0x31 : 0x30)
    default: return false
    }
    return true
  }

  private func appendInteger(
    _ value: Slot, radix: UInt64, uppercase: Bool = false, to output: inout [UInt8]
  ) -> Bool {
    switch value.tag {
    case .int:
      IntegerText.append(value.intValue, radix: radix, uppercase: uppercase, to: &output)
    case .uint:
      IntegerText.append(value.uintValue, radix: radix, uppercase: uppercase, to: &output)
    default: return false
    }
    return true
  }

  private func appendHexadecimal(
    _ value: Slot, uppercase: Bool, to output: inout [UInt8]
  ) -> Bool {
    guard value.isA(.string) || value.isA(.bytes) else {
      return appendInteger(value, radix: 16, uppercase: uppercase, to: &output)
    }
    for byte in value.byteBuffer {
      IntegerText.append(
        UInt64(byte), radix: 16, uppercase: uppercase, minimumDigits: 2, to: &output)
    }
    return true
  }

  /// Appends a value as `%s` does. Returns `false` for an optional, a value that contains one, and
  /// one that nests deeper than ``maximumValueDepth``.
  private func appendPlain(_ value: Slot, to output: inout [UInt8], depth: Int = 0) -> Bool {
    guard depth <= maximumValueDepth else { return false }
    switch value.tag {
    case .null: output.append(contentsOf: "null".utf8)
    case .bool: output.append(contentsOf: (value.boolValue ? "true" : "false").utf8)
    case .int: IntegerText.append(value.intValue, to: &output)
    case .uint: IntegerText.append(value.uintValue, to: &output)
    case .double: DoubleText.appendCELFormat(value.doubleValue, to: &output)
    case .string, .type: output.append(contentsOf: value.byteBuffer)
    case .bytes: UTF8Text.appendLossy(value.byteBuffer, collapsingRuns: true, to: &output)
    case .timestamp: TimestampText.appendCEL(value.timestampValue, to: &output)
    case .duration: DurationText.appendCEL(value.durationValue, to: &output)
    case .network:
      guard case .network(let network) = Value(value) else { return false }
      output.append(contentsOf: network.text.utf8)
    case .list:
      output.append(UInt8(ascii: "["))
      for (index, element) in value.elements.enumerated() {
        if index > 0 { output.append(contentsOf: ", ".utf8) }
        // A list may contain another list many times, so the text may be far larger than both.
        guard output.count <= textLimit, appendPlain(element, to: &output, depth: depth &+ 1)
        else { return false }
      }
      output.append(UInt8(ascii: "]"))
    case .map: return appendEntries(of: value.table, to: &output, depth)
    case .optional, .function, .builder, .iterator, .error: return false
    }
    return true
  }

  /// Appends the entries of a map, sorted by the text of their keys.
  private func appendEntries(
    of table: MapTable, to output: inout [UInt8], _ depth: Int
  ) -> Bool {
    var entries: [(key: [UInt8], value: Slot)] = []
    entries.reserveCapacity(table.count)
    for index in 0..<table.count {
      var key: [UInt8] = []
      guard appendPlain(table.key(index), to: &key) else { return false }
      entries.append((key, table.value(index)))
    }
    entries.sort { $0.key.lexicographicallyPrecedes($1.key) }
    output.append(UInt8(ascii: "{"))
    for (index, entry) in entries.enumerated() {
      if index > 0 { output.append(contentsOf: ", ".utf8) }
      output.append(contentsOf: entry.key)
      output.append(contentsOf: ": ".utf8)
      guard output.count <= textLimit, appendPlain(entry.value, to: &output, depth: depth &+ 1)
      else { return false }
    }
    output.append(UInt8(ascii: "}"))
    return true
  }
}
