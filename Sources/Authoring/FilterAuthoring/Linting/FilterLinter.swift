import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

/// Looks for probable mistakes in one filter.
///
/// A wrong warning costs more than a missed one, so nothing is reported where the schema does not
/// know.
struct FilterLinter {
  static let roots: Set<String> = ["user", "device", "params", "computed"]

  let outline: FilterOutline
  let tree: SyntaxTree
  let schema: AttributeSchema
  let environment: FilterEnvironment
  /// The parent of each node; the root is its own parent.
  let parents: [UInt32]
  /// Whether an identifier is the variable of an enclosing loop.
  let isBound: [Bool]
  /// Whether only the truth of a node matters.
  let isCondition: [Bool]
  /// The variables that exist.
  let knownRoots: Set<String>
  /// The influence of conditions where attributes are missing, once it was asked for.
  var missingOutcomes: MissingOutcomes?
  /// Whether findings about missing attributes have fixes, each of which is tried out.
  var triesFixes = true
  /// The attributes that the schema does not know and whose absence makes the filter match,
  /// with the places.
  var openAttributes: [AttributePath: SourceSpan] = [:]
  /// The findings.
  var diagnostics: [Diagnostic] = []
  /// The ids and places of the findings so far.
  private var reported: Set<Finding> = []
  /// Nodes with a name that was reported; nothing else is reported about them.
  var poisoned: Set<UInt32> = []

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
    for index in tree.nodes.indices { checkNode(UInt32(index)) }
  }

  init(_ outline: FilterOutline, schema: AttributeSchema) {
    self.outline = outline
    self.schema = schema
    tree = outline.tree
    environment = outline.environment
    parents = outline.parents
    knownRoots = Self.roots.union(
      schema.attributes.keys.map { String($0.prefix { $0 != "." && $0 != "[" }) })
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

  /// Returns a node as it is written, for messages.
  func text(_ id: NodeID) -> String { tree.text(ofNode: id).shortened(to: 60) }
}
