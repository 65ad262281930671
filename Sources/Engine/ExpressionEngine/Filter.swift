public import ExpressionSyntax

/// An audience filter, compiled once and evaluated over any number of contexts, from any thread.
///
/// ```swift
/// let filter = try Filter("user.age >= 18 && device.platform == \"iOS\"")
/// let context = Context(user: ["age": 25], device: ["platform": "iOS"])
/// let isMatch = filter.matches(context)  // true
/// ```
///
/// A program has two forms. The bytecode defines the meaning of the filter, including failures, and
/// runs on the machine. The graph of decisions is fast and cannot fail. Where it cannot decide, the
/// machine starts from the beginning, because no side effect has happened yet.
public final class Filter: Sendable {
  /// The text that was compiled, with the name of its file, if any.
  package let source: SourceText
  /// The dialect, the host functions and the limits that the filter was compiled with.
  public let environment: FilterEnvironment
  /// The attributes that the filter reads and the host functions that it calls.
  ///
  /// - Complexity: O(n) in the size of the filter, for each access.
  public var requirements: Requirements {
    Requirements(attributes: program.attributePaths, hostCalls: hostCalls)
  }
  private let hostCalls: [Requirements.HostCall]
  private let dialect: Dialect.Name
  let program: Program
  /// The part of `program` that the machine reads, without reference counting.
  nonisolated(unsafe) private let header: UnsafePointer<ProgramHeader>

  /// The text of the filter.
  public var text: String { source.text }

  /// Compiles a filter.
  ///
  /// - Parameters:
  ///   - text: The expression.
  ///   - environment: The dialect, the host functions and the limits; the superscript dialect by
  ///     default.
  /// - Throws: ``FilterError`` with everything that is wrong with the text.
  /// - Complexity: O(n) in the length of the text.
  public convenience init(
    _ text: String, environment: FilterEnvironment = .standard
  ) throws(FilterError) {
    try self.init(SourceText(text), environment: environment)
  }

  /// Compiles a filter of a dialect.
  ///
  /// ```swift
  /// let strict = try Filter("has(user.age) && user.age >= 18", dialect: .cel)
  /// ```
  ///
  /// - Parameters:
  ///   - text: The expression.
  ///   - dialect: The language of the expression.
  /// - Throws: ``FilterError`` with everything that is wrong with the text.
  public convenience init(_ text: String, dialect: Dialect) throws(FilterError) {
    try self.init(text, environment: FilterEnvironment(dialect: dialect))
  }

  /// Compiles the text of a file.
  package convenience init(_ source: SourceText, environment: FilterEnvironment) throws(FilterError)
  {
    let tree: SyntaxTree
    do {
      tree = try parse(source, dialect: environment.dialect, limits: environment.parserLimits)
    } catch {
      throw FilterError(source: source, diagnostics: error.diagnostics)
    }
    try self.init(tree, environment: environment)
  }

  /// Compiles a parsed expression.
  ///
  /// - Throws: ``FilterError`` when the tree is nested too deep for the compiler.
  package convenience init(_ tree: SyntaxTree, environment: FilterEnvironment) throws(FilterError) {
    try self.init(
      Lowering.lower(tree, environment: environment), source: tree.source,
      dialect: tree.dialect.name, environment: environment)
  }

  /// Compiles a tree without null safety: a missing member or name is an error, and neither host
  /// functions nor functions of the SDK are available. This corresponds to the reference's
  /// `evaluate_ast`.
  ///
  /// - Throws: ``FilterError`` when the tree is nested too deep for the compiler.
  package convenience init(withoutNullSafety tree: SyntaxTree) throws(FilterError) {
    let environment = FilterEnvironment.standard
    try self.init(
      Lowering.lower(tree) { tree throws(LoweringFailure) in
        try SuperscriptLowering.lowerUnsafe(tree, environment: environment)
      }, source: tree.source, dialect: tree.dialect.name, environment: environment)
  }

  init(
    _ lowered: consuming LoweredFilter, source: SourceText, dialect: Dialect.Name,
    environment: FilterEnvironment
  ) throws(FilterError) {
    self.source = source
    self.environment = environment
    self.dialect = dialect
    hostCalls = lowered.hostCalls
    do {
      program = try Compiler.compile(lowered.ir, limits: environment.limits)
    } catch {
      throw FilterError(source: source, diagnostics: [error.diagnostic])
    }
    header = UnsafePointer(program.header)
  }

