import CampaignCorpus
import PaywallLogic

/// All transitions of a state machine between the states that given events can reach.
///
/// A table is found by trying every event in every state, so that it also proves that the machine
/// takes each of them.
struct TransitionTable<Machine: StateMachine>: Sendable {
  /// One cell of the table: an event in a state.
  struct Row: Sendable, Equatable {
    /// The state before.
    var state: Machine
    /// The event.
    var event: Machine.Event
    /// The state after.
    var next: Machine
    /// The effects, in order.
    var effects: [PaywallEffect]

    /// Whether the event changes nothing.
    var isIgnored: Bool { state == next && effects.isEmpty }
  }

  /// The rows, state by state in the order in which the states were reached.
  let rows: [Row]
  /// The states, in the order in which they were reached.
  let states: [Machine]
  /// Whether every reachable state is in the table.
  let isComplete: Bool

  /// Finds the states that `events` reach from `starts`.
  ///
  /// - Parameters:
  ///   - starts: The states to start from.
  ///   - events: The events to try in each state.
  ///   - maximumStates: The number of states that are tried before the search gives up.
  /// - Complexity: O(states × events).
  init(from starts: [Machine], events: [Machine.Event], maximumStates: Int = 200) {
    var states = starts
    var rows: [Row] = []
    var index = 0
    var isComplete = true
    while index < states.count {
      for event in events {
        var next = states[index]
        let effects = next.handle(event)
        rows.append(Row(state: states[index], event: event, next: next, effects: effects))
        guard !states.contains(next) else { continue }
        if states.count < maximumStates { states.append(next) } else { isComplete = false }
      }
      index += 1
    }
    self.rows = rows
    self.states = states
    self.isComplete = isComplete
  }
}

extension TransitionTable: CustomStringConvertible {
  /// The table as text: each state with the events that matter in it, and then those that do not.
  var description: String {
    var text = ""
    for state in states {
      let own = rows.filter { $0.state == state }
      text += "\(state)\n"
      for row in own where !row.isIgnored {
        let next = row.next == state ? "(stays)" : "\(row.next)"
        text += "  \(row.event) -> \(next)\n"
        for effect in row.effects { text += "    > \(effect)\n" }
      }
      let ignored = own.filter(\.isIgnored).map { "\($0.event)" }
      if !ignored.isEmpty { text += "  ignored: \(ignored.joined(separator: ", "))\n" }
    }
    return text
  }
}
