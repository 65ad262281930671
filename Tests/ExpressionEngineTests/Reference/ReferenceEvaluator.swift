@testable import ExpressionEngine
@testable import ExpressionSyntax

/// The meaning of the superscript dialect as a plain walk over the syntax tree: the executable
/// specification that the compiler and the machine are held against.
///
/// It is written from `docs/spec/superscript.md`; the sections in the comments are that document's.
/// It favours being evidently right over being fast: values are the public ``Value``, nothing is
/// rewritten beforehand, every rule stands where it applies. Only the primitives for the text of
/// numbers, times and regular expressions are the engine's own.
///
/// The tree walk recurses as deep as the tree is; run it on a thread with a large stack.
struct ReferenceEvaluator {
  /// What came out of an evaluation.
  enum Outcome {
    case value(Value)
    case error
  }

  /// How the reference rewrites the place where a node stands before it evaluates it.
  enum Mode {
    /// Members that are missing are null (§2).
    case safe
    /// Inside `has` and `hasFn`: a missing member is an error (§3).
    case raw
    /// Inside index brackets, and in a member left of a comparison: nothing is rewritten (§2.1).
    case verbatim
  }

  let tree: SyntaxTree
  let environment: FilterEnvironment
  let variables: [String: Value]
  /// Loop variables, innermost last.
  var scope: [(name: String, value: Value)] = []
  /// Set when the outcome hangs on the order of a map's keys, which nothing prescribes.
  var dependsOnKeyOrder = false

  init(_ tree: SyntaxTree, environment: FilterEnvironment, variables: [String: Value]) {
    self.tree = tree
    self.environment = environment
    self.variables = variables.mapValues(\.normalized)
  }

  /// Evaluates the whole expression: some errors are reported as null (§15).
  mutating func run() -> Outcome {
    do {
      return .value(try evaluate(tree.root.index, .safe))
    } catch {
      return error.isReportedAsNull ? .value(.null) : .error
    }
  }

  /// Evaluates one node.
  mutating func evaluate(_ id: UInt32, _ mode: Mode) throws(ReferenceFailure) -> Value {
    let node = tree.nodes[Int(id)]
    switch node.kind {
    case .nullLiteral: return .null
    case .boolLiteral: return .bool(node.payload != 0)
    case .intLiteral: return .int(Int64(bitPattern: node.payload))
    case .uintLiteral: return .uint(node.payload)
    case .doubleLiteral: return .double(Double(bitPattern: node.payload))
    case .bytesLiteral: return .bytes(tree.text(of: node))
    case .stringLiteral:
      // A literal that spells a bool is one, except where nothing is rewritten (§4).
      let text = Value.string(tree.string(of: node))
      return mode == .verbatim ? text : text.normalized
    case .identifier: return try identifier(tree.name(of: node))
    case .select, .index: return try access(node, mode)
    case .call: return try call(node, mode)
    case .list:
      var elements: [Value] = []
      for child in tree.children(of: node) { elements.append(try evaluate(child, mode)) }
      return .list(elements)
    case .map: return try map(node, mode)
    case .message:
      // `Name{…}` has no meaning, but its name is evaluated first (§9).
      _ = try evaluate(node.first, mode)
      throw .quotingSource(literals(below: tree.children(of: node)))
    case .unary: return try ReferenceOperators.unary(node.op, evaluate(node.first, mode))
    case .binary: return try binary(node, mode)
    case .conditional:
      let condition = try evaluate(node.first, mode)
      return try evaluate(condition.isTruthy ? node.second : node.third, mode)
    case .optionalEntry: throw .other
    }
  }

  private mutating func map(
    _ node: SyntaxNode, _ mode: Mode
  ) throws(ReferenceFailure) -> Value {
    var entries: [Value.Key: Value] = [:]
    let children = Array(tree.children(of: node))
    for index in stride(from: 0, to: children.count - 1, by: 2) {
      let value = try evaluate(children[index], mode)
      guard let key = Value.Key(value) else { throw .quoting([value]) }
      // Of equal keys the last one wins (§9).
      entries[key] = try evaluate(children[index + 1], mode)
    }
    return .map(entries)
  }

  private mutating func binary(
    _ node: SyntaxNode, _ mode: Mode
  ) throws(ReferenceFailure) -> Value {
    switch node.op {
    case .and:
      // Never short-circuits, and always answers a bool (§8).
      let left = try evaluate(node.first, mode)
      let right = try evaluate(node.second, mode)
      return .bool(left.isTruthy && right.isTruthy)
    case .or:
      // Answers the operand that decided (§8).
      let left = try evaluate(node.first, mode)
      return left.isTruthy ? left : try evaluate(node.second, mode)
    case .equal, .notEqual, .less, .lessEqual, .greater, .greaterEqual, .in:
      return .bool(try comparison(node, mode))
    default:
      let left = try evaluate(node.first, mode)
      let right = try evaluate(node.second, mode)
      return try ReferenceOperators.arithmetic(node.op, left, right)
    }
  }

  /// The string literals of pieces of the expression that an error's text quotes.
  func literals(below roots: some Sequence<UInt32>) -> [String] {
    var found: [String] = []
    var waiting = Array(roots)
    while let id = waiting.popLast() {
      let node = tree.nodes[Int(id)]
      if node.kind == .stringLiteral { found.append(tree.string(of: node)) }
      tree.forEachChild(of: node) { waiting.append($0) }
    }
    return found
  }
}

extension Value {
  /// The value as the reference reads it from its variables: strings that spell a bool are bools,
  /// at any depth but not as keys, and instants are whole seconds (§1, §4).
  var normalized: Value {
    switch self {
    case .string("true"): .bool(true)
    case .string("false"): .bool(false)
    case .timestamp(let instant): .int(instant.seconds)
    case .list(let elements): .list(elements.map(\.normalized))
    case .map(let entries): .map(entries.mapValues(\.normalized))
    default: self
    }
  }
}
