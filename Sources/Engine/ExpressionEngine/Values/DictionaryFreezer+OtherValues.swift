// Values that are not of the common types.

extension DictionaryFreezer {
  mutating func uncommon(_ value: Any, _ arena: inout Arena) -> Slot? {
    switch value {
    case let value as Value: return Slot.make(value, in: &arena) ?? unsupported(.tooDeep)
    case let value as any AnyOptional:
      guard let wrapped = value.wrapped else { return missing(isNil: true) }
      return slot(of: wrapped, &arena)
    default: break
    }
    // This comes before the casts below, which would unbox numbers in only one way.
    if let known = foreign(value) { return slot(of: known, original: value, &arena) }
    if rules.isLossless { return lossless(value, &arena) }
    switch value {
    case let value as String: return string(value, &arena)
    case let value as UInt64: return .uint(value)
    case let value as Int64: return rules.keepsWidths ? unsigned(value) : .int(value)
    case let value as UInt: return rules.keepsWidths ? unsigned(value) : integer(value)
    case let value as any BinaryInteger: return integer(value)
    case let value as any BinaryFloatingPoint:
      return rules.keepsWidths ? double(Double(value)) : truncated(Double(value))
    case let value as [Any]: return list(value, &arena)
    case let value as [String: Any]: return map(value, &arena)
    case let value as [AnyHashable: Any]: return looseMap(value, &arena)
    default: return text(of: value, &arena) ?? unsupported(.unsupportedType)
    }
  }

  /// Converts a value with all that it holds.
  private mutating func lossless(_ value: Any, _ arena: inout Arena) -> Slot? {
    if let duration = Value.Duration(swiftDuration: value) {
      return Slot.make(.duration(duration), in: &arena)
    }
    switch value {
    case let value as String: return string(value, &arena)
    case let value as Substring: return string(String(value), &arena)
    case let value as Character: return string(String(value), &arena)
    case let value as any BinaryInteger: return number(value)
    case let value as any BinaryFloatingPoint: return .double(Double(shortest: value))
    case let value as [Any]: return list(value, &arena)
    case let value as [String: Any]: return map(value, &arena)
    case let value as [AnyHashable: Any]: return looseMap(value, &arena)
    case let value as Set<AnyHashable>: return list(value.map(\.base), &arena)
    default: break
    }
    if let encoded = try? encode(value) {
      return Slot.make(encoded, in: &arena) ?? unsupported(.tooDeep)
    }
    if let value = value as? any RawRepresentable { return slot(of: value.rawValue, &arena) }
    return unsupported(.unsupportedType, of: value)
  }

  /// Returns an integer as an int or, where it fits none, a uint; one of more than 64 bits becomes
  /// a double.
  mutating func number(_ value: some BinaryInteger) -> Slot {
    if let int = Int64(exactly: value) { return .int(int) }
    if let uint = UInt64(exactly: value) { return .uint(uint) }
    note(.inexactNumber, .truncated)
    return .double(Double(value))
  }

  mutating func slot(
    of value: ForeignValue, original: Any, _ arena: inout Arena
  ) -> Slot? {
    if rules.isLossless, let slot = lossless(value, &arena) { return slot }
    switch value {
    case .bool(let value): return .bool(value)
    case .int(let value): return .int(value)
    case .uint(let value): return .uint(value)
    case .double(let value):
      // The SDKs take a whole number for an integer, regardless of how it was boxed.
      return Int64(exactly: value).map { .int($0) } ?? UInt64(exactly: value).map { .uint($0) }
        ?? double(value)
    case .wide(let value):
      return text(of: original, &arena) ?? truncated(value)
    case .null: return missing(isNil: false)
    case .date(let seconds):
      if rules.turnsDatesIntoText, depth == 0, let text = Self.isoText(secondsSince1970: seconds) {
        return arena.copy(text)
      }
      return text(of: original, &arena) ?? unsupported(.date)
    case .url(let text):
      if rules.turnsDatesIntoText, depth == 0 { return string(text, &arena) }
      return self.text(of: original, &arena) ?? unsupported(.url)
    case .data(let octets):
      if let text = text(of: original, &arena) { return text }
      guard !rules.dropsUnsupported || (depth > 0 && !rules.requiresJSON) else {
        return unsupported(.data)
      }
      return octets.withUnsafeBufferPointer { arena.copy($0, as: .bytes) }
    }
  }

