/// A regular expression that was compiled with the program.
protocol CompiledPattern: Sendable {
  func matches(_ subject: UTF8Bytes) -> Bool?
}

enum Pattern {
  static func compile(_ pattern: Slot, rules: ValueRules) -> (any CompiledPattern)? { nil }
}

extension Machine {
  mutating func matches(_ subject: Slot, _ pattern: any CompiledPattern) -> Slot {
    fail(.invalidPattern)
  }
  mutating func matches(_ subject: Slot, _ pattern: Slot) -> Slot { fail(.invalidPattern, pattern) }
}
