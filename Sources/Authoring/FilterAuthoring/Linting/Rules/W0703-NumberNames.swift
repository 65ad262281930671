import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports attributes of the app that are, by their names or by other conditions, numbers or bools,
// in places for other values.

extension FilterLinter {
  private static let wordsOfAnswers = [
    "yes": true, "y": true, "on": true, "no": false, "n": false, "off": false,
  ]
  private static let wordsOfBools: Set<String> = ["is", "has", "was", "can", "did"]

  /// Returns the type that an attribute has by its name, if no schema lists it.
  func typeByName(_ id: NodeID) -> AttributeType? {
    freePath(id).flatMap { schema.typeByName($0) }
  }

  /// Reports `size(user.age) >= 2`: by its name it is a number, which has no size.
  mutating func checkSizeByName(_ node: SyntaxNode) {
    guard isSuperscript, tree.name(of: node) == "size", !isHostCall(node),
      let argument = tree.operands(of: node).first, typeByName(argument) == .number,
      !wasReported(node.span)
    else { return }
    report(
      Diagnostic(
        .typeMismatch, "a number has no size", at: tree[argument].span,
        label: "by its name a number", notes: [Self.failsAtRunTime],
        helps: ["compare the number: `\(text(argument)) > …`"]))
  }

  /// Reports `size(device.customerInfo) == 0`: an object of the SDK always has its members.
  mutating func checkSizeOfMap(_ node: SyntaxNode, _ comparison: ConstantComparison) {
    let call = tree[comparison.subject]
    guard call.kind == .call, tree.name(of: call) == "size",
      let operand = tree.operands(of: call).first, let attribute = knownAttribute(operand),
      attribute.type == .map, attribute.since != nil, let number = comparison.value.plainNumber,
      let truth = comparison.op.truth(from: 1, to: nil, number)
    else { return }
    let list = schema.sorted.first {
      $0.path.hasPrefix("\(attribute.path).") && isList($0.type)
    }
    report(
      .always(
        truth, "`\(attribute.path)` always has its members", at: node.span,
        label: "always \(truth)",
        helps: list.map {
          ["ask for the elements of one of its lists: `size(\($0.path)) == 0`"]
        } ?? []))
  }

  /// Reports `user.lessonsCompleted.contains(5)`: by its name it is a number.
  mutating func checkTextOfNumber(_ node: SyntaxNode) {
    guard isSuperscript,
      Self.searches.contains(tree.name(of: node)),
      let receiver = node.receiver, node.childCount == 1, typeByName(receiver) == .number,
      let argument = tree.arguments(of: node).first, !wasReported(node.span)
    else { return }
    let number = tree.constant(of: argument)?.plainNumber == nil ? "…" : text(argument)
    report(
      Diagnostic(
        .typeMismatch, "`\(tree.name(of: node))` is about texts, and this is a number by its name",
        at: tree[receiver].span, label: "a number", notes: [Self.failsAtRunTime],
        helps: ["compare the number: `\(text(receiver)) == \(number)`"]))
  }

  /// Reports `user.tags == "vip"`: by its name it is a list.
  mutating func checkTextForList(_ comparison: ConstantComparison) {
    guard isSuperscript, comparison.isEquality, case .string(let text) = comparison.value,
      !text.isEmpty, isListByName(comparison.subject), !wasReported(tree[comparison.constant].span)
    else { return }
    let subject = self.text(comparison.subject)
    let sought = "\(self.text(comparison.constant)) in \(subject)"
    report(
      Diagnostic(
        .typeMismatch, "`\(subject)` is a list by its name, and this is a text",
        at: tree[comparison.constant].span, label: "never equal to a list",
        helps: ["to look for it, write `\(comparison.op.asked(sought))`"]))
  }

