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
    var budget = Self.longestQuote
    return (operandCount > 0 && first.containsReferencePhrase(budget: &budget, depth: 0))
      || (operandCount > 1 && second.containsReferencePhrase(budget: &budget, depth: 0))
  }

  /// The number of values, and of 16 bytes of text, that are searched for the phrases. A small
  /// value may have very many parts, because a list may contain another list many times.
  private static let longestQuote = 1 << 20

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
  /// Whether a text anywhere in the value, including map keys, contains one of the phrases. Parts
  /// beyond the budget, or nested deeper than ``maximumValueDepth``, are not searched.
  fileprivate func containsReferencePhrase(budget: inout Int, depth: Int) -> Bool {
    budget &-= 1
    guard budget >= 0, depth <= maximumValueDepth else { return false }
    switch tag {
    case .string:
      budget &-= Int(aux) / 16
      return budget >= 0 && ReferencePhrases.occur(in: byteBuffer)
    case .list: return Self.containReferencePhrase(elements, &budget, depth)
    case .map: return Self.containReferencePhrase(table.entries, &budget, depth)
    case .function:
      let (name, receiver) = functionParts
      return name.containsReferencePhrase(budget: &budget, depth: depth &+ 1)
        || receiver?.containsReferencePhrase(budget: &budget, depth: depth &+ 1) ?? false
    default: return false
    }
  }

  private static func containReferencePhrase(
    _ slots: UnsafeBufferPointer<Slot>, _ budget: inout Int, _ depth: Int
  ) -> Bool {
    for slot in slots where budget >= 0 {
      if slot.containsReferencePhrase(budget: &budget, depth: depth &+ 1) { return true }
    }
    return false
  }
}
