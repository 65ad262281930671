/// The knowledge about types that are not decided yet, and their unification.
///
/// Joining covers both what literals and branches need (the type of both) and what calls need
/// (whether an argument fits a parameter): typing is gradual, so both ask whether two types agree,
/// and undecided types are decided on the way (docs/spec/cel.md §13).
struct TypeSubstitution {
  /// The type of each variable, `nil` while it is undecided. It may be another variable.
  private var bindings: [Type?] = []
  /// The overwritten values, with which an attempt can be undone.
  private var trail: [(variable: UInt32, old: Type?)] = []

  /// The work that one join may cost; where it runs out, types count as `dyn`.
  private static let maximumSteps = 4 * Type.maximumSize

  /// A type that is not decided yet.
  mutating func fresh() -> Type {
    bindings.append(nil)
    return .variable(UInt32(truncatingIfNeeded: bindings.count &- 1))
  }

  /// A point to go back to.
  var mark: Int { trail.count }

  /// Forgets what was learnt since the mark.
  mutating func rollBack(to mark: Int) {
    while trail.count > mark, let entry = trail.popLast() {
      bindings[Int(entry.variable)] = entry.old
    }
  }

  /// Nothing before this point can be undone any more.
  mutating func commit() { trail.removeAll(keepingCapacity: true) }

  private mutating func bind(_ variable: UInt32, to type: Type) {
    trail.append((variable, bindings[Int(variable)]))
    bindings[Int(variable)] = type
  }

  /// The last variable of a chain of variables.
  private func root(of variable: UInt32) -> UInt32 {
    var current = variable
    while case .variable(let next)? = bindings[Int(current)] { current = next }
    return current
  }

  /// The type with its outermost variable replaced by what it stands for.
  func shallow(_ type: Type) -> Type {
    guard case .variable(let variable) = type else { return type }
    let last = root(of: variable)
    return bindings[Int(last)] ?? .variable(last)
  }

  /// The type with all that is known put in; what is undecided stays a variable.
  func known(_ type: Type) -> Type {
    var budget = Type.maximumSize
    return resolve(type, &budget, undecided: nil)
  }

  /// The type with all that is known put in; what is undecided is `dyn`.
  func final(_ type: Type) -> Type {
    var budget = Type.maximumSize
    return resolve(type, &budget, undecided: .dyn)
  }

  private func resolve(_ type: Type, _ budget: inout Int, undecided: Type?) -> Type {
    budget -= 1
    guard budget >= 0 else { return .dyn }
    let type = shallow(type)
    if case .variable = type { return undecided ?? type }
    return type.mapArguments { resolve($0, &budget, undecided: undecided) }
  }

  /// The type that covers both, or `nil` if they disagree; then nothing is learnt.
  mutating func join(_ first: Type, _ second: Type) -> Type? {
    let start = mark
    var steps = Self.maximumSteps
    if let type = join(first, second, &steps) { return type }
    rollBack(to: start)
    return nil
  }

  private mutating func join(_ first: Type, _ second: Type, _ steps: inout Int) -> Type? {
    steps -= 1
    guard steps >= 0 else { return .dyn }
    switch (first, second) {
    case (.variable(let a), .variable(let b)) where root(of: a) == root(of: b): return first
    case (.variable(let variable), let other), (let other, .variable(let variable)):
      return joinVariable(root(of: variable), other, &steps)
    case (.error, _), (_, .error): return .error
    case (.any, .any): return .any
    case (.dyn, let other), (.any, let other), (let other, .dyn), (let other, .any):
      decideAsDynamic(other, &steps)
      return .dyn
    case (.null, let other) where other.isNullable: return other
    case (let other, .null) where other.isNullable: return other
    case (.wrapper(let a), .wrapper(let b)): return join(a, b, &steps).map { .wrapper($0) }
    case (.wrapper(let primitive), let other), (let other, .wrapper(let primitive)):
      return join(primitive, other, &steps).map { .wrapper($0) }
    case (.list(let a), .list(let b)): return join(a, b, &steps).map { .list($0) }
    case (.optional(let a), .optional(let b)): return join(a, b, &steps).map { .optional($0) }
    case (.type(let a), .type(let b)): return .type(joinTypes(a, b, &steps))
    case (.map(let key, let value), .map(let otherKey, let otherValue)):
      guard let key = join(key, otherKey, &steps), let value = join(value, otherValue, &steps)
      else { return nil }
      return .map(key, value)
    case (.abstract(let name, let a), .abstract(let otherName, let b)):
      guard name == otherName, a.count == b.count else { return nil }
      var arguments: [Type] = []
      for (a, b) in zip(a, b) {
        guard let argument = join(a, b, &steps) else { return nil }
        arguments.append(argument)
      }
      return .abstract(name, arguments)
    default: return first == second ? first : nil
    }
  }

