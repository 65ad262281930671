/// The type of an expression, a variable, a parameter or a result (spec/cel.md §13).
///
/// Typing is gradual: ``dyn`` fits everywhere and leaves the decision to the evaluation. The text
/// form is in `Type+Text.swift`.
public indirect enum Type: Sendable, Hashable {
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
  /// A value packed with its type; it is unpacked on sight, so that it behaves like ``dyn``.
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
  /// A value that may be absent (spec §14).
  case optional(Type)
  /// A type that a library or the host adds, `net.IP` or `tuple(int, string)` for instance.
  case abstract(String, [Type])
  /// A type parameter of a declaration, `$T`.
  case parameter(String)
  /// A type that is not decided yet. Declarations and results never contain it.
  case variable(UInt32)
}

extension Type {
  /// The number of nodes up to which a type is kept; what is beyond counts as ``dyn``.
  ///
  /// Without a bound, a short expression could have a type of exponential size.
  package static let maximumSize = 128

  /// The types directly inside this one.
  package var arguments: [Type] {
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
  package func mapArguments(_ transform: (Type) -> Type) -> Type {
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

  /// Whether `predicate` holds for this type or one inside.
  package func contains(_ predicate: (Type) -> Bool) -> Bool {
    predicate(self) || arguments.contains { $0.contains(predicate) }
  }
}
