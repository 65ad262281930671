import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports orders of texts that do not have one, and constants of another kind of test.

extension FilterLinter {
  /// Reports `device.appBuildString > "99"` and `device.deviceTier >= "mid"`: the order of letters
  /// is not that of their meaning.
  mutating func checkOrderOfTexts(
    _ comparison: ConstantComparison, _ attribute: AttributeSchema.Attribute?
  ) {
    guard comparison.isOrdering, case .string(let content) = comparison.value,
      !wasReported(tree[comparison.constant].span)
    else { return }
    guard let attribute else { return checkOrderOfDates(comparison, content) }
    guard attribute.type == .string else { return }
    switch attribute.format {
    case nil, .decimal, .integer, .model: break
    default: return
    }
    let number = attribute.path + "Number"
    let isNumber = attribute.format == .decimal || attribute.format == .integer
    let values = (attribute.values.isEmpty ? attribute.usualValues : attribute.values)
      .filter { !$0.isEmpty }.map { "\"\($0)\"" }
    let literal = text(comparison.constant).filter { $0 != "\"" && $0 != "'" }
    let subject = text(comparison.subject)
    var helps: [String] = []
    if schema[number] != nil {
      helps = ["compare the number: `\(number) \(comparison.op.spelling) \(literal)`"]
    } else if isNumber {
      helps = ["convert it: `double(\(subject)) \(comparison.op.spelling) \(literal)`"]
    } else if !values.isEmpty {
      helps = [
        "list those that are meant, with `in`: of \(values.joined(separator: ", "))"
      ]
    } else if attribute.format == .model {
      helps = [
        "list the models with `in`, or ask for beginnings: `\(subject).startsWith(\"…\")`"
      ]
    } else if attribute.path.hasPrefix("user.") {
      return
    }
    report(
      Diagnostic(
        .typeMismatch, "texts are ordered letter by letter", at: tree[comparison.constant].span,
        label: isNumber || schema[number] != nil
          ? "as text, \"100\" comes before \"99\"" : "no order",
        secondary: [Diagnostic.Label(tree[comparison.subject].span, "a text")], helps: helps))
  }

  /// Reports `user.birthday > "31/01/1990"`: such dates are ordered by their days.
  private mutating func checkOrderOfDates(_ comparison: ConstantComparison, _ date: String) {
    let parts = date.split(omittingEmptySubsequences: false) { "/.-".contains($0) }
    guard parts.count == 3, freePath(comparison.subject) != nil,
      parts[2].utf8.count == 4, parts[2].hasPrefix("19") || parts[2].hasPrefix("20"),
      parts.allSatisfy({ (1...4).contains($0.utf8.count) && Int($0) != nil }),
      parts[0].utf8.count < 3, parts[1].utf8.count < 3
    else { return }
    let subject = text(comparison.subject)
    report(
      Diagnostic(
        .typeMismatch, "texts are ordered letter by letter, and these by their first number",
        at: tree[comparison.constant].span, label: "the year comes last",
        helps: [
          CalendarDate.date(from: date).map {
            "send dates with the year first, and write `\(subject) \(comparison.op.spelling) \"\($0)\"`"
          } ?? "send dates with the year first, such as \"\(parts[2])-01-31\""
        ]))
  }

  /// Reports `user.plan == ["free", "trial"]`, which compares the whole list.
  mutating func checkListEquality(_ comparison: ConstantComparison) -> Bool {
    guard comparison.isEquality, case .list(let elements) = comparison.value, elements.count > 1,
      let path = freePath(comparison.subject), staticType(comparison.subject) == .any,
      schema.attribute(at: path) == nil, path.names.last?.hasSuffix("s") == false,
      elements.allSatisfy({ if case .string = $0 { true } else { false } })
    else { return false }
    let membership = "\(text(comparison.subject)) in \(text(comparison.constant))"
    report(
      Diagnostic(
        .typeMismatch, "only a list is equal to a list", at: tree[comparison.constant].span,
        label: "list",
        helps: [
          "for one of them, write `\(comparison.op.asked(membership))`"
        ]))
    return true
  }

  /// Reports `["vip", "beta"] in user.tags`, which looks for the whole list.
  mutating func checkListSought(_ node: SyntaxNode, _ left: NodeID, _ right: NodeID) -> Bool {
    guard node.op == .in, tree[left].kind == .list, tree[right].kind != .list,
      staticType(right) == .any, freePath(right) != nil,
      case .list(let elements)? = tree.constant(of: left), !elements.isEmpty
    else { return false }
    return checkElement(left, staticType(left), .any, in: right, at: left)
  }