  /// Reports `user.tags.matches("vip|beta")`: by its name it is a list.
  mutating func checkTextOfList(_ node: SyntaxNode) {
    guard isSuperscript, ["matches", "startsWith", "endsWith"].contains(tree.name(of: node)),
      let receiver = node.receiver, isListByName(receiver), node.childCount == 1,
      let argument = tree.arguments(of: node).first
    else { return }
    report(
      Diagnostic(
        .typeMismatch,
        "`\(text(receiver))` is a list by its name, and `\(tree.name(of: node))` "
          + "needs a text", at: tree[receiver].span, label: "a list",
        notes: [Self.failsAtRunTime],
        helps: [
          "ask for an element: "
            + "`\(text(receiver)).exists(x, x.\(tree.name(of: node))(\(text(argument))))`"
        ]))
  }

  /// Reports `user.lessonsCompleted < 0`: no count is negative.
  mutating func checkNegativeCount(_ comparison: ConstantComparison) {
    guard comparison.isConstantRight, isCountByName(comparison.subject),
      let number = comparison.value.plainNumber,
      comparison.op == .less && number <= 0
        || (comparison.op == .lessEqual || comparison.op == .equal) && number < 0,
      !wasReported(tree[comparison.constant].span)
    else { return }
    let subject = text(comparison.subject)
    report(
      .always(
        false, "a count is never negative", at: tree[comparison.constant].span,
        label: "by its name a count", helps: ["for none, write `\(subject) == 0`"]))
  }

  /// Reports `user.zip.matches("^8") && user.zip > 80000`, which takes a text for a number.
  mutating func checkTextAndNumber(_ operands: [NodeID]) {
    guard isSuperscript else { return }
    var texts: [AttributePath: NodeID] = [:]
    for operand in operands {
      let node = tree[operand]
      guard node.kind == .call,
        ["matches", "startsWith", "endsWith"].contains(tree.name(of: node)),
        let receiver = node.receiver, let path = freePath(receiver)
      else { continue }
      texts[path] = operand
    }
    for operand in operands where !texts.isEmpty {
      guard let comparison = ConstantComparison(tree[operand], in: tree), comparison.isOrdering,
        comparison.value.plainNumber != nil, let path = freePath(comparison.subject),
        let other = texts[path], !wasReported(tree[operand].span)
      else { continue }
      report(
        Diagnostic(
          .typeMismatch, "a text and a number have no order", at: tree[operand].span,
          label: "takes it for a number",
          secondary: [Diagnostic.Label(tree[other].span, "takes it for a text")],
          notes: [Self.failsAtRunTime],
          helps: [
            "write `int(\(text(comparison.subject))) \(comparison.op.spelling) "
              + "\(text(comparison.constant))`"
          ]))
    }
  }

  /// Returns whether an attribute counts by whole numbers, by its name: `user.lessonsCompleted`.
  func isCountByName(_ id: NodeID) -> Bool {
    freePath(id).map { schema.isCountByName($0) } ?? false
  }

  /// Returns whether a part is a bool, by its type or by its name.
  func isCondition(byName id: NodeID) -> Bool {
    staticType(id) == .bool
      || freePath(id)?.names.last?.nameWords.first.map { Self.wordsOfBools.contains($0) } ?? false
  }

  /// Returns the bool that a number or a word stands for elsewhere: 1, "yes".
  private static func boolMeant(by value: Value) -> (isTrue: Bool, isNumber: Bool)? {
    switch value {
    case .int(let number): number == 0 || number == 1 ? (number == 1, true) : nil
    case .string(let word): wordsOfAnswers[word.lowercased()].map { ($0, false) }
    default: nil
    }
  }

