import AudienceFilters
import Dispatch
import ExpressionEngine
import Foundation
import TestSupport
import Testing

/// A type that sanitation knows nothing about.
private struct Custom: CustomStringConvertible { var description: String { "custom" } }

@Suite("Swift dictionaries become contexts by the table of docs/spec/campaigns.md §6.7")
struct ContextDictionaryTests {
  private static let empty = Value.map([:])
  private static let date = Date(timeIntervalSince1970: 1_709_210_096.789)
  private static let url = URL(string: "https://example.com/a?b=1")

  /// What one value becomes; `nil` when it is dropped.
  private func result(_ value: Any, _ stage: SanitationRules.Stage, android: Bool = false) -> Value?
  {
    let rules = SanitationRules(stage: stage, platform: android ? .android : .iOS)
    guard case .map(let entries) = Context.Layer(dictionary: ["x": value], rules: rules).value
    else { return nil }
    return entries["x"]
  }

  @Test("the common scalars are kept at every stage", arguments: SanitationRules.Stage.allCases)
  func scalars(_ stage: SanitationRules.Stage) {
    #expect(result("text", stage) == "text")
    #expect(result("", stage) == "")
    #expect(result("ein längerer Text mit Umlauten 😀", stage) == "ein längerer Text mit Umlauten 😀")
    #expect(result(true, stage) == true)
    #expect(result(25, stage) == 25)
    #expect(result(Int.min, stage) == .int(.min))
    #expect(result(2.5, stage) == .double(2.5))
    #expect(result(3.0, stage) == .double(3))
    #expect(result(UInt64.max, stage) == .uint(.max))
    #expect(result(Optional(5) as Any, stage) == 5)
    #expect(result(Optional(Optional("a")) as Any, stage) == "a")
    #expect(result(Value.bytes([1]), stage) == .bytes([1]))
  }

  @Test("other numbers are truncated to ints", arguments: SanitationRules.Stage.allCases)
  func numbers(_ stage: SanitationRules.Stage) {
    #expect(result(Float(3.7), stage) == 3)
    #expect(result(Float(-3.7), stage) == -3)
    #expect(result(Int8(-5), stage) == -5)
    #expect(result(UInt(7), stage) == 7)
    #expect(result(Decimal(string: "12.75") as Any, stage) == 12)
    #expect(result(CGFloat(9.5), stage) == 9)
    #expect(result(Float.greatestFiniteMagnitude, stage) == .int(.max))
    #expect(result(-Float.greatestFiniteMagnitude, stage) == .int(.min))
  }

