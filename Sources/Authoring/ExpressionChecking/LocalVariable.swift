package import ExpressionSyntax

/// A variable that a macro introduces, such as `t` in `user.tags.exists(t, t == "dawn")`.
package struct LocalVariable: Sendable, Hashable {
  /// The name.
  package let name: String
  /// The name of the macro.
  package let macro: String
  /// The place of the macro's call, outside of which the variable is unknown.
  package let scope: SourceSpan
  /// The value that the macro runs over, if it has one.
  package let source: NodeID?
  /// The place that introduces the variable.
  package let declaration: SourceSpan
  /// The places that read the variable, in source order.
  package internal(set) var uses: [SourceSpan]

  /// All places that spell the name, the declaration first.
  package var spans: [SourceSpan] { [declaration] + uses }
}

extension SyntaxTree {
  /// Returns the variables that macros introduce, in the order in which their scopes begin.
  ///
  /// - Parameter declarations: The macros that exist.
  /// - Complexity: O(n · d) for n nodes in scopes nested d deep.
  package func localVariables(_ declarations: Declarations) -> [LocalVariable] {
    let outline = TreeOutline(self, declarations)
    guard !outline.opening.isEmpty else { return [] }
    var variables: [LocalVariable] = []
    var scopes: [Range<Int>] = []
    for (index, node) in nodes.enumerated() {
      let id = NodeID(UInt32(truncatingIfNeeded: index))
      if let macro = outline.opening[id].flatMap({ call in outline.macros[call].map { (call, $0) } }
      ) {
        let start = variables.count
        variables += declared(by: macro.1, span: self[macro.0].span, outline)
        scopes.append(start..<variables.count)
      }
      if node.kind == .identifier, !outline.isSkipped[index], !node.flags.contains(.leadingDot) {
        let name = self.name(of: node)
        let found = scopes.reversed().lazy.compactMap { scope in
          scope.first { variables[$0].name == name }
        }
        if let variable = found.first { variables[variable].uses.append(nameSpan(of: node)) }
      }
      if outline.closing[id] != nil, !scopes.isEmpty { scopes.removeLast() }
    }
    return variables
  }

  private func declared(
    by macro: MacroCall, span: SourceSpan, _ outline: TreeOutline
  ) -> [LocalVariable] {
    macro.arguments.prefix(macro.form.variables).compactMap { argument in
      let node = self[argument]
      guard node.kind == .identifier, let name = outline.variableName(argument) else { return nil }
      return LocalVariable(
        name: name, macro: macro.form.name, scope: span, source: macro.target,
        declaration: nameSpan(of: node), uses: [])
    }
  }
}

extension Declarations {
  /// Returns the largest number of variables that the macros of a name introduce when they are
  /// called on a value; 0 if there are none.
  package func variableCount(ofMacro name: String) -> Int {
    macros[name]?.filter { $0.isReceiverStyle }.map { $0.variables }.max() ?? 0
  }
}
