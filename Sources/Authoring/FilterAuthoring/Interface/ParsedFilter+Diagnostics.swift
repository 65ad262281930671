import ExpressionEngine
package import ExpressionSyntax
package import FilterAnalysis

extension ParsedFilter {
  /// Returns everything that is wrong with the filter, or probably wrong: mistakes that keep it
  /// from compiling, or else findings of the lints and of the prover.
  ///
  /// Every front end shows the result of this function, so that all of them report the same.
  ///
  /// - Parameters:
  ///   - schema: The attributes that exist.
  ///   - proves: Whether to look for conditions that decide nothing. An analysis of a whole config
  ///     reports these itself.
  /// - Returns: The findings in source order, without those that comments silence.
  /// - Complexity: About O(n log n) in the length of the filter; proofs end at limits on their
  ///   size.
  package func diagnostics(schema: AttributeSchema, proves: Bool = true) -> [Diagnostic] {
    findings(schema: schema, proves: proves).diagnostics
  }

  /// What checks say about a filter.
  package struct Findings: Sendable {
    /// The result of ``ParsedFilter/diagnostics(schema:proves:)``.
    package var diagnostics: [Diagnostic] = []
    /// The attributes that the schema does not know and because of which users match who have none
    /// of the attributes that are not always set, sorted: `user.sessions < 3`.
    ///
    /// Many right filters have such attributes, so they are not among the diagnostics.
    package var openAttributes: [AttributePath] = []
    /// The attributes without which a condition fails, so that users who lack them may not match,
    /// sorted: `!user.email.endsWith("@acme.com")`.
    package var failingAttributes: [AttributePath] = []
    /// A condition that is enough by itself, where `&&` and `||` are mixed without parentheses and
    /// no finding is about them.
    package var looseAlternative: LooseAlternative?
  }

  /// Returns findings with those of their helps and fixes that lead on.
  private func tried(_ found: [Diagnostic], schema: AttributeSchema) -> [Diagnostic] {
    FixTrial(filter: self, schema: schema).keepingFixesThatHelp(
      HelpTrial(self, schema: schema, found: found).keepingHelpsThatHelp())
  }

  /// Returns everything that is wrong with the filter, and its open attributes; see
  /// ``diagnostics(schema:proves:)``.
  package func findings(schema: AttributeSchema, proves: Bool = true) -> Findings {
    if case .failure(let error) = compiled {
      if let first = error.diagnostics.first,
        let whole = ForeignIdiom.diagnostic(
          of: self, first, schema: schema,
          isNamedOnly: FixTrial(filter: self, schema: schema)
            .leadsToCleanFilter(error.diagnostics))
      {
        return Findings(diagnostics: [whole])
      }
      let errors = tried(error.diagnostics, schema: schema)
      return Findings(diagnostics: errors + findingsOnceCorrected(errors, schema: schema))
    }
    guard let tree, let outline else { return Findings() }
    var linter = FilterLinter(outline, schema: schema)
    linter.check()
    var found = linter.diagnostics
    if proves {
      found += linter.worthSaying(
        FilterProver(schema: schema).diagnostics(self, besides: found))
    }
    let silence = LintSuppression(tree)
    let said = found.filter { !silence.silences($0) }
      .sorted {
        ($0.primary.span.start, $0.id.rawValue) < ($1.primary.span.start, $1.id.rawValue)
      }
    // A name or a function that does not exist makes the filter null: no user matches, as if a
    // condition is always false.
    let isNull = found.contains {
      [.unknownRoot, .uncallableFunction, .alwaysFalse].contains($0.id)
        || $0.notes.contains(FilterLinter.isAlwaysFalse)
        || $0.notes.contains(FilterLinter.failsAtRunTime)
        || $0.id.rawValue.hasPrefix("E")
    }
    func spoken(_ attributes: [AttributePath: SourceSpan], _ id: DiagnosticID) -> [AttributePath] {
      attributes.filter { !isNull && !silence.silences(Diagnostic(id, "", at: $0.value)) }
        .keys.sorted { $0.description < $1.description }
    }
    return Findings(
      diagnostics: tried(said, schema: schema),
      openAttributes: spoken(linter.openAttributes, .missingCountsAsZero),
      failingAttributes: spoken(
        linter.failingAttributes.filter { attribute in
          !said.contains { $0.id == .failsWhenMissing && $0.overlaps(attribute.value) }
        }, .failsWhenMissing),
      looseAlternative: linter.looseAlternative.flatMap { alternative, place in
        let isSaid =
          found.contains { [.mixedLogic, .alwaysTrue].contains($0.id) }
          || silence.silences(Diagnostic(.mixedLogic, "", at: place))
        return isSaid || isNull ? nil : alternative
      })
  }
}

/// Looks for attributes that a schema does not know in the filters of a config, each name once.
package struct UnknownAttributes {
  private let schema: AttributeSchema
  /// The names about which nothing was said.
  private var fine: Set<AttributePath> = []

  package init(schema: AttributeSchema) { self.schema = schema }

  /// Returns the findings about a filter, in source order, without those that comments silence.
  ///
  /// - Complexity: O(n) in the length of the filter: nothing else is looked at.
  package mutating func findings(in filter: ParsedFilter) -> [Diagnostic] {
    guard let tree = filter.tree else { return [] }
    var paths: Set<AttributePath> = []
    // What belongs to elements of a loop has no name of its own.
    var isPlain = true
    for (index, node) in tree.nodes.enumerated() where node.kind == .select || node.kind == .index {
      guard let path = tree.attributePath(of: NodeID(UInt32(index))),
        AttributeRoots.names.contains(path.root)
      else {
        isPlain = false
        continue
      }
      paths.insert(path)
    }
    if isPlain, paths.isSubset(of: fine) { return [] }
    guard let outline = filter.outline else { return [] }
    var linter = FilterLinter(outline, schema: schema)
    linter.checkAttributes()
    if linter.diagnostics.isEmpty { fine.formUnion(paths) }
    let silence = LintSuppression(tree)
    return linter.diagnostics
      .filter { $0.id == .unknownAttribute && !silence.silences($0) }
      .sorted { $0.primary.span.start < $1.primary.span.start }
  }
}
