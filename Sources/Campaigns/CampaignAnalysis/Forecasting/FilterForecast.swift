import AudienceFilters
public import CampaignCore
public import ExpressionEngine
public import ExpressionSyntax
import FilterAnalysis

/// Predicts when a filter's value changes as time passes, given attributes but no event times.
///
/// Three days since an event may become four at any moment of the next day. So a forecast has two
/// bounds: for how long nothing changes for certain, and after how long something has changed for
/// certain. ``ChangeForecast`` knows the history, and gives the instant.
public struct FilterForecast: Sendable, Hashable {
  /// Whether the filter reads anything that changes by itself and has a value.
  public let readsTime: Bool
  /// The minutes from now for which the filter certainly keeps its value; `nil` if it keeps it as
  /// long as nothing happens.
  public let certainMinutes: Int64?
  /// The largest number of minutes until its value changes; `nil` if it may never change.
  public let changesWithinMinutes: Int64?

  /// Looks ahead.
  ///
  /// - Parameters:
  ///   - filter: The filter.
  ///   - variables: The attributes: `user`, `device`, `params`.
  ///   - history: The results of history functions, by call, such as `daysSince(app_open)`.
  ///   - dialect: The dialect of the filter.
  ///   - options: The behaviour of the platform.
  /// - Complexity: One evaluation for each combination of the values that the times may have, at most
  ///   2,000 for each instant at which a time passes a constant.
  public init(
    _ filter: String, variables: [String: Value], history: [String: Value] = [:],
    dialect: Dialect.Name = .superscript, options: MatchingOptions = .iOS
  ) {
    let model = AnalysisModel(placements: [], dialect: dialect, options: options)
    let compiled = try? Filter(filter, environment: model.environment)
    self.init(filter, variables: variables, history: history, model: model) { variables, history in
      compiled?.matches(
        Context(variables: variables).replacing(hostState: HistoryAnswers(history))) ?? false
    }
  }

  /// - Parameter matches: Whether the filter matches a user with these attributes and this history.
  package init(
    _ filter: String, variables: [String: Value], history: [String: Value], model: AnalysisModel,
    matches: ([String: Value], [String: Value]) -> Bool
  ) {
    let user = UserDraft(variables: variables, answers: history)
    let values = MovingValue.all(in: filter, of: user, model)
    readsTime = !values.isEmpty
    let isMatch = matches(variables, history)
    let instants = Set(values.flatMap(\.turns)).union([0]).sorted()
    var certain: Int64?
    for (number, instant) in instants.enumerated() {
      // Between two turns the possible values stay the same.
      let next = number + 1 < instants.count ? instants[number + 1] : instant + 2
      let range = Self.outcomes(values, user, between: instant, next) {
        matches($0.variables, $0.answers) == isMatch
      }
      if range.mayDiffer, certain == nil { certain = instant }
      if range.mustDiffer {
        certainMinutes = certain
        changesWithinMinutes = instant
        return
      }
    }
    certainMinutes = certain
    changesWithinMinutes = nil
  }

  /// The most combinations of values that are looked at for one instant.
  private static let maximumCombinations = 2_000

  private static func outcomes(
    _ values: [MovingValue], _ user: UserDraft, between start: Int64, _ end: Int64,
    isSame: (UserDraft) -> Bool
  ) -> (mayDiffer: Bool, mustDiffer: Bool) {
    var drafts = [user]
    for moving in values {
      let candidates = moving.values(between: start, end)
      guard drafts.count * candidates.count <= maximumCombinations else { return (true, false) }
      drafts = drafts.flatMap { draft in
        candidates.map { value in
          var draft = draft
          draft.set(
            moving.source,
            to: ValueClass(kind: value.kind, value: value, cost: 0, isSingle: true))
          return draft
        }
      }
    }
    let same = drafts.count(where: isSame)
    return (same < drafts.count, same == 0)
  }

  /// The forecast as a sentence; `nil` when the filter reads nothing that changes by itself.
  public var text: String? {
    guard readsTime else { return nil }
    guard let certainMinutes else { return "if nothing happens, it stays so" }
    let certain =
      certainMinutes > 0
      ? "it stays so for \(Self.text(minutes: certainMinutes)) at least"
      : "it may change at any time"
    guard let changesWithinMinutes else { return "if nothing happens, \(certain)" }
    return "if nothing happens, \(certain), and changes within "
      + Self.text(minutes: max(changesWithinMinutes, 1))
  }

  /// `1 day 22 hours`.
  private static func text(minutes: Int64) -> String {
    let parts = [(minutes / 1_440, "day"), (minutes / 60 % 24, "hour"), (minutes % 60, "minute")]
    return parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }
      .joined(separator: " ")
  }
}
