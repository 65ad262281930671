public import ExpressionSyntax

/// The environment that a filter is compiled with: its dialect, the host functions, and limits.
public struct FilterEnvironment: Sendable {
  /// A function of the host, such as `device.daysSince("app_open")`.
  ///
  /// It is called synchronously, with evaluated arguments and the context's ``Context/hostState``.
  /// An error that it throws becomes an ``EvaluationError``.
  public typealias HostFunction =
    @Sendable (_ arguments: [Value], _ hostState: HostStateValue?) throws(HostFailure) -> Value

  /// The dialect that filters are written in.
  public var dialect: Dialect {
    get { storage.dialect }
    _modify { yield &ownStorage.dialect }
  }
  /// Functions under `device`, by name.
  public var deviceFunctions: [String: HostFunction] {
    get { storage.deviceFunctions }
    _modify { yield &ownStorage.deviceFunctions }
  }
  /// Functions under `computed`, by name. For a name that is also in ``deviceFunctions``, that
  /// function is called.
  public var computedFunctions: [String: HostFunction] {
    get { storage.computedFunctions }
    _modify { yield &ownStorage.computedFunctions }
  }
  /// Example arguments of host functions, which the superscript dialect shows when a function is
  /// read as an attribute (docs/spec/superscript.md §14).
  public var hostFunctionArguments: [String: [Value]] {
    get { storage.hostFunctionArguments }
    _modify { yield &ownStorage.hostFunctionArguments }
  }
  /// The scope in which names of the cel dialect are looked up first, such as `com.example`: `x`
  /// may be `com.example.x`, `com.x` or `x`. Empty for no scope.
  public var container: String {
    get { storage.container }
    _modify { yield &ownStorage.container }
  }
  /// The variables and functions that filters of the cel dialect may use, with their types. A
  /// declaration determines which part of a dotted name is the variable; without declarations, the
  /// context decides during evaluation.
  public var declarations: [Declaration] {
    get { storage.declarations }
    _modify { yield &ownStorage.declarations }
  }
  /// The extension libraries of the cel dialect; all of them by default.
  public var libraries: Set<ExtensionLibrary> {
    get { storage.libraries }
    _modify { yield &ownStorage.libraries }
  }
  /// Whether the macros of the cel dialect are expanded. Otherwise they are unknown functions.
  public var expandsMacros: Bool {
    get { storage.expandsMacros }
    _modify { yield &ownStorage.expandsMacros }
  }
  /// The limits of source text and nesting.
  public var parserLimits: ParserLimits {
    get { storage.parserLimits }
    _modify { yield &ownStorage.parserLimits }
  }
  /// The limits of one evaluation.
  public var limits: EvaluationLimits {
    get { storage.limits }
    _modify { yield &ownStorage.limits }
  }

  /// The passes that make programs faster; all of them but in tests.
  package var optimizations: Optimizations {
    get { storage.optimizations }
    _modify { yield &ownStorage.optimizations }
  }

  /// The state that host functions get in every evaluation, if it is known. Calls with constant
  /// arguments are made once then, when a filter is compiled; the functions must give the same
  /// result for the same arguments and state.
  package var knownState: HostStateValue? {
    get { storage.knownState }
    _modify { yield &ownStorage.knownState }
  }

  // Copied with every filter and every compilation, so a single reference represents all of it.
  private var storage: EnvironmentStorage

  /// The storage, made unique before it is changed.
  private var ownStorage: EnvironmentStorage {
    mutating get {
      if !isKnownUniquelyReferenced(&storage) { storage = EnvironmentStorage(storage) }
      return storage
    }
  }

  /// Creates an environment.
  ///
  /// - Parameters:
  ///   - dialect: The dialect that filters are written in.
  ///   - deviceFunctions: Functions under `device`, by name.
  ///   - computedFunctions: Functions under `computed`, by name.
  ///   - hostFunctionArguments: Example arguments of host functions, by `device.name` or
  ///     `computed.name`.
  ///   - container: The scope in which names of the cel dialect are looked up first.
  ///   - declarations: The variables and functions that filters of the cel dialect may use.
  ///   - libraries: The extension libraries of the cel dialect.
  ///   - expandsMacros: Whether the macros of the cel dialect are expanded.
  ///   - parserLimits: Limits of source text and nesting.
  ///   - limits: Limits of one evaluation.
  public init(
    dialect: Dialect = .superscript, deviceFunctions: [String: HostFunction] = [:],
    computedFunctions: [String: HostFunction] = [:],
    hostFunctionArguments: [String: [Value]] = [:], container: String = "",
    declarations: [Declaration] = [], libraries: Set<ExtensionLibrary> = ExtensionLibrary.all,
    expandsMacros: Bool = true, parserLimits: ParserLimits = .standard,
    limits: EvaluationLimits = .standard
  ) {
    storage = EnvironmentStorage(
      dialect: dialect, deviceFunctions: deviceFunctions, computedFunctions: computedFunctions,
      hostFunctionArguments: hostFunctionArguments, container: container,
      declarations: declarations, libraries: libraries, expandsMacros: expandsMacros,
      parserLimits: parserLimits, limits: limits)
  }

