import AudienceFilters
import ExpressionEngine

/// What a matcher knows beside its store. Reachable only under the matcher's lock.
struct MatcherState {
  /// A task that waits until the identity is ready.
  struct ReadinessWaiter {
    var number: UInt64
    /// Takes whether the identity is ready; if not, the task was cancelled.
    var continuation: CheckedContinuation<Bool, Never>
  }

  /// A paywall on screen.
  struct OnScreen {
    /// The number of its token.
    var number: UInt64
    var placement: String
    var gating: Paywall.FeatureGating
  }

  /// The user and device layers, and what they were made from.
  struct Base {
    var revision: UInt64
    var generation: UInt64
    /// The clock reading, when an attribute depends on it.
    var instant: Instant?
    var identity: Identity
    var installation: Installation
    var user: [String: Value]
    var device: [String: Value]
    var context: Context
  }

  var compiled: CompiledConfig?
  var device: [String: Value] = [:]
  var enrichment: [String: Value] = [:]
  /// Counts changes of the config and of the device.
  var generation: UInt64 = 0
  /// Chosen but not yet confirmed variants, where they are not stored at once (§4.2).
  var unconfirmed: [String: Assignment] = [:]
  /// Units of occurrence limits held by presentations under way.
  var reserved: [String: Int] = [:]
  /// Counts the resets. A presentation from before one holds nothing any more.
  var resets: UInt64 = 0
  /// The number of the last presentation.
  var presentations: UInt64 = 0
  var onScreen: OnScreen?
  var sessionID: String
  var recordsSinceCompaction = 0
  var base: Base?
  var isIdentityReady = true
  var readinessWaiters: [ReadinessWaiter] = []
  /// The number of the last task that came to wait.
  var readinessNumber: UInt64 = 0
}
