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

  /// Signs that look like those between digits and in names.
  private static let signs: [Character: Character] = [
    "\u{2024}": ".", "\u{3002}": ".", "\u{00B7}": ".", "\u{2010}": "-", "\u{2011}": "-",
    "\u{2012}": "-", "\u{2013}": "-", "\u{2014}": "-", "\u{2212}": "-", "\u{2236}": ":",
    "\u{A789}": ":", "\u{201A}": ",", "\u{2044}": "/", "\u{2215}": "/",
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

  /// Returns a word with the signs and digits of ASCII in the place of those that look like them,
  /// if all others are of ASCII; `nil` for a word that has none.
  static func plainSigns(_ word: some StringProtocol) -> String? {
    let result = String(word.map { signs[$0] ?? halfWidth($0) ?? $0 })
    let isWord = result.allSatisfy { $0.isASCII } && result.contains { $0.isLetter || $0.isNumber }
    return isWord && result != word ? result : nil
  }

  /// Returns the character of ASCII that is wide among Chinese ones.
  private static func halfWidth(_ character: Character) -> Character? {
    guard let scalar = character.unicodeScalars.first, character.unicodeScalars.count == 1,
      (0xFF01...0xFF5E).contains(scalar.value)
    else { return nil }
    return Unicode.Scalar(scalar.value - 0xFEE0).map { Character($0) }
  }
}