  @Test("what is not finite is dropped, and an empty map inside a container")
  func notFinite() {
    for value in [Double.nan, .infinity, -.infinity] {
      for stage in SanitationRules.Stage.allCases { #expect(result(value, stage) == nil) }
      #expect(result([value], .evaluator) == [Self.empty])
      #expect(result([value], .userAttributes) == nil)
      #expect(result(["a": value], .placementParameters) == ["a": Self.empty])
    }
    #expect(result(Float.nan, .evaluator) == nil)
  }

  @Test("lists and dictionaries")
  func containers() {
    let mixed: [Any] = [1, "a", true, 2.5, [3], ["k": "v"]]
    let list: Value = [1, "a", true, .double(2.5), [3], ["k": "v"]]
    #expect(result(mixed, .evaluator) == list)
    #expect(result(mixed, .userAttributes) == list)
    #expect(result(mixed, .placementParameters) == nil)
    #expect(result(["list": mixed], .placementParameters) == ["list": list])
    #expect(result([1, 2], .evaluator) == [1, 2])
    #expect(result(["a"], .evaluator) == ["a"])
    #expect(result([2.5], .evaluator) == [.double(2.5)])
    #expect(result([Int](), .evaluator) == [])
    #expect(result(["a": 1, "b": 2], .evaluator) == ["a": 1, "b": 2])
    #expect(result(["a": [1: "x", "y": 2] as [AnyHashable: Any]], .evaluator) == ["a": ["y": 2]])
    #expect(result([1: "x", "y": 2] as [AnyHashable: Any], .userAttributes) == nil)
  }

  @Test("dates, URLs, data, nothing and other types, stage by stage")
  func others() {
    let rows: [(Any, user: Value?, params: Value?, evaluator: Value?)] = [
      (Self.date, nil, "2024-02-29T12:34:56.789Z", Self.empty),
      (Self.url as Any, nil, "https://example.com/a?b=1", Self.empty),
      (Data([1, 2]), nil, nil, .bytes([1, 2])),
      (Custom(), nil, nil, Self.empty),
      (Optional<Int>.none as Any, nil, nil, Self.empty),
      (NSNull(), Self.empty, Self.empty, Self.empty),
      ([Self.date], nil, nil, [Self.empty]),
      (["d": Self.date], nil, ["d": Self.empty], ["d": Self.empty]),
      (["n": NSNull()], ["n": Self.empty], ["n": Self.empty], ["n": Self.empty]),
      (["c": Custom()], nil, ["c": Self.empty], ["c": Self.empty]),
      (["b": Data([7])], nil, ["b": .bytes([7])], ["b": .bytes([7])]),
    ]
    for (value, user, params, evaluator) in rows {
      #expect(result(value, .userAttributes) == user, "\(value)")
      #expect(result(value, .placementParameters) == params, "\(value)")
      #expect(result(value, .evaluator) == evaluator, "\(value)")
    }
  }

  @Test("boxed numbers are what they hold")
  func boxes() throws {
    #expect(result(NSNumber(value: 5), .evaluator) == 5)
    #expect(result(NSNumber(value: 3.0), .evaluator) == 3)
    #expect(result(NSNumber(value: 3.5), .evaluator) == .double(3.5))
    #expect(result(NSNumber(value: true), .evaluator) == true)
    #expect(result(NSNumber(value: false), .evaluator) == false)
    #expect(result(NSNumber(value: UInt64.max), .evaluator) == .uint(.max))
    #expect(result(NSNumber(value: UInt64(1) << 63), .evaluator) == .uint(1 << 63))
    #expect(result(NSNumber(value: 0x1p63), .evaluator) == .uint(1 << 63))
    #expect(result(NSNumber(value: Int64.max), .evaluator) == .int(.max))
    #expect(result(NSNumber(value: Int64.min), .evaluator) == .int(.min))
    #expect(result(NSNumber(value: Int8(1)), .evaluator) == 1)
    #expect(result(NSNumber(value: UInt8(0)), .evaluator) == 0)
    #expect(result(NSNumber(value: 1e300), .evaluator) == .double(1e300))
    #expect(result(NSNumber(value: Double.nan), .evaluator) == nil)
    #expect(result(NSDecimalNumber(string: "12.1"), .evaluator) == 12)
    #expect(result(NSString(string: "text"), .evaluator) == "text")
    #expect(result(NSArray(array: [1, "a"]), .evaluator) == [1, "a"])
    #expect(result(NSDictionary(dictionary: ["k": 1]), .evaluator) == ["k": 1])
    let json = Data(#"{"a": [1, 2.5, true, null, "x", {"b": 3.0}]}"#.utf8)
    let object = try JSONSerialization.jsonObject(with: json)
    let list: Value = [1, .double(2.5), true, Self.empty, "x", ["b": 3]]
    #expect(result(object, .evaluator) == ["a": list])
    #expect(result(object, .userAttributes) == ["a": list])
  }

  @Test("a boxed bool is a bool on every thread, at every time")
  func boxedBools() {
    let wrong = Locked(0)
    DispatchQueue.concurrentPerform(iterations: 1_000) { index in
      let isTrue = index.isMultiple(of: 2)
      let bool = result(NSNumber(value: isTrue), .evaluator)
      let number = result(NSNumber(value: isTrue ? 1 : 0), .evaluator)
      if bool != .bool(isTrue) || number != .int(isTrue ? 1 : 0) { wrong.withLock { $0 += 1 } }
    }
    #expect(wrong.withLock { $0 } == 0)
  }

  @Test("an instant before 1970 and one without a text")
  func dates() {
    #expect(
      result(Date(timeIntervalSince1970: -0.5), .placementParameters) == "1969-12-31T23:59:59.500Z")
    #expect(
      result(Date(timeIntervalSince1970: 0), .placementParameters) == "1970-01-01T00:00:00.000Z")
    #expect(result(Date(timeIntervalSince1970: .infinity), .placementParameters) == nil)
  }

