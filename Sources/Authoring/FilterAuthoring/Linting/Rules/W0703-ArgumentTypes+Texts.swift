import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports functions of texts that are called with other values.

extension FilterLinter {
  /// Functions of a text and a text.
  static let textFunctions: Set<String> = ["startsWith", "endsWith", "matches"]

  /// Reports `user.age.startsWith("2")` and `user.tags.startsWith("d")`.
  mutating func checkText(
    _ receiver: NodeID, of node: SyntaxNode, _ name: String
  ) -> Bool {
    let type = staticType(receiver)
    let subject = text(receiver)
    let argument = tree.arguments(of: node).first.map { text($0) } ?? "…"
    let help: String
    switch type {
    case .int, .number:
      help = "make it a text: `string(\(subject)).\(name)(\(argument))`, or compare the number"
    case .list: help = "ask its elements: `\(subject).exists(x, x.\(name)(\(argument)))`"
    case .bool: help = "write `\(subject)`, or `!\(subject)`"
    case .map: help = "call it on one of its members"
    case .string, .any: return false
    }
    reportType("`\(name)` needs a text before the dot", at: receiver, type, help: help)
    return true
  }

  /// Reports `user.email.startsWith(5)`.
  mutating func checkTextArgument(
    _ argument: NodeID, _ name: String, _ receiver: NodeID
  ) -> Bool {
    let type = staticType(argument)
    guard type != .any, type != .string else { return false }
    // The word "true" has a finding of its own.
    if tree[argument].kind == .stringLiteral { return false }
    if type.isNumeric, tree.isLiteral(argument) {
      let format = knownAttribute(receiver)?.format
      let number = text(argument)
      let isHour = format == .time && number.utf8.count == 1
      let isVersion = format == .version && name == "startsWith" && !number.contains(".")
      let literal = "\"\(isHour ? "0" : "")\(number)\(isVersion ? "." : "")\""
      reportType(
        "`\(name)` needs a text", at: argument, type, of: name, help: nil,
        fixIts: [Diagnostic.FixIt(write: literal, at: tree[argument].span)])
      return true
    }
    let help: String? =
      switch type {
      case .list where tree[argument].kind == .list:
        "try one after the other: `\(text(argument)).exists(x, \(text(receiver)).\(name)(x))`, "
          + "with `all` if each of them is meant"
      case .int, .number: "make it a text: `string(\(text(argument)))`"
      case .list where name == "contains":
        "turn the sides around: `\(text(argument)).contains(\(text(receiver)))`"
      default: nil
      }
    reportType("`\(name)` needs a text", at: argument, type, of: name, help: help)
    return true
  }
}
