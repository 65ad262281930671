/// What a register may hold, as far as instructions depend on it: a set of kinds.
struct RegisterContents: OptionSet, Hashable {
  let rawValue: UInt32

  init(rawValue: UInt32) { self.rawValue = rawValue }

  init(_ tag: SlotTag) { rawValue = 1 << UInt32(tag.rawValue) }

  /// The values of these kinds.
  init(_ kinds: SlotKinds) { rawValue = kinds.rawValue & Self.value.rawValue }

  /// Any value of the language.
  static let value = RegisterContents(
    rawValue: RegisterContents(SlotTag.network).rawValue << 1 &- 1)
  static let valueOrFailure = value.union(failure)
  static let null = RegisterContents(SlotTag.null)
  static let bool = RegisterContents(SlotTag.bool)
  static let int = RegisterContents(SlotTag.int)
  static let list = RegisterContents(SlotTag.list)
  static let map = RegisterContents(SlotTag.map)
  static let optional = RegisterContents(SlotTag.optional)
  static let number: RegisterContents = [
    .int, RegisterContents(SlotTag.uint), RegisterContents(SlotTag.double),
  ]
  static let iterator = RegisterContents(SlotTag.iterator)
  /// A failure that a handler stored.
  static let failure = RegisterContents(SlotTag.error)
  /// A list or map under construction, to which nothing was added.
  static let newBuilder = RegisterContents(SlotTag.builder)
  static let listBuilder = RegisterContents(rawValue: 1 << 27)
  /// A map under construction, with a value for each key.
  static let mapBuilder = RegisterContents(rawValue: 1 << 28)
  /// The instruction to return to from the code of a lazily bound value.
  static let returnAddress = RegisterContents(rawValue: 1 << 29)
  /// What was in the memory before: the register has not been written.
  static let garbage = RegisterContents(rawValue: 1 << 30)

  // Debug builds verify every program that they compile, and there these are many times faster than
  // the generic ones of `OptionSet`.

  var isEmpty: Bool { rawValue == 0 }
  func contains(_ other: RegisterContents) -> Bool { other.isSubset(of: self) }
  func isSubset(of other: RegisterContents) -> Bool { rawValue & ~other.rawValue == 0 }
  func isSuperset(of other: RegisterContents) -> Bool { other.isSubset(of: self) }
  func union(_ other: RegisterContents) -> RegisterContents {
    RegisterContents(rawValue: rawValue | other.rawValue)
  }
  func intersection(_ other: RegisterContents) -> RegisterContents {
    RegisterContents(rawValue: rawValue & other.rawValue)
  }
  mutating func formUnion(_ other: RegisterContents) { self = union(other) }

  /// Whether it can be nothing but these.
  func isOnly(_ others: RegisterContents) -> Bool { !isEmpty && isSubset(of: others) }
}
