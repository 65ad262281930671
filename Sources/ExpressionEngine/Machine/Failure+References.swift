extension Failure {
  /// Whether the reference evaluator would report null instead of this failure.
  ///
  /// It looks for three phrases in the text of its error, which quotes the operands
  /// (docs/spec/superscript.md §15). Therefore a missing variable or function gives null, as does
  /// an ordering with null on its left, and every failure that quotes a value containing one of the
  /// phrases.
  var isMissingReference: Bool {
    switch code {
    case .undeclared, .unknownFunction: return true
    case .notComparable where first.isA(.null): return true
    default: break
    }
    guard quotesOperands else { return false }
    return (operandCount > 0 && first.containsReferencePhrase)
      || (operandCount > 1 && second.containsReferencePhrase)
  }

  /// Whether the reference's text for this failure quotes the operands.
  private var quotesOperands: Bool {
    switch code {
    case .notComparable, .unsupportedBinary, .unsupportedUnary, .unexpectedType, .unusableKey,
      .listIndex, .mapIndex, .notIndexable, .invalidArgument, .invalidPattern:
      true
    default: false
    }
  }
}

/// The phrases that make the reference evaluator report null when they occur in the text of an
/// error.
enum ReferencePhrases {
  private static let all: [StaticString] = [
    "Undeclared reference", "Unknown function", "Null can not be compared",
  ]

  /// Returns whether one of the phrases occurs in the text.
  static func occur(in text: UTF8Bytes) -> Bool {
    all.contains { phrase in phrase.withUTF8Buffer { UTF8Text.contains($0, in: text) } }
  }
}

extension Slot {
  /// Whether a text anywhere in the value, including map keys, contains one of the phrases.
  fileprivate var containsReferencePhrase: Bool {
    switch tag {
    case .string: return ReferencePhrases.occur(in: byteBuffer)
    case .list: return elements.contains { $0.containsReferencePhrase }
    case .map: return table.entries.contains { $0.containsReferencePhrase }
    case .function:
      let (name, receiver) = functionParts
      return name.containsReferencePhrase || (receiver?.containsReferencePhrase ?? false)
    default: return false
    }
  }
}
