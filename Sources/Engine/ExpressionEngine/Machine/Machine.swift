/// The state of one evaluation besides its registers: scratch memory, the last failure, and
/// budgets.
///
/// It lives on the stack of the call and is passed `inout`. The loop keeps its hot state in locals.
struct Machine: ~Copyable {
  /// Memory for lists, maps and strings that the evaluation builds.
  var arena: Arena
  /// The last failure.
  var failure = Failure()
  /// The rules of the running program.
  let rules: ValueRules
  /// The number of steps left before ``reserve`` is asked.
  var steps: Int
  /// The number of steps left after these. 0 without a stop: then ``steps`` is the whole budget,
  /// and the loop needs no other test.
  var reserve = 0
  /// What may end the evaluation early, kept alive by the caller.
  private(set) var stop: Unmanaged<EvaluationStop>?
  /// The instruction being executed, for failures.
  var instruction: UInt32 = 0
  /// The error of a host function or a regular expression that caused the last failure, for the
  /// message.
  var cause: FailureCause?
  /// The maps that ``overlay(_:over:)`` joined last, and the result.
  var overlaid: (top: Slot, base: Slot, result: Slot)?

  @inline(__always)
  init(rules: ValueRules, limits: EvaluationLimits) {
    arena = Arena(firstChunk: 2048, limit: limits.memory)
    self.rules = rules
    steps = limits.steps
  }

  @inline(__always)
  init(_ header: UnsafePointer<ProgramHeader>) {
    self.init(rules: header.pointee.rules, limits: header.pointee.limits)
  }

  /// Divides the budget into slices, so that `stop` is read between them.
  mutating func watch(_ stop: EvaluationStop) {
    self.stop = .passUnretained(stop)
    reserve = steps
    steps = 0
  }

  /// Records a failure and returns the slot that represents it.
  @inline(never)
  mutating func fail(_ code: FailureCode) -> Slot {
    failure = Failure(code: code, instruction: instruction)
    return Slot(.error, UInt64(code.rawValue))
  }

  /// The slot that represents the last failure.
  var failed: Slot { Slot(.error, UInt64(failure.code.rawValue)) }

  /// Records a failure with the operand that caused it.
  @inline(never)
  mutating func fail(_ code: FailureCode, _ first: Slot) -> Slot {
    failure = Failure(code: code, instruction: instruction, first: first, operandCount: 1)
    return Slot(.error, UInt64(code.rawValue))
  }

  /// Records a failure with the operands that caused it.
  @inline(never)
  mutating func fail(_ code: FailureCode, _ first: Slot, _ second: Slot) -> Slot {
    failure = Failure(
      code: code, instruction: instruction, first: first, second: second, operandCount: 2)
    return Slot(.error, UInt64(code.rawValue))
  }

  /// Returns a slot that stores the last failure for ``fail(again:)``, or fails for lack of memory
  /// and returns `nil` when the arena is exhausted.
  mutating func keptFailure() -> Slot? {
    guard let memory = arena.allocate(MemoryLayout<Failure>.stride) else {
      _ = fail(.memoryLimit)
      return nil
    }
    memory.bindMemory(to: Failure.self, capacity: 1).initialize(to: failure)
    return Slot(.error, at: memory, count: 0)
  }

  /// Fails again with a stored failure.
  @inline(never)
  mutating func fail(again kept: Slot) -> Slot {
    failure = kept.address.load(as: Failure.self)
    return Slot(.error, UInt64(failure.code.rawValue))
  }

  /// Returns `slot`, or fails with ``FailureCode/memoryLimit`` if the arena had no room for it.
  mutating func orOutOfMemory(_ slot: Slot?) -> Slot {
    guard let slot else { return fail(.memoryLimit) }
    return slot
  }

  /// The maximum number of parts of a value that leaves the machine as a result or a host
  /// function's argument.
  var largestCopy: Int { arena.limit / MemoryLayout<Slot>.stride }

  /// Copies text into the arena.
  mutating func string(_ text: String) -> Slot { orOutOfMemory(arena.copy(text)) }
}

/// The budgets of one evaluation. Exceeding one is an error, never a crash or a hang.
public struct EvaluationLimits: Sendable, Hashable {
  /// The number of steps, in total for the evaluation. A turn of a loop is one step, and so are 16
  /// compared elements, 256 bytes of text that an operation reads, and 1,024 states of a regular
  /// expression, each rounded down for an operation.
  public var steps: Int
  /// The number of bytes that the evaluation may use for lists, maps and strings.
  public var memory: Int

  /// Creates budgets.
  ///
  /// - Parameters:
  ///   - steps: The number of steps.
  ///   - memory: The number of bytes.
  public init(steps: Int = 1_000_000, memory: Int = 64 << 20) {
    self.steps = steps
    self.memory = memory
  }

  /// The default budgets.
  public static let standard = EvaluationLimits()
}
