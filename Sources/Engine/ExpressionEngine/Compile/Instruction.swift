/// One instruction: 64 bits, packed according to its ``OperandFormat``.
///
/// ```
/// bits   0–7     8–15   16–31   32–47   48–63
///        opcode  x      a       b       c        registers
///        opcode  x      a       wide             wide
/// ```
struct Instruction: Sendable, Hashable {
  var word: UInt64

  @inline(__always)
  init(word: UInt64) { self.word = word }

  init(_ opcode: Opcode, x: UInt8 = 0, a: UInt16 = 0, b: UInt16 = 0, c: UInt16 = 0) {
    word =
      UInt64(opcode.rawValue) | UInt64(x) << 8 | UInt64(a) << 16 | UInt64(b) << 32
      | UInt64(c) << 48
  }

  init(_ opcode: Opcode, x: UInt8 = 0, a: UInt16 = 0, wide: UInt32) {
    word = UInt64(opcode.rawValue) | UInt64(x) << 8 | UInt64(a) << 16 | UInt64(wide) << 32
  }

  /// The opcode. Only the compiler creates instructions, so the byte is always a valid opcode;
  /// ``Program/verify()`` checks it.
  @inline(__always) var opcode: Opcode {
    unsafeBitCast(UInt8(truncatingIfNeeded: word), to: Opcode.self)
  }
  @inline(__always) var opcodeByte: UInt8 { UInt8(truncatingIfNeeded: word) }
  @inline(__always) var x: UInt8 { UInt8(truncatingIfNeeded: word >> 8) }
  @inline(__always) var a: Int { Int(UInt16(truncatingIfNeeded: word >> 16)) }
  @inline(__always) var b: Int { Int(UInt16(truncatingIfNeeded: word >> 32)) }
  @inline(__always) var c: Int { Int(word >> 48) }
  @inline(__always) var wide: Int { Int(word >> 32) }

  /// Returns the instruction with a different 32-bit operand, for labels that are resolved later.
  func with(wide: UInt32) -> Instruction {
    Instruction(word: (word & 0xFFFF_FFFF) | UInt64(wide) << 32)
  }
}

/// A range of instructions whose failures continue elsewhere.
struct FailureHandler: Sendable {
  /// The first instruction covered.
  var start: UInt32
  /// The instruction after the last one covered.
  var end: UInt32
  /// The instruction to continue at.
  var target: UInt32
  /// The failures to catch.
  var rescues: RescueClass
  /// The register that receives the error slot, if any.
  var register: UInt16?
}
