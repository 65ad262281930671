import ExpressionEngine

/// Counts calls, from any thread.
final class CallCount: Sendable {
  private let number = Locked(0)

  func count() { number.withLock { $0 += 1 } }

  var total: Int { number.withLock { $0 } }
}
