/// A piece of an HTML document, whose texts are escaped.
struct HTML {
  private(set) var text = ""

  /// Creates a piece from markup that is right as it is.
  init(markup: String) { text = markup }

  /// Creates a piece from a text.
  init(_ text: String) {
    self.text = Self.escaped(text)
  }

  /// Creates an element.
  ///
  /// - Parameters:
  ///   - name: The name of the element.
  ///   - attributes: Its attributes, in order.
  ///   - content: What is inside.
  init(_ name: String, _ attributes: [(String, String)] = [], _ content: [HTML] = []) {
    text = "<\(name)"
    for (name, value) in attributes { text += " \(name)=\"\(Self.escaped(value))\"" }
    text += ">"
    for piece in content { text += piece.text }
    text += "</\(name)>"
  }

  /// Creates an element with a class around a text.
  init(_ name: String, class style: String, _ text: String) {
    self.init(name, [("class", style)], [HTML(text)])
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in text.unicodeScalars {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      // Not allowed in a document, or not visible.
      case "\u{0}"..."\u{8}", "\u{B}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{202A}"..."\u{202E}",
        "\u{2066}"..."\u{2069}":
        result += "\u{FFFD}"
      default: result.unicodeScalars.append(character)
      }
    }
    return result
  }
}
