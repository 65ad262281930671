/// Texts that were written as one where a list was meant: `"free, trial"`.
package struct ListedTexts {
  /// The texts, without blanks around them.
  package let texts: [String]

  /// Divides a text at any of some characters.
  package init(_ text: String, separators: String) {
    texts = text.split { separators.contains($0) }.map { $0.trimmed }
  }

  private init(texts: [String]) { self.texts = texts }

  /// Returns the list with each text changed.
  package func map(_ change: (String) -> String) -> ListedTexts {
    ListedTexts(texts: texts.map(change))
  }

  /// Returns the condition that a part of the filter is one of the texts, or none of them.
  package func membership(of subject: String, isNegated: Bool) -> String {
    let written = "\(subject) in [\(texts.map { "\"\($0)\"" }.joined(separator: ", "))]"
    return isNegated ? "!(\(written))" : written
  }
}

extension StringProtocol {
  /// The text without blanks around it.
  package var trimmed: String {
    let start = drop { $0.isWhitespace }
    return String(start.prefix(start.count - start.reversed().prefix { $0.isWhitespace }.count))
  }
}
