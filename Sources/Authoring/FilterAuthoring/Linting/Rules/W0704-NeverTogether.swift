import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports conditions that no user meets, because of what the SDKs send together.

extension FilterLinter {
  /// Reports `device.isFirstAppOpen && device.placementsSinceInstall("app_open") >= 5`.
  mutating func checkFirstOpening(_ operands: [NodeID]) {
    let first = operands.first { operand in
      let comparison = ConstantComparison(tree[operand], in: tree)
      guard comparison == nil || comparison?.op == .equal && comparison?.value == .bool(true) else {
        return false
      }
      return freePath(comparison?.subject ?? operand)?.description == "device.isFirstAppOpen"
    }
    guard let first else { return }
    for operand in operands {
      if let comparison = ConstantComparison(tree[operand], in: tree), comparison.isLowerBound,
        let number = comparison.value.plainNumber, number >= 1,
        freePath(comparison.subject)?.description == "device.daysSinceLastPaywallView"
      {
        report(
          .always(
            false, "while the app is open for the first time, no view is so long ago",
            at: tree[operand].span, label: "never true together with the other",
            secondary: [Diagnostic.Label(tree[first].span, "this one")],
            notes: [Self.neverTogether],
            helps: ["for users who pass either, join them as `(… || …)`"]))
        continue
      }
      guard let comparison = ConstantComparison(tree[operand], in: tree), comparison.isLowerBound,
        let number = comparison.value.plainNumber,
        let function = historyFunction(tree[comparison.subject]),
        number >= (function.isTime ? 1 : 2),
        let argument = tree.arguments(of: tree[comparison.subject]).first,
        case .string(let event)? = tree.constant(of: argument),
        Self.eventsOfAll.contains(event)
      else { continue }
      report(
        .always(
          false,
          "while the app is open for the first time, it was not opened so "
            + (function.isTime ? "long ago" : "often"),
          at: tree[operand].span, label: "never true together with the other",
          secondary: [Diagnostic.Label(tree[first].span, "this one")],
          notes: [Self.neverTogether], helps: ["correct one of them"]))
    }
  }

  private static let lengthsOfPeriods = ["days": 1.0, "weeks": 7, "months": 30.4, "years": 365]

  /// Returns the beginning of a name, and the days of the period that its value means: of
  /// `product_period_days`, "30", or of `product_period`, "month", "1 month" or "P1M".
  private static func period(_ name: String, _ value: String) -> (prefix: String, days: Double)? {
    if name.hasSuffix("period") {
      let words = value.lowercased().split(separator: " ")
      let count = words.count == 2 ? Double(String(words[0])) : words.count == 1 ? 1 : nil
      let unit = words.last.map { $0.hasSuffix("s") ? String($0) : $0 + "s" }
      guard let count, let length = unit.flatMap({ lengthsOfPeriods[$0] }) else { return nil }
      return (name, count * length)
    }
    guard let bar = name.lastIndex(of: "_"), name[..<bar].hasSuffix("period"),
      let length = lengthsOfPeriods[String(name[name.index(after: bar)...])],
      let number = Double(value), number > 0
    else { return nil }
    return (String(name[..<bar]), number * length)
  }

  /// Reports `params.abandoned_product_period_days == "365" &&
  /// params.abandoned_product_period_months == "1"`: both are about one period.
  mutating func checkPeriods(_ operands: [NodeID]) {
    var first: [String: (id: NodeID, days: Double)] = [:]
    for operand in operands {
      guard let comparison = ConstantComparison(tree[operand], in: tree), comparison.op == .equal,
        let name = freePath(comparison.subject)?.names.last,
        case .string(let written) = comparison.value,
        let (prefix, days) = Self.period(name, written)
      else { continue }
      guard let other = first[prefix] else {
        first[prefix] = (operand, days)
        continue
      }
      guard max(days, other.days) > 1.2 * min(days, other.days) + 1 else { continue }
      report(
        .always(
          false, "both are about one period, and it is not so long",
          at: tree[operand].span, label: "excludes the other",
          secondary: [Diagnostic.Label(tree[other.id].span, "this one")],
          helps: ["for one of the two periods, join them as `(… || …)`; else correct one"]))
    }
  }

