import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports calls of functions that do not exist.

extension FilterLinter {
  /// Checks a call of a function that the dialect does not have, and its arguments if the app has
  /// it: as a member of `device` or `computed`, or by its name.
  ///
  /// - Returns: Whether it is such a call.
  mutating func checkCallable(_ node: SyntaxNode, _ name: String) -> Bool {
    guard !outline.isLibraryFunction(name) else { return false }
    if let receiver = node.receiver, outline.isMember(node), !isBound[Int(receiver.index)] {
      checkHostCall(node, name, table: tree.name(of: tree[receiver]))
    } else if isSuperscript, schema.hostFunctions["device.\(name)"] != nil {
      checkHostCall(node, name, table: "device")
    } else if environment.hasAdded(name) {
      checkAddedCall(node, name)
    } else {
      reportUncallable(node, name, among: FunctionNames.all(in: tree.dialect.name))
    }
    return true
  }

  mutating func checkHostCall(_ node: SyntaxNode, _ name: String, table: String) {
    guard schema.hostFunctions["\(table).\(name)"] == nil else {
      return checkHostArguments(node, name, table: table)
    }
    let known =
      schema.hostFunctions.keys.filter { $0.hasPrefix("\(table).") }
      .map { String($0.dropFirst(table.count + 1)) }
      + (table == "device" ? environment.deviceFunctions : environment.computedFunctions).keys
    if name == "weeksSince", schema.hostFunctions["\(table).daysSince"] != nil {
      let event = tree.arguments(of: node).first.map { text($0) } ?? "\"app_open\""
      return report(
        Diagnostic(
          .uncallableFunction, "there is no function `\(table).\(name)`",
          at: tree.nameSpan(of: node), label: "not known",
          notes: ["a week is 7 days"],
          helps: ["write `\(table).daysSince(\(event))\(daysComparedLikeWeeks(node))`"]))
    }
    if let help = helpForAttribute(node, name, table) ?? helpForPeriod(node, name, table) {
      return report(
        Diagnostic(
          .uncallableFunction, "there is no function `\(table).\(name)`",
          at: tree.nameSpan(of: node), label: "not known", helps: [help]))
    }
    if name.hasPrefix("placements") {
      let windows = HistoryFunctionInfo.all.filter { !$0.isTime }.map { "`\(table).\($0.name)`" }
      // A window of some days, or of a year, is another one.
      let isOwnWindow = tree.arguments(of: node).count > 1
      let isYear = name.lowercased().contains(text: "year")
      return report(
        Diagnostic(
          .uncallableFunction, "there is no function `\(table).\(name)`",
          at: tree.nameSpan(of: node), label: "not known",
          notes: ["the windows are \(windows.joined(separator: ", "))"],
          helps: isOwnWindow
            ? ["there are no other windows: ask for one of these, each with the event alone"]
            : isYear
              ? ["the longest window is a month; `\(table).placementsSinceInstall` counts all"]
              : Suggestions.closest(to: name, among: known.sorted()).first.flatMap { nearest in
                Self.isMisspelling(name, of: nearest)
                  ? ["did you mean `\(table).\(nearest)`?"] : nil
              } ?? []))
    }
    var closest = Suggestions.closest(to: name, among: known.sorted())
    if let same = closest.first,
      same.lowercased() == name.lowercased() || Self.isMisspelling(name, of: same)
    {
      closest = [same]
    }
    report(
      Diagnostic(
        .uncallableFunction, "there is no function `\(table).\(name)`",
        at: tree.nameSpan(of: node), label: "not known",
        notes: ["the app does not offer it, nor do the SDKs"],
        helps: closest.isEmpty
          ? []
          : ["did you mean \(closest.map { "`\(table).\($0)`" }.joined(separator: " or "))?"]))
  }

  /// Returns advice for an attribute that is called: `device.daysSinceInstall()`,
  /// `device.daysSinceInstall("app_open")` and `device.daysSince_run_done()`.
  private func helpForAttribute(_ node: SyntaxNode, _ name: String, _ table: String) -> String? {
    let path = AttributePath(root: table == "computed" ? "device" : table, names: [name])
    guard schema.attribute(at: path) != nil else { return nil }
    guard let argument = tree.arguments(of: node).first,
      let function = HistoryFunctionInfo.all.first(where: { name.hasPrefix($0.name) })
    else { return "it is an attribute, and read without parentheses: `\(path)`" }
    let event = tree[argument].kind == .identifier ? "\"\(text(argument))\"" : text(argument)
    if schema[path.description] != nil, name != "\(function.name)_" {
      return "for the attribute, write `\(path)`; for an event, "
        + "`\(table).\(function.name)(\(event))`"
    }
    return name == "\(function.name)_"
      ? "write `\(table).\(function.name)(\(event))`"
      : "it is an attribute, and read without parentheses: `\(path)`"
  }

