public import CampaignCore
import ExpressionEngine

/// A store that forgets everything when the process ends. It is the default.
public final class InMemoryStore: MatcherStore {
  private let transaction = Locked(InMemoryTransaction())

  /// Creates an empty store.
  public init() {}

  /// Runs a transaction that only reads; writing in it is an error.
  ///
  /// - Throws: Any error that `body` throws; nothing else can fail.
  public func read<Result: Sendable>(
    _ body: (any MatcherTransaction) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try transaction.withLock { transaction throws(StoreError) in
      transaction.begin(writing: false)
      return try body(transaction)
    }
  }

  /// Runs a transaction that may write. When `body` throws, what it did is undone.
  ///
  /// - Throws: Any error that `body` throws; nothing else can fail.
  public func write<Result: Sendable>(
    _ body: (any MatcherTransaction) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try transaction.withLock { transaction throws(StoreError) in
      transaction.begin(writing: true)
      do throws(StoreError) {
        let result = try body(transaction)
        transaction.commit()
        return result
      } catch {
        transaction.rollBack()
        throw error
      }
    }
  }
}

/// The state of an ``InMemoryStore``, and the steps that undo the current transaction.
private final class InMemoryTransaction: MatcherTransaction {
  private struct State {
    var occurrences: [ExactName: InstantLog] = [:]
    var assignments: [ExactName: VariantAssignment] = [:]
    var events: [ExactName: InstantLog] = [:]
    var identity: UserIdentity?
    var installation = Installation()
    var attributes: [ExactName: Value] = [:]
    var records: [ExactName: String] = [:]
  }

  /// One thing to take back. Single steps are kept rather than a copy of the state, because a copy
  /// would make the next write duplicate whole dictionaries.
  private enum Undo {
    case occurrence(key: String, at: WallTime)
    case event(name: String, at: WallTime)
    case assignment(id: String, VariantAssignment?)
    case attribute(name: String, Value?)
    case record(name: String, String?)
    case identity(UserIdentity?)
    case installation(Installation)
    case everything(State)
  }

  private var state = State()
  private var undo: [Undo] = []
  private var isWriting = false
  private var currentRevision: UInt64 = 0

  func begin(writing: Bool) { isWriting = writing }

  func commit() { undo.removeAll(keepingCapacity: true) }

  func rollBack() {
    while let step = undo.popLast() {
      switch step {
      case .occurrence(let key, let instant): state.occurrences[ExactName(key)]?.remove(instant)
      case .event(let name, let instant): state.events[ExactName(name)]?.remove(instant)
      case .assignment(let id, let old): state.assignments[ExactName(id)] = old
      case .attribute(let name, let old): state.attributes[ExactName(name)] = old
      case .record(let name, let old): state.records[ExactName(name)] = old
      case .identity(let old): state.identity = old
      case .installation(let old): state.installation = old
      case .everything(let old): state = old
      }
    }
    currentRevision &+= 1
  }

  private func willWrite(_ operation: String, _ step: @autoclosure () -> Undo) throws(StoreError) {
    guard isWriting else {
      throw StoreError(operation: operation, reason: "the transaction is read-only")
    }
    undo.append(step())
  }

  func revision() -> UInt64 { currentRevision }

  // MARK: Occurrences

  func occurrenceCount(key: String, since start: WallTime?, limit: Int) -> Int {
    min(state.occurrences[ExactName(key)]?.count(since: start) ?? 0, limit)
  }

  func newestOccurrences(key: String, limit: Int) -> [WallTime] {
    state.occurrences[ExactName(key)]?.newest(limit) ?? []
  }

  func addOccurrence(key: String, at instant: WallTime) throws(StoreError) {
    try willWrite("add occurrence", .occurrence(key: key, at: instant))
    state.occurrences[ExactName(key), default: InstantLog()].insert(instant)
  }

  func removeOccurrences() throws(StoreError) {
    try willWrite("remove occurrences", .everything(state))
    state.occurrences = [:]
  }

  // MARK: Assignments

  func assignment(of experimentID: String) -> VariantAssignment? {
    state.assignments[ExactName(experimentID)]
  }

  func assignments() -> [VariantAssignment] {
    state.assignments.values.sorted {
      $0.experimentID.utf8.lexicographicallyPrecedes($1.experimentID.utf8)
    }
  }

  func save(_ assignment: VariantAssignment) throws(StoreError) {
    let id = assignment.experimentID
    try willWrite("save assignment", .assignment(id: id, state.assignments[ExactName(id)]))
    state.assignments[ExactName(id)] = assignment
  }

  func removeAssignment(of experimentID: String) throws(StoreError) {
    try willWrite(
      "remove assignment", .assignment(id: experimentID, state.assignments[ExactName(experimentID)])
    )
    state.assignments[ExactName(experimentID)] = nil
  }

  func removeAssignments() throws(StoreError) {
    try willWrite("remove assignments", .everything(state))
    state.assignments = [:]
  }

  // MARK: History

  func record(_ name: String, at instant: WallTime) throws(StoreError) {
    try willWrite("record event", .event(name: name, at: instant))
    state.events[ExactName(name), default: InstantLog()].insert(instant)
  }

  func lastOccurrence(of name: String, before end: WallTime?) -> WallTime? {
    state.events[ExactName(name)]?.last(before: end)
  }

  func count(of name: String, since start: WallTime?) -> Int {
    state.events[ExactName(name)]?.count(since: start) ?? 0
  }

  func compact(before instant: WallTime) throws(StoreError) {
    try willWrite("compact history", .everything(state))
    for name in state.events.keys { state.events[name]?.compact(before: instant) }
  }

  func removeEvents(keeping names: Set<String>) throws(StoreError) {
    try willWrite("remove events", .everything(state))
    let kept = Set(names.map(ExactName.init))
    state.events = state.events.filter { kept.contains($0.key) }
  }

  // MARK: Identity and attributes

  func identity() -> UserIdentity? { state.identity }

  func save(_ identity: UserIdentity) throws(StoreError) {
    try willWrite("save identity", .identity(state.identity))
    state.identity = identity
    currentRevision &+= 1
  }

  func installation() -> Installation { state.installation }

  func save(_ installation: Installation) throws(StoreError) {
    try willWrite("save installation", .installation(state.installation))
    state.installation = installation
    currentRevision &+= 1
  }

  func userAttributes() -> [String: Value] {
    var result: [String: Value] = [:]
    result.reserveCapacity(state.attributes.count)
    for (name, value) in state.attributes { result[name.text] = value }
    guard result.count < state.attributes.count else { return result }
    // Of names that a dictionary of strings takes as equal the last in the order of bytes wins.
    let ordered = state.attributes.sorted {
      $0.key.text.utf8.lexicographicallyPrecedes($1.key.text.utf8)
    }
    return ordered.reduce(into: [:]) { $0[$1.key.text] = $1.value }
  }

  func setUserAttribute(_ name: String, to value: Value?) throws(StoreError) {
    try willWrite("set user attribute", .attribute(name: name, state.attributes[ExactName(name)]))
    state.attributes[ExactName(name)] = value
    currentRevision &+= 1
  }

  func removeUserAttributes() throws(StoreError) {
    try willWrite("remove user attributes", .everything(state))
    state.attributes = [:]
    currentRevision &+= 1
  }

  // MARK: Records

  func record(named name: String) -> String? { state.records[ExactName(name)] }

  func setRecord(named name: String, to text: String?) throws(StoreError) {
    try willWrite("save record", .record(name: name, state.records[ExactName(name)]))
    state.records[ExactName(name)] = text
  }
}
