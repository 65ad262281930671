import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports `&&` and `||` that are mixed without parentheses.

extension FilterLinter {
  /// Reports `x < 1 || x == 2 && c` and `isA || isB && c`, which people read from the left, as
  /// `(… || …) && c`. Of other conditions people know that they are not alternatives.
  mutating func checkMixedLogic(_ node: SyntaxNode, _ operands: [NodeID]) {
    guard node.op == .or, let index = operands.firstIndex(where: isBareConjunction), index > 0,
      // With conjunctions on both sides there is only one way to read it.
      operands[..<index].contains(where: { !isConjunction($0) }),
      operands.allSatisfy({ tree.constant(of: $0) == nil })
    else { return }
    let operand = operands[index]
    let first = outline.operands(of: operand, .and).first ?? operand
    guard let other = operands[..<index].first(where: { areAlternatives($0, first) }) else {
      return
    }
    if checkBounds(operand, first, other) || checkOpposite(operand, first, other) { return }
    // A bound and a value beside it are two cases: `x < 0 || x == 0 && c`.
    if let bound = ConstantComparison(tree[other], in: tree), bound.isOrdering,
      let value = ConstantComparison(tree[first], in: tree), value.op == .equal,
      freePath(bound.subject) == freePath(value.subject)
    {
      return
    }
    // Between values of one attribute it is one of them: `x == 1 || x == 2 && c || x == 3`.
    if let path = equalityPath(first),
      operands[(index + 1)...].contains(where: { equalityPath($0) == path })
    {
      return
    }
    // `x == 1 || x == 2 && c` is meant as it is about as often as not: a note says so.
    if let path = equalityPath(first), equalityPath(other) == path,
      outline.operands(of: operand, .and).dropFirst().allSatisfy({ !reads(path, $0) }),
      [first, other].allSatisfy({ ConstantComparison(tree[$0], in: tree)?.op == .equal })
    {
      return
    }
    // `a || a && b` is `a`, which is another finding.
    let all = Set(operands.map { text($0) })
    guard !outline.operands(of: operand, .and).contains(where: { all.contains(text($0)) }) else {
      return
    }
    let span = tree[operand].span
    report(
      Diagnostic(
        .mixedLogic, "`&&` binds tighter than `||`, and the two are mixed without parentheses",
        at: tree.operatorSpan(of: tree[operand]), label: "joins these two first",
        secondary: [Diagnostic.Label(span, "")],
        helps: [
          helpForExclusions(operands) ?? "write `… || (… && …)` if that is meant, or else "
            + "`(… || …) && …`"
        ]))
  }

  /// Reports `x >= 18 || x >= 21 && c`, whose second alternative all pass who pass the first, and
  /// `x > 3 || x < 10 && c`, of whose bounds each value passes one.
  ///
  /// - Returns: Whether it did, or the bounds are steps: `x > 50 || x >= 10 && c`.
  private mutating func checkBounds(_ operand: NodeID, _ first: NodeID, _ other: NodeID) -> Bool {
    guard let narrow = ConstantComparison(tree[first], in: tree),
      let wide = ConstantComparison(tree[other], in: tree), narrow.isOrdering, wide.isOrdering,
      tree.text(ofNode: narrow.subject) == tree.text(ofNode: wide.subject),
      let one = narrow.value.plainNumber, let two = wide.value.plainNumber, one != two
    else { return false }
    guard narrow.isLowerBound == wide.isLowerBound else {
      guard narrow.isLowerBound ? one < two : one > two else { return false }
      let rest = outline.operands(of: operand, .and).map { text($0) }.joined(separator: " && ")
      report(
        Diagnostic(
          .mixedLogic, "every value passes one of these two bounds", at: tree[other].span,
          label: "all of these match, whatever else is asked",
          secondary: [Diagnostic.Label(tree[first].span, "the other")],
          helps: [
            "for the values between, write `\(text(other)) && \(rest)`",
            "if that is not meant, write `… || (… && …)`",
          ]))
      return true
    }
    // In `(x > 50 || x >= 10) && c` the first bound would decide nothing.
    guard narrow.isLowerBound ? one > two : one < two else { return true }
    report(
      Diagnostic(
        .redundantCondition, "all who pass this pass the other condition already",
        at: tree[operand].span, label: "changes nothing",
        secondary: [Diagnostic.Label(tree[other].span, "passes")],
        helps: [
          "for a bound that depends on something, write `… ? \(text(first)) : \(text(other))`"
        ]))
    return true
  }

