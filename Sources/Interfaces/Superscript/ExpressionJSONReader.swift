import ExpressionCoding
import ExpressionEngine
import ExpressionPrinting
import ExpressionSyntax

/// Reads ``ExpressionJSON`` into a syntax tree of the superscript dialect.
///
/// The tree's source is the expression written out in full, so that errors have a place to point
/// at. Names and string literals refer to it as in a parsed source, but may contain text that no
/// source could.
struct ExpressionJSONReader {
  /// The reason why a JSON text is not an expression.
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  private typealias JSON = ExpressionJSON

  private enum Work {
    case expression(Value)
    case text(String)
    /// An identifier node for the name of a field.
    case fieldName(String)
    /// The name of a call and its arguments.
    case arguments(String, [Value], Node)
    /// Creates a node from the results before it.
    case make(Node)
  }

  /// A node whose parts are still being read.
  private struct Node {
    var kind: SyntaxKind
    var op = Operator.none
    var name = SourceSpan(start: 0, length: 0)
    /// The offset of the start in the text.
    var start: UInt32
    /// The number of operands. If `hasTarget` is set, the first of them is the target, not an
    /// element of the child list.
    var count: Int
    var hasTarget = false
    /// The text that closes the node.
    var closing = ""
    /// A name that is written after the operand before it.
    var memberName: String?
  }

  private var text: [UInt8] = []
  private var nodes: [SyntaxNode] = []
  private var children: [UInt32] = []
  private var work: [Work] = []
  /// The nodes that wait for their parents.
  private var results: [UInt32] = []
  private let limit: Int

  private init(limit: Int) { self.limit = limit }

  /// Reads an expression.
  ///
  /// - Parameters:
  ///   - json: The JSON text.
  ///   - limits: The limits of the expression's length when written out.
  /// - Complexity: O(n) in the length of the text, without recursion.
  static func read(
    _ json: String, limits: ParserLimits = .standard
  ) throws(Failure) -> SyntaxTree {
    let value: Value
    do {
      value = try Value(
        json: json,
        reading: .init(duplicates: .error, maximumDepth: ExpressionJSON.maximumDepth))
    } catch {
      throw Failure(description: error.description)
    }
    var reader = ExpressionJSONReader(limit: limits.sourceLength)
    return try reader.read(value)
  }

  private mutating func read(_ value: Value) throws(Failure) -> SyntaxTree {
    work = [.expression(value)]
    while let next = work.popLast() {
      guard text.count <= limit else {
        throw Failure(description: "the expression is longer than \(limit) bytes")
      }
      switch next {
      case .expression(let value): try expression(value)
      case .text(let piece): text.append(contentsOf: piece.utf8)
      case .fieldName(let name): identifier(name)
      case .arguments(let name, let values, var node):
        node.name = write(name.utf8)
        text.append(UInt8(ascii: "("))
        later(separated(values.map { [.expression($0)] }) + [.make(node)])
      case .make(let node): make(node)
      }
    }
    return SyntaxTree(
      source: SourceText(bytes: text), dialect: .superscript, nodes: nodes, children: children,
      comments: [])
  }

  // MARK: Making nodes

  private var position: UInt32 { UInt32(truncatingIfNeeded: text.count) }

  private func span(from start: UInt32) -> SourceSpan {
    SourceSpan(start: start, length: position &- start)
  }

  private func packed(_ span: SourceSpan) -> UInt64 {
    UInt64(span.start) | UInt64(span.length) << 32
  }

  /// Writes a name, a text or bytes, and returns the place.
  private mutating func write(_ bytes: some Sequence<UInt8>) -> SourceSpan {
    let start = position
    text.append(contentsOf: bytes)
    return span(from: start)
  }

  private mutating func add(_ node: SyntaxNode) {
    results.append(UInt32(truncatingIfNeeded: nodes.count))
    nodes.append(node)
  }

  private mutating func identifier(_ name: String) {
    let span = write(name.utf8)
    add(SyntaxNode(kind: .identifier, span: span, payload: packed(span)))
  }

  private mutating func make(_ node: Node) {
    var node = node
    if let name = node.memberName { node.name = write(name.utf8) }
    text.append(contentsOf: node.closing.utf8)
    let operands = Array(results.suffix(node.count))
    results.removeLast(operands.count)
    var made = SyntaxNode(
      kind: node.kind, op: node.op, span: span(from: node.start), payload: packed(node.name))
    switch node.kind {
    case .call, .list, .map, .message:
      var listed = operands[...]
      made.first = node.kind == .call ? SyntaxNode.none : 0
      if node.hasTarget, let first = listed.popFirst() { made.first = first }
      made.second = UInt32(truncatingIfNeeded: children.count)
      made.third = UInt32(truncatingIfNeeded: listed.count)
      children.append(contentsOf: listed)
    default:
      if operands.count > 0 { made.first = operands[0] }
      if operands.count > 1 { made.second = operands[1] }
      if operands.count > 2 { made.third = operands[2] }
    }
    add(made)
  }

