import ExpressionEngine
import ExpressionSyntax

// What the engine itself says before a filter runs: the type checker, and constants that have no value.

extension FilterChecker {
  /// Adds what the type checker finds and no lint has said at the same place in better words.
  mutating func checkTypes() {
    // The superscript dialect converts and lets pass so much that its lints say more.
    guard !isSuperscript else { return }
    guard var declarations = try? environment.checkingDeclarations() else { return }
    for root in ["user", "device", "params", "computed"] where declarations.variables[root] == nil {
      declarations.declare(variable: root, as: .dyn)
    }
    for path in schema.attributes.keys {
      let root = String(path.prefix { $0 != "." && $0 != "[" })
      if declarations.variables[root] == nil { declarations.declare(variable: root, as: .dyn) }
    }
    let found = Checker.check(tree, declarations: declarations).diagnostics
    guard !found.isEmpty else { return }
    if found.contains(where: { $0.severity == .error }) {
      diagnostics.removeAll { $0.id == .resultNotBool || $0.id == .operandNotCondition }
    }
    let said = diagnostics.flatMap { [$0.primary.span] + $0.secondary.map(\.span) }
    let mismatches = diagnostics.filter { $0.id == .typeMismatch }.map(\.primary.span)
    for diagnostic in found {
      if isNumericComparison(diagnostic) { continue }
      if diagnostic.id == .undeclaredName {
        reportUnknownRoot(diagnostic)
        continue
      }
      guard !said.contains(where: { $0.overlaps(diagnostic.primary.span) }),
        !mismatches.contains(where: { span in
          diagnostic.secondary.contains { $0.span.overlaps(span) }
        })
      else { continue }
      report(refined(diagnostic))
    }
  }

  /// Whether the checker forbids a comparison of numbers of different types, which has an answer: what
  /// it takes for an int may come from attributes that hold other numbers.
  private func isNumericComparison(_ diagnostic: Diagnostic) -> Bool {
    diagnostic.id == .operandTypes && diagnostic.message.contains("cannot compare")
      && diagnostic.secondary.allSatisfy { ["int", "uint", "double"].contains($0.message) }
  }

  /// A diagnostic of the checker with what is known here besides.
  private func refined(_ diagnostic: Diagnostic) -> Diagnostic {
    var result = diagnostic
    if result.id == .unknownFunction {
      let written = tree.source.text(of: result.primary.span)
      let name = written.split(separator: ".").last.map(String.init) ?? written
      if let help = ForeignFunctions.help(for: name, in: tree.dialect.name) {
        result.helps = [help]
      }
    }
    return result
  }

  /// A variable that the checker does not know: a warning, because a context may have it.
  private mutating func reportUnknownRoot(_ diagnostic: Diagnostic) {
    guard
      let index = tree.nodes.indices.first(where: {
        tree.nodes[$0].kind == .identifier && tree.nodes[$0].span == diagnostic.primary.span
      })
    else { return }
    checkRoot(NodeID(UInt32(index)), tree.nodes[index])
  }

  // MARK: Constants

  /// Evaluates parts without attributes that certainly fail: `timestamp("2024")`, `1 / 0`.
  mutating func checkConstantParts() {
    var isConstant = [Bool](repeating: false, count: tree.nodes.count)
    var failed = 0
    for (index, node) in tree.nodes.enumerated() {
      var isWhole = true
      tree.forEachChild(of: node) { isWhole = isWhole && isConstant[Int($0)] }
      switch node.kind {
      case .identifier, .message, .optionalEntry: continue
      case .call where node.third == 0 || isHostCall(node): continue
      default: break
      }
      guard isWhole else { continue }
      isConstant[index] = true
      guard [.call, .binary, .index].contains(node.kind), failed < 4, node.span.length <= 400,
        node.kind != .binary || !node.op.info.isComparison
      else { continue }
      let outcome = Explainer.outcome(
        of: NodeID(UInt32(index)), in: tree, environment: environment, context: Context())
      guard case .failure(var diagnostic) = outcome, diagnostic.id.rawValue.hasPrefix("E05") else {
        continue
      }
      // The parts around it fail with it.
      isConstant[index] = false
      failed += 1
      diagnostic.severity = .warning
      diagnostic.notes.append("so this part never has a value, whatever the attributes are")
      let said = diagnostics.flatMap { [$0.primary.span] + $0.secondary.map(\.span) }
      guard !said.contains(where: { $0.overlaps(diagnostic.primary.span) }) else { continue }
      diagnostics.removeAll { $0.id == .resultNotBool }
      report(diagnostic)
    }
  }

  /// Whether an app answers a call, so that its value is not constant.
  private func isHostCall(_ node: SyntaxNode) -> Bool {
    let name = tree.name(of: node)
    return environment.deviceFunctions[name] != nil || environment.computedFunctions[name] != nil
      || !FunctionNames.all(in: tree.dialect.name).contains(name)
        && tree.dialect.name == .superscript
  }
}

extension SourceSpan {
  /// Whether two places share a byte, or are the same empty place.
  func overlaps(_ other: SourceSpan) -> Bool {
    start < other.end && other.start < end || start == other.start
  }
}
