import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports codes that are not spelled like the values of the attribute.

extension FilterLinter {
  /// Reports a misspelled code of a region, a language or a locale.
  mutating func checkForm(_ attribute: AttributeSchema.Attribute, _ text: String, at id: NodeID) {
    guard let format = attribute.format else { return }
    if format == .locale, format.code(named: text) != nil { return }
    guard let right = format.spelling(of: text), format.code(named: text) ?? right == right,
      format.isCode(right) != false
    else {
      return checkCode(attribute, format, text, id)
    }
    guard right != text else { return }
    let span = tree[id].span
    report(
      Diagnostic(
        .wrongCase, "`\(attribute.path)` is never `\"\(text)\"`", at: span,
        label: right.lowercased() == text.lowercased() ? "wrong case" : "wrong form",
        notes: ["its values look like \"\(attribute.format?.sample ?? right)\""],
        fixIts: [Diagnostic.FixIt("write `\"\(right)\"`", [Diagnostic.Edit(span, "\"\(right)\"")])])
    )
  }

  /// Reports a word that is not a code of a region, a language or a locale: `"usa"`, `"english"`.
  private mutating func checkCode(
    _ attribute: AttributeSchema.Attribute, _ format: AttributeSchema.Attribute.Format,
    _ text: String, _ id: NodeID
  ) {
    let meant = format.code(named: text)
    guard let sample = format.sample, let isCode = format.isCode(text), !isCode || meant != nil,
      meant != text
    else { return }
    let trimmed = text.filter { !$0.isWhitespace }
    let code =
      (meant ?? (trimmed != text && format.isCode(trimmed) == true ? trimmed : nil))
      .map { "\"\($0)\"" }
    var helps = code.map { ["did you mean `\($0)`?"] } ?? []
    if format == .language, AttributeSchema.Attribute.Format.locale.spelling(of: text) != nil {
      let root = attribute.path.prefix { $0 != "." && $0 != "[" }
      let locales = schema.attributes(under: String(root)).filter { $0.format == .locale }
      // The one with the most similar name is about the same language.
      let nearest = locales.max {
        $0.path.beginning(sharedWith: attribute.path)
          < $1.path.beginning(sharedWith: attribute.path)
      }
      if let nearest { helps.append("a language with a region is in `\(nearest.path)`") }
    }
    report(
      Diagnostic(
        .impossibleValue, "`\(attribute.path)` is never `\"\(text)\"`", at: tree[id].span,
        label: "not such a code", notes: ["its values look like \"\(sample)\""],
        helps: helps))
  }
}

extension String {
  /// Returns the number of characters that two texts have in common at their beginnings.
  fileprivate func beginning(sharedWith other: String) -> Int {
    zip(self, other).prefix { $0 == $1 }.count
  }
}
