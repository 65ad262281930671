import ExpressionEngine

/// A registration of the placement in a test, and what it must give.
public struct Registration: Sendable, Hashable {
  /// How long after the registration before, in minutes.
  public var minutes: Int64 = 0
  /// The experiment of the audience; `nil` for none.
  public var expected: String?
  /// The variant that the user must get, or be able to get if no number is drawn; `nil` if it does not
  /// matter.
  public var variant: String?
  /// The number that is drawn for the choice of the variant, from 0 up to the sum of the weights.
  public var draw: UInt64?

  init(minutes: Int64 = 0, expected: String?) {
    self.minutes = minutes
    self.expected = expected
  }

  /// The members of a test or of one of its steps that tell of a registration.
  static let members: Set<String> = ["expect", "variant", "draw"]

  /// Reads the members of a line, or of a step of one.
  init(reading members: [Value.Key: Value]) throws(UserTest.ReadingError) {
    switch members["expect"] {
    case .string(let id)?: expected = id
    case .null?: expected = nil
    default: throw UserTest.ReadingError(description: "`expect` is the id of an experiment or null")
    }
    switch members["variant"] {
    case nil: variant = nil
    case .string(let id)?: variant = id
    default: throw UserTest.ReadingError(description: "`variant` is the id of a variant")
    }
    switch members["draw"] {
    case nil: draw = nil
    case .int(let number)? where number >= 0: draw = UInt64(number)
    default: throw UserTest.ReadingError(description: "`draw` is a whole number from 0")
    }
  }

  /// Reads a step: a later registration of the same user.
  init(step: Value) throws(UserTest.ReadingError) {
    guard case .map(let members) = step else {
      throw UserTest.ReadingError(description: "`then` is a list of objects")
    }
    if let other = members.keys.map(\.text).filter({
      $0 != "wait" && !Self.members.contains($0)
    }).min() {
      throw UserTest.ReadingError(description: "a member of `then` has no member `\(other)`")
    }
    try self.init(reading: members)
    switch members["wait"] {
    case nil: minutes = 0
    case .int(let number)? where number >= 0: minutes = number
    default: throw UserTest.ReadingError(description: "`wait` is a number of minutes from 0")
    }
  }

  /// The members of a line that tell of the registration.
  var value: [Value.Key: Value] {
    var members: [Value.Key: Value] = ["expect": expected.map { .string($0) } ?? .null]
    if minutes > 0 { members["wait"] = .int(minutes) }
    if let variant { members["variant"] = .string(variant) }
    if let draw { members["draw"] = .int(Int64(clamping: draw)) }
    return members
  }
}