  /// Reports `a || !a && c` and `x != 0 || x == 0 && c`, which are `a || c`. Returns whether it
  /// did.
  private mutating func checkOpposite(
    _ operand: NodeID, _ first: NodeID, _ other: NodeID
  ) -> Bool {
    // What is compared with a bool is taken to be one here, also if its type is not known.
    func test(_ id: NodeID) -> (text: String, isTrue: Bool) {
      guard let comparison = ConstantComparison(tree[id], in: tree) else {
        return polarityOfEquality(id)
      }
      let subject = tree.text(ofNode: comparison.subject)
      // `v < 3` is the opposite of `v >= 3`.
      if comparison.isOrdering {
        let isLower = comparison.isLowerBound
        let includes = [.lessEqual, .greaterEqual].contains(comparison.op)
        let op = isLower == includes ? ">=" : ">"
        return ("\(subject) \(op) \(comparison.value.literal)", isLower)
      }
      guard comparison.isEquality, case .bool(let value) = comparison.value else {
        return polarityOfEquality(id)
      }
      return (subject, value == (comparison.op == .equal))
    }
    let (one, two) = (test(first), test(other))
    let rest = outline.operands(of: operand, .and).dropFirst().map { text($0) }
    guard one.text == two.text, one.isTrue != two.isTrue, !rest.isEmpty else { return false }
    let others = rest.joined(separator: " && ")
    report(
      Diagnostic(
        .redundantCondition, "all who fail this pass the other condition already",
        at: tree[first].span, label: "changes nothing",
        secondary: [Diagnostic.Label(tree[other].span, "the opposite")],
        helps: [
          "for either, write `\(text(other)) || \(others)`; for both, `\(text(first)) && \(others)` or "
            + "`\(text(other)) && \(others)`"
        ]))
    return true
  }

  /// Reports `p == 1 && v >= 2 || p == 3 && v >= 4 && c`: the last group has the form of the
  /// others, and a condition that may be meant for all of them.
  mutating func checkTrailingConditions(_ node: SyntaxNode, _ operands: [NodeID]) {
    guard node.op == .or, operands.count > 1, operands.allSatisfy({ isBareConjunction($0) }),
      let first = operands.first, let last = operands.last
    else { return }
    func read(_ parts: some Sequence<NodeID>) -> [[AttributePath]] {
      parts.map { attributesRead(by: $0) ?? [] }
    }
    let form = read(outline.operands(of: first, .and))
    let parts = outline.operands(of: last, .and)
    guard form.count > 1, form.count < parts.count, !form.contains([]),
      operands.dropLast().allSatisfy({ read(outline.operands(of: $0, .and)) == form }),
      read(parts.prefix(form.count)) == form,
      read(parts.dropFirst(form.count)).allSatisfy({ !$0.isEmpty && !form.contains($0) }),
      let start = parts.dropFirst(form.count).first,
      // A version of iOS means nothing for the group of Android.
      !(form.joined().contains { $0.description == "device.platform" }
        && read(parts.dropFirst(form.count)).joined().contains { isOfPlatform($0) })
    else { return }
    let rest = SourceSpan(start: tree[start].span.start, end: tree[last].span.end)
    report(
      Diagnostic(
        .mixedLogic, "`&&` binds tighter than `||`: this belongs to the last group alone",
        at: rest, label: "not for the other groups",
        helps: [
          "if it is meant for all of them, write `(… || …) && "
            + "\(tree.source.text(of: rest).shortened(to: 60))`; else `… || (… && …)`"
        ]))
  }

  /// Returns whether the values of an attribute are those of a platform: versions of the system,
  /// models.
  private func isOfPlatform(_ path: AttributePath) -> Bool {
    switch schema[path.description]?.format {
    case .systemVersion, .model: true
    default: false
    }
  }

  /// Returns whether two conditions read the same attribute, or are both attributes alone.
  private func areAlternatives(_ one: NodeID, _ other: NodeID) -> Bool {
    if freePath(one) != nil, freePath(other) != nil { return true }
    let (first, second) = (Set(attributesRead(by: one) ?? []), attributesRead(by: other) ?? [])
    return second.contains(where: first.contains)
  }

