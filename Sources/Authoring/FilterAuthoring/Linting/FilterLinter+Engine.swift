import ExpressionChecking
import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Findings of the engine before a filter runs: the type checker, and constants that have no value.

extension FilterLinter {
  /// Adds the type checker's findings, except where a lint has already reported the same place in
  /// better words.
  mutating func checkTypes() {
    // The superscript dialect converts and accepts so much that its lints are more informative.
    guard !isSuperscript else { return }
    guard var declarations = try? environment.checkingDeclarations() else { return }
    for root in AttributeRoots.names + ["computed"] where declarations.variables[root] == nil {
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
    let said = SpanSet(diagnostics.lazy.flatMap { $0.spans })
    let mismatches = SpanSet(
      diagnostics.lazy.filter { $0.id == .typeMismatch }.map { $0.primary.span })
    let calls = SpanSet(unknownCalls(found))
    for diagnostic in found {
      let place = diagnostic.primary.span
      if diagnostic.id == .undeclaredName, calls.overlaps(place) { continue }
      if isNumericComparison(diagnostic) { continue }
      if diagnostic.id == .undeclaredName {
        reportUnknownRoot(diagnostic)
        continue
      }
      guard !said.overlaps(place),
        !diagnostic.secondary.contains(where: { mismatches.overlaps($0.span) })
      else { continue }
      report(refined(diagnostic))
    }
  }

  /// Reports a call, in the superscript dialect, of a function of the app that no overload accepts.
  mutating func checkAddedCall(_ node: SyntaxNode, _ name: String) {
    let hasReceiver = node.receiver != nil
    let arguments = tree.operands(of: node)
    let overloads = environment.functions.filter { $0.name == name }
    let fits = overloads.contains { function in
      function.type.isMember == hasReceiver
        && function.type.parameters.count == arguments.count
        && zip(function.type.parameters, arguments).allSatisfy { text, argument in
          guard let value = tree.constant(of: argument) else { return true }
          // A literal that spells a bool is one.
          let isBool = value == .string("true") || value == .string("false")
          return function.accepts(isBool ? .bool(true) : value, as: text)
        }
    }
    guard !fits else { return }
    report(
      Diagnostic(
        .noMatchingOverload, "no form of `\(name)` takes these arguments",
        at: tree.nameSpan(of: node), label: "called here",
        notes: overloads.prefix(8).map { "there is `\($0.signature)`" }))
  }

  /// Returns the places of calls of unknown functions, with their arguments.
  private func unknownCalls(_ found: [Diagnostic]) -> [SourceSpan] {
    let names = Set(found.lazy.filter { $0.id == .unknownFunction }.map { $0.primary.span })
    guard !names.isEmpty else { return [] }
    return tree.nodes.filter { $0.kind == .call && names.contains(tree.nameSpan(of: $0)) }
      .map { SourceSpan(start: tree.nameSpan(of: $0).start, end: $0.span.end) }
  }

  /// Returns whether the checker rejects a comparison of numbers of different types that has a
  /// result at run time: an expression that the checker considers an int may hold other numbers
  /// from attributes.
  private func isNumericComparison(_ diagnostic: Diagnostic) -> Bool {
    diagnostic.id == .operandTypes && diagnostic.message.hasBytes(of: "cannot compare")
      && diagnostic.secondary.allSatisfy { ["int", "uint", "double"].contains($0.message) }
  }

  /// Returns a diagnostic of the checker with the more specific advice of the lints.
  private func refined(_ diagnostic: Diagnostic) -> Diagnostic {
    var result = diagnostic
    if result.id == .unknownFunction {
      let written = tree.source.text(of: result.primary.span)
      let name = written.split(separator: ".").last.map(String.init) ?? written
      if let help = ForeignFunctions.help(for: name, in: tree.dialect.name) {
        result.helps = [help]
      }
      if result.notes.contains(where: { $0.hasPrefix("the macro `") }) {
        result.id = .argumentCount
        result.message = "`\(name)` is called with the wrong arguments"
        result.primary.message = "not called like this"
        let loops: Set<String> = ["all", "exists", "exists_one", "existsOne", "map", "filter"]
        result.helps =
          name == "has"
          ? ["write `has(user.age)`"] : loops.contains(name) ? ["write `list.\(name)(x, …)`"] : []
      }
    }
    return result
  }

  /// Reports a variable that the checker does not know: only a warning, because a context may have
  /// it.
  private mutating func reportUnknownRoot(_ diagnostic: Diagnostic) {
    guard
      let index = tree.nodes.indices.first(where: {
        tree.nodes[$0].kind == .identifier && tree.nodes[$0].span == diagnostic.primary.span
      })
    else { return }
    checkRoot(NodeID(UInt32(index)), tree.nodes[index])
  }

  // MARK: Constants

  /// The largest number of parts that are evaluated.
  private static let constantLimit = 64

  /// Reports parts without attributes that are certain to fail: `timestamp("2024")`, `1 / 0`.
  mutating func checkConstantParts() {
    for id in constantParts() {
      let outcome = Explainer.outcome(
        of: id, in: tree, environment: environment, context: Context())
      guard case .failure(var diagnostic) = outcome, diagnostic.id.rawValue.hasPrefix("E05") else {
        continue
      }
      diagnostic.severity = .warning
      diagnostic.notes.append("so this part never has a value, whatever the attributes are")
      if let help = helpForConversion(of: id) { diagnostic.helps = [help] }
      let place = diagnostic.primary.span
      // A part that fails says more than that the filter is not a bool.
      guard !diagnostics.contains(where: { $0.id != .resultNotBool && $0.overlaps(place) })
      else { continue }
      diagnostics.removeAll { $0.id == .resultNotBool }
      report(diagnostic)
    }
  }

  /// Reports conditions without attributes: `["DE", "AT"].exists(c, c == "DE")`.
  mutating func checkConstantConditions() {
    var left = Self.constantLimit
    let isConstant = constantNodes()
    let places = FindingPlaces(of: diagnostics)
    for index in tree.nodes.indices where isCondition[index] && isConstant[index] && left > 0 {
      let id = NodeID(UInt32(index))
      let node = tree[id]
      let isTest =
        node.kind == .call || node.kind == .binary && node.op.info.isComparison
      guard isTest, node.span.length <= 400, !tree.isLiteral(id),
        !asksForFunction(node), !comparesMoments(node),
        !places.overlap(node.span, in: diagnostics)
      else { continue }
      left -= 1
      let outcome = Explainer.outcome(
        of: id, in: tree, environment: environment, context: Context(), isWorded: false)
      guard case .value(.bool(let truth)) = outcome else { continue }
      report(
        .always(
          truth, "this condition is always \(truth)", at: node.span,
          label: "reads no attribute", helps: ["compare an attribute, such as `user.age`"]))
    }
  }

  /// Returns whether a condition depends on whether the app has a function.
  private func asksForFunction(_ node: SyntaxNode) -> Bool {
    if node.kind == .call { return tree.name(of: node) == "hasFn" }
    return node.kind == .binary && [node.left, node.right].contains { asksForFunction(tree[$0]) }
  }

  /// Returns whether a condition compares two moments, as people do who try a filter out.
  private func comparesMoments(_ node: SyntaxNode) -> Bool {
    node.kind == .binary && (isMoment(tree[node.left]) || isMoment(tree[node.right]))
  }

  /// Returns advice for a constant that is not written as a conversion reads it.
  private func helpForConversion(of id: NodeID) -> String? {
    let node = tree[id]
    guard node.kind == .call, let argument = tree.arguments(of: node).first else { return nil }
    let value = tree.constant(of: argument)
    switch (tree.name(of: node), value) {
    case ("duration", .string(let text)?):
      let number = text.prefix { $0.isNumber }
      guard let count = Int(number), count < 100_000 else { return nil }
      let unit = text.dropFirst(number.count).filter { $0 != " " }.lowercased()
      let hours =
        unit.hasPrefix("d") ? count * 24 : unit.hasPrefix("w") ? count * 168 : nil
      if let hours { return "the longest unit is an hour: write `duration(\"\(hours)h\")`" }
      return unit.isEmpty
        ? "a length of time has a unit: `duration(\"\(count)m\")` for minutes" : nil
    case ("timestamp", .string(let text)?):
      guard let day = CalendarDate.date(from: text) ?? (CalendarDate.isDay(text) ? text : nil)
      else {
        return nil
      }
      return "write `timestamp(\"\(day)T00:00:00Z\")`"
    case ("timestamp", .int(let seconds)?):
      return CalendarDate.text(ofSecondsSince1970: seconds).map { "write `timestamp(\"\($0)\")`" }
    case ("int", .string(let text)?), ("double", .string(let text)?):
      let plain = text.filter { !" \u{A0}_',".contains($0) }
      if plain != text, Double(plain)?.isFinite == true { return "write the number: `\(plain)`" }
      return Double(text).flatMap { $0.isFinite ? "write the number: `\(text)`" : nil }
    default: return nil
    }
  }

  /// Returns the outermost calls, operations and indexes without attributes.
  private func constantParts() -> [NodeID] {
    let isConstant = constantNodes()
    var isComputed = [Bool](repeating: false, count: tree.nodes.count)
    for (index, node) in tree.nodes.enumerated() {
      let computes =
        node.kind == .call || node.kind == .index
        || (node.kind == .binary && !node.op.info.isComparison && node.op != .and && node.op != .or)
      isComputed[index] = isConstant[index] && computes && node.span.length <= 400
    }
    let outermost = tree.nodes.indices.lazy.map { NodeID(UInt32($0)) }.filter { id in
      isComputed[Int(id.index)] && (id == tree.root || !isComputed[Int(parent(of: id).index)])
    }
    return Array(outermost.prefix(Self.constantLimit))
  }

  /// Returns whether each node reads nothing but constants; the variable of a loop does not count.
  private func constantNodes() -> [Bool] {
    var isConstant = [Bool](repeating: false, count: tree.nodes.count)
    for (index, node) in tree.nodes.enumerated() {
      switch node.kind {
      case .identifier:
        isConstant[index] = isBound[index]
        continue
      case .message, .optionalEntry: continue
      case .call where node.childCount == 0 || isHostCall(node): continue
      default: break
      }
      var isWhole = true
      tree.forEachChild(of: node) { isWhole = isWhole && isConstant[Int($0)] }
      isConstant[index] = isWhole
    }
    return isConstant
  }

  /// Returns whether the app implements the called function, so that its value is not constant.
  func isHostCall(_ node: SyntaxNode) -> Bool {
    let name = tree.name(of: node)
    return outline.isHostFunction(name) || isSuperscript && !outline.isLibraryFunction(name)
  }
}
