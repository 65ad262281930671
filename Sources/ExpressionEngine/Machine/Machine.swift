/// What one evaluation owns beside its registers: scratch memory, the last failure, and budgets.
///
/// It lives on the stack of the call and is passed `inout`. The loop keeps its hot state in locals.
struct Machine: ~Copyable {
  /// Memory for lists, maps and strings that the evaluation builds.
  var arena: Arena
  /// The last failure.
  var failure = Failure()
  /// The rules of the running program.
  let rules: ValueRules
  /// How many loop steps are left.
  var steps: Int
  /// The instruction being executed, for failures.
  var instruction: UInt32 = 0
  /// What a host function or a regular expression said of the last failure, for the message.
  var cause: (any Error)?

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

  /// Remembers a failure and answers the slot that stands for it.
  @inline(never)
  mutating func fail(_ code: FailureCode) -> Slot {
    failure = Failure(code: code, instruction: instruction)
    return Slot(.error, UInt64(code.rawValue))
  }

  /// Remembers a failure with the operand that caused it.
  @inline(never)
  mutating func fail(_ code: FailureCode, _ first: Slot) -> Slot {
    failure = Failure(code: code, instruction: instruction, first: first, operandCount: 1)
    return Slot(.error, UInt64(code.rawValue))
  }

  /// Remembers a failure with the operands that caused it.
  @inline(never)
  mutating func fail(_ code: FailureCode, _ first: Slot, _ second: Slot) -> Slot {
    failure = Failure(
      code: code, instruction: instruction, first: first, second: second, operandCount: 2)
    return Slot(.error, UInt64(code.rawValue))
  }

  /// A slot that keeps the last failure for ``fail(again:)``; `nil`, and a failure for want of
  /// memory, when the arena is exhausted.
  mutating func keptFailure() -> Slot? {
    guard let memory = arena.allocate(MemoryLayout<Failure>.stride) else {
      _ = fail(.memoryLimit)
      return nil
    }
    memory.bindMemory(to: Failure.self, capacity: 1).initialize(to: failure)
    return Slot(.error, at: memory, count: 0)
  }

  /// Fails once more with a kept failure.
  @inline(never)
  mutating func fail(again kept: Slot) -> Slot {
    failure = kept.address.load(as: Failure.self)
    return Slot(.error, UInt64(failure.code.rawValue))
  }

  /// Answers `slot`, or fails with ``FailureCode/memoryLimit`` when the arena had no room for it.
  mutating func orOutOfMemory(_ slot: Slot?) -> Slot {
    guard let slot else { return fail(.memoryLimit) }
    return slot
  }

  /// The number of parts that a value may have that leaves the machine, for a result or an argument
  /// of the host.
  var largestCopy: Int { arena.limit / MemoryLayout<Slot>.stride }

  /// Copies text into the arena.
  mutating func string(_ text: String) -> Slot { orOutOfMemory(arena.copy(text)) }
}

/// Budgets of one evaluation; what exceeds them is an error, never a crash or a hang.
public struct EvaluationLimits: Sendable, Hashable {
  /// The number of loop steps, counted over all macros of the filter.
  public var steps: Int
  /// The number of bytes that the evaluation may use for lists, maps and strings.
  public var memory: Int

  /// Creates budgets.
  ///
  /// - Parameters:
  ///   - steps: Loop steps, 1,000,000 by default.
  ///   - memory: Bytes, 64 MiB by default.
  public init(steps: Int = 1_000_000, memory: Int = 64 << 20) {
    self.steps = steps
    self.memory = memory
  }

  /// The defaults.
  public static let standard = EvaluationLimits()
}
