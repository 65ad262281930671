import ExpressionCoding
import ExpressionEngine
import FilterCorpus
import FilterSQL
import Foundation
import TestSupport
import Testing

/// A process that evaluates queries: `warehouse/answers.py` with one engine.
final class SQLProcess {
  /// The Python of the project's own environment, which `scripts/install-warehouse` makes.
  private static let python: URL? = {
    let path =
      ProcessInfo.processInfo.environment["SWEXPR_WAREHOUSE_PYTHON"]
      ?? TestFiles.path("warehouse/.venv/bin/python")
    return FileManager.default.isExecutableFile(atPath: path) ? URL(filePath: path) : nil
  }()

  /// The engines that can run here. Spark is slow, and runs when `SWEXPR_TEST_SPARK` is set.
  static let engines: Set<SQLDialect.Name> = {
    guard let python else { return [] }
    let process = Process()
    let output = Pipe()
    process.executableURL = python
    process.arguments = [TestFiles.path("warehouse/answers.py"), "--list"]
    process.standardOutput = output
    guard (try? process.run()) != nil else { return [] }
    let text = String(
      decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    var engines = Set(
      text.split(whereSeparator: \.isWhitespace).compactMap {
        SQLDialect.Name(rawValue: String($0))
      })
    if ProcessInfo.processInfo.environment["SWEXPR_TEST_SPARK"] == nil { engines.remove(.spark) }
    return engines
  }()

  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var pending = Data()

  init(_ engine: SQLDialect.Name) throws {
    guard let python = Self.python else { throw CocoaError(.fileNoSuchFile) }
    process.executableURL = python
    process.arguments = [
      TestFiles.path("warehouse/answers.py"), engine.rawValue,
    ]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// The answers of a query, a text for each row; what the engine says if it fails.
  func rows(setup: [String], query: String) -> Result<[String], QueryError> {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("setup")
    writer.beginArray()
    for statement in setup { writer.string(statement) }
    writer.endArray()
    writer.key("query")
    writer.string(query)
    writer.endObject()
    do {
      try input.fileHandleForWriting.write(contentsOf: Data(writer.bytes + [0x0A]))
    } catch {
      return .failure(QueryError(text: "the engine has gone: \(error)"))
    }
    guard let line = nextLine(),
      let value = try? Value(json: String(decoding: line, as: UTF8.self)),
      case .map(let object) = value
    else { return .failure(QueryError(text: "no answer")) }
    if case .list(let rows)? = object["rows"] {
      return .success(rows.map { if case .string(let text) = $0 { text } else { "" } })
    }
    if case .string(let text)? = object["error"] { return .failure(QueryError(text: text)) }
    return .failure(QueryError(text: "an answer of no known form"))
  }

  private func nextLine() -> Data? {
    while true {
      if let end = pending.firstIndex(of: 0x0A) {
        let line = Data(pending[pending.startIndex..<end])
        pending = Data(pending[(end + 1)...])
        return line
      }
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { return nil }
      pending.append(more)
    }
  }
}

/// What an engine says of a query that it cannot run.
struct QueryError: Error {
  let text: String
}

extension Trait where Self == ConditionTrait {
  /// Skips a test where an engine is not installed.
  static func needs(_ engine: SQLDialect.Name) -> Self {
    let comment: Comment =
      switch engine {
      case .duckdb, .sqlite: "needs Python; scripts/install-warehouse installs the rest"
      case .postgresql: "needs scripts/install-warehouse, and PostgreSQL's initdb and postgres"
      case .spark: "make test-spark installs Spark and runs this"
      }
    return .enabled(if: SQLProcess.engines.contains(engine), comment)
  }
}
