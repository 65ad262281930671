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

  private enum Answer: Sendable {
    case value(Value)
    case failure(HostFailure)
  }

  private let answers = Locked<[Call: Answer]>([:])

  /// Returns the environment with host functions that remember their results.
  func remembering(_ environment: FilterEnvironment) -> FilterEnvironment {
    var environment = environment
    environment.deviceFunctions = remembering(environment.deviceFunctions, table: "device")
    environment.computedFunctions = remembering(environment.computedFunctions, table: "computed")
    return environment
  }

  private func remembering(
    _ functions: [String: FilterEnvironment.HostFunction], table: String
  ) -> [String: FilterEnvironment.HostFunction] {
    var result: [String: FilterEnvironment.HostFunction] = [:]
    for (name, function) in functions {
      result[name] = { (arguments, hostState) throws(HostFailure) in
        let call = Call(function: "\(table).\(name)", arguments: arguments)
        if let answer = self.answers.withLock({ $0[call] }) { return try Self.result(answer) }
        let answer: Answer
        do throws(HostFailure) {
          answer = .value(try function(arguments, hostState))
        } catch {
          answer = .failure(error)
        }
        self.answers.withLock { $0[call] = answer }
        return try Self.result(answer)
      }
    }
    return result
  }

  private static func result(_ answer: Answer) throws(HostFailure) -> Value {
    switch answer {
    case .value(let value): return value
    case .failure(let error): throw error
    }
  }
}
