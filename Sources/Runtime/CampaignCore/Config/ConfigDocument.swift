public import ExpressionEngine

/// The JSON of a config, checked and indexed. Decode it with ``ConfigDecoder`` or load it into a
/// `Matcher`.
///
/// The index is a row of nodes in document order, so that decoding makes nothing but the config itself.
public struct ConfigDocument: Sendable {
  /// A value, or the name of a member, after which its value follows.
  struct Node {
    /// The kind of node; `end` is a value that JSON does not have.
    let kind: JSONToken
    /// The length of a text in bytes.
    var count: UInt32 = 0
    /// Where a text starts, the bits of a number, or the node after the content of a container.
    var payload: UInt64 = 0
  }

  /// How deep containers are indexed, deeper than the format goes. Nobody reads those within, so that
  /// they count as empty.
  private static let maximumDepth = 16

  private(set) var nodes: [Node] = []
  /// The bytes of the texts: the JSON, and after it the strings that have escapes there.
  private(set) var bytes: [UInt8] = []

  /// Reads a document.
  ///
  /// - Throws: `JSONError` if the text is not one document of RFC 8259. A byte order mark may precede it.
  /// - Complexity: O(n); the nesting does not use the stack.
  public init(json text: String) throws(JSONError) {
    self = try text.withJSONBytes { (bytes) throws(JSONError) in try Self(json: bytes) }
  }

  /// Reads a document in UTF-8; see `init(json:)-(String)`.
  public init(json text: UnsafeBufferPointer<UInt8>) throws(JSONError) {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let start = text.starts(with: mark) ? mark.count : 0
    do throws(JSONError) {
      try scan(UnsafeBufferPointer(rebasing: text[start...]))
    } catch {
      var error = error
      error.offset += start
      throw error
    }
  }

  /// Takes over a value, as if it had been read from JSON.
  public init(_ value: Value) {
    add(value, depth: 0)
  }

  // MARK: Making nodes

  private mutating func scan(_ text: UnsafeBufferPointer<UInt8>) throws(JSONError) {
    bytes = Array(text)
    nodes.reserveCapacity(text.count / 12)
    var scanner = JSONScanner(text)
    var open: [Int] = []
    while true {
      let token = try scanner.nextToken()
      switch token {
      case .key, .string:
        let string = scanner.stringBytes
        if let start = string.baseAddress, let origin = text.baseAddress,
          !scanner.stringIsInScratch
        {
          add(token, textAt: start - origin, count: string.count)
        } else {
          add(token, text: string)
        }
      case .int, .uint: add(token, UInt64(bitPattern: scanner.intValue))
      case .double: add(token, scanner.doubleValue.bitPattern)
      case .true, .false, .null: add(token)
      case .beginObject, .beginArray:
        open.append(nodes.count)
        add(token)
        guard open.count > Self.maximumDepth else { continue }
        try scanner.skipRest(of: token)
        close(open.popLast())
      case .endObject, .endArray: close(open.popLast())
      case .end: return
      }
    }
  }

  private mutating func add(_ value: Value, depth: Int) {
    switch value {
    case .null: add(.null)
    case .bool(let flag): add(flag ? .true : .false)
    case .int(let number): add(.int, UInt64(bitPattern: number))
    case .uint(let number): add(.uint, number)
    case .double(let number): add(.double, number.bitPattern)
    case .string(let text): add(.string, text: text.utf8)
    case .list(let elements):
      let start = nodes.count
      add(.beginArray)
      if depth < Self.maximumDepth { for element in elements { add(element, depth: depth + 1) } }
      close(start)
    case .map(let entries):
      let start = nodes.count
      add(.beginObject)
      if depth < Self.maximumDepth {
        for case (.string(let name), let value) in entries {
          add(.key, text: name.utf8)
          add(value, depth: depth + 1)
        }
      }
      close(start)
    default: add(.end)
    }
  }

  private mutating func add(_ kind: JSONToken, _ payload: UInt64 = 0) {
    nodes.append(Node(kind: kind, payload: payload))
  }

  private mutating func add(_ kind: JSONToken, text: some Collection<UInt8>) {
    add(kind, textAt: bytes.count, count: text.count)
    bytes += text
  }

  private mutating func add(_ kind: JSONToken, textAt start: Int, count: Int) {
    nodes.append(Node(kind: kind, count: UInt32(clamping: count), payload: UInt64(start)))
  }

  /// Ends the container that begins at a node.
  private mutating func close(_ start: Int?) {
    if let start { nodes[start].payload = UInt64(nodes.count) }
  }

  // MARK: Reading nodes

  /// The node after a value.
  @inline(__always)
  func end(of node: Int) -> Int {
    switch nodes[node].kind {
    case .beginObject, .beginArray: Int(nodes[node].payload)
    default: node + 1
    }
  }

  /// The bytes of a string or of the name of a member.
  @inline(__always)
  func withText<Result>(
    of node: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    let start = Int(nodes[node].payload)
    return bytes.withUnsafeBufferPointer {
      body(UnsafeBufferPointer(rebasing: $0[start..<start + Int(nodes[node].count)]))
    }
  }

  func text(of node: Int) -> String { withText(of: node) { String(decoding: $0, as: UTF8.self) } }

  func int(of node: Int) -> Int64 { Int64(bitPattern: nodes[node].payload) }

  func uint(of node: Int) -> UInt64 { nodes[node].payload }

  func double(of node: Int) -> Double { Double(bitPattern: nodes[node].payload) }

  /// The kind of a value in the words of JSON, with short scalars spelled out.
  func description(of node: Int) -> String {
    switch nodes[node].kind {
    case .null: return "null"
    case .true: return "true"
    case .false: return "false"
    case .int: return "number \(int(of: node))"
    case .uint: return "number \(uint(of: node))"
    case .double: return "number \(double(of: node))"
    case .string: return nodes[node].count <= 40 ? "string \"\(text(of: node))\"" : "a string"
    case .beginArray: return "an array"
    case .beginObject: return "an object"
    default: return "a value that JSON does not have"
    }
  }

  /// Where a value is, such as `trigger_options[0].rules[2]`, in the spelling that `naming` says.
  func path(of target: Int, naming: PathNaming) -> String {
    var path = ""
    var container = 0
    while container < target {
      let isObject = nodes[container].kind == .beginObject
      var index = 0
      var child = container + 1
      if isObject { child += 1 }
      while end(of: child) <= target {
        child = end(of: child) + (isObject ? 1 : 0)
        index += 1
      }
      if isObject {
        let name = text(of: child - 1)
        path += (path.isEmpty ? "" : ".") + (naming.isVerbatim ? name : MemberName.snakeCased(name))
      } else {
        path += "[\(index)]"
      }
      container = child
    }
    return path.isEmpty ? naming.root : path
  }
}
