/// The values of a JSON text with their places, also of a text that is being edited.
///
/// `JSONScanner` is strict, and stops at the first mistake. While an author types, a text has
/// mistakes most of the time, and the filters after them are wanted nevertheless. This reader takes
/// what it understands: a string ends at its line's end at the latest, a bracket closes the
/// container that it fits, and everything else is passed over.
package struct JSONOutline: Sendable {
  /// The form of a value.
  package enum Kind: UInt8, Sendable {
    case object
    case array
    /// A string with its quotes.
    case string
    /// A number, a word, or something else.
    case other
  }

  /// A value.
  package struct Node: Sendable {
    /// The form.
    package var kind: Kind
    /// The place of the value.
    package var span: Range<Int>
    /// The place of the member's name between its quotes; `nil` outside of objects.
    package var key: Range<Int>?
    /// The number of the node after the value and its content.
    package var next: Int
    /// Whether a string has its closing quote.
    package var isClosed = true
    /// Whether a string contains a backslash.
    package var hasEscapes = false
  }

  /// The values in document order, containers before their content.
  package private(set) var nodes: [Node] = []

  /// Reads a text.
  ///
  /// - Complexity: O(n); nesting does not use the stack.
  package init(_ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { read($0) }
  }

  private mutating func read(_ bytes: UnsafeBufferPointer<UInt8>) {
    nodes.reserveCapacity(bytes.count / 24)
    var open: [Int] = []
    /// The number of open objects, so that a bracket that fits none is passed over without a
    /// search.
    var openObjects = 0
    var key: Range<Int>?
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        let isObject = byte == UInt8(ascii: "{")
        openObjects += isObject ? 1 : 0
        open.append(nodes.count)
        add(isObject ? .object : .array, index..<bytes.count, &key)
        index += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        index += 1
        let isObject = byte == UInt8(ascii: "}")
        if isObject ? openObjects > 0 : open.count > openObjects {
          close(isObject ? .object : .array, end: index, &open, &openObjects)
        }
        key = nil
      case UInt8(ascii: "\""):
        let string = Self.string(from: index, in: bytes)
        index = string.end
        let isInObject = open.last.map { nodes[$0].kind == .object } ?? false
        if isInObject, key == nil, Self.isColon(after: index, in: bytes) {
          key = string.content
        } else {
          nodes.append(
            Node(
              kind: .string, span: string.content.lowerBound - 1..<index, key: key,
              next: nodes.count + 1, isClosed: string.isClosed, hasEscapes: string.hasEscapes))
          key = nil
        }
      case UInt8(ascii: ","):
        key = nil
        index += 1
      case 0...0x20, UInt8(ascii: ":"): index += 1
      default:
        let start = index
        while index < bytes.count, !Self.endsWord(bytes[index]) { index += 1 }
        add(.other, start..<index, &key)
      }
    }
    for container in open {
      nodes[container].next = nodes.count
      nodes[container].isClosed = false
    }
  }

  private mutating func add(_ kind: Kind, _ span: Range<Int>, _ key: inout Range<Int>?) {
    nodes.append(Node(kind: kind, span: span, key: key, next: nodes.count + 1))
    key = nil
  }

  /// Closes the innermost container of a kind, which there is, and those inside it.
  private mutating func close(
    _ kind: Kind, end: Int, _ open: inout [Int], _ openObjects: inout Int
  ) {
    while let container = open.popLast() {
      nodes[container].span = nodes[container].span.lowerBound..<end
      nodes[container].next = nodes.count
      openObjects -= nodes[container].kind == .object ? 1 : 0
      if nodes[container].kind == kind { return }
    }
  }

  private static func string(
    from start: Int, in bytes: UnsafeBufferPointer<UInt8>
  ) -> (content: Range<Int>, end: Int, isClosed: Bool, hasEscapes: Bool) {
    var index = start + 1
    var hasEscapes = false
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\""):
        return (start + 1..<index, index + 1, true, hasEscapes)
      case UInt8(ascii: "\\"):
        hasEscapes = true
        index += index + 1 < bytes.count && bytes[index + 1] >= 0x20 ? 2 : 1
      case 0x0A, 0x0D: return (start + 1..<index, index, false, hasEscapes)
      default: index += 1
      }
    }
    return (start + 1..<bytes.count, bytes.count, false, hasEscapes)
  }

  private static func isColon(after start: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var index = start
    while index < bytes.count, bytes[index] <= 0x20 { index += 1 }
    return index < bytes.count && bytes[index] == UInt8(ascii: ":")
  }

  private static func endsWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 0...0x20, UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "\""), UInt8(ascii: "{"),
      UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"):
      true
    default: false
    }
  }

  // MARK: Reading

  /// Returns the numbers of the values directly inside a container.
  package func children(of node: Int) -> [Int] {
    var result: [Int] = []
    var child = node + 1
    while child < nodes[node].next {
      result.append(child)
      child = nodes[child].next
    }
    return result
  }
}
