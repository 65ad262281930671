import ExpressionChecking
import ExpressionEngine
package import ExpressionSyntax
import FilterAnalysis
import FilterAuthoring

/// The description of the word under the pointer.
package struct Hover: Sendable, Hashable {
  /// The text, in Markdown.
  package var text: String
  /// The place that the text is about.
  package var span: SourceSpan
}

extension AnalyzedFilter {
  /// Returns a description of the word at an offset: the type and the meaning of an attribute, the
  /// signatures of a function, an operator; and with a sample user the value and the reason why the
  /// filter does not match. `nil` where there is no such text.
  ///
  /// - Parameters:
  ///   - offset: The position in bytes.
  ///   - user: The sample user.
  package func hover(at offset: UInt32, user: SampleUser? = nil) -> Hover? {
    guard let index = tokenIndex(at: offset) else { return nil }
    let subject = HoverSubject(self, token: index)
    var parts: [String] = []
    if let text = subject.text { parts.append(text) }
    if let user, let note = self.note(about: subject, user) { parts.append(note) }
    guard !parts.isEmpty else { return nil }
    return Hover(text: parts.joined(separator: "\n\n---\n\n"), span: subject.span)
  }

  // MARK: The sample user

  private func note(about subject: HoverSubject, _ user: SampleUser) -> String? {
    guard filter != nil, let explanation = evaluated.explain(user.context) else { return nil }
    var lines: [String] = []
    if let path = subject.path {
      let value = user.context.value(at: path).map { "is \(Self.code($0.literal))" }
      lines.append("`\(path)` \(value ?? "is missing").")
    }
    let condition = explanation.root.smallest(containing: subject.span)
    if condition.id != explanation.root.id {
      lines.append("\(Self.code(condition.text)) \(Self.verdict(condition.outcome)).")
    }
    lines.append(
      explanation.matches ? "The filter matches." : "\(Self.sentence(explanation.headline))")
    if let changes = explanation.changes, !changes.isEmpty {
      lines.append("To match, change:")
      lines.append(changes.map { "* \($0.text)" }.joined(separator: "\n"))
    }
    return "**\(user.name)**\n\n" + lines.joined(separator: "\n\n")
  }

  private static func verdict(_ outcome: Explanation.Outcome) -> String {
    switch outcome {
    case .value(let value): "is \(code(value.literal))"
    case .failure(let diagnostic): "fails: \(diagnostic.message)"
    case .notEvaluated: "is not evaluated"
    }
  }

  /// Returns a headline as a sentence.
  private static func sentence(_ headline: String) -> String {
    headline.prefix(1).uppercased() + headline.dropFirst() + "."
  }

  /// Returns a text as inline code, shortened to a readable length.
  static func code(_ text: String) -> String {
    let short = text.count > 200 ? text.prefix(199) + "…" : text[...]
    let line = short.split(whereSeparator: \.isNewline).joined(separator: " ")
    return line.contains("`") ? "`` \(line) ``" : "`\(line)`"
  }
}

extension Explanation.Condition {
  /// Returns the smallest condition that contains a place: this one or one of its descendants. Of
  /// the elements of a loop, the first.
  fileprivate func smallest(containing span: SourceSpan) -> Explanation.Condition {
    var condition = self
    while let child = condition.children.first(where: {
      $0.span.start <= span.start && span.end <= $0.span.end
    }) {
      condition = child
    }
    return condition
  }
}

/// The thing that a token belongs to, and the text about it.
private struct HoverSubject {
  /// The place.
  var span: SourceSpan
  /// The text about it.
  var text: String?
  /// The attribute, if it is one.
  var path: AttributePath?

  init(_ filter: AnalyzedFilter, token index: Int) {
    let token = filter.tokens[index]
    span = token.span
    let word = filter.text(token)
    switch token.kind {
    case .identifier:
      if let variable = filter.localVariables.first(where: { $0.spans.contains(token.span) }) {
        text = Self.text(about: variable, in: filter)
      } else if filter.tokens.indices.contains(index + 1),
        filter.tokens[index + 1].kind == .leftParen
      {
        text = Self.callee(word, at: index, in: filter)
      } else if let reference = filter.reference(endingAt: index),
        !filter.isLocal(filter.tokens[reference.first])
      {
        span = SourceSpan(start: filter.tokens[reference.first].start, end: token.end)
        path = reference.path
        text = Self.text(about: reference.path, in: filter.language)
      }
    case .true, .false, .null:
      text = FilterDocumentation.keywords[word].map { "`\(word)`: \($0)" }
    default:
      let isPrefix = index == 0 || !filter.tokens[index - 1].kind.endsOperand
      let row = OperatorTable.rows.first { row in
        row.spelling == word && row.dialects.contains(filter.language.dialect)
          && (row.fixity == .prefix) == isPrefix
      }
      text = row.map { FilterDocumentation.page($0) }
    }
  }

  private static func text(about variable: LocalVariable, in filter: AnalyzedFilter) -> String {
    let source = filter.tree.flatMap { tree in
      variable.source.map { " over `\(tree.text(ofNode: $0))`" }
    }
    return FilterDocumentation.code(variable.name)
      + "\n\nThe variable of the loop `\(variable.macro)`\(source ?? "")."
  }

  private static func callee(
    _ name: String, at index: Int, in filter: AnalyzedFilter
  ) -> String? {
    if let path = filter.reference(endingAt: index)?.path.description,
      let type = filter.language.schema.hostFunctions[path]
    {
      return FilterDocumentation.hostFunction(path, type)
    }
    return filter.language.function(named: name).map { FilterDocumentation.page($0) }
  }

  private static func text(about path: AttributePath, in language: FilterLanguage) -> String {
    let schema = language.schema
    if let attribute = schema.attribute(at: path) {
      let facts = FilterDocumentation.facts(about: attribute)
      return FilterDocumentation.code("\(path) : \(attribute.type.name)")
        + (facts.isEmpty ? "" : "\n\n" + facts)
    }
    let members = schema.attributes(under: path.description)
    guard members.isEmpty else {
      return FilterDocumentation.code("\(path) : object")
        + "\n\nThe schema lists \(members.count) attributes under it."
    }
    return FilterDocumentation.code("\(path)") + "\n\nAn attribute that the schema does not list."
  }
}

extension AnalyzedFilter {
  /// Returns whether a token is a variable of a loop.
  fileprivate func isLocal(_ token: Token) -> Bool {
    localVariables.contains { $0.spans.contains(token.span) }
  }
}
