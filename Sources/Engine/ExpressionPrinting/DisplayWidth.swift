import ExpressionSyntax

/// The number of terminal cells that text takes.
package enum DisplayWidth {
  /// The cells of a text without line breaks: wide characters take two, marks none.
  package static func cells(_ text: String) -> Int {
    var isASCII = true
    for byte in text.utf8 where byte >= 0x80 {
      isASCII = false
      break
    }
    if isASCII { return text.utf8.count }
    return text.reduce(0) { $0 + cells($1) }
  }

  /// The cells of a character.
  package static func cells(_ character: Character) -> Int {
    var widest = 0
    for scalar in character.unicodeScalars { widest = max(widest, cells(scalar)) }
    return widest
  }

  private static func cells(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case 0x200B...0x200F, 0x2060...0x2064, 0xFEFF: 0
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
      0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1FAFF,
      0x20000...0x3FFFD:
      2
    default: scalar.properties.isEmojiPresentation ? 2 : 1
    }
  }
}
