import ExpressionChecking
import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

/// Looks for probable mistakes in one filter.
///
/// A wrong warning costs more than a missed one, so nothing is reported where the schema does not
/// know.
struct FilterLinter {
  static let roots = Set(AttributeRoots.names + ["computed"])
  /// A note about conditions that fail.
  static let failsAtRunTime =
    "this is an error when the filter runs, and the filter does not match"

  /// A note about conditions that no user passes.
  static let isAlwaysFalse = "so this is always false"

  /// Advice for questions about the day of the week.
  static let noWeekday = "no attribute has the day of the week; the app can set one of its own"

  /// Returns advice for parts of a version that has no padded form.
  static func helpForVersion(_ path: String, _ first: String = "17") -> String {
    "a version is a text; for one of them, write `\(path).startsWith(\"\(first).\")`"
  }

  let outline: FilterOutline
  let tree: SyntaxTree
  let schema: AttributeSchema
  let environment: FilterEnvironment
  /// Whether an identifier is the variable of an enclosing loop.
  let isBound: [Bool]
  /// Whether only the truth of a node matters.
  let isCondition: [Bool]
  /// The variables that exist.
  let knownRoots: Set<String>
  /// The types of the nodes, once they were computed.
  private(set) var types: CheckResult?
  /// The influence of conditions where attributes are missing, once it was asked for.
  var missingOutcomes: MissingOutcomes?
  /// Decides tests of texts by the form of the attribute.
  var textForms = TextForms()
  /// The first spelling of each attribute of the app, by its letters and digits, once it was asked
  /// for.
  var firstSpellings: [String: String]?
  /// The names of the members of each object by their letters and digits, once they were asked for.
  private var memberNames: [String: MemberNames] = [:]
  /// The functions that search in a text.
  static let searches: Set<String> = ["contains", "startsWith", "endsWith", "matches"]
  /// Whether the filter has a remainder; few have.
  private(set) lazy var hasRemainder = tree.nodes.contains { $0.isBinary(.remainder) }
  /// Whether the filter names Android anywhere.
  private(set) lazy var namesAndroid = tree.source.text.hasBytes(of: "Android")
  /// Whether the filter names an event that happens to subscribers alone.
  private(set) lazy var namesPurchase = tree.nodes.contains { node in
    guard historyFunction(node) != nil, let argument = tree.arguments(of: node).first,
      case .string(let event)? = tree.constant(of: argument)
    else { return false }
    return Self.isOfPurchase(event)
  }
  /// By node, whether an odd number of `!` is around it, once it was asked for.
  var negations: [Bool] = []
  /// The number of readings of each attribute; `nil` until a rule needs them.
  private var readings: [AttributePath: Int]?
  /// The times since events that the filter compares with null, once they were asked for.
  var timesComparedWithNull: [String: UInt32]?
  /// The bounds of each chain of `&&`, by its top, once they were asked for.
  private var chainBounds: [NodeID: [String: Bounds]] = [:]
  /// The top of the chain of `&&` that each node is in, once it was asked for.
  private var chainTops: [NodeID] = []
  /// Whether findings about missing attributes have fixes, each of which is tried out.
  var triesFixes = true
  /// The attributes that the schema does not know and whose absence makes the filter match,
  /// with the places.
  var openAttributes: [AttributePath: SourceSpan] = [:]
  /// The attributes that some users lack, who do not match because a condition fails for them, with
  /// the places.
  var failingAttributes: [AttributePath: SourceSpan] = [:]
  /// The first condition that is enough by itself beside others that `&&` joins, and their place.
  var looseAlternative: (LooseAlternative, SourceSpan)?
  /// The findings.
  var diagnostics: [Diagnostic] = []
  /// The ids and places of the findings so far.
  private var reported: Set<Finding> = []
  /// Nodes with a name that was reported; nothing else is reported about them.
  var poisoned: Set<NodeID> = []

  var isSuperscript: Bool { tree.dialect.name == .superscript }

  /// Returns the findings in a filter, in no order, with those that comments silence.
  ///
  /// - Parameter triesFixes: Whether findings about missing attributes have fixes.
  static func check(
    _ outline: FilterOutline, schema: AttributeSchema, triesFixes: Bool = true
  ) -> [Diagnostic] {
    var linter = FilterLinter(outline, schema: schema)
    linter.triesFixes = triesFixes
    linter.check()
    return linter.diagnostics
  }

  /// Fills ``diagnostics``.
  mutating func check() {
    checkNodes()
    run(LintRules.filters, on: ())
  }

  /// Adds the findings about single nodes, and fills ``openAttributes``.
  mutating func checkNodes() {
    types = checkedTypes()
    for index in tree.nodes.indices { checkNode(NodeID(UInt32(index))) }
  }

  /// Adds the findings about the attributes that the filter reads.
  mutating func checkAttributes() {
    // Only what is written after a result or a number depends on types.
    if tree.nodes.contains(where: { $0.kind == .select && isResultOrNumber($0.operand) }) {
      types = checkedTypes()
    }
    for (index, node) in tree.nodes.enumerated() where node.kind == .select || node.kind == .index {
      run(LintRules.members, on: LintedNode(id: NodeID(UInt32(index)), node: node))
    }
  }

