/// The events that happened, as far as filters can ask about them (docs/spec/campaigns.md §5).
///
/// Only names and instants matter, because no filter can ask about the parameters of an event.
public protocol EventHistory {
  /// The last instant of an event; with `end`, the last one strictly before it.
  func lastOccurrence(of name: String, before end: WallTime?) throws(StoreError) -> WallTime?
  /// The number of times that an event happened at `start` or later; `nil` counts everything.
  func count(of name: String, since start: WallTime?) throws(StoreError) -> Int
}

/// A history in memory: a value, so that a copy can be tried out and thrown away.
public struct EventLog: EventHistory, Sendable {
  private var events: [ExactName: InstantLog] = [:]

  /// Creates an empty history.
  public init() {}

  /// Adds an event.
  public mutating func record(_ name: String, at instant: WallTime) {
    events[ExactName(name), default: InstantLog()].insert(instant)
  }

  /// The last instant of an event; with `end`, the last one strictly before it.
  public func lastOccurrence(of name: String, before end: WallTime?) -> WallTime? {
    events[ExactName(name)]?.last(before: end)
  }

  /// The number of times that an event happened at `start` or later; `nil` counts everything.
  public func count(of name: String, since start: WallTime?) -> Int {
    events[ExactName(name)]?.count(since: start) ?? 0
  }
}

/// A history with one more event on top: the placement that is being registered, which counts
/// although nothing has been written yet.
struct HistoryOverlay: EventHistory {
  let base: any EventHistory
  let name: String
  let instant: WallTime

  func lastOccurrence(of name: String, before end: WallTime?) throws(StoreError) -> WallTime? {
    let earlier = try base.lastOccurrence(of: name, before: end)
    guard name.isExactly(self.name), end.map({ instant < $0 }) ?? true else { return earlier }
    return max(earlier ?? instant, instant)
  }

  func count(of name: String, since start: WallTime?) throws(StoreError) -> Int {
    let count = try base.count(of: name, since: start)
    guard name.isExactly(self.name), start.map({ instant >= $0 }) ?? true else { return count }
    return count + 1
  }
}
