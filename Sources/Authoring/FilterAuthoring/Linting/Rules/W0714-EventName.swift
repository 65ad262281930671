import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports names that no event has.

extension FilterLinter {
  private static let takesEvent =
    "the argument is the name of an event, such as \"app_open\""

  /// Reports `device.daysSince("app_open ")`: no event has an empty name, or blanks around it.
  mutating func checkEventName(_ node: SyntaxNode) {
    guard historyFunction(node) != nil, node.childCount == 1,
      let argument = tree.arguments(of: node).first
    else { return }
    if checkJoinedEvents(node, argument) || checkAttributeAsEvent(node, argument) { return }
    guard case .string(let event)? = tree.constant(of: argument) else { return }
    if checkNoName(event, node, at: argument) { return }
    if event == "…" || event == "..." {
      return report(
        Diagnostic(
          .impossibleValue, "this was never filled in", at: tree[argument].span,
          label: "not such a name", helps: ["write the name of an event, such as `\"app_open\"`"]))
    }
    guard event.isEmpty || event.first?.isWhitespace == true || event.last?.isWhitespace == true
    else { return checkEventSpelling(event, at: argument) }
    let span = tree[argument].span
    let right = event.trimmed
    let literal = "\"\(right)\""
    let isPlain = !right.isEmpty && right.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    report(
      Diagnostic(
        .impossibleValue,
        event.isEmpty ? "no event has an empty name" : "no event has blanks around its name",
        at: span, label: event.isEmpty ? "a name is missing" : "not such a name",
        helps: event.isEmpty ? ["write the name of an event, such as `\"app_open\"`"] : [],
        fixIts: isPlain
          ? [Diagnostic.FixIt(write: literal, at: span)] : []))
  }

  /// Reports `device.daysSince(device.appInstallDate)`, whose argument is the name of no event.
  /// Returns whether it did.
  private mutating func checkAttributeAsEvent(_ node: SyntaxNode, _ argument: NodeID) -> Bool {
    if let path = freePath(argument), path.root == "user", schema.attribute(at: path) == nil,
      let word = path.names.last?.nameWords.last, ["at", "date"].contains(word),
      case let call = "\(node.receiver.map { text($0) } ?? "device").\(tree.name(of: node))"
    {
      report(
        Diagnostic(
          .impossibleValue, "`\(path)` is not the name of an event", at: tree[argument].span,
          label: "by its name a moment", notes: [Self.takesEvent],
          helps: [
            "write `\(call)(\"…\")` with the name of an event; dates are compared as texts: "
              + "`\(path) >= \"…\"`"
          ]))
      return true
    }
    guard let attribute = knownAttribute(argument), attribute.format != .placement,
      AttributeSchema.builtIn[attribute.path] != nil
    else { return false }
    let isInstall = attribute.path.nameWords.contains { $0.hasPrefix("install") }
    let name = tree.name(of: node)
    let own = "device.\(name)Install"
    report(
      Diagnostic(
        .impossibleValue, "`\(attribute.path)` is not the name of an event",
        at: tree[argument].span, label: "another attribute",
        notes: [Self.takesEvent],
        helps: isInstall && schema[own] != nil ? ["write `\(own)`"] : []))
    return true
  }

  /// Reports `device.placementsInDay("run" + "ride")`, which joins the names into one.
  private mutating func checkJoinedEvents(_ node: SyntaxNode, _ argument: NodeID) -> Bool {
    let joined = tree[argument]
    guard joined.isBinary(.add), tree[joined.left].kind == .stringLiteral,
      tree[joined.right].kind == .stringLiteral, let receiver = node.receiver
    else { return false }
    let sum = sum(of: [joined.left, joined.right], tree.name(of: node), text(receiver))
    report(
      Diagnostic(
        .impossibleValue, "this is the name of one event", at: joined.span,
        label: "joins two names into one",
        helps: [sum.map { "write `\($0)`" } ?? "ask for each event in a condition of its own"]))
    return true
  }

