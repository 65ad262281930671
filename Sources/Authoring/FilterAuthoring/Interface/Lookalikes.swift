import ExpressionSyntax

// Letters of other scripts that look like those of names: a Cyrillic `р` in `device.рlatform`.

/// Letters that look like a letter of A to Z.
enum Lookalikes {
  private static let pairs: [Character: Character] = [
    "а": "a", "е": "e", "о": "o", "р": "p", "с": "c", "у": "y", "х": "x", "і": "i", "ѕ": "s",
    "ј": "j", "һ": "h", "ԁ": "d", "А": "A", "В": "B", "Е": "E", "К": "K", "М": "M", "Н": "H",
    "О": "O", "Р": "P", "С": "C", "Т": "T", "Х": "X", "І": "I", "Ѕ": "S", "Ј": "J", "ο": "o",
    "ν": "v", "Α": "A", "Β": "B", "Ε": "E", "Ζ": "Z", "Η": "H", "Ι": "I", "Κ": "K", "Μ": "M",
    "Ν": "N", "Ο": "O", "Ρ": "P", "Τ": "T", "Υ": "Y", "Χ": "X",
  ]

  /// Returns a text without invisible characters outside of quotes; `nil` if it has none.
  static func withoutInvisible(_ text: String) -> String? {
    var result = String.UnicodeScalarView()
    var quote: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "'" {
        if quote == nil { quote = scalar } else if quote == scalar { quote = nil }
      }
      let isHidden =
        quote == nil && !scalar.properties.isWhitespace
        && InvisibleCharacters.name(of: scalar) != nil
      if !isHidden { result.append(scalar) }
    }
    let visible = String(result)
    return visible.unicodeScalars.count == text.unicodeScalars.count ? nil : visible
  }

  /// Returns a text with letters of A to Z in the place of those that look like them, outside of
  /// quotes; `nil` if it has none.
  static func replaced(in text: String) -> String? {
    var result = ""
    var quote: Character?
    var isChanged = false
    for character in text {
      if character == "\"" || character == "'" {
        if quote == nil { quote = character } else if quote == character { quote = nil }
      }
      if quote == nil, let plain = pairs[character] {
        result.append(plain)
        isChanged = true
      } else {
        result.append(character)
      }
    }
    return isChanged ? result : nil
  }

  /// Returns a word with letters of A to Z in the place of those that look like them, if it mixes
  /// both; `nil` for a word of one script.
  static func plain(_ word: some StringProtocol) -> String? {
    let looks = word.contains { pairs[$0] != nil }
    guard looks, word.contains(where: { $0.isASCII && $0.isLetter }) else { return nil }
    let result = String(word.map { pairs[$0] ?? $0 })
    return result.allSatisfy { $0.isASCII } ? result : nil
  }
}
