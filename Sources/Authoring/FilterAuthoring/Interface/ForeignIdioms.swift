import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

/// Filters in the words of another language, which are translated as a whole.
///
/// An idiom is offered only if its translation compiles and no lint finds anything in it.
struct ForeignIdiom: Sendable {
  /// The place where people write like this, after "as in"; `nil` where the first mistake says it.
  let origin: StaticString?
  /// Whether the translation is a part of the text, and not the whole in other words.
  let isPart: Bool
  /// Returns the text in the language of filters, or `nil` if it has no such idiom.
  let translate: @Sendable (String) -> String?

  init(
    origin: StaticString? = nil, isPart: Bool = false,
    _ translate: @escaping @Sendable (String) -> String?
  ) {
    self.origin = origin
    self.isPart = isPart
    self.translate = translate
  }

  static let all: [ForeignIdiom] = [
    ForeignIdiom(origin: "HTML") { replacing(entities, in: $0) },
    ForeignIdiom(origin: "a page or a mail") { PastedText.withoutMarkup($0) },
    ForeignIdiom(origin: "a page or a mail") { PastedText.withoutLinks($0) },
    ForeignIdiom(origin: "a chat") { PastedText.withoutSender($0) },
    ForeignIdiom(origin: "a list") { PastedText.listOfLines($0) },
    ForeignIdiom(origin: "JSON", isPart: true) { PastedText.memberOfJSON($0) },
    ForeignIdiom(origin: "a file with commas", isPart: true) { PastedText.fieldOfCSV($0) },
    ForeignIdiom(origin: "a file that escapes quotes") { PastedText.withPlainQuotes($0) },
    ForeignIdiom { PastedText.withoutComment($0) },
    ForeignIdiom(origin: "PHP") { IdiomText($0).rewritten(IdiomText.presenceCall) },
    ForeignIdiom { IdiomText($0).rewritten(IdiomText.linkWithoutQuotes) },
    // These read the whole text, or nothing.
    ForeignIdiom(origin: "a search box") { IdiomText($0).search() },
    ForeignIdiom(origin: "a spreadsheet") { IdiomText($0).spreadsheet() },
    ForeignIdiom(origin: "Perl or Ruby") { IdiomText($0).rewritten(IdiomText.regexLiteral) },
    ForeignIdiom(origin: "a language with statements", isPart: true) {
      PastedText.conditionOfStatement($0)
    },
    ForeignIdiom(origin: "a language with functions", isPart: true) {
      PastedText.bodyOfFunction($0)
    },
    ForeignIdiom(origin: "Kotlin") { IdiomText($0).rewritten(IdiomText.let) },
    ForeignIdiom(origin: "a table of columns") { IdiomText($0).rewritten(IdiomText.column) },
    // Before templates, whose marks are braces, too.
    ForeignIdiom(origin: "Kotlin or Swift") { IdiomText($0).rewritten(IdiomText.lambda) },
    ForeignIdiom(origin: "a template", isPart: true) { PastedText.choiceOfTemplate($0) },
    ForeignIdiom(origin: "a template") { text in
      // A brace that closes something else is not a mark.
      templateMarks.contains { !$0.0.hasPrefix("}") && text.firstOccurrence(of: $0.0) != nil }
        ? replacing(templateMarks, in: text) : nil
    },
    ForeignIdiom { Lookalikes.withoutInvisible($0) },
    ForeignIdiom(origin: "another alphabet") { Lookalikes.replaced(in: $0) },
    ForeignIdiom { PastedText.withPlainNumbers($0) },
    ForeignIdiom { PastedText.withMissingQuote($0) },
    ForeignIdiom(origin: "R") { IdiomText($0).rewritten(IdiomText.fromR) },
    ForeignIdiom(origin: "a shell") { IdiomText($0).shellTest() },
    ForeignIdiom(origin: "a shell") { IdiomText($0).rewritten(IdiomText.shellOperator) },
    ForeignIdiom { IdiomText($0).rewritten(IdiomText.spacedOrder) },
    ForeignIdiom(origin: "MongoDB") { IdiomText($0).rewritten(IdiomText.queryOperator) },
    ForeignIdiom(origin: "Python") { IdiomText($0).rewritten(IdiomText.slice) },
    ForeignIdiom { IdiomText($0).numbered() },
    ForeignIdiom { IdiomText($0).rewritten(IdiomText.dictated) },
    ForeignIdiom { IdiomText($0).rewritten(IdiomText.comparison) },
    ForeignIdiom(origin: "plain words") { IdiomText($0).rewritten(IdiomText.alternatives) },
    ForeignIdiom { IdiomText($0).rewritten(IdiomText.wordCall) },
    ForeignIdiom { IdiomText($0).rewritten(IdiomText.standIn) },
    ForeignIdiom { IdiomText($0).rewritten(IdiomText.markedName) },
    ForeignIdiom { IdiomText($0).rewritten(IdiomText.indexInBraces) },
    ForeignIdiom { IdiomText($0).rewritten(IdiomText.plainWords) },
    ForeignIdiom { IdiomText($0).rewritten(IdiomText.numberWord) },
    ForeignIdiom { IdiomText($0).rewritten(IdiomText.ellipsis) },
    ForeignIdiom(origin: "JavaScript") { IdiomText($0).rewritten(IdiomText.loopMethod) },
    ForeignIdiom { IdiomText($0).rewritten(IdiomText.prefixCall) },
    ForeignIdiom(origin: "Objective-C") { IdiomText($0).rewritten(IdiomText.message) },
    ForeignIdiom { IdiomText($0).rewritten(IdiomText.label) },
    ForeignIdiom(origin: "a language with casts") { IdiomText($0).rewritten(IdiomText.cast) },
    ForeignIdiom(origin: "a language with ranges") {
      IdiomText($0).rewritten(IdiomText.within)
    },
    ForeignIdiom { IdiomText($0).rewritten(IdiomText.membership) },
    ForeignIdiom(origin: "Python") { IdiomText($0).rewritten(IdiomText.comprehension) },
    ForeignIdiom { IdiomText($0).rewritten(IdiomText.anyElement) },
    ForeignIdiom { IdiomText($0).rewritten(IdiomText.symbol) },
    ForeignIdiom { IdiomText($0).rewritten(IdiomText.number) },
    ForeignIdiom(origin: "Lisp") { IdiomText($0).lisp() },
    ForeignIdiom(origin: "Python or Ruby") { IdiomText($0).choiceAfterValue() },
    ForeignIdiom(origin: "Ruby") { IdiomText($0).rewritten(IdiomText.question) },
    ForeignIdiom(origin: "SQL") { IdiomText($0).rewritten(IdiomText.between) },
    ForeignIdiom(origin: "plain words") { IdiomText($0).rewritten(IdiomText.presence) },
    ForeignIdiom(origin: "SQL or Perl") { IdiomText($0).rewritten(IdiomText.pattern) },
    ForeignIdiom(origin: "a language with arrows") { IdiomText($0).rewritten(IdiomText.arrow) },
    ForeignIdiom { IdiomText($0).joined() },
    ForeignIdiom { IdiomText($0).rewritten(IdiomText.nameWithBlanks) },
    ForeignIdiom(isPart: true) { PastedText.conditionAmongWords($0) },
  ]