  /// Returns advice for a time or a window that the SDKs do not count: `device.secondsSince` and
  /// `device.placementsIn24Hours`.
  private func helpForPeriod(_ node: SyntaxNode, _ name: String, _ table: String) -> String? {
    let event = tree.arguments(of: node).first.map { text($0) } ?? "\"app_open\""
    if name.hasPrefix("seconds") || name.hasPrefix("millis") || name.hasPrefix("timeSince") {
      return "the shortest unit is a minute: write `\(table).minutesSince(\(event))` with a number "
        + "of minutes"
    }
    let words = name.nameWords
    guard
      words.contains(where: { word in
        ["placement", "count", "event", "number"].contains { word.hasPrefix($0) }
      }),
      !HistoryFunctionInfo.all.contains(where: { $0.name.nameKey == name.nameKey })
    else { return nil }
    let windows = [
      ("placementsInHour", ["hour", "60"]),
      ("placementsInDay", ["24", "hours", "today", "day", "daily"]),
      ("placementsInWeek", ["7", "week", "weekly"]),
      ("placementsInMonth", ["30", "month", "monthly"]),
      ("placementsSinceInstall", ["ever", "total", "all", "lifetime"]),
    ]
    let digits = name.filter { $0.isNumber }
    let days = tree.arguments(of: node).dropFirst().first.map { text($0) }
    let named = windows.last { window in
      window.1.contains { words.contains($0) || $0 == digits && !digits.isEmpty }
    }
    // `device.countSince("app_open", 7)`
    let meant = named ?? ["1": windows[1], "7": windows[2], "30": windows[3]][days ?? ""]
    return meant.map { "did you mean `\(table).\($0.0)(\(event))`?" }
  }

  mutating func reportUncallable(
    _ node: SyntaxNode, _ name: String, among functions: [String]
  ) {
    // In `Math.max(…)` the name before the dot is the mistake.
    if let receiver = node.receiver, poisoned.contains(receiver) { return }
    let known = functions.filter { !FunctionDefinition.testFunctions.contains($0) }
    var helps = Suggestions.help(for: name, among: known).map { [$0] } ?? []
    if let foreign = ForeignFunctions.equivalent(of: name, in: tree.dialect.name) {
      helps = [
        helpForLookup(node, name) ?? helpForVersion(node, foreign) ?? helpForMoment(node, name)
          ?? helpForPlace(node, name) ?? helpForPart(node, name)
          ?? helpForRounding(node, name) ?? helpForNow(node, name) ?? advice(foreign, for: node)
      ]
    } else if schema.hostFunctions["device.\(name)"] != nil {
      helps = ["did you mean `device.\(name)`?"]
    } else if helps.isEmpty, node.childCount == 0, let receiver = node.receiver,
      let path = freePath(receiver),
      path.names.isEmpty || schema["\(path).\(name)"] != nil
    {
      let owner = tree.source.text(of: tree[receiver].span).shortened(to: 40)
      helps = ["an attribute is read without parentheses: `\(owner).\(name)`"]
    }
    let nameSpan = tree.nameSpan(of: node)
    var fixIts: [Diagnostic.FixIt] = []
    if name.lowercased() == "not", node.receiver == nil, node.childCount == 1 {
      helps = []
      fixIts = [Diagnostic.FixIt("write `!(…)`", [Diagnostic.Edit(nameSpan, "!")])]
    }
    report(
      Diagnostic(
        .uncallableFunction, "there is no function `\(name)`", at: nameSpan, label: "not known",
        notes: [
          "a function that does not exist makes the whole filter null, so it does not match"
        ],
        helps: helps, fixIts: fixIts))
  }

  /// Returns advice for `left(device.deviceLocale, 2) == "de"`.
  private func helpForPart(_ node: SyntaxNode, _ name: String) -> String? {
    let operands = tree.operands(of: node)
    guard let comparison = comparison(of: node), comparison.isEquality,
      case .string = comparison.value, let subject = operands.first, freePath(subject) != nil
    else { return nil }
    let function: String
    switch name.lowercased() {
    case "left": function = "startsWith"
    case "right": function = "endsWith"
    case "substring", "substr", "slice", "mid":
      guard operands.count == 3, case .int(let start)? = tree.constant(of: operands[1]),
        start == 0 || start == 1 && name.lowercased() != "slice"
      else { return nil }
      function = "startsWith"
    default: return nil
    }
    let not = comparison.op == .notEqual ? "!" : ""
    return "write `\(not)\(text(subject)).\(function)(\(text(comparison.constant)))`"
  }

