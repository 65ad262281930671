import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports the other one of two that are easily confused: clocks, roots, branches, the order of
// operators.

extension FilterLinter {
  private static let clocks = [
    "device.localTime": "device.utcTime", "device.utcTime": "device.localTime",
    "device.localDate": "device.utcDate", "device.utcDate": "device.localDate",
    "device.localDateTime": "device.utcDateTime", "device.utcDateTime": "device.localDateTime",
  ]

  /// Reports `device.utcTime >= "09:00:00" && device.localTime < "17:00:00"`: the two ends of a
  /// range are read from different clocks.
  mutating func checkClocks(_ operands: [NodeID]) {
    let ends = operands.compactMap { id -> (id: NodeID, path: String, isLow: Bool)? in
      guard let comparison = ConstantComparison(tree[id], in: tree), comparison.isOrdering,
        let path = freePath(comparison.subject)?.description, Self.clocks[path] != nil
      else { return nil }
      return (comparison.subject, path, comparison.isLowerBound)
    }
    checkDateOfOtherClock(operands)
    guard ends.count == 2, ends[0].isLow != ends[1].isLow,
      let other = Self.clocks[ends[1].path], other == ends[0].path
    else { return }
    report(
      Diagnostic(
        .seldomMeant, "the ends of this range are of two clocks", at: tree[ends[1].id].span,
        label: "another clock", secondary: [Diagnostic.Label(tree[ends[0].id].span, "this one")],
        helps: ["write `\(other)` here, too, or `\(ends[1].path)` at both ends"]))
  }

  /// Reports `device.utcDate == "2026-11-27" && device.localTime >= "20:00:00"`: the day is that
  /// of another clock.
  private mutating func checkDateOfOtherClock(_ operands: [NodeID]) {
    let read = operands.compactMap { id -> (id: NodeID, path: String)? in
      guard let comparison = ConstantComparison(tree[id], in: tree),
        let path = freePath(comparison.subject)?.description
      else { return nil }
      return (comparison.subject, path)
    }
    for (date, time) in [("utcDate", "localTime"), ("localDate", "utcTime")] {
      guard let first = read.first(where: { $0.path == "device.\(date)" }),
        let second = read.first(where: { $0.path == "device.\(time)" }),
        let other = Self.clocks[second.path]
      else { continue }
      report(
        Diagnostic(
          .seldomMeant, "the day and the time are of two clocks", at: tree[second.id].span,
          label: "another clock", secondary: [Diagnostic.Label(tree[first.id].span, "this one")],
          helps: [
            read.contains { $0.path == Self.clocks[first.path] }
              ? "write `\(Self.clocks[first.path] ?? "")` for the day, as in the other condition"
              : "write `\(other)`, or `\(Self.clocks[first.path] ?? "")` for the day"
          ]))
    }
  }

  private static let placesNearGreenwich = [
    "GB", "GBR", "IE", "IRL", "PT", "PRT", "United Kingdom", "Europe", "Africa",
  ]

  /// Reports `device.utcTime >= "18:00:00" && device.utcTime < "23:00:00" && device.regionCode ==
  /// "JP"`: the hours of the day are those of another clock there.
  mutating func checkClockOfPlace(_ operands: [NodeID]) {
    let comparisons = comparisons(among: operands)
    let hours = comparisons.filter {
      $0.comparison.isOrdering && freePath($0.comparison.subject)?.description == "device.utcTime"
    }
    let place = comparisons.first {
      guard $0.comparison.op == .equal || $0.comparison.op == .in,
        let attribute = knownAttribute($0.comparison.subject)
      else { return false }
      let isNear = $0.comparison.constants.contains { constant in
        guard case .string(let place) = constant else { return true }
        return Self.placesNearGreenwich.contains(place) || place.hasSuffix("_GB")
      }
      guard !isNear else { return false }
      switch attribute.format {
      case .region, .country, .storefront, .timeZone, .locale: return true
      default: return attribute.path == "device.ipContinent"
      }
    }
    guard let first = hours.first, let place,
      Set(hours.map { $0.comparison.isLowerBound }).count == 2
    else { return }
    report(
      Diagnostic(
        .seldomMeant, "`device.utcTime` is the clock of Greenwich",
        at: tree[first.comparison.subject].span, label: "another hour in most places",
        secondary: [Diagnostic.Label(tree[place.id].span, "users of one place")],
        helps: ["for the hours of their day, write `device.localTime`"]))
  }

