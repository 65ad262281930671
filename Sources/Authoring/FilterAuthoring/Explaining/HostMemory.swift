import ExpressionEngine

/// Remembers the results of host functions. An explanation evaluates a filter and its parts; with
/// this memory it calls each function only once with the same arguments, and never contradicts
/// itself.
final class HostMemory: Sendable {
  /// A call of a function of the app.
  struct Call: Hashable, Sendable {
    let function: String
    let arguments: [Value]
  }

  private let answers = Locked<[Call: Result<Value, HostFailure>]>([:])

  /// Returns the environment with host functions that remember their results.
  func remembering(_ environment: FilterEnvironment) -> FilterEnvironment {
    var environment = environment
    environment.deviceFunctions = remembering(environment.deviceFunctions, table: "device")
    environment.computedFunctions = remembering(environment.computedFunctions, table: "computed")
    environment.mapFunctions { remembering($0.body, name: $0.signature) }
    return environment
  }

  private func remembering(
    _ functions: [String: FilterEnvironment.HostFunction], table: String
  ) -> [String: FilterEnvironment.HostFunction] {
    functions.reduce(into: [:]) { result, entry in
      result[entry.key] = remembering(entry.value, name: "\(table).\(entry.key)")
    }
  }

  private func remembering(
    _ function: @escaping FilterEnvironment.HostFunction, name: String
  ) -> FilterEnvironment.HostFunction {
    { (arguments, hostState) throws(HostFailure) in
      try self.answer(Call(function: name, arguments: arguments)) { () throws(HostFailure) in
        try function(arguments, hostState)
      }
    }
  }

  /// Returns the result of a call, which `function` makes only the first time.
  private func answer(
    _ call: Call, _ function: () throws(HostFailure) -> Value
  ) throws(HostFailure) -> Value {
    if let known = answers.withLock({ $0[call] }) { return try known.get() }
    let answer: Result<Value, HostFailure>
    do throws(HostFailure) {
      answer = .success(try function())
    } catch {
      answer = .failure(error)
    }
    answers.withLock { $0[call] = answer }
    return try answer.get()
  }
}
