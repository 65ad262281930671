import AudienceFilters
import Foundation
import TestSupport
import Testing

/// Types as apps have them.
private enum Plan: String, Encodable { case trial, paid }
private enum Level: Int {
  case low = 1
  case high
}
private struct Rights: OptionSet { let rawValue: Int }
private struct Address: Encodable { var city = "Rome" }
private final class Session {}

/// A Swift value, and the attribute that each door and each dialect makes of it.
private struct Row: Sendable, CustomTestStringConvertible {
  let name: String
  /// The value in a dictionary.
  let value: @Sendable () -> Any
  /// The attributes of a struct with the value as `x`; `nil` for types that are not `Encodable`.
  let encoded: (@Sendable () throws -> Context.Layer)?
  /// What a filter of the superscript dialect sees.
  let superscript: Value
  /// What a filter of the cel dialect sees.
  let cel: Value

  var testDescription: String { name }

  private struct Box<Content: Encodable>: Encodable { var x: Content }

  static func both<Content: Encodable & Sendable>(
    _ name: String, _ superscript: Value, cel: Value? = nil,
    _ value: @escaping @Sendable () -> Content
  ) -> Row {
    Row(
      name: name, value: value, encoded: { try Context.Layer(encoding: Box(x: value())) },
      superscript: superscript, cel: cel ?? superscript)
  }

  static func dictionary(
    _ name: String, _ superscript: Value, cel: Value? = nil,
    _ value: @escaping @Sendable () -> Any
  ) -> Row {
    Row(
      name: name, value: value, encoded: nil, superscript: superscript, cel: cel ?? superscript)
  }

  static let instant = Value.timestamp(.init(seconds: 1, nanoseconds: 500_000_000))

  static let all: [Row] = [
    .both("String", "a") { "a" }, .dictionary("Substring", "b") { "abc".dropFirst().prefix(1) },
    .dictionary("Character", "c") { Character("c") },
    .dictionary("NSString", "n") { NSString(string: "n") },
    .both("Bool", true) { true }, .both("Int", -5) { -5 }, .both("Int8", -5) { Int8(-5) },
    .both("Int64", .int(.min)) { Int64.min }, .both("UInt", 7) { UInt(7) },
    .both("UInt8", 7) { UInt8(7) }, .both("UInt64", 7) { UInt64(7) },
    .both("UInt64 above Int64.max", .uint(.max)) { UInt64.max },
    .both("Double", 2.5) { 2.5 }, .both("whole Double", .double(3)) { 3.0 },
    .both("Float", 1.8) { Float(1.8) }, .both("CGFloat", 9.5) { CGFloat(9.5) },
    .both("Decimal", 3.99) { Decimal(string: "3.99") ?? 0 },
    .both("infinity", .double(.infinity)) { Double.infinity },
    .both("Date", 1, cel: instant) { Date(timeIntervalSince1970: 1.5) },
    .both("URL", "https://example.com/a") { URL(string: "https://example.com/a") },
    .both("UUID", "E621E1F8-C36C-495A-93FC-0C247A3E6E5F") {
      UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
    },
    .both("Data", .bytes([1, 2])) { Data([1, 2]) },
    .both("enum with a raw string", "trial") { Plan.trial },
    .dictionary("enum with a raw int", 2) { Level.high },
    .dictionary("option set", 5) { Rights(rawValue: 5) },
    .both("Encodable struct", ["city": "Rome"]) { Address() },
    .both("[Float]", [1.5, 2.5]) { [1.5 as Float, 2.5] },
    .both("[[Int?]]", [[1, nil]]) { [[1, nil]] as [[Int?]] },
    .both("Set", ["a"]) { Set(["a"]) }, .both("[String: Int]", ["k": 1]) { ["k": 1] },
    .both("[Int: String]", ["1": "a"]) { [1: "a"] },
    .both("[Plan]", ["paid"]) { [Plan.paid] },
    .dictionary("[String: Any]", ["k": [1, 2.5]]) { ["k": [1, 2.5] as [Any]] as [String: Any] },
    .dictionary("nil", .null) { Optional<Int>.none as Any },
    .dictionary("NSNull", .null) { NSNull() },
    .dictionary("NSNumber of a bool", true) { NSNumber(value: true) },
    .dictionary("NSNumber of an int", 5) { NSNumber(value: 5) },
    .dictionary("NSNumber of a double", 3.5) { NSNumber(value: 3.5) },
    .dictionary("NSNumber above Int64.max", .uint(.max)) { NSNumber(value: UInt64.max) },
    .dictionary("NSDecimalNumber", 12.1) { NSDecimalNumber(string: "12.1") },
    .both("Value", .uint(3)) { Value.uint(3) },
  ]
}