  /// Evaluates the filter.
  ///
  /// - Parameter context: The attributes to evaluate the filter over.
  /// - Returns: The value of the filter, which need not be a bool.
  /// - Throws: ``EvaluationError`` when the filter has no value for this context.
  /// - Complexity: O(n) in the length of the filter, times the elements of the lists it iterates
  ///   over; bounded by ``EvaluationLimits``.
  @inlinable
  public func evaluate(_ context: Context) throws(EvaluationError) -> Value {
    // Inlined, so that callers that look only for `true` make no value.
    if let value = decide(context) { return .bool(value) }
    return try evaluateOnMachine(context)
  }

  /// Returns the filter's value if its graph decides it.
  @usableFromInline
  @inline(never)
  func decide(_ context: Context) -> Bool? {
    guard let graph = header.pointee.graph else { return nil }
    let branch = VM.follow(header, graph.decisions, context.roots, from: graph.start)
    // Mostly, nothing was skipped.
    if branch == .true { return true }
    if branch == .false { return false }
    let outcome = branch.outcome
    guard outcome == .true || outcome == .false, VM.isSafe(header, context.roots) else {
      return nil
    }
    return outcome == .true
  }

  /// Evaluates the filter, unless `stop` ends that earlier.
  ///
  /// - Parameters:
  ///   - context: The attributes to evaluate the filter over.
  ///   - stop: A deadline, or an object to cancel the evaluation with.
  /// - Returns: The value of the filter, which need not be a bool.
  /// - Throws: ``EvaluationError`` when the filter has no value for this context; its id is
  ///   `DiagnosticID.deadlineExceeded` or
  ///   `DiagnosticID.evaluationCancelled` if `stop` is the reason.
  /// - Complexity: That of ``evaluate(_:)``.
  public func evaluate(
    _ context: Context, unless stop: EvaluationStop
  ) throws(EvaluationError) -> Value {
    if let reason = stop.reason {
      var machine = Machine(header)
      _ = machine.fail(reason)
      throw EvaluationError(machine, program: program, source: source, dialect: dialect)
    }
    // The graph visits no more than a thousand elements for each decision, so it may run to its
    // end.
    if let value = decide(context) { return .bool(value) }
    return try evaluateOnMachine(context, stop)
  }

  /// Evaluates the filter's bytecode, which defines its meaning.
  @usableFromInline
  @inline(never)
  package func evaluateOnMachine(_ context: Context) throws(EvaluationError) -> Value {
    try evaluateOnMachine(context, nil)
  }

  private func evaluateOnMachine(
    _ context: Context, _ stop: EvaluationStop?
  ) throws(EvaluationError) -> Value {
    var machine = Machine(header)
    if let stop { machine.watch(stop) }
    let result = VM.run(header, context.storage, &machine)
    withExtendedLifetime(stop) {}
    if result.isA(.bool) { return .bool(result.boolValue) }
    if result.isA(.error) {
      throw EvaluationError(machine, program: program, source: source, dialect: dialect)
    }
    guard let value = Value.copy(result, parts: machine.largestCopy) else {
      machine.instruction = UInt32(truncatingIfNeeded: program.codeCount &- 1)
      _ = machine.fail(.memoryLimit)
      throw EvaluationError(machine, program: program, source: source, dialect: dialect)
    }
    return value
  }

  /// Returns whether the filter is true. Any other value and any error count as no match.
  ///
  /// It allocates nothing unless the filter builds lists or texts.
  ///
  /// - Parameter context: The attributes to evaluate the filter over.
  /// - Complexity: That of ``evaluate(_:)``.
  public func matches(_ context: Context) -> Bool {
    if let graph = header.pointee.graph {
      let branch = VM.follow(header, graph.decisions, context.roots, from: graph.start)
      if branch == .true { return true }
      // A failure of a skipped operand would not be a match either.
      if branch.isNoMatch { return false }
      if branch.outcome == .true, VM.isSafe(header, context.roots) { return true }
    }
    return matchesOnMachine(context)
  }

