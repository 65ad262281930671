package import ExpressionEngine
package import ExpressionSyntax

/// A call whose arguments are evaluated with variables of its own.
package struct ScopedCall {
  /// The arguments that name the variables.
  package private(set) var variables: [NodeID] = []
  /// The arguments that are evaluated with the variables.
  package private(set) var inside: [NodeID] = []
  /// The arguments that are evaluated before.
  package private(set) var outside: [NodeID] = []

  /// The loops with one variable.
  package static let loops: Set<String> = ["all", "exists", "exists_one", "map", "filter"]
  private static let twoVariables: Set<String> = [
    "all", "exists", "existsOne", "transformList", "transformMap", "transformMapEntry",
  ]

  /// Reads a call.
  ///
  /// - Returns: `nil` for a node that has no variables of its own.
  package init?(_ node: SyntaxNode, _ tree: SyntaxTree, _ environment: FilterEnvironment) {
    guard node.kind == .call else { return nil }
    let name = tree.name(of: node)
    guard environment.deviceFunctions[name] == nil, environment.computedFunctions[name] == nil
    else { return nil }
    var arguments = tree.arguments(of: node)
    let isSuperscript = tree.dialect.name == .superscript
    if let receiver = node.receiver {
      outside.append(receiver)
    } else {
      guard isSuperscript, Self.loops.contains(name), !arguments.isEmpty else { return nil }
      outside.append(arguments.removeFirst())
    }
    let count: Int
    if !isSuperscript, name == "bind", arguments.count == 3 {
      outside.append(arguments.remove(at: 1))
      count = 1
    } else if !isSuperscript, Self.twoVariables.contains(name), arguments.count >= 3 {
      count = 2
    } else if Self.loops.contains(name), arguments.count >= 2 {
      count = 1
    } else {
      return nil
    }
    variables = Array(arguments.prefix(count))
    inside = Array(arguments.dropFirst(count))
    guard variables.allSatisfy({ tree[$0].kind == .identifier }) else { return nil }
  }
}
