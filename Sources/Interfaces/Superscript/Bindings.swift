public import ExpressionEngine

// The reference's Swift module: the same names with the same signatures, so that a project that
// imports `Superscript` compiles with this product instead. The functions of ``ReferenceInterface``
// do the work.

/// The app's implementation of host functions, with results by callback.
///
/// The functions are called on any thread, by several evaluations at once. They may pass the result
/// to the callback before they return, or later, from any thread or task.
public protocol HostContext: AnyObject, Sendable {
  /// Computes the result of `computed.name(…)`.
  ///
  /// - Parameters:
  ///   - name: The name of the function.
  ///   - args: The evaluated arguments as a JSON list of tagged values
  ///     (`[{"type":"string","value":"app_open"}]`).
  ///   - callback: Takes the result, a tagged value in JSON. Any other text, such as an empty one,
  ///     counts as null.
  func computedProperty(name: String, args: String, callback: ResultCallback)

  /// Computes the result of `device.name(…)`; see ``computedProperty(name:args:callback:)``.
  func deviceProperty(name: String, args: String, callback: ResultCallback)
}

/// What a ``ResultCallback`` does.
public protocol ResultCallbackProtocol: AnyObject, Sendable {
  /// Passes on the result of a host function. Only the first result counts.
  func onResult(result: String)
}

/// Takes the result of a host function.
///
/// It may be called at any time, from any thread or task. The first result counts; later ones, and
/// those after the time limit, have no effect.
///
/// `@unchecked Sendable`, as in the reference, because it is open; its only state is Sendable.
open class ResultCallback: ResultCallbackProtocol, @unchecked Sendable {
  /// The argument of ``init(noPointer:)``.
  public struct NoPointer: Sendable {
    /// Creates the argument.
    public init() {}
  }

  private let reply: HostReply?

  init(_ reply: HostReply) { self.reply = reply }

  /// Creates a callback that nothing waits for, for tests of an app's host functions.
  public init(noPointer: NoPointer) { reply = nil }

  /// Passes on the result of a host function. Only the first result counts.
  ///
  /// - Parameter result: A tagged value in JSON. Any other text counts as null.
  open func onResult(result: String) { reply?.set(result) }
}

extension ReferenceInterface {
  /// The time that the callbacks of an evaluation have together, unless the caller sets another.
  public static let callbackTimeLimit = Value.Duration.seconds(5)
}

/// Evaluates an expression with variables and host functions, all in JSON.
///
/// It waits for the results of host functions on the calling thread. If they do not come within
/// ``ReferenceInterface/callbackTimeLimit``, the result is an error.
///
/// - Parameters:
///   - definition: The definition's JSON text; see
///     ``ReferenceInterface/evaluateWithContext(definition:host:)``.
///   - context: The implementation of the host functions.
/// - Returns: `{"Ok": value}` with a tagged value, or `{"Err": text}`.
public func evaluateWithContext(definition: String, context: any HostContext) -> String {
  evaluateWithContext(
    definition: definition, context: context, timeLimit: ReferenceInterface.callbackTimeLimit)
}

/// Evaluates an expression as ``evaluateWithContext(definition:context:)``, with another time
/// limit.
///
/// - Parameters:
///   - definition: As for `evaluateWithContext(definition:context:)`.
///   - context: The implementation of the host functions.
///   - timeLimit: The time that the callbacks of the evaluation have together.
public func evaluateWithContext(
  definition: String, context: any HostContext, timeLimit: Value.Duration
) -> String {
  let host = CallbackHost(context, timeLimit: timeLimit)
  return host.result(
    ReferenceInterface.evaluateWithContext(definition: definition, call: host.call))
}

/// Evaluates a syntax tree with variables and host functions, all in JSON.
///
/// - Parameters:
///   - definition: As for `evaluateWithContext(definition:context:)`, but `expression` is a tree
///     as ``parseToAst(expression:)`` writes it.
///   - context: The implementation of the host functions.
/// - Returns: `{"Ok": value}` with a tagged value, or `{"Err": text}`.
public func evaluateAstWithContext(definition: String, context: any HostContext) -> String {
  evaluateAstWithContext(
    definition: definition, context: context, timeLimit: ReferenceInterface.callbackTimeLimit)
}

/// Evaluates a syntax tree as ``evaluateAstWithContext(definition:context:)``, with another time
/// limit.
///
/// - Parameters:
///   - definition: As for `evaluateAstWithContext(definition:context:)`.
///   - context: The implementation of the host functions.
///   - timeLimit: The time that the callbacks of the evaluation have together.
public func evaluateAstWithContext(
  definition: String, context: any HostContext, timeLimit: Value.Duration
) -> String {
  let host = CallbackHost(context, timeLimit: timeLimit)
  return host.result(
    ReferenceInterface.evaluateAstWithContext(definition: definition, call: host.call))
}

/// Evaluates a syntax tree in JSON without variables, host functions and null safety.
///
/// - Parameter ast: A tree as ``parseToAst(expression:)`` writes it.
/// - Returns: `{"Ok": value}` with a tagged value, or `{"Err": text}`.
public func evaluateAst(ast: String) -> String { ReferenceInterface.evaluateAst(ast: ast) }

/// Parses an expression of the superscript dialect into a syntax tree in JSON.
///
/// - Parameter expression: The text of the expression.
/// - Returns: The tree, or `{"Err": text}` for text that is not an expression.
public func parseToAst(expression: String) -> String {
  ReferenceInterface.parseToAst(expression: expression)
}
