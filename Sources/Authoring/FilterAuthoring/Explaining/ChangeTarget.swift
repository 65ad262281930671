import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

/// Something that a change can set: an attribute, or the result of a call of a function of the app.
struct ChangeTarget: Hashable {
  /// The attribute, or `device.daysSince` for a call.
  let path: AttributePath
  /// The call; `nil` for an attribute.
  let call: HostMemory.Call?
  /// The target as it is written.
  let text: String
  /// A node that reads it.
  let node: NodeID

  static func == (a: ChangeTarget, b: ChangeTarget) -> Bool { a.path == b.path && a.call == b.call }

  func hash(into hasher: inout Hasher) {
    hasher.combine(path)
    hasher.combine(call)
  }

  /// Creates the target that a node reads.
  ///
  /// - Returns: `nil` if the node is neither an attribute nor a call with constant arguments.
  init?(_ id: NodeID, in outline: FilterOutline) {
    let tree = outline.tree
    if let path = tree.attributePath(of: id) {
      // Roots and other variables cannot be set as a whole.
      guard !path.names.isEmpty else { return nil }
      self.path = path
      call = nil
      text = path.description
      node = id
      return
    }
    let called = tree[id]
    guard called.kind == .call, let receiver = called.receiver.map({ tree[$0] }) else {
      return nil
    }
    let table = receiver.kind == .identifier ? tree.name(of: receiver) : ""
    let name = tree.name(of: called)
    guard ["device", "computed"].contains(table),
      outline.isHostFunction(name) || !outline.isLibraryFunction(name)
    else { return nil }
    var arguments: [Value] = []
    for argument in tree.arguments(of: called) {
      guard let value = tree.constant(of: argument) else { return nil }
      arguments.append(value)
    }
    path = AttributePath(root: table, names: [name])
    call = HostMemory.Call(function: "\(table).\(name)", arguments: arguments)
    text = tree.text(ofNode: id)
    node = id
  }
}

/// A context with changes, in which a filter is tried.
struct ChangedWorld {
  private(set) var context: Context
  private(set) var results: [HostMemory.Call: Value] = [:]

  init(_ context: Context) { self.context = context }

  /// Returns the world with another value of a target; `nil` removes an attribute.
  func setting(_ target: ChangeTarget, to value: Value?) -> ChangedWorld {
    var world = self
    if let call = target.call {
      world.results[call] = value ?? .null
    } else {
      world.context = context.setting(target.path, to: value)
    }
    return world
  }
}
