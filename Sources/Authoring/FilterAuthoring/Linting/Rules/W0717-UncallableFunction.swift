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
    if name.hasPrefix("placements") {
      let windows = HistoryFunctionInfo.all.filter { !$0.isTime }.map { "`\(table).\($0.name)`" }
      return report(
        Diagnostic(
          .uncallableFunction, "there is no function `\(table).\(name)`",
          at: tree.nameSpan(of: node), label: "not known",
          notes: ["the windows are \(windows.joined(separator: ", "))"],
          helps: Suggestions.closest(to: name, among: known.sorted()).first.flatMap { nearest in
            Self.isMisspelling(name, of: nearest) ? ["did you mean `\(table).\(nearest)`?"] : nil
          } ?? []))
    }
    var closest = Suggestions.closest(to: name, among: known.sorted())
    if let same = closest.first, same.lowercased() == name.lowercased() { closest = [same] }
    report(
      Diagnostic(
        .uncallableFunction, "there is no function `\(table).\(name)`",
        at: tree.nameSpan(of: node), label: "not known",
        notes: ["the app does not offer it, nor do the SDKs"],
        helps: closest.isEmpty
          ? []
          : ["did you mean \(closest.map { "`\(table).\($0)`" }.joined(separator: " or "))?"]))
  }

  mutating func reportUncallable(
    _ node: SyntaxNode, _ name: String, among functions: [String]
  ) {
    // In `Math.max(…)` the name before the dot is the mistake.
    if let receiver = node.receiver, poisoned.contains(receiver) { return }
    let known = functions.filter { !FunctionDefinition.testFunctions.contains($0) }
    var helps = Suggestions.help(for: name, among: known).map { [$0] } ?? []
    if let foreign = ForeignFunctions.help(for: name, in: tree.dialect.name) {
      helps = [filled(foreign, for: node)]
    } else if schema.hostFunctions["device.\(name)"] != nil {
      helps = ["did you mean `device.\(name)`?"]
    } else if helps.isEmpty, node.childCount == 0, let receiver = node.receiver {
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

  /// Returns the comparison around a call with seven times its number: ` >= 14`.
  private func daysComparedLikeWeeks(_ node: SyntaxNode) -> String {
    guard let index = tree.nodes.firstIndex(where: { $0.span == node.span && $0.kind == .call }),
      let comparison = ConstantComparison(tree[parent(of: NodeID(UInt32(index)))], in: tree),
      case .int(let weeks) = comparison.value, (-1_000...1_000).contains(weeks)
    else { return "" }
    return " \(comparison.op.spelling) \(weeks * 7)"
  }

  /// Returns advice with the subject of a method in the place of `…`: `int(user.age)` for
  /// `user.age.toInt()`.
  private func filled(_ help: String, for node: SyntaxNode) -> String {
    guard let receiver = node.receiver, help.hasPrefix("use `") || help.hasPrefix("write `")
    else { return help }
    let subject = text(receiver)
    for function in ["string", "int", "double", "size"] {
      let call = "`\(function)(…)"
      guard let range = help.firstOccurrence(of: call) else { continue }
      return help[..<range.lowerBound] + "`\(function)(\(subject))" + help[range.upperBound...]
    }
    return help
  }
}