  /// Schedules `items`, which are processed in their order.
  private mutating func later(_ items: [Work]) { work.append(contentsOf: items.reversed()) }

  // MARK: Nodes

  private mutating func expression(_ value: Value) throws(Failure) {
    let (name, content) = try tagged(value, "an expression")
    guard let type = JSON.NodeType(rawValue: name) else {
      throw Failure(description: "unknown expression `\(name)`")
    }
    guard let content else {
      throw Failure(description: "`\(name)` has no `value`")
    }
    let start = position
    switch type {
    case .identifier: identifier(try string(content, name))
    case .atom: try atom(content)
    case .list:
      let elements = try list(content, name)
      text.append(UInt8(ascii: "["))
      later(
        separated(elements.map { [.expression($0)] })
          + [.make(Node(kind: .list, start: start, count: elements.count, closing: "]"))])
    case .map:
      let entries = try list(content, name).map { (pair) throws(Failure) -> [Work] in
        let parts = try list(pair, "a map entry", count: 2)
        return [.expression(parts[0]), .text(": "), .expression(parts[1])]
      }
      text.append(UInt8(ascii: "{"))
      later(
        separated(entries)
          + [.make(Node(kind: .map, start: start, count: 2 * entries.count, closing: "}"))])
    case .ternary:
      let parts = try list(content, name, count: 3)
      text.append(UInt8(ascii: "("))
      later([
        .expression(parts[0]), .text(" ? "), .expression(parts[1]), .text(" : "),
        .expression(parts[2]),
        .make(Node(kind: .conditional, start: start, count: 3, closing: ")")),
      ])
    case .or, .and:
      let parts = try list(content, name, count: 2)
      binary(type == .or ? .or : .and, parts[0], parts[1])
    case .arithmetic, .relation:
      let parts = try list(content, name, count: 3)
      binary(try `operator`(parts[1], of: type), parts[0], parts[2])
    case .unary:
      let parts = try list(content, name, count: 2)
      let op = try `operator`(parts[0], of: type)
      text.append(contentsOf: op.spelling.utf8)
      later([.expression(parts[1]), .make(Node(kind: .unary, op: op, start: start, count: 1))])
    case .member: try member(content)
    case .functionCall: try call(content)
    }
  }

  private mutating func binary(_ op: Operator, _ left: Value, _ right: Value) {
    let start = position
    text.append(UInt8(ascii: "("))
    later([
      .expression(left), .text(" \(op.spelling) "), .expression(right),
      .make(Node(kind: .binary, op: op, start: start, count: 2, closing: ")")),
    ])
  }

  private func `operator`(
    _ value: Value, of node: ExpressionJSON.NodeType
  ) throws(Failure) -> Operator {
    let (name, _) = try tagged(value, "an operator")
    guard let row = JSON.operatorNames.first(where: { $0.name == name && $0.node == node }) else {
      throw Failure(description: "`\(name)` is not an operator of `\(node.rawValue)`")
    }
    return row.op
  }

  private mutating func member(_ content: Value) throws(Failure) {
    let parts = try list(content, "Member", count: 2)
    let (name, member) = try tagged(parts[1], "a member")
    guard let type = JSON.MemberType(rawValue: name), let member else {
      throw Failure(description: "`\(name)` is not a member")
    }
    let start = position
    switch type {
    case .attribute:
      var node = Node(kind: .select, start: start, count: 1)
      node.memberName = try string(member, name)
      later([.expression(parts[0]), .text("."), .make(node)])
    case .index:
      later([
        .expression(parts[0]), .text("["), .expression(member),
        .make(Node(kind: .index, start: start, count: 2, closing: "]")),
      ])
    case .fields:
      let fields = try list(member, name).map { (pair) throws(Failure) -> [Work] in
        let parts = try list(pair, "a field", count: 2)
        return [.fieldName(try string(parts[0], "a field")), .text(": "), .expression(parts[1])]
      }
      let node = Node(
        kind: .message, start: start, count: 1 + 2 * fields.count, hasTarget: true, closing: "}")
      later([.expression(parts[0]), .text("{")] + separated(fields) + [.make(node)])
    }
  }

