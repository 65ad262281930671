import AudienceFilters
import CampaignCore
import ExpressionEngine
import FilterAnalysis

/// A value that changes while nothing happens.
struct MovingValue {
  /// How it changes.
  enum Motion {
    /// It grows by one in each span of some minutes, of which the first may be over at any time.
    case grows(minutes: ClosedRange<Int64>)
    /// It counts events of a window of at most some minutes, which leave it at any time.
    case empties(minutes: Int64)
    /// The time of its next change and the new value are unknown.
    case jumps
  }

  let source: Source
  private let motion: Motion
  private let number: Int64
  /// The values that it may jump to.
  private let others: [Value]
  /// The whole numbers at which conditions turn.
  private let points: [Int64]
  /// When its possible values change, in minutes from now.
  let turns: [Int64]

  /// The most points at which one value is looked at.
  private static let maximumPoints = 400

  /// The values of a user that a filter reads and that change by themselves.
  static func all(in filter: String, of user: UserDraft, _ model: AnalysisModel) -> [MovingValue] {
    let space = FilterSpace(model, schema: nil, limits: AnalysisLimits())
    guard space.add(filter, legacyKeys: []) != nil,
      space.sources.contains(where: { motion(of: $0, model.options) != nil })
    else { return [] }
    space.cut()
    var free: Set<Int> = []
    for condition in space.conditions where condition.reason != nil {
      free.formUnion(condition.reads)
    }
    return space.sources.indices.compactMap { index in
      MovingValue(
        space.sources[index], value: user.value(of: space.sources[index]),
        isFree: free.contains(index), space.partitions[index], model.options)
    }
  }

  private init?(
    _ source: Source, value: Value?, isFree: Bool, _ partition: Partition,
    _ options: MatchingOptions
  ) {
    guard let motion = Self.motion(of: source, options) else { return nil }
    self.source = source
    self.motion = motion
    if case .jumps = motion {
      guard let value, value != .null else { return nil }
      number = 0
      others = partition.classes.compactMap(\.value).filter { $0.kind == value.kind }
      points = []
      turns = [0]
      return
    }
    // What never happened stays so.
    guard let number = value?.exactNumber.flatMap({ Int64(exactly: $0) }) else { return nil }
    self.number = number
    others = []
    var points: Set<Int64> = []
    for cell in partition.numberCells {
      guard let bound = cell.lower, let whole = Int64(exactly: bound.rounded(.down)) else {
        continue
      }
      points.formUnion([whole, whole + 1])
    }
    switch motion {
    case .grows(let minutes):
      // Of a part that is not analysed every change counts.
      if isFree { points.formUnion(number...number + Int64(Self.maximumPoints)) }
      self.points = Array(points.filter { $0 > number }.sorted().prefix(Self.maximumPoints))
      turns = self.points.flatMap { point -> [Int64] in
        let steps = point - number
        let (first, isFar) = (steps - 1).multipliedReportingOverflow(by: minutes.lowerBound)
        let (last, isFarther) = steps.multipliedReportingOverflow(by: minutes.upperBound)
        return isFar || isFarther
          ? [] : [max(0, first - Self.slack(minutes)), last + Self.slack(minutes)]
      }
    case .empties(let minutes):
      if isFree { points.formUnion(max(0, number - Int64(Self.maximumPoints))...max(0, number)) }
      self.points = [0] + points.filter { $0 > 0 && $0 < number }.sorted()
      turns = number > 0 ? [0, minutes + 1] : []
    case .jumps: return nil
    }
  }

  /// The minutes by which days of the calendar may be longer or shorter than days of 24 hours.
  private static func slack(_ minutes: ClosedRange<Int64>) -> Int64 {
    minutes.lowerBound >= 1_440 ? 120 : 0
  }

  /// The values that it may have at some time between two turns, as far as conditions tell them apart.
  func values(between start: Int64, _ end: Int64) -> [Value] {
    switch motion {
    case .jumps: return others
    case .empties(let minutes):
      if start > minutes { return [.int(0)] }
      return ([number] + points).map { .int($0) }
    case .grows(let minutes):
      let slack = Self.slack(minutes)
      let middle = start + (end - start) / 2
      let least = number + max(0, middle - slack) / minutes.upperBound
      let most = number + (middle + slack) / minutes.lowerBound + 1
      return Set([least, most] + points.filter { $0 > least && $0 < most }).sorted().map {
        .int($0)
      }
    }
  }

  private static func motion(of source: Source, _ options: MatchingOptions) -> Motion? {
    switch source.kind {
    case .history(let function, _):
      return HistoryFunction(rawValue: function).flatMap { motion(of: $0, options) }
    case .legacyKey, .attribute:
      guard source.path.root == "device", source.path.names.count == 1 else { return nil }
      switch source.path.names[0] {
      case "minutesSinceInstall", "minutesSinceLastPaywallView": return .grows(minutes: 1...1)
      case "daysSinceInstall", "daysSinceLastPaywallView": return .grows(minutes: 1_440...1_440)
      case "localTime", "utcTime", "localDate", "utcDate", "localDateTime", "utcDateTime",
        "timezoneOffset":
        return .jumps
      default: return nil
      }
    }
  }

  private static func motion(of function: HistoryFunction, _ options: MatchingOptions) -> Motion? {
    switch function {
    // The hands of a clock turn in circles.
    case .minutesSince where options.calendar == .androidFields: return .jumps
    case .hoursSince where options.calendar == .androidFields: return .jumps
    case .minutesSince: return .grows(minutes: 1...1)
    case .hoursSince: return .grows(minutes: 60...60)
    case .daysSince: return .grows(minutes: 1_440...1_440)
    case .monthsSince: return .grows(minutes: 28 * 1_440...31 * 1_440)
    case .yearsSince: return .grows(minutes: 365 * 1_440...366 * 1_440)
    case .placementsInHour: return .empties(minutes: 60)
    case .placementsInDay: return .empties(minutes: 1_440)
    case .placementsInWeek: return .empties(minutes: 10_080)
    case .placementsInMonth: return .empties(minutes: 31 * 1_440 + 120)
    case .placementsSinceInstall: return nil
    }
  }
}

extension UserDraft {
  /// The value of a source; `nil` if the user has none.
  func value(of source: Source) -> Value? {
    if case .history(let function, let event) = source.kind {
      return answers["\(function)(\(event))"] ?? answers[function]
    }
    var value = variables[source.path.root]
    for name in source.path.names {
      guard case .map(let members)? = value else { return nil }
      value = members[.string(name)]
    }
    return value
  }
}
