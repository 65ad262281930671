import ExpressionEngine

// The meaning of attributes that no schema lists, by the words of their names.

extension AttributeSchema {
  private static let wordsOfNumbers: Set<String> = [
    "age", "count", "counts", "coins", "credits", "level", "points", "score", "streak", "total",
  ]
  private static let participles: Set<String> = [
    "completed", "done", "finished", "opened", "played", "read", "seen", "sent", "viewed",
    "watched",
  ]
  private static let wordsOfTexts: Set<String> = [
    "city", "country", "email", "language", "name", "phone", "plan", "role", "status", "tier",
    "url",
  ]

  /// Returns the type that an attribute of the app has by its name, if the schema does not list it.
  package func typeByName(_ path: AttributePath) -> AttributeType? {
    guard path.names.count == 1, attribute(at: path) == nil,
      case let words = path.names[0].nameWords, let word = words.last
    else { return nil }
    // `lessonsCompleted`
    if words.count == 2, words[0].last == "s", Self.participles.contains(word) { return .number }
    return Self.wordsOfNumbers.contains(word)
      ? .number : Self.wordsOfTexts.contains(word) ? .string : nil
  }

  /// Returns whether an attribute counts by whole numbers, by its name: `user.lessonsCompleted`.
  package func isCountByName(_ path: AttributePath) -> Bool {
    guard typeByName(path) == .number, let word = path.names.last?.nameWords.last else {
      return false
    }
    return ["count", "counts", "coins", "level", "streak", "sessions"].contains(word)
      || Self.participles.contains(word)
  }
}

extension StringProtocol {
  /// The words of a name in lower case: those of `storeFrontId` and of `store_front_id` are
  /// `store`, `front` and `id`.
  package var nameWords: [String] {
    var words: [String] = []
    var word = ""
    for character in self {
      let isLetter = character.isLetter || character.isNumber
      if !isLetter || character.isUppercase && word.last?.isLowercase == true {
        if !word.isEmpty { words.append(word.lowercased()) }
        word = ""
      }
      if isLetter { word.append(character) }
    }
    if !word.isEmpty { words.append(word.lowercased()) }
    return words
  }
}
