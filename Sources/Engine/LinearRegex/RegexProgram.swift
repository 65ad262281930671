/// A compiled regular expression.
///
/// A pattern becomes a tree (``RegexParser``), an automaton over symbols, which are sets of scalars
/// that the pattern does not tell apart (``SymbolMap``), and, if that has few states, a table with
/// one look-up for each character (``FullTable``). Otherwise the table is built while searching,
/// within a bound of memory, in a ``RegexWorkspace``.
///
/// Immutable, and safe to use from many threads at once; each search needs a workspace of its own.
public final class RegexProgram: Sendable {
  /// The parts of a pattern that searches need.
  final class Core: Sendable {
    let automaton: Automaton
    let symbols: SymbolMap
    /// Whether a match can start only where the text starts.
    let isAnchored: Bool

    init(_ automaton: Automaton, _ symbols: SymbolMap, isAnchored: Bool) {
      self.automaton = automaton
      self.symbols = symbols
      self.isAnchored = isAnchored
    }
  }

  /// Limits on what is built when a pattern is compiled. More states are built while searching.
  private static let fullTableStates = 256
  private static let fullTableEntries = 8_192
  private static let fullTableSteps = 20_000

  let core: Core
  let node: RegexNode
  private let table: FullTable?
  /// The number of groups, the whole match not counted.
  public let groupCount: Int
  /// The names of groups in UTF-8, with their numbers.
  public let groupNames: [(name: [UInt8], number: Int)]

  /// Compiles a pattern.
  ///
  /// - Parameter pattern: UTF-8, at most 32,768 bytes.
  /// - Throws: ``RegexPatternError`` if the syntax or a limit does not allow the pattern, with the
  ///   place.
  public init(
    _ pattern: UnsafeBufferPointer<UInt8>, syntax: RegexSyntax
  ) throws(RegexPatternError) {
    var parser = RegexParser(pattern, syntax: syntax)
    let node = try parser.parse()
    guard !CompiledSize.isExceeded(by: node) else {
      throw RegexPatternError(.tooLarge, 0..<pattern.count)
    }
    self.node = node
    groupCount = parser.captureCount
    groupNames = parser.groupNames
    let symbols = SymbolMap(node)
    // Rust's patterns only ever say whether they match.
    let automaton = AutomatonBuilder.build(node, symbols, keepsGroups: syntax == .re2)
    core = Core(automaton, symbols, isAnchored: node.isAnchored)
    var lazy = LazyTable(core)
    let states = min(Self.fullTableStates, Self.fullTableEntries / (symbols.count + 1))
    table =
      lazy.complete(stateLimit: states, stepLimit: Self.fullTableSteps)
      ? FullTable(lazy, symbols) : nil
  }

  /// Whether the pattern matches somewhere in a text; `nil` if that takes a workspace.
  ///
  /// O(n) in the length of the text, without an allocation.
  ///
  /// - Parameter text: Well-formed UTF-8; other bytes count as U+FFFD.
  public func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool? {
    table?.search(text)
  }

  /// Whether ``matches(_:)`` returns a result without a workspace.
  public var isTableComplete: Bool { table != nil }
  /// Whether a match can start only where the text starts.
  public var isAnchored: Bool { core.isAnchored }

  /// Whether a match can be long, so that trying each place in turn could read a text over and
  /// over.
  public var hasLongRepetition: Bool { node.hasLongRepetition }

  /// The number of states of the automaton, of which a search may visit all for each character.
  public var stateCount: Int { core.automaton.stateCount }

  /// The memory of the table and the automaton, in bytes, roughly.
  public var size: Int {
    (table?.size ?? 0) + core.automaton.stateCount * 12 + core.symbols.starts.count * 6
  }
}

extension RegexNode {
  /// Whether something may be repeated more than a few times.
  var hasLongRepetition: Bool {
    switch kind {
    case .empty, .never, .literal, .set, .assertion: false
    case .repetition(let inner, _, let maximum, _):
      maximum.map { $0 > 8 } ?? true || inner.hasLongRepetition
    case .capture(_, let inner): inner.hasLongRepetition
    case .sequence(let nodes), .choice(let nodes): nodes.contains { $0.hasLongRepetition }
    }
  }

  /// Whether it can match only where the text starts.
  var isAnchored: Bool {
    switch kind {
    case .never: true
    case .empty, .literal, .set: false
    case .assertion(let assertion): assertion == .textStart
    case .repetition(let inner, let minimum, _, _): minimum > 0 && inner.isAnchored
    case .capture(_, let inner): inner.isAnchored
    case .sequence(let nodes): nodes.contains { $0.isAnchored }
    case .choice(let nodes): nodes.allSatisfy { $0.isAnchored }
    }
  }
}
