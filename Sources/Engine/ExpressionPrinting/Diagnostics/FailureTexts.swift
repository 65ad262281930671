import ExpressionEngine
import ExpressionSyntax

/// Tells a failure in the words of the filter.
struct FailureTexts {
  let report: FailureReport
  let tree: SyntaxTree
  /// The numbers of the nodes that were evaluated.
  let part: Range<Int>
  let plain: Diagnostic
  /// Whether to show the operands, which may be values of attributes.
  let showsValues: Bool

  var first: FailureReport.Operand? { report.operands.first }
  private var second: FailureReport.Operand? { report.operands.dropFirst().first }

  /// The diagnostic; the plain one if the filter adds nothing.
  var diagnostic: Diagnostic {
    switch report.code {
    case .notComparable: notComparable ?? plain
    case .unsupportedBinary: unsupportedBinary ?? plain
    case .unsupportedUnary: unsupportedUnary ?? plain
    case .divisionByZero, .overflow: arithmetic ?? plain
    case .unexpectedType: unexpectedType ?? plain
    case .invalidArgument: invalidArgument ?? plain
    case .argumentCount: argumentCount ?? plain
    case .missingArgument: missingArgument ?? plain
    case .unknownFunction: unknownFunction ?? plain
    case .undeclared: undeclared
    case .noSuchKey: noSuchKey ?? plain
    case .listIndex, .mapIndex, .notIndexable, .indexOutOfRange: index ?? plain
    case .invalidPattern: invalidPattern
    case .hostFailed: hostFailed ?? plain
    case .unsupportedConstruct: construct ?? plain
    case .notBool: notBool ?? plain
    default: plain
    }
  }

  // MARK: Finding nodes

  /// The outermost node with the span of the failure that passes a test.
  func node(where test: (SyntaxNode) -> Bool) -> SyntaxNode? {
    tree.nodes[part].last { $0.span == report.span && test($0) }
  }

  func text(_ id: NodeID) -> String {
    let text = tree.source.text(of: tree[id].span)
      .split(whereSeparator: { $0.isNewline }).joined(separator: " ")
    return text.count > 40 ? String(text.prefix(39)) + "…" : text
  }

  /// The call that failed, or the one whose argument did.
  var call: (node: SyntaxNode, argument: Int?)? {
    if let node = node(where: { $0.kind == .call }) { return (node, nil) }
    for node in tree.nodes[part] where node.kind == .call {
      if let receiver = node.receiver, tree[receiver].span == report.span { return (node, nil) }
      for (position, argument) in tree.arguments(of: node).enumerated()
      where tree[argument].span == report.span {
        return (node, position)
      }
    }
    return nil
  }

  /// An operand with its kind: `string "abc"`, or only the kind if values are not shown.
  func described(_ operand: FailureReport.Operand) -> String {
    showsValues ? operand.description : operand.kind
  }

  func isLiteral(_ id: NodeID) -> Bool {
    tree[id].kind.rawValue <= SyntaxKind.bytesLiteral.rawValue
  }

  /// Returns whether a part is the largest element of a list.
  private func isLargest(_ id: NodeID) -> Bool {
    tree[id].kind == .call && tree.name(of: tree[id]) == "max" && tree[id].childCount == 1
  }

