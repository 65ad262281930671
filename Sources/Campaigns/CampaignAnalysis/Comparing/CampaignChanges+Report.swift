import ExpressionCoding
public import ExpressionEngine
import FilterAnalysis

extension CampaignChanges {
  /// How many users of a file get something else, by placement and change, as ``ChangeCount`` counted
  /// them.
  public typealias Counts = [String: ChangeCount]

  /// The changes for a terminal.
  ///
  /// - Parameters:
  ///   - counts: How many users each change concerns.
  ///   - detailed: Whether all filters are listed, those about unexpected values among them.
  ///   - full: Whether everything is listed that is long or much; else how much more there is.
  public func text(
    counts: Counts = [:], detailed: Bool = false, full: Bool = false
  ) -> String {
    let shown = ReportLength(full)
    var lines: [String] = []
    for placement in placements {
      if !lines.isEmpty { lines.append("") }
      lines.append("placement \(placement.name)\(placement.kind.suffix)")
      let count = counts[placement.name]
      for (index, change) in placement.changes.prefix(shown.changes).enumerated() {
        lines.append("  \(Self.name(change.old)) -> \(Self.name(change.new))")
        lines += Self.details(change).map { "    \($0)" }
        if let among = change.shownAmongOld {
          let place = change.old.map { "users of \($0.audience.experimentID)" } ?? "these"
          let texts = among.map(shown.text)
          lines.append("    among \(place): \(texts.joined(separator: ", or "))")
        }
        let label = change.isExact ? "users" : "some of the users"
        for (position, filter) in change.shownFilters(detailed, shown).enumerated() {
          lines.append("    \(position == 0 ? label : "or"): \(shown.text(filter))")
        }
        if let rest = change.rest(detailed, shown) { lines.append("    or: \(rest)") }
        if let witness = change.witness { lines.append("    user: \(shown.text(witness.json))") }
        if !change.assumptions.isEmpty {
          lines.append("    if: \(shown.text(change.assumptions.formattedList))")
        }
        if let count { lines.append("    share: \(count.share(index))") }
      }
      if let more = shown.more(placement.changes.count, shown.changes, "change") {
        lines.append("  \(more)")
      }
    }
    for question in openQuestions.prefix(shown.notes) {
      lines.append("not decided[\(question.placement)]: \(question.question)")
      lines.append("  because \(question.reason)")
    }
    if let more = shown.more(openQuestions.count, shown.notes, "question") { lines.append(more) }
    if !freeParts.isEmpty {
      lines.append("parts whose outcome is treated as unknown:")
      lines += freeParts.prefix(shown.notes).map {
        "  `\(shown.text($0.text))`, because it \($0.reason.text)"
      }
    }
    if let more = shown.more(freeParts.count, shown.notes, "part") { lines.append("  \(more)") }
    if isEmpty { lines.append("every user gets the same") }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The changes as Markdown for a pull request.
  public func markdown(counts: Counts = [:], full: Bool = false) -> String {
    let shown = ReportLength(full)
    if isEmpty { return "Every user gets the same of every placement.\n" }
    var text = ""
    for placement in placements {
      let count = counts[placement.name]
      text += "### `\(placement.name)`\(placement.kind.suffix)\n\n"
      text += "| before | after | users |\(count == nil ? "" : " share |")\n"
      text += "| --- | --- | --- |\(count == nil ? "" : " ---: |")\n"
      for (index, change) in placement.changes.prefix(shown.changes).enumerated() {
        let users: String
        if let among = change.shownAmongOld {
          users =
            "of them: "
            + among.map { "`\(Self.cell(shown.text($0)))`" }.joined(separator: "<br>or ")
        } else {
          let filters =
            change.shownFilters(false, shown).map { "`\(Self.cell(shown.text($0)))`" }
            + (change.rest(false, shown).map { [$0] } ?? [])
          users = (change.isExact ? "" : "among others ") + filters.joined(separator: "<br>or ")
        }
        text += "| \(Self.cell(Self.summary(change.old))) | \(Self.cell(Self.summary(change.new)))"
        text += " | \(users) |"
        if let count { text += " \(count.share(index)) |" }
        text += "\n"
      }
      text += "\n"
      if let more = shown.more(placement.changes.count, shown.changes, "change") {
        text += "\(more)\n\n"
      }
    }
    for question in openQuestions.prefix(shown.notes) {
      text += "- not decided at `\(question.placement)`: \(question.question)\n"
    }
    if let more = shown.more(openQuestions.count, shown.notes, "question") {
      text += "- \(more)\n"
    }
    if !unchanged.isEmpty {
      text += "Nothing changes at \(unchanged.map { "`\($0)`" }.formattedList).\n"
    }
    return text
  }

  /// The changes as JSON.
  public func value(counts: Counts = [:]) -> Value {
    let list = placements.map { placement -> Value in
      let changes = placement.changes.enumerated().map { index, change -> Value in
        var members: [Value.Key: Value] = [
          "filters": .list(change.filters.map { .string($0) }),
          "likely": .int(Int64(change.likelyCount)), "exact": .bool(change.isExact),
          "among": .list(change.filtersAmongOld.map { .string($0) }),
        ]
        if let old = change.old { members["old"] = old.value }
        if let new = change.new { members["new"] = new.value }
        if let witness = change.witness { members["user"] = witness.value }
        if !change.assumptions.isEmpty {
          members["assumes"] = .list(change.assumptions.map { .string($0) })
        }
        if let count = counts[placement.name] {
          members["count"] = .int(Int64(count.changed[index]))
        }
        return .map(members)
      }
      var members: [Value.Key: Value] = [
        "placement": .string(placement.name), "kind": .string(placement.kind.rawValue),
        "changes": .list(changes),
      ]
      if let count = counts[placement.name] { members["users"] = .int(Int64(count.users)) }
      return .map(members)
    }
    return [
      "placements": .list(list), "unchanged": .list(unchanged.map { .string($0) }),
      "open": .list(openQuestions.map(\.value)),
      "free": .list(
        freeParts.map { ["text": .string($0.text), "reason": .string($0.reason.rawValue)] }),
    ]
  }

  private static func name(_ decision: Decision?) -> String {
    decision.map { "audience \($0.index) (\($0.audience.experimentID))" } ?? "nothing"
  }

  private static func summary(_ decision: Decision?) -> String {
    guard let decision else { return "nothing" }
    let limit = decision.audience.limit.map { "; \($0.summary)" } ?? ""
    return "\(decision.audience.experimentID): \(decision.audience.variantSummary)\(limit)"
  }

  /// The changes of an experiment that both configs have.
  private static func details(_ change: DecisionChange) -> [String] {
    var lines: [String] = []
    if let old = change.old?.audience { lines.append("before: \(old.variantSummary)") }
    if let new = change.new?.audience { lines.append("after:  \(new.variantSummary)") }
    guard let old = change.old?.audience, let new = change.new?.audience, old.limit != new.limit
    else { return lines }
    lines.append("limit:  \(old.limit?.summary ?? "none") -> \(new.limit?.summary ?? "none")")
    return lines
  }

  /// Text that a cell of a table can hold.
  private static func cell(_ text: String) -> String {
    text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
  }
}

/// How much of the changes a report for people lists.
private struct ReportLength {
  /// The most changes of a placement.
  let changes: Int
  /// The most filters of a change, and the most bytes of them all, but for the first.
  let filters: Int
  let size: Int
  /// The most open questions and free parts.
  let notes: Int
  /// The most characters of a filter, a user or a list of assumptions.
  let text: Int

