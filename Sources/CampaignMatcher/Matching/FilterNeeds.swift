import AudienceFilters
import ExpressionEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What filters read of what the matcher makes for them.
struct FilterNeeds {
  /// The derived attributes; all of them when a filter looks at `device` as a whole.
  private(set) var derived: Set<DerivedAttribute> = []
  private var parameters: Set<String> = []
  private var readsAllParameters = false

  /// The parameters in order; `nil` when a filter looks at them as a whole.
  var parameterNames: [String]? { readsAllParameters ? nil : parameters.sorted() }

  /// Creates the needs of a filter, or of none.
  init(_ attributes: [Requirements.Attribute] = []) { add(attributes) }

  /// Adds what a filter reads.
  mutating func add(_ attributes: [Requirements.Attribute]) {
    for attribute in attributes {
      switch (attribute.root, attribute.name) {
      case ("params", let name): parameters.insert(name)
      case (nil, "params"): readsAllParameters = true
      case (nil, "device"): derived = Set(DerivedAttribute.allCases)
      case ("device", DerivedAttribute.totalReviewRequests.name(on: .android)):
        derived.insert(.totalReviewRequests)
      case ("device", let name):
        if let attribute = DerivedAttribute(rawValue: name) { derived.insert(attribute) }
      default: break
      }
    }
  }
}

/// What the matcher's host functions need while one registration is evaluated.
///
/// The engine hands it through as an opaque value, within contexts that an ``Explainer`` may keep and
/// evaluate wherever it likes. It is `@unchecked Sendable` because everything that changes, and the
/// transaction, is touched on the thread that made it only; and it lets go of the transaction before
/// that ends.
final class EvaluationState: @unchecked Sendable {
  private struct Call: Hashable {
    let function: HistoryFunction
    let event: ExactName
  }

  private let reader: HistoryReader
  /// The thread that holds the transaction.
  private let owner = pthread_self()
  /// The history; `nil` when there is none, as in a simulation, or no longer.
  private var transaction: (any StoreTransaction)?
  private var answers: [Call: Value] = [:]
  /// The first failure of the store, which must fail the registration rather than look like a
  /// filter that is not true.
  private(set) var failure: StoreError?

  /// The events that have happened just now, although there is no history.
  private let eventsNow: [FirstRegistration.Event]
  /// What is answered instead of the history, by call (`daysSince(app_open)`), else by function.
  private let standIns: [String: Value]

  init(
    reader: HistoryReader, transaction: any StoreTransaction, standIns: [String: Value] = [:]
  ) {
    self.reader = reader
    self.transaction = transaction
    self.standIns = standIns
    eventsNow = []
  }

  /// For users without a history.
  /// - Parameter eventsNow: the only events that ever happened.
  init(reader: HistoryReader, eventsNow: [FirstRegistration.Event]) {
    self.reader = reader
    self.eventsNow = eventsNow
    standIns = [:]
  }

  /// The answer to a call; asked once per registration, because filters repeat themselves.
  func answer(_ function: HistoryFunction, event: String) -> Value {
    guard pthread_equal(owner, pthread_self()) != 0, let transaction else {
      let count = eventsNow.first { $0.name.isExactly(event) }?.count ?? 0
      return reader.answer(function, timesNow: count)
    }
    if !standIns.isEmpty,
      let value = standIns["\(function.rawValue)(\(event))"] ?? standIns[function.rawValue]
    {
      return value
    }
    let call = Call(function: function, event: ExactName(event))
    if let known = answers[call] { return known }
    do throws(StoreError) {
      let answer = try reader.answer(function, event: event, in: transaction)
      answers[call] = answer
      return answer
    } catch {
      if failure == nil { failure = error }
      return .null
    }
  }

  /// Lets go of the transaction, which ends. Call it on the thread that holds it.
  func end() { transaction = nil }
}

/// The functions that the matcher gives to filters.
enum MatcherFunctions {
  /// `daysSince` and its siblings. A call without a string answers null; more arguments are ignored.
  static let history: [String: FilterEnvironment.HostFunction] = Dictionary(
    uniqueKeysWithValues: HistoryFunction.allCases.map { function in
      (
        function.rawValue,
        { @Sendable arguments, hostState in
          guard case .string(let event)? = arguments.first,
            let state = hostState as? EvaluationState
          else { return .null }
          return state.answer(function, event: event)
        }
      )
    })

  /// The version functions, which the reference dialect has no room for.
  static let versions: [String: FilterEnvironment.HostFunction] = Dictionary(
    uniqueKeysWithValues: VersionFunction.allCases.map { function in
      (function.rawValue, { @Sendable arguments, _ in function.call(arguments) })
    })

  /// The environment in which the filters of a config are compiled.
  static func environment(dialect: Dialect, includesVersions: Bool) -> FilterEnvironment {
    let functions =
      includesVersions ? history.merging(versions) { history, _ in history } : history
    return FilterEnvironment(
      dialect: dialect, deviceFunctions: functions, computedFunctions: functions)
  }
}
