import CSwexpr
import ExpressionCoding
import ExpressionEngine
import FilterAuthoring
import FilterCorpus
import Foundation
import Testing

/// Writes what the C interface gives, for the test of the WebAssembly module in Node.
@Suite("Cases for WebAssembly")
struct WebAssemblyCaseTests {
  /// The file to write, and the folders and files to read, separated by colons.
  static let target = ProcessInfo.processInfo.environment["SWEXPR_WASM_CASES"]
  static let sources = ProcessInfo.processInfo.environment["SWEXPR_WASM_SOURCES"] ?? ""

  /// One of so many cases has its explanation, diagnostics and layout, too.
  static let fullEvery = 5

  @Test("the outcomes are written", .enabled(if: target != nil))
  func write() throws {
    var lines: [String] = []
    for source in Self.sources.split(separator: ":") {
      for (number, item) in try CaseFile.cases(at: String(source)).enumerated() {
        lines.append(line(item, String(source), inFull: number % Self.fullEvery == 0))
      }
    }
    #expect(!lines.isEmpty)
    let text = lines.joined(separator: "\n") + "\n"
    try text.write(toFile: try #require(Self.target), atomically: true, encoding: .utf8)
  }

  private func line(_ item: ConformanceCase, _ source: String, inFull: Bool) -> String {
    var writer = JSONWriter()
    writer.beginObject()
    func put(_ key: String, _ text: String) {
      writer.key(key)
      writer.string(text)
    }
    put("source", source)
    put("id", "\(item.id)")
    let calls: [[String]]
    if case .definition(let text) = item.request.question {
      let noted = Locked<[[String]]>([])
      let host = CCase.host(item.request, noting: noted)
      let outcome = withExtendedLifetime(host) {
        Calls.take(
          swexpr_reference_evaluate_with_context(
            text, text.utf8.count, TestHost.function, host.data))
      }
      put("definition", text)
      put("outcome", outcome ?? "")
      calls = noted.withLock { $0 }
    } else if let cCase = CCase(item.request) {
      put("text", cCase.text)
      put("options", cCase.options)
      put("context", cCase.context)
      put("outcome", cCase.outcome)
      if inFull {
        put("explanation", cCase.explanation)
        put("diagnostics", cCase.diagnostics)
        put("layout", cCase.layout)
      }
      calls = cCase.calls.withLock { $0 }
    } else {
      put("refused", "needs what the C interface does not have")
      calls = []
    }
    writer.key("calls")
    writer.raw(Value.list(calls.map { .list($0.map { .string($0) }) }).jsonText())
    writer.endObject()
    return writer.text
  }
}
