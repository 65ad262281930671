/// A pure state machine: it takes an event, changes its state and returns what is to be done.
///
/// It reads no clock, calls nobody and never fails. An event that means nothing in the present state
/// leaves the state alone and has no effects, so that a host may report whatever happens whenever it
/// happens.
public protocol StateMachine: Sendable, Equatable {
  /// An event of the machine.
  associatedtype Event: Sendable, Equatable

  /// Takes an event.
  ///
  /// - Returns: The effects in the order in which they are to be carried out.
  mutating func handle(_ event: Event) -> [PaywallEffect]
}
