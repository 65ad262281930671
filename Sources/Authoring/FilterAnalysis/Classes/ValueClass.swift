package import ExpressionEngine

/// Values of one source that no condition of the config tells apart.
package struct ValueClass {
  /// The kind of the values.
  package enum Kind: Hashable {
    case missing
    /// The object that the value would lie in is missing, or is not an object.
    case parentMissing
    case null
    case bool
    case number
    case text
    case list
    case map
    /// Not values but outcomes of a part whose outcome is treated as unknown.
    case outcome
  }

  package let kind: Kind
  /// A value of the class; `nil` if it has none because it is about missing values.
  package let value: Value?
  /// How unlikely such a value is: witnesses have the likeliest.
  package var cost: Int
  /// Whether `value` is the only value of the class.
  package let isSingle: Bool

  package init(kind: Kind, value: Value?, cost: Int, isSingle: Bool) {
    self.kind = kind
    self.value = value
    self.cost = cost
    self.isSingle = isSingle
  }

  package static let likely = 1
  /// Values that the filters or the schema do not expect.
  package static let unlikely = 40
}

extension Value {
  /// The kind of the classes that the value falls into.
  package var kind: ValueClass.Kind {
    switch self {
    case .null: .null
    case .bool: .bool
    case .string: .text
    case .list: .list
    case .map: .map
    default: .number
    }
  }
}

/// The values that a source can have, as far as a schema says it.
package struct Domain: Hashable {
  /// The kinds, missing values among them.
  package var kinds: Set<ValueClass.Kind>
  /// Whether numbers are whole.
  package var isWhole = false
  /// The least and the greatest number.
  package var minimum: Double?
  package var maximum: Double?
  /// All texts, if they are known.
  package var texts: [Text]?

  /// Any value of JSON, or none.
  package static let any = Domain(kinds: [.missing, .null, .bool, .number, .text, .list, .map])

  /// Whether every value is a class of its own.
  package var isEnumerated: Bool {
    kinds.allSatisfy { kind in
      switch kind {
      case .missing, .parentMissing, .null, .bool: true
      case .number: isSmallRange
      case .text: texts != nil
      case .list, .map, .outcome: false
      }
    }
  }

  /// Whether each number is a class of its own.
  package var isSmallRange: Bool {
    guard isWhole, let minimum, let maximum else { return false }
    return maximum - minimum <= 256
  }
}
