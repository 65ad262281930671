import ExpressionSyntax

/// The memory of a program: everything that is trivial, one array after the other, in one
/// allocation.
///
/// ```
/// header, decisions, side data, constants, attributes, instructions, patterns, guards,
/// guard chunks, spans, handlers, texts
/// ```
struct ProgramBlock {
  /// The number of elements of each array.
  struct Counts {
    let code: UInt32
    let spans: UInt32
    let handlers: UInt32
    let constants: UInt32
    let attributes: UInt32
    let patterns: UInt32
    let decisions: UInt32
    let sideData: UInt32
    let guards: UInt32
    let guardChunks: UInt32
  }

  let header: UnsafeMutablePointer<ProgramHeader>
  let decisions: UnsafeMutablePointer<Decision>
  let sideData: UnsafeMutablePointer<Slot>
  let guards: UnsafeMutablePointer<KindGuard>
  let guardChunks: UnsafeMutablePointer<GuardChunk>
  let constants: UnsafeMutablePointer<Slot>
  let attributes: UnsafeMutablePointer<AttributeReference>
  let code: UnsafeMutablePointer<Instruction>
  let patterns: UnsafeMutablePointer<Unmanaged<CompiledRegex>>
  let spans: UnsafeMutablePointer<SourceSpan>
  let handlers: UnsafeMutablePointer<FailureHandler>
  /// The destination of strings, on an eight-byte boundary.
  private let texts: UnsafeMutableRawPointer

  /// Allocates the memory.
  init(_ counts: Counts, textSize: Int) {
    // Every array begins on a word boundary, as the widest elements require.
    var size = 0
    func room<T: ~Copyable>(_: T.Type, _ count: UInt32) -> Int {
      let start = size
      size &+= (Int(count) &* MemoryLayout<T>.stride &+ 7) & ~7
      return start
    }
    _ = room(ProgramHeader.self, 1)
    let offsets = (
      room(Decision.self, counts.decisions), room(Slot.self, counts.sideData),
      room(Slot.self, counts.constants),
      room(AttributeReference.self, counts.attributes), room(Instruction.self, counts.code),
      room(Unmanaged<CompiledRegex>.self, counts.patterns), room(KindGuard.self, counts.guards),
      room(GuardChunk.self, counts.guardChunks),
      room(SourceSpan.self, counts.spans), room(FailureHandler.self, counts.handlers)
    )
    let base = UnsafeMutableRawPointer.allocate(byteCount: size &+ textSize, alignment: 16)
    func array<T: ~Copyable>(
      _: T.Type, _ offset: Int, _ count: UInt32
    ) -> UnsafeMutablePointer<T> {
      (base + offset).bindMemory(to: T.self, capacity: Int(count))
    }
    header = array(ProgramHeader.self, 0, 1)
    decisions = array(Decision.self, offsets.0, counts.decisions)
    sideData = array(Slot.self, offsets.1, counts.sideData)
    constants = array(Slot.self, offsets.2, counts.constants)
    attributes = array(AttributeReference.self, offsets.3, counts.attributes)
    code = array(Instruction.self, offsets.4, counts.code)
    patterns = array(Unmanaged<CompiledRegex>.self, offsets.5, counts.patterns)
    guards = array(KindGuard.self, offsets.6, counts.guards)
    guardChunks = array(GuardChunk.self, offsets.7, counts.guardChunks)
    spans = array(SourceSpan.self, offsets.8, counts.spans)
    handlers = array(FailureHandler.self, offsets.9, counts.handlers)
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

  /// Writes a graph, after the constants and patterns that it borrows.
  ///
  /// The builder's decisions are in reverse order, and its branches refer to that order.
  func fill(_ graph: DecisionGraphBuilder, start: Decision.Branch) -> DecisionGraph {
    let count = graph.decisions.count
    func renumbered(_ branch: Decision.Branch) -> Decision.Branch {
      guard !branch.isOutcome else { return branch }
      let result = Decision.Branch(number: count - 1 - branch.number)
      return branch.skips ? result.skipping : result
    }
    for (index, entry) in graph.sideData.enumerated() {
      (sideData + index).initialize(to: entry)
    }
    for (place, constant) in graph.sideConstants { sideData[place] = constants[Int(constant)] }
    for index in 0..<count {
      var decision = graph.decisions[count - 1 - index]
      let number = graph.constantNumbers[count - 1 - index]
      if number != DecisionGraphBuilder.none { decision.constant = constants[Int(number)] }
      switch decision.test {
      case .inWordSet:
        // Relative to the first decision, so that one address is enough.
        decision.constant.word0 &+= UInt64(count * MemoryLayout<Decision>.stride)
      case .matches:
        decision.constant.word0 = UInt64(
          UInt(bitPattern: patterns[Int(decision.constant.intValue)].toOpaque()))
      case .loop:
        let first = Decision.Branch(number: Int(decision.constant.word0))
        decision.constant.word0 = UInt64(renumbered(first).number)
      default: break
      }
      decision.ifTrue = renumbered(decision.ifTrue)
      decision.ifFalse = renumbered(decision.ifFalse)
      decision.ifMissing = renumbered(decision.ifMissing)
      decision.ifFailed = renumbered(decision.ifFailed)
      (decisions + index).initialize(to: decision)
    }
    for (index, entry) in graph.guards.enumerated() { (guards + index).initialize(to: entry) }
    for (index, entry) in graph.guardChunks.enumerated() {
      (guardChunks + index).initialize(to: entry)
    }
    return DecisionGraph(
      decisions: UnsafePointer(decisions), count: Int32(truncatingIfNeeded: count),
      guardCount: graph.mayFailAnyway ? -1 : Int32(truncatingIfNeeded: graph.guards.count),
      guards: UnsafePointer(guards),
      chunkCount: Int32(truncatingIfNeeded: graph.guardChunks.count),
      chunks: UnsafePointer(guardChunks), start: renumbered(start))
  }

  @inline(__always)
  private static func copy<T>(
    _ elements: UnsafeBufferPointer<T>, to start: UnsafeMutablePointer<T>
  ) {
    if let first = elements.baseAddress { start.initialize(from: first, count: elements.count) }
  }

  // MARK: Texts

  /// Returns the number of bytes that the strings of constants and names take.
  static func textSize(
    _ constants: UnsafeBufferPointer<Slot>, _ attributes: UnsafeBufferPointer<AttributeReference>
  ) -> Int {
    var size = 0
    for constant in constants { size &+= constant.paddedTextSize }
    for attribute in attributes { size &+= attribute.name.paddedTextSize }
    return size
  }

  /// Copies the strings of constants and names after the arrays, so that their original memory can
  /// be freed. The constants must not borrow anything but strings.
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
  /// The size of the slot's string with padding in bytes, or 0 if it is not a string.
  @inline(__always) fileprivate var paddedTextSize: Int {
    isA(.string) || isA(.bytes) ? (max(Int(aux), 1) &+ 7) & ~7 : 0
  }

  /// Whether the slot borrows memory other than its own string.
  var borrowsMoreThanText: Bool {
    switch tag {
    case .null, .bool, .int, .uint, .double, .timestamp, .duration, .string, .bytes: false
    default: true
    }
  }
}