  /// Reports `device.activeEntitlementObjects.exists(e, !e.isActive)`: all of them are active.
  mutating func checkActiveElements(_ node: SyntaxNode) {
    guard let loop = outline.loop(node),
      freePath(loop.range)?.description == "device.activeEntitlementObjects"
    else { return }
    for operand in outline.operands(of: loop.body, .and) {
      guard let subject = subject(deniedBy: operand), tree[subject].kind == .select,
        tree.name(of: tree[subject]) == "isActive"
      else { continue }
      report(
        .always(
          false, "all of these entitlements are active", at: tree[operand].span,
          label: "never true",
          helps: ["all entitlements are in `device.customerInfo.entitlements`"]))
    }
  }

  /// Reports `user.birthday == device.localDate`, which holds on the day of birth alone.
  mutating func checkBirthday(_ node: SyntaxNode, _ left: NodeID, _ right: NodeID) {
    guard node.op == .equal else { return }
    let sides = [(left, right), (right, left)]
    for (birth, today) in sides {
      guard let path = freePath(birth), let name = path.names.last?.lowercased(),
        name.contains(text: "birth") || name == "dob", !name.contains(text: "year"),
        let date = freePath(today)?.description,
        ["device.localDate", "device.utcDate"].contains(date)
      else { continue }
      return report(
        .always(
          false, "a date of birth is today's date on one day only", at: node.span,
          label: "the years differ",
          helps: [
            "texts have no parts: the app can set the month and day, such as \"04-21\", "
              + "and the filter can ask for `\(date).endsWith(user.…)`"
          ]))
    }
  }

  /// Reports `list[1] == "a" && size(list) == 1`: elements are counted from 0.
  mutating func checkIndexOfShortList(_ operands: [NodeID]) {
    var sizes: [AttributePath: (id: NodeID, count: Double)] = [:]
    for operand in operands {
      guard case .size(of: let list, let size)? = outline.relation(of: operand),
        size.op == .equal, let path = freePath(list), let count = size.value.plainNumber
      else { continue }
      sizes[path] = (operand, count)
    }
    guard !sizes.isEmpty else { return }
    for operand in operands {
      guard let comparison = ConstantComparison(tree[operand], in: tree),
        case let element = tree[comparison.subject], element.kind == .index,
        let path = freePath(element.operand), let size = sizes[path],
        let index = tree.constant(of: element.subscriptIndex)?.plainNumber, index >= size.count
      else { continue }
      report(
        .always(
          false, "there is no such place in a list of this size",
          at: tree[element.subscriptIndex].span, label: "places are counted from 0",
          secondary: [Diagnostic.Label(tree[size.id].span, "this size")],
          helps: index == 1 ? ["for the first element, write `\(path)[0]`"] : []))
    }
  }

  /// Reports `device.localDate == "2026-12-24" && device.utcDate == "2026-12-27"`: the dates of two
  /// clocks are a day apart at most.
  mutating func checkDatesApart(_ operands: [NodeID]) {
    let dates = operands.compactMap { id -> (id: NodeID, path: String, date: String)? in
      guard let comparison = ConstantComparison(tree[id], in: tree), comparison.op == .equal,
        case .string(let date) = comparison.value, CalendarDate.isDay(date),
        let path = freePath(comparison.subject)?.description
      else { return nil }
      return (id, path, date)
    }
    guard let local = dates.first(where: { $0.path == "device.localDate" }),
      let utc = dates.first(where: { $0.path == "device.utcDate" }), local.date != utc.date,
      CalendarDate.nextDay(after: local.date) != utc.date,
      CalendarDate.nextDay(after: utc.date) != local.date
    else { return }
    let (first, last) = local.date < utc.date ? (local.date, utc.date) : (utc.date, local.date)
    report(
      .always(
        false, "the dates of two clocks are a day apart at most", at: tree[utc.id].span,
        label: "excludes the other", secondary: [Diagnostic.Label(tree[local.id].span, "this one")],
        helps: [
          "for the days between them, write `device.localDate >= \"\(first)\" && "
            + "device.localDate <= \"\(last)\"`"
        ]))
  }
}
