import ExpressionSyntax

// Texts that people write to each other, and not to a program.

extension PastedText {
  /// Returns whether a text is words alone, as people tell each other whom they mean.
  static func isSentence(_ text: String) -> Bool {
    let text = text.trimmed
    let words = text.split { $0.isWhitespace || $0 == "," }
    // A long sentence may have a name in it.
    let marks = "=<>!&|()[]{}\"*/%#@$:;+\\`" + (words.count >= 6 ? "" : "_")
    guard !text.contains(where: { marks.contains($0) }) else { return false }
    // A dot inside of a word is that of an attribute.
    guard words.allSatisfy({ !$0.dropLast().contains(".") }), let first = words.first,
      !AttributeRoots.contains(String(first))
    else { return false }
    let letters = text.count { $0.isLetter && !$0.isASCII }
    return words.count >= 4 || words.count <= 2 && letters >= 6
  }

  /// Returns whether both versions of a file are left in a text.
  static func isMergeConflict(_ text: String) -> Bool {
    let lines = text.split(separator: "\n")
    return ["<<<<<<<", ">>>>>>>"].allSatisfy { mark in lines.contains { $0.hasPrefix(mark) } }
  }

  /// Removes the time and the name before a message: `[10:42] Tom: user.age > 18`.
  static func withoutSender(_ text: String) -> String? {
    let text = text.trimmed
    guard text.first == "[", let end = text.firstIndex(of: "]"),
      text[..<end].dropFirst().allSatisfy({ $0.isNumber || ":., /-APM".contains($0) }),
      let colon = text[end...].firstRange(ofText: ": ")
    else { return nil }
    let name = text[text.index(after: end)..<colon.lowerBound]
    guard name.utf8.count <= 40, name.allSatisfy({ $0.isLetter || $0 == " " }) else { return nil }
    return String(text[colon.upperBound...])
  }
}
