public import ExpressionSyntax

/// What a filter is compiled against: its dialect, the functions of the host, and limits.
public struct Environment: Sendable {
  /// A function of the host, such as `device.daysSince("app_open")`.
  ///
  /// It is called synchronously, with evaluated arguments and the context's
  /// ``Context/hostState``; what it throws becomes an ``EvaluationError``.
  public typealias HostFunction =
    @Sendable (_ arguments: [Value], _ hostState: (any Sendable)?) throws -> Value

  /// The dialect that filters are written in.
  public var dialect: Dialect
  /// Functions under `device`, by name.
  public var deviceFunctions: [String: HostFunction]
  /// Functions under `computed`, by name. A name that is also in ``deviceFunctions`` calls that one.
  public var computedFunctions: [String: HostFunction]
  /// Example arguments of host functions, which the superscript dialect shows when a function is
  /// read as an attribute (spec/superscript.md §14).
  public var hostFunctionArguments: [String: [Value]]
  /// The scope that names of the cel dialect are looked up in first, such as `com.example`: `x` may
  /// be `com.example.x`, `com.x` or `x`. Empty for none.
  public var container: String
  /// The variables and functions that filters of the cel dialect may use, with their types. A
  /// declared variable settles which part of a dotted name is the variable; without declarations the
  /// context decides when the filter is evaluated.
  public var declarations: [Declaration]
  /// The extension libraries of the cel dialect; all of them by default.
  public var libraries: Set<ExtensionLibrary>
  /// Whether the macros of the cel dialect are expanded; otherwise they are unknown functions.
  public var expandsMacros: Bool
  /// Limits of source text and nesting.
  public var parserLimits: ParserLimits
  /// Limits of one evaluation.
  public var limits: EvaluationLimits

  /// Creates an environment.
  ///
  /// - Parameters:
  ///   - dialect: The dialect that filters are written in.
  ///   - deviceFunctions: Functions under `device`, by name.
  ///   - computedFunctions: Functions under `computed`, by name.
  ///   - hostFunctionArguments: Example arguments of host functions, by `device.name` or
  ///     `computed.name`.
  ///   - container: The scope that names of the cel dialect are looked up in first.
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
  }

  /// The superscript dialect without host functions.
  public static let standard = Environment()
  /// The cel dialect without host functions.
  public static let cel = Environment(dialect: .cel)
}
