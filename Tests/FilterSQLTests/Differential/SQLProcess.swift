import ExpressionCoding
import ExpressionEngine
import FilterCorpus
import FilterSQL
import Foundation

/// A process that evaluates queries: `warehouse/answers.py` with one engine.
final class SQLProcess {
  /// The repository, found from this file.
  static let repository = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The Python of the project's own environment, which `scripts/install-warehouse` makes.
  static let python: URL? = {
    let path =
      ProcessInfo.processInfo.environment["SWEXPR_WAREHOUSE_PYTHON"]
      ?? repository.appending(path: "warehouse/.venv/bin/python").path
    return FileManager.default.isExecutableFile(atPath: path) ? URL(filePath: path) : nil
  }()

  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var pending = Data()

  init(_ engine: SQLDialect.Name, connection: String? = nil) throws {
    guard let python = Self.python else { throw CocoaError(.fileNoSuchFile) }
    process.executableURL = python
    process.arguments =
      [
        Self.repository.appending(path: "warehouse/answers.py").path, engine.rawValue,
      ] + (connection.map { [$0] } ?? [])
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
