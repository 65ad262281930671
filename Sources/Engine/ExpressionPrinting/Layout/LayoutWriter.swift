import ExpressionSyntax

/// Walks a tree and writes its layout, with an explicit stack in place of recursion.
struct LayoutWriter {
  /// The work that is left.
  enum Work {
    /// Write a node that must hold at least as tightly as a power.
    case node(NodeID, minimum: UInt8)
    /// Write an item.
    case item(LayoutItem)
    /// Write text that is at an offset of the source, after the comments before it.
    case text(String, at: UInt32)
  }

  let tree: SyntaxTree
  let keepsComments: Bool
  private(set) var items: [LayoutItem] = []
  private var work: [Work] = []
  private var nextComment = 0

  init(tree: SyntaxTree, keepsComments: Bool) {
    self.tree = tree
    self.keepsComments = keepsComments
    items.reserveCapacity(tree.nodes.count * 4)
  }

  /// Writes the whole tree.
  mutating func write() {
    guard !tree.nodes.isEmpty else { return }
    work = [.node(tree.root, minimum: 0)]
    while let next = work.popLast() {
      switch next {
      case .item(let item): items.append(item)
      case .text(let text, let offset):
        writeComments(before: offset)
        items.append(.text(text))
      case .node(let id, let minimum): expand(id, minimum: minimum)
      }
    }
    writeComments(before: .max)
    moveLeadingComments()
  }

  /// Moves the comments before the first token out of the groups that start there: they must not
  /// break the lines of these groups.
  private mutating func moveLeadingComments() {
    let start = items.firstIndex { if case .text = $0 { true } else { false } } ?? items.endIndex
    var comments: [LayoutItem] = []
    var others: [LayoutItem] = []
    for item in items[..<start] {
      if case .comment = item { comments.append(item) } else { others.append(item) }
    }
    items.replaceSubrange(..<start, with: comments + others)
  }

  /// Writes the comments that start before an offset.
  private mutating func writeComments(before offset: UInt32) {
    guard keepsComments else { return }
    while nextComment < tree.comments.count, tree.comments[nextComment].start < offset {
      let span = tree.comments[nextComment]
      nextComment += 1
      var text = tree.source.text(of: span)
      while text.last?.isWhitespace == true { text.removeLast() }
      items.append(.comment(text, ownLine: startsLine(span)))
    }
  }

  /// Returns whether only white space precedes a comment on its line.
  private func startsLine(_ comment: SourceSpan) -> Bool {
    var index = Int(comment.start) - 1
    while index >= 0 {
      let byte = tree.source.bytes[index]
      if byte == 0x0A || byte == 0x0D { return true }
      if byte != 0x20, byte != 0x09 { return false }
      index -= 1
    }
    return true
  }

  private mutating func expand(_ id: NodeID, minimum: UInt8) {
    let node = tree[id]
    var parts: [Work] = []
    if power(of: node) < minimum {
      parts = [
        .item(.text("(")), .item(.begin), .item(.indent), .item(.line(flat: false, fills: false)),
      ]
      write(node, into: &parts)
      parts += [
        .item(.dedent), .item(.line(flat: false, fills: false)), .item(.end), .item(.text(")")),
      ]
    } else {
      write(node, into: &parts)
    }
    work.append(contentsOf: parts.reversed())
  }

  /// The binding power of a node; operands and postfix forms bind tightest.
  private func power(of node: SyntaxNode) -> UInt8 {
    switch node.kind {
    case .conditional: OperatorTable[.conditional].power.right
    case .binary: OperatorTable[node.op].power.left
    case .unary: OperatorTable.prefixPower.right
    default: .max
    }
  }

  private func write(_ node: SyntaxNode, into parts: inout [Work]) {
    let postfix = OperatorTable[.select].power.left
    switch node.kind {
    case .nullLiteral, .boolLiteral, .intLiteral, .uintLiteral, .doubleLiteral:
      parts.append(.text(LiteralSpelling.number(node), at: node.span.start))
    case .stringLiteral:
      let text = LiteralSpelling.string(
        tree.text(of: node), preferRaw: node.flags.contains(.raw), dialect: tree.dialect)
      parts.append(.text(text, at: node.span.start))
    case .bytesLiteral:
      let text = LiteralSpelling.bytes(tree.text(of: node))
      parts.append(.text(text, at: node.span.start))
    case .identifier:
      let dot = node.flags.contains(.leadingDot) ? "." : ""
      let name = tree.name(of: node)
      let text =
        node.flags.contains(.quotedName)
        ? LiteralSpelling.memberName(name, dialect: tree.dialect) : name
      parts.append(.text(dot + text, at: node.span.start))
    case .select:
      let dot = node.flags.contains(.optional) ? ".?" : "."
      let name = LiteralSpelling.memberName(tree.name(of: node), dialect: tree.dialect)
      parts.append(.node(node.operand, minimum: postfix))
      parts.append(.text(dot + name, at: tree.nameSpan(of: node).start))
    case .index:
      parts.append(.node(node.operand, minimum: postfix))
      let open = node.flags.contains(.optional) ? "[?" : "["
      parts += [.item(.text(open)), .item(.begin), .item(.indent)]
      parts += [.item(.line(flat: false, fills: false)), .node(node.subscriptIndex, minimum: 0)]
      parts += [.item(.dedent), .item(.line(flat: false, fills: false))]
      parts += [.item(.end), .text("]", at: node.span.end &- 1)]
    case .call: writeCall(node, postfix: postfix, into: &parts)
    case .list: writeElements(node, open: .text("[", at: node.span.start), close: "]", into: &parts)
    case .map: writeElements(node, open: .text("{", at: node.span.start), close: "}", into: &parts)
    case .message:
      parts.append(.node(node.typeName, minimum: postfix))
      writeElements(node, open: .item(.text("{")), close: "}", into: &parts)
    case .optionalEntry:
      parts += [.text("?", at: node.span.start), .node(node.operand, minimum: 0)]
    case .unary: writeUnary(node, postfix: postfix, into: &parts)
    case .binary: writeChain(node, into: &parts)
    case .conditional: writeConditional(node, into: &parts)
    }
  }

