/// Finds texts that lie between two others, natural ones first.
package enum TextBetween {
  /// A text above one and below another; `nil` if there is none.
  package static func text(above low: Text, below high: Text?) -> Text? {
    func fits(_ text: Text) -> Bool {
      guard low.lexicographicallyPrecedes(text) else { return false }
      guard text != "true".codePoints, text != "false".codePoints else { return false }
      return high.map { text.lexicographicallyPrecedes($0) } ?? true
    }
    var candidates: [Text] = []
    if let high, isNumeric(high), let text = stepped(high, by: -1) { candidates.append(text) }
    if isNumeric(low), let text = stepped(low, by: 1) { candidates.append(text) }
    candidates += ["other", "x", "m", "a", "A", "M", "z", "0"].map { $0.codePoints }
    candidates += ["a", "1", "-", " "].map { low + $0.codePoints }
    // The least text above another.
    candidates.append(low + [0])
    return candidates.first(where: fits)
  }

  /// Whether a text looks like a version, a date or a time, of which neighbours look alike.
  private static func isNumeric(_ text: Text) -> Bool {
    text.contains { isDigit($0) }
      && text.allSatisfy { isDigit($0) || [0x2E, 0x2D, 0x3A, 0x54, 0x5A].contains($0) }
  }

  private static func isDigit(_ scalar: UInt32) -> Bool { scalar >= 0x30 && scalar <= 0x39 }

  /// The text with its last digit that can be counted up or down.
  private static func stepped(_ text: Text, by step: Int) -> Text? {
    for index in text.indices.reversed() where isDigit(text[index]) {
      let digit = Int(text[index]) - 0x30 + step
      guard (0...9).contains(digit) else { continue }
      var result = text
      result[index] = UInt32(digit + 0x30)
      return result
    }
    return nil
  }
}
