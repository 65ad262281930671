import Dispatch
import ExpressionEngine

/// A host with callbacks, asked by one evaluation, which waits for each result.
final class CallbackHost: Sendable {
  private let context: any HostContext
  private let timeLimit: Value.Duration
  private let deadline: DispatchTime
  /// The error of the call that got no result in time.
  private let overdue = Locked<HostFunctionError?>(nil)

  init(_ context: any HostContext, timeLimit: Value.Duration) {
    self.context = context
    self.timeLimit = timeLimit
    // A day at most, so that the sum is a time.
    deadline = .now() + .milliseconds(Int(min(timeLimit.millisecondsToWait, 86_400_000)))
  }

  /// Returns the result of an evaluation, or the error of a callback that was not called in time.
  func result(_ answer: String) -> String {
    // An expression may replace an error by another value.
    overdue.withLock { $0 }.map { failure($0.description) } ?? answer
  }

  /// Calls a host function and waits for its result.
  var call: HostCall {
    { (table, name, args) throws(HostFunctionError) in
      try self.result(of: table, name, args)
    }
  }

  private func result(
    of table: HostTable, _ name: String, _ args: String
  ) throws(HostFunctionError) -> String {
    if let error = overdue.withLock({ $0 }) { throw error }
    let reply = HostReply()
    let ask: @Sendable () -> Void = { [context] in
      let callback = ResultCallback(reply)
      switch table {
      case .device: context.deviceProperty(name: name, args: args, callback: callback)
      case .computed: context.computedProperty(name: name, args: args, callback: callback)
      }
    }
    let text = WaitingTasks.wait(for: ask) { reply.wait(until: deadline) }
    guard let text else {
      let error = HostFunctionError(
        "`\(table.rawValue).\(name)` did not call its callback within \(timeLimit.millisecondsToWait) ms"
      )
      overdue.withLock { $0 = error }
      throw error
    }
    return text
  }
}

/// A result that may come from another thread.
final class HostReply: Sendable {
  private let text = Locked<String?>(nil)
  private let arrival = DispatchSemaphore(value: 0)

  /// Sets the result, unless there is one.
  func set(_ result: String) {
    let isFirst = text.withLock { text in
      guard text == nil else { return false }
      text = result
      return true
    }
    if isFirst { arrival.signal() }
  }

  /// Waits for the result; `nil` if it has not come by then.
  func wait(until deadline: DispatchTime) -> String? {
    _ = arrival.wait(timeout: deadline)
    return text.withLock { $0 }
  }
}

/// The tasks that wait for a host, which hold threads of Swift's pool.
///
/// The pool has about as many threads as there are processors, for each priority. A host whose
/// results come from a task of its own needs one of them: with as many evaluations in tasks as
/// there are threads, none would ever get a result. So the host of an evaluation in a task is
/// called in a task of another priority, which the tasks that it creates inherit.
private enum WaitingTasks {
  /// The number of waiting tasks, by priority.
  private static let counts = Locked<[UInt8: Int]>([:])
  /// The priorities with threads of their own, lowest first.
  private static let priorities: [UInt8] = [9, 17, 21, 25, 33]

  /// Starts `ask`, and calls `wait`.
  static func wait<Result>(
    for ask: @escaping @Sendable () -> Void, _ wait: () -> Result
  ) -> Result {
    guard let own = withUnsafeCurrentTask(body: { $0?.priority.rawValue }) else {
      ask()
      return wait()
    }
    let other = counts.withLock { counts in
      counts[own, default: 0] += 1
      return free(besides: own, counts)
    }
    defer { counts.withLock { $0[own, default: 1] -= 1 } }
    Task.detached(priority: TaskPriority(rawValue: other)) { ask() }
    return wait()
  }

  /// Returns the priority with the fewest waiting tasks: the next higher one, if it has none,
  /// because the system may run nothing of a lower one before.
  private static func free(besides own: UInt8, _ counts: [UInt8: Int]) -> UInt8 {
    let order = priorities.filter { $0 > own } + priorities.reversed().filter { $0 < own }
    return order.min { counts[$0, default: 0] < counts[$1, default: 0] } ?? own
  }
}
