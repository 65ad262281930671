import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

/// Writes what is left of a filter once some attributes are known.
///
/// The tree is walked from its root. A part that reads nothing but known attributes is evaluated by
/// the engine, as it is compiled in its place; the others are put together from what is left of
/// their parts.
struct FilterSimplifier {
  /// What is left of a part.
  struct Residue {
    enum Kind {
      /// The part has this value, which ``text`` spells.
      case value(Value)
      /// The part fails, as ``text`` does.
      case failure
      /// It depends on what is not known.
      case open
    }

    var kind: Kind
    var text: String
    /// Whether the value is a bool, unless the part fails.
    var isBool: Bool
    /// Whether the part may fail.
    var mayFail: Bool
    /// Whether the text has the form of the part, so that it needs no further parentheses.
    var keepsForm = false

    var value: Value? {
      if case .value(let value) = kind { value } else { nil }
    }

    var isFailure: Bool {
      if case .failure = kind { true } else { false }
    }
  }

  let tree: SyntaxTree
  let environment: FilterEnvironment
  let context: Context
  let known: KnownParts
  /// The names of the dialect's functions over values.
  private let functions: Set<String>

  var isSuperscript: Bool { tree.dialect.name == .superscript }

  /// The depth beyond which parts stay as they are.
  private static let maximumDepth = 100
  /// The longest literal that takes the place of a value, in bytes.
  private static let longestLiteral = 200

  init(
    _ tree: SyntaxTree, environment: FilterEnvironment, context: Context,
    missing: Set<AttributePath>
  ) {
    self.tree = tree
    self.environment = environment
    self.context = context
    functions = Set(environment.functionDefinitions.lazy.filter { !$0.isMacro }.map { $0.name })
    known = KnownParts(tree, environment: environment, context: context, missing: missing)
  }

  /// Returns the text of what is left.
  func simplified() -> String { residue(tree.root, 0).text }

  // MARK: Parts

  /// Returns what is left of a part.
  func residue(_ id: NodeID, _ depth: Int) -> Residue {
    if known.isClosed(id) { return evaluated(id) }
    guard depth < Self.maximumDepth else { return unchanged(id) }
    let node = tree[id]
    switch node.kind {
    case .binary where node.op == .and || node.op == .or:
      return logic(operands(of: id).map { residue($0, depth + 1) }, isAnd: node.op == .and)
    case .unary where node.op == .not || node.op == .doubleNot:
      return negation(id, residue(node.operand, depth + 1))
    case .conditional: return conditional(node, depth)
    default: return spliced(id, depth)
    }
  }

  /// A part as it is.
  func unchanged(_ id: NodeID) -> Residue {
    Residue(
      kind: .open, text: tree.source.text(of: tree[id].span), isBool: isBool(id),
      mayFail: mayFail(id), keepsForm: true)
  }

  /// A part that reads nothing unknown.
  private func evaluated(_ id: NodeID) -> Residue {
    let text = tree.source.text(of: tree[id].span)
    guard let part = try? CompiledFragment(tree, id, environment: environment) else {
      return unchanged(id)
    }
    do throws(EvaluationError) {
      let value = try part.evaluate(context)
      guard let literal = literal(of: value) else {
        // Its value is known but cannot be written.
        return Residue(kind: .open, text: text, isBool: false, mayFail: false)
      }
      return Residue(
        kind: .value(value), text: literal, isBool: value.isBool, mayFail: false)
    } catch {
      return Residue(kind: .failure, text: text, isBool: isBool(id), mayFail: true)
    }
  }

  /// Returns a text that means a value in this dialect, if there is a short one.
  private func literal(of value: Value) -> String? {
    let text = value.literal
    guard text.utf8.count <= Self.longestLiteral,
      let tree = try? parse(SourceText(text), dialect: environment.dialect),
      // A context may have a variable of the name of a type.
      !tree.nodes.contains(where: { $0.kind == .identifier }),
      let filter = try? Filter(text, environment: environment),
      let meaning = try? filter.evaluate(Context()),
      meaning == value, meaning.literal == text
    else { return nil }
    return text
  }

  // MARK: Logic

  /// Returns the operands of a run of `&&` or `||`.
  private func operands(of id: NodeID) -> [NodeID] {
    let op = tree[id].op
    var operands: [NodeID] = []
    var current = id
    while tree[current].isBinary(op) {
      operands.append(tree[current].right)
      current = tree[current].left
    }
    operands.append(current)
    return operands.reversed()
  }

  private func negation(_ id: NodeID, _ operand: Residue) -> Residue {
    let isNot = tree[id].op == .not
    switch operand.kind {
    case .failure: return operand
    case .value(let value):
      guard isSuperscript || value.isBool else { return unchanged(id) }
      return Self.bool(value.isTruthy != isNot)
    case .open:
      return Residue(
        kind: .open, text: "\(isNot ? "!" : "!!")(\(operand.text))", isBool: true,
        mayFail: operand.mayFail || !isSuperscript)
    }
  }

