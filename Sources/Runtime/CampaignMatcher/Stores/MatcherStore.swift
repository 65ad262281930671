public import CampaignCore
public import ExpressionEngine

/// The counters of occurrence limits (docs/spec/campaigns.md §3).
///
/// A store keeps every occurrence until ``removeOccurrences()``, because a later config may ask for any
/// window and any maximum.
public protocol OccurrenceStore: OccurrenceCounts {
  /// Adds an occurrence.
  func addOccurrence(key: String, at instant: WallTime) throws(StoreError)
  /// Forgets all occurrences.
  func removeOccurrences() throws(StoreError)
}

/// The variants that the user got (§4).
public protocol AssignmentStore: AssignmentLookup {
  /// All assignments, by experiment id in the order of their bytes.
  func assignments() throws(StoreError) -> [VariantAssignment]
  /// Adds an assignment, replacing that of the same experiment.
  func save(_ assignment: VariantAssignment) throws(StoreError)
  /// Removes the assignment of an experiment, if there is one.
  func removeAssignment(of experimentID: String) throws(StoreError)
  /// Removes all assignments.
  func removeAssignments() throws(StoreError)
}

/// The events that happened (§5).
///
/// An event needs its name and its instant only, because nothing can be asked about its parameters.
/// A history may forget single events that are older than every window (``RetentionPolicy``), as
/// long as it keeps their number and the last instant per name.
public protocol EventStore: EventHistory {
  /// Records an event.
  func record(_ name: String, at instant: WallTime) throws(StoreError)
  /// Forgets single events before an instant, but neither their number nor the last one.
  func compact(before instant: WallTime) throws(StoreError)
  /// Forgets all events but those with the names.
  func removeEvents(keeping names: Set<String>) throws(StoreError)
}

/// Who the user is.
public protocol IdentityStore {
  /// The identity, once there is one.
  func identity() throws(StoreError) -> UserIdentity?
  /// Replaces the identity.
  func save(_ identity: UserIdentity) throws(StoreError)
  /// The record of the installation.
  func installation() throws(StoreError) -> Installation
  /// Replaces the record of the installation.
  func save(_ installation: Installation) throws(StoreError)
}

/// The attributes that the app gave the user.
public protocol UserAttributeStore {
  /// All attributes.
  func userAttributes() throws(StoreError) -> [String: Value]
  /// Sets an attribute, or removes it when the value is `nil`.
  func setUserAttribute(_ name: String, to value: Value?) throws(StoreError)
  /// Removes all attributes.
  func removeUserAttributes() throws(StoreError)
}

/// Texts that others keep beside what the matcher remembers, such as the state of purchases. The matcher
/// does not read them, and a reset leaves them alone.
public protocol RecordStore {
  /// The text under a name, if there is one.
  func record(named name: String) throws(StoreError) -> String?
  /// Replaces the text under a name, or removes it when it is `nil`.
  func setRecord(named name: String, to text: String?) throws(StoreError)
}

/// One unit of work on a store. It is valid only inside the closure that received it.
public protocol MatcherTransaction: AnyObject, OccurrenceStore, AssignmentStore, EventStore,
  IdentityStore, UserAttributeStore, RecordStore
{
  /// A number that changes whenever the identity, the installation or the user attributes may have
  /// changed, so that what was derived from them can be kept.
  func revision() throws(StoreError) -> UInt64
}

/// The storage of everything that a matcher remembers between registrations and launches.
///
/// A store serializes its transactions. What a `write` closure did is either durable as a whole when
/// `write` returns, or, when the closure throws or the process dies, not there at all.
public protocol MatcherStore: Sendable {
  /// Runs a transaction that only reads; writing in it is an error.
  func read<Result: Sendable>(
    _ body: (any MatcherTransaction) throws(StoreError) -> Result
  ) throws(StoreError) -> Result
  /// Runs a transaction that may write. A store may run `body` a second time, after it has undone the
  /// first attempt.
  func write<Result: Sendable>(
    _ body: (any MatcherTransaction) throws(StoreError) -> Result
  ) throws(StoreError) -> Result
}