  /// Types are all of one kind: any two may be compared.
  private mutating func joinTypes(_ first: Type, _ second: Type, _ steps: inout Int) -> Type {
    let start = mark
    if let type = join(first, second, &steps) { return type }
    rollBack(to: start)
    return .dyn
  }

  /// Decides a variable, or generalizes its type.
  private mutating func joinVariable(
    _ variable: UInt32, _ other: Type, _ steps: inout Int
  ) -> Type? {
    if case .variable(let second) = other {
      let last = root(of: second)
      switch (bindings[Int(variable)], bindings[Int(last)]) {
      case (nil, nil):
        // The younger one follows the older, which keeps chains short.
        bind(max(variable, last), to: .variable(min(variable, last)))
        return .variable(min(variable, last))
      case (nil, _): return follow(variable, last, &steps)
      case (_, nil): return follow(last, variable, &steps)
      case (let known?, let otherKnown?):
        guard let type = join(known, otherKnown, &steps) else { return nil }
        guard decide(last, as: type, &steps) else { return nil }
        return follow(variable, last, &steps)
      }
    }
    if case .error = other { return .error }
    guard let known = bindings[Int(variable)] else {
      return decide(variable, as: other, &steps) ? .variable(variable) : nil
    }
    guard let type = join(known, other, &steps) else { return nil }
    guard type == known || decide(variable, as: type, &steps) else { return nil }
    return .variable(variable)
  }

  /// Makes an undecided variable equal to another one.
  private mutating func follow(
    _ variable: UInt32, _ other: UInt32, _ steps: inout Int
  ) -> Type? {
    guard !occurs(variable, in: .variable(other), &steps) else { return nil }
    bind(variable, to: .variable(other))
    return .variable(other)
  }

  /// Binds a variable unless it occurs in its own type.
  private mutating func decide(_ variable: UInt32, as type: Type, _ steps: inout Int) -> Bool {
    if case .variable(let other) = type, root(of: other) == variable { return true }
    guard !occurs(variable, in: type, &steps) else { return false }
    bind(variable, to: type)
    return true
  }

  private func occurs(_ variable: UInt32, in type: Type, _ steps: inout Int) -> Bool {
    steps -= 1
    // A type too large to search may hold the variable.
    guard steps >= 0 else { return true }
    switch type {
    case .variable(let other):
      let last = root(of: other)
      if last == variable { return true }
      return bindings[Int(last)].map { occurs(variable, in: $0, &steps) } ?? false
    default:
      for argument in type.arguments where occurs(variable, in: argument, &steps) { return true }
      return false
    }
  }

  /// Every undecided type inside becomes `dyn`, because it met a value of unknown type.
  private mutating func decideAsDynamic(_ type: Type, _ steps: inout Int) {
    steps -= 1
    guard steps >= 0 else { return }
    if case .variable(let variable) = type {
      let last = root(of: variable)
      guard let known = bindings[Int(last)] else { return bind(last, to: .dyn) }
      decideAsDynamic(known, &steps)
    } else {
      for argument in type.arguments { decideAsDynamic(argument, &steps) }
    }
  }
}