  /// Returns advice for `lookup(user.limits, "exports", 0)`, a member of a map or another value.
  private func helpForLookup(_ node: SyntaxNode, _ name: String) -> String? {
    let arguments = tree.arguments(of: node)
    guard name == "lookup", arguments.count > 1, freePath(arguments[0]) != nil,
      case .string(let member)? = tree.constant(of: arguments[1]), member.isPlainName
    else { return nil }
    let value = "\(text(arguments[0])).\(member)"
    return arguments.count > 2
      ? "write `(has(\(value)) ? \(value) : \(text(arguments[2])))`" : "write `\(value)`"
  }

  /// Returns advice for a version that is to be converted to a number, as `parseInt` of other
  /// languages does with its beginning.
  private func helpForVersion(
    _ node: SyntaxNode, _ foreign: ForeignFunctions.Equivalent
  ) -> String? {
    guard case .function(let conversion) = foreign, conversion == "int" || conversion == "double",
      let argument = tree.operands(of: node).first, let attribute = knownAttribute(argument),
      [.version, .systemVersion, .paddedVersion].contains(attribute.format)
    else { return nil }
    let padded = attribute.path + "Padded"
    return schema[padded] == nil
      ? Self.helpForVersion(attribute.path)
      : "a version is a text; compare `\(padded)` with a text such as \"004.000.000\""
  }

  /// Returns advice for `device.appVersion.split(".")[0] == "4"`, and for
  /// `user.plan.indexOf("pro") == -1`.
  private func helpForPlace(_ node: SyntaxNode, _ name: String) -> String? {
    let operands = tree.operands(of: node)
    guard let id = id(ofCall: node) else { return nil }
    if operands.count == 1,
      name.lowercased().hasSuffix("case") || name.lowercased().hasSuffix("lower"),
      let comparison = ConstantComparison(tree[parent(of: id)], in: tree), comparison.isEquality,
      case .string(let word) = comparison.value, !word.isEmpty,
      word.allSatisfy({ $0.isLetter || $0.isNumber || $0 == " " })
    {
      let match = "\(text(operands[0])).matches(\"(?i)^\(word)$\")"
      return "to ignore case, write `\(comparison.op == .equal ? "" : "!")\(match)`"
    }
    guard operands.count == 2 else { return nil }
    let (subject, sought) = (text(operands[0]), text(operands[1]))
    let place = parent(of: id)
    switch name.lowercased() {
    case "split": return helpForSplit(operands, at: place)
    case "countif":
      guard let comparison = ConstantComparison(tree[place], in: tree),
        case .int(let number) = comparison.value, tree.isLiteral(operands[1])
      else { return nil }
      let isThere: Bool
      switch (comparison.op, number) {
      case (.greater, 0), (.greaterEqual, 1), (.notEqual, 0): isThere = true
      case (.equal, 0), (.less, 1): isThere = false
      default: return nil
      }
      // `*` stands for any text there.
      let part = sought.dropFirst().dropLast().filter { $0 != "*" }
      if part.utf8.count + 2 < sought.utf8.count {
        return "write `\(isThere ? "" : "!")\(subject).exists(x, x.contains(\"\(part)\"))`"
      }
      return isThere ? "write `\(sought) in \(subject)`" : "write `!(\(sought) in \(subject))`"
    case "indexof", "strpos", "search":
      guard let comparison = ConstantComparison(tree[place], in: tree),
        case .int(let number) = comparison.value
      else { return nil }
      let isThere: Bool
      switch (comparison.op, number) {
      case (.equal, -1), (.less, 0): isThere = false
      case (.notEqual, -1), (.greaterEqual, 0), (.greater, -1): isThere = true
      default: return nil
      }
      return "write `\(isThere ? "" : "!")\(subject).contains(\(sought))`"
    default: return nil
    }
  }

  /// Returns advice for `device.appVersion.split(".")[0] == "4"` and `x in "a,b".split(",")`.
  ///
  /// - Parameter place: The node around the call.
  private func helpForSplit(_ operands: [NodeID], at place: NodeID) -> String? {
    let (subject, node) = (operands[0], tree[place])
    guard case .string(let separator)? = tree.constant(of: operands[1]), !separator.isEmpty else {
      return nil
    }
    if node.isBinary(.in), tree.isLiteral(subject),
      case .string(let words)? = tree.constant(of: subject)
    {
      let list = ListedTexts(words.replacing(separator, by: "\n"), separators: "\n")
      return "write `\(list.membership(of: text(node.left), isNegated: false))`"
    }
    if node.kind == .index, tree.constant(of: node.subscriptIndex) == .int(0),
      isPlainVersion(subject), let attribute = knownAttribute(subject),
      case let outer = tree[parent(of: place)], outer.kind == .call
    {
      return helpForVersion(attribute, subject, comparedAs: comparison(of: outer))
    }
    guard node.kind == .index, case .int(let index)? = tree.constant(of: node.subscriptIndex),
      index <= 1, let comparison = ConstantComparison(tree[parent(of: place)], in: tree),
      comparison.isEquality, case .string(let first) = comparison.value
    else { return nil }
    // The second of two parts is the last one.
    let test =
      index == 0
      ? "startsWith(\(Value.string(first + separator).literal))"
      : "endsWith(\(Value.string(separator + first).literal))"
    return "write `\(comparison.op == .equal ? "" : "!")\(text(subject)).\(test)`"
  }

