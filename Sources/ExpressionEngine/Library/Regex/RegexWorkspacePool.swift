import LinearRegex
import Synchronization

/// Lends workspaces of one pattern to searches, one to each at a time, and keeps a few for later.
final class RegexWorkspacePool: Sendable {
  /// A workspace that no search uses. Unchecked: whoever takes it out of the list is its only user.
  private struct Idle: @unchecked Sendable {
    let workspace: RegexWorkspace
  }

  /// More than this many threads at once make workspaces that are not kept.
  private static let capacity = 2

  private let program: RegexProgram
  private let idle = Mutex<[Idle]>([])

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