  /// Returns how often the filter reads an attribute.
  mutating func readings(of path: AttributePath) -> Int {
    if let readings { return readings[path] ?? 0 }
    var counts: [AttributePath: Int] = [:]
    for index in tree.nodes.indices {
      if let path = freePath(NodeID(UInt32(index))) { counts[path, default: 0] += 1 }
    }
    readings = counts
    return counts[path] ?? 0
  }

  init(_ outline: FilterOutline, schema: AttributeSchema) {
    self.outline = outline
    self.schema = schema
    tree = outline.tree
    environment = outline.environment
    knownRoots = Self.roots.union(schema.roots)
    isBound = outline.isBound
    isCondition = outline.isCondition
  }

  /// Adds a finding, unless the same id was reported at the same place.
  mutating func report(_ diagnostic: Diagnostic) {
    guard reported.insert(Finding(id: diagnostic.id, span: diagnostic.primary.span)).inserted
    else { return }
    diagnostics.append(diagnostic)
  }

  private struct Finding: Hashable {
    let id: DiagnosticID
    let span: SourceSpan
  }

  /// The sides on which comparisons bound a part.
  struct Bounds: OptionSet {
    let rawValue: UInt8
    static let lower = Bounds(rawValue: 1)
    static let upper = Bounds(rawValue: 2)
    /// `>= 0`, a lower bound that leaves no count out.
    static let zero = Bounds(rawValue: 4)
    /// `!=`, which leaves a value out.
    static let exception = Bounds(rawValue: 8)
    /// A comparison with a constant, and more than one.
    static let compared = Bounds(rawValue: 16)
    static let comparedAgain = Bounds(rawValue: 32)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    init(_ op: Operator) {
      self = op == .greater || op == .greaterEqual ? .lower : .upper
    }
  }

  /// Returns how the chain of `&&` around a node bounds a part, by its text.
  ///
  /// - Complexity: O(n) in the length of the filter for the first question about a chain, and O(1)
  ///   for others.
  mutating func bounds(around id: NodeID, of part: String) -> Bounds {
    if chainTops.isEmpty {
      chainTops = tree.nodes.indices.map { NodeID(UInt32($0)) }
      // Parents come after their children.
      for (index, node) in tree.nodes.enumerated().reversed()
      where node.isBinary(.and) {
        chainTops[Int(node.left.index)] = chainTops[index]
        chainTops[Int(node.right.index)] = chainTops[index]
      }
    }
    let top = chainTops[Int(id.index)]
    if let known = chainBounds[top] { return known[part] ?? [] }
    var result: [String: Bounds] = [:]
    for operand in outline.operands(of: top, .and) {
      guard let comparison = ConstantComparison(tree[operand], in: tree) else { continue }
      var bounds = result[text(comparison.subject)] ?? []
      if comparison.isOrdering { bounds.insert(Bounds(comparison.op)) }
      if comparison.op == .greaterEqual, comparison.value == .int(0) { bounds.insert(.zero) }
      if comparison.op == .notEqual { bounds.insert(.exception) }
      bounds.insert(bounds.contains(.compared) ? .comparedAgain : .compared)
      result[text(comparison.subject)] = bounds
    }
    chainBounds[top] = result
    return result[part] ?? []
  }

  /// Returns the names of the members of an object.
  mutating func members(of container: String) -> MemberNames {
    if let known = memberNames[container] { return known }
    let all = MemberNames(of: container, in: schema)
    memberNames[container] = all
    return all
  }

  /// Returns whether something was said about a place just now.
  func wasReported(_ span: SourceSpan) -> Bool {
    diagnostics.suffix(8).contains { $0.overlaps(span) }
  }

  /// Returns the parent of a node; the root is its own parent.
  func parent(of id: NodeID) -> NodeID { outline.parent(of: id) }

  /// Returns the id of a call.
  func id(ofCall node: SyntaxNode) -> NodeID? {
    tree.nodes.firstIndex { $0.span == node.span && $0.kind == .call }
      .map { NodeID(UInt32($0)) }
  }

  /// Returns the comparison of a call with a constant, if there is one around it.
  func comparison(of call: SyntaxNode) -> ConstantComparison? {
    id(ofCall: call).flatMap { ConstantComparison(tree[parent(of: $0)], in: tree) }
  }

  /// Returns the operands of the `&&` that join a condition with others; the condition alone if
  /// nothing does.
  ///
  /// - Complexity: O(n) in the number of operands.
  func conjunction(around id: NodeID) -> [NodeID] {
    var top = id
    while top != tree.root, tree[parent(of: top)].isBinary(.and) { top = parent(of: top) }
    return outline.operands(of: top, .and)
  }

  /// Returns a node as it is written, for messages.
  func text(_ id: NodeID) -> String {
    let whole = tree.text(ofNode: id)
    guard whole.count > 60 else { return whole }
    let start = whole.shortened(to: 60)
    // What is written after it does not belong to what was left out.
    var closing: [Character] = []
    for character in start {
      switch character {
      case "(": closing.append(")")
      case "[": closing.append("]")
      case ")", "]": _ = closing.popLast()
      default: break
      }
    }
    return start + String(closing.reversed())
  }
}
