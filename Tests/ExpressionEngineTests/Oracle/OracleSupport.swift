@testable import ExpressionEngine
@testable import ExpressionSyntax

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Work for a thread of its own.
private final class ThreadJob {
  let run: () -> Void
  init(_ run: @escaping () -> Void) { self.run = run }
}

private func runJob(_ context: UnsafeMutableRawPointer) {
  Unmanaged<ThreadJob>.fromOpaque(context).takeRetainedValue().run()
}

/// A thread could not be made.
private struct CannotStart: Error {}

/// Runs `body` on a thread with a stack of `stack` bytes and returns its result.
///
/// Deep recursion is tested this way: a stack that is too small ends the process.
func onThread<Result>(stack: Int, _ body: @escaping () -> Result) throws -> Result {
  var result: Result?
  try runThread({ pthread_attr_setstacksize($0, stack) }, { result = body() })
  guard let result else { throw CannotStart() }
  return result
}

/// Runs `body` on a thread whose stack is that memory.
func onThread(
  stack: UnsafeMutableRawPointer, capacity: Int, _ body: @escaping () -> Void
) throws {
  try runThread({ pthread_attr_setstack($0, stack, capacity) }, body)
}

private func runThread(
  _ configure: (UnsafeMutablePointer<pthread_attr_t>) -> Int32, _ body: @escaping () -> Void
) throws {
  // The structure is filled by the library; Swift never needs to make one.
  let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
  pthread_attr_init(attributes)
  defer {
    pthread_attr_destroy(attributes)
    attributes.deallocate()
  }
  guard configure(attributes) == 0 else { throw CannotStart() }
  let job = Unmanaged.passRetained(ThreadJob(body))
  #if canImport(Darwin)
    var thread: pthread_t?
    let code = pthread_create(
      &thread, attributes,
      { context in
        runJob(context)
        return nil
      }, job.toOpaque())
    guard code == 0, let thread else {
      job.release()
      throw CannotStart()
    }
  #else
    var thread = pthread_t()
    let code = pthread_create(
      &thread, attributes,
      { context in
        if let context { runJob(context) }
        return nil
      }, job.toOpaque())
    guard code == 0 else {
      job.release()
      throw CannotStart()
    }
  #endif
  pthread_join(thread, nil)
}

extension Value {
  /// Whether two values cannot be told apart: NaN is NaN, -0.0 is not 0.0, strings by their bytes.
  func isIdentical(to other: Value) -> Bool {
    switch (self, other) {
    case (.double(let a), .double(let b)): a.bitPattern == b.bitPattern || a.isNaN && b.isNaN
    case (.string(let a), .string(let b)): a.utf8.elementsEqual(b.utf8)
    case (.list(let a), .list(let b)):
      a.count == b.count && zip(a, b).allSatisfy { $0.isIdentical(to: $1) }
    case (.map(let a), .map(let b)):
      a.count == b.count
        && a.allSatisfy { key, value in b[key].map { value.isIdentical(to: $0) } ?? false }
    case (.function(let a, let x), .function(let b, let y)):
      a == b && (x == nil) == (y == nil) && (x ?? .null).isIdentical(to: y ?? .null)
    case (.optional(let a?), .optional(let b?)): a.isIdentical(to: b)
    default: self == other
    }
  }
}

extension ReferenceEvaluator.Outcome: CustomStringConvertible {
  init(_ body: () throws(EvaluationError) -> Value) {
    do {
      self = .value(try body())
    } catch {
      self = .error
    }
  }

  func isIdentical(to other: Self) -> Bool {
    switch (self, other) {
    case (.error, .error): true
    case (.value(let a), .value(let b)): a.isIdentical(to: b)
    default: false
    }
  }

  var description: String {
    switch self {
    case .error: "an error"
    case .value(let value): "\(value.literal) : \(value.kindName)"
    }
  }
}

extension Program {
  /// Runs the bytecode of the program on a machine, without its graph of decisions.
  func run(_ context: Context) -> ReferenceEvaluator.Outcome {
    withExtendedLifetime(self) {
      var machine = Machine(UnsafePointer(header))
      let result = VM.run(UnsafePointer(header), context.storage, &machine)
      return result.isA(.error) ? .error : .value(Value(result))
    }
  }
}

extension Filter {
  /// Where the graph of decisions ends; `nil` without a graph. Skipped operands count.
  func outcome(_ context: Context) -> Decision.Branch? {
    let header = UnsafePointer(program.header)
    return withExtendedLifetime(self) {
      header.pointee.graph.map { graph in
        let branch = VM.follow(
          header, graph.decisions, context.roots, from: graph.start)
        guard branch.skips, !VM.isSafe(header, context.roots) else { return branch.outcome }
        return .bailout
      }
    }
  }

  /// Holds the ways to ask whether the filter is true against `wanted`, one answer a context.
  ///
  /// - Returns: The first context whose results differ, and these results.
  func matchDisagreement(
    _ contexts: [OracleContext], _ wanted: [Bool]
  ) -> (context: OracleContext, answers: [(way: String, says: String)])? {
    let set = FilterSet([self])
    let batch = matches(contexts.map(\.context))
    for (number, context) in contexts.enumerated() {
      let answers = [
        ("matches", matches(context.context)), ("a batch", batch[number]),
        ("a set", set.matchingIndices(context.context) == [0]),
      ]
      if answers.contains(where: { $0.1 != wanted[number] }) {
        return (
          context,
          (answers + [("the reference", wanted[number])]).map { (way: $0.0, says: "\($0.1)") }
        )
      }
    }
    return nil
  }
}