  /// Reports `device.timezoneOffset == 18000 && device.regionCode == "US"`: the sign is that of
  /// JavaScript.
  mutating func checkSignOfOffset(_ operands: [NodeID]) {
    let comparisons = comparisons(among: operands)
    let offset = comparisons.first {
      freePath($0.comparison.subject)?.description == "device.timezoneOffset"
        && ($0.comparison.op == .equal || $0.comparison.isLowerBound)
        && ($0.comparison.value.plainNumber ?? 0) >= 10_800
    }
    let place = comparisons.first {
      guard $0.comparison.op == .equal, case .string(let name) = $0.comparison.value else {
        return false
      }
      switch knownAttribute($0.comparison.subject)?.format {
      case .region, .country, .timeZone: return RelatedAttributes.isInAmerica(name)
      default: return false
      }
    }
    guard let offset, let place, let seconds = offset.comparison.value.plainNumber,
      seconds <= 43_200
    else { return }
    report(
      Diagnostic(
        .seldomMeant, "an offset above 0 is east of Greenwich",
        at: tree[offset.comparison.constant].span, label: "not in America",
        secondary: [Diagnostic.Label(tree[place.id].span, "users of America")],
        helps: ["to the west it is negative: write `-\(seconds.formatted)`"]))
  }

  /// Reports `params.source == "push" || params.source == "email" || user.source == "sms"`, of
  /// which one reads another root.
  mutating func checkOddRoot(_ operands: [NodeID]) {
    guard (3...20).contains(operands.count) else { return }
    let subjects = operands.compactMap { id -> (id: NodeID, path: AttributePath)? in
      guard let comparison = ConstantComparison(tree[id], in: tree), comparison.op == .equal,
        let path = freePath(comparison.subject), path.names.count == 1
      else { return nil }
      return (comparison.subject, path)
    }
    guard subjects.count == operands.count, Set(subjects.map { $0.path.names }).count == 1,
      case let roots = Dictionary(grouping: subjects, by: { $0.path.root }), roots.count == 2,
      let odd = roots.values.first(where: { $0.count == 1 })?.first,
      let usual = roots.values.first(where: { $0.count > 1 })?.first
    else { return }
    report(
      Diagnostic(
        .seldomMeant, "this reads `\(odd.path)`, and the others read `\(usual.path)`",
        at: tree[odd.id].span, label: "another root",
        helps: ["write `\(usual.path)`"]))
  }

  /// Reports `has(user.email) || user.email.endsWith("@acme.com")`, which everyone with an address
  /// passes.
  mutating func checkPresenceOrValue(_ operands: [NodeID]) {
    for (index, operand) in operands.dropLast().enumerated() {
      let next = operands[index + 1]
      guard let path = presentPath(operand), attributesRead(by: next) == [path],
        !wasReported(tree[next].span),
        !tree[next].isBinary(.and)
      else { continue }
      report(
        Diagnostic(
          .redundantCondition, "all who have `\(path)` pass already", at: tree[next].span,
          label: "changes nothing", secondary: [Diagnostic.Label(tree[operand].span, "passes")],
          helps: ["for both conditions, write `\(text(operand)) && \(text(next))`"]))
    }
  }

  /// Returns the attribute of `has(user.plan)` and `user.plan != null`.
  private func presentPath(_ id: NodeID) -> AttributePath? {
    if case .presence(let subject) = outline.shape(of: id) { return freePath(subject) }
    guard let comparison = ConstantComparison(tree[id], in: tree), comparison.op == .notEqual,
      comparison.value == .null
    else { return nil }
    return freePath(comparison.subject)
  }

  /// Reports `device.daysSince("x") < 7 && device.daysSince("x") == null`.
  mutating func checkNeverAndTime(_ operands: [NodeID]) {
    let comparisons = comparisons(among: operands)
    for (id, never) in comparisons where never.op == .equal && never.value == .null {
      let call = text(never.subject)
      guard historyFunction(tree[never.subject])?.isTime == true,
        let other = comparisons.first(where: {
          $0.comparison.isOrdering && text($0.comparison.subject) == call
        }), !wasReported(tree[id].span)
      else { continue }
      return report(
        .always(
          false, "an event that never happened has no time", at: tree[id].span,
          label: "excludes the other",
          secondary: [Diagnostic.Label(tree[other.id].span, "this one")],
          helps: ["for one of the two, write `(\(text(id)) || \(text(other.id)))`"]))
    }
  }

  /// Reports `user.math + user.art / 2`: only the last one is divided.
  mutating func checkMean(_ id: NodeID, _ node: SyntaxNode) {
    guard node.isBinary(.add), tree[node.right].isBinary(.divide),
      !tree[node.right].flags.contains(.parenthesized),
      id == tree.root || !tree[parent(of: id)].isBinary(.add),
      case .int(let divisor)? = tree.constant(of: tree[node.right].right), divisor < 20
    else { return }
    var terms = [tree[node.right].left]
    var rest = node.left
    while tree[rest].isBinary(.add) {
      terms.append(tree[rest].right)
      rest = tree[rest].left
    }
    terms.append(rest)
    guard terms.count == divisor, terms.allSatisfy({ freePath($0) != nil }) else { return }
    let sum = terms.reversed().map { text($0) }.joined(separator: " + ")
    report(
      Diagnostic(
        .seldomMeant, "`/` binds tighter than `+`: only the last one is divided",
        at: tree[node.right].span, label: "divided by itself",
        helps: ["for the mean, write `(\(sum)) / \(divisor)`"]))
  }

