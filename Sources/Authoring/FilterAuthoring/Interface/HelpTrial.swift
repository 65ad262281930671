import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

/// Tries the conditions in helps: each is put in the place of what was found, and a help that leads
/// to another mistake is not given.
struct HelpTrial {
  /// Findings that may be true of a filter that is meant so.
  private static let harmless: Set<DiagnosticID> = FixTrial.aboutMissing.union([
    .deprecatedAttribute, .mixedLogic, .redundantCondition, .repeatedCondition, .slowPattern,
    .uselessGuard,
  ])

  /// Findings in code that is an example, or a part of a condition.
  private static let ofExamples: Set<DiagnosticID> = [
    .resultNotBool, .uncallableFunction, .unknownRoot, .wrongArgumentCount,
  ]

  let filter: ParsedFilter
  let schema: AttributeSchema
  let found: [Diagnostic]
  /// The number of findings of each id.
  private let counts: [DiagnosticID: Int]

  init(_ filter: ParsedFilter, schema: AttributeSchema, found: [Diagnostic]) {
    self.filter = filter
    self.schema = schema
    self.found = found
    var counts: [DiagnosticID: Int] = [:]
    for diagnostic in found { counts[diagnostic.id, default: 0] += 1 }
    self.counts = counts
  }

  /// Returns the findings without the helps that lead to another mistake.
  func keepingHelpsThatHelp() -> [Diagnostic] {
    let count = found.reduce(0) { $0 + $1.helps.count }
    guard count > 0, count <= FixTrial.maximumFixes,
      filter.source.bytes.count <= FixTrial.maximumLength
    else { return found }
    return found.map { diagnostic in
      var tried = diagnostic
      tried.helps = diagnostic.helps.filter { help in
        if let attempt = diagnostic.attempts.first(where: { $0.message == help }) {
          return succeeds(attempt, diagnostic)
        }
        return Self.code(in: help).allSatisfy { helps($0, diagnostic) }
      }.map { inParentheses($0, diagnostic) }
      return tried
    }
  }

  /// Returns a help with parentheses around `a || b`, if the finding is about an operand of `&&`.
  private func inParentheses(_ help: String, _ diagnostic: Diagnostic) -> String {
    guard let outline = filter.outline else { return help }
    var changed = help
    for code in Self.code(in: help) where code.contains(text: " || ") {
      let alone = ParsedFilter(SourceText(code), environment: filter.environment)
      guard let tree = alone.outline?.tree, tree[tree.root].isBinary(.or),
        !tree[tree.root].flags.contains(.parenthesized),
        let node = node(around: diagnostic.primary.span, in: outline),
        chainAround(node, in: outline) == .and
      else { continue }
      changed = changed.replacing("`\(code)`", by: "`(\(code))`")
    }
    return changed
  }

  /// Returns the connective of which a node, or the condition that it is a part of, is an operand.
  private func chainAround(_ index: Int, in outline: FilterOutline) -> Operator? {
    let nodes = outline.tree.nodes
    var index = index
    while true {
      let parent = Int(outline.parent(of: NodeID(UInt32(index))).index)
      if parent == index { return nil }
      let node = nodes[parent]
      if node.isBinary(.and) || node.isBinary(.or) { return node.op }
      index = parent
    }
  }

  /// Returns the smallest node around a place.
  private func node(around span: SourceSpan, in outline: FilterOutline) -> Int? {
    let nodes = outline.tree.nodes
    return nodes.indices
      .filter { nodes[$0].span.start <= span.start && span.end <= nodes[$0].span.end }
      .min { nodes[$0].span.length < nodes[$1].span.length }
  }

