/// A value in memory of its own, so that what contains it is small, and so is the code of its copies.
///
/// It is public only because public properties are declared with it.
@propertyWrapper
public indirect enum _Boxed<Value> {
  case value(Value)

  /// Creates the box of a value.
  public init(wrappedValue: Value) { self = .value(wrappedValue) }

  /// The value.
  public var wrappedValue: Value {
    get {
      switch self {
      case .value(let value): value
      }
    }
    set { self = .value(newValue) }
  }
}

extension _Boxed: Sendable where Value: Sendable {}
extension _Boxed: Equatable where Value: Equatable {}
