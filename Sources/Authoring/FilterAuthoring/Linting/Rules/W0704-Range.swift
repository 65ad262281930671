import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports comparisons with numbers outside the range of an attribute.

extension FilterLinter {
  /// Reports a number outside the attribute's range. Returns whether it did.
  mutating func checkRange(
    _ id: NodeID, _ comparison: ConstantComparison, _ attribute: AttributeSchema.Attribute
  ) -> Bool {
    guard let low = attribute.minimum, comparison.op != .in else { return false }
    let constant: Double
    switch comparison.value {
    case .int(let number): constant = Double(number)
    case .double(let number): constant = number
    default: return false
    }
    guard
      let truth = comparison.op.truth(
        from: Double(low), to: attribute.maximum.map(Double.init), constant)
    else { return false }
    if truth, namesEnd(id, comparison) { return false }
    if attribute.isOptional {
      // A missing attribute counts as zero, or is an error and no match.
      let missing = isSuperscript && comparison.holdsWhenMissing == true
      guard missing == truth else { return false }
    }
    let range = attribute.maximum.map { "from \(low) to \($0)" } ?? "at least \(low)"
    report(
      .always(
        truth, "this comparison is always \(truth)", at: tree[id].span,
        label: "`\(attribute.path)` is \(range)",
        helps: [
          comparison.op == .greaterEqual && constant == Double(low) && attribute.isOptional
            ? "to ask whether it is there, write `has(\(text(comparison.subject)))`"
            : helpForRange(comparison, Double(low), attribute.maximum.map(Double.init), truth)
        ]))
    return true
  }

  /// Returns advice for a comparison with the same result for all numbers of a range.
  private func helpForRange(
    _ comparison: ConstantComparison, _ low: Double, _ high: Double?, _ truth: Bool
  ) -> String {
    let subject = text(comparison.subject)
    let constant = comparison.value.plainNumber ?? low
    // -1 is how other tools say that there is no number.
    if constant == -1, comparison.isEquality,
      knownAttribute(comparison.subject)?.isOptional == true
    {
      return comparison.op == .equal
        ? "for users without one, write `!has(\(subject))`"
        : "for users with one, write `has(\(subject))`"
    }
    if constant < 0, low == 0, comparison.op == .less || comparison.op == .lessEqual {
      let number = text(comparison.constant).drop { $0 == "-" }
      let above = comparison.op == .less ? ">" : ">="
      return "for more, write `\(subject) \(above) \(number)`; for fewer, "
        + "`\(subject) \(comparison.op.spelling) \(number)`"
    }
    if truth, constant == low, let high, comparison.op == .greaterEqual {
      return "for a part of the users, compare it with a number up to \(high.formatted)"
    }
    if truth, constant == low, comparison.op == .greaterEqual {
      return "for \(low.formatted) alone, write `\(subject) == \(low.formatted)`; to leave it out, "
        + "`\(subject) > \(low.formatted)`"
    }
    if !truth, constant <= low, comparison.op == .less || comparison.op == .lessEqual {
      return "the least is \(low.formatted); for it alone, write "
        + "`\(subject) == \(low.formatted)`"
    }
    if !truth, let high, constant >= high, comparison.isLowerBound {
      return "the greatest is \(high.formatted): compare it with a smaller number"
    }
    return "compare it with a number that it may be, or remove the condition"
  }
}

extension FilterLinter {
  /// Returns whether the chain of `&&` around a comparison bounds the same part on the other side.
  mutating func hasOtherBound(_ id: NodeID, _ comparison: ConstantComparison) -> Bool {
    guard comparison.isOrdering else { return false }
    let all = bounds(around: id, of: text(comparison.subject))
    return !all.intersection([.lower, .upper]).subtracting(Bounds(comparison.op)).isEmpty
  }

  /// Returns whether a comparison names the end of the attribute's range beside another bound, on
  /// purpose: `user.seed >= 50 && user.seed <= 99`.
  mutating func namesEnd(_ id: NodeID, _ comparison: ConstantComparison) -> Bool {
    guard let attribute = knownAttribute(comparison.subject), let low = attribute.minimum,
      let constant = comparison.value.plainNumber,
      constant == Double(low) || attribute.maximum.map(Double.init) == constant
    else { return false }
    // From one end to the other are all.
    let isWhole =
      constant != Double(low) && bounds(around: id, of: text(comparison.subject)).contains(.zero)
    return !isWhole && hasOtherBound(id, comparison)
  }

