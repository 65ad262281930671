import AudienceFilters
import ExpressionEngine
import ExpressionPrinting
import ExpressionSyntax
import FilterAuthoring
import FilterCorpus
import Foundation
import TestSupport
import Testing

@Suite("Corpus of diagnostics") struct DiagnosticCorpusTests {
  private static func cases() throws -> [ConformanceCase] {
    try CaseFile.cases(at: TestFiles.path("corpus/diagnostics"))
  }

  @Test("every case gets exactly its text")
  func texts() throws {
    let cases = try Self.cases()
    #expect(cases.count >= 120)
    let report = CaseRunner(evaluator: EngineEvaluator()).run(cases)
    #expect(report.failures.map(\.line) == [])
  }

  /// Ids that a short text cannot bring about; the tests that pin them are named.
  static let elsewhere: Set<DiagnosticID> = [
    // DiagnosticTextTests of this folder.
    .invalidUTF8, .sourceTooLong, .hostFunctionFailed, .undeclaredName, .unknownFunction,
    .filterTooLarge, .evaluationCancelled, .deadlineExceeded,
  ]

  /// No pattern is known that needs more than the limit of steps: those that backtrack for too long
  /// are matched in linear time instead.
  static let unreachable: Set<DiagnosticID> = [.patternLimit]

  @Test("every id has a case that pins its whole text")
  func everyIDHasACase() throws {
    var pinned: Set<String> = []
    for item in try Self.cases() {
      if case .error(let error) = item.expectation, error.rendered != nil, let id = error.id {
        pinned.insert(id)
      }
    }
    let others = Self.elsewhere.union(Self.unreachable)
    let missing = DiagnosticID.allCases.filter {
      !pinned.contains($0.rawValue) && !others.contains($0)
    }
    #expect(missing == [])
  }

  @Test("no text has internal names, full stops at the end, or words that blame")
  func style() throws {
    let forbidden = ["Slot", "TokenKind", "NodeID", "IRNode", "illegal", "oops", "syntax error"]
    for item in try Self.cases() {
      guard case .error(let error) = item.expectation, let rendered = error.rendered else {
        continue
      }
      for word in forbidden { #expect(!rendered.contains(word), "\(item.id)") }
      let first = rendered.split(separator: "\n").first ?? ""
      #expect(!first.hasSuffix("."), "\(item.id)")
      let message = first.drop { $0 != ":" }.dropFirst(2)
      #expect(message.first?.isUppercase == false || message.hasPrefix("NaN"), "\(item.id)")
    }
  }

  @Test("every lint has an entry whose example gets it")
  func examples() throws {
    for id in DiagnosticID.allCases where id.severity == .warning {
      #expect(!id.entry.explanation.isEmpty, "\(id.rawValue)")
      let found = try Filter(id.entry.example).check().map(\.id)
      #expect(found.contains(id), "\(id.rawValue): \(id.entry.example)")
    }
  }
}

@Suite("Diagnostics that need more than a text") struct DiagnosticTextTests {
  private struct OutOfOrder: Error, CustomStringConvertible {
    let description = "the shop is closed"
  }

  private func text(_ error: EvaluationError, _ filter: Filter) -> String {
    DiagnosticRenderer().render(error.diagnostic, in: SourceText(filter.text))
  }

  @Test("a host function that throws is named, with its error")
  func hostFunction() throws {
    let environment = FilterEnvironment(deviceFunctions: ["shop": { _, _ in throw OutOfOrder() }])
    let filter = try Filter("device.shop() == 1", environment: environment)
    do throws(EvaluationError) {
      _ = try evaluate(filter, Context())
      Issue.record("there is a value")
    } catch {
      #expect(
        text(error, filter) == """
          error[E0514]: the app's function `shop` failed
           --> <filter>:1:8
            |
          1 | device.shop() == 1
            |        ^^^^ the error is the app's
            |
            = note: the shop is closed

          """)
    }
  }

  @Test("a missing variable is named where an explanation tells of it")
  func undeclared() throws {
    let explanation = try Filter("usr.age > 18").explain(Context())
    let cause = try #require(explanation.root.cause)
    #expect(cause.id == .undeclaredName)
    #expect(
      DiagnosticRenderer().render(cause, in: explanation.source) == """
        error[E0301]: there is no variable `usr`
         --> <filter>:1:1
          |
        1 | usr.age > 18
          | ^^^ not in this context
          |
          = help: did you mean `user`?

        """)
  }

  @Test("a function that does not exist is named where an explanation tells of it")
  func unknownFunction() throws {
    let explanation = try Filter("user.name.startWith(\"A\")").explain(Context())
    let cause = try #require(explanation.root.cause)
    #expect(
      DiagnosticRenderer().render(cause, in: explanation.source) == """
        error[E0401]: there is no function `startWith`
         --> <filter>:1:11
          |
        1 | user.name.startWith("A")
          |           ^^^^^^^^^ not known
          |
          = help: did you mean `startsWith`?

        """)
  }

  @Test("bytes that are no UTF-8 are pointed at")
  func invalidUTF8() throws {
    let source = SourceText(bytes: Array("user.name == \"".utf8) + [0xFF] + Array("\"".utf8))
    do throws(SyntaxError) {
      _ = try parse(source, dialect: .superscript)
      Issue.record("it parses")
    } catch {
      let text = DiagnosticRenderer().render(error.diagnostics, in: source)
      #expect(text.hasPrefix("error[E0102]: byte 0xFF is not valid UTF-8\n --> <filter>:1:15\n"))
      #expect(text.contains("^ not part of a character\n"))
      #expect(text.hasSuffix("= help: save the text as UTF-8\n"))
    }
  }

  @Test("a filter that is too long says how long it may be")
  func tooLong() throws {
    let limits = ParserLimits(sourceLength: 10)
    do throws(FilterError) {
      _ = try Filter("user.age > 18", environment: FilterEnvironment(parserLimits: limits))
      Issue.record("it compiles")
    } catch {
      #expect(
        error.diagnostics.map(\.message)
          == ["the filter is 13 bytes long, more than the limit of 10"])
    }
  }

  @Test("an evaluation that is stopped says why")
  func stopped() throws {
    let cancelled = EvaluationStop()
    cancelled.cancel()
    let past = EvaluationStop(deadline: .now - .seconds(1))
    for (stop, message) in [
      (cancelled, "the evaluation was cancelled"),
      (past, "the evaluation took longer than it was given"),
    ] {
      let filter = try Filter("user.age > 3")
      let error = #expect(throws: EvaluationError.self) {
        try filter.evaluate(Context(), unless: stop)
      }
      #expect(error?.message == message)
    }
  }
}
