import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports groups of users that leave out or take in others than those who are meant.

extension FilterLinter {
  /// Reports `user.seed >= 1 && user.seed <= 25`: the first hundredth of the users has 0.
  mutating func checkFirstSeed(_ operands: [NodeID]) {
    let bounds = operands.compactMap { seedComparison($0) }
    guard
      let low = bounds.first(where: {
        $0.op == .greaterEqual && $0.value == .int(1) || $0.op == .greater && $0.value == .int(0)
      }), let high = bounds.first(where: { $0.op == .less || $0.op == .lessEqual })
    else { return }
    let isWhole = if case .int = high.value { true } else { false }
    let subject = text(low.subject)
    report(
      Diagnostic(
        .seldomMeant, "`\(subject)` starts at 0, which this leaves out",
        at: tree[parent(of: low.subject)].span, label: "not from the first on",
        notes: ["the numbers are 0 to 99"],
        helps: [
          !isWhole
            ? "for the first ones, remove it"
            : high.op == .lessEqual
              ? "for as many of the first ones, write `\(subject) < \(text(high.constant))`"
              : "for the first ones, write `\(subject) < \(text(high.constant))` alone"
        ]))
  }

  /// Reports `user.seed <= 50`, which 51 of a hundred users pass.
  mutating func checkLastSeed(_ id: NodeID, _ comparison: ConstantComparison) {
    guard comparison.op == .lessEqual, isSeed(comparison.subject),
      case .int(let number) = comparison.value, number > 0, number < 96, number % 5 == 0,
      case let bounds = bounds(around: id, of: text(comparison.subject)),
      bounds.isDisjoint(with: [.lower, .exception])
        || bounds.contains(.zero)
          && freePath(comparison.subject).map({ readings(of: $0) }) == 2
    else { return }
    report(
      Diagnostic(
        .seldomMeant, "0 to \(number) are \(number + 1) of a hundred users",
        at: tree[comparison.constant].span, label: "one percent more",
        helps: ["for \(number) percent, write `\(text(comparison.subject)) < \(number)`"]))
  }

  /// Reports `user.seed == 10`, one of a hundred, which reads like ten of them.
  mutating func checkOneSeed(_ comparison: ConstantComparison) {
    guard comparison.op == .equal, isSeed(comparison.subject),
      case .int(let number) = comparison.value, number > 0, number < 100, number % 5 == 0,
      !isComparedElsewhere(comparison.subject)
    else { return }
    let subject = text(comparison.subject)
    report(
      Diagnostic(
        .seldomMeant, "one of a hundred users has this number",
        at: tree[comparison.constant].span, label: "one percent",
        helps: [
          "for \(number) percent, write `\(subject) < \(number)`",
          "for one percent, `\(subject) == 0` says so more clearly",
        ]))
  }

  private func seedComparison(_ id: NodeID) -> ConstantComparison? {
    guard let comparison = ConstantComparison(tree[id], in: tree), isSeed(comparison.subject)
    else { return nil }
    return comparison
  }

  private func isSeed(_ id: NodeID) -> Bool { freePath(id)?.description == "user.seed" }

  // MARK: One or both

  /// Reports `device.activeProducts.contains(".yearly")`: an id does not begin with a dot, and
  /// `contains` compares whole elements.
  mutating func checkPartOfElement(_ node: SyntaxNode) {
    let isCall = node.kind == .call && tree.name(of: node) == "contains"
    guard isCall || node.isBinary(.in),
      let list = isCall ? node.receiver : node.right,
      let element = isCall ? tree.arguments(of: node).first : node.left,
      isListOfIDs(list), case .string(let id)? = tree.constant(of: element), id.utf8.count > 1,
      id.first == "." || id.last == "."
    else { return }
    let function = id.first == "." ? id.last == "." ? "contains" : "endsWith" : "startsWith"
    report(
      Diagnostic(
        .impossibleValue,
        "whole elements are compared, and no id \(id.first == "." ? "begins" : "ends") with a dot",
        at: tree[element].span, label: "a part of an id",
        helps: ["write `\(text(list)).exists(x, x.\(function)(\(text(element))))`"]))
  }

  /// Reports `!tags.contains("a") || !tags.contains("b")`, which users with one of them pass.
  mutating func checkEitherMissing(_ operands: [NodeID]) {
    guard operands.count == 2, let first = deniedElement(operands[0]),
      let second = deniedElement(operands[1]), first.list == second.list,
      first.element != second.element
    else { return }
    report(
      Diagnostic(
        .seldomMeant, "users who have one of the two pass",
        at: SourceSpan(start: tree[operands[0]].span.start, end: tree[operands[1]].span.end),
        label: "false only for users who have both",
        helps: ["for users who have neither, write `\(text(operands[0])) && \(text(operands[1]))`"]
      ))
  }

  private func deniedElement(_ id: NodeID) -> (list: AttributePath, element: Value)? {
    subject(deniedBy: id).flatMap { soughtElement($0) }
  }

