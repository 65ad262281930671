extension JSONScanner {
  /// A position in the text that a scanner can return to.
  package struct Bookmark {
    fileprivate let position: Int
    fileprivate let expectation: Expectation
    fileprivate let depth: Int
    fileprivate let containers: UInt64
    fileprivate let outerContainers: [UInt64]
  }

  /// Returns the position after the current token.
  package func bookmark() -> Bookmark {
    Bookmark(
      position: position, expectation: expectation, depth: depth, containers: containers,
      outerContainers: outerContainers)
  }

  /// Returns to a position that this scanner has bookmarked. The accessors are undefined until the
  /// next token.
  package mutating func returnTo(_ bookmark: Bookmark) {
    position = bookmark.position
    expectation = bookmark.expectation
    depth = bookmark.depth
    containers = bookmark.containers
    outerContainers = bookmark.outerContainers
  }

  /// Moves past the next value and checks it in full, unlike ``skipValue()``.
  package mutating func checkValue() throws(JSONError) {
    let outer = depth
    repeat {
      let token = try nextToken()
      // A closing bracket instead of a value leaves the enclosing container.
      if depth < outer { throw shapeError(expected: "a value", found: token) }
    } while depth > outer
  }

  /// Returns whether the current `key` or `string` is exactly `text`, byte by byte.
  @inline(__always)
  package func currentStringEquals(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { expected in
      let bytes = stringBytes
      guard bytes.count == expected.count else { return false }
      return bytes.elementsEqual(expected)
    }
  }
}
