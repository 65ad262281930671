import CInterface
import CSwexpr
import ExpressionCoding
import ExpressionEngine
import ExpressionPrinting
import ExpressionSyntax
import FilterAnalysis
import FilterAuthoring
import Foundation
import TestSupport
import Testing

@testable import LanguageServer

/// One entry, ``FilterAnalysis/ParsedFilter/diagnostics(schema:proves:)``, gives the findings of a
/// filter; every front end shows them.
@Suite("All front ends show the same findings")
struct SameFindingsTests {
  /// Filters with findings, right ones left out.
  private static let wrong: [(filter: String, findings: [Diagnostic])] =
    (CorpusFilters.superscript + proved).compactMap { text in
      // A shell could not pass these, and a config or a file could have such a name.
      guard !text.contains("\0"), !text.hasPrefix("\u{FEFF}"), !text.hasPrefix("-") else {
        return nil
      }
      let findings = Filter.check(text)
      return findings.isEmpty ? nil : (text, findings)
    }

  /// Filters about which only the prover finds something.
  private static let proved = [
    #"user.a.startsWith("A") && user.a.startsWith("B")"#,
    #"user.a == "x" || user.a == "x" && user.b > 30"#,
    "user.age > 30 && !(user.age > 10 || user.isMember)",
    "user.age > 5 ? user.age > 3 : user.age > 7",
  ]

  @Test("there are hundreds of them, some found by the prover alone")
  func count() {
    #expect(Self.wrong.count >= 400)
    #expect(Self.wrong.suffix(Self.proved.count).map(\.filter) == Self.proved)
  }

  @Test("the C interface")
  func c() throws {
    for (filter, findings) in Self.wrong {
      let text = try #require(
        swexpr_check(filter, filter.utf8.count, nil, nil, 0, nil), "\(filter)")
      defer { swexpr_string_free(text) }
      #expect(
        String(cString: text) == DiagnosticRenderer.json(findings, in: SourceText(filter)))
    }
  }

  @Test("the language server")
  func languageServer() throws {
    let session = try Session()
    for (filter, findings) in Self.wrong {
      let shown = session.open("file:///a.filter", filter)
      #expect(shown.map { $0["code"] } == findings.map { .string($0.id.rawValue) }, "\(filter)")
    }
  }

  @Test("swexpr check")
  func tool() throws {
    let folder = try Folder()
    defer { folder.remove() }
    let paths = try Self.wrong.enumerated().map { try folder.write("\($0).expr", $1.filter) }
    let output = try folder.run(["check", "--json"] + paths)
    let filters = try #require(Value(json: output)["filters"]?.listValue)
    #expect(filters.count == Self.wrong.count)
    for (shown, (filter, findings)) in zip(filters, Self.wrong) {
      // A file ends with a line break that is not part of its filter.
      #expect(shown["text"]?.stringValue == filter)
      let source = SourceText(filter, name: try #require(shown["name"]?.stringValue))
      let expected = try Value(json: DiagnosticRenderer.json(findings, in: source))
      #expect(shown["diagnostics"] == expected, "\(filter)")
    }
  }

  @Test("the REPL")
  func repl() throws {
    let folder = try Folder()
    defer { folder.remove() }
    // It goes on reading while a bracket is open, and writes errors elsewhere than warnings.
    let lines = Self.wrong.filter { filter, findings in
      findings.allSatisfy { $0.severity == .warning } && !filter.contains { $0.isNewline }
    }
    #expect(lines.count > 200)
    let input = lines.map { ":check \($0.filter)\n" }.joined()
    let output = try folder.run(["repl"], input: input)
    var rest = output[...]
    for (filter, findings) in lines {
      for finding in findings {
        let line = "\(finding)"
        guard let range = rest.range(of: line) else {
          Issue.record("\(filter): the REPL does not show \(line)")
          continue
        }
        rest = rest[range.upperBound...]
      }
    }
  }
}

extension SameFindingsTests {
  /// A folder of files for one run of the tool.
  private struct Folder {
    let url = FileManager.default.temporaryDirectory
      .appending(component: "swexpr-\(UUID().uuidString)")

    init() throws {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    func remove() { try? FileManager.default.removeItem(at: url) }

    func write(_ name: String, _ text: String) throws -> String {
      let file = url.appending(component: name)
      try Data(text.utf8).write(to: file)
      return file.path
    }

    /// Returns what the tool writes to standard output and standard error.
    func run(_ arguments: [String], input: String = "") throws -> String {
      let output = url.appending(component: "output")
      let source = url.appending(component: "input")
      try Data(input.utf8).write(to: source)
      try Data().write(to: output)
      let process = Process()
      process.executableURL = ServerProcess.tool
      process.arguments = arguments
      let isJSON = arguments.contains("--json")
      let handle = try FileHandle(forWritingTo: output)
      process.standardInput = try FileHandle(forReadingFrom: source)
      process.standardOutput = handle
      process.standardError = isJSON ? FileHandle.nullDevice : handle
      try process.run()
      process.waitUntilExit()
      return try String(contentsOf: output, encoding: .utf8)
    }
  }
}
