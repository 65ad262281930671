/// A comparison of an attribute with a constant that cannot fail, because the kind of the attribute is
/// known: one placed comparison of specialized code, taken out of its program.
struct PlacedCondition {
  /// What the attribute is compared with; it borrows memory of the program it was taken from.
  let constant: Slot
  /// The number of the attribute in the filter set.
  let attribute: UInt32
  let opcode: Opcode
  let mask: ComparisonMask

  /// Whether the condition is true.
  ///
  /// - Parameter slot: The attribute, of the kind that the condition was made for.
  @inline(__always)
  func holds(_ slot: Slot) -> Bool { mask.accepts(order(slot)) }

  /// What the machine computes before it asks the mask; see ``VM/runPlaced(_:_:_:)``.
  @inline(__always)
  private func order(_ slot: Slot) -> Int {
    switch opcode {
    case .comparePlaceInt: VM.intOrder(slot, constant)
    case .comparePlaceString: VM.sameText(slot, constant) ? 0 : 1
    case .comparePlaceBool: slot.word0 == constant.word0 ? 0 : 1
    case .orderPlaceString: Slot.byteOrder(slot, constant)
    case .comparePlaceReadings: VM.sameText(slot, constant.elements[0]) ? 0 : 1
    case .comparePlaceDouble: VM.doubleOrder(slot, constant)
    case .placeInSet: VM.isMember(slot, ofSet: constant) ? 0 : 1
    default: VM.isMember(slot, ofList: constant) ? 0 : 1
    }
  }

  /// The values that the attribute must have one of, as keys for a table, when there is a list of them.
  var keys: [Slot]? {
    guard mask == .equal else { return nil }
    switch opcode {
    case .comparePlaceInt, .comparePlaceString, .comparePlaceBool: return [constant]
    case .comparePlaceReadings: return [constant.elements[0]]
    case .comparePlaceDouble: return [Self.key(constant.asDouble)]
    case .placeInSet:
      return (0..<constant.table.count).map { constant.table.key($0) }.filter { $0.isA(.string) }
    case .placeInList: return constant.elements.filter { $0.isA(.string) }
    default: return nil
    }
  }

  /// The key that stands for the value of an attribute among ``keys``.
  @inline(__always)
  static func key(_ slot: Slot) -> Slot { slot.isA(.double) ? key(slot.doubleValue) : slot }

  /// Doubles become keys by their bits; both zeros are one.
  private static func key(_ number: Double) -> Slot { Slot(.int, (number + 0.0).bitPattern) }

  /// Whether it bounds an ordered attribute from below or from above; `nil` if it does neither.
  var bound: Bound? {
    switch opcode {
    case .comparePlaceInt, .comparePlaceDouble, .orderPlaceString: break
    default: return nil
    }
    switch mask {
    case .greater, .greaterEqual: return .lower
    case .less, .lessEqual: return .upper
    default: return nil
    }
  }

  enum Bound {
    case lower
    case upper
  }

  /// Whether every value within the bound `other` is within this one, of the same attribute and side.
  func isWiderThan(_ other: PlacedCondition) -> Bool {
    let order =
      switch opcode {
      case .comparePlaceInt: VM.intOrder(constant, other.constant)
      case .orderPlaceString: Slot.byteOrder(constant, other.constant)
      default:
        (constant.asDouble > other.constant.asDouble ? 1 : 0)
          &- (constant.asDouble < other.constant.asDouble ? 1 : 0)
      }
    if order == 0 {
      return mask.accepts(0) && !other.mask.accepts(0)
    }
    return bound == .lower ? order < 0 : order > 0
  }
}

/// Equal conditions are the same question, so that one answer does for all filters that ask it.
extension PlacedCondition: Hashable {
  static func == (a: PlacedCondition, b: PlacedCondition) -> Bool {
    a.attribute == b.attribute && a.opcode == b.opcode && a.mask == b.mask
      && isSame(a.constant, b.constant)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(attribute)
    hasher.combine(opcode)
    hasher.combine(mask)
    hasher.combine(Self.hash(constant))
  }

  private static func hash(_ slot: Slot) -> UInt64 {
    switch slot.tag {
    case .bool, .int, .uint, .double: slot.word0
    case .string: KeyHash.of(slot)
    case .list: slot.elements.reduce(UInt64(slot.aux)) { $0 &* 31 &+ hash($1) }
    // The order of a set's keys means nothing.
    case .map: (0..<slot.table.count).reduce(0) { $0 ^ KeyHash.of(slot.table.key($1)) }
    default: 0
    }
  }

  /// Whether two constants are the same to the last bit, sets whatever the order of their keys.
  private static func isSame(_ a: Slot, _ b: Slot) -> Bool {
    guard a.word1 == b.word1 else { return false }
    if a.word0 == b.word0 { return true }
    if a.isA(.string) { return Slot.sameBytes(a.word0, b.word0, count: a.aux) }
    switch a.tag {
    case .list: return zip(a.elements, b.elements).allSatisfy { isSame($0, $1) }
    case .map:
      return (0..<a.table.count).allSatisfy {
        b.table.find(a.table.key($0), crossNumeric: false) != nil
      }
    default: return false
    }
  }
}