  /// The functions that were added, in that order.
  var allImplementations: [FunctionImplementation] { storage.functions }

  /// Returns the overloads of a function that was added.
  func implementations(of name: String) -> [FunctionImplementation] {
    storage.functions.isEmpty ? [] : storage.functions.filter { $0.function.name == name }
  }

  mutating func append(_ function: FunctionImplementation) {
    ownStorage.functions.append(function)
  }

  mutating func replaceImplementations(_ body: (Function) -> Function) {
    guard !storage.functions.isEmpty else { return }
    ownStorage.functions = storage.functions.map {
      FunctionImplementation(
        function: body($0.function), parameters: $0.parameters, result: $0.result)
    }
  }

  /// Returns whether both are unchanged copies of one environment.
  func isIdentical(to other: FilterEnvironment) -> Bool { storage === other.storage }

  /// The superscript dialect without host functions.
  public static let standard = FilterEnvironment()
  /// The cel dialect without host functions.
  public static let cel = FilterEnvironment(dialect: .cel)
}

/// The contents of an environment.
///
/// Unchecked `Sendable`: it changes only while a single ``FilterEnvironment`` refers to it. The
/// exclusivity rules for structs protect that one's accesses, so no check at run time is needed.
private final class EnvironmentStorage: @unchecked Sendable {
  @exclusivity(unchecked) var dialect: Dialect
  @exclusivity(unchecked) var deviceFunctions: [String: FilterEnvironment.HostFunction]
  @exclusivity(unchecked) var computedFunctions: [String: FilterEnvironment.HostFunction]
  @exclusivity(unchecked) var hostFunctionArguments: [String: [Value]]
  @exclusivity(unchecked) var container: String
  @exclusivity(unchecked) var declarations: [FilterEnvironment.Declaration]
  @exclusivity(unchecked) var libraries: Set<ExtensionLibrary>
  @exclusivity(unchecked) var expandsMacros: Bool
  @exclusivity(unchecked) var parserLimits: ParserLimits
  @exclusivity(unchecked) var limits: EvaluationLimits
  @exclusivity(unchecked) var optimizations: Optimizations
  @exclusivity(unchecked) var functions: [FunctionImplementation] = []
  @exclusivity(unchecked) var knownState: HostStateValue?

  init(
    dialect: Dialect, deviceFunctions: [String: FilterEnvironment.HostFunction],
    computedFunctions: [String: FilterEnvironment.HostFunction],
    hostFunctionArguments: [String: [Value]],
    container: String, declarations: [FilterEnvironment.Declaration],
    libraries: Set<ExtensionLibrary>, expandsMacros: Bool, parserLimits: ParserLimits,
    limits: EvaluationLimits, optimizations: Optimizations = .all
  ) {
    self.dialect = dialect
    self.deviceFunctions = deviceFunctions
    self.computedFunctions = computedFunctions
    self.hostFunctionArguments = hostFunctionArguments
    self.container = container
    self.declarations = declarations
    self.libraries = libraries
    self.expandsMacros = expandsMacros
    self.parserLimits = parserLimits
    self.limits = limits
    self.optimizations = optimizations
  }

  convenience init(_ other: EnvironmentStorage) {
    self.init(
      dialect: other.dialect, deviceFunctions: other.deviceFunctions,
      computedFunctions: other.computedFunctions,
      hostFunctionArguments: other.hostFunctionArguments, container: other.container,
      declarations: other.declarations, libraries: other.libraries,
      expandsMacros: other.expandsMacros, parserLimits: other.parserLimits, limits: other.limits,
      optimizations: other.optimizations)
    functions = other.functions
    knownState = other.knownState
  }
}