  /// Reports `user.isPremium == 1`, `user.isPremium == "yes"` and `user.age in ["18", "19"]`.
  mutating func checkKindByName(_ comparison: ConstantComparison) {
    let subject = text(comparison.subject)
    let span = tree[comparison.constant].span
    guard isSuperscript, !wasReported(span) else { return }
    if comparison.isEquality, let meant = Self.boolMeant(by: comparison.value),
      let path = freePath(comparison.subject), schema.attribute(at: path) == nil,
      path.names.count == 1, case let words = path.names[0].nameWords, words.count > 1,
      Self.wordsOfBools.contains(words[0])
    {
      return report(
        Diagnostic(
          .typeMismatch, "a bool is equal to no \(meant.isNumber ? "number" : "such text")",
          at: span, label: meant.isNumber ? "a number" : "a text",
          notes: ["by its name, `\(subject)` is a bool"],
          helps: ["write `\(subject) == \(meant.isTrue == (comparison.op == .equal))`"]))
    }
    if comparison.isEquality, case .list(let elements) = comparison.value,
      typeByName(comparison.subject) == .number, elements.contains(where: { $0.plainNumber != nil })
    {
      let membership = "\(subject) in \(text(comparison.constant))"
      return report(
        Diagnostic(
          .typeMismatch, "a number is equal to no list", at: span, label: "a list",
          notes: ["by its name, `\(subject)` is a number"],
          helps: ["write `\(comparison.op.asked(membership))`"]))
    }
    if comparison.isEquality, case .bool(let truth) = comparison.value,
      let path = freePath(comparison.subject), schema.attribute(at: path) == nil,
      case let words = path.names.last?.nameWords ?? [], words.count > 1,
      ["at", "date", "time"].contains(words.last), !Self.wordsOfBools.contains(words[0])
    {
      let isSet = truth == (comparison.op == .equal)
      return report(
        Diagnostic(
          .typeMismatch, "a moment is neither true nor false", at: span, label: "a bool",
          notes: ["by its name, `\(subject)` is a moment"],
          helps: ["to ask whether it is set, write `\(isSet ? "" : "!")has(\(path))`"]))
    }
    guard comparison.op == .in, case .list(let elements) = comparison.value,
      typeByName(comparison.subject) == .number
    else { return }
    let numbers = elements.compactMap { element -> Int64? in
      if case .string(let text) = element { Int64(text) } else { nil }
    }
    guard !numbers.isEmpty, numbers.count == elements.count else { return }
    let list = numbers.map { "\($0)" }.joined(separator: ", ")
    report(
      Diagnostic(
        .typeMismatch, "`in` finds no number among texts", at: span, label: "texts",
        notes: ["by its name, `\(subject)` is a number"],
        helps: ["write `\(subject) in [\(list)]`"]))
  }

  /// Reports `size(user.age) > 1 && user.age >= 18`: no text is compared with a number.
  mutating func checkSizeOfNumber(_ operands: [NodeID]) {
    for operand in operands {
      guard case .size(of: let subject, let size)? = outline.relation(of: operand),
        let path = freePath(subject)
      else { continue }
      let number = operands.first { other in
        guard let comparison = ConstantComparison(tree[other], in: tree) else { return false }
        return comparison.isOrdering && comparison.value.plainNumber != nil
          && freePath(comparison.subject) == path
      }
      guard let number else { continue }
      report(
        Diagnostic(
          .typeMismatch, "`size` of a number is an error", at: tree[size.subject].span,
          label: "only texts, lists and maps have a size",
          secondary: [Diagnostic.Label(tree[number].span, "compared with a number")],
          notes: [Self.failsAtRunTime],
          helps: ["compare the number itself"]))
    }
  }

  /// Reports `size(user.courses) == 0 && user.courses.exists(c, c.isDone)`.
  mutating func checkLoopOverEmpty(_ operands: [NodeID]) {
    for (index, operand) in operands.enumerated() {
      guard case .size(of: let list, let size)? = outline.relation(of: operand),
        let path = freePath(list), let count = size.value.plainNumber,
        size.op == .equal && count == 0 || size.op == .less && count == 1
      else { continue }
      for (place, other) in operands.enumerated() {
        guard case .loop(let loop) = outline.shape(of: other),
          loop.kind == .exists || loop.kind == .all,
          freePath(loop.range) == path, !wasReported(tree[other].span)
        else { continue }
        if loop.kind == .all {
          return report(
            Diagnostic(
              .redundantCondition, "`all` is true for an empty list", at: tree[other].span,
              label: "changes nothing",
              secondary: [Diagnostic.Label(tree[operand].span, "empty")],
              helps: ["remove one of the two; a list with elements has `size(\(path)) > 0`"]))
        }
        return reportExclusion(
          "no element of an empty list passes", index < place ? operand : other,
          index < place ? other : operand,
          help: "remove one of the two; a list with elements has `size(\(path)) > 0`")
      }
    }
  }
}
