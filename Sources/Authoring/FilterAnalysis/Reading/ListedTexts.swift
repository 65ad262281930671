/// Texts that were written as one where a list was meant: `"free, trial"`.
package struct ListedTexts {
  /// The texts, without blanks around them.
  package let texts: [String]

  /// Divides a text at any of some characters.
  package init(_ text: String, separators: String) {
    texts = text.split { separators.contains($0) }.map { part in
      String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
  }

  /// The list, as a filter writes it.
  package var literal: String { "[\(texts.map { "\"\($0)\"" }.joined(separator: ", "))]" }

  /// Returns the condition that a part of the filter is one of the texts, or none of them.
  package func membership(of subject: String, isNegated: Bool) -> String {
    let written = "\(subject) in \(literal)"
    return isNegated ? "!(\(written))" : written
  }
}
