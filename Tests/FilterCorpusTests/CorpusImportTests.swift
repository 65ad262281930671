import ExpressionEngine
import ExpressionSyntax
import TestSupport
import Testing

@testable import FilterCorpus

@Suite("CorpusImport")
struct CorpusImportTests {
  /// A text that is the same exactly for the same case; values by their literals, because NaN is
  /// not equal to itself.
  static func fingerprint(_ item: ConformanceCase) -> String {
    let request = item.request
    let tables = [request.deviceFunctions, request.computedFunctions].map { table in
      table.mapValues { Value.list($0).literal }.sorted { $0.key < $1.key }
        .map { "\($0.key)=\($0.value)" }.joined(separator: ";")
    }
    let variables = Value.map(
      Dictionary(uniqueKeysWithValues: request.variables.map { (.string($0.key), $0.value) }))
    let answers = request.hostAnswers.mapValues { "\($0)" }.sorted { $0.key < $1.key }
    return [
      "\(request.question)", request.dialect.rawValue, variables.literal,
      tables.joined(separator: "|"), "\(answers)", request.container, "\(request.declarations)",
      "\(request.flags.rawValue)", item.needs.filter { $0 != "core" }.joined(separator: " "),
      item.expectation.answerLines.joined(separator: "\n"),
    ].joined(separator: "\n")
  }

  @Test("odd questions and contexts survive")
  func oddities() throws {
    var cases: [ConformanceCase] = []
    for (index, text) in [
      "1", "", " ", "1 ", " 1", "1\n2", "1\n\n2", "\t1", "1\r\n2", "with x", "with", "host {}",
      "a\nwith b", "quoted \"x\"", "definition x", "# x", "\"\\u{301}\"", "\u{301}x", "== x",
      "-- 1",
      "\u{feff}1", "\u{a0}", "é\u{200b}", "\"\u{0}\"", "!!", "@use x",
    ].enumerated() {
      for variables: [String: Value] in [
        [:], ["x": .double(.nan)], ["long": .string(String(repeating: "x", count: 400))],
      ] {
        cases.append(
          ConformanceCase(
            id: "odd-\(index)",
            request: CaseRequest(
              .expression(text), dialect: .superscript, variables: variables,
              hostAnswers: index % 5 == 0 ? ["f": .raw("\n{")] : [:]),
            expectation: index % 2 == 0
              ? .anyError(advice: "a\nb") : .value([1, "\u{7f}"], type: nil)))
        cases.append(
          ConformanceCase(
            id: "odd-\(index)", request: CaseRequest(.definition(text), dialect: .superscript),
            expectation: .any))
      }
    }
    let files = try CorpusImport.files(from: cases, folder: "x")
    #expect(files.map(\.path) == ["x/definitions.corpus", "x/odd.corpus"])
    #expect(
      files.flatMap(\.cases).map(Self.fingerprint).sorted() == cases.map(Self.fingerprint).sorted())
  }

  @Test(
    "every shared case reads back from its corpus file as it was",
    .enabled(if: ConformanceFiles.arePresent, "the shared conformance data is not present"))
  func sharedCases() throws {
    for name in ConformanceFiles.names {
      let text = try #require(ConformanceFiles.text(name))
      let cases = try ConformanceReader.read(text, path: name)
      let files = try CorpusImport.files(from: cases, folder: "x")
      let back = files.flatMap(\.cases)
      #expect(back.map(Self.fingerprint).sorted() == cases.map(Self.fingerprint).sorted())
      for file in files {
        #expect(try CorpusFile(reading: file.text, path: file.path).text == file.text)
      }
    }
  }

  @Test("every committed corpus file is read, and its text kept")
  func committedFiles() throws {
    let paths = try CaseFile.files(at: TestFiles.path("corpus"))
    #expect(paths.count >= 31)
    var ids: Set<String> = []
    for path in paths {
      let text = try TextFile.read(path)
      let file = try CorpusFile(reading: text, path: path)
      #expect(file.text == text)
      #expect(file.header["topic"] != nil, "\(path)")
      for item in file.cases { #expect(ids.insert(item.id).inserted, "\(item.id)") }
    }
    #expect(ids.count >= 3_559)
  }

  @Test("a path that is not there is a clear error")
  func missingFile() {
    let error = #expect(throws: CaseFile.Failure.self) {
      try CaseFile.cases(at: "/nowhere/x.corpus")
    }
    #expect(error?.description == "/nowhere/x.corpus: there is no such file")
  }
}
