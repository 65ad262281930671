import ExpressionSyntax
import Synchronization

/// The memory of a program: everything that is trivial, one array behind the other, in one allocation.
///
/// ```
/// header, state of specializing, constants, attributes, instructions, patterns, spans, handlers, texts
/// ```
struct ProgramBlock {
  /// How many elements each array has.
  struct Counts {
    let code: UInt32
    let spans: UInt32
    let handlers: UInt32
    let constants: UInt32
    let attributes: UInt32
    let patterns: UInt32
  }

  let header: UnsafeMutablePointer<ProgramHeader>
  let specialized: UnsafeMutablePointer<Atomic<UInt>>
  let isSettled: UnsafeMutablePointer<Atomic<Bool>>
  let constants: UnsafeMutablePointer<Slot>
  let attributes: UnsafeMutablePointer<AttributeReference>
  let code: UnsafeMutablePointer<Instruction>
  let patterns: UnsafeMutablePointer<Unmanaged<CompiledRegex>>
  let spans: UnsafeMutablePointer<SourceSpan>
  let handlers: UnsafeMutablePointer<FailureHandler>
  /// Where texts go, on an eight-byte boundary.
  private let texts: UnsafeMutableRawPointer

  /// Allocates the memory.
  init(_ counts: Counts, textSize: Int) {
    // All arrays but the last two have elements of whole words, so that each begins on a boundary of its
    // own elements.
    var size = 0
    func room<T: ~Copyable>(_: T.Type, _ count: UInt32) -> Int {
      let start = size
      size &+= (Int(count) &* MemoryLayout<T>.stride &+ 7) & ~7
      return start
    }
    _ = room(ProgramHeader.self, 1)
    let offsets = (
      room(Atomic<UInt>.self, 1), room(Atomic<Bool>.self, 1), room(Slot.self, counts.constants),
      room(AttributeReference.self, counts.attributes), room(Instruction.self, counts.code),
      room(Unmanaged<CompiledRegex>.self, counts.patterns),
      room(SourceSpan.self, counts.spans), room(FailureHandler.self, counts.handlers)
    )
    let base = UnsafeMutableRawPointer.allocate(byteCount: size &+ textSize, alignment: 16)
    func array<T: ~Copyable>(
      _: T.Type, _ offset: Int, _ count: UInt32
    ) -> UnsafeMutablePointer<T> {
      (base + offset).bindMemory(to: T.self, capacity: Int(count))
    }
    header = array(ProgramHeader.self, 0, 1)
    specialized = array(Atomic<UInt>.self, offsets.0, 1)
    isSettled = array(Atomic<Bool>.self, offsets.1, 1)
    constants = array(Slot.self, offsets.2, counts.constants)
    attributes = array(AttributeReference.self, offsets.3, counts.attributes)
    code = array(Instruction.self, offsets.4, counts.code)
    patterns = array(Unmanaged<CompiledRegex>.self, offsets.5, counts.patterns)
    spans = array(SourceSpan.self, offsets.6, counts.spans)
    handlers = array(FailureHandler.self, offsets.7, counts.handlers)
    texts = base + size
  }

  /// Copies all arrays.
  func fill(
    _ code: UnsafeBufferPointer<Instruction>, _ spans: UnsafeBufferPointer<SourceSpan>,
    _ handlers: UnsafeBufferPointer<FailureHandler>, _ constants: UnsafeBufferPointer<Slot>,
    _ attributes: UnsafeBufferPointer<AttributeReference>, _ patterns: [CompiledRegex]
  ) {
    Self.copy(code, to: self.code)
    Self.copy(spans, to: self.spans)
    Self.copy(handlers, to: self.handlers)
    Self.copy(constants, to: self.constants)
    Self.copy(attributes, to: self.attributes)
    for (index, pattern) in patterns.enumerated() {
      (self.patterns + index).initialize(to: Unmanaged.passUnretained(pattern))
    }
  }

  @inline(__always)
  private static func copy<T>(
    _ elements: UnsafeBufferPointer<T>, to start: UnsafeMutablePointer<T>
  ) {
    if let first = elements.baseAddress { start.initialize(from: first, count: elements.count) }
  }

  // MARK: Texts

  /// The number of bytes that the texts of constants and names take.
  static func textSize(
    _ constants: UnsafeBufferPointer<Slot>, _ attributes: UnsafeBufferPointer<AttributeReference>
  ) -> Int {
    var size = 0
    for constant in constants { size &+= constant.paddedTextSize }
    for attribute in attributes { size &+= attribute.name.paddedTextSize }
    return size
  }

  /// Copies the texts of constants and names behind the arrays, so that the memory in which they were
  /// made can go. Nothing but text may be borrowed by a constant.
  func adoptTexts(_ counts: Counts) {
    var end = texts
    for index in 0..<Int(counts.constants) { Self.adopt(&constants[index], &end) }
    for index in 0..<Int(counts.attributes) { Self.adopt(&attributes[index].name, &end) }
  }

  @inline(__always)
  private static func adopt(_ slot: inout Slot, _ end: inout UnsafeMutableRawPointer) {
    let size = slot.paddedTextSize
    guard size > 0 else { return }
    end.copyMemory(from: slot.address, byteCount: size)
    slot.word0 = UInt64(UInt(bitPattern: end))
    end += size
  }
}

extension Slot {
  /// The number of bytes of its text with the padding, 0 if it is no text.
  @inline(__always) fileprivate var paddedTextSize: Int {
    isA(.string) || isA(.bytes) ? (max(Int(aux), 1) &+ 7) & ~7 : 0
  }

  /// Whether it borrows memory that is not a text of its own.
  var borrowsMoreThanText: Bool {
    switch tag {
    case .null, .bool, .int, .uint, .double, .timestamp, .duration, .string, .bytes: false
    default: true
    }
  }
}
