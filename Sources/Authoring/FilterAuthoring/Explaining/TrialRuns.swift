import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

/// Evaluates parts of a filter in many worlds, and compiles each part once.
final class TrialRuns {
  /// A part, and the functions of the app whose results are changed.
  private struct Key: Hashable {
    let node: NodeID
    let functions: Set<String>
  }

  /// The results of functions in the world that is tried.
  private final class Results: Sendable {
    let changed = Locked<[HostMemory.Call: Value]>([:])
  }

  private let tree: SyntaxTree
  private let environment: FilterEnvironment
  private let results = Results()
  private var fragments: [Key: CompiledFragment?] = [:]
  private var environments: [Set<String>: FilterEnvironment] = [:]

  init(_ tree: SyntaxTree, environment: FilterEnvironment) {
    self.tree = tree
    self.environment = environment
  }

  /// Returns the value of a part in a world; `nil` if it has none.
  func value(of node: NodeID, in world: ChangedWorld) -> Value? {
    let functions = Set(world.results.keys.lazy.map { $0.function })
    let key = Key(node: node, functions: functions)
    let fragment: CompiledFragment?
    if let known = fragments[key] {
      fragment = known
    } else {
      fragment = try? CompiledFragment(tree, node, environment: environment(changing: functions))
      fragments[key] = .some(fragment)
    }
    guard let fragment else { return nil }
    if !functions.isEmpty { results.changed.withLock { $0 = world.results } }
    return try? fragment.evaluate(world.context)
  }

  /// Returns the environment in which some functions return the changed results.
  private func environment(changing functions: Set<String>) -> FilterEnvironment {
    guard !functions.isEmpty else { return environment }
    if let known = environments[functions] { return known }
    var changed = environment
    let results = results
    for function in functions {
      let table = String(function.prefix { $0 != "." })
      let name = String(function.dropFirst(table.utf8.count + 1))
      let original =
        table == "device"
        ? environment.deviceFunctions[name] : environment.computedFunctions[name]
      let body: FilterEnvironment.HostFunction = { (arguments, state) throws(HostFailure) in
        let call = HostMemory.Call(function: function, arguments: arguments)
        if let result = results.changed.withLock({ $0[call] }) { return result }
        return try original?(arguments, state) ?? .null
      }
      if table == "device" {
        changed.deviceFunctions[name] = body
      } else {
        changed.computedFunctions[name] = body
      }
    }
    environments[functions] = changed
    return changed
  }
}
