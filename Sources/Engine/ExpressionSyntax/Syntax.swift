// source ─Tokenizer▶ tokens ─Parser(Pratt)▶ [Syntax] ─Lowering▶ IR ─Compiler▶ Program ─VM▶ Value

/// The index of a node in its ``SyntaxTree``.
package struct NodeID: Sendable, Hashable, BitwiseCopyable {
  /// The index into ``SyntaxTree/nodes``.
  package var index: UInt32

  /// Creates the identifier of the node at `index`.
  @inlinable package init(_ index: UInt32) { self.index = index }
}

/// The kind of a node. The payload of each kind is described at ``SyntaxNode``.
package enum SyntaxKind: UInt8, Sendable, CaseIterable {
  /// `null`.
  case nullLiteral
  /// `true` or `false`; the value is in `payload`.
  case boolLiteral
  /// A signed integer; its two's-complement bits are in `payload`.
  case intLiteral
  /// An unsigned integer; its value is in `payload`.
  case uintLiteral
  /// A floating-point number; its IEEE 754 bits are in `payload`.
  case doubleLiteral
  /// A string; read it with ``SyntaxTree/text(of:)``.
  case stringLiteral
  /// A bytes literal; read it with ``SyntaxTree/text(of:)``.
  case bytesLiteral
  /// A name; read it with ``SyntaxTree/name(of:)``.
  case identifier
  /// `operand.name`.
  case select
  /// `operand[index]`.
  case index
  /// `name(arguments…)` or `target.name(arguments…)`.
  case call
  /// `[elements…]`.
  case list
  /// `{key: value, …}`; the children alternate between keys and values.
  case map
  /// `Name{field: value, …}`; the children alternate between identifier nodes and values.
  case message
  /// A prefix operator.
  case unary
  /// An infix operator.
  case binary
  /// `condition ? first : second`.
  case conditional
  /// `?element`, `?key` or `?field` inside a list, map or message.
  case optionalEntry
}

/// One node: a trivial type of 32 bytes that refers to its children by their indices.
///
/// Nodes are in post-order, every child before its parent, so a pass over the whole tree is a loop.
/// The meaning of the numbered fields depends on ``kind``:
///
/// | kind | `first` | `second` | `third` | `payload` |
/// |---|---|---|---|---|
/// | literals | – | – | – | the value's bits |
/// | string, bytes | – | – | – | offset (low half) and length (high half) of the raw text between the quotes |
/// | identifier | – | – | – | offset and length of the name |
/// | select | operand | – | – | offset and length of the name |
/// | index | operand | index | – | – |
/// | call | target or ``none`` | first child slot | child count | offset and length of the name |
/// | list, map, message | message: its name node | first child slot | child count | – |
/// | unary, optionalEntry | operand | – | – | – |
/// | binary | left | right | – | offset and length of the operator |
/// | conditional | condition | then | else | – |
///
/// "Child slot" is an index into ``SyntaxTree/children``.
package struct SyntaxNode: Sendable {
  /// The kind of the node.
  package var kind: SyntaxKind
  /// The notation in which the node was written; see ``Flags``.
  package var flags: Flags
  /// The operator of a unary or binary node; ``Operator/none`` otherwise.
  package var op: Operator
  /// The source text that the node covers, without parentheses around it.
  package var span: SourceSpan
  /// See the table of ``SyntaxNode``.
  package var first: UInt32
  /// See the table of ``SyntaxNode``.
  package var second: UInt32
  /// See the table of ``SyntaxNode``.
  package var third: UInt32
  /// See the table of ``SyntaxNode``.
  package var payload: UInt64

  /// The value of ``first`` for a call without a target.
  package static let none: UInt32 = .max

  /// The notation in which a node was written.
  package struct Flags: OptionSet, Sendable, Hashable {
    /// The option bits.
    package var rawValue: UInt8
    /// Creates flags from their bits.
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    /// The string or bytes literal contains escapes that must be decoded.
    package static let hasEscapes = Flags(rawValue: 1)
    /// The string or bytes literal is raw (`r"…"`).
    package static let raw = Flags(rawValue: 2)
    /// The name starts with a dot (`.name`) and is looked up in the root scope.
    package static let leadingDot = Flags(rawValue: 4)
    /// The optional form of a selection or an index (`a.?b`, `a[?b]`).
    package static let optional = Flags(rawValue: 8)
    /// The node was written in parentheses.
    package static let parenthesized = Flags(rawValue: 16)
    /// The name was written in backticks.
    package static let quotedName = Flags(rawValue: 32)
    /// The literal is delimited by three quotes.
    package static let tripleQuoted = Flags(rawValue: 64)
    /// The literal is delimited by single quotes.
    package static let singleQuoted = Flags(rawValue: 128)
  }

  /// Creates a node; the table of ``SyntaxNode`` describes the numbers.
  package init(
    kind: SyntaxKind, flags: Flags = [], op: Operator = .none, span: SourceSpan, first: UInt32 = 0,
    second: UInt32 = 0, third: UInt32 = 0, payload: UInt64 = 0
  ) {
    self.kind = kind
    self.flags = flags
    self.op = op
    self.span = span
    self.first = first
    self.second = second
    self.third = third
    self.payload = payload
  }

  /// The place of a name, an operator or the raw text of a literal, as packed into ``payload``.
  @inlinable
  package var payloadSpan: SourceSpan {
    SourceSpan(
      start: UInt32(truncatingIfNeeded: payload), length: UInt32(truncatingIfNeeded: payload >> 32))
  }
}

/// A parsed expression: its source, its nodes in post-order, and its comments.
package struct SyntaxTree: Sendable {
  /// The text that was parsed.
  package let source: SourceText
  /// The dialect in which it was parsed.
  package let dialect: Dialect
  /// All nodes, children before parents; the last one is the root.
  package let nodes: [SyntaxNode]
  /// The children of calls, lists, maps and messages, each a node index.
  package let children: [UInt32]
  /// The comments, in source order, each from `//` up to the end of its line.
  package let comments: [SourceSpan]

  /// Creates a tree. The parser maintains the invariants that the properties describe.
  package init(
    source: SourceText, dialect: Dialect, nodes: [SyntaxNode], children: [UInt32],
    comments: [SourceSpan]
  ) {
    self.source = source
    self.dialect = dialect
    self.nodes = nodes
    self.children = children
    self.comments = comments
  }

  /// The node of the whole expression.
  @inlinable package var root: NodeID { NodeID(UInt32(truncatingIfNeeded: nodes.count &- 1)) }

  /// The node with the index `id`.
  @inlinable package subscript(id: NodeID) -> SyntaxNode { nodes[Int(id.index)] }

  /// Returns the nodes in the child slots of a call, list, map or message.
  package func children(of node: SyntaxNode) -> ArraySlice<UInt32> {
    children[Int(node.second)..<(Int(node.second) + Int(node.third))]
  }

  /// Returns the span of a name or an operator, as packed into `payload`.
  package func nameSpan(of node: SyntaxNode) -> SourceSpan {
    node.payloadSpan
  }
}
