import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Checks constants that are not written like the values of the attribute that they are compared
// with.

extension FilterLinter {
  /// Reports a misspelled code of a region, a language or a locale.
  mutating func checkForm(_ attribute: AttributeSchema.Attribute, _ text: String, at id: NodeID) {
    guard let format = attribute.format else { return }
    guard let right = format.spelling(of: text), format.code(named: text) ?? right == right else {
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
    let code = meant.map { "\"\($0)\"" }
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

  /// Reports a date or a time in another notation, whose order as text means nothing, and a date
  /// that does not exist.
  mutating func checkMoment(
    _ value: Value, at id: NodeID, _ attribute: AttributeSchema.Attribute
  ) {
    guard case .string(let text) = value, !text.isEmpty, let format = attribute.format,
      let sample = format.sample, [.date, .time, .dateTime].contains(format)
    else { return }
    if !format.isBeginning(text) {
      report(
        Diagnostic(
          .impossibleValue, "`\"\(text)\"` is not written like `\(attribute.path)`",
          at: tree[id].span, label: format == .time ? "not such a time" : "not such a date",
          notes: ["its values look like \"\(sample)\", and texts are compared letter by letter"]))
    } else if format != .time, !CalendarDate.exists(text) {
      report(
        Diagnostic(
          .impossibleValue, "there is no date `\(text.prefix(10))`", at: tree[id].span,
          label: "not in the calendar",
          notes: ["months are 01 to 12, and have 28 to 31 days"]))
    }
  }

  /// Reports an element of a list that is outside the attribute's range.
  mutating func checkElementRange(
    _ value: Value, at id: NodeID, _ attribute: AttributeSchema.Attribute
  ) {
    guard let low = attribute.minimum, let number = value.plainNumber,
      number < Double(low) || attribute.maximum.map({ number > Double($0) }) ?? false
    else { return }
    let range = attribute.maximum.map { "from \(low) to \($0)" } ?? "at least \(low)"
    report(
      Diagnostic(
        .impossibleValue, "`\(attribute.path)` is never `\(text(id))`", at: tree[id].span,
        label: "it is \(range)", notes: ["so this element never counts"]))
  }

  /// Reports a number outside the attribute's range. Returns whether it did.
  mutating func checkRange(
    _ node: SyntaxNode, _ comparison: ConstantComparison, _ attribute: AttributeSchema.Attribute
  ) -> Bool {
    guard let low = attribute.minimum, comparison.op != .in else { return false }
    let constant: Double
    switch comparison.value {
    case .int(let number): constant = Double(number)
    case .double(let number): constant = number
    default: return false
    }
    guard
      let truth = comparison.op.truth(
        from: Double(low), to: attribute.maximum.map(Double.init), constant)
    else { return false }
    if attribute.isOptional {
      // A missing attribute counts as zero, or is an error and no match.
      let missing = isSuperscript && comparison.holdsWhenMissing == true
      guard missing == truth else { return false }
    }
    let range = attribute.maximum.map { "from \(low) to \($0)" } ?? "at least \(low)"
    report(
      Diagnostic(
        truth ? .alwaysTrue : .alwaysFalse, "this comparison is always \(truth)", at: node.span,
        label: "`\(attribute.path)` is \(range)",
        helps: ["compare it with a number that it may be, or remove the condition"]))
    return true
  }
}

extension Operator {
  /// Returns the result of comparing the numbers of a range with a constant, if it is the same for
  /// all of them.
  fileprivate func truth(from low: Double, to high: Double?, _ constant: Double) -> Bool? {
    let isBelow = constant < low
    let isAbove = high.map { constant > $0 } ?? false
    switch self {
    case .equal: return isBelow || isAbove ? false : nil
    case .notEqual: return isBelow || isAbove ? true : nil
    case .less: return constant <= low ? false : isAbove ? true : nil
    case .lessEqual: return isBelow ? false : high.map { constant >= $0 } == true ? true : nil
    case .greater: return isBelow ? true : high.map { constant >= $0 } == true ? false : nil
    case .greaterEqual: return constant <= low ? true : isAbove ? false : nil
    default: return nil
    }
  }
}

extension String {
  /// Returns the number of characters that two texts have in common at their beginnings.
  fileprivate func beginning(sharedWith other: String) -> Int {
    zip(self, other).prefix { $0 == $1 }.count
  }
}
