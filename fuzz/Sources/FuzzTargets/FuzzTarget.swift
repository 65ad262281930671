/// A part of the library, and the statements about it that hold for every input.
enum FuzzTarget: String, CaseIterable {
  /// Parsing and compiling, with the places of diagnostics.
  case syntax
  /// Linting and fixing.
  case checks
  /// All ways to evaluate a filter, against each other.
  case paths
  /// The tree of a filter as JSON, against its text.
  case tree
  /// Reading and writing JSON.
  case json
  /// The JSON functions of the reference evaluator.
  case reference
  /// The campaign config.
  case config
  /// Regular expressions: the ways to search, against each other.
  case regex
  /// The C interface.
  case c
  /// The translation to SQL, against SQLite.
  case sql
  /// Bytecode, graph, printer and sets, against the reference evaluators.
  case oracle
  /// The reader of corpus files.
  case corpus
  /// The file of a store.
  case store
  /// The language server.
  case server
  /// What the analysis proves, against users.
  case prove
  /// Explanations and the changes that they offer, against the engine.
  case explain
  /// Edits of a document in the language server, against a plain text.
  case edits
  /// The state machines of paywalls.
  case sessions
  /// Occurrence limits, against a plain count.
  case limits
  /// Stories of a matcher and its paywalls.
  case stories
  /// Simulations, against each other and a matcher.
  case simulate

  /// Runs one input; ends the process with a message when a statement does not hold.
  func run(_ input: FuzzInput) {
    switch self {
    case .syntax: SyntaxTarget.run(input)
    case .checks: ChecksTarget.run(input)
    case .paths: PathsTarget.run(input)
    case .tree: TreeTarget.run(input)
    case .json: JSONTarget.run(input)
    case .reference: ReferenceTarget.run(input)
    case .config: ConfigTarget.run(input)
    case .regex: RegexTarget.run(input)
    case .c: CTarget.run(input)
    case .sql: SQLTarget.run(input)
    case .oracle: OracleTarget.run(input)
    case .corpus: CorpusTarget.run(input)
    case .store: StoreTarget.run(input)
    case .server: ServerTarget.run(input)
    case .prove: ProveTarget.run(input)
    case .explain: ExplainTarget.run(input)
    case .edits: EditsTarget.run(input)
    case .sessions: SessionsTarget.run(input)
    case .limits: LimitsTarget.run(input)
    case .stories: StoriesTarget.run(input)
    case .simulate: SimulateTarget.run(input)
    }
  }

  /// How many parts of an input, from the first on, are filters.
  var filterCount: Int {
    switch self {
    case .syntax, .checks, .paths, .tree, .c, .sql, .oracle, .server, .explain, .edits: 1
    case .prove, .simulate: 4
    case .json, .reference, .config, .regex, .corpus, .store, .sessions, .limits, .stories: 0
    }
  }
}
