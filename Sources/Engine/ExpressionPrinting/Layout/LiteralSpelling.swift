package import ExpressionSyntax

/// The spelling of values as literals of a dialect.
package enum LiteralSpelling {
  /// The spelling of a null, bool or number literal.
  static func number(_ node: SyntaxNode) -> String {
    switch node.kind {
    case .boolLiteral: node.payload == 0 ? "false" : "true"
    case .intLiteral: String(Int64(bitPattern: node.payload))
    case .uintLiteral: "\(node.payload)u"
    case .doubleLiteral: double(Double(bitPattern: node.payload))
    default: "null"
    }
  }

  /// The shortest literal that reads back as the same double; infinity is written `1e999`.
  package static func double(_ value: Double) -> String {
    if value.isInfinite { return value < 0 ? "-1e999" : "1e999" }
    return "\(value)"
  }

  /// A string literal with that content (UTF-8).
  ///
  /// - Parameters:
  ///   - content: The UTF-8 of the string.
  ///   - preferRaw: Whether to write a raw string if the content has backslashes and allows it.
  ///   - dialect: The dialect to write for.
  package static func string(_ content: [UInt8], preferRaw: Bool, dialect: Dialect) -> String {
    let quote = preferredQuote(for: content)
    if preferRaw, content.contains(UInt8(ascii: "\\")),
      canBeRaw(content, quote: quote, dialect: dialect)
    {
      return "r\(quote)\(String(decoding: content, as: UTF8.self))\(quote)"
    }
    var out = String(quote)
    for scalar in String(decoding: content, as: UTF8.self).unicodeScalars {
      switch scalar {
      case "\\": out += "\\\\"
      case "\n": out += "\\n"
      case "\r": out += "\\r"
      case "\t": out += "\\t"
      default:
        if Character(scalar) == quote {
          out += "\\\(quote)"
        } else if scalar.value < 0x100, InvisibleCharacters.name(of: scalar) != nil, scalar != " " {
          out += "\\x" + hex(scalar.value, digits: 2)
        } else if InvisibleCharacters.name(of: scalar) != nil, scalar != " " {
          out += "\\u" + hex(scalar.value, digits: 4)
        } else {
          out.unicodeScalars.append(scalar)
        }
      }
    }
    out.append(quote)
    return out
  }

  /// A bytes literal with that content.
  package static func bytes(_ content: [UInt8]) -> String {
    let quote = preferredQuote(for: content)
    // A text stays readable; anything else is written byte by byte.
    let isText = content.withUnsafeBufferPointer { UTF8Validation.firstInvalidByte(in: $0) == nil }
    var out = "b\(quote)"
    guard isText else {
      for byte in content { out += "\\x" + hex(UInt32(byte), digits: 2) }
      return out + String(quote)
    }
    for scalar in String(decoding: content, as: UTF8.self).unicodeScalars {
      let isInvisible = InvisibleCharacters.name(of: scalar) != nil && scalar != " "
      if isInvisible || scalar == "\\" || Character(scalar) == quote {
        for byte in UTF8.encode(scalar).map(Array.init) ?? [] {
          out += "\\x" + hex(UInt32(byte), digits: 2)
        }
      } else {
        out.unicodeScalars.append(scalar)
      }
    }
    return out + String(quote)
  }

  /// A member or field name, in backticks if it must be.
  static func memberName(_ name: String, dialect: Dialect) -> String {
    let isPlain =
      !dialect.keywords.contains(name)
      && name.utf8.allSatisfy {
        ($0 | 0x20) &- UInt8(ascii: "a") < 26 || $0 &- UInt8(ascii: "0") < 10
          || $0 == UInt8(ascii: "_")
      } && name.utf8.first.map { $0 &- UInt8(ascii: "0") >= 10 } ?? false
    return isPlain ? name : "`\(name)`"
  }

  private static func preferredQuote(for content: [UInt8]) -> Character {
    content.contains(UInt8(ascii: "\"")) && !content.contains(UInt8(ascii: "'")) ? "'" : "\""
  }

  /// Returns whether a raw string can hold the content without changing it.
  private static func canBeRaw(_ content: [UInt8], quote: Character, dialect: Dialect) -> Bool {
    guard let delimiter = quote.asciiValue, !content.contains(delimiter) else { return false }
    for scalar in String(decoding: content, as: UTF8.self).unicodeScalars
    where scalar != " " && InvisibleCharacters.name(of: scalar) != nil {
      return false
    }
    guard dialect.lexical.contains(.rawQuotesCanBeEscaped) else { return true }
    // An odd number of backslashes at the end would protect the closing quote.
    return content.reversed().prefix { $0 == UInt8(ascii: "\\") }.count % 2 == 0
  }

  private static func hex(_ value: UInt32, digits: Int) -> String {
    let text = String(value, radix: 16)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}