  private static let entities = [
    ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"),
    ("&#39;", "'"), ("&#34;", "\""), ("&nbsp;", " "),
  ]
  private static let templateMarks = [
    ("{{", ""), ("}}", ""), ("<%=", ""), ("%>", ""), ("${", ""), ("#{", ""), ("}", ""),
  ]

  /// Returns a text with parts replaced, the first pair that fits at each place; `nil` without any.
  private static func replacing(_ pairs: [(String, String)], in text: String) -> String? {
    var rest = Array(text.utf8)[...]
    var result: [UInt8] = []
    var isChanged = false
    while let first = rest.first {
      if let (old, new) = pairs.first(where: { rest.starts(with: $0.0.utf8) }) {
        rest = rest.dropFirst(old.utf8.count)
        result += new.utf8
        isChanged = true
      } else {
        result.append(first)
        rest = rest.dropFirst()
      }
    }
    return isChanged ? String(decoding: result, as: UTF8.self) : nil
  }
}

extension ForeignIdiom {
  /// Returns the diagnostic of a filter that does not compile, if it is another language as a
  /// whole: with the translation as its fix.
  ///
  /// - Parameters:
  ///   - filter: The filter.
  ///   - first: The first mistake in it, whose id and place the diagnostic has.
  ///   - schema: The attributes that exist.
  ///   - isNamedOnly: Whether only idioms count that are known from somewhere, because the mistakes
  ///     have corrections of their own.
  static func diagnostic(
    of filter: ParsedFilter, _ first: Diagnostic, schema: AttributeSchema, isNamedOnly: Bool
  ) -> Diagnostic? {
    guard filter.source.bytes.count <= 2_048 else { return nil }
    var text = filter.source.text
    // One translation may make room for another: twice leads to the end.
    for idiom in all + all where !isNamedOnly || idiom.origin != nil {
      guard let draft = idiom.translate(text) else { continue }
      // Several idioms can be in one filter, but what was cut off may belong to another one.
      if !idiom.isPart { text = draft }
      guard let translation = finished(draft, filter.environment, schema) else { continue }
      let span = SourceSpan(start: 0, end: UInt32(clamping: filter.source.bytes.count))
      let fix = Diagnostic.FixIt(
        "write `\(translation.shortened(to: 120))`", [Diagnostic.Edit(span, translation)])
      guard let origin = idiom.origin else {
        var own = first
        (own.helps, own.fixIts) = ([], [fix])
        // What the label says to write is another correction.
        if own.primary.message.hasPrefix("write") { own.primary.message = "not read here" }
        return own
      }
      return Diagnostic(
        first.id, "this is written as in \(origin)", at: first.primary.span,
        label: "not read here", fixIts: [fix])
    }
    if PastedText.isMergeConflict(filter.source.text) {
      return Diagnostic(
        first.id, "these are the marks of a merge conflict", at: first.primary.span,
        label: "not a condition", helps: ["keep one of the versions, and remove the marks"])
    }
    // What the parser can translate is better advice.
    guard PastedText.isSentence(filter.source.text),
      first.id != .foreignOperator || first.helps.isEmpty && first.fixIts.isEmpty
    else { return nil }
    return Diagnostic(
      first.id, "this is a sentence, and not a condition", at: first.primary.span,
      label: "not read here",
      helps: [
        "compare attributes, such as `device.daysSinceInstall > 7 && user.plan == \"free\"`"
      ])
  }

  /// Findings about names and values, which a translation takes over as they are.
  private static let ofValues: Set<DiagnosticID> = [
    .missingCountsAsZero, .deprecatedAttribute, .unpaddedVersion, .missingAgainstAttribute,
    .wrongCase, .impossibleValue, .otherUnit, .otherPlatform,
  ]

  /// Returns a translation with its other mistakes corrected; `nil` if some are left.
  private static func finished(
    _ draft: String, _ environment: FilterEnvironment, _ schema: AttributeSchema
  ) -> String? {
    var text = draft
    for _ in 0..<4 {
      let candidate = ParsedFilter(SourceText(text), environment: environment)
      switch candidate.compiled {
      case .success:
        guard let outline = candidate.outline else { return nil }
        let found = FilterLinter.check(outline, schema: schema, triesFixes: false)
        return found.allSatisfy { ofValues.contains($0.id) } ? text.trimmed : nil
      case .failure(let error):
        let next = candidate.source.applyingFixes(of: error.diagnostics).text
        guard next != text else { return nil }
        text = next
      }
    }
    return nil
  }
}
