import ExpressionEngine
package import ExpressionSyntax

extension Expectation {
  /// Returns whether `outcome` is the expected one.
  ///
  /// Values must agree in kind (int 1 is not uint 1); maps are sets of entries; NaN equals NaN. In
  /// the superscript dialect, values that its interface cannot distinguish are equal, as long as
  /// the expected side is not more precise: `double("NaN")` stands for every double that is not
  /// finite, `null` for a duration too, a timestamp without a fraction for the whole second, string
  /// keys for keys of every kind with that text.
  package func isMet(by outcome: CaseOutcome, dialect: Dialect.Name) -> Bool {
    switch self {
    case .any: return true
    case .anyError:
      if case .error = outcome.answer { return true }
      return false
    case .error(let wanted):
      guard case .error(let got) = outcome.answer else { return false }
      return wanted.isMet(by: got)
    case .type(let type):
      if case .error = outcome.answer { return false }
      return outcome.type == type
    case .value(let wanted, let type):
      guard case .value(let got) = outcome.answer else { return false }
      guard type == nil || outcome.type == type else { return false }
      return wanted.isMatched(by: got, dialect: dialect)
    }
  }

  /// The expectation as one line, as failures print it.
  package var summary: String {
    switch self {
    case .any: "any answer"
    case .anyError(let advice):
      advice.isEmpty || advice == "*" ? "an error" : "an error, such as: \(advice)"
    case .error(let error): error.summary.isEmpty ? "an error" : "error \(error.summary)"
    case .type(let type): "type \(type)"
    case .value(let value, let type):
      "\(value.literal) : \(value.kindName)" + (type.map { ", of type \($0)" } ?? "")
    }
  }
}

extension CaseOutcome {
  /// The outcome as one line, as failures print it.
  package var summary: String {
    let type = self.type.map { ", of type \($0)" } ?? ""
    return switch answer {
    case .value(let value): "\(value.literal) : \(value.kindName)\(type)"
    case .error(let error): "error \(error.summary)"
    case .checked: "checked\(type)"
    }
  }
}

extension CaseError {
  /// Returns whether `got` has everything that this error names.
  fileprivate func isMet(by got: CaseError) -> Bool {
    if let id, id != got.id { return false }
    if let line, line != got.line { return false }
    if let column, column != got.column { return false }
    if !message.isEmpty, message != got.message { return false }
    if let rendered, rendered.linesTrimmed != got.rendered?.linesTrimmed { return false }
    return true
  }
}

extension Value {
  /// Returns whether `got` meets an expectation of this value; see
  /// ``Expectation/isMet(by:dialect:)``.
  func isMatched(by got: Value, dialect: Dialect.Name) -> Bool {
    let isSuperscript = dialect == .superscript
    switch (self, got) {
    case (.double(let wanted), .double(let got)):
      if wanted.isNaN { return isSuperscript ? !got.isFinite : got.isNaN }
      // By bits, because -0.0 is not 0.0.
      return wanted.bitPattern == got.bitPattern
    case (.string(let wanted), .string(let got)): return wanted.isIdentical(to: got)
    case (.null, .duration): return isSuperscript
    case (.timestamp(let wanted), .timestamp(let got)):
      if isSuperscript && wanted.nanoseconds == 0 { return wanted.seconds == got.seconds }
      return wanted.seconds == got.seconds && wanted.nanoseconds == got.nanoseconds
    case (.list(let wanted), .list(let got)):
      return wanted.count == got.count
        && zip(wanted, got).allSatisfy { $0.isMatched(by: $1, dialect: dialect) }
    case (.map(let wanted), .map(let got)):
      return Self.areMatched(wanted, by: got, dialect: dialect)
    case (.optional(let wanted), .optional(let got)):
      guard let wanted, let got else { return wanted == nil && got == nil }
      return wanted.isMatched(by: got, dialect: dialect)
    case (.function(let wantedName, let wanted), .function(let gotName, let got)):
      guard wantedName == gotName else { return false }
      guard let wanted, let got else { return wanted == nil && got == nil }
      return wanted.isMatched(by: got, dialect: dialect)
    default: return self == got
    }
  }

  private static func areMatched(
    _ wanted: [Value.Key: ExpressionEngine.Value], by got: [Value.Key: ExpressionEngine.Value],
    dialect: Dialect.Name
  ) -> Bool {
    var got = got
    if dialect == .superscript && wanted.keys.allSatisfy(\.isString) {
      got = Dictionary(
        got.map { (Key.string($0.key.text), $0.value) }, uniquingKeysWith: { first, _ in first })
    }
    return wanted.count == got.count
      && wanted.allSatisfy { key, value in
        guard let other = got[key] else { return false }
        return value.isMatched(by: other, dialect: dialect)
      }
  }
}

extension Value.Key {
  fileprivate var isString: Bool {
    if case .string = self { true } else { false }
  }
}

extension String {
  /// The lines without white space at their ends, which a corpus file does not keep.
  fileprivate var linesTrimmed: [String] {
    var lines = split(separator: "\n", omittingEmptySubsequences: false).map { line in
      var line = line
      while line.last == " " { line.removeLast() }
      return String(line)
    }
    while lines.last == "" { lines.removeLast() }
    return lines
  }

  /// Equality of code points, where `==` takes canonically equivalent texts as equal.
  fileprivate func isIdentical(to other: String) -> Bool {
    utf8.elementsEqual(other.utf8)
  }
}