  /// Reports `"run_*"` and `"daysSince(run)"`, which are names of no event.
  private mutating func checkNoName(
    _ event: String, _ node: SyntaxNode, at argument: NodeID
  ) -> Bool {
    let isCall =
      event.hasSuffix(")") && event.prefix(while: { $0 != "(" }).utf8.count + 1 < event.utf8.count
      && event.prefix(while: { $0 != "(" }).allSatisfy { !$0.isWhitespace }
    let parts = ListedTexts(event, separators: ",;").texts
    let comparison = comparison(in: event, node)
    let bar = event.firstIndex(of: "_")
    let legacy = bar.flatMap { HistoryFunctionInfo.named(String(event[..<$0])) }
    let attribute = schema["device.\(event)"]
    guard
      isCall || event.contains("*") || parts.count > 1 || comparison != nil || legacy != nil
        || attribute != nil
    else { return false }
    var helps = ["ask for each event by its name"]
    if let bar, legacy != nil, let receiver = node.receiver {
      let name = event[event.index(after: bar)...]
      helps = ["write `\(text(receiver)).\(tree.name(of: node))(\"\(name)\")`"]
    }
    if let number = parts.last.flatMap({ Int($0) }), parts.count == 2, let receiver = node.receiver,
      let function = historyFunction(node)
    {
      let call = "\(text(receiver)).\(tree.name(of: node))(\"\(parts[0])\")"
      helps = [
        "write the number after the call: `\(call) \(function.isTime ? "<=" : ">=") \(number)`"
      ]
    }
    if let attribute { helps = ["write the attribute itself: `\(attribute.path)`"] }
    if let comparison { helps = ["write the comparison after the call: `\(comparison)`"] }
    if isCall, let open = event.firstIndex(of: "("), let receiver = node.receiver {
      let inner = event[event.index(after: open)...].dropLast().filter { $0 != "\"" && $0 != "'" }
      let isPlain = inner.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
      helps =
        isPlain && !inner.isEmpty
        ? ["write `\(text(receiver)).\(tree.name(of: node))(\"\(inner)\")`"] : []
    }
    report(
      Diagnostic(
        .impossibleValue, "no event is called `\(text(argument))`", at: tree[argument].span,
        label: isCall
          ? "a call in quotes"
          : comparison != nil
            ? "a comparison in quotes"
            : legacy != nil
              ? "the older spelling of a function"
              : attribute != nil
                ? "an attribute"
                : parts.count > 1 ? "more than a name" : "`*` stands for itself",
        notes: [Self.takesEvent], helps: helps))
    return true
  }

  /// Returns the comparison that was written in the quotes of an event: `"app_open > 7"`.
  private func comparison(in event: String, _ node: SyntaxNode) -> String? {
    let words = event.split(separator: " ")
    guard words.count == 3, [">=", "<=", "==", "!=", ">", "<"].contains(words[1]),
      Int(words[2]) != nil, let receiver = node.receiver
    else { return nil }
    let call = "\(text(receiver)).\(tree.name(of: node))(\"\(words[0])\")"
    return "\(call) \(words[1]) \(words[2])"
  }

  /// Reports an event of the SDKs in another spelling, and a date in the place of an event.
  private mutating func checkEventSpelling(_ event: String, at argument: NodeID) {
    if AttributeSchema.Attribute.Format.formats(of: event).contains(.date) {
      return report(
        Diagnostic(
          .impossibleValue, "no event is called `\(text(argument))`", at: tree[argument].span,
          label: "a date", notes: [Self.takesEvent],
          helps: [
            "dates are compared as texts, without a difference: `device.localDate >= \"…\"`"
          ]))
    }
    guard let meant = EventVocabulary.event(meantBy: event) else { return }
    reportEvent(event, meant, at: argument)
  }

  /// Reports `device.placementsInDay_paywallDecline`, the older spelling with an event of the SDKs
  /// in another one.
  mutating func checkLegacyEvent(_ id: NodeID, _ path: AttributePath) {
    guard path.root == "device", path.names.count == 1, let name = path.names.first,
      let bar = name.firstIndex(of: "_"), HistoryFunctionInfo.named(String(name[..<bar])) != nil,
      let meant = EventVocabulary.event(meantBy: String(name[name.index(after: bar)...]))
    else { return }
    report(
      Diagnostic(
        .wrongCase, "the event is called `\"\(meant)\"`", at: tree[id].span,
        label: "another spelling", notes: ["names of events are compared letter by letter"],
        helps: ["write `device.\(name[..<bar])(\"\(meant)\")`"]))
  }

  private mutating func reportEvent(_ event: String, _ meant: String, at argument: NodeID) {
    let span = tree[argument].span
    report(
      Diagnostic(
        .wrongCase, "the event is called `\"\(meant)\"`", at: span,
        label: event.lowercased() == meant.lowercased() ? "wrong case" : "another spelling",
        notes: ["names of events are compared letter by letter"],
        fixIts: [Diagnostic.FixIt(write: "\"\(meant)\"", at: span)])
    )
  }

  /// Reports the name of an event that no placement has: one in another spelling, and one that
  /// starts none.
  mutating func checkPlacement(
    _ event: String, of attribute: AttributeSchema.Attribute, at argument: NodeID
  ) {
    guard attribute.format == .placement else { return }
    if let meant = EventVocabulary.event(meantBy: event) {
      return reportEvent(event, meant, at: argument)
    }
    // Apps have placements of this name of their own.
    guard EventVocabulary.others.contains(event), event != "app_open" else { return }
    report(
      Diagnostic(
        .impossibleValue, "`\"\(event)\"` starts no placement", at: tree[argument].span,
        label: "only in the history",
        notes: [
          "of the SDK's events these do: \(EventVocabulary.placements.joined(separator: ", "))"
        ],
        helps: event == "paywall_close"
          ? ["after a declined paywall there is `\"paywall_decline\"`"] : []))
  }
}