  /// Reports `user.isStaff ? true : user.age >= 18 && device.isMac`, all of whose `&&` belong to
  /// the last branch, as those before the `?` belong to the condition.
  mutating func checkLooseConditional(_ id: NodeID, _ node: SyntaxNode) {
    let last = tree[node.alternative]
    if id == tree.root, last.kind == .binary, last.op.info.isComparison,
      !last.flags.contains(.parenthesized), tree.isLiteral(last.left), tree.isLiteral(last.right),
      freePath(node.consequence) != nil
    {
      let value =
        "(\(text(node.condition)) ? \(text(node.consequence)) : \(text(last.left)))"
      return report(
        Diagnostic(
          .mixedLogic, "`\(last.op.spelling)` binds tighter than `?:`", at: last.span,
          label: "compares the last constant only",
          helps: ["write `\(value) \(last.op.spelling) \(text(last.right))`"]))
    }
    let consequence = tree.constant(of: node.consequence)
    let alternative = tree.constant(of: node.alternative)
    if id == tree.root, consequence == nil, alternative == .bool(true),
      isBareConjunction(node.condition)
    {
      return report(
        Diagnostic(
          .mixedLogic, "all who fail one of these conditions match", at: tree[node.condition].span,
          label: "all of this is the condition",
          helps: [
            "write `… && (… ? … : true)`, or parentheses around the condition if that is meant"
          ]))
    }
    if id == tree.root, isBareConjunction(node.condition),
      let one = ConstantComparison(tree[node.consequence], in: tree),
      let two = ConstantComparison(tree[node.alternative], in: tree),
      let path = freePath(one.subject), path == freePath(two.subject)
    {
      return report(
        Diagnostic(
          .mixedLogic, "for all who fail one of these conditions the last branch decides",
          at: tree[node.condition].span, label: "all of this is the condition",
          helps: [
            "write `… && (… ? … : …)`, or parentheses around the condition if that is meant"
          ]))
    }
    if checkLastBranch(id, node) { return }
    if id == tree.root, last.isBinary(.or), !last.flags.contains(.parenthesized),
      case let parts = outline.operands(of: node.alternative, .or), let first = parts.first,
      case .bool? = tree.constant(of: first), consequence != nil
    {
      return report(
        Diagnostic(
          .mixedLogic, "`||` binds tighter than `?:`: this belongs to the last branch alone",
          at: last.span, label: "only if the condition fails",
          helps: [
            "write `(\(text(node.condition)) ? \(text(node.consequence)) : \(text(first))) || …`"
          ]))
    }
    guard id == tree.root, consequence == .bool(true), alternative == nil else { return }
    let loose = [node.condition, node.alternative].first { isBareConjunction($0) }
    guard let loose else { return }
    let isCondition = loose == node.condition
    report(
      Diagnostic(
        .mixedLogic, "`&&` binds tighter than `?:`, and the two are mixed without parentheses",
        at: tree[loose].span,
        label: isCondition ? "all of this is the condition" : "only without the condition",
        helps: [
          isCondition
            ? "write `… && (… ? true : …)`, or parentheses around the condition"
            : "write `(… ? true : …) && …`, or parentheses around the last branch"
        ]))
  }

  /// Reports `a ? x > 3 : x > 10 && b` and `a ? x > 3 : true && b`, whose last branch has a
  /// condition that may be meant for both. Returns whether it did.
  private mutating func checkLastBranch(_ id: NodeID, _ node: SyntaxNode) -> Bool {
    guard id == tree.root, isBareConjunction(node.alternative),
      case let parts = outline.operands(of: node.alternative, .and), let first = parts.first,
      let read = attributesRead(by: node.consequence), !read.isEmpty,
      attributesRead(by: first) == read || tree.constant(of: first) == .bool(true),
      !isConjunction(node.consequence), text(first) != text(node.consequence),
      parts.dropFirst().allSatisfy({ part in
        attributesRead(by: part).map { !$0.isEmpty && !$0.contains(where: read.contains) } ?? false
      }), let start = parts.dropFirst().first
    else { return false }
    let rest = SourceSpan(start: tree[start].span.start, end: tree[node.alternative].span.end)
    report(
      Diagnostic(
        .mixedLogic, "`&&` binds tighter than `?:`: this belongs to the last branch alone",
        at: rest, label: "not for the other branch",
        helps: [
          "if it is meant for both, write `(… ? … : …) && "
            + "\(tree.source.text(of: rest).shortened(to: 60))`; else parentheses around the branch"
        ]))
    return true
  }

  /// Returns advice for `a != 1 || a != 2 && b`, in which `||` between the two excludes nothing.
  private func helpForExclusions(_ operands: [NodeID]) -> String? {
    var seen: [AttributePath: Value] = [:]
    for operand in operands {
      for part in outline.operands(of: operand, .and) {
        guard let comparison = ConstantComparison(tree[part], in: tree), comparison.op == .notEqual,
          let path = freePath(comparison.subject)
        else { continue }
        if let first = seen[path], first != comparison.value {
          return "to exclude both values of `\(path)`, join the two conditions with `&&`: one of "
            + "them always holds"
        }
        seen[path] = comparison.value
      }
    }
    return nil
  }