  @Test("names that start with a dollar sign are reserved")
  func dollar() {
    let dictionary: [String: Any] = ["$is_standard_event": true, "plain": 1, "a$": 2]
    #expect(Context.Layer(dictionary: dictionary, rules: .userAttributes).count == 2)
    #expect(Context.Layer(dictionary: dictionary, rules: .placementParameters).count == 2)
    #expect(Context.Layer(dictionary: dictionary, rules: .evaluator).count == 3)
  }

  @Test(
    "an email attribute must be one",
    arguments: [
      ("alice@example.com", true), ("a.b+c%d_e-f@x-y.example.co", true), ("@example.com", false),
      ("alice@example", false), ("alice@example.c", false), ("alice@.com", false),
      ("alice@a@b.com", false), ("alice@example.com ", false), ("älice@example.com", false),
      ("alice@example.c0m", false), ("", false), ("alice@..com", true),
    ])
  func email(_ text: String, _ isValid: Bool) {
    let layer = Context.Layer(dictionary: ["email": text, "mail": text], rules: .userAttributes)
    #expect(layer.count == (isValid ? 2 : 1))
    #expect(Context.Layer(dictionary: ["email": text]).count == 1)
  }

  @Test("the Android variant")
  func android() {
    func result(_ value: Any, _ stage: SanitationRules.Stage = .evaluator) -> Value? {
      self.result(value, stage, android: true)
    }
    #expect(result(5) == 5)
    #expect(result(Int32(-5)) == -5)
    #expect(result(Int64(-1)) == .uint(.max))
    #expect(result(Float(3.5)) == .double(3.5))
    #expect(result("a$b$") == "ab")
    #expect(result(Custom()) == "custom")
    #expect(result([Optional<Int>.none as Any, NSNull()] as [Any]) == [.null, .null])
    #expect(result(Custom(), .userAttributes) == "custom")
    #expect(result(Self.date, .placementParameters) == "2024-02-29T12:34:56.789Z")
    #expect(result(Custom(), .placementParameters) == nil)
  }

  @Test("nesting is bounded")
  func depth() {
    var list: Any = 1
    for _ in 0..<100_000 { list = [list] as [Any] }
    var report = Context.Layer.Report()
    let layer = Context.Layer(dictionary: ["deep": list], rules: .evaluator, report: &report)
    #expect(layer.count == 1)
    #expect(report.entries.map(\.reason) == [.tooDeep])
    #expect(Context.Layer(dictionary: ["deep": list], rules: .userAttributes).count == 0)
    // Taken apart by hand: releasing so deep a list recurses.
    while let inner = (list as? [Any])?.first { list = inner }
  }

