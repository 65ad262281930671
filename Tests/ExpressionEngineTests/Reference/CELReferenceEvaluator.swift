@testable import ExpressionEngine
@testable import ExpressionSyntax

/// Why an expression of the cel dialect has no value.
struct CELReferenceFailure: Error {
  let code: FailureCode

  init(_ code: FailureCode) { self.code = code }
}

/// The meaning of the cel dialect as a plain walk over the syntax tree: the executable
/// specification that lowering, compiler and machine are held against.
///
/// It is written from `docs/spec/cel.md`; the sections in the comments are that document's. Values
/// are the public ``Value``, nothing is rewritten beforehand, every rule stands where it applies.
/// The bodies of library functions are the registry's own; which function is called, with which
/// arguments and in which order, is decided here.
///
/// The walk recurses as deep as the tree is; run it on a thread with a large stack. Only
/// expressions that compile are its business: malformed macros have been refused before.
struct CELReferenceEvaluator {
  /// What came out of an evaluation.
  enum Outcome {
    case value(Value)
    case failure(FailureCode)
  }

  /// A name in scope and what it stands for.
  struct Binding {
    let name: String
    let content: Content

    enum Content {
      case value(Value)
      /// A value that is evaluated when it is needed, and only once (§16).
      case deferred(Deferred)
    }
  }

  /// A part of the expression that waits to be evaluated, with what was in scope around it.
  final class Deferred {
    let node: UInt32
    let scope: [Binding]
    var outcome: Outcome?

    init(_ node: UInt32, in scope: [Binding]) {
      self.node = node
      self.scope = scope
    }
  }

  let tree: SyntaxTree
  let environment: FilterEnvironment
  let variables: [String: Value]
  let library: FunctionLibrary
  /// The prefixes that the container adds to names, the longest first, the empty one last (§3).
  let prefixes: [String]
  /// Innermost last.
  var scope: [Binding] = []
  /// Set when the outcome hangs on the order of a map's keys, which nothing prescribes.
  var dependsOnKeyOrder = false
  /// The signatures of the overloads and macros that were called with arguments that they take.
  var called: Set<String> = []

  init(_ tree: SyntaxTree, environment: FilterEnvironment, variables: [String: Value]) {
    self.tree = tree
    self.environment = environment
    self.variables = variables
    library = .cel(environment.libraries)
    let parts = environment.container.split(separator: ".")
    prefixes = (0...parts.count).reversed().map { count in
      parts.prefix(count).map { "\($0)." }.joined()
    }
  }

  /// Evaluates the whole expression.
  mutating func run() -> Outcome {
    do throws(CELReferenceFailure) {
      return .value(try evaluate(tree.root.index))
    } catch {
      return .failure(error.code)
    }
  }

  /// Evaluates one node.
  mutating func evaluate(_ id: UInt32) throws(CELReferenceFailure) -> Value {
    let node = tree.nodes[Int(id)]
    switch node.kind {
    case .nullLiteral: return .null
    case .boolLiteral: return .bool(node.payload != 0)
    case .intLiteral: return .int(Int64(bitPattern: node.payload))
    case .uintLiteral: return .uint(node.payload)
    case .doubleLiteral: return .double(Double(bitPattern: node.payload))
    case .bytesLiteral: return .bytes(tree.text(of: node))
    case .stringLiteral: return .string(tree.string(of: node))
    case .identifier, .select: return try path(id)
    case .index: return try index(node)
    case .call: return try call(node)
    case .list: return try list(node)
    case .map: return try map(node)
    // Without message types every message is unknown (§25).
    case .message: throw CELReferenceFailure(.unsupportedConstruct)
    case .unary: return try unary(node)
    case .binary: return try binary(node)
    case .conditional:
      guard case .bool(let condition) = try evaluate(node.first) else {
        throw CELReferenceFailure(.notBool)
      }
      return try evaluate(condition ? node.second : node.third)
    case .optionalEntry: throw CELReferenceFailure(.unsupportedConstruct)
    }
  }

