import ExpressionEngine

/// Makes contexts that resemble others: attributes are left out, or have other values, some of
/// which the filters themselves name.
struct ContextVariation {
  private var state: UInt64
  /// Values that filters name.
  private let pool: [Value]

  init(seed: UInt64, pool: [Value]) {
    state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    self.pool = pool
  }

  /// A number below `count`.
  mutating func next(_ count: Int) -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return count > 0 ? Int(state >> 33) % count : 0
  }

  /// Contexts that resemble the given ones, those first.
  mutating func contexts(like given: [[String: Value]], count: Int) -> [[String: Value]] {
    var result: [[String: Value]] = []
    for context in given where !result.contains(context) { result.append(context) }
    guard !given.isEmpty, given.contains(where: { !$0.isEmpty }) else { return result }
    let enough = max(count, result.count + count / 2)
    var attempts = 0
    while result.count < enough, attempts < enough * 4 {
      attempts += 1
      var context = given[next(given.count)]
      for _ in 0...next(3) { vary(&context) }
      if !result.contains(context) { result.append(context) }
    }
    return result
  }

  private mutating func vary(_ context: inout [String: Value]) {
    let names = context.keys.sorted()
    guard !names.isEmpty else { return }
    let name = names[next(names.count)]
    if next(8) == 0 {
      context[name] = nil
    } else if let value = context[name] {
      context[name] = different(from: value, depth: 0)
    }
  }

  /// Another value of the same kind.
  private mutating func different(from value: Value, depth: Int) -> Value {
    let named = pool.filter { sameKind($0, value) }
    if !named.isEmpty, next(2) == 0 { return named[next(named.count)] }
    switch value {
    case .bool(let bool): return .bool(!bool)
    case .int(let number):
      return .int([0, 1, -1, number &+ 1, number &- 1, .max, .min, 1 << 53 + 1][next(8)])
    case .uint(let number): return .uint([0, 1, number &+ 1, .max, 1 << 63][next(5)])
    case .double(let number):
      return .double([0, -0.0, number + 1, -number, 0.5, .nan, .infinity, 0x1p63][next(8)])
    case .string(let text):
      return .string(
        ["", "true", "false", text + "x", "A", "é", "10", "9", "a%b_", "zz", "Unknown function"][
          next(11)])
    case .list(var elements):
      switch next(5) {
      case 0: return .list([])
      case 1: return .list(elements + elements.prefix(1))
      case 2 where !elements.isEmpty:
        elements.remove(at: next(elements.count))
        return .list(elements)
      default:
        guard !elements.isEmpty else { return value }
        let index = next(elements.count)
        elements[index] = different(from: elements[index], depth: depth + 1)
        return .list(elements)
      }
    case .map(var entries):
      let keys = entries.keys.sorted { $0.text < $1.text }
      guard !keys.isEmpty else { return value }
      let key = keys[next(keys.count)]
      if next(3) == 0 {
        entries[key] = nil
      } else if let member = entries[key] {
        entries[key] = different(from: member, depth: depth + 1)
      }
      return .map(entries)
    case .timestamp(let instant):
      return .timestamp(
        Value.Timestamp(seconds: instant.seconds &+ Int64(next(5) - 2) * 43_200))
    default: return value
    }
  }

  private func sameKind(_ a: Value, _ b: Value) -> Bool {
    switch (a, b) {
    case (.bool, .bool), (.int, .int), (.uint, .uint), (.double, .double), (.string, .string): true
    default: false
    }
  }
}
