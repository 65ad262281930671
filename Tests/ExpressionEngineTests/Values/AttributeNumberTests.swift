import ExpressionSyntax
import Testing

@testable import ExpressionEngine

@Suite("Numbers of attribute names")
struct AttributeNumberTests {
  private static func number(_ name: String) -> UInt16? {
    withSlot(name) { AttributeNumbers.number(hash: KeyHash.of($0), $0) }
  }

  private static func known(_ name: String) -> UInt16? {
    withSlot(name) { AttributeNumbers.find(hash: KeyHash.of($0), $0) }
  }

  private static func withSlot<Result>(_ name: String, _ body: (Slot) -> Result) -> Result {
    var arena = Arena()
    let slot = arena.copy(name) ?? .null
    return withExtendedLifetime(arena) { body(slot) }
  }

  @Test("one name has one number, whoever asks, and different names have different ones")
  func identity() {
    var numbers: [UInt16: String] = [:]
    for name in ["number a", "number b", "", "number a\u{0}", "a rather long name of an attribute"]
    {
      guard let number = Self.number(name) else { continue }
      #expect(Self.number(name) == number)
      #expect(Self.known(name) == number)
      #expect(numbers.updateValue(name, forKey: number) == nil)
      #expect(number < AttributeNumbers.capacity)
    }
    #expect(Self.known("a name that no filter reads") == nil)
  }

  @Test("long names have no number")
  func longNames() {
    let longest = String(repeating: "x", count: AttributeNumbers.maximumNameLength)
    #expect(Self.number(longest + "x") == nil)
    #expect(Self.known(longest + "x") == nil)
    if let number = Self.number(longest) { #expect(Self.known(longest) == number) }
  }

  @Test("there are no more numbers than places, and filters read all names nevertheless")
  func capacity() throws {
    // Tests run at the same time, so that others must still find room for the names they count on.
    let count = AttributeNumbers.capacity + 50
    var numbers: Set<UInt16> = []
    for number in 0..<count {
      if let number = Self.number("crowd\(number)") { numbers.insert(number) }
    }
    #expect(numbers.count <= AttributeNumbers.capacity)
    #expect(numbers.allSatisfy { $0 < AttributeNumbers.capacity })
    let attributes = Dictionary(
      uniqueKeysWithValues: (0..<count).map { ("crowd\($0)", Value.int(Int64($0))) })
    let context = Context(user: Context.Layer(attributes))
    for number in stride(from: 0, to: count, by: 7) {
      let filter = try Filter(SourceText("user.crowd\(number) == \(number)"), environment: .cel)
      #expect(filter.matches(context))
      #expect(try filter.evaluate(context) == true)
      #expect(!filter.matches(Context()))
    }
  }

  @Test(
    "layers that were frozen before and after a filter was compiled are read alike",
    arguments: [Dialect.superscript, .cel])
  func frozenBefore(dialect: Dialect) throws {
    let environment = FilterEnvironment(dialect: dialect)
    for number in 0..<40 {
      let names = ["early\(number)", "late\(number)", "other\(number)"]
      func context() -> Context {
        Context(
          user: Context.Layer([names[0]: .int(25), names[1]: "true", "unread\(number)": .null]),
          device: nil, params: Context.Layer(),
          roots: Context.Layer(["\(names[2])": .bool(true)]))
      }
      let before = context()
      let texts = [
        "user.\(names[0]) >= 18 && user.\(names[1]) == \"true\"", "user.\(names[0]) < 18",
        "user.\(names[2]) == 1 || \(names[2])", "params.\(names[0]) == 25 || \(names[2])",
        "device.\(names[0]) == 25", "user.\(names[0])", "user.\(names[1])",
        "has(user.\(names[2])) || user.\(names[0]) > 3",
      ]
      for text in texts {
        let filter = try Filter(SourceText(text), environment: environment)
        let after = context()
        let wanted = try? filter.evaluateOnMachine(before)
        for context in [before, after, before.replacing(params: Context.Layer(["x": 1]))] {
          #expect((try? filter.evaluate(context)) == wanted, "\(text)")
          #expect(filter.matches(context) == (wanted == true), "\(text)")
          #expect(filter.matches([context, context]) == [wanted == true, wanted == true])
        }
      }
    }
  }

  @Test("many threads compile filters and freeze layers at once")
  func threads() async {
    let mistakes = await withTaskGroup(of: Int.self) { group in
      for task in 0..<8 {
        group.addTask {
          var mistakes = 0
          for number in 0..<60 {
            // All tasks give numbers to the same names, in different orders.
            let name = "shared\((number * (2 * task + 1)) % 61)"
            let before = Context(user: Context.Layer([name: .int(Int64(task)), "common": 1]))
            guard
              let filter = try? Filter(
                SourceText("user.\(name) == \(task) && user.common == 1"), environment: .standard)
            else { return -1 }
            let after = Context(user: Context.Layer([name: .int(Int64(task)), "common": 1]))
            let other = Context(user: Context.Layer([name: .int(-1), "common": 1]))
            if !filter.matches(before) || !filter.matches(after) || filter.matches(other) {
              mistakes += 1
            }
          }
          return mistakes
        }
      }
      return await group.reduce(0, +)
    }
    #expect(mistakes == 0)
    #expect((0..<61).allSatisfy { Self.known("shared\($0)") == Self.number("shared\($0)") })
  }

  @Test(
    "a skipped operand that fails counts in contexts that are older than its attribute's number")
  func olderThanTheNumber() throws {
    let names = (0..<4).map { "older\($0)" }
    _ = try Filter(SourceText("user.\(names[0]) && user.\(names[1])"), environment: .standard)
    let context = Context(
      user: Context.Layer([names[0]: false, names[1]: true, names[2]: "text", names[3]: 4]))
    let fails = try Filter(
      SourceText("user.\(names[0]) && user.\(names[2]) > 3"), environment: .standard)
    #expect(throws: EvaluationError.self) { try fails.evaluate(context) }
    #expect(!fails.matches(context))
    let succeeds = try Filter(
      SourceText("user.\(names[0]) && user.\(names[3]) > 3"), environment: .standard)
    #expect(try succeeds.evaluate(context) == false)
  }
}
