import ExpressionEngine

// Relations between the values of every user, so that no impossible user is reported
// (docs/spec/campaigns.md §5, §6, §7, §8).

extension FilterSpace {
  /// Finds the relations between the sources that there are.
  package func addConstraints() {
    var byText: [String: Int] = [:]
    for (index, source) in sources.enumerated() { byText[source.text] = index }
    relateHistory()
    relateMembers()
    // The relations below hold for the values of the SDK; without a schema any value may be there.
    guard schema != nil else { return }
    for event in ["Install", "LastPaywallView"] {
      relateTimes(
        byText["device.minutesSince\(event)"], 1...1, byText["device.daysSince\(event)"],
        1_440...1_440)
    }
    relatePaywallViews(byText)
    relateStatus(byText)
    relateIdentity(byText)
    for name in ["appVersion", "sdkVersion"] {
      relateVersions(byText["device.\(name)"], byText["device.\(name)Padded"])
    }
  }

  /// Adds that only some pairs of classes occur together.
  private func relate(
    _ first: Int?, _ second: Int?, _ isPossible: (_ first: Int, _ second: Int) -> Bool
  ) {
    guard let first, let second, first != second else { return }
    let firstIsUpper = levelOfSource[first] < levelOfSource[second]
    let upper = firstIsUpper ? first : second
    let lower = firstIsUpper ? second : first
    let upperCount = partitions[upper].classes.count
    let lowerCount = partitions[lower].classes.count
    // A relation that is left out makes less provable, and nothing wrong.
    guard upperCount * lowerCount <= 400_000 else { return }
    var branches: [Diagram.Run] = []
    for index in 0..<upperCount {
      let isIn = (0..<lowerCount).map { other in
        firstIsUpper ? isPossible(index, other) : isPossible(other, index)
      }
      guard let target = try? diagram.node(level: levelOfSource[lower], where: isIn) else {
        return
      }
      branches.append(Diagram.Run(start: UInt32(truncatingIfNeeded: index), target: target))
    }
    guard let node = try? diagram.node(level: levelOfSource[upper], branches) else { return }
    if node != .everyone { constraints.append(node) }
  }

  private func kind(_ source: Int, _ index: Int) -> ValueClass.Kind {
    partitions[source].classes[index].kind
  }

  private func bounds(_ source: Int, _ index: Int) -> ClosedRange<Double>? {
    partitions[source].bounds(ofNumber: index)
  }

  // MARK: History

  /// The windows of counts, shortest first, with the least and the greatest number of minutes that
  /// they may have.
  private var windows: [(function: String, minutes: ClosedRange<Double>)] {
    HistoryFunctionInfo.all.compactMap { function in
      function.windowMinutes.map { minutes in
        (
          function.name,
          function.name == HistoryFunctionInfo.month ? rules.monthMinutes : minutes...minutes
        )
      }
    }
  }

  /// The minutes by which days of the calendar may be longer or shorter than days of 24 hours.
  private static let clockChange = 120.0

  /// The units of times in minutes, from the least to the greatest length.
  private static let units: [(function: String, minutes: ClosedRange<Double>)] =
    HistoryFunctionInfo.all.compactMap { function in
      function.unitMinutes.map { (function.name, $0) }
    }

  private func relateHistory() {
    var calls: [String: [String: Int]] = [:]
    var keys: [String: [String: Int]] = [:]
    for (index, source) in sources.enumerated() {
      switch source.kind {
      case .history(let function, let event): calls[event, default: [:]][function] = index
      case .legacyKey:
        guard let name = source.path.names.first, let bar = name.firstIndex(of: "_") else {
          continue
        }
        let event = String(name[name.index(after: bar)...])
        keys[event, default: [:]][String(name[..<bar])] = index
      case .attribute: break
      }
    }
    for functions in calls.values {
      relateCounts(functions)
      relateAllTimes(functions)
      relateTimesAndCounts(functions)
    }
    for functions in keys.values { relateAllTimes(functions) }
  }

  /// A shorter window holds no more than a longer one.
  private func relateCounts(_ functions: [String: Int]) {
    let present = windows.compactMap { functions[$0.function] }
    for (shorter, longer) in zip(present, present.dropFirst()) {
      relate(shorter, longer) { first, second in
        guard let few = bounds(shorter, first), let many = bounds(longer, second) else {
          return true
        }
        return few.lowerBound <= many.upperBound
      }
    }
  }

  private func relateAllTimes(_ functions: [String: Int]) {
    // Elsewhere an hour is the hand of a clock, which says nothing about days.
    guard rules.countsWholeUnits else { return }
    for (index, fine) in Self.units.enumerated() {
      for coarse in Self.units.dropFirst(index + 1) {
        // A year has twelve months, whatever their lengths.
        let areMonths = fine.minutes.lowerBound > 1_440 && coarse.minutes.lowerBound > 1_440
        relateTimes(
          functions[fine.function], areMonths ? 1...1 : fine.minutes, functions[coarse.function],
          areMonths ? 12...12 : coarse.minutes)
      }
    }
  }