  @Test("a report tells what did not arrive, and where")
  func report() {
    let dictionary: [String: Any] = [
      "$a": 1, "visits": [1, Date(), Double.nan] as [Any], "address": ["since": Date()],
      "height": Float(1.5), "ok": 1,
    ]
    var report = Context.Layer.Report()
    let layer = Context.Layer(dictionary: dictionary, rules: .evaluator, report: &report)
    #expect(layer.count == 5)
    #expect(
      report.entries.map(\.description).sorted() == [
        "address.since (date): emptyMap", "height (inexactNumber): truncated",
        "visits[1] (date): emptyMap", "visits[2] (notFinite): emptyMap",
      ])
    report = Context.Layer.Report()
    _ = Context.Layer(dictionary: dictionary, rules: .userAttributes, report: &report)
    #expect(
      report.entries.map(\.description).sorted() == [
        "$a (reservedName): dropped", "address.since (date): dropped",
        "height (inexactNumber): truncated", "visits[1] (date): dropped",
      ])
    report = Context.Layer.Report()
    _ = Context.Layer(dictionary: ["a": 1], rules: .userAttributes, report: &report)
    #expect(report.isEmpty)
  }

  @Test("a context from dictionaries answers filters")
  func evaluation() throws {
    let context = Context(
      user: ["age": 25, "tags": ["a", "b"]], device: ["platform": "iOS"], params: ["n": 2.5])
    let filter = try Filter(
      #"user.age >= 18 && device.platform == "iOS" && "a" in user.tags && params.n > 2.0"#)
    #expect(filter.matches(context))
    #expect(!filter.matches(context.replacing(params: ["n": 1.5])))
    #expect(!filter.matches(context.replacing(user: [:])))
    #expect(Context().snapshot() == Context(user: [:], device: [:], params: [:]).snapshot())
    #expect(Context(user: ["a": 1]) == Context(user: ["a": 1]))
    #expect(Context(user: ["a": 1]) != Context(user: ["a": 2]))
    #expect(Context(user: ["a": 1]).description == "device: {}\nparams: {}\nuser: {\"a\": 1}")
    #expect(Context(user: ["a": 1]).debugDescription.hasPrefix("Context of 3 roots\n"))
  }

  @Test("dictionaries of many shapes survive in full")
  func property() {
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<300 {
      var dictionary: [String: Any] = [:]
      var expected: [Value.Key: Value] = [:]
      for index in 0..<Int.random(in: 0...40, using: &generator) {
        let (value, result) = Self.randomValue(&generator, depth: 0)
        let name = "name\(index)" + String(repeating: "x", count: index % 19)
        dictionary[name] = value
        expected[.string(name)] = result
      }
      #expect(Context.Layer(dictionary: dictionary).value == .map(expected))
      #expect(Context.Layer(dictionary: dictionary, rules: .userAttributes).value == .map(expected))
    }
  }

  private static func randomValue(
    _ generator: inout SeededGenerator, depth: Int
  ) -> (Any, Value) {
    switch Int.random(in: 0..<(depth < 4 ? 7 : 4), using: &generator) {
    case 0:
      let value = Int.random(in: .min ... .max, using: &generator)
      return (value, .int(Int64(value)))
    case 1:
      let value = Double.random(in: -1e9...1e9, using: &generator)
      return (value, .double(value))
    case 2:
      let value = Bool.random(using: &generator)
      return (value, .bool(value))
    case 3:
      let value = String(
        repeating: "tä", count: Int.random(in: 0...12, using: &generator))
      return (value, .string(value))
    case 4:
      let values = (0..<Int.random(in: 0...5, using: &generator)).map { _ in
        randomValue(&generator, depth: depth + 1)
      }
      return (values.map(\.0), .list(values.map(\.1)))
    case 5:
      let values = (0..<Int.random(in: 0...5, using: &generator)).map { index in
        ("k\(index)", randomValue(&generator, depth: depth + 1))
      }
      return (
        Dictionary(uniqueKeysWithValues: values.map { ($0.0, $0.1.0) }),
        .map(Dictionary(uniqueKeysWithValues: values.map { (.string($0.0), $0.1.1) }))
      )
    default:
      let values = (0..<Int.random(in: 0...5, using: &generator)).map { $0 }
      return (values, .list(values.map { .int(Int64($0)) }))
    }
  }
}