  /// Evaluates a node with further names in scope.
  mutating func evaluate(
    _ id: UInt32, with bindings: [(String, Value)]
  ) throws(CELReferenceFailure) -> Value {
    scope += bindings.map { Binding(name: $0.0, content: .value($0.1)) }
    defer { scope.removeLast(bindings.count) }
    return try evaluate(id)
  }

  // MARK: Operators

  private mutating func unary(_ node: SyntaxNode) throws(CELReferenceFailure) -> Value {
    let operand = try evaluate(node.first)
    if node.op == .not {
      guard case .bool(let value) = operand else { throw CELReferenceFailure(.unsupportedUnary) }
      return .bool(!value)
    }
    switch operand {
    case .int(let value):
      guard value != .min else { throw CELReferenceFailure(.overflow) }
      return .int(-value)
    case .double(let value): return .double(-value)
    default: throw CELReferenceFailure(.unsupportedUnary)
    }
  }

  private mutating func binary(_ node: SyntaxNode) throws(CELReferenceFailure) -> Value {
    switch node.op {
    case .and: return try logic(node, absorbing: false)
    case .or: return try logic(node, absorbing: true)
    default:
      let left = try evaluate(node.first)
      let right = try evaluate(node.second)
      return try CELReferenceOperators.apply(node.op, left, right)
    }
  }

  /// `&&` and `||`: one operand that decides does so whatever the other is (§7). Of two failures
  /// the left one is reported.
  private mutating func logic(
    _ node: SyntaxNode, absorbing decisive: Bool
  ) throws(CELReferenceFailure) -> Value {
    var pending: CELReferenceFailure?
    for operand in [node.first, node.second] {
      do throws(CELReferenceFailure) {
        guard case .bool(let value) = try evaluate(operand) else {
          throw CELReferenceFailure(.notBool)
        }
        if value == decisive { return .bool(decisive) }
      } catch {
        pending = pending ?? error
      }
    }
    if let pending { throw pending }
    return .bool(!decisive)
  }

  // MARK: Lists and maps

  private mutating func list(_ node: SyntaxNode) throws(CELReferenceFailure) -> Value {
    var elements: [Value] = []
    for child in tree.children(of: node) {
      let entry = tree.nodes[Int(child)]
      guard entry.kind == .optionalEntry else {
        elements.append(try evaluate(child))
        continue
      }
      if let content = try optionalContent(evaluate(entry.first)) { elements.append(content) }
    }
    return .list(elements)
  }

  private mutating func map(_ node: SyntaxNode) throws(CELReferenceFailure) -> Value {
    var entries: [Value.Key: Value] = [:]
    var isRepeated = false
    let children = Array(tree.children(of: node))
    for place in stride(from: 0, to: children.count - 1, by: 2) {
      let entry = tree.nodes[Int(children[place])]
      let isOptional = entry.kind == .optionalEntry
      let keyValue = try evaluate(isOptional ? entry.first : children[place])
      var value = try evaluate(children[place + 1])
      if isOptional {
        guard let content = try optionalContent(value) else { continue }
        value = content
      }
      guard let key = CELReferenceOperators.key(keyValue) else {
        throw CELReferenceFailure(.unusableKey)
      }
      // Numerically equal keys of different kinds are repeated, too (§4).
      if CELReferenceOperators.find(keyValue, in: entries) != nil { isRepeated = true }
      entries[key] = value
    }
    // That a key is repeated shows when all entries are there.
    if isRepeated { throw CELReferenceFailure(.duplicateKey) }
    return .map(entries)
  }

  /// What the value of a `?` entry holds.
  private func optionalContent(_ value: Value) throws(CELReferenceFailure) -> Value? {
    guard case .optional(let content) = value else {
      throw CELReferenceFailure(.unexpectedType)
    }
    return content
  }
}