@Suite("What becomes of a Swift value, type by type")
struct TypeTableTests {
  @Test("both doors and both dialects keep kind and content", arguments: Row.all)
  fileprivate func row(_ row: Row) throws {
    let layers = [Context.Layer(dictionary: ["x": row.value()]), try row.encoded?()]
    for layer in layers.compactMap({ $0 }) {
      let context = Context(user: layer)
      #expect(try Filter("user.x").evaluate(context) == row.superscript)
      #expect(try Filter("user.x", dialect: .cel).evaluate(context) == row.cel)
    }
    #expect(try Context.Layer(validating: ["x": row.value()]).count == 1)
  }

  @Test("NaN stays NaN, which equals nothing and is below nothing", arguments: [true, false])
  func notANumber(isCEL: Bool) throws {
    struct User: Encodable { var x = Double.nan }
    let dictionary = Context(user: ["x": Double.nan])
    let encoded = try Context(user: User())
    for context in [dictionary, encoded] {
      for text in ["user.x < 5.0", "user.x >= 5.0", "user.x == 5.0"] {
        let filter = try Filter(text, dialect: isCEL ? .cel : .superscript)
        #expect(!filter.matches(context), "\(text)")
      }
    }
  }

  @Test("a duration is a duration in both doors")
  func durations() throws {
    struct User: Encodable { var x = Duration.milliseconds(-1500) }
    let wanted = Value.duration(.init(seconds: -2, nanoseconds: 500_000_000))
    let dictionary = Context(user: ["x": Duration.milliseconds(-1500)])
    let encoded = try Context(user: User())
    for context in [dictionary, encoded] { #expect(context["user.x"] == wanted) }
  }

  @Test("the prices and dates that were lost decide as they should")
  func finding() throws {
    let context = Context(user: [
      "price": Decimal(string: "3.99") ?? 0, "rating": Float(1.8),
      "trialEnd": Date(timeIntervalSince1970: 2_000_000_000),
    ])
    #expect(try Filter("user.price > 3.5").matches(context))
    #expect(try Filter("user.rating == 1.8").matches(context))
    #expect(try Filter("user.trialEnd < 1700000000").matches(context) == false)
    #expect(try Filter("user.trialEnd > 1700000000").matches(context))
  }

  @Test("what no attribute can be is an error with its path and type")
  func refused() throws {
    let error = try #require(throws: Context.AttributeError.self) {
      try Context(
        validating: ["session": Session(), "age": 3],
        params: [
          "list": [1, Session()] as [Any], "ends": Date(timeIntervalSince1970: .infinity),
        ])
    }
    #expect(
      error.losses.map(\.description).sorted() == [
        "params.ends (date): dropped", "params.list[1] (unsupportedType): null",
        "user.session (unsupportedType): dropped",
      ])
    #expect(error.description.contains("`user.session` has the type Session"))
    #expect(error.localizedDescription == error.description)
    struct User: Encodable { var end = Date(timeIntervalSince1970: .infinity) }
    let refusal = try #require(throws: EncodingError.self) { try Context(user: User()) }
    guard case .invalidValue(_, let place) = refusal else { throw refusal }
    #expect(place.codingPath.map(\.stringValue) == ["end"])
  }

  @Test("without an error, what is lost is handed to a function")
  func report() throws {
    let found = Locked<[String]>([])
    Context.onLoss { report in
      // Other suites create contexts at the same time.
      let own = report.entries.filter { $0.path.hasPrefix("params.typeTable") }
      found.withLock { $0 += own.map(\.description) }
    }
    defer { Context.onLoss(nil) }
    let context = Context(params: ["typeTable": Session(), "kept": 1])
    #expect(context["params.kept"] == 1)
    #expect(context["params.typeTable"] == nil)
    _ = Context().replacing(params: ["typeTableList": [Session()]])
    #expect(
      found.withLock { $0 } == [
        "params.typeTable (unsupportedType): dropped",
        "params.typeTableList[0] (unsupportedType): null",
      ])
  }

  @Test("the rules of an SDK apply only where they are named")
  func byName() throws {
    let attributes: [String: Any] = ["rating": Float(1.8), "since": Date()]
    #expect(Context.Layer(dictionary: attributes, rules: .userAttributes).value == ["rating": 1])
    #expect(Context.Layer(dictionary: attributes).count == 2)
  }
}
