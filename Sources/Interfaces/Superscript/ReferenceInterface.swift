import ExpressionCoding
import ExpressionEngine
import ExpressionPrinting
import ExpressionSyntax

/// The JSON interface of the reference evaluator, so that an SDK can swap one for the other.
///
/// All inputs and results are JSON text, and nothing throws: an error is `{"Err": text}`. Names and
/// shapes are those of the bindings that the reference generates for Swift.
public enum ReferenceInterface {
  /// Evaluates an expression with variables and host functions, all in JSON.
  ///
  /// The definition (docs/spec/superscript.md §16) names the variables as tagged values, the
  /// expression, and the host functions that exist:
  ///
  ///     {"variables": {"map": {"user": {"type": "map", "value": {"age": {"type": "int", "value": 25}}}}},
  ///      "expression": "user.age >= 18", "device": {"daysSince": []}, "computed": null}
  ///
  /// - Parameters:
  ///   - definition: The definition's JSON text.
  ///   - host: The implementation of the host functions.
  /// - Returns: `{"Ok": value}` with a tagged value, or `{"Err": text}`.
  /// - Complexity: Compiles the expression each time: O(length of the definition).
  public static func evaluateWithContext(definition: String, host: some HostContext) -> String {
    evaluateWithContext(definition: definition, call: host.call)
  }

  static func evaluateWithContext(definition: String, call: @escaping HostCall) -> String {
    let parsed: EvaluationDefinition
    do throws(JSONError) {
      parsed = try EvaluationDefinition(json: definition)
    } catch {
      return failure("Invalid execution context JSON: \(error)")
    }
    let environment = FilterEnvironment(
      device: parsed.device, computed: parsed.computed, call: call)
    do throws(FilterError) {
      let filter = try Filter(SourceText(parsed.expression), environment: environment)
      return result(of: filter, context(of: parsed))
    } catch {
      return failure("Failed to compile expression")
    }
  }

  /// Evaluates a syntax tree with variables and host functions, all in JSON.
  ///
  /// - Parameters:
  ///   - definition: As for ``evaluateWithContext(definition:host:)``, but `expression` is a tree
  ///     as ``parseToAst(expression:)`` writes it.
  ///   - host: The implementation of the host functions.
  /// - Returns: `{"Ok": value}` with a tagged value, or `{"Err": text}`.
  public static func evaluateAstWithContext(definition: String, host: some HostContext) -> String {
    evaluateAstWithContext(definition: definition, call: host.call)
  }

  static func evaluateAstWithContext(definition: String, call: @escaping HostCall) -> String {
    let parsed: EvaluationDefinition
    let expression: String
    do throws(JSONError) {
      let rest: String
      (rest, expression) = try TreeDefinition.split(definition)
      parsed = try EvaluationDefinition(json: rest)
    } catch {
      return failure("Invalid execution context JSON: \(error)")
    }
    let tree: SyntaxTree
    do throws(ExpressionJSONReader.Failure) {
      tree = try ExpressionJSONReader.read(expression)
    } catch {
      return failure("Invalid execution context JSON: \(error)")
    }
    let environment = FilterEnvironment(
      device: parsed.device, computed: parsed.computed, call: call)
    do throws(FilterError) {
      return result(of: try Filter(tree, environment: environment), context(of: parsed))
    } catch {
      return failure(error)
    }
  }

  /// Evaluates a syntax tree in JSON without variables, host functions and null safety.
  ///
  /// - Parameter ast: A tree as ``parseToAst(expression:)`` writes it.
  /// - Returns: `{"Ok": value}` with a tagged value, or `{"Err": text}`. A missing name or member
  ///   is an error.
  public static func evaluateAst(ast: String) -> String {
    let tree: SyntaxTree
    do throws(ExpressionJSONReader.Failure) {
      tree = try ExpressionJSONReader.read(ast)
    } catch {
      return failure("Invalid definition for AST Execution: \(error)")
    }
    do throws(FilterError) {
      return result(of: try Filter(withoutNullSafety: tree), Context(variables: [:]))
    } catch {
      return failure(error)
    }
  }

  /// Parses an expression of the superscript dialect into a syntax tree in JSON.
  ///
  /// The tree's nodes are objects with a `type` and a `value`:
  ///
  ///     {"type": "Relation", "value": [
  ///       {"type": "Member", "value": [{"type": "Ident", "value": "user"},
  ///                                    {"type": "Attribute", "value": "age"}]},
  ///       {"type": "GreaterThanEq"},
  ///       {"type": "Atom", "value": {"type": "Int", "value": 18}}]}
  ///
  /// - Parameter expression: The text of the expression.
  /// - Returns: The tree, or `{"Err": text}` (the reference crashes) for text that is not an
  ///   expression.
  public static func parseToAst(expression: String) -> String {
    do {
      return ExpressionJSONWriter.text(try parse(SourceText(expression), dialect: .superscript))
    } catch {
      return failure(error.diagnostics.first?.message ?? "Failed to compile expression")
    }
  }
}

// MARK: - Parts

/// Returns `{"Err": text}`.
func failure(_ text: String) -> String {
  JSONWriter.document(escapesInvisible: false) { $0.member("Err", text) }
}

private func failure(_ error: FilterError) -> String {
  failure(error.diagnostics.first?.message ?? "Failed to compile expression")
}

private func result(of filter: Filter, _ context: Context) -> String {
  do throws(EvaluationError) {
    let value = try filter.evaluate(context)
    return JSONWriter.document(escapesInvisible: false) { writer in
      writer.key("Ok")
      PassableValue.write(value, to: &writer)
    }
  } catch {
    return failure(error.diagnostic.message)
  }
}

/// Returns the variables. `device` is a map even if it is given as something else, and `computed`
/// has only functions (docs/spec/superscript.md §14).
private func context(of definition: EvaluationDefinition) -> Context {
  var variables = definition.variables
  if let device = variables["device"], device.kindName != "map" { variables["device"] = nil }
  variables["computed"] = nil
  return Context(variables: variables)
}

/// A definition whose expression is a tree.
private enum TreeDefinition {
  /// Splits a definition into the definition with a text for its expression, and the JSON of the
  /// expression.
  static func split(_ definition: String) throws(JSONError) -> (rest: String, expression: String) {
    var definition = definition
    let outcome = definition.withUTF8 { bytes in
      Result { () throws(JSONError) -> (String, String) in try split(bytes) }
    }
    return try outcome.get()
  }

  private static func split(
    _ bytes: UnsafeBufferPointer<UInt8>
  ) throws(JSONError) -> (String, String) {
    var scanner = JSONScanner(bytes)
    var rest: [UInt8] = []
    var expression: Range<Int>?
    var copied = 0
    let isObject = try scanner.nextToken() == .beginObject
    var index = 0
    while true {
      let isExpression: Bool
      if isObject {
        guard try scanner.nextToken() == .key else { break }
        isExpression = scanner.currentStringEquals("expression")
      } else {
        isExpression = index == 1
      }
      let token = try scanner.nextToken()
      if scanner.depth == 0 { break }
      let start = scanner.tokenStart
      try scanner.skipRest(of: token)
      if isExpression {
        rest += bytes[copied..<start]
        rest += "\"\"".utf8
        copied = scanner.offset
        expression = start..<scanner.offset
      }
      index += 1
    }
    rest += bytes[copied...]
    let found = expression.map { String(decoding: bytes[$0], as: UTF8.self) } ?? "null"
    return (String(decoding: rest, as: UTF8.self), found)
  }
}