  /// Reports `user.seed % 4 in [1, 2, 3, 4]`, of which the last is never found.
  mutating func checkListedRemainders(_ comparison: ConstantComparison) {
    guard tree[comparison.subject].isBinary(.remainder),
      let range = computedRange(comparison.subject), let high = range.high
    else { return }
    for element in tree.arguments(of: tree[comparison.constant]) {
      guard let number = tree.constant(of: element)?.plainNumber, number > high else { continue }
      return report(
        .always(
          false, "this element is never found", at: tree[element].span, label: range.meaning,
          helps: ["the remainders are 0 to \(high.formatted)"]))
    }
  }

  /// Reports `user.seed % 7 == 7` and `max(user.coins, 5) >= 5`. Returns whether it did.
  mutating func checkComputedRange(_ node: SyntaxNode, _ comparison: ConstantComparison) -> Bool {
    if let number = comparison.value.plainNumber,
      historyFunction(tree[comparison.subject])?.isTime == true,
      comparison.op.truth(from: 0, to: nil, number) == false
    {
      report(
        .always(
          false, "no time since an event is negative", at: node.span, label: "always false",
          helps: [
            number < 0
              ? "for a time ago, write `\(text(comparison.subject)) \(comparison.op.mirrored.spelling) "
                + "\((-number).formatted)`" : nil,
            "for users to whom it never happened, write `\(text(comparison.subject)) == null`",
          ].compactMap { $0 }))
      return true
    }
    guard let constant = comparison.value.plainNumber,
      let range = computedRange(comparison.subject),
      let truth = comparison.op.truth(from: range.low, to: range.high, constant)
    else { return false }
    report(
      .always(
        truth, "this comparison is always \(truth)", at: node.span,
        label: range.meaning,
        helps: [
          helpForComputed(comparison, constant, range.low, range.high)
            ?? helpForRange(comparison, range.low, range.high, truth)
        ]))
    return true
  }

  /// Returns advice for a comparison of what is computed; `nil` if its range says enough.
  private func helpForComputed(
    _ comparison: ConstantComparison, _ constant: Double, _ low: Double, _ high: Double?
  ) -> String? {
    let subject = tree[comparison.subject]
    // The mark of a list.
    if subject.isUnary(.negate) {
      return "remove the minus: `\(text(subject.operand)) "
        + "\(comparison.op.spelling) \(text(comparison.constant))`"
    }
    if low == 0, high == 0 { return "correct the divisor" }
    if high == 1, historyFunction(subject) != nil {
      return "remove the condition, or name another event"
    }
    // `x % 10 == 10` asks for every tenth.
    if subject.isBinary(.remainder), comparison.op == .equal, constant > 0 {
      return "for every multiple, write `\(text(comparison.subject)) == 0`"
    }
    return withoutMaximum(comparison)
  }

  /// Returns advice for `max(user.coins, 5) >= 5`: the comparison without `max`.
  private func withoutMaximum(_ comparison: ConstantComparison) -> String? {
    let call = tree[comparison.subject]
    guard call.kind == .call, tree.name(of: call) == "max",
      let attribute = tree.operands(of: call).first(where: { freePath($0) != nil })
    else { return nil }
    return "without `max`, write "
      + "`\(text(attribute)) \(comparison.op.spelling) \(text(comparison.constant))`"
  }

  /// Returns the range of a remainder, or of the larger one of a constant and something else,
  /// whatever the attributes are.
  private func computedRange(_ id: NodeID) -> (low: Double, high: Double?, meaning: String)? {
    let node = tree[id]
    if historyFunction(node)?.isTime == false {
      let event = tree.arguments(of: node).first.flatMap { tree.constant(of: $0) }
      return event == .string("app_install")
        ? (0, 1, "an app is installed once") : (0, nil, "a count is at least 0")
    }
    if node.isBinary(.add), case .int(let added)? = tree.constant(of: node.right), added > 0,
      added < 1_000_000, let attribute = knownAttribute(node.left), attribute.type == .int,
      let least = attribute.minimum, least >= 0, !attribute.isOptional
    {
      return (Double(least) + Double(added), nil, "it is at least \(Double(added).formatted)")
    }
    if node.isUnary(.negate), let least = knownAttribute(node.operand)?.minimum, least >= 0 {
      return (-.greatestFiniteMagnitude, -Double(least), "the minus makes it negative")
    }
    if node.isBinary(.remainder), let divisor = tree.constant(of: node.right)?.plainNumber,
      divisor >= 1, divisor < 1e15
    {
      let isPositive = (knownAttribute(node.left)?.minimum ?? -1) >= 0
      let most = divisor - 1
      return (
        isPositive ? 0 : -most, most,
        most == 0
          ? "the remainder by 1 is 0" : "a remainder is less than \(text(node.right))"
      )
    }
    guard isSuperscript, node.kind == .call, tree.name(of: node) == "max", !isHostCall(node) else {
      return nil
    }
    let numbers = tree.operands(of: node).compactMap { tree.constant(of: $0)?.plainNumber }
    guard numbers.count == 1, let number = numbers.first, tree.operands(of: node).count == 2 else {
      return nil
    }
    return (number, nil, "it is at least \(number.formatted)")
  }

