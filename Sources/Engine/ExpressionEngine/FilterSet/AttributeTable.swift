/// A hash table of the attributes of a set, by root and name.
///
/// It has numbers only; the attributes are in the set. A slot holds a number plus 1; 0 is empty.
struct AttributeTable {
  private(set) var slots = [UInt32](repeating: 0, count: 64)
  private var count = 0

  /// The size of the slots in bytes, including the maximum padding of a row.
  var byteCount: Int { slots.count * MemoryLayout<UInt32>.stride + 32 }

  /// Returns the slot at which the search for an attribute starts. It goes on, around the end, up
  /// to an empty one.
  static func firstSlot(_ hash: UInt64, _ root: UInt32, among size: Int) -> Int {
    Int(truncatingIfNeeded: hash &+ UInt64(root) &* 0x9E37_79B9) & (size &- 1)
  }

  /// Returns the number of an attribute.
  ///
  /// - Parameter references: The attributes, by their numbers.
  func number(
    of reference: AttributeReference, among references: [AttributeReference]
  ) -> UInt32? {
    var slot = Self.firstSlot(reference.hash, reference.root, among: slots.count)
    while slots[slot] != 0 {
      let number = slots[slot] &- 1
      if IR.same(references[Int(number)], reference) { return number }
      slot = (slot &+ 1) & (slots.count &- 1)
    }
    return nil
  }

  /// Adds an attribute that is not in the table.
  mutating func insert(_ number: UInt32, among references: [AttributeReference]) {
    count &+= 1
    if count &* 2 > slots.count {
      let old = slots
      slots = [UInt32](repeating: 0, count: old.count &* 2)
      for slot in old where slot != 0 { place(slot, among: references) }
    }
    place(number &+ 1, among: references)
  }

  private mutating func place(_ content: UInt32, among references: [AttributeReference]) {
    let reference = references[Int(content &- 1)]
    var slot = Self.firstSlot(reference.hash, reference.root, among: slots.count)
    while slots[slot] != 0 { slot = (slot &+ 1) & (slots.count &- 1) }
    slots[slot] = content
  }
}
