public import ExpressionEngine

extension Type {
  /// Whether a value of the type is of one known kind throughout: no `dyn`, nothing undecided.
  var isConcrete: Bool {
    !contains { part in
      switch part {
      case .dyn, .any, .error, .variable, .parameter: true
      default: false
      }
    }
  }

  /// Whether members and elements of the type are known at evaluation only.
  var isDynamic: Bool {
    switch self {
    case .dyn, .any: true
    default: false
    }
  }

  /// Whether the type is int, uint or double.
  var isNumeric: Bool {
    switch self {
    case .int, .uint, .double: true
    default: false
    }
  }

  /// Whether null may stand where the type is expected (spec §13).
  var isNullable: Bool {
    switch self {
    case .timestamp, .duration, .wrapper, .optional, .abstract, .null: true
    default: false
    }
  }

  /// Whether values of the type have an order (spec §5).
  var isOrdered: Bool {
    switch self {
    case .int, .uint, .double, .string, .bytes, .bool, .timestamp, .duration: true
    case .wrapper(let primitive): primitive.isOrdered
    default: false
    }
  }

  /// The type of a value, as exact as its content tells: `[1, 2]` is a `list(int)`.
  ///
  /// - Complexity: O(n) in the size of the value.
  public init(of value: Value) {
    switch value {
    case .null: self = .null
    case .bool: self = .bool
    case .int: self = .int
    case .uint: self = .uint
    case .double: self = .double
    case .string: self = .string
    case .bytes: self = .bytes
    case .timestamp: self = .timestamp
    case .duration: self = .duration
    case .list(let elements):
      self = .list(Type.common(of: elements.lazy.map(Type.init(of:))))
    case .map(let entries):
      self = .map(
        Type.common(of: entries.keys.lazy.map(Type.init(ofKey:))),
        Type.common(of: entries.values.lazy.map(Type.init(of:))))
    case .function: self = .dyn
    case .type(let name): self = .type((try? Type(text: name)) ?? .dyn)
    case .optional(let content): self = .optional(content.map(Type.init(of:)) ?? .dyn)
    case .network(let value):
      self = .abstract(value.prefixLength == nil ? "net.IP" : "net.CIDR", [])
    }
    self = pruned
  }

  private init(ofKey key: Value.Key) {
    switch key {
    case .bool: self = .bool
    case .int: self = .int
    case .uint: self = .uint
    case .string: self = .string
    }
  }

  /// The type that all have, or ``dyn`` when they differ or there is none.
  private static func common(of types: some Sequence<Type>) -> Type {
    var result: Type?
    for type in types {
      if let known = result, known != type { return .dyn }
      result = type
    }
    return result ?? .dyn
  }

  /// The type within ``maximumSize``: parts beyond it are ``dyn``.
  var pruned: Type {
    var budget = Type.maximumSize
    if fits(&budget) { return self }
    budget = Type.maximumSize
    return pruned(&budget)
  }

  private func fits(_ budget: inout Int) -> Bool {
    budget -= 1
    guard budget >= 0 else { return false }
    for argument in arguments where !argument.fits(&budget) { return false }
    return true
  }

  private func pruned(_ budget: inout Int) -> Type {
    budget -= 1
    guard budget >= 0 else { return .dyn }
    return mapArguments { $0.pruned(&budget) }
  }
}