  /// Reports `user.plan in ["free, trial"]`, one text with a comma.
  mutating func checkCommaInList(_ comparison: ConstantComparison) {
    guard comparison.op == .in, case .list(let elements) = comparison.value, elements.count == 1,
      case .string(let text)? = elements.first, text.contains(where: { ",;|".contains($0) })
    else { return }
    let words = text.split(whereSeparator: { ",;|".contains($0) }).map { $0.drop { $0 == " " } }
    guard words.count > 1,
      words.allSatisfy({ word in
        !word.isEmpty && word.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
      }), words.contains(where: { $0.contains(where: { $0.isLetter }) })
    else { return }
    let list = "[" + words.map { "\"\($0)\"" }.joined(separator: ", ") + "]"
    let span = tree[comparison.constant].span
    report(
      Diagnostic(
        .typeMismatch, "this list has one element, a text with a comma", at: span,
        label: "one element",
        fixIts: [Diagnostic.FixIt(write: list, at: span)]))
  }

  /// Reports `user.email == "^.+@acme.com$"`, `== "*@acme.com"` and `== "%@acme.com"`: the signs
  /// of patterns are letters like others here.
  mutating func checkPatternInEquality(_ comparison: ConstantComparison) {
    guard comparison.isEquality, case .string(let text) = comparison.value,
      text.utf8.count > 2 || text == "*" || text == "%",
      text.utf8.count <= 200, !wasReported(tree[comparison.constant].span)
    else { return }
    let subject = self.text(comparison.subject)
    let not = comparison.op == .notEqual ? "!" : ""
    let literal = self.text(comparison.constant)
    let help: String
    if text.hasPrefix("^")
      && (text.hasSuffix("$") || text.contains(text: ".*") || text.contains(text: ".+"))
    {
      help = "write `\(not)\(subject).matches(\(literal))`"
    } else if text.utf8.count == 1 {
      help = "for \(comparison.op == .equal ? "any text" : "none"), write `\(not)has(\(subject))`"
    } else if let sign = ["*", "%"].first(where: { text.hasPrefix($0) || text.hasSuffix($0) }) {
      let isAtStart = text.hasPrefix(sign)
      let isAtEnd = text.hasSuffix(sign)
      let core = text.dropFirst(isAtStart ? 1 : 0).dropLast(isAtEnd ? 1 : 0)
      guard core.contains(where: { $0.isLetter }), !core.contains(Character(sign)),
        core.count > 1
      else { return }
      let function = isAtStart && isAtEnd ? "contains" : isAtStart ? "endsWith" : "startsWith"
      help = "write `\(not)\(subject).\(function)(\"\(core)\")`"
    } else {
      return
    }
    report(
      Diagnostic(
        .wildcardInText, "`\(comparison.op.spelling)` compares letter by letter",
        at: tree[comparison.constant].span, label: "the signs of patterns are letters here",
        helps: [help]))
  }

  /// Returns the lengths of the windows of two counts of one event, if they differ.
  func windows(_ left: NodeID, _ right: NodeID) -> (Double, Double)? {
    guard let a = historyFunction(tree[left]), let b = historyFunction(tree[right]),
      case .count(let first) = a.subject, case .count(let second) = b.subject, first != second,
      let x = tree.arguments(of: tree[left]).first, let y = tree.arguments(of: tree[right]).first,
      text(x) == text(y)
    else { return nil }
    return (first, second)
  }

  /// Reports `device.placementsInDay("x") > device.placementsInWeek("x")`: a longer window holds at
  /// least as many.
  mutating func checkWindows(_ node: SyntaxNode, _ left: NodeID, _ right: NodeID) -> Bool {
    guard let (first, second) = windows(left, right) else { return false }
    let op = first < second ? node.op : node.op.mirrored
    let truth: Bool
    switch op {
    case .greater: truth = false
    case .lessEqual: truth = true
    default: return false
    }
    let ratio = (max(first, second) / min(first, second)).rounded()
    report(
      .always(
        truth, "this comparison is always \(truth)", at: node.span,
        label: "the longer window contains the shorter one",
        helps: [
          ratio.isFinite
            ? "compare with a number, or with a part of the longer one: `… / \(Int(ratio))`"
            : "compare with a number"
        ]))
    return true
  }

  /// Reports `user["email"] != ""`: read with brackets, what is missing is null, and not empty.
  mutating func checkIndexedZero(_ node: SyntaxNode, _ comparison: ConstantComparison) {
    let subject = tree[comparison.subject]
    guard isSuperscript, subject.kind == .index,
      case .string(let name)? = tree.constant(of: subject.subscriptIndex), name.isPlainName,
      comparison.isEquality && comparison.value == comparison.value.zeroOfKind
        || comparison.isOrdering && comparison.holdsWhenMissing == true,
      comparison.value != .null, !wasReported(subject.span)
    else { return }
    let owner = text(subject.operand)
    let isNot = comparison.op == .notEqual
    let written = text(comparison.subject)
    report(
      Diagnostic(
        .missingCountsAsZero,
        isNot
          ? "this is true when `\(written)` is missing"
          : "this is false when `\(written)` is missing",
        at: node.span, label: "read with brackets, it is null then",
        helps: [
          "write `\(owner).\(name) \(comparison.op.spelling) \(text(comparison.constant))`"
        ]))
  }
}
