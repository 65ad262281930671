import ExpressionEngine
import ExpressionSyntax

// Failures of functions of the cel dialect in the words of the filter.

extension FailureTexts {
  /// The name of a called function, with its name space: `math.abs`.
  func celName(of node: SyntaxNode) -> String {
    let name = tree.name(of: node)
    guard let receiver = node.receiver.map({ tree[$0] }) else { return name }
    let space = tree.source.text(of: receiver.span)
    let isSpace = definitions.contains { $0.name.hasPrefix("\(space).") }
    return isSpace && receiver.kind == .identifier ? "\(space).\(name)" : name
  }

  /// The diagnostic for an unknown function, with the names that were probably meant.
  func celUnknownFunction(_ node: SyntaxNode) -> Diagnostic {
    let name = celName(of: node)
    let isMethod = node.receiver != nil && !name.contains(".")
    let help: String?
    if let habit = Self.celHabits[name] {
      help = "write `\(habit)`"
    } else {
      let candidates = definitions.filter { definition in
        definition.signatures.contains { Self.isMethod($0, named: definition.name) == isMethod }
      }
      help =
        Suggestions.help(for: name, among: candidates.map { $0.name })
        ?? celNameSpaceHelp(node, name)
    }
    return Diagnostic(
      plain.id, "there is no function `\(name)`", at: tree.nameSpan(of: node), label: "not known",
      helps: help.map { [$0] } ?? [])
  }

  /// The namespaced function that was probably meant: `math.absolute`, `base65.encode`.
  private func celNameSpaceHelp(_ node: SyntaxNode, _ name: String) -> String? {
    guard let receiver = node.receiver.map({ tree[$0] }), receiver.kind == .identifier
    else { return nil }
    let names = definitions.map { $0.name }.filter { $0.contains(".") }
    if let longer = names.first(where: { name.hasPrefix($0) || $0.hasPrefix(name) }) {
      return "did you mean `\(longer)`?"
    }
    let space = tree.source.text(of: receiver.span)
    return Suggestions.help(for: "\(space).\(tree.name(of: node))", among: names)
  }

  /// That a function cannot use one of its arguments, pointing at it where that is certain.
  func celInvalidArgument(_ node: SyntaxNode, _ operand: FailureReport.Operand?) -> Diagnostic {
    let name = celName(of: node)
    let operands = tree.operands(of: node)
    let guilty = operands.filter { isLiteral($0, spelling: operand) }
    let only = operands.count == 1 ? operands : guilty
    let span = only.count == 1 ? tree[only[0]].span : tree.nameSpan(of: node)
    let shown = operand.map { operand in
      if operand.isNull { return "null" }
      return showsValues ? "the \(operand.kind) \(operand.literal)" : "this \(operand.kind)"
    }
    return Diagnostic(
      plain.id, "`\(name)` cannot use \(shown ?? "this")", at: span, label: "not usable here",
      notes: Self.celForms[name].map { [$0] } ?? [])
  }

  private var definitions: [FunctionDefinition] { FunctionDefinition.all(in: .cel) }

  /// Returns whether a node is a literal of a value.
  private func isLiteral(_ id: NodeID, spelling operand: FailureReport.Operand?) -> Bool {
    let node = tree[id]
    switch node.kind {
    case .stringLiteral:
      return operand?.isString == true && operand?.text == tree.string(of: node)
    case .intLiteral, .uintLiteral, .doubleLiteral:
      return operand?.literal == tree.source.text(of: node.span)
    default: return false
    }
  }

  private static func isMethod(_ signature: String, named name: String) -> Bool {
    !signature.hasPrefix("\(name)(")
  }

  /// The names that functions have in other languages.
  private static let celHabits = [
    "length": "size()", "len": "size(…)", "count": "size()", "lower": "lowerAscii()",
    "toLowerCase": "lowerAscii()", "upper": "upperAscii()", "toUpperCase": "upperAscii()",
    "includes": "contains(…)", "any": "exists(x, …)", "some": "exists(x, …)",
    "every": "all(x, …)", "strip": "trim()", "isEmpty": "size() == 0", "toString": "string(…)",
    "str": "string(…)", "float": "double(…)", "min": "math.least(…)", "max": "math.greatest(…)",
    "abs": "math.abs(…)", "round": "math.round(…)",
  ]

  /// The arguments that functions accept, by their name.
  private static let celForms: [String: String] = {
    var forms = [
      "int": "a text must be a whole number, such as \"42\"",
      "uint": "a text must be a whole number, such as \"42\"",
      "double": "a text must be a number, such as \"1.5\"",
      "bool": "the texts for bools are \"true\" and \"false\", \"t\" and \"f\", \"1\" and \"0\"",
      "string": "octets must be UTF-8 to become a text",
      "timestamp": "a time is written as in \"2024-02-29T12:34:56Z\"",
      "duration": "a duration is written as in \"1h30m\", with the units h, m, s, ms, us and ns",
      "format":
        "the template has `%s` for anything, `%d` for numbers, `%f` and `%e` for digits after the "
        + "point, `%x`, `%o` and `%b` for integers, `%%` for a percent sign, and an argument for each",
      "ip": "an address is written as in \"10.0.0.1\" or \"2001:db8::1\"",
      "cidr": "a block is written as in \"10.0.0.0/8\" or \"2001:db8::/32\"",
      "ip.isCanonical": "an address is written as in \"10.0.0.1\" or \"2001:db8::1\"",
      "containsIP": "an address is written as in \"10.0.0.1\" or \"2001:db8::1\"",
      "containsCIDR": "a block is written as in \"10.0.0.0/8\" or \"2001:db8::/32\"",
      "base64.decode": "Base64 has letters, digits, `+` and `/`, and `=` only at the end",
      "regex.replace":
        "in the replacement `\\0` to `\\9` are groups of the pattern, and `\\\\` is `\\`",
      "regex.extract": "the pattern may have one group",
      "regex.extractAll": "the pattern may have one group",
      "math.greatest": "it takes numbers, or one list of them with at least one element",
      "math.least": "it takes numbers, or one list of them with at least one element",
      "math.bitShiftLeft": "a number of bits is not negative",
      "math.bitShiftRight": "a number of bits is not negative",
      "flatten": "a number of levels is not negative",
    ]
    for name in ["charAt", "indexOf", "lastIndexOf", "substring"] {
      forms[name] = "positions count characters from 0, up to the length of the text"
    }
    for definition in CELAccessors.definitions {
      forms[definition.name] =
        "a time zone is a name such as \"Europe/Stockholm\", or an offset such as \"+01:00\""
    }
    return forms
  }()
}