  /// Converts a foreign value with all that it holds; `nil` for one that all rules treat alike.
  private mutating func lossless(_ value: ForeignValue, _ arena: inout Arena) -> Slot? {
    switch value {
    case .date(let seconds):
      return Value.Timestamp(secondsSince1970: seconds)
        .flatMap { Slot.make(.timestamp($0), in: &arena) }
    case .url(let text): return string(text, &arena)
    case .data(let octets):
      return octets.withUnsafeBufferPointer { arena.copy($0, as: .bytes) }
    case .wide(let number), .double(let number): return .double(number)
    case .uint(let number): return self.number(number)
    case .bool, .int, .null: return nil
    }
  }

  /// Returns the text form of a value of unknown type, if the rules substitute it.
  mutating func text(of value: Any, _ arena: inout Arena) -> Slot? {
    guard let least = rules.textDepth, depth >= least else { return nil }
    note(.unsupportedType, .text)
    return string(String(describing: value), &arena)
  }

  private mutating func missing(isNil: Bool) -> Slot? {
    if rules.isLossless { return .null }
    if isNil, depth == 0, rules.dropsUnsupported { return note(.null, .dropped) }
    if rules.keepsWidths { return .null }
    note(.null, .emptyMap)
    return LayerStorage.emptyMap
  }

  /// Handles a value that has no counterpart: drops the attribute, or substitutes an empty map, in
  /// a lossless conversion null.
  mutating func unsupported(
    _ reason: Report.Reason, dropsAtTop: Bool = false, of value: Any? = nil
  ) -> Slot? {
    let isTop = depth == 0
    if rules.isLossless {
      note(reason, isTop ? .dropped : .null, type: value.map { "\(type(of: $0))" })
      return isTop ? nil : .null
    }
    if rules.requiresJSON || (isTop && (dropsAtTop || rules.dropsUnsupported)) {
      return note(reason, .dropped)
    }
    note(reason, .emptyMap)
    return LayerStorage.emptyMap
  }

  /// Reports the effect on the current value. Always returns `nil`.
  @discardableResult
  mutating func note(
    _ reason: Report.Reason, _ effect: Report.Effect, type: @autoclosure () -> String? = nil
  ) -> Slot? {
    report?.entries.append(
      .init(path: path.joined(), reason: reason, effect: effect, type: type()))
    return nil
  }

  /// Returns the text `2024-02-29T12:34:56.789Z`, or `nil` for an instant that has no such text.
  private static func isoText(secondsSince1970: Double) -> String? {
    guard let milliseconds = Int64(exactly: (secondsSince1970 * 1000).rounded(.down)) else {
      return nil
    }
    let (quotient, remainder) = milliseconds.quotientAndRemainder(dividingBy: 1000)
    let fraction = remainder < 0 ? remainder + 1000 : remainder
    let seconds = remainder < 0 ? quotient - 1 : quotient
    // The text ends with `Z`, because the offset is zero.
    let text = Value.Timestamp(seconds: seconds).rfc3339Text.dropLast()
    let digits = String(fraction)
    return "\(text).\(String(repeating: "0", count: 3 - digits.utf8.count))\(digits)Z"
  }
}

/// An optional of any type.
private protocol AnyOptional {
  /// The content.
  var wrapped: Any? { get }
}

extension Optional: AnyOptional {
  fileprivate var wrapped: Any? { self }
}
