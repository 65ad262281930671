import ExpressionCoding
import ExpressionEngine
import ExpressionSyntax
import Testing

@testable import FilterCorpus

@Suite("ConformanceReader")
struct ConformanceReaderTests {
  @Test("a superscript case keeps the types of everything")
  func superscript() throws {
    let line = #"""
      {"id":"x-1","category":"x","expression":"a + 1","variables":{"map":{"a":{"type":"uint","value":5},"t":{"type":"timestamp","value":7}}},"device":{"f":[{"type":"string","value":"e"}]},"computed":{},"host":{"f(e)":{"type":"float","value":2.5},"junk":{"$raw":"not json"}},"expect":{"Ok":{"type":"list","value":[{"type":"float","value":null},{"type":"timestamp","value":-1}]}}}
      """#
    let cases = try ConformanceReader.read(line, path: "x.jsonl")
    let request = cases[0].request
    #expect(request.variables == ["a": .uint(5), "t": 7])
    #expect(request.deviceFunctions == ["f": ["e"]])
    #expect(request.hostAnswer(to: "f", arguments: ["e"]) == .value(2.5))
    #expect(request.hostAnswer(to: "f", arguments: ["x"]) == nil)
    #expect(request.hostAnswer(to: "junk", arguments: [])?.text == "not json")
    let wanted = cases[0].expectation
    for number in [Double.nan, .infinity, -.infinity] {
      let got: Value = [.double(number), .timestamp(.init(seconds: -1, nanoseconds: 500_000_000))]
      #expect(wanted.isMet(by: CaseOutcome(.value(got)), dialect: .superscript))
    }
    #expect(
      !wanted.isMet(
        by: CaseOutcome(.value([1.0, .timestamp(.init(seconds: -1))])), dialect: .superscript))
  }

  @Test("host answers are found by the text of the first argument, then by name")
  func hostAnswers() {
    let request = CaseRequest(
      .expression(""), dialect: .superscript,
      hostAnswers: [
        "f(5)": .value("five"), "f(1.5)": .value("x"), "f(true)": .value("T"), "g": .value(1),
      ])
    #expect(request.hostAnswer(to: "f", arguments: [5]) == .value("five"))
    #expect(request.hostAnswer(to: "f", arguments: [.uint(5)]) == .value("five"))
    #expect(request.hostAnswer(to: "f", arguments: ["5"]) == .value("five"))
    #expect(request.hostAnswer(to: "f", arguments: [1.5]) == .value("x"))
    #expect(request.hostAnswer(to: "f", arguments: [true]) == .value("T"))
    #expect(request.hostAnswer(to: "f", arguments: [[1]]) == nil)
    #expect(request.hostAnswer(to: "g", arguments: [[1]]) == .value(1))
  }

  @Test("every value form of the cel cases is read")
  func celValues() throws {
    let line = #"""
      {"id":"a/b/c","expr":"x","disable_macros":true,"disable_check":true,"check_only":false,"container":"c","type_env":[{"name":"x","type":"int"},{"name":"f","overloads":[{"id":"f_1","member":true,"params":["int"],"result":"$T"}]}],"bindings":{"a.b":{"list":[{"null":null},{"bool":true},{"int":"-5"},{"uint":"5"},{"double":"NaN"},{"double":"-0.0"},{"string":"s"},{"bytes":"/w=="},{"map":[[{"int":"1"},{"type":"int"}]]},{"timestamp":"2009-02-13T23:31:30.000000001Z"},{"duration":"-1.500000000s"}]}},"expect":{"value":{"int":"1"},"type":"int"},"needs":["core"]}
      {"id":"d","expr":"y","expect":{"error":"no such overload"},"needs":[]}
      {"id":"e","expr":"z","check_only":true,"expect":{"type":"list(int)"}}
      """#
    let cases = try ConformanceReader.read(line, path: "x.jsonl")
    guard case .list(let values)? = cases[0].request.variables["a.b"] else {
      Issue.record("the binding is missing")
      return
    }
    #expect(
      values.map(\.literal) == [
        "null", "true", "-5", "5u", "double(\"NaN\")", "-0.0", "\"s\"", "b\"\\xff\"", "{1: int}",
        "timestamp(\"2009-02-13T23:31:30.000000001Z\")", "duration(\"-1.5s\")",
      ])
    #expect(cases[0].request.flags == [.disablesMacros, .disablesCheck])
    #expect(cases[0].request.declarations.count == 2)
    #expect(cases[0].expectation == .value(1, type: "int"))
    #expect(cases[1].expectation == .anyError(advice: "no such overload"))
    #expect(cases[2].expectation == .type("list(int)"))
    #expect(cases[2].request.flags == .checksOnly)
  }

  @Test("kinds must agree, maps are sets, NaN equals NaN")
  func comparison() {
    let rows: [(Value, Value, superscript: Bool, cel: Bool)] = [
      (1, .uint(1), false, false), (1, 1.0, false, false), (0.0, -0.0, false, false),
      (.double(.nan), .double(.nan), true, true), (.double(.nan), .double(.infinity), true, false),
      (.double(.infinity), .double(.nan), false, false),
      (["a": 1, "b": 2], ["b": 2, "a": 1], true, true), (["1": 1], .map([.int(1): 1]), true, false),
      (.map([.int(1): 1]), ["1": 1], false, false),
      (.null, .duration(.init(seconds: 1)), true, false),
      (.duration(.init(seconds: 1)), .null, false, false), ([1, 2], [2, 1], false, false),
      ("é", "e\u{301}", false, false), (["a": 1], ["a": 1, "b": 1], false, false),
      (.optional(1), .optional(.uint(1)), false, false),
      (.optional(nil), .optional(1), false, false),
      (
        .timestamp(.init(seconds: 5)), .timestamp(.init(seconds: 5, nanoseconds: 1)), true, false
      ),
      (
        .timestamp(.init(seconds: 5, nanoseconds: 1)), .timestamp(.init(seconds: 5)), false, false
      ),
    ]
    for (wanted, got, superscript, cel) in rows {
      #expect(wanted.isMatched(by: got, dialect: .superscript) == superscript, "\(wanted) \(got)")
      #expect(wanted.isMatched(by: got, dialect: .cel) == cel, "\(wanted) \(got)")
    }
  }

  @Test("a line that is no case is reported with its number")
  func mistakes() {
    let good = #"{"id":"d","expr":"y","expect":{"error":""}}"#
    for (line, message) in [
      ("nonsense", "x.jsonl:3: expected a value, found `n`"),
      ("{}", "x.jsonl:3: a case has one of the members"),
      (#"{"id":"a","expr":"1"}"#, "x.jsonl:3: `expect` has one of"),
      (
        #"{"id":"a","expression":"1","expect":{"Ok":5}}"#, "x.jsonl:3: `expect`: expected an object"
      ),
    ] {
      let error = #expect(throws: CorpusError.self) {
        try ConformanceReader.read("\(good)\n\n\(line)\n", path: "x.jsonl")
      }
      let description = error?.description ?? ""
      #expect(description.hasPrefix(message), "\(description)")
    }
  }

  @Test(
    "every shared file is read to the last case",
    .enabled(if: ConformanceFiles.arePresent, "the shared conformance data is not present"))
  func sharedFiles() throws {
    var counts: [Int] = []
    for name in ConformanceFiles.names {
      guard let text = ConformanceFiles.text(name) else { continue }
      let cases = try ConformanceReader.read(text, path: name)
      #expect(cases.count == text.utf8.count { $0 == 0x0A })
      #expect(Set(cases.map(\.id)).count == cases.count)
      counts.append(cases.count)
    }
    #expect(counts == [3467, 49, 43, 1155])
  }

  @Test(
    "the definitions are read or refused as the reference does",
    .enabled(if: ConformanceFiles.arePresent, "the shared conformance data is not present"))
  func sharedDefinitions() throws {
    let name = "superscript-definitions-open.jsonl"
    let text = try #require(ConformanceFiles.text(name))
    for item in try ConformanceReader.read(text, path: name) {
      let isRead = (try? EvaluationDefinition(json: item.request.question.text)) != nil
      // Every refused definition of this file is refused by its form, not by its expression.
      if case .anyError = item.expectation {
        #expect(!isRead, "\(item.request.question.text)")
      } else {
        #expect(isRead, "\(item.request.question.text)")
      }
    }
  }
}
