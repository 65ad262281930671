/// Rust's debug form of strings, from which the reference's error texts are built.
enum DebugText {
  /// Appends the text in double quotes, with `\"`, `\\`, `\n`, `\r`, `\t`, `\0` and `\u{…}` for
  /// characters that do not print or that join the previous character.
  static func append(_ text: UTF8Bytes, to output: inout [UInt8]) {
    output.append(0x22)
    var index = 0
    while index < text.count {
      let step = UTF8Text.decode(text, at: index)
      append(step, of: text, at: index, to: &output)
      index &+= step.length
    }
    output.append(0x22)
  }

  private static func append(
    _ step: UTF8Text.Step, of text: UTF8Bytes, at index: Int, to output: inout [UInt8]
  ) {
    switch step.scalar {
    case 0x00: output.append(contentsOf: [0x5C, 0x30])
    case 0x09: output.append(contentsOf: [0x5C, 0x74])
    case 0x0A: output.append(contentsOf: [0x5C, 0x6E])
    case 0x0D: output.append(contentsOf: [0x5C, 0x72])
    case 0x22, 0x5C: output.append(contentsOf: [0x5C, UInt8(step.scalar)])
    case 0x20...0x7E: output.append(UInt8(step.scalar))
    default:
      if isPrintable(step.scalar) {
        if step.isValid {
          output.append(contentsOf: text[index..<index &+ step.length])
        } else {
          output.append(contentsOf: UTF8Text.replacementCharacter)
        }
      } else {
        output.append(contentsOf: "\\u{".utf8)
        IntegerText.append(UInt64(step.scalar), radix: 16, to: &output)
        output.append(UInt8(ascii: "}"))
      }
    }
  }

  private static func isPrintable(_ value: UInt32) -> Bool {
    guard let scalar = Unicode.Scalar(value) else { return false }
    if scalar.properties.isGraphemeExtend { return false }
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
      .paragraphSeparator, .spaceSeparator:
      return false
    default:
      return true
    }
  }
}
