package import ExpressionEngine

/// The type of an expression, a variable, a parameter or a result (docs/spec/cel.md §13).
///
/// Typing is gradual: `dyn` fits everywhere and leaves the decision to the evaluation. The text
/// form is in `Type+Text.swift`.
package indirect enum Type: Sendable, Hashable {
  /// Truth values.
  case bool
  /// Signed 64-bit integers.
  case int
  /// Unsigned 64-bit integers.
  case uint
  /// IEEE 754 doubles.
  case double
  /// Text.
  case string
  /// Octets.
  case bytes
  /// The type of `null` alone.
  case null
  /// Instants.
  case timestamp
  /// Spans of time.
  case duration
  /// Any value; its type shows when the expression is evaluated.
  case dyn
  /// A value packed with its type; it is unpacked on access, so it behaves like `dyn`.
  case any
  /// The type of an expression with a mistake; nothing about it is reported again.
  case error
  /// Lists whose elements have one type.
  case list(Type)
  /// Maps whose keys have one type and whose values have one type.
  case map(Type, Type)
  /// The values that are types: `int` is a `type(int)`.
  case type(Type)
  /// A primitive value or null.
  case wrapper(Type)
  /// A value that may be absent (docs/spec/cel.md §14).
  case optional(Type)
  /// A type that a library or the host adds, `net.IP` or `tuple(int, string)` for instance.
  case abstract(String, [Type])
  /// A type parameter of a declaration, `$T`.
  case parameter(String)
  /// A type that is not decided yet. Declarations and results never contain it.
  case variable(UInt32)
}

extension Type {
  /// The number of nodes up to which a type is kept; what is beyond counts as `dyn`.
  ///
  /// Without a bound, a short expression could have a type of exponential size.
  static let maximumSize = 128

  /// The types directly inside this one.
  var arguments: [Type] {
    switch self {
    case .list(let element), .type(let element), .wrapper(let element), .optional(let element):
      [element]
    case .map(let key, let value): [key, value]
    case .abstract(_, let arguments): arguments
    default: []
    }
  }

  /// The same type with other types inside, made by `transform` from left to right.
  ///
  /// Transforms call it again; inlining would unroll that several levels deep in each of them.
  @inline(never)
  func mapArguments(_ transform: (Type) -> Type) -> Type {
    switch self {
    case .list(let element): return .list(transform(element))
    case .type(let element): return .type(transform(element))
    case .wrapper(let element): return .wrapper(transform(element))
    case .optional(let element): return .optional(transform(element))
    case .map(let key, let value):
      let newKey = transform(key)
      return .map(newKey, transform(value))
    case .abstract(let name, let arguments) where !arguments.isEmpty:
      return .abstract(name, arguments.map(transform))
    default: return self
    }
  }

  /// Returns whether `predicate` holds for this type or one inside it.
  func contains(_ predicate: (Type) -> Bool) -> Bool {
    predicate(self) || arguments.contains { $0.contains(predicate) }
  }

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

  /// Whether null is allowed where the type is expected (docs/spec/cel.md §13).
  var isNullable: Bool {
    switch self {
    case .timestamp, .duration, .wrapper, .optional, .abstract, .null: true
    default: false
    }
  }

  /// Whether values of the type have an order (docs/spec/cel.md §5).
  var isOrdered: Bool {
    switch self {
    case .int, .uint, .double, .string, .bytes, .bool, .timestamp, .duration: true
    case .wrapper(let primitive): primitive.isOrdered
    default: false
    }
  }

  /// The type of a value, as exact as its content allows: `[1, 2]` is a `list(int)`.
  ///
  /// - Complexity: O(n) in the size of the value.
  package init(of value: Value) {
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

  /// The common type of all, or `dyn` if they differ or there are none.
  private static func common(of types: some Sequence<Type>) -> Type {
    var result: Type?
    for type in types {
      if let known = result, known != type { return .dyn }
      result = type
    }
    return result ?? .dyn
  }

  /// The type within `maximumSize`: parts beyond it are `dyn`.
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
