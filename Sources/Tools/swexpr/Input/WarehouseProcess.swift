import ExpressionCoding
import ExpressionEngine
import FilterAnalysis
import FilterSQL

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The runner in `warehouse/`, which queries DuckDB or Spark.
struct WarehouseProcess {
  private let engine: String
  private let data: String
  private let python: String
  private let script: String

  /// Finds the runner and its Python.
  init(engine: String, data: String) throws(InputError) {
    self.engine = engine
    self.data = data
    guard let folder = Self.folder else {
      throw InputError("the folder `warehouse` was not found; name it with SWEXPR_WAREHOUSE")
    }
    script = folder + "/run.py"
    python = Output.environment("SWEXPR_WAREHOUSE_PYTHON") ?? folder + "/.venv/bin/python"
    guard access(python, X_OK) == 0 else {
      throw InputError("there is no Python at \(python); run scripts/install-warehouse")
    }
  }

  /// The folder `warehouse` in the working directory or in one above it.
  private static var folder: String? {
    if let path = Output.environment("SWEXPR_WAREHOUSE") { return path }
    var folder = "."
    for _ in 0..<8 {
      if access(folder + "/warehouse/run.py", R_OK) == 0 { return folder + "/warehouse" }
      folder += "/.."
    }
    return nil
  }

  /// Returns the columns of the data.
  func schema() throws(InputError) -> TableSchema {
    guard case .list(let columns)? = try run(["describe"])["columns"] else {
      throw InputError("\(data): the engine listed no columns")
    }
    var result: [TableSchema.Column] = []
    for case .list(let pair) in columns {
      guard case .string(let name)? = pair.first, pair.count == 2 else { continue }
      let type = Self.type(pair[1])
      let path = name.split(separator: ".", maxSplits: 1).map(String.init)
      result.append(TableSchema.Column(name, path: path, type))
    }
    return TableSchema(result)
  }

  /// Returns the type that the runner reports.
  private static func type(_ value: Value) -> ColumnType {
    switch value {
    case .string(let name):
      switch name {
      case "bool": return .bool
      case "int": return .int
      case "uint": return .uint
      case "double": return .double
      case "string": return .string
      case "bytes": return .bytes
      case "timestamp": return .timestamp
      case "json": return .json
      default: return .other(name)
      }
    case .map(let object):
      if let element = object["list"] { return .list(type(element)) }
      guard case .list(let members)? = object["struct"] else { return .other("struct") }
      var result: [ColumnType.Member] = []
      for case .list(let pair) in members {
        guard case .string(let name)? = pair.first, pair.count == 2 else { continue }
        result.append(ColumnType.Member(name, type(pair[1])))
      }
      return .record(result)
    default: return .other("unknown")
    }
  }

  /// Returns the numbers in the only row of a query's result, and the duration of the query.
  func counts(_ query: String) throws(InputError) -> (counts: [Int], seconds: Double) {
    let answer = try run(["count", query])
    guard case .list(let values)? = answer["counts"], case .double(let seconds)? = answer["seconds"]
    else { throw InputError("the engine returned no counts") }
    return (
      values.compactMap { if case .int(let number) = $0 { Int(number) } else { nil } }, seconds
    )
  }

  /// Returns the users in each audience of a config, as the package of the engine counts them: the
  /// document of `simulate` with `seconds`.
  func campaign(_ config: String, options: Value) throws(InputError) -> [Value.Key: Value] {
    try run(["campaign", config, options.jsonText()])
  }

  /// Whether the package of the engine is installed.
  var hasPackage: Bool {
    system("\(Self.quoted(python)) -c 'import swexpr, pyarrow' 2>/dev/null") == 0
  }

  /// Calls `body` with each row of a query: a context as JSON.
  func forEachRow(
    of query: String, _ body: (UnsafeBufferPointer<UInt8>) throws(JSONError) -> Void
  ) throws(InputError) {
    let pipe = try open(["rows", query])
    var lines = LineReader(descriptor: fileno(pipe), name: engine)
    var failure: InputError?
    do throws(InputError) {
      while let line = try lines.next() {
        do throws(JSONError) {
          try body(line)
        } catch {
          throw InputError("\(engine): row \(lines.lineNumber): \(error.message)")
        }
      }
    } catch {
      failure = error
    }
    let status = pclose(pipe)
    if let failure { throw failure }
    guard status == 0 else { throw failed }
  }

  private var failed: InputError { InputError("\(engine) failed; its message is above") }

  private func open(_ arguments: [String]) throws(InputError) -> UnsafeMutablePointer<FILE> {
    let words = [python, script, engine, data] + arguments
    let command = words.map { Self.quoted($0) }.joined(separator: " ")
    guard let pipe = popen(command, "r") else { throw InputError("\(python) cannot be run") }
    return pipe
  }

  private func run(_ arguments: [String]) throws(InputError) -> [Value.Key: Value] {
    let pipe = try open(arguments)
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = fread(&chunk, 1, chunk.count, pipe)
      if count == 0 { break }
      bytes += chunk[..<count]
    }
    let status = pclose(pipe)
    guard status == 0, let value = try? Value(json: String(decoding: bytes, as: UTF8.self)),
      case .map(let object) = value
    else { throw failed }
    return object
  }

  /// Returns a word quoted for the shell.
  private static func quoted(_ word: String) -> String {
    "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
      + "'"
  }
}