  /// Returns advice for `round(user.rating) >= 4` and `floor(user.rating) == 4`.
  private func helpForRounding(_ node: SyntaxNode, _ name: String) -> String? {
    let shifts = ["round": 0.5, "floor": 0, "ceil": 1, "ceiling": 1, "trunc": 0]
    guard let shift = shifts[name.lowercased()], let operand = tree.operands(of: node).first,
      let comparison = comparison(of: node), comparison.isConstantRight,
      let number = comparison.value.plainNumber, number == number.rounded()
    else { return nil }
    let subject = text(operand)
    // The least number that is rounded to this one, and the least that is rounded to the next.
    let (from, to) = (number - shift, number + 1 - shift)
    let isOpen = shift == 1
    let (above, below) = isOpen ? (">", "<=") : (">=", "<")
    switch comparison.op {
    case .greaterEqual: return "write `\(subject) \(above) \(from.formatted)`"
    case .greater: return "write `\(subject) \(above) \(to.formatted)`"
    case .less: return "write `\(subject) \(below) \(from.formatted)`"
    case .lessEqual: return "write `\(subject) \(below) \(to.formatted)`"
    case .equal:
      return "write `\(subject) \(above) \(from.formatted) && \(subject) \(below) \(to.formatted)`"
    default: return nil
    }
  }

  /// Returns advice for a part of a moment: `HOUR(device.localTime) >= 18`.
  private func helpForMoment(_ node: SyntaxNode, _ name: String) -> String? {
    let part = name.lowercased().filter { $0.isLetter }
    guard let operand = tree.operands(of: node).first, let attribute = knownAttribute(operand),
      let format = attribute.format, [.date, .time, .dateTime].contains(format)
    else { return nil }
    if part.hasSuffix("dayofweek") || part.hasSuffix("weekday") || part == "getday" {
      return Self.noWeekday
    }
    guard format == .time, part.hasSuffix("hour") || part.hasSuffix("hours"),
      let comparison = comparison(of: node),
      comparison.isOrdering, case .int(let hour) = comparison.value, (0...24).contains(hour)
    else { return nil }
    // After 18 is from 19 on.
    let isAfter = comparison.op == .greater || comparison.op == .lessEqual
    let start = hour + (isAfter ? 1 : 0)
    let op = comparison.isLowerBound ? ">=" : "<"
    guard start < 24 else { return nil }
    let text = (start < 10 ? "0" : "") + "\(start):00:00"
    return "a time is a text: write `\(attribute.path) \(op) \"\(text)\"`"
  }

  /// Returns advice for `timestamp(user.trialEnd) < now()`, where texts can be compared.
  private func helpForNow(_ node: SyntaxNode, _ name: String) -> String? {
    guard ["now", "today", "currentdate", "sysdate"].contains(name.lowercased()),
      let id = id(ofCall: node), tree[parent(of: id)].kind == .binary
    else { return nil }
    let comparison = tree[parent(of: id)]
    let other = tree[comparison.left == id ? comparison.right : comparison.left]
    guard comparison.op.info.isComparison, other.kind == .call,
      tree.name(of: other) == "timestamp", let moment = tree.operands(of: other).first,
      freePath(moment) != nil
    else { return nil }
    let now = "device.\(name.lowercased() == "today" ? "localDate" : "utcDateTime")"
    let (left, right) = comparison.left == id ? (now, text(moment)) : (text(moment), now)
    return "compare the texts: `\(left) \(comparison.op.spelling) \(right)`"
  }

  /// Returns whether `!` is directly before a call.
  func isNegated(_ node: SyntaxNode) -> Bool {
    guard let id = id(ofCall: node)
    else { return false }
    return tree[parent(of: id)].isUnary(.not)
  }

  /// Returns the comparison around a call with seven times its number: ` >= 14`.
  private func daysComparedLikeWeeks(_ node: SyntaxNode) -> String {
    guard let comparison = comparison(of: node),
      case .int(let weeks) = comparison.value, (-1_000...1_000).contains(weeks)
    else { return "" }
    return " \(comparison.op.spelling) \(weeks * 7)"
  }
}
