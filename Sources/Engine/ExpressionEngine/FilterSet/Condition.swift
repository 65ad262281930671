/// A condition on one attribute, as a ``FilterReader`` makes it: before the order of the constants
/// of the attribute is known.
struct Condition {
  /// What the condition says of a value.
  enum Claim {
    /// The value is at a position of one of the runs.
    case positions([SymbolicRun])
    /// The test holds for the value and the constant of a number.
    case test(AttributeTest, constant: UInt32?)
  }

  let attribute: UInt32
  let claim: Claim
  /// Whether the condition holds for the values, from null on, for which the claim is false. A test
  /// that fails is neither true nor false.
  var isNegated = false
  /// Whether the condition holds for a missing attribute.
  var holdsForMissing = false
}

/// The distinct conditions of a set.
///
/// A row has the attribute, ``Flags``, and then the first and the last position of each run, or a
/// test and its constant.
struct ConditionTable: ~Copyable {
  private var rows = WordInterner()
  private var row: [UInt32] = []

  private struct Flags: OptionSet {
    let rawValue: UInt32

    static let isNegated = Flags(rawValue: 1)
    static let holdsForMissing = Flags(rawValue: 2)
    static let isTest = Flags(rawValue: 4)
  }

  var count: Int { rows.count }

  /// Returns the number of a condition, adding it if it is new.
  mutating func number(of condition: Condition) -> UInt32 {
    var flags = Flags()
    if condition.isNegated { flags.insert(.isNegated) }
    if condition.holdsForMissing { flags.insert(.holdsForMissing) }
    row.removeAll(keepingCapacity: true)
    row.append(condition.attribute)
    switch condition.claim {
    case .positions(let runs):
      row.append(flags.rawValue)
      for run in runs {
        row.append(run.first.rawValue)
        row.append(run.last.rawValue)
      }
    case .test(let test, let constant):
      row.append(flags.union(.isTest).rawValue)
      row.append(test.rawValue)
      if let constant { row.append(constant) }
    }
    return rows.number(of: row)
  }

  /// Returns the condition of a number.
  subscript(number: UInt32) -> Condition {
    let words = rows[number]
    let flags = Flags(rawValue: words[1])
    return Condition(
      attribute: words[0], claim: Self.claim(words[2...], isTest: flags.contains(.isTest)),
      isNegated: flags.contains(.isNegated), holdsForMissing: flags.contains(.holdsForMissing))
  }

  private static func claim(
    _ words: Slice<UnsafeBufferPointer<UInt32>>, isTest: Bool
  ) -> Condition.Claim {
    if isTest, let word = words.first, let test = AttributeTest(rawValue: word) {
      return .test(test, constant: words.dropFirst().first)
    }
    return .positions(
      stride(from: words.startIndex, to: words.endIndex, by: 2).map { index in
        SymbolicRun(
          first: SymbolicPosition(rawValue: words[index]),
          last: SymbolicPosition(rawValue: words[index + 1]))
      })
  }
}
