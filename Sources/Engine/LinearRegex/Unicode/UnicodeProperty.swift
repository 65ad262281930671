/// Finds the set of a property that a pattern names, by the rules of Rust's `regex`.
enum UnicodeProperty {
  enum Problem: Error {
    case unknownName
    case unknownValue
  }

  /// The set of `\p{name}`: a binary property, a general category or a script.
  static func set(named name: [UInt8]) throws(Problem) -> ScalarSet {
    let key = normalized(name)
    // Three short names of categories are also names of properties that are not binary.
    if !isText(key, "cf"), !isText(key, "sc"), !isText(key, "lc"),
      let number = UnicodeTables.find(key, in: UnicodeTables.binaryNames)
    {
      return UnicodeTables.set(number)
    }
    for table in [UnicodeTables.categoryNames, UnicodeTables.scriptNames] {
      if let number = UnicodeTables.find(key, in: table) { return UnicodeTables.set(number) }
    }
    throw .unknownName
  }

  /// The set of `\p{name=value}`.
  static func set(named name: [UInt8], value: [UInt8]) throws(Problem) -> ScalarSet {
    guard let table = table(of: normalized(name)) else { throw .unknownName }
    guard let number = UnicodeTables.find(normalized(value), in: table) else {
      throw .unknownValue
    }
    return UnicodeTables.set(number)
  }

  private static func table(of key: [UInt8]) -> StaticString? {
    if isText(key, "gc") || isText(key, "generalcategory") { return UnicodeTables.categoryNames }
    if isText(key, "sc") || isText(key, "script") { return UnicodeTables.scriptNames }
    if isText(key, "scx") || isText(key, "scriptextensions") {
      return UnicodeTables.scriptExtensionNames
    }
    if isText(key, "gcb") || isText(key, "graphemeclusterbreak") {
      return UnicodeTables.graphemeBreakNames
    }
    if isText(key, "wb") || isText(key, "wordbreak") { return UnicodeTables.wordBreakNames }
    if isText(key, "sb") || isText(key, "sentencebreak") {
      return UnicodeTables.sentenceBreakNames
    }
    return isText(key, "age") ? UnicodeTables.ageNames : nil
  }

  private static func isText(_ bytes: [UInt8], _ text: StaticString) -> Bool {
    guard bytes.count == text.utf8CodeUnitCount else { return false }
    for index in bytes.indices where bytes[index] != text.utf8Start[index] { return false }
    return true
  }

  /// A name without case, spaces, dashes, underscores, a leading `is` and all that is not ASCII
  /// (UAX #44, LM3).
  static func normalized(_ name: [UInt8]) -> [UInt8] {
    let hasPrefix = name.count >= 2 && name[0] | 0x20 == 0x69 && name[1] | 0x20 == 0x73
    var result: [UInt8] = []
    for byte in name.dropFirst(hasPrefix ? 2 : 0) {
      switch byte {
      case 0x20, 0x2D, 0x5F: break
      case 0x41...0x5A: result.append(byte | 0x20)
      case 0..<0x80: result.append(byte)
      default: break
      }
    }
    // `isc` is the short name of ISO_Comment, not the category C.
    return hasPrefix && result == [0x63] ? [0x69, 0x73, 0x63] : result
  }
}