  // MARK: - Brackets

  private func writeCall(_ node: SyntaxNode, postfix: UInt8, into parts: inout [Work]) {
    var name = tree.name(of: node)
    var start = node.span.start
    if let receiver = node.receiver {
      parts.append(.node(receiver, minimum: postfix))
      name = "." + name
      start = tree.nameSpan(of: node).start
    } else if node.flags.contains(.leadingDot) {
      name = "." + name
    }
    parts.append(.text(name, at: start))
    writeElements(node, open: .item(.text("(")), close: ")", into: &parts)
  }

  /// The children of a node between brackets: on one line, or one a line, or, if all of them are
  /// literals, as many a line as fit.
  private func writeElements(
    _ node: SyntaxNode, open: Work, close: String, into parts: inout [Work]
  ) {
    let elements = tree.arguments(of: node)
    let end = node.span.end &- 1
    parts.append(open)
    guard !elements.isEmpty else {
      parts.append(.text(close, at: end))
      return
    }
    let isPaired = node.kind == .map || node.kind == .message
    let fills =
      !isPaired
      && elements.allSatisfy { tree[$0].kind.rawValue <= SyntaxKind.bytesLiteral.rawValue }
    parts += [.item(.begin), .item(.indent), .item(.line(flat: false, fills: false))]
    for (position, element) in elements.enumerated() {
      if position > 0 {
        if isPaired, position % 2 == 1 {
          parts += [.item(.text(":")), .item(.space)]
        } else {
          parts += [.item(.text(",")), .item(.line(flat: true, fills: fills))]
        }
      }
      parts.append(.node(element, minimum: 0))
    }
    parts += [.item(.dedent), .item(.line(flat: false, fills: false)), .item(.end)]
    parts.append(.text(close, at: end))
  }

  // MARK: - Operators

  private func writeUnary(_ node: SyntaxNode, postfix: UInt8, into parts: inout [Work]) {
    parts.append(.text(node.op.spelling, at: node.span.start))
    let operand = tree[node.operand]
    let mayRepeat = tree.dialect.syntactic.contains(.repeatedPrefixOperators)
    if operand.kind == .unary, operand.op == node.op, mayRepeat {
      parts.append(.node(node.operand, minimum: OperatorTable.prefixPower.right))
    } else if node.op == .negate, startsWithNumber(operand) {
      // Without parentheses the minus would become the number's sign.
      parts += [.item(.text("(")), .node(node.operand, minimum: 0), .item(.text(")"))]
    } else {
      parts.append(.node(node.operand, minimum: postfix))
    }
  }

  /// Returns whether the first token of a node is a number.
  private func startsWithNumber(_ node: SyntaxNode) -> Bool {
    var node = node
    while true {
      switch node.kind {
      case .intLiteral, .uintLiteral, .doubleLiteral: return true
      case .select, .index: node = tree[node.operand]
      case .message: node = tree[node.typeName]
      case .call:
        guard let receiver = node.receiver else { return false }
        node = tree[receiver]
      default: return false
      }
    }
  }

  /// A chain of operators of one power, `a && b && c`: one group, so all of its lines break or
  /// none.
  private func writeChain(_ node: SyntaxNode, into parts: inout [Work]) {
    let power = OperatorTable[node.op].power
    let isComparison = OperatorTable[node.op].isComparison
    let chains = !isComparison || tree.dialect.syntactic.contains(.chainedComparisons)
    var links: [SyntaxNode] = [node]
    var first = node.left
    while chains {
      let left = tree[first]
      guard left.kind == .binary, OperatorTable[left.op].power == power else { break }
      links.append(left)
      first = left.left
    }
    parts += [.item(.begin), .node(first, minimum: chains ? power.left : power.right)]
    parts.append(.item(.indent))
    for link in links.reversed() {
      parts.append(.item(isComparison ? .space : .line(flat: true, fills: false)))
      parts.append(.text(link.op.spelling, at: tree.operatorSpan(of: link).start))
      parts += [.item(.space), .node(link.right, minimum: power.right)]
    }
    parts += [.item(.dedent), .item(.end)]
  }

  /// `a ? b : c ? d : e` in one group.
  private func writeConditional(_ node: SyntaxNode, into parts: inout [Work]) {
    let inner = OperatorTable[.or].power.left
    var link = node
    parts += [.item(.begin), .node(link.condition, minimum: inner), .item(.indent)]
    parts += [.item(.line(flat: true, fills: false)), .item(.text("?")), .item(.space)]
    parts.append(.node(link.consequence, minimum: inner))
    while tree[link.alternative].kind == .conditional {
      link = tree[link.alternative]
      parts += [.item(.line(flat: true, fills: false)), .item(.text(":")), .item(.space)]
      parts += [
        .node(link.condition, minimum: inner), .item(.space), .item(.text("?")), .item(.space),
      ]
      parts.append(.node(link.consequence, minimum: inner))
    }
    parts += [.item(.line(flat: true, fills: false)), .item(.text(":")), .item(.space)]
    parts += [.node(link.alternative, minimum: 0), .item(.dedent), .item(.end)]
  }
}
