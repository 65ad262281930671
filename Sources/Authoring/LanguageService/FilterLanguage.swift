import ExpressionChecking
package import ExpressionEngine
package import ExpressionSyntax
package import FilterAnalysis

/// The words that an author can use: the dialect with its functions, and the attributes of a
/// schema.
///
/// Making one reads the whole library, so keep it. It does not change.
package struct FilterLanguage: Sendable {
  /// The dialect of the filters.
  package let dialect: Dialect.Name
  /// The attributes that exist.
  package let schema: AttributeSchema

  /// The attributes that completion offers, sorted by path: no families and none that are
  /// deprecated.
  let attributes: [AttributeSchema.Attribute]
  /// The functions and macros of the dialect.
  let functions: [FunctionDefinition]
  private let functionsByName: [String: FunctionDefinition]
  /// The macros, from which the variables of loops follow.
  let declarations: Declarations
  /// The environment in which filters are checked.
  let environment: FilterEnvironment
  /// The environment in which filters are evaluated: the functions of the app read their results
  /// from the ``SampleUser``.
  let evaluationEnvironment: FilterEnvironment

  /// Creates the language of a dialect.
  ///
  /// - Parameters:
  ///   - dialect: The dialect.
  ///   - schema: The attributes that exist, and the functions of the app.
  ///   - added: Functions of the app that filters call by their names. One that the environment
  ///     refuses is left out.
  ///   - answersWhenNever: The results of the schema's functions, by name, for users who have no
  ///     result of their own; null for all others.
  package init(
    dialect: Dialect.Name = .superscript, schema: AttributeSchema = .builtIn,
    added: [FilterEnvironment.Function] = [], answersWhenNever: [String: Value] = [:]
  ) {
    self.dialect = dialect
    self.schema = schema
    attributes = schema.sorted.filter { !$0.path.hasSuffix("*") && $0.deprecated == nil }
    var environment = FilterEnvironment(dialect: .named(dialect))
    for function in added { try? environment.add(function) }
    self.environment = environment
    functions = environment.functionDefinitions
    var functionsByName: [String: FunctionDefinition] = [:]
    for function in functions.reversed() { functionsByName[function.name] = function }
    self.functionsByName = functionsByName
    // The library's own signatures can be read; a test of the checker says so.
    declarations = (try? environment.checkingDeclarations()) ?? Declarations()
    var evaluationEnvironment = FilterEnvironment(dialect: dialect, functionsOf: schema) {
      _, name, arguments, user in
      #if !hasFeature(Embedded)
        if let value = (user as? SampleUser.Answers)?.answer(to: name, arguments) { return value }
      #endif
      return answersWhenNever[name] ?? .null
    }
    for function in environment.functions { try? evaluationEnvironment.add(function) }
    self.evaluationEnvironment = evaluationEnvironment
  }

  /// Returns the function or macro of a name.
  func function(named name: String) -> FunctionDefinition? { functionsByName[name] }
}
