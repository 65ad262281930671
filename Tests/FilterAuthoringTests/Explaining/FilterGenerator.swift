import AudienceFilters
import ExpressionEngine
import TestSupport

/// Filters and contexts as people might write them, at random but the same in every run.
struct FilterGenerator {
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed &+ 77) }

  let environment = FilterEnvironment(
    deviceFunctions: [
      "daysSince": { arguments, _ in
        if case .string(let name)? = arguments.first { .int(Int64(name.utf8.count)) } else { .null }
      }
    ])

  mutating func pick<Element>(_ choices: [Element]) -> Element {
    choices[Int.random(in: 0..<choices.count, using: &random)]
  }

  private static let numbers = [
    "user.age", "user.seed", "device.count", "params.pages", "user.gone",
  ]
  private static let texts = [
    "user.plan", "device.platform", "user.email", "params.city", "user.no",
  ]
  private static let flags = ["user.isMember", "device.isSandbox", "params.flag", "user.absent"]
  private static let lists = ["user.tags", "device.activeEntitlements", "user.scores"]
  private static let words = [#""pro""#, #""iOS""#, #""a""#, #""true""#, #""25""#, #""""#]

  mutating func filter() -> String { condition(depth: 4) }

  private mutating func condition(depth: Int) -> String {
    guard depth > 0 else { return comparison() }
    switch Int.random(in: 0..<14, using: &random) {
    case 0, 1, 2: return "\(operand(depth)) && \(operand(depth))"
    case 3, 4: return "\(operand(depth)) || \(operand(depth))"
    case 5: return "!(\(condition(depth: depth - 1)))"
    case 6:
      return "\(operand(depth)) ? \(operand(depth)) : \(operand(depth))"
    case 7: return "\(operand(depth)) && \(operand(depth)) && \(operand(depth))"
    case 8: return loop(depth)
    default: return comparison()
    }
  }

  private mutating func operand(_ depth: Int) -> String {
    "(\(condition(depth: depth - 1)))"
  }

  private mutating func loop(_ depth: Int) -> String {
    let name = pick(["all", "exists", "exists_one"])
    let body = pick([
      "x > 10", #"x == "a""#, "x == user.age", "x in user.scores",
      "x == 1 && \(condition(depth: depth - 2 < 0 ? 0 : depth - 2))",
    ])
    if pick([true, false, false]) {
      return #"["gold", "vip"].all(x, device.activeEntitlements.contains(x))"#
    }
    return "\(pick(Self.lists)).\(name)(x, \(body))"
  }

  private mutating func comparison() -> String {
    let op = pick(["==", "!=", "<", "<=", ">", ">="])
    switch Int.random(in: 0..<16, using: &random) {
    case 0, 1, 2, 3: return "\(pick(Self.numbers)) \(op) \(Int.random(in: -3...40, using: &random))"
    case 4, 5, 6: return "\(pick(Self.texts)) \(pick(["==", "!="])) \(pick(Self.words))"
    case 7: return "\(pick(Self.texts)) in [\(pick(Self.words)), \(pick(Self.words))]"
    case 8: return pick(Self.flags)
    case 9: return "\(pick(Self.flags)) == \(pick(["true", "false", #""true""#]))"
    case 10: return "has(\(pick(Self.numbers + Self.texts)))"
    case 11: return "\(pick(Self.texts)).\(pick(["startsWith", "endsWith", "contains"]))(\"o\")"
    case 12: return "size(\(pick(Self.lists))) \(op) \(Int.random(in: 0...3, using: &random))"
    case 13: return #"device.daysSince("install") \#(op) \#(Int.random(in: 0...9, using: &random))"#
    case 14: return "\(Int.random(in: 0...30, using: &random)) \(op) \(pick(Self.numbers))"
    default:
      return pick([
        "\(pick(Self.numbers)) \(op) \(pick(Self.numbers))", "user.age + 1 \(op) 20",
        "ghost.x == 1", "user.tags[0] == \"a\"", "\(pick(Self.lists)).contains(\"a\")",
        "1 / 0 == 1",
        "user.address.city == \"Oslo\"", "user.tags.filter(t, t != \"a\") == []",
      ])
    }
  }

  mutating func context() -> Context {
    var user: [String: Value] = [:]
    var device: [String: Value] = [:]
    var params: [String: Value] = [:]
    if pick([true, true, false]) { user["age"] = .int(Int64.random(in: 0...40, using: &random)) }
    if pick([true, true, false]) {
      user["seed"] = .double(Double.random(in: 0...99, using: &random))
    }
    if pick([true, true, false]) { user["plan"] = pick(["pro", "free", .null]) }
    if pick([true, true, false]) { user["email"] = pick(["ann@example.com", "bo", .int(3)]) }
    if pick([true, true, false]) { user["isMember"] = pick([true, false, "true"]) }
    if pick([true, true, false]) { user["tags"] = pick([["a", "b"], [], ["c"]]) }
    if pick([true, true, false]) { user["scores"] = pick([[1, 20, 30], [10], ["a", 1]]) }
    if pick([true, false]) { user["address"] = ["city": pick(["Oslo", "Paris"])] }
    device["platform"] = pick(["iOS", "Android"])
    device["isSandbox"] = pick(["true", false])
    if pick([true, true, false]) {
      device["count"] = .int(Int64.random(in: 0...9, using: &random))
    }
    if pick([true, true, false]) { device["activeEntitlements"] = pick([["gold"], [], ["vip"]]) }
    if pick([true, false]) { params["pages"] = .int(Int64.random(in: 0...60, using: &random)) }
    if pick([true, false]) { params["city"] = pick(["Oslo", "Rome"]) }
    if pick([true, false]) { params["flag"] = pick([true, false]) }
    return Context(
      user: Context.Layer(user), device: Context.Layer(device), params: Context.Layer(params))
  }
}