  /// The same time in two units: both are there or none is, and they lie as close to each other as
  /// calendars allow.
  private func relateTimes(
    _ fine: Int?, _ fineMinutes: ClosedRange<Double>, _ coarse: Int?,
    _ coarseMinutes: ClosedRange<Double>
  ) {
    guard let fine, let coarse else { return }
    let slack = coarseMinutes.lowerBound >= 1_440 ? Self.clockChange : 0
    relate(fine, coarse) { first, second in
      guard let small = bounds(fine, first), let large = bounds(coarse, second) else {
        return kind(fine, first) == kind(coarse, second)
          || ![kind(fine, first), kind(coarse, second)].contains(.number)
      }
      let least = large.lowerBound * coarseMinutes.lowerBound - slack
      let most = (large.upperBound + 1) * coarseMinutes.upperBound + slack
      return (small.upperBound + 1) * fineMinutes.upperBound > least
        && small.lowerBound * fineMinutes.lowerBound < most
    }
  }

  /// Relates times and counts: an event in a window happened no longer ago, and one that never
  /// happened is counted nowhere.
  private func relateTimesAndCounts(_ functions: [String: Int]) {
    // Elsewhere hours are the hand of a clock, and months and years numbers of the calendar.
    for unit in Self.units where rules.countsWholeUnits || unit.minutes == 1_440...1_440 {
      guard let time = functions[unit.function] else { continue }
      let slack = unit.minutes.lowerBound >= 1_440 ? Self.clockChange : 0
      for window in windows {
        guard let count = functions[window.function] else { continue }
        relate(time, count) { first, second in
          guard let counted = bounds(count, second) else { return true }
          guard let past = bounds(time, first) else { return counted.lowerBound <= 0 }
          if past.lowerBound <= 0, rules.neverIsZero { return true }
          if window.minutes.lowerBound == .infinity { return counted.upperBound >= 1 }
          let latest = past.lowerBound * unit.minutes.lowerBound - slack
          let earliest = (past.upperBound + 1) * unit.minutes.upperBound + slack
          if counted.lowerBound >= 1, latest > window.minutes.upperBound { return false }
          if counted.upperBound < 1, earliest <= window.minutes.lowerBound { return false }
          return true
        }
      }
    }
  }

  // MARK: Device and user

  private func relatePaywallViews(_ byText: [String: Int]) {
    guard let total = byText["device.totalPaywallViews"] else { return }
    for name in ["daysSinceLastPaywallView", "minutesSinceLastPaywallView"] {
      guard let time = byText["device.\(name)"] else { continue }
      relate(total, time) { first, second in
        guard let views = bounds(total, first) else { return true }
        return kind(time, second) == .number ? views.upperBound >= 1 : views.lowerBound <= 0
      }
    }
  }

  /// Users who are `ACTIVE` have an entitlement, and users who are `UNKNOWN` have none. Users who
  /// are `INACTIVE` may have some, none of which is flagged active (docs/spec/campaigns.md §8.1).
  private func relateStatus(_ byText: [String: Int]) {
    guard let status = byText["device.subscriptionStatus"],
      let entitlements = byText["device.activeEntitlements"]
    else { return }
    relate(status, entitlements) { first, second in
      let statusClass = partitions[status].classes[first]
      guard statusClass.isSingle, case .string(let text)? = statusClass.value,
        case .list(let elements)? = partitions[entitlements].classes[second].value
      else { return true }
      switch text {
      case "ACTIVE": return !elements.isEmpty
      case "UNKNOWN": return elements.isEmpty
      default: return true
      }
    }
  }

  /// Users who are logged in have an id. The app may write `user.appUserId` itself.
  private func relateIdentity(_ byText: [String: Int]) {
    guard let isLoggedIn = byText["user.isLoggedIn"], let id = byText["device.appUserId"] else {
      return
    }
    relate(isLoggedIn, id) { first, second in
      guard case .bool(let truth)? = partitions[isLoggedIn].classes[first].value else {
        return true
      }
      let idClass = partitions[id].classes[second]
      guard idClass.kind == .text || idClass.kind == .missing else { return true }
      let isEmpty =
        idClass.kind == .missing || (idClass.isSingle && idClass.value == .string(""))
      return truth != isEmpty
    }
  }

  /// The padded version is that of the version.
  private func relateVersions(_ plain: Int?, _ padded: Int?) {
    guard let plain, let padded else { return }
    relate(plain, padded) { first, second in
      let version = partitions[plain].classes[first]
      guard version.isSingle, case .string(let text)? = version.value,
        partitions[padded].classes[second].kind == .text,
        let paddedText = Self.padded(version: text),
        let expected = partitions[padded].index(ofText: paddedText.codePoints)
      else { return true }
      return expected == second
    }
  }

  /// Returns a version padded for comparison (docs/spec/campaigns.md §7); `nil` unless it has one
  /// to three numbers of at most three digits, which all platforms pad alike.
  private static func padded(version: String) -> String? {
    let numbers = version.split(separator: ".", omittingEmptySubsequences: false)
    let isPlain = numbers.allSatisfy { number in
      (1...3).contains(number.utf8.count) && number.utf8.allSatisfy { $0 &- 0x30 < 10 }
    }
    guard isPlain, numbers.count <= 3 else { return nil }
    return numbers.map { String(repeating: "0", count: 3 - $0.utf8.count) + $0 }
      .joined(separator: ".")
  }

  /// An object is missing for all of its members or for none.
  private func relateMembers() {
    var byParent: [AttributePath: [Int]] = [:]
    for (index, source) in sources.enumerated() where source.hasParent {
      guard !source.path.names.isEmpty else { continue }
      var parent = source.path
      parent.names.removeLast()
      byParent[parent, default: []].append(index)
    }
    for members in byParent.values {
      for (first, second) in zip(members, members.dropFirst()) {
        relate(first, second) { one, other in
          (kind(first, one) == .parentMissing) == (kind(second, other) == .parentMissing)
        }
      }
    }
  }
}