  /// Reports `max(user.a >= 5, user.b >= 3)`, which is true if one of the two is.
  mutating func checkLargestCondition(_ node: SyntaxNode) {
    guard isSuperscript, tree.name(of: node) == "max", !isHostCall(node),
      case let operands = tree.operands(of: node), operands.count > 1,
      operands.allSatisfy({ staticType($0) == .bool })
    else { return }
    let texts = operands.map { text($0) }
    report(
      Diagnostic(
        .seldomMeant, "the largest of conditions is true if one of them is", at: node.span,
        label: "joined as by `||`",
        helps: [
          "for all of them, write `\(texts.joined(separator: " && "))`; for any, "
            + "`(\(texts.joined(separator: " || ")))`"
        ]))
  }

  /// Reports `size(user.tags) >= 0`: no size is negative. Returns whether it did.
  mutating func checkSizeRange(_ node: SyntaxNode, _ comparison: ConstantComparison) -> Bool {
    let subject = tree[comparison.subject]
    if subject.kind == .call, tree.name(of: subject) == "size" || historyFunction(subject) != nil,
      !isHostCall(subject) || historyFunction(subject) != nil, comparison.isEquality,
      case .double(let number) = comparison.value, number != number.rounded()
    {
      let truth = comparison.op == .notEqual
      report(
        .always(
          truth, "this comparison is always \(truth)", at: node.span,
          label: "it is a whole number", helps: ["compare it with a whole number, or with a range"])
      )
      return true
    }
    guard subject.kind == .call, tree.name(of: subject) == "size", !isHostCall(subject),
      let constant = comparison.value.plainNumber
    else { return false }
    if let list = tree.operands(of: subject).first,
      freePath(list)?.description == "device.aliases",
      comparison.op.truth(from: 1, to: 1, constant) == false
    {
      report(
        .always(
          false, "this comparison is always false", at: node.span,
          label: "`\(text(list))` has one element",
          helps: ["correct the number, or remove the condition"]))
      return true
    }
    guard let truth = comparison.op.truth(from: 0, to: nil, constant) else { return false }
    report(
      .always(
        truth, "this comparison is always \(truth)", at: node.span,
        label: "a size is at least 0",
        helps: [
          truth
            ? "to ask whether there are any, write `\(text(comparison.subject)) > 0`; for none, `\(text(comparison.subject)) == 0`"
            : "to ask whether it is empty, write `\(text(comparison.subject)) == 0`"
        ]))
    return true
  }
}

extension Double {
  /// The number without a fraction of zero.
  var formatted: String {
    Int64(exactly: self).map { "\($0)" } ?? "\(self)"
  }
}

extension Operator {
  /// Returns the result of comparing the numbers of a range with a constant, if it is the same for
  /// all of them.
  func truth(from low: Double, to high: Double?, _ constant: Double) -> Bool? {
    if high == low, constant == low, self == .equal || self == .notEqual { return self == .equal }
    let isBelow = constant < low
    let isAbove = high.map { constant > $0 } ?? false
    switch self {
    case .equal: return isBelow || isAbove ? false : nil
    case .notEqual: return isBelow || isAbove ? true : nil
    case .less: return constant <= low ? false : isAbove ? true : nil
    case .lessEqual: return isBelow ? false : high.map { constant >= $0 } == true ? true : nil
    case .greater: return isBelow ? true : high.map { constant >= $0 } == true ? false : nil
    case .greaterEqual: return constant <= low ? true : isAbove ? false : nil
    default: return nil
    }
  }
}
