/// The kind of content of a ``Slot``. The raw value is the lowest byte of ``Slot/word1``.
enum SlotTag: UInt8 {
  /// Null. All bits are zero, so cleared memory is an array of nulls.
  case null = 0
  /// A truth value: `word0` is 0 or 1.
  case bool
  /// A signed integer: `word0` is its two's complement.
  case int
  /// An unsigned integer in `word0`.
  case uint
  /// A double: `word0` is its bit pattern.
  case double
  /// Text: `word0` is the address of its UTF-8 bytes, `aux` their number.
  case string
  /// Octets, stored like strings.
  case bytes
  /// A list: `word0` is the address of its first slot, `aux` the number of slots.
  case list
  /// A map: `word0` is the address of its ``MapTable``, `aux` the number of entries.
  case map
  /// An instant: `word0` whole seconds, `aux` nanoseconds, `extra` the offset in minutes.
  case timestamp
  /// A span of time: `word0` whole seconds (rounded down), `aux` nanoseconds.
  case duration
  /// A function: `word0` is the address of two slots, its name and its receiver; `extra` is 1 when
  /// there is a receiver.
  case function
  /// A type, stored like a string.
  case type
  /// An optional: `word0` is the address of its content, or 0 when it is empty.
  case optional
  /// An IP address or block: `word0` is the address of its octets, `aux` their number, `extra` the
  /// prefix length plus one, or 0 for a single address.
  case network
  /// A list or map under construction: `word0` is the address of a ``SlotBuffer``.
  case builder
  /// A position in a sequence: `word0` is the address of the next slot, `aux` the number left,
  /// `extra` the stride in slots.
  case iterator
  /// A failure on its way to an operator that may absorb it: `word0` is the error's code. In a
  /// register that a ``FailureHandler`` names, `word0` is the address of the stored ``Failure``.
  case error
}

/// The machine's value: 16 bytes, trivially copied.
///
/// A slot that refers to memory borrows it from the context, from the program's constants or from
/// the arena of the running evaluation, all of which outlive the run. The contents of strings and
/// bytes are aligned to eight bytes and padded with zeros, so that they are compared and hashed a
/// word at a time.
struct Slot {
  /// The payload, whose meaning depends on the tag.
  var word0: UInt64
  /// The tag (bits 0–7), `extra` (bits 16–31) and `aux` (bits 32–63).
  var word1: UInt64

  @inline(__always)
  init(word0: UInt64, word1: UInt64) {
    self.word0 = word0
    self.word1 = word1
  }

  @inline(__always)
  init(_ tag: SlotTag, _ word0: UInt64, aux: UInt32 = 0, extra: UInt16 = 0) {
    self.word0 = word0
    self.word1 = UInt64(tag.rawValue) | UInt64(extra) << 16 | UInt64(aux) << 32
  }

  @inline(__always)
  init(_ tag: SlotTag, at pointer: UnsafeRawPointer?, count: UInt32, extra: UInt16 = 0) {
    self.init(tag, UInt64(UInt(bitPattern: pointer)), aux: count, extra: extra)
  }

  @inline(__always) var tagByte: UInt8 { UInt8(truncatingIfNeeded: word1) }
  @inline(__always) var aux: UInt32 { UInt32(truncatingIfNeeded: word1 >> 32) }
  @inline(__always) var extra: UInt16 { UInt16(truncatingIfNeeded: word1 >> 16) }

  /// The tag. Only this module creates slots, so the byte is always a valid tag.
  @inline(__always) var tag: SlotTag { unsafeBitCast(tagByte, to: SlotTag.self) }

  /// Whether the slot is an int. An int's `word1` contains nothing but its tag.
  @inline(__always) var isInt: Bool { word1 == UInt64(SlotTag.int.rawValue) }

  @inline(__always)
  func isA(_ tag: SlotTag) -> Bool { tagByte == tag.rawValue }
}

// MARK: - Plain values

extension Slot {
  static let null = Slot(word0: 0, word1: 0)

  @inline(__always)
  static func bool(_ value: Bool) -> Slot { Slot(.bool, value ? 1 : 0) }
  @inline(__always)
  static func int(_ value: Int64) -> Slot { Slot(.int, UInt64(bitPattern: value)) }
  @inline(__always)
  static func uint(_ value: UInt64) -> Slot { Slot(.uint, value) }
  @inline(__always)
  static func double(_ value: Double) -> Slot { Slot(.double, value.bitPattern) }

