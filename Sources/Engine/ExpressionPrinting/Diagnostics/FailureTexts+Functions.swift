import ExpressionEngine
import ExpressionSyntax

// Failures of functions.

extension FailureTexts {
  private func definition(_ node: SyntaxNode) -> FunctionDefinition? {
    guard report.dialect == .superscript else { return nil }
    let name = tree.name(of: node)
    return FunctionDefinition.all(in: .superscript).first { $0.name == name }
  }

  private func signatures(_ node: SyntaxNode) -> [String] {
    definition(node)?.signatures.map { "`\($0)`" } ?? []
  }

  var unexpectedType: Diagnostic? {
    guard let (node, argument) = call else { return nil }
    let name = tree.name(of: node)
    let definition = definition(node)
    var kinds: SlotKinds?
    if let definition {
      if definition.isMacro {
        if let argument, argument == (node.receiver == nil ? 1 : 0) {
          return Diagnostic(
            plain.id, "the variable of `\(name)` has to be a name",
            at: tree[tree.arguments(of: node)[argument]].span,
            label: "not a name", notes: signatures(node))
        }
        kinds = [.list, .map]
      } else if let argument {
        let shift = definition.subject != nil && node.receiver == nil ? 1 : 0
        let position = argument - shift
        kinds =
          position < 0
          ? definition.subject
          : position < definition.parameters.count ? definition.parameters[position] : nil
      } else {
        kinds = definition.subject
      }
    }
    let subject =
      argument.map { tree.arguments(of: node)[$0] } ?? tree.operands(of: node).first
    let expected = kinds?.names
    var helps: [String] = []
    if first?.isNull == true, let subject {
      helps = [guarding(subject)]
    } else if expected == "a string", first != nil, let subject, !isLiteral(subject) {
      // The call ends too late.
      helps =
        tree[subject].kind == .binary && (tree[subject].op == .and || tree[subject].op == .or)
        ? ["end the call before `\(tree[subject].op.spelling)`"]
        : ["convert it: `string(\(text(subject)))`"]
    }
    let found = first.map { ", found \($0.kind)" } ?? ""
    let message =
      expected.map { "`\(name)` needs \($0)\(found)" }
      ?? first.map { "`\(name)` cannot use \($0.kind)" } ?? plain.message
    return Diagnostic(
      plain.id, message, at: subject.map { tree[$0].span } ?? report.span,
      label: first.map { "the value was \(described($0))" } ?? "is neither",
      notes: first?.kind == "bool" && expected == "a string" && report.dialect == .superscript
        ? ["the texts \"true\" and \"false\" are bools everywhere"] : signatures(node),
      helps: helps)
  }

  var invalidArgument: Diagnostic? {
    guard let (node, argument) = call else { return nil }
    if report.dialect == .cel { return celInvalidArgument(node, first) }
    let name = tree.name(of: node)
    let subject =
      argument.map { tree.arguments(of: node)[$0] } ?? tree.operands(of: node).first
    let value = first.map { described($0) }
    var notes: [String]
    switch name {
    case "int", "uint": notes = ["a text must be a whole number, such as \"42\""]
    case "double": notes = ["a text must be a number, such as \"1.5\""]
    case "timestamp": notes = ["a time is written as in \"2024-02-29T12:34:56Z\""]
    case "duration": notes = ["a duration is written as in \"1h30m\""]
    case "size": notes = ["texts, lists and maps have a size"]
    default: notes = signatures(node)
    }
    var helps: [String] = []
    if first?.isNull == true, let subject {
      helps = [guarding(subject)]
    } else if name == "hasFn" {
      notes = ["it takes the name of a function, such as `hasFn(\"device.daysSince\")`"]
    }
    let article = showsValues ? "the" : "this"
    let shown =
      value.map { $0 == "null" ? $0 : "\(article) \($0)" } ?? subject.map { "`\(text($0))`" }
      ?? "this"
    return Diagnostic(
      plain.id, "`\(name)` cannot use \(shown)",
      at: subject.map { tree[$0].span } ?? report.span,
      label: Self.wantedForms[name].map { "not \($0)" } ?? "not usable here", notes: notes,
      helps: helps)
  }

  /// The texts that parsing functions accept.
  private static let wantedForms = [
    "int": "a whole number", "uint": "a whole number", "double": "a number",
    "timestamp": "such a time", "duration": "such a duration", "size": "something with a size",
    "ip": "an address", "cidr": "a range of addresses",
  ]

  var argumentCount: Diagnostic? {
    guard let (node, _) = call else { return nil }
    let name = tree.name(of: node)
    let given = node.childCount
    let needed: Int
    switch name {
    case "has", "hasFn": needed = 1
    case "maybe", "all", "exists", "exists_one", "map", "filter":
      needed = node.receiver == nil ? 3 : 2
    default:
      guard let definition = definition(node) else { return nil }
      let hasSubjectArgument = definition.subject != nil && node.receiver == nil
      needed = definition.parameters.count + (hasSubjectArgument ? 1 : 0)
    }
    var helps: [String] = []
    if let receiver = node.receiver, definition(node)?.subject == nil, given == 0, needed == 1 {
      helps = ["write `\(name)(\(text(receiver)))`"]
    }
    return Diagnostic(
      plain.id, "`\(name)` takes \(needed) argument\(needed == 1 ? "" : "s"), \(given) given",
      at: tree.nameSpan(of: node), label: "an argument is missing", notes: signatures(node),
      helps: helps)
  }

  var missingArgument: Diagnostic? {
    guard let (node, argument) = call else { return nil }
    let name = tree.name(of: node)
    guard let argument else {
      return Diagnostic(
        plain.id, "`\(name)` has nothing to work on", at: tree.nameSpan(of: node),
        label: "no argument", notes: signatures(node))
    }
    let guilty = tree.arguments(of: node)[argument]
    return Diagnostic(
      plain.id, "the argument of `\(name)` has no value", at: tree[guilty].span,
      label: "evaluating this failed",
      helps: ["evaluate `\(text(guilty))` by itself to see why"])
  }

  var unknownFunction: Diagnostic? {
    guard let node = node(where: { $0.kind == .call }) else { return nil }
    if report.dialect == .cel { return celUnknownFunction(node) }
    let name = tree.name(of: node)
    let names = FunctionDefinition.all(in: .superscript).map { $0.name }
    return Diagnostic(
      plain.id, "there is no function `\(name)`", at: tree.nameSpan(of: node),
      label: "not known", helps: Suggestions.help(for: name, among: names).map { [$0] } ?? [])
  }

  var hostFailed: Diagnostic? {
    guard let (node, _) = call else { return nil }
    var result = plain
    result.message = "the app's function `\(tree.name(of: node))` failed"
    result.primary = Diagnostic.Label(tree.nameSpan(of: node), "the error is the app's")
    return result
  }

  var invalidPattern: Diagnostic {
    var result = plain
    let pattern = call.flatMap { tree.arguments(of: $0.node).last }
    let isShown = showsValues || pattern.map { isLiteral($0) } ?? false
    if isShown, let cause = report.cause {
      result.message = "the regular expression is not valid: \(cause)"
    }
    if let pattern {
      result.primary = Diagnostic.Label(
        tree[pattern].span,
        isLiteral(pattern) || !showsValues
          ? "not a regular expression" : "the pattern was \(first?.literal ?? "another one")")
      if isShown, let start = first?.text.first, "*+?".contains(start) {
        result.helps = ["a regular expression for any text is `.*`"]
      }
    }
    return result
  }
}