  /// Returns whether the text of a literal is a decimal number.
  private func isNumber(_ id: NodeID) -> Bool {
    let text = tree.source.text(of: tree[id].payloadSpan)
    let digits = text.utf8.filter { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "-") }
    return !digits.isEmpty && digits.allSatisfy { $0 &- UInt8(ascii: "0") < 10 }
  }

  /// Labels with the values under both operands; a literal shows only its kind.
  private func labels(_ node: SyntaxNode) -> [Diagnostic.Label] {
    guard let first, let second else { return [] }
    return [(node.left, first), (node.right, second)].map { id, operand in
      Diagnostic.Label(tree[id].span, isLiteral(id) ? operand.kind : described(operand))
    }
  }

  /// The advice for an operand that is null, because it is missing or was given as null.
  private func helpForNull(_ node: SyntaxNode) -> String? {
    guard let first, let second, first.isNull || second.isNull else { return nil }
    let missing = first.isNull ? node.left : node.right
    return isLiteral(missing) ? nil : guarding(missing)
  }

  /// The advice to evaluate something only when a part of it is there.
  func guarding(_ id: NodeID) -> String {
    "guard it: `\(text(id)) != null ? … : false`"
  }

  // MARK: Operators

  private var notComparable: Diagnostic? {
    guard let first, let second,
      let node = node(where: { $0.kind == .binary && $0.op.info.isComparison })
    else { return nil }
    var helps: [String] = []
    var notes: [String] = []
    let hasNull = first.isNull || second.isNull
    if let help = helpForNull(node) {
      helps = [help]
      notes = ["null has no order, and a missing attribute is null here"]
    } else if first.isString && second.isNumber || first.isNumber && second.isString {
      notes = ["a text is not converted to a number for `\(node.op.spelling)`"]
      let textSide = first.isString ? node.left : node.right
      if isLargest(textSide) {
        helps = ["for the number of elements, write `size(…)`"]
      } else if !isLiteral(textSide) {
        helps = ["convert the text: `int(\(text(textSide)))`"]
      } else if isNumber(textSide) {
        helps = ["write the number without quotes"]
      }
    } else if [first.kind, second.kind].sorted() == ["string", "timestamp"] {
      let textSide = first.isString ? node.left : node.right
      helps = ["convert the text: `timestamp(\(text(textSide)))`"]
    } else if first.kind == "double", second.kind == "double" {
      notes = ["NaN has no order"]
    }
    let message =
      node.op == .in
      ? "`in` cannot look for \(first.kind) in \(second.kind)"
      : "`\(node.op.spelling)` cannot compare \(first.kind) with \(second.kind)"
    if node.op == .in {
      if !hasNull { helps = [] }
      notes = ["the right side of `in` is a list, a map or, for a text, a text"]
    }
    return Diagnostic(
      plain.id, message, at: tree.operatorSpan(of: node),
      label: node.op == .in ? "nothing to look in" : "these have no order",
      secondary: labels(node), notes: notes, helps: helps)
  }

  private var unsupportedBinary: Diagnostic? {
    guard let first, let second, let node = node(where: { $0.kind == .binary }) else { return nil }
    var helps: [String] = []
    var notes: [String] = []
    let kinds = [first.kind, second.kind]
    if let help = helpForNull(node) {
      helps = [help]
    } else if node.op == .add, kinds.contains("string") {
      let other = first.isString ? node.right : node.left
      if first.isNumber || second.isNumber {
        let isDate =
          isLiteral(node.left) && tree.source.text(of: tree[node.left].span).isDateInQuotes
        helps =
          isDate && second.isNumber
          ? ["a date is a text: write the later date"]
          : ["to join texts, write `string(\(text(other)))`"]
      }
    } else if kinds.contains("uint"), kinds.contains("int") {
      notes = ["int and uint do not mix"]
      let other = first.kind == "uint" ? node.left : node.right
      helps = ["convert one of them: `int(\(text(other)))`"]
    }
    return Diagnostic(
      plain.id, "`\(node.op.spelling)` has no meaning for \(first.kind) and \(second.kind)",
      at: tree.operatorSpan(of: node), label: "no meaning for these kinds", secondary: labels(node),
      notes: notes, helps: helps)
  }

  private var unsupportedUnary: Diagnostic? {
    guard let first, let node = node(where: { $0.kind == .unary }) else { return nil }
    return Diagnostic(
      plain.id, "`\(node.op.spelling)` has no meaning for \(first.kind)",
      at: tree.operatorSpan(of: node), label: "no meaning for this kind",
      secondary: [Diagnostic.Label(tree[node.operand].span, described(first))],
      helps: first.isNull && !isLiteral(node.operand) ? [guarding(node.operand)] : [])
  }

  private var arithmetic: Diagnostic? {
    guard let node = node(where: { $0.kind == .binary || $0.kind == .unary }) else { return nil }
    guard report.code == .divisionByZero else {
      return Diagnostic(
        plain.id, "the result of `\(node.op.spelling)` is out of range",
        at: tree.operatorSpan(of: node), label: "too large or too small",
        notes: ["integers have 64 bits"])
    }
    let divisor = text(node.right)
    return Diagnostic(
      plain.id, node.op == .remainder ? "remainder of a division by zero" : "division by zero",
      at: tree.operatorSpan(of: node),
      label: isLiteral(node.right)
        ? "the right side is 0" : "the right side (`\(divisor)`) was 0",
      helps: isLiteral(node.right)
        ? []
        : [
          "guard it: `\(divisor) != 0 ? \(operand(node.left)) \(node.op.spelling) "
            + "\(operand(node.right)) : 0`"
        ])
  }

  /// Returns an operand as it is written, in parentheses if it is an operation.
  private func operand(_ id: NodeID) -> String {
    let isOperation = [.binary, .conditional].contains(tree[id].kind)
    return isOperation ? "(\(text(id)))" : text(id)
  }

  private var notBool: Diagnostic? {
    guard let first, let node = node(where: { $0.kind == .conditional || $0.kind == .unary })
    else { return nil }
    let condition = node.kind == .unary ? node.operand : node.condition
    return Diagnostic(
      plain.id, "a condition must be a bool, found \(first.kind)", at: tree[condition].span,
      label: "the value was \(described(first))",
      helps: first.isNumber && !isLiteral(condition)
        ? ["compare it: `\(text(condition)) != 0`"] : [])
  }

  // MARK: Names, members, indexes

  private var undeclared: Diagnostic {
    var result = plain
    guard let first else { return result }
    result.message = "there is no variable `\(first.text)`"
    let roots = AttributeRoots.names + ["computed"]
    if roots.contains(first.text) {
      result.helps = ["the context has no attributes of that kind at all"]
    } else if let help = Suggestions.help(for: first.text, among: roots) {
      result.helps = [help]
    }
    return result
  }

  private var noSuchKey: Diagnostic? {
    guard let first else { return nil }
    // A comparison of an attribute with a constant is one instruction; the attribute is inside it.
    let inside = tree.nodes[part].first { node in
      node.kind == .select && tree.name(of: node) == first.text
        && node.span.start >= report.span.start && node.span.end <= report.span.end
    }
    guard let node = node(where: { $0.kind == .select || $0.kind == .index }) ?? inside else {
      return nil
    }
    let operand = text(node.operand)
    // The name of a member is in the filter, and so is a literal key.
    let isShown = showsValues || node.kind == .select || isLiteral(node.subscriptIndex)
    return Diagnostic(
      plain.id, "`\(operand)` has no " + (isShown ? "member `\(first.text)`" : "such member"),
      at: node.kind == .select ? tree.nameSpan(of: node) : tree[node.subscriptIndex].span,
      label: "missing",
      helps: node.kind == .select ? ["ask first: `has(\(operand).\(first.text)) ? … : …`"] : [])
  }

  private var index: Diagnostic? {
    guard let node = node(where: { $0.kind == .index }) else { return nil }
    var result = plain
    let operand = text(node.operand)
    switch report.code {
    case .notIndexable:
      guard let first else { return nil }
      result.message = "\(first.kind) has no elements"
      result.primary = Diagnostic.Label(
        tree[node.operand].span, "the value was \(described(first))")
      result.notes = ["lists, maps and texts can be indexed"]
    default:
      result.primary = Diagnostic.Label(
        tree[node.subscriptIndex].span, first.map { described($0) } ?? "")
      if !isLiteral(node.operand), operand.count < 24, report.code == .indexOutOfRange {
        let isShown = showsValues || isLiteral(node.subscriptIndex)
        result.message =
          "`\(operand)` has no " + (isShown ? "element \(first?.literal ?? "")" : "such element")
      }
    }
    return result
  }

  private var construct: Diagnostic? {
    guard let node = node(where: { $0.kind == .message }) else { return nil }
    return Diagnostic(
      plain.id, "there is no type `\(text(node.typeName))` to make a value of",
      at: tree[node.typeName].span, label: "followed by fields",
      notes: ["`Name{field: value}` has no meaning in this dialect"],
      helps: ["a map is written `{\"field\": value}`"])
  }
}

extension SlotKinds {
  /// The kinds in the words of a message: `a string`, `a list or a map`; `nil` for any.
  var names: String? {
    guard self != .any else { return nil }
    let table: [(SlotKinds, String)] = [
      (.string, "a string"), (.int, "an int"), (.uint, "a uint"), (.double, "a double"),
      (.bool, "a bool"), (.list, "a list"), (.map, "a map"),
    ]
    let names = table.filter { contains($0.0) }.map { $0.1 }
    guard !names.isEmpty else { return nil }
    return names.joined(separator: " or ")
  }
}

extension String {
  /// Whether the text is a literal such as `"2026-11-27"`.
  fileprivate var isDateInQuotes: Bool {
    let content = utf8.dropFirst().dropLast()
    return content.count == 10
      && content.enumerated().allSatisfy { place, byte in
        place == 4 || place == 7 ? byte == UInt8(ascii: "-") : byte &- UInt8(ascii: "0") < 10
      }
  }
}
