import AudienceFilters
import CampaignAnalysis
import CampaignCore
import ExpressionEngine

/// Chance that repeats itself.
struct TestRandom {
  private var numbers: SplitMix64

  init(state: UInt64) { numbers = SplitMix64(seed: state) }

  mutating func below(_ bound: Int) -> Int { numbers.below(bound) }

  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

  mutating func isLucky(percent: Int) -> Bool { below(100) < percent }
}

/// A filter as it was made up, so that it can be taken apart without reading it.
indirect enum MadeFilter {
  case condition(String)
  case all([MadeFilter])
  case any([MadeFilter])
  case not(MadeFilter)
  case choice(MadeFilter, MadeFilter, MadeFilter)

  var text: String { text(isOperand: false) }

  private func text(isOperand: Bool) -> String {
    let text: String
    switch self {
    case .condition(let condition): return condition
    case .all(let parts): text = parts.map { $0.text(isOperand: true) }.joined(separator: " && ")
    case .any(let parts): text = parts.map { $0.text(isOperand: true) }.joined(separator: " || ")
    case .not(let part): return "!(\(part.text))"
    case .choice(let a, let b, let c):
      text =
        [a, b, c].map { "(\($0.text))" }.reduce(into: ("", 0)) { result, part in
          result.0 += ["", " ? ", " : "][result.1] + part
          result.1 += 1
        }.0
    }
    return isOperand ? "(\(text))" : text
  }

  /// The filter without one operand of `&&` or `||`, in every way there is.
  var droppingOperands: [MadeFilter] {
    func parts(_ children: [MadeFilter], _ make: ([MadeFilter]) -> MadeFilter) -> [MadeFilter] {
      children.indices.flatMap { index -> [MadeFilter] in
        var fewer = children
        fewer.remove(at: index)
        var result = fewer.isEmpty ? [] : [fewer.count == 1 ? fewer[0] : make(fewer)]
        for inner in children[index].droppingOperands {
          var copy = children
          copy[index] = inner
          result.append(make(copy))
        }
        return result
      }
    }
    switch self {
    case .condition: return []
    case .all(let children): return parts(children) { .all($0) }
    case .any(let children): return parts(children) { .any($0) }
    case .not(let part): return part.droppingOperands.map { .not($0) }
    case .choice(let a, let b, let c):
      return a.droppingOperands.map { .choice($0, b, c) }
        + b.droppingOperands.map { .choice(a, $0, c) }
        + c.droppingOperands.map { .choice(a, b, $0) }
    }
  }
}

/// Small configs over three attributes, and every user that their conditions can tell apart.
struct SmallWorld {
  /// `user.a` is compared with numbers and texts, `user.b` is searched, `params.c` is tested.
  static let conditions = [
    [
      "user.a == 3", "user.a != 3", "user.a < 7", "user.a >= 3", "user.a > 7", "7 <= user.a",
      "user.a == \"b\"", "user.a != \"d\"", "user.a < \"d\"", "user.a >= \"b\"",
      "user.a in [3, \"d\"]",
      "user.a == null", "user.a == \"7\"", "user.a == true", "user.a", "user.a != false",
      "has(user.a)", "3 == user.a", "user[\"a\"] == 3",
    ],
    [
      "user.b.startsWith(\"a\")", "user.b.endsWith(\"b\")", "user.b.contains(\"b\")",
      "size(user.b) == 2", "size(user.b) > 0", "user.b == \"ab\"", "\"b\" in user.b",
      "user.b != \"a\"",
      "[\"a\", \"ab\"].exists(x, user.b == x)", "size(user.b) < 2",
    ],
    [
      "params.c", "params.c == true", "has(params.c)", "params.c != null",
      "[\"g\"].all(e, params.c.contains(e))", "params.c == 0", "params.c != \"x\"",
      "params.c == []", "(params.c == true) == false",
    ],
  ]

  private static let a: [Value?] = [
    nil, .null, true, false, -1, 0, 2, 3, 5, 7, 9, "", "a", "b", "c", "d", "e", "7", [], [1], [:],
  ]
  private static let b: [Value?] = {
    var texts = [""]
    for _ in 0..<3 {
      texts += texts.flatMap { text in ["a", "b", "x"].map { text + $0 } }
    }
    let lists: [Value] = [
      [], ["b"], ["x"], ["b", "x"], ["x", "y"], ["b", "x", "y"], ["x", "y", "z"],
    ]
    let maps: [Value] = [
      [:], ["b": 1], ["x": 1], ["b": 1, "x": 1], ["x": 1, "y": 1], ["b": 1, "x": 1, "y": 1],
      ["x": 1, "y": 1, "z": 1],
    ]
    return [nil, .null, true, false, 4] + Set(texts).sorted().map { Value.string($0) } + lists
      + maps
  }()
  private static let c: [Value?] = [
    nil, .null, true, false, 0, 1, "", "g", "x", "y", [], ["g"], ["x"], [:], ["g": 1], ["x": 1],
  ]

  static let users: [Context] = a.flatMap { a in
    b.flatMap { b in
      c.map { c in
        var user: [Value.Key: Value] = [:]
        if let a { user["a"] = a }
        if let b { user["b"] = b }
        let params: [Value.Key: Value] = c.map { ["c": $0] } ?? [:]
        return Context(variables: ["user": .map(user), "device": [:], "params": .map(params)])
      }
    }
  }

  static func filter(_ random: inout TestRandom, depth: Int = 0) -> MadeFilter {
    let choice = random.below(depth == 0 ? 8 : depth == 1 ? 12 : 100)
    func part(_ random: inout TestRandom) -> MadeFilter { filter(&random, depth: depth + 1) }
    switch choice {
    case 0...3: return .all((0..<(2 + random.below(3))).map { _ in part(&random) })
    case 4, 5: return .any((0..<(2 + random.below(2))).map { _ in part(&random) })
    case 6: return .not(part(&random))
    case 7 where random.isLucky(percent: 40):
      return .choice(part(&random), part(&random), part(&random))
    default: return .condition(random.pick(random.pick(conditions)))
    }
  }

  static func limit(_ random: inout TestRandom) -> AnalysisModel.Limit? {
    guard random.isLucky(percent: 30) else { return nil }
    return AnalysisModel.Limit(
      key: random.pick(["k", "l"]), maximum: Int64(random.pick([1, 2])),
      minutes: random.pick([nil, 60]))
  }
}