  /// Reports `has(user.birthYear) ? true : user.birthYear <= 2008`, which reads the attribute where
  /// it is missing.
  mutating func checkSwappedBranches(_ node: SyntaxNode) {
    if checkNeverHappenedHere(node) { return }
    let isNegated = tree[node.condition].isUnary(.not)
    let presence = isNegated ? tree[node.condition].operand : node.condition
    guard case .presence(let subject) = outline.shape(of: presence),
      let path = freePath(subject)
    else { return }
    let (absent, present) =
      isNegated
      ? (node.consequence, node.alternative) : (node.alternative, node.consequence)
    if checkOtherGuard(path, presence, present) { return }
    guard paths(in: absent).contains(path), !wasReported(tree[absent].span) else { return }
    guard case .bool? = tree.constant(of: present) else {
      return report(
        Diagnostic(
          .seldomMeant, "this is evaluated where `\(path)` is missing", at: tree[absent].span,
          label: "only for users who lack it",
          helps: helpForBothBranches(present, absent).map { [$0] } ?? []))
    }
    let (has, condition) = (text(presence), text(absent))
    report(
      Diagnostic(
        .seldomMeant, "this is evaluated where `\(path)` is missing", at: tree[absent].span,
        label: "the branches are exchanged",
        helps: [
          "for users who have it, write `\(has) && \(condition)`",
          "to take in those who lack it, write `!\(has) || \(condition)`",
        ]))
  }

  /// Returns advice for `has(user.plan) ? user.plan == "free" : user.plan == "trial"`.
  private func helpForBothBranches(_ first: NodeID, _ second: NodeID) -> String? {
    guard let one = ConstantComparison(tree[first], in: tree), one.op == .equal,
      let two = ConstantComparison(tree[second], in: tree), two.op == .equal,
      let path = freePath(one.subject), path == freePath(two.subject)
    else { return nil }
    let list = "[\(text(one.constant)), \(text(two.constant))]"
    return "for one of the two, write `\(path)` alone with `in \(list)`"
  }

  /// Reports `device.daysSince("x") == null ? device.daysSince("x") > 3 : false`. Returns whether
  /// it did.
  private mutating func checkNeverHappenedHere(_ node: SyntaxNode) -> Bool {
    guard let comparison = ConstantComparison(tree[node.condition], in: tree),
      comparison.isEquality, comparison.value == .null,
      historyFunction(tree[comparison.subject]) != nil
    else { return false }
    let isNull = comparison.op == .equal
    let (absent, present) =
      isNull ? (node.consequence, node.alternative) : (node.alternative, node.consequence)
    guard case .bool? = tree.constant(of: present),
      let other = ConstantComparison(tree[absent], in: tree),
      text(other.subject) == text(comparison.subject), !wasReported(tree[absent].span)
    else { return false }
    report(
      Diagnostic(
        .seldomMeant, "this is evaluated where the event never happened", at: tree[absent].span,
        label: "the branches are exchanged",
        helps: [
          "write `\(text(comparison.subject)) != null ? \(text(absent)) : \(text(present))`"
        ]))
    return true
  }

  /// Reports `has(user.company) ? user.companySize > 5 : false`, which tests one attribute and
  /// reads another one with such a name. Returns whether it did.
  private mutating func checkOtherGuard(
    _ path: AttributePath, _ presence: NodeID, _ branch: NodeID
  ) -> Bool {
    let read = paths(in: branch)
    guard read.count == 1, let other = read.first, other != path, other.root == path.root,
      schema.attribute(at: other) == nil, let name = path.names.last, let read = other.names.last,
      read.hasPrefix(name) || name.hasPrefix(read)
    else { return false }
    report(
      Diagnostic(
        .seldomMeant, "this asks for `\(path)`, and the branch reads `\(other)`",
        at: tree[presence].span, label: "another attribute",
        secondary: [Diagnostic.Label(tree[branch].span, "")],
        helps: ["write `has(\(other))`"]))
    return true
  }