  private func conditional(_ node: SyntaxNode, _ depth: Int) -> Residue {
    let condition = residue(node.condition, depth + 1)
    if condition.isFailure { return condition }
    if let value = condition.value, isSuperscript || value.isBool {
      return residue(value.isTruthy ? node.consequence : node.alternative, depth + 1)
    }
    let first = residue(node.consequence, depth + 1)
    let second = residue(node.alternative, depth + 1)
    return Residue(
      kind: .open, text: "(\(condition.text)) ? (\(first.text)) : (\(second.text))",
      isBool: first.isBool && second.isBool,
      mayFail: condition.mayFail || first.mayFail || second.mayFail || !isSuperscript)
  }

  static func bool(_ value: Bool) -> Residue {
    Residue(
      kind: .value(.bool(value)), text: value ? "true" : "false", isBool: true, mayFail: false)
  }

  // MARK: Other parts

  /// Returns a part with what is left of its operands in their places.
  private func spliced(_ id: NodeID, _ depth: Int) -> Residue {
    var result = unchanged(id)
    let node = tree[id]
    let bytes = tree.source.bytes
    var text: [UInt8] = []
    var position = Int(node.span.start)
    for child in replaceable(in: id) {
      let span = tree[child].span
      let residue = residue(child, depth + 1)
      guard span.start >= position, residue.text != tree.source.text(of: span) else { continue }
      text += bytes[position..<Int(span.start)]
      text += Array((residue.keepsForm ? residue.text : "(\(residue.text))").utf8)
      position = Int(span.end)
    }
    guard !text.isEmpty || position > Int(node.span.start) else { return result }
    text += bytes[position..<Int(node.span.end)]
    result.text = String(decoding: text, as: UTF8.self)
    return result
  }

  /// Returns the operands of a part, in source order, in whose place anything of the same value
  /// means the same.
  private func replaceable(in id: NodeID) -> [NodeID] {
    let node = tree[id]
    switch node.kind {
    case .binary where isSuperscript && node.op.isComparison:
      // What a comparison means depends on how its operands are written: on whether the left one
      // is a member, and on whether the right one is a literal.
      return [node.left, node.right].filter { keepsItsForm($0) }
    case .binary: return [node.left, node.right]
    case .list, .map:
      let entries = tree.arguments(of: node)
      return entries.contains { tree[$0].kind == .optionalEntry } ? [] : entries
    case .index where !isSuperscript && !node.flags.contains(.optional):
      return [node.subscriptIndex]
    case .call: return replaceableArguments(of: node, tree.arguments(of: node))
    default: return []
    }
  }

  /// Whether what is left of a part is written in the same form as the part.
  private func keepsItsForm(_ id: NodeID) -> Bool {
    guard !known.isClosed(id) else { return false }
    switch tree[id].kind {
    case .binary: return tree[id].op != .and && tree[id].op != .or
    case .list, .map, .call: return true
    default: return false
    }
  }

  private func replaceableArguments(of node: SyntaxNode, _ arguments: [NodeID]) -> [NodeID] {
    let name = tree.name(of: node)
    if FilterOutline.Loop.Kind(rawValue: name) != nil || ["map", "filter"].contains(name),
      !environment.callsHost(name)
    {
      // The list of a loop stays, and its variable has to.
      return node.receiver != nil && arguments.count == 2 ? [arguments[1]] : []
    }
    return functions.contains(name) || environment.callsHost(name) ? arguments : []
  }

  // MARK: What is certain of a part

  private static let boolFunctions: Set<String> = [
    "startsWith", "endsWith", "contains", "matches", "all", "exists", "exists_one", "has",
  ]

  /// Whether the value of a part is a bool, unless it fails.
  private func isBool(_ id: NodeID) -> Bool {
    let node = tree[id]
    switch node.kind {
    case .boolLiteral: return true
    case .unary: return node.op == .not || node.op == .doubleNot
    case .binary: return node.op.isComparison || node.op == .and || !isSuperscript && node.op == .or
    case .call:
      let name = tree.name(of: node)
      return Self.boolFunctions.contains(name) && !environment.callsHost(name)
    default: return false
    }
  }

  /// Whether a part may fail. In cel it does not matter.
  private func mayFail(_ id: NodeID) -> Bool {
    guard isSuperscript else { return true }
    let node = tree[id]
    guard node.kind == .binary, node.op == .equal || node.op == .notEqual else {
      return !isSafeRead(id)
    }
    let (left, right) = (node.left, node.right)
    return !(tree.isLiteral(right) && isSafeRead(left) || tree.isLiteral(left) && isSafeRead(right))
  }

  /// Whether a part is a member of a root that every context has, which is null where it is
  /// missing.
  private func isSafeRead(_ id: NodeID) -> Bool {
    var current = id
    var isMember = false
    while tree[current].kind == .select {
      current = tree[current].operand
      isMember = true
    }
    return isMember && known.hasRoot(current)
  }
}

extension Value {
  fileprivate var isBool: Bool {
    if case .bool = self { true } else { false }
  }
}
