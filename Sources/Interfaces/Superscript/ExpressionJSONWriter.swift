import ExpressionCoding
import ExpressionSyntax

/// Writes a syntax tree of the superscript dialect as ``ExpressionJSON``.
struct ExpressionJSONWriter {
  private enum Work {
    case node(NodeID)
    case name(SyntaxNode)
    case null
    case beginArray
    case endArray
    /// Ends the array of a node's value and the node.
    case endNode
    /// Ends an object.
    case endObject
    case beginObject(String, isArray: Bool)
    /// An object with only a type.
    case bare(String)
  }

  private let tree: SyntaxTree
  private var writer = JSONWriter()
  private var work: [Work] = []

  private init(_ tree: SyntaxTree) { self.tree = tree }

  /// Returns the JSON text of a tree.
  ///
  /// - Complexity: O(n) in the number of nodes, without recursion.
  static func text(_ tree: SyntaxTree) -> String {
    var writer = ExpressionJSONWriter(tree)
    writer.write()
    return writer.writer.text
  }

  private mutating func write() {
    work = [.node(tree.root)]
    while let next = work.popLast() {
      switch next {
      case .node(let id): node(tree[id])
      case .name(let node): writer.string(tree.name(of: node))
      case .null: writer.null()
      case .beginArray: writer.beginArray()
      case .endArray: writer.endArray()
      case .endNode:
        writer.endArray()
        writer.endObject()
      case .endObject: writer.endObject()
      case .beginObject(let type, let isArray): begin(type, isArray: isArray)
      case .bare(let type): bare(type)
      }
    }
  }

  /// Schedules `items`, which are written in their order.
  private mutating func later(_ items: [Work]) { work.append(contentsOf: items.reversed()) }

  private mutating func begin(_ type: String, isArray: Bool) {
    writer.beginObject()
    writer.key("type")
    writer.string(type)
    writer.key("value")
    if isArray { writer.beginArray() }
  }

  private mutating func begin(_ type: ExpressionJSON.NodeType) {
    begin(type.rawValue, isArray: true)
  }

  /// Writes an object with only a type, such as an operator.
  private mutating func bare(_ type: String) {
    writer.beginObject()
    writer.key("type")
    writer.string(type)
    writer.endObject()
  }

  private mutating func node(_ node: SyntaxNode) {
    switch node.kind {
    case .nullLiteral, .boolLiteral, .intLiteral, .uintLiteral, .doubleLiteral, .stringLiteral,
      .bytesLiteral:
      atom(node)
    case .identifier: identifier(node)
    case .select:
      begin(.member)
      later([
        .node(node.operand),
        .beginObject(ExpressionJSON.MemberType.attribute.rawValue, isArray: false),
        .name(node), .endObject, .endNode,
      ])
    case .index:
      begin(.member)
      later([
        .node(node.operand), .beginObject(ExpressionJSON.MemberType.index.rawValue, isArray: false),
        .node(node.subscriptIndex), .endObject, .endNode,
      ])
    case .message:
      begin(.member)
      later(
        [
          .node(node.typeName),
          .beginObject(ExpressionJSON.MemberType.fields.rawValue, isArray: true),
        ]
          + pairs(node, areNames: true) + [.endNode, .endNode])
    case .call: call(node)
    case .list:
      begin(.list)
      later(tree.arguments(of: node).map { .node($0) } + [.endNode])
    case .map:
      begin(.map)
      later(pairs(node, areNames: false) + [.endNode])
    case .unary: unary(node)
    case .binary: binary(node)
    case .conditional:
      begin(.ternary)
      later([.node(node.condition), .node(node.consequence), .node(node.alternative), .endNode])
    case .optionalEntry:
      // The dialect has no optionals; the parser creates such nodes only for cel.
      later([.node(node.operand)])
    }
  }

  private mutating func identifier(_ node: SyntaxNode) {
    begin(ExpressionJSON.NodeType.identifier.rawValue, isArray: false)
    writer.string(tree.name(of: node))
    writer.endObject()
  }

  private mutating func call(_ node: SyntaxNode) {
    begin(.functionCall)
    identifier(node)
    later(
      [node.receiver.map { .node($0) } ?? .null, .beginArray]
        + tree.arguments(of: node).map { .node($0) } + [.endArray, .endNode])
  }

  private func pairs(_ node: SyntaxNode, areNames: Bool) -> [Work] {
    var items: [Work] = []
    for (position, child) in tree.arguments(of: node).enumerated() {
      let isKey = position % 2 == 0
      if isKey { items.append(.beginArray) }
      items.append(isKey && areNames ? .name(tree[child]) : .node(child))
      if !isKey { items.append(.endArray) }
    }
    return items
  }

  private mutating func unary(_ node: SyntaxNode) {
    begin(.unary)
    bare(name(of: node.op))
    later([.node(node.operand), .endNode])
  }

  private mutating func binary(_ node: SyntaxNode) {
    switch node.op {
    case .and, .or:
      begin(node.op == .and ? .and : .or)
      later([.node(node.left), .node(node.right), .endNode])
    default:
      begin(node.op.info.isComparison ? .relation : .arithmetic)
      let name = name(of: node.op)
      // The left operand is written before the operator, so the operator is scheduled too.
      later([.node(node.left), .bare(name), .node(node.right), .endNode])
    }
  }

  private func name(of op: Operator) -> String {
    ExpressionJSON.operatorNames.first { $0.op == op }?.name ?? op.spelling
  }

  private mutating func atom(_ node: SyntaxNode) {
    begin(ExpressionJSON.NodeType.atom.rawValue, isArray: false)
    defer { writer.endObject() }
    func tagged(_ type: ExpressionJSON.AtomType, _ write: (inout JSONWriter) -> Void) {
      writer.beginObject()
      writer.key("type")
      writer.string(type.rawValue)
      writer.key("value")
      write(&writer)
      writer.endObject()
    }
    switch node.kind {
    case .boolLiteral: tagged(.bool) { $0.bool(node.payload != 0) }
    case .intLiteral: tagged(.int) { $0.int(Int64(bitPattern: node.payload)) }
    case .uintLiteral: tagged(.uint) { $0.uint(node.payload) }
    case .doubleLiteral:
      let value = Double(bitPattern: node.payload)
      tagged(.float) { writer in
        if value.isInfinite {
          writer.string((value < 0 ? "-" : "") + ExpressionJSON.infinity)
        } else {
          writer.double(value)
        }
      }
    case .stringLiteral: tagged(.string) { $0.string(tree.string(of: node)) }
    case .bytesLiteral:
      tagged(.bytes) { writer in
        writer.beginArray()
        for octet in tree.text(of: node) { writer.int(Int64(octet)) }
        writer.endArray()
      }
    default: bare(ExpressionJSON.AtomType.null.rawValue)
    }
  }
}