  /// Reads a call. Its callee is a name or, for methods as the reference's documentation writes
  /// them, an attribute.
  private mutating func call(_ content: Value) throws(Failure) {
    let parts = try list(content, "FunctionCall", count: 3)
    let arguments = try list(parts[2], "the arguments of a call")
    // Written as a statement, because `nil` in a conditional would be the value null.
    var target: Value?
    if parts[1] != .null { target = parts[1] }
    let (type, callee) = try tagged(parts[0], "a callee")
    let name: String
    if type == JSON.NodeType.identifier.rawValue, let callee {
      name = try string(callee, type)
    } else if type == JSON.NodeType.member.rawValue, let callee, target == nil {
      let member = try list(callee, type, count: 2)
      let (kind, attribute) = try tagged(member[1], "a member")
      guard kind == JSON.MemberType.attribute.rawValue, let attribute else {
        throw Failure(description: "only names can be called")
      }
      target = member[0]
      name = try string(attribute, kind)
    } else {
      throw Failure(description: "only names can be called")
    }
    var node = Node(kind: .call, start: position, count: arguments.count, closing: ")")
    var items: [Work] = []
    if let target {
      node.count += 1
      node.hasTarget = true
      items += [.expression(target), .text(".")]
    }
    items.append(.arguments(name, arguments, node))
    later(items)
  }

  private func separated(_ items: [[Work]]) -> [Work] {
    var result: [Work] = []
    for (index, item) in items.enumerated() {
      if index > 0 { result.append(.text(", ")) }
      result += item
    }
    return result
  }
}

// MARK: - Atoms and the parts of JSON

extension ExpressionJSONReader {
  private mutating func atom(_ value: Value) throws(Failure) {
    let (name, content) = try tagged(value, "an atom")
    guard let type = JSON.AtomType(rawValue: name) else {
      throw Failure(description: "unknown atom `\(name)`")
    }
    switch (type, content) {
    case (.null, nil), (.null, .null): literal(.nullLiteral, "null", bits: 0)
    case (.bool, .bool(let value)):
      literal(.boolLiteral, value ? "true" : "false", bits: value ? 1 : 0)
    case (.int, .int(let value)):
      literal(.intLiteral, "\(value)", bits: UInt64(bitPattern: value))
    case (.uint, .int(let value)) where value >= 0:
      literal(.uintLiteral, "\(value)u", bits: UInt64(bitPattern: value))
    case (.uint, .uint(let value)): literal(.uintLiteral, "\(value)u", bits: value)
    case (.float, .double(let value)): float(value)
    case (.float, .int(let value)): float(Double(value))
    case (.float, .uint(let value)): float(Double(value))
    case (.float, .string(JSON.infinity)): float(.infinity)
    case (.float, .string("-" + JSON.infinity)): float(-.infinity)
    case (.string, .string(let value)): quoted(.stringLiteral, "\"", value.utf8)
    case (.bytes, .list(let values)):
      quoted(.bytesLiteral, "b\"", try values.map { (value) throws(Failure) in try octet(value) })
    default:
      throw Failure(
        description: "the atom `\(name)` cannot hold "
          + (content.map { "a \($0.kindName)" } ?? "nothing"))
    }
  }

  private mutating func float(_ value: Double) {
    literal(.doubleLiteral, LiteralSpelling.double(value), bits: value.bitPattern)
  }

  private mutating func literal(_ kind: SyntaxKind, _ spelling: String, bits: UInt64) {
    add(SyntaxNode(kind: kind, span: write(spelling.utf8), payload: bits))
  }

  private mutating func quoted(
    _ kind: SyntaxKind, _ opening: String, _ content: some Sequence<UInt8>
  ) {
    let start = position
    text.append(contentsOf: opening.utf8)
    let span = write(content)
    text.append(UInt8(ascii: "\""))
    add(SyntaxNode(kind: kind, span: self.span(from: start), payload: packed(span)))
  }

  private func octet(_ value: Value) throws(Failure) -> UInt8 {
    guard case .int(let number) = value, let octet = UInt8(exactly: number) else {
      throw Failure(description: "bytes are integers from 0 to 255")
    }
    return octet
  }

  /// Returns the type and the value of `{"type": …, "value": …}`, or of a sequence of the two.
  private func tagged(
    _ value: Value, _ what: String
  ) throws(Failure) -> (type: String, content: Value?) {
    switch value {
    case .map(let entries):
      guard case .string(let type)? = entries["type"] else { break }
      return (type, entries["value"])
    case .list(let parts) where parts.count == 1 || parts.count == 2:
      guard case .string(let type) = parts[0] else { break }
      return (type, parts.count == 2 ? parts[1] : nil)
    default: break
    }
    throw Failure(
      description: "expected \(what) with a `type`, found a \(value.kindName)")
  }

  private func string(_ value: Value, _ what: String) throws(Failure) -> String {
    guard case .string(let text) = value else {
      throw Failure(description: "\(what) needs a string, not a \(value.kindName)")
    }
    return text
  }

  private func list(
    _ value: Value, _ what: String, count: Int? = nil
  ) throws(Failure) -> [Value] {
    guard case .list(let values) = value else {
      throw Failure(description: "\(what) needs a list, not a \(value.kindName)")
    }
    if let count, values.count != count {
      throw Failure(description: "\(what) needs \(count) parts, not \(values.count)")
    }
    return values
  }
}
