extension Failure {
  /// Whether the reference evaluator would report null instead of this failure.
  ///
  /// It looks for three phrases in the text of its error, which quotes the operands
  /// (docs/spec/superscript.md §15). So a missing variable or function is null, so is an ordering
  /// with null on its left, and so is every failure that quotes a value with one of the phrases in
  /// it.
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

/// What makes the reference evaluator report null when it stands in the text of an error.
enum ReferencePhrases {
  private static let all: [StaticString] = [
    "Undeclared reference", "Unknown function", "Null can not be compared",
  ]

  /// Whether one of the phrases is in the text.
  static func occur(in text: UTF8Bytes) -> Bool {
    all.contains { phrase in phrase.withUTF8Buffer { UTF8Text.contains($0, in: text) } }
  }
}

extension Slot {
  /// Whether a text anywhere in the value, map keys included, has one of the phrases in it.
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