  /// Returns the list and the constant of `tags.contains("a")` and `"a" in tags`.
  private func soughtElement(_ id: NodeID) -> (list: AttributePath, element: Value)? {
    let node = tree[id]
    if node.isBinary(.in), let list = freePath(node.right),
      let element = tree.constant(of: node.left)
    {
      return (list, element)
    }
    guard node.kind == .call, tree.name(of: node) == "contains", let receiver = node.receiver,
      let argument = tree.arguments(of: node).first, isList(staticType(receiver)),
      let list = freePath(receiver), let element = tree.constant(of: argument)
    else { return nil }
    return (list, element)
  }

  /// Reports `!(user.isStaff && user.isTester)` and `!(tags.contains("a") && tags.contains("b"))`,
  /// which only users with both fail.
  mutating func checkNotBoth(_ id: NodeID, _ node: SyntaxNode) {
    guard node.isUnary(.not), tree[node.operand].isBinary(.and) else { return }
    let parts = outline.operands(of: node.operand, .and)
    guard parts.count == 2, !wasReported(tree[node.operand].span) else { return }
    let isPair: Bool
    if let first = soughtElement(parts[0]), let second = soughtElement(parts[1]) {
      isPair = first.list == second.list && first.element != second.element
    } else if let first = freePath(parts[0]), let second = freePath(parts[1]) {
      isPair =
        first != second && first.root == second.root
        && [first, second].allSatisfy { $0.names.last?.nameWords.first == "is" }
    } else {
      isPair = false
    }
    guard isPair else { return }
    report(
      Diagnostic(
        .seldomMeant, "this excludes only users to whom both apply", at: node.span,
        label: "one of the two is not enough",
        helps: [
          "to exclude users of either kind, write "
            + "`!(\(text(parts[0])) || \(text(parts[1])))`"
        ]))
  }

  /// Reports `![…].all(e, tags.contains(e))`, which all pass who lack one of them.
  mutating func checkNotAll(_ id: NodeID, _ node: SyntaxNode) {
    guard let loop = outline.loop(node), loop.kind == .all, isDenied(id),
      tree[loop.range].kind == .list, tree.arguments(of: tree[loop.range]).count > 1,
      tree[loop.body].isBinary(.in)
        || tree[loop.body].kind == .call && tree.name(of: tree[loop.body]) == "contains"
    else { return }
    let call = text(id).replacingFirst(".all(", by: ".exists(")
    report(
      Diagnostic(
        .seldomMeant, "users who have some of these pass, unless they have all of them",
        at: tree.nameSpan(of: node), label: "only users with all of them fail",
        helps: ["for users who have none of them, write `!\(call)`"]))
  }

  /// Reports `subs.exists(s, s.productId == "a") && subs.exists(s, s.isActive)`, which two
  /// different elements may pass.
  mutating func checkTwoElements(_ operands: [NodeID]) {
    var seen: [AttributePath: (id: NodeID, loop: FilterOutline.Loop, members: Set<String>)] = [:]
    for operand in operands {
      guard tree[operand].kind == .call, let loop = outline.loop(tree[operand]),
        loop.kind == .exists, let path = freePath(loop.range),
        case let members = members(of: loop), !members.isEmpty
      else { continue }
      guard let first = seen[path] else {
        seen[path] = (operand, loop, members)
        continue
      }
      guard first.members.isDisjoint(with: members) else { continue }
      let name = first.loop.variable
      let second = text(loop.body)
      report(
        Diagnostic(
          .seldomMeant, "one element may meet this condition, and another one the first",
          at: tree[operand].span, label: "not always the same element",
          secondary: [Diagnostic.Label(tree[first.id].span, "the first")],
          helps: loop.variable == name
            ? [
              "for one element that meets both, write "
                + "`\(path).exists(\(name), \(text(first.loop.body)) && \(second))`"
            ] : ["for one element that meets both, write both conditions in one `exists`"]))
    }
  }

  /// Returns the names of the members of the element that a loop reads.
  private func members(of loop: FilterOutline.Loop) -> Set<String> {
    let place = tree[loop.body].span
    var names: Set<String> = []
    var work = [loop.body]
    while let next = work.popLast() {
      let node = tree[next]
      if node.kind == .select, tree[node.operand].kind == .identifier,
        tree.name(of: tree[node.operand]) == loop.variable, place.start <= node.span.start
      {
        names.insert(tree.name(of: node))
      }
      work += tree.parts(of: node)
    }
    return names
  }

  /// Reports `!(user.plan != "free")`, whose two negations cancel each other out.
  mutating func checkNegatedInequality(_ node: SyntaxNode) {
    guard node.isUnary(.not), tree[node.operand].isBinary(.notEqual),
      let comparison = ConstantComparison(tree[node.operand], in: tree),
      freePath(comparison.subject) != nil
    else { return }
    let (subject, constant) = (text(comparison.subject), text(comparison.constant))
    report(
      Diagnostic(
        .redundantCondition, "the two negations cancel each other out", at: node.span,
        label: "true for this value",
        helps: [
          "write `\(subject) == \(constant)`, or for all other values `\(subject) != \(constant)`"
        ]))
  }

}
