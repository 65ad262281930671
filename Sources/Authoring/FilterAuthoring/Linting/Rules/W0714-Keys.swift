import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports keys and names that an attribute never has.

extension FilterLinter {
  /// Reports `{"US": 2, "GB": 3}[device.storeFrontCountryCode]`, of which no entry is ever found.
  mutating func checkKeys(_ node: SyntaxNode) {
    if case .string(let key)? = tree.constant(of: node.subscriptIndex), key.hasPrefix("$"),
      let path = freePath(node.operand), path.root == "user"
    {
      return report(
        Diagnostic(
          .seldomMeant, "names that start with `$` are those of another service",
          at: tree[node.subscriptIndex].span, label: "not an attribute of the app",
          helps: ["write the name under which the app sets it: `user.\(key.dropFirst())`"]))
    }
    guard tree[node.operand].kind == .map, let attribute = knownAttribute(node.subscriptIndex)
    else {
      return
    }
    let parts = tree.parts(of: tree[node.operand])
    var keys: [String] = []
    for index in stride(from: 0, to: parts.count - 1, by: 2) {
      guard case .string(let key)? = tree.constant(of: parts[index]) else { return }
      keys.append(key)
    }
    let areImpossible = keys.allSatisfy { key in
      attribute.values.isEmpty
        ? attribute.format?.isCode(key) == false : !attribute.values.contains(key)
    }
    guard !keys.isEmpty, areImpossible else { return }
    report(
      Diagnostic(
        .impossibleValue, "`\(attribute.path)` is none of these keys",
        at: tree[node.operand].span, label: "no entry is ever found",
        secondary: [Diagnostic.Label(tree[node.subscriptIndex].span, "")],
        notes: Self.forms(of: attribute) + ["an entry that is not there is null"],
        helps: ["write the keys as its values are written"]))
  }

  /// Reports `params.paywall_product_ids == "a, b"`, whose names are joined without blanks.
  mutating func checkJoinedIDs(
    _ comparison: ConstantComparison, _ attribute: AttributeSchema.Attribute?
  ) {
    guard attribute?.path == "params.paywall_product_ids", comparison.isEquality,
      case .string(let ids) = comparison.value
    else { return }
    guard ids.contains(text: ", ") else { return checkJoinedIDs(in: comparison) }
    report(
      Diagnostic(
        .impossibleValue, "its names have a comma between them, and no blank",
        at: tree[comparison.constant].span, label: "with blanks",
        helps: ["write `\"\(ids.replacing(", ", by: ","))\"`"]))
  }

  /// Reports `user.aliasId == "anna@example.com"`.
  mutating func checkAnonymousID(
    _ comparison: ConstantComparison, _ attribute: AttributeSchema.Attribute?
  ) {
    guard attribute?.path == "user.aliasId", comparison.isEquality, comparison.isConstantRight,
      case .string(let text) = comparison.value, !text.isEmpty, !text.hasPrefix("$"),
      !wasReported(tree[comparison.constant].span)
    else { return }
    report(
      Diagnostic(
        .impossibleValue, "`user.aliasId` is an anonymous id of the SDK",
        at: tree[comparison.constant].span, label: "begins with `$SuperwallAlias:`",
        helps: ["the id of an account is `user.appUserId`"]))
  }

  /// Reports `params.primary_product_id == "com.acme.pro–yearly"`, whose dash is not a hyphen.
  mutating func checkTypographicID(_ comparison: ConstantComparison) {
    guard comparison.isEquality, case .string(let id) = comparison.value, id.contains("."),
      let path = freePath(comparison.subject),
      case let words = path.names.last?.nameWords ?? [], ["id", "identifier"].contains(words.last),
      let sign = id.first(where: { "‐‑‒–—―−“”‘’„…".contains($0) }),
      !wasReported(tree[comparison.constant].span)
    else { return }
    let right = String(id.map { "‐‑‒–—―−".contains($0) ? "-" : $0 })
    report(
      Diagnostic(
        .impossibleValue, "no id contains `\(sign)`", at: tree[comparison.constant].span,
        label: "not a hyphen",
        helps: right.utf8.allSatisfy({ $0 < 0x80 }) ? ["write `\"\(right)\"`"] : []))
  }

  /// Reports `user.lastLoginAt < "-30 days"`, a text and not a moment.
  mutating func checkRelativeMoment(_ comparison: ConstantComparison) {
    guard case .string(let written) = comparison.value, comparison.op != .in,
      case let words = written.lowercased().split(separator: " "), (2...3).contains(words.count),
      let number = words.first, Int(number) != nil,
      ["minutes", "hours", "days", "weeks", "months", "years"].contains(words[1]),
      words.count == 2 || words[2] == "ago", let path = freePath(comparison.subject),
      path.names.last?.nameWords.last.map({ ["at", "date", "time", "login", "seen"].contains($0) })
        == true
    else { return }
    report(
      Diagnostic(
        .impossibleValue, "this is compared letter by letter, and is not a moment",
        at: tree[comparison.constant].span, label: "only a text",
        helps: [
          "for the time since an event, write `device.daysSince(\"…\") …`; dates are compared with "
            + "dates: `\"2026-03-01\"`"
        ]))
  }
}