  init(_ full: Bool) {
    changes = full ? .max : 8
    filters = full ? .max : 8
    size = full ? .max : 480
    notes = full ? .max : 8
    text = full ? .max : 240
  }

  /// A text, cut where it is too long.
  func text(_ text: String) -> String {
    guard self.text < .max, text.utf8.count > self.text, text.count > self.text else { return text }
    return text.prefix(self.text) + "… (\(text.count - self.text) more characters)"
  }

  /// The line about what is not listed; `nil` if everything is.
  func more(_ count: Int, _ limit: Int, _ noun: String) -> String? {
    guard count > limit else { return nil }
    return "and \(count - limit) more \(noun)\(count - limit == 1 ? "" : "s"): see --full"
  }
}

extension DecisionChange {
  /// The filters that are listed.
  fileprivate func shownFilters(_ detailed: Bool, _ length: ReportLength) -> [String] {
    // Where nothing likely changes, the unlikely is listed.
    let count = detailed || likelyCount == 0 ? filters.count : likelyCount
    // Where another form says it all, two are enough to see what they look like.
    let limit = detailed || shownAmongOld == nil ? length.filters : min(length.filters, 2)
    var size = 0
    let listed = filters.prefix(min(count, limit)).prefix { filter in
      let isFirst = size == 0
      size += min(filter.utf8.count, length.size)
      return isFirst || size <= length.size
    }
    return Array(listed)
  }

  /// The line about the other filters; `nil` if there are none.
  fileprivate func rest(_ detailed: Bool, _ length: ReportLength) -> String? {
    let shown = shownFilters(detailed, length).count
    guard filters.count > shown else { return nil }
    let isUnlikely = shown >= likelyCount
    return "one of \(filters.count - shown) more"
      + (isUnlikely ? " for values of unexpected kinds" : "")
  }

  /// The filters among the users of the old decision, where they are few and say it in fewer words.
  fileprivate var shownAmongOld: [String]? {
    guard !filtersAmongOld.isEmpty, filtersAmongOld.count <= 3,
      filtersAmongOld.count < filters.count || filtersAmongOld[0].utf8.count < filters[0].utf8.count
    else { return nil }
    return filtersAmongOld
  }
}

extension PlacementChange.Kind {
  var suffix: String {
    switch self {
    case .changed: ""
    case .added: " (new)"
    case .removed: " (gone)"
    }
  }
}

extension AnalysisModel.Audience {
  /// The variants with their weights and paywalls, in one line.
  var variantSummary: String {
    guard !variants.isEmpty else { return "no variants" }
    return variants.map { variant in
      let what = variant.isHoldout ? "holdout" : variant.paywall ?? "no paywall"
      return "\(variant.id) \(what)\(variants.count > 1 ? " \(variant.weight)" : "")"
    }.joined(separator: ", ")
  }
}

extension AnalysisModel.Limit {
  /// The limit in a few words.
  var summary: String {
    "\(maximum) \(minutes.map { "in \($0) minutes" } ?? "in total") by \(key)"
  }
}

extension Decision {
  /// The decision as JSON.
  var value: Value {
    [
      "index": .int(Int64(index)), "experiment": .string(audience.experimentID),
      "variants": .list(
        audience.variants.map { variant in
          var members: [Value.Key: Value] = [
            "id": .string(variant.id), "type": variant.isHoldout ? "HOLDOUT" : "TREATMENT",
            "weight": .int(variant.weight),
          ]
          if let paywall = variant.paywall { members["paywall"] = .string(paywall) }
          return .map(members)
        }),
    ]
  }
}