  /// Returns whether the filter is true, unless `stop` ends the evaluation earlier. Any other value
  /// and any error count as no match.
  ///
  /// - Parameters:
  ///   - context: The attributes to evaluate the filter over.
  ///   - stop: A deadline, or an object to cancel the evaluation with.
  /// - Complexity: That of ``evaluate(_:)``.
  public func matches(_ context: Context, unless stop: EvaluationStop) -> Bool {
    (try? evaluate(context, unless: stop)) == .bool(true)
  }

  @inline(never)
  private func matchesOnMachine(_ context: Context) -> Bool {
    var machine = Machine(header)
    return VM.run(header, context.storage, &machine).isTrue
  }

  /// The approximate number of bytes that the compiled filter occupies.
  public var approximateByteCount: Int { program.approximateByteCount }
}

/// An error thrown when a text is not a valid filter, with the details for correcting it.
public struct FilterError: Error, Sendable {
  package let source: SourceText
  /// The text that is not a valid filter.
  public var text: String { source.text }
  /// The mistakes in source order; at least one.
  public let diagnostics: [Diagnostic]
  /// The index of the text, if it is one of several that became a ``FilterSet``.
  public private(set) var index: Int?
  /// The id of the text, if it is one of several that became a ``FilterSet``.
  public private(set) var filterID: String?

  /// Creates the error.
  package init(source: SourceText, diagnostics: [Diagnostic]) {
    self.source = source
    self.diagnostics = diagnostics
  }

  /// The same error of a text in a set, named by its id or its index.
  func inSet(at index: Int, filterID: String? = nil) -> FilterError {
    var error = FilterError(
      source: SourceText(bytes: source.bytes, name: filterID ?? "filters[\(index)]"),
      diagnostics: diagnostics)
    error.index = index
    error.filterID = filterID
    return error
  }

  /// The id of the first mistake.
  public var id: DiagnosticID { diagnostics.first?.id ?? .unexpectedCharacter }

  /// The id of the first mistake as text, such as `E0210`.
  public var code: String { id.rawValue }

  /// The first mistake, in one line without a full stop.
  public var message: String { diagnostics.first?.message ?? "not a filter" }

  /// The line of the first mistake, from 1.
  public var line: Int { place.line }

  /// The column of the first mistake, in characters from 1.
  public var column: Int { place.column }

  private var place: SourceLocation {
    source.location(of: diagnostics.first?.primary.span.start ?? 0)
  }
}

/// An error thrown by a lowering pass, which does not know the origin of the tree.
struct LoweringFailure: Error {
  /// The mistakes in source order; at least one.
  let diagnostics: [Diagnostic]
}

/// The choice of the lowering pass for a dialect.
enum Lowering {
  /// The maximum nesting depth of expressions; macros count twice. The passes recurse as deep:
  /// `make stack` measures a release build at this depth, and `StageStackTests` a debug build.
  static let maximumDepth = NestingLimit.levels

  static func lower(
    _ tree: SyntaxTree, environment: FilterEnvironment
  ) throws(FilterError) -> LoweredFilter {
    try lower(tree) { tree throws(LoweringFailure) in
      switch environment.dialect.name {
      case .superscript: try SuperscriptLowering.lower(tree, environment: environment)
      case .cel: try CELLowering.lower(tree, environment: environment)
      }
    }
  }

  /// Lowers a tree, or a part of it, with `pass`.
  static func lower(
    _ tree: SyntaxTree, _ pass: (SyntaxView) throws(LoweringFailure) -> LoweredFilter
  ) throws(FilterError) -> LoweredFilter {
    do throws(LoweringFailure) {
      return try NestingLimit.withRoom(for: tree.nodes.count) { () throws(LoweringFailure) in
        try tree.withView(pass)
      }
    } catch {
      throw FilterError(source: tree.source, diagnostics: error.diagnostics)
    }
  }

  /// Compiles a tree to its two forms, for tests that look at them.
  static func program(
    _ tree: SyntaxTree, environment: FilterEnvironment
  ) throws(FilterError) -> Program {
    let lowered = try lower(tree, environment: environment)
    do {
      return try Compiler.compile(lowered.ir, limits: environment.limits)
    } catch {
      throw FilterError(source: tree.source, diagnostics: [error.diagnostic])
    }
  }
}