  /// Reports `(device.daysSince("offer") || 999) > 7`: `||` goes on after 0, too.
  mutating func checkDefaultOfTime(_ id: NodeID, _ node: SyntaxNode) {
    guard isSuperscript, node.op == .or, id != tree.root,
      case let outer = tree[parent(of: id)], outer.kind == .binary, outer.op != .and,
      outer.op != .or,
      historyFunction(tree[node.left])?.isTime == true,
      let other = tree.constant(of: node.right)?.plainNumber, other != 0
    else { return }
    let time = text(node.left)
    report(
      Diagnostic(
        .seldomMeant, "`||` replaces 0, too: for an event that has just happened",
        at: tree[node.left].span, label: "0 counts as false",
        helps: ["write `(\(time) != null ? \(time) : \(text(node.right)))`"]))
  }

  /// Reports `device.sdkVersionPadded >= device.appVersionPadded`: versions of two programs.
  mutating func checkVersions(_ node: SyntaxNode, _ left: NodeID, _ right: NodeID) {
    let forms: [AttributeSchema.Attribute.Format] = [.version, .paddedVersion, .systemVersion]
    guard let one = knownAttribute(left), let two = knownAttribute(right), one.path != two.path,
      let first = one.format, let second = two.format, forms.contains(first),
      forms.contains(second),
      one.path.nameWords.dropFirst().first != two.path.nameWords.dropFirst().first,
      !wasReported(tree[right].span)
    else { return }
    report(
      Diagnostic(
        .seldomMeant, "these are versions of two programs", at: tree.operatorSpan(of: node),
        label: "they say nothing about each other",
        secondary: [
          Diagnostic.Label(tree[left].span, one.summary),
          Diagnostic.Label(tree[right].span, two.summary),
        ], helps: ["compare each of them with a version"]))
  }

  /// Reports `timestamp(device.appInstallDate) - timestamp(device.utcDateTime) > duration("24h")`,
  /// an earlier moment less a later one. Returns whether it did.
  mutating func checkExchangedMoments(
    _ node: SyntaxNode, _ left: NodeID, _ right: NodeID
  ) -> Bool {
    guard node.op == .greater || node.op == .greaterEqual, tree[left].isBinary(.subtract),
      tree[right].kind == .call, tree.name(of: tree[right]) == "duration",
      let earlier = momentRead(by: tree[left].left), let later = momentRead(by: tree[left].right),
      earlier.nameWords.contains(where: { $0.hasPrefix("install") }),
      later == "device.utcDateTime"
    else { return false }
    let (first, second) = (text(tree[left].left), text(tree[left].right))
    report(
      .always(
        false, "an earlier moment less a later one is never positive", at: tree[left].span,
        label: "the moments are exchanged", helps: ["write `\(second) - \(first)`"]))
    return true
  }

  /// Returns the attribute in `timestamp(device.utcDateTime)`.
  private func momentRead(by id: NodeID) -> String? {
    guard tree[id].kind == .call, tree.name(of: tree[id]) == "timestamp" else { return nil }
    return tree.operands(of: tree[id]).first.flatMap { freePath($0)?.description }
  }

  /// Reports `device.localTime == "18:00:00"`, which holds for one second.
  mutating func checkOneSecond(
    _ comparison: ConstantComparison, _ attribute: AttributeSchema.Attribute?
  ) {
    guard let attribute, comparison.op == .equal, case .string(let text) = comparison.value,
      Self.clocks[attribute.path] != nil, let format = attribute.format,
      format == .time || format == .dateTime, format.accepts(text),
      !wasReported(tree[comparison.constant].span)
    else { return }
    let subject = self.text(comparison.subject)
    let help: String
    if format == .dateTime {
      help = "for the day, write `\(subject).startsWith(\"\(text.prefix(10))\")`"
    } else if let hour = Int(text.prefix(2)), hour < 23 {
      help =
        "for an hour, write `(\(subject) >= \"\(text)\" && \(subject) < "
        + "\"\(CalendarDate.twoDigits(hour + 1))\(text.dropFirst(2))\")`"
    } else {
      help = "for the time from then on, write `\(subject) >= \"\(text)\"`"
    }
    report(
      Diagnostic(
        .seldomMeant, "this holds for one second", at: tree[comparison.constant].span,
        label: "an exact time", helps: [help]))
  }

  /// Reports `!device.daysSince("purchase")`, which holds for an event that never happened, and on
  /// the day on which it did.
  mutating func checkNegatedTimeSince(_ id: NodeID, _ node: SyntaxNode) {
    guard isSuperscript, id != tree.root, tree[parent(of: id)].isUnary(.not),
      historyFunction(node)?.isTime == true
    else { return }
    report(
      Diagnostic(
        .seldomMeant, "`!` holds for 0, too: for an event that has just happened", at: node.span,
        label: "a number, or null",
        helps: ["for users without the event, write `\(text(id)) == null`"]))
  }
}
