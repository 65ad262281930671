import LinearRegex

/// A pool that lends the workspaces of one pattern to searches, one to each, and keeps a few for
/// reuse.
final class RegexWorkspacePool: Sendable {
  /// A workspace that no search uses. Unchecked: the search that takes it from the list is its only
  /// user.
  private struct Idle: @unchecked Sendable {
    let workspace: RegexWorkspace
  }

  /// The number of workspaces to keep. Further ones, for more threads at once, are not kept.
  private static let capacity = 2

  private let program: RegexProgram
  private let idle = Locked<[Idle]>([])

  /// Creates an empty pool.
  init(_ program: RegexProgram) { self.program = program }

  /// Calls `body` with a workspace of its own.
  func withWorkspace<Result: Sendable>(_ body: (RegexWorkspace) -> Result) -> Result {
    let idle = idle.withLock { $0.popLast() } ?? Idle(workspace: RegexWorkspace(program))
    defer {
      self.idle.withLock { list in
        if list.count < Self.capacity { list.append(idle) }
      }
    }
    return body(idle.workspace)
  }
}
