import ExpressionEngine

/// Why an expression has no value, as far as the meaning of expressions depends on it.
enum ReferenceFailure: Error {
  /// A name that is no variable, or a call of a function that does not exist. Reported as null.
  case undeclared
  /// A member that is not there; `has` gives false, safe accesses null.
  case noSuchKey
  /// Two values without an order: the text of the reference quotes both, the left one first.
  case notComparable(Value, Value)
  /// An error whose text quotes these values.
  case quoting([Value])
  /// An error whose text quotes a piece of the expression with these string literals in it.
  case quotingSource([String])
  /// Any other error.
  case other

  /// Whether the whole evaluation gives null instead of this error (§15): the test is made on the
  /// text of the error, so that a quoted value can trigger it too.
  var isReportedAsNull: Bool {
    switch self {
    case .undeclared: true
    case .noSuchKey, .other: false
    case .notComparable(.null, _): true
    case .notComparable(let left, let right): left.mentionsNullPhrase || right.mentionsNullPhrase
    case .quoting(let values): values.contains(where: \.mentionsNullPhrase)
    case .quotingSource(let texts): texts.contains(where: \.hasNullPhrase)
    }
  }
}

extension String {
  /// Whether the text has one of the phrases that turn an error into null.
  fileprivate var hasNullPhrase: Bool {
    ["Undeclared reference", "Unknown function", "Null can not be compared"].contains {
      phrase in utf8.count >= phrase.utf8.count && Array(utf8).hasPiece(Array(phrase.utf8))
    }
  }
}

extension Value {
  /// Whether a phrase is in the first million parts: values, and 16 bytes of text each.
  fileprivate var mentionsNullPhrase: Bool {
    var parts = 1 << 20
    return mentionsNullPhrase(within: &parts)
  }

  private func mentionsNullPhrase(within parts: inout Int) -> Bool {
    parts -= 1
    guard parts >= 0 else { return false }
    switch self {
    case .string(let text):
      parts -= text.utf8.count / 16
      return parts >= 0 && text.hasNullPhrase
    case .list(let elements):
      return elements.contains { $0.mentionsNullPhrase(within: &parts) }
    case .map(let entries):
      return entries.contains {
        $0.key.value.mentionsNullPhrase(within: &parts)
          || $0.value.mentionsNullPhrase(within: &parts)
      }
    case .function(let name, let receiver):
      return Value.string(name).mentionsNullPhrase(within: &parts)
        || receiver?.mentionsNullPhrase(within: &parts) ?? false
    default: return false
    }
  }
}

extension [UInt8] {
  /// Whether `piece` occurs anywhere.
  func hasPiece(_ piece: [UInt8]) -> Bool {
    guard piece.count <= count else { return false }
    return (0...(count - piece.count)).contains { self[$0...].starts(with: piece) }
  }
}
