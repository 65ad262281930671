import CampaignCore

/// A request in the line.
struct WaitingRequest: Sendable {
  typealias Completion = @Sendable (Result<MatchOutcome?, StoreError>) -> Void

  /// Tells the request from every other one; later ones have greater numbers.
  let number: UInt64
  var request: MatchRequest
  /// The event of the SDK that the placement is, if it is one.
  var event: BuiltInEvent?
  /// The thing that the request waits for, or waited for last.
  var stage = Readiness.config
  /// Whether its turn has come: its placement is recorded, and its time runs.
  var hasBegun = false
  /// Receives the turn of the request in place of its result; `nil` for a request that is decided at once.
  var onTurn: (@Sendable (LineTurn) -> Void)?
  /// Receives the result, once; `nil` when nothing follows from an event.
  let completion: Completion

  /// Whether the request waits for those before it, up to the end of their presentation step. A look
  /// waits for nobody.
  var isSerial: Bool { request.kind != .getPresentationResult }

  /// Returns the request as one whose turn has come and that lacks something.
  func waiting(for stage: Readiness) -> WaitingRequest {
    var changed = self
    changed.stage = stage
    changed.hasBegun = true
    return changed
  }
}

/// A request whose turn has come and for which everything is there. The line waits until somebody calls
/// ``Matcher/take(_:)``.
package struct LineTurn: Sendable {
  let number: UInt64
  let request: MatchRequest
  let event: BuiltInEvent
}

/// The requests that wait: one line for everything that can present a paywall, in the order of arrival.
///
/// The first one is served when the matcher is ready for it and the paywall of the one before it has
/// appeared or failed (docs/spec/campaigns.md §2.1).
struct WaitingLine {
  private(set) var requests: [WaitingRequest] = []
  private var lastNumber: UInt64 = 0
  /// The numbers of requests that are going to be added.
  private var expected: Set<UInt64> = []
  /// The token that is in its presentation step.
  var presenting: UInt64?
  /// Whether somebody is serving the line.
  var isBeingServed = false

  /// Returns the number of a request that is going to be added.
  mutating func nextNumber() -> UInt64 {
    lastNumber &+= 1
    expected.insert(lastNumber)
    return lastNumber
  }

  /// Adds a request.
  ///
  /// - Returns: Whether it is in the line; not when its number was removed before.
  @discardableResult
  mutating func add(_ request: WaitingRequest) -> Bool {
    guard expected.remove(request.number) != nil else { return false }
    requests.append(request)
    return true
  }

  /// Removes a request, also one that is going to be added.
  ///
  /// - Returns: The request, if it was in the line.
  mutating func remove(_ number: UInt64) -> WaitingRequest? {
    expected.remove(number)
    return requests.firstIndex { $0.number == number }.map { requests.remove(at: $0) }
  }

  subscript(number: UInt64) -> WaitingRequest? {
    get { requests.first { $0.number == number } }
    set {
      guard let newValue, let index = requests.firstIndex(where: { $0.number == number }) else {
        return
      }
      requests[index] = newValue
    }
  }

  /// The requests whose turn it is: every look, and the first of the others.
  var current: [WaitingRequest] {
    var isTaken = presenting != nil
    return requests.filter { request in
      guard request.isSerial else { return true }
      defer { isTaken = true }
      return !isTaken
    }
  }
}

extension MatcherState {
  /// The first request in line for which something can be done now.
  func nextToServe() -> UInt64? {
    line.current.first { !$0.hasBegun || isServable($0) }?.number
  }

  /// Whether a request that has begun need not wait any more.
  func isServable(_ waiting: WaitingRequest) -> Bool {
    guard let stage = missing(for: waiting.request, from: waiting.stage) else { return true }
    if stage == .config { return isConfigUnavailable }
    // An event that no campaign uses holds up nobody.
    return stage != waiting.stage || !canLead(waiting)
  }

  /// Whether anything can come of a request once a config is in force.
  func canLead(_ waiting: WaitingRequest) -> Bool {
    guard let event = waiting.event, let compiled else { return true }
    return event == .deepLinkOpen || compiled.contains(waiting.request.placement)
  }
}