  /// Reports `a && b == 1 || b == 2`, whose last two conditions are on one attribute and look like
  /// a pair.
  mutating func checkSplitPair(_ node: SyntaxNode, _ operands: [NodeID]) {
    guard node.op == .or, operands.count >= 2, isBareConjunction(operands[0]) else { return }
    let joined = outline.operands(of: operands[0], .and)
    guard let last = joined.last else { return }
    if operands.count == 2, isBareConjunction(operands[1]) {
      return checkPairBetween(joined, outline.operands(of: operands[1], .and))
    }
    guard !isConjunction(operands[1]), let path = pairedPath(last, operands[1]),
      operands.dropFirst(2).allSatisfy({ equalityPath($0) == path }),
      joined.dropLast().allSatisfy({ !reads(path, $0) })
    else { return }
    let first = SourceSpan(
      start: tree[joined[0]].span.start, end: tree[joined[joined.count - 2]].span.end)
    let pair = ([last] + operands.dropFirst()).map { text($0) }.joined(separator: " || ")
    report(
      Diagnostic(
        .mixedLogic, "`&&` binds tighter than `||`, and the two are mixed without parentheses",
        at: tree.operatorSpan(of: tree[operands[0]]), label: "joins these two first",
        secondary: [Diagnostic.Label(tree[operands[0]].span, "")],
        helps: [
          helpForExclusions(operands)
            ?? "write `\(tree.source.text(of: first).shortened(to: 60)) && (\(pair))`, or else `(… && …) || …` if that is meant"
        ]))
  }

  /// Reports `a && b == 1 || b == 2 && c`, in which the conditions around `||` are on one
  /// attribute, and each group has others of its own.
  private mutating func checkPairBetween(_ left: [NodeID], _ right: [NodeID]) {
    guard let last = left.last, let next = right.first, let path = pairedPath(last, next),
      (left.dropLast() + right.dropFirst()).allSatisfy({ !reads(path, $0) })
    else { return }
    // Two groups of one form are alternatives: `plan == "a" && x > 1 || x > 2 && plan == "b"`.
    let others = Set(left.dropLast().map { paths(in: $0) })
    guard right.dropFirst().allSatisfy({ !others.contains(paths(in: $0)) }) else { return }
    let before = left.dropLast().map { text($0) }.joined(separator: " && ")
    let after = right.dropFirst().map { text($0) }.joined(separator: " && ")
    let pair = "(\(text(last)) || \(text(next)))"
    report(
      Diagnostic(
        .mixedLogic, "`&&` binds tighter than `||`, so that these two are in different groups",
        at: SourceSpan(start: tree[last].span.start, end: tree[next].span.end),
        label: "conditions on `\(path)`",
        helps: [
          "write `\(before.shortened(to: 60)) && \(pair) && \(after.shortened(to: 60))`, or else "
            + "`(… && …) || (… && …)` if that is meant"
        ]))
  }

  /// Returns the attribute that two conditions compare with constants, if `||` between them makes a
  /// pair: two values, or what is below a value and what is above another.
  private func pairedPath(_ first: NodeID, _ second: NodeID) -> AttributePath? {
    if let path = equalityPath(first) {
      let isSameOperator =
        ConstantComparison(tree[first], in: tree)?.op
        == ConstantComparison(tree[second], in: tree)?.op
      return equalityPath(second) == path && isSameOperator ? path : nil
    }
    guard let low = ConstantComparison(tree[first], in: tree),
      let high = ConstantComparison(tree[second], in: tree), low.isOrdering, high.isOrdering,
      low.isConstantRight, high.isConstantRight,
      Bounds(low.op) != Bounds(high.op), let path = freePath(low.subject)
    else { return nil }
    return freePath(high.subject) == path ? path : nil
  }

  private func reads(_ path: AttributePath, _ id: NodeID) -> Bool { paths(in: id).contains(path) }

  /// Returns the attribute that a condition compares with a constant by `==` or `!=`.
  private func equalityPath(_ id: NodeID) -> AttributePath? {
    guard let comparison = ConstantComparison(tree[id], in: tree), comparison.isEquality else {
      return nil
    }
    return freePath(comparison.subject)
  }

  private func isConjunction(_ id: NodeID) -> Bool {
    tree[id].isBinary(.and)
  }

  func isBareConjunction(_ id: NodeID) -> Bool {
    isConjunction(id) && !tree[id].flags.contains(.parenthesized)
  }
}
