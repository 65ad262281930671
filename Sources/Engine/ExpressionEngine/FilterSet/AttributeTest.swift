/// A condition on one attribute that is not a set of positions on its ``ValueLine``. It is computed
/// once for each context that has the attribute.
enum AttributeTest: UInt32 {
  /// The text starts with the constant.
  case startsWith
  /// The text ends with the constant.
  case endsWith
  /// The value contains the constant, a text; `contains` in the source.
  case contains
  /// The value contains the constant, a text; `in` in the source.
  case member
  /// The value counts as true.
  case truth

  /// Returns whether the test holds for a value, or `nil` if it fails.
  func holds(_ value: Slot, _ constant: Slot, isSuperscript: Bool) -> Bool? {
    switch (self, value.tag) {
    case (.startsWith, .string): value.hasPrefix(constant)
    case (.endsWith, .string): value.hasSuffix(constant)
    case (.startsWith, _), (.endsWith, _): nil
    case (.contains, .string): constant.occurs(in: value)
    case (.contains, _) where !isSuperscript: nil
    case (.member, .string):
      isSuperscript ? constant.aux == 0 || constant.occurs(in: value) : nil
    case (.contains, .list), (.member, .list):
      value.elements.contains {
        $0.word1 == constant.word1
          && Slot.sameBytes($0.word0, constant.word0, count: constant.aux)
      }
    case (.contains, .map), (.member, .map):
      value.table.find(constant, crossNumeric: false) != nil
    case (.contains, _): false
    case (.member, _): nil
    case (.truth, _): value.isTruthy
    }
  }
}
