import ExpressionCoding
import ExpressionEngine
import ExpressionSyntax
import Testing

@testable import FilterCorpus

/// Answers from a table; everything else is an error.
struct TableEvaluator: CaseEvaluator {
  var answers: [String: CaseOutcome]
  var unsupported: Set<String> = []

  func evaluate(_ request: CaseRequest) -> CaseOutcome {
    answers[request.question.text]
      ?? CaseOutcome(.error(CaseError(id: "E0301", message: "unknown", line: 1, column: 2)))
  }

  func offers(_ need: String) -> Bool { !unsupported.contains(need) }
}

@Suite("Bless")
struct BlessTests {
  static let text = """
    # header

    == right
      1
    -- 1 : int
    == wrong
      2
    # why the answer is so
    -- 1 : int
    # a comment behind
    == broken
      3
    -- 3 : int

    == block
      4
    !! E0100 @1:1 old
    | error[E0100]: old
    | more
    == skipped
      5
    -- 0 : int
    ?? skip: later
    # Two lines
    # of comment.
    == typed
      6
    -- 0 : int
    -> int
    == needy
      7
      needs ext:x
    -- 0 : int

    """

  static let evaluator = TableEvaluator(
    answers: [
      "1": CaseOutcome(.value(1)), "2": CaseOutcome(.value("two")),
      "4": CaseOutcome(
        .error(
          CaseError(
            id: "E0203", message: "new", line: 1, column: 4,
            rendered: "error[E0203]: new\n\nmore"))),
      "6": CaseOutcome(.value(6.0), type: "double"),
    ], unsupported: ["ext:x"])

  @Test("only wrong answer lines change; comments, order and skipped cases stay")
  func blessing() throws {
    let file = try CorpusFile(reading: Self.text, path: "d/f.corpus")
    let blessing = try file.blessed(by: Self.evaluator, environment: [:])
    let expected =
      Self.text
      .replacing(
        "# why the answer is so\n-- 1 : int", with: "# why the answer is so\n-- \"two\" : string"
      )
      .replacing("-- 3 : int", with: "!! E0301 @1:2 unknown")
      .replacing(
        "!! E0100 @1:1 old\n| error[E0100]: old\n| more",
        with: "!! E0203 @1:4 new\n| error[E0203]: new\n|\n| more"
      )
      .replacing("-- 0 : int\n-> int", with: "-- 6.0 : double\n-> double")
    #expect(blessing.file.text == expected)
    #expect(blessing.changed == ["d/f#wrong", "d/f#broken", "d/f#block", "d/f#typed"])
    let again = try CorpusFile(reading: blessing.file.text, path: "d/f.corpus")
    #expect(again.cases == blessing.file.cases)
    #expect(try again.blessed(by: Self.evaluator, environment: [:]).changed.isEmpty)
  }

  @Test("the change is shown as a unified diff")
  func diff() throws {
    let file = try CorpusFile(reading: Self.text, path: "d/f.corpus")
    let diff = try file.blessed(by: Self.evaluator, environment: [:]).diff
    #expect(
      diff == """
        --- d/f.corpus
        +++ d/f.corpus
        @@ -6,17 +6,18 @@
         == wrong
           2
         # why the answer is so
        --- 1 : int
        +-- "two" : string
         # a comment behind
         == broken
           3
        --- 3 : int
        +!! E0301 @1:2 unknown
        \u{20}
         == block
           4
        -!! E0100 @1:1 old
        -| error[E0100]: old
        -| more
        +!! E0203 @1:4 new
        +| error[E0203]: new
        +|
        +| more
         == skipped
           5
         -- 0 : int
        @@ -25,8 +26,8 @@
         # of comment.
         == typed
           6
        --- 0 : int
        --> int
        +-- 6.0 : double
        +-> double
         == needy
           7
           needs ext:x

        """)
  }

  @Test("a machine does not bless")
  func refusal() throws {
    let file = try CorpusFile(reading: Self.text, path: "d/f.corpus")
    #expect(throws: CorpusFile.BlessRefusal.continuousIntegration) {
      try file.blessed(by: Self.evaluator, environment: ["CI": "true"])
    }
  }

  @Test("the report counts, names failures and reasons, alike when run on all cores")
  func running() async throws {
    let file = try CorpusFile(reading: Self.text, path: "d/f.corpus")
    let runner = CaseRunner(evaluator: Self.evaluator)
    let report = runner.run(file.cases)
    #expect(report.summary == "1 passed, 4 failed, 2 skipped")
    #expect(report.skips == ["later": 1, "needs ext:x": 1])
    #expect(report.failures[0].line == "d/f#wrong: got \"two\" : string want 1 : int")
    #expect(
      report.failures[2].line
        == "d/f#block: got error E0203 @1:4 new want error E0100 @1:1 old")
    #expect(await runner.runConcurrently(file.cases) == report)
    let many = Array(repeating: file.cases, count: 100).flatMap(\.self)
    var calls: [CaseRunner.Progress] = []
    let large = await runner.runConcurrently(many) { calls.append($0) }
    #expect(large == runner.run(many))
    #expect(calls.last == CaseRunner.Progress(done: 700, total: 700))
    #expect(
      report.jsonText(pretty: false).hasPrefix(
        #"{"passed":1,"failed":4,"skipped":2,"failures":[{"id":"d/f#wrong","expression":"2","got":"\"two\" : string","want":"1 : int"},"#
      ))
  }
}
