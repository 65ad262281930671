import AudienceFilters
import ExpressionEngine
import ExpressionSyntax
import Testing

@testable import FilterAnalysis

@Suite("Names, units and texts of attributes") struct ValueRulesTests {
  @Test(
    "types have the names of a schema file, and others that people write",
    arguments: [
      ("bool", AttributeType.bool), ("boolean", .bool), ("int", .int), ("integer", .int),
      ("uint", .int), ("number", .number), ("double", .number), ("float", .number),
      ("string", .string), ("list", .list(.any)), ("array", .list(.any)), ("map", .map),
      ("object", .map), ("any", .any), ("list(string)", .list(.string)),
    ])
  func types(name: String, type: AttributeType) {
    #expect(AttributeType(name: name) == type)
    #expect(AttributeType(name: type.name) == type)
  }

  @Test("a name of no type is refused", arguments: ["", "text", "list(", "list(text)", "Int"])
  func noTypes(name: String) { #expect(AttributeType(name: name) == nil) }

  // MARK: Units

  private typealias Unit = AttributeSchema.Attribute.Unit

  @Test("each unit of time but minutes has a shorter one")
  func shorter() {
    let lengths: [(Unit, Unit, Double)] = [
      (.hours, .minutes, 60), (.days, .hours, 24), (.months, .days, 30), (.years, .months, 12),
    ]
    for (unit, shorter, count) in lengths {
      #expect(unit.shorter?.unit == shorter)
      #expect(unit.shorter?.count == count)
    }
    for unit: Unit in [.minutes, .referenceDate, .offset, .points, .factor] {
      #expect(unit.shorter == nil)
    }
    #expect([Unit.minutes, .hours, .days].map { $0.seconds } == [60, 3_600, 86_400])
  }

  @Test("a number that is implausible in its unit is read in another one")
  func readings() {
    let readings: [(Unit, Double, String?, Double)] = [
      (.days, 7, nil, 0), (.days, 48, "hours", 2), (.days, 604_800, "seconds", 7),
      (.days, 10_080, "minutes", 7), (.days, 86_400_000, "milliseconds", 1),
      (.hours, 7_200, "seconds", 2), (.hours, 23, nil, 0), (.minutes, 168, "hours", 10_080),
      (.minutes, 86_400, "seconds", 1_440), (.minutes, 1_440, nil, 0),
      (.minutes, 960_000, "milliseconds", 16), (.offset, 2, "hours", 7_200),
      (.offset, -8, "hours", -28_800), (.offset, 330, "minutes", 19_800),
      (.offset, 530, "hours and minutes", 19_800), (.offset, 19_800, nil, 0),
      (.offset, 7_200_000, "milliseconds", 7_200), (.points, 0.5, "a share", 50),
      (.points, 50, nil, 0), (.factor, 120, "percent", 1.2), (.factor, 1.2, nil, 0),
      (.months, 365, "days", 12), (.months, 30, "days", 1), (.days, 168, "hours", 7),
      (.years, 730, "days", 2), (.years, 18, nil, 0),
    ]
    for (unit, number, name, value) in readings {
      let reading = unit.otherReading(of: number)
      #expect(reading?.unit == name, "\(number) \(unit.meaning)")
      #expect(reading.map { $0.number } ?? 0 == value, "\(number) \(unit.meaning)")
    }
  }

  // MARK: Texts

  @Test(
    "between two texts lies one that looks like them, if there is any",
    arguments: [
      ("2026-01-01", "2026-03-01"), ("004.000.000", "004.002.000"), ("10:00:00", "11:00:00"),
      ("a", "b"), ("a", "a1"), ("", "a"), ("pro", "pro2"), ("a", "a\u{1}"),
    ])
  func between(low: String, high: String) throws {
    let found = try #require(
      TextBetween.text(above: low.codePoints, below: high.codePoints).map { $0.string })
    #expect(low < found && found < high, "\(found)")
    let isNumeric = low.contains { $0.isNumber } && high.contains { $0.isNumber }
    if isNumeric, low.utf8.count == high.utf8.count {
      #expect(found.utf8.count == low.utf8.count && found.allSatisfy { !$0.isLetter }, "\(found)")
    }
  }

  @Test("nothing lies between neighbours, and something above every text")
  func neighbours() {
    #expect(TextBetween.text(above: "a".codePoints, below: "a\u{0}".codePoints) == nil)
    #expect(TextBetween.text(above: "a".codePoints, below: "a".codePoints) == nil)
    #expect(TextBetween.text(above: "zzz".codePoints, below: nil) != nil)
    #expect(TextBetween.text(above: "x".codePoints, below: nil) != "true".codePoints)
  }

  @Test("the source of a part is one line, and keeps the spaces of its strings")
  func oneLine() throws {
    let texts = [
      ("user.a  ==   1", "user.a == 1"), ("user.a ==\n  1", "user.a == 1"),
      (#"user.a  == "x  y""#, #"user.a  == "x  y""#), ("user.a == 1", "user.a == 1"),
      ("user.a ==\n\"x  y\"", "user.a == \"x  y\""),
    ]
    for (text, line) in texts {
      let tree = try parse(SourceText(text), dialect: .superscript)
      #expect(tree.text(ofNode: tree.root) == line)
    }
  }

  @Test("a joined text is impossible only where the form of an attribute excludes it")
  func joined() throws {
    var forms = TextForms()
    let language = try #require(AttributeSchema.builtIn["device.deviceLanguageCode"])
    let region = try #require(AttributeSchema.builtIn["device.regionCode"])
    let model = AttributeSchema.Attribute("user.name", .string)
    func canGive(_ text: String, _ parts: [JoinedPart]) -> Bool? {
      forms.canGive(text, joining: parts, dialect: .superscript)
    }
    let locale: [JoinedPart] = [.attribute(language), .text("_"), .attribute(region)]
    #expect(canGive("de_CH", locale) == true)
    #expect(canGive("deCH", locale) == false)
    #expect(canGive("de-CH", locale) == false)
    #expect(canGive("ax", [.attribute(model), .text("x")]) == nil)
    #expect(canGive("anything", [.attribute(model), .text("x")]) == false)
    #expect(canGive("", [.attribute(model), .text(" "), .attribute(model)]) == false)
    #expect(canGive("de!", [.attribute(language), .attribute(model)]) == true)
  }

  @Test("members are listed in order, whatever the order of a schema")
  func members() {
    let names = ["m", "a", "z", "b", "y", "c"]
    let schema = AttributeSchema(names.map { .init("user.\($0)", .int) })
    #expect(schema.attributes(under: "user").map { $0.path } == names.sorted().map { "user.\($0)" })
  }
}
