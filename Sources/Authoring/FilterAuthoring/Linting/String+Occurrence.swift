extension String {
  /// Returns the range of the first occurrence of a text, compared byte by byte.
  ///
  /// It replaces `firstRange(of:)`, which Embedded Swift does not have.
  ///
  /// - Complexity: O(n · m) in the lengths of the two.
  package func firstOccurrence(of text: String) -> Range<Index>? {
    var start = startIndex
    while true {
      let rest = utf8[start...]
      if rest.starts(with: text.utf8) {
        return start..<utf8.index(start, offsetBy: text.utf8.count)
      }
      if rest.isEmpty { return nil }
      start = utf8.index(after: start)
    }
  }
}
