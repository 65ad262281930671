/// Searching without Foundation; the methods of the standard library need iOS 16.
extension StringProtocol {
  /// Returns the range of the first occurrence of a text, compared byte by byte, or `nil`.
  ///
  /// - Complexity: O(*n* · *m*) for *n* bytes and *m* bytes of `text`.
  package func firstRange(ofText text: some StringProtocol) -> Range<Index>? {
    let bytes = utf8
    var start = bytes.startIndex
    while true {
      var index = start
      var wanted = text.utf8.startIndex
      while wanted != text.utf8.endIndex, index != bytes.endIndex,
        bytes[index] == text.utf8[wanted]
      {
        index = bytes.index(after: index)
        wanted = text.utf8.index(after: wanted)
      }
      if wanted == text.utf8.endIndex { return start..<index }
      if index == bytes.endIndex { return nil }
      start = bytes.index(after: start)
    }
  }

  /// Returns whether the text has another within it, compared byte by byte.
  package func contains(text: some StringProtocol) -> Bool { firstRange(ofText: text) != nil }

  /// Returns what is before and after the first occurrence of a separator; without one, the whole
  /// text and `nil`.
  package func parts(around separator: String) -> (before: String, after: String?) {
    guard let range = firstRange(ofText: separator) else { return (String(self), nil) }
    return (String(self[..<range.lowerBound]), String(self[range.upperBound...]))
  }
}