  static func timestamp(_ value: Value.Timestamp) -> Slot {
    Slot(
      .timestamp, UInt64(bitPattern: value.seconds), aux: value.nanoseconds,
      extra: UInt16(bitPattern: value.offsetMinutes))
  }
  static func duration(_ value: Value.Duration) -> Slot {
    Slot(.duration, UInt64(bitPattern: value.seconds), aux: value.nanoseconds)
  }

  @inline(__always) var isTrue: Bool { word0 == 1 && word1 == UInt64(SlotTag.bool.rawValue) }
  @inline(__always) var isFalse: Bool { word0 == 0 && word1 == UInt64(SlotTag.bool.rawValue) }
  @inline(__always) var boolValue: Bool { word0 != 0 }
  @inline(__always) var intValue: Int64 { Int64(bitPattern: word0) }
  @inline(__always) var uintValue: UInt64 { word0 }
  @inline(__always) var doubleValue: Double { Double(bitPattern: word0) }

  var timestampValue: Value.Timestamp {
    Value.Timestamp(
      seconds: intValue, nanoseconds: aux, offsetMinutes: Int16(bitPattern: extra))
  }
  var durationValue: Value.Duration { Value.Duration(seconds: intValue, nanoseconds: aux) }
}

// MARK: - Values in memory

extension Slot {
  /// The address in `word0`. Valid only for slots whose tag refers to memory.
  @inline(__always) var address: UnsafeRawPointer {
    // Such slots are created from a pointer that is never null.
    UnsafeRawPointer(bitPattern: UInt(word0)).unsafelyUnwrapped
  }

  /// The bytes of a string, bytes, type or network slot.
  @inline(__always) var byteBuffer: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(
      start: address.assumingMemoryBound(to: UInt8.self), count: Int(aux))
  }

  /// The elements of a list slot.
  @inline(__always) var elements: UnsafeBufferPointer<Slot> {
    UnsafeBufferPointer(start: address.assumingMemoryBound(to: Slot.self), count: Int(aux))
  }

  /// The table of a map slot.
  @inline(__always) var table: MapTable { MapTable(base: address) }

  /// The iterator slot, advanced by one element.
  @inline(__always) var advanced: Slot {
    Slot(word0: word0 &+ UInt64(extra) &* 16, word1: word1 &- (1 << 32))
  }

  /// A copy of the text of a string or type slot.
  var text: String { String(decoding: byteBuffer, as: UTF8.self) }

  /// Returns whether two slots of the same byte-holding tag and length hold the same bytes.
  ///
  /// The padding after the end is zero in both, so whole words are compared.
  @inline(__always)
  static func sameBytes(_ left: UInt64, _ right: UInt64, count: UInt32) -> Bool {
    if left == right { return true }
    let a = UnsafeRawPointer(bitPattern: UInt(left)).unsafelyUnwrapped
    let b = UnsafeRawPointer(bitPattern: UInt(right)).unsafelyUnwrapped
    let size = Int(count)
    var offset = 0
    while offset < size {
      if a.load(fromByteOffset: offset, as: UInt64.self)
        != b.load(fromByteOffset: offset, as: UInt64.self)
      {
        return false
      }
      offset &+= 8
    }
    return true
  }

  /// Returns the order of the bytes of two string or bytes slots: negative, zero or positive.
  @inline(__always)
  static func byteOrder(_ left: Slot, _ right: Slot) -> Int {
    let a = left.address
    let b = right.address
    let shorter = Int(min(left.aux, right.aux))
    var offset = 0
    while offset < shorter {
      let x = a.load(fromByteOffset: offset, as: UInt64.self)
      let y = b.load(fromByteOffset: offset, as: UInt64.self)
      if x != y {
        // The first differing byte decides. In the padding it is a zero against the longer text's
        // byte, or against another zero when a text itself contains zeros; then the length decides.
        let p = UInt64(bigEndian: x)
        let q = UInt64(bigEndian: y)
        return p < q ? -1 : 1
      }
      offset &+= 8
    }
    return left.aux == right.aux ? 0 : (left.aux < right.aux ? -1 : 1)
  }
}
