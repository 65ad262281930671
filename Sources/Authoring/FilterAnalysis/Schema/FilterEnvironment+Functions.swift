package import ExpressionEngine
package import ExpressionSyntax

extension FilterEnvironment {
  /// Returns the result of a call of a host function: of the table `device` or `computed`, by name,
  /// with evaluated arguments and the context's ``Context/hostState``.
  package typealias HostAnswer =
    @Sendable (
      _ table: String, _ name: String, _ arguments: [Value], _ hostState: HostStateValue?
    ) -> Value

  /// Creates an environment with the functions that a schema has, those of the SDKs among them.
  ///
  /// - Parameters:
  ///   - dialect: The dialect.
  ///   - schema: The functions, `device.daysSince` and the like.
  ///   - answer: The results of the functions. By default they are null, as for an event that never
  ///     happened.
  package init(
    dialect: Dialect.Name = .superscript, functionsOf schema: AttributeSchema,
    answer: @escaping HostAnswer = { _, _, _, _ in .null }
  ) {
    self.init(dialect: .named(dialect))
    for path in schema.hostFunctions.keys {
      guard let dot = path.firstIndex(of: ".") else { continue }
      let (table, name) = (String(path[..<dot]), String(path[path.index(after: dot)...]))
      let function: HostFunction = { answer(table, name, $0, $1) }
      switch table {
      case "device": deviceFunctions[name] = function
      case "computed": computedFunctions[name] = function
      default: break
      }
    }
  }
}