  /// Returns whether a change leads on: to a filter without new mistakes, or to the next condition
  /// of a text with more mistakes.
  private func succeeds(_ attempt: Diagnostic.FixIt, _ diagnostic: Diagnostic) -> Bool {
    guard let edit = attempt.edits.first else { return true }
    let candidate = ParsedFilter(filter.source.applying(attempt), environment: filter.environment)
    if case .failure(let error) = candidate.compiled, let next = error.diagnostics.first {
      let start = Int(edit.span.start) + edit.replacement.utf8.count
      let count = max(0, Int(next.primary.span.start) - start)
      let between = String(
        decoding: candidate.source.bytes.dropFirst(start).prefix(count), as: UTF8.self)
      return between.contains(text: "&&") || between.contains(text: "||")
    }
    let change = edit.replacement.utf8.count - Int(edit.span.length)
    return !hasMistake(candidate, besides: diagnostic, shift: (edit.span, change))
  }

  /// Returns the pieces of code in a help.
  private static func code(in help: String) -> [String] {
    help.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .compactMap { $0.offset.isMultiple(of: 2) ? nil : String($0.element) }
  }

  /// Returns whether a piece of code may replace one of the places of a finding. What is not a
  /// condition on attributes always may: names, operators, values, and examples such as `a || b`.
  private func helps(_ code: String, _ diagnostic: Diagnostic) -> Bool {
    let alone = ParsedFilter(SourceText(code), environment: filter.environment)
    guard case .success = alone.compiled, let outline = alone.outline, !code.contains(text: "…"),
      !filter.source.text.contains(text: code),
      outline.tree.nodes.contains(where: { $0.kind == .select }),
      [.binary, .unary, .call, .conditional].contains(outline.tree[outline.tree.root].kind),
      !FilterLinter.check(outline, schema: schema, triesFixes: false)
        .contains(where: { Self.ofExamples.contains($0.id) })
    else { return true }
    guard case .success = filter.compiled, let whole = filter.outline else {
      return !hasMistake(alone, besides: diagnostic, shift: nil)
    }
    return places(of: diagnostic, in: whole).contains { place in
      let fixed = filter.source.applying(Diagnostic.FixIt(write: code, at: place))
      return !hasMistake(
        ParsedFilter(fixed, environment: filter.environment), besides: diagnostic,
        shift: (place, code.utf8.count - Int(place.length)))
    }
  }

  /// Returns the places that a condition may replace: that of the finding, all that it speaks of,
  /// and the nodes around them up to an operand of `&&`, `||` or `?:`.
  private func places(of diagnostic: Diagnostic, in outline: FilterOutline) -> [SourceSpan] {
    let primary = diagnostic.primary.span
    let all = diagnostic.secondary.reduce(primary) { $0.union($1.span) }
    var places: [SourceSpan] = []
    for span in primary == all ? [primary] : [primary, all] {
      places.append(span)
      let nodes = outline.tree.nodes
      guard var index = node(around: span, in: outline) else { continue }
      while true {
        places.append(nodes[index].span)
        let parent = Int(outline.parent(of: NodeID(UInt32(index))).index)
        let node = nodes[parent]
        if parent == index || node.isBinary(.and) || node.isBinary(.or) || node.kind == .conditional
        {
          break
        }
        index = parent
      }
    }
    return places
  }

  /// Returns whether a filter has a new mistake after a help was followed. A mistake with a
  /// correction leads on, and one about the place of another finding is that other one's.
  private func hasMistake(
    _ fixed: ParsedFilter, besides diagnostic: Diagnostic, shift: (place: SourceSpan, by: Int)?
  ) -> Bool {
    guard case .success = fixed.compiled, let outline = fixed.outline else { return true }
    var known = counts
    known[diagnostic.id, default: 0] -= 1
    for next in FilterLinter.check(outline, schema: schema, triesFixes: false) {
      known[next.id, default: 0] -= 1
      guard known[next.id, default: 0] < 0, next.fixIts.isEmpty, !Self.harmless.contains(next.id)
      else { continue }
      let isOfAnother = found.contains { other in
        guard other != diagnostic, let shift else { return false }
        let span = other.primary.span
        let start = Int(span.start) + (span.start >= shift.place.end ? shift.by : 0)
        return ([next.primary] + next.secondary).contains {
          Int($0.span.start) < start + Int(span.length) && Int($0.span.end) > start
        }
      }
      if !isOfAnother { return true }
    }
    return false
  }
}
