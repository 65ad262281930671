import ExpressionEngine
import FilterCorpus
import Measuring

extension Workload {
  /// Reads the files of a folder: `filters.json` and `contexts.jsonl`, or `filters.txt` and
  /// `events.jsonl`.
  init(folder: String) throws(InputError) {
    let json = "\(folder)/filters.json"
    let lines = "\(folder)/filters.txt"
    let isApp = InputFile.exists(json)
    guard isApp || InputFile.exists(lines) else {
      throw InputError("\(folder): has neither `filters.json` nor `filters.txt`")
    }
    let filterPath = isApp ? json : lines
    let contextPath = "\(folder)/\(isApp ? "contexts" : "events").jsonl"
    let filters = isApp ? try Self.filters(inJSON: json) : try Self.lines(lines)
    guard !filters.isEmpty else { throw InputError("\(filterPath): there are no filters") }
    let texts = try Self.lines(contextPath)
    guard !texts.isEmpty else { throw InputError("\(contextPath): there are no contexts") }
    do throws(ContextError) {
      try self.init(
        form: isApp ? .app : .set, filterPath: filterPath, filters: filters, contextTexts: texts)
    } catch {
      throw InputError(
        "\(contextPath):\(error.index + 1):\(error.error.column): \(error.error.message)")
    }
  }

  /// Returns the lines of a file.
  private static func lines(_ path: String) throws(InputError) -> [String] {
    var reader = try LineReader(path)
    var lines: [String] = []
    while let line = try reader.next() {
      guard let text = TextFile.text(Array(line)) else {
        throw InputError("\(path):\(reader.lineNumber): the line is not UTF-8")
      }
      lines.append(text)
    }
    return lines
  }

  /// Returns the member `swexpr` of each object in a list. The rest of the document is skipped and
  /// not kept.
  private static func filters(inJSON path: String) throws(InputError) -> [String] {
    let octets = try InputFile.octets(path)
    let outcome = octets.withUnsafeBufferPointer { bytes in
      Result { () throws(JSONError) -> [String] in try filters(in: bytes) }
    }
    do throws(JSONError) {
      return try outcome.get()
    } catch {
      throw InputError("\(path):\(error.line):\(error.column): \(error.message)")
    }
  }

  private static func filters(
    in bytes: UnsafeBufferPointer<UInt8>
  ) throws(JSONError) -> [String] {
    var scanner = JSONScanner(bytes)
    var token = try scanner.nextToken()
    guard token == .beginArray else {
      throw scanner.shapeError(expected: "a list of filters", found: token)
    }
    var filters: [String] = []
    token = try scanner.nextToken()
    while token != .endArray {
      guard token == .beginObject else {
        throw scanner.shapeError(
          expected: "an object with the member `swexpr`", found: token)
      }
      var text: String?
      token = try scanner.nextToken()
      while token == .key {
        if scanner.currentStringEquals("swexpr") {
          token = try scanner.nextToken()
          guard token == .string else {
            throw scanner.shapeError(expected: "the text of a filter", found: token)
          }
          text = scanner.stringValue
        } else {
          try scanner.skipValue()
        }
        token = try scanner.nextToken()
      }
      guard let text else {
        throw scanner.errorAtToken(
          .unexpectedShape, "filter \(filters.count + 1) has no member `swexpr`")
      }
      filters.append(text)
      token = try scanner.nextToken()
    }
    _ = try scanner.nextToken()
    return filters
  }
}
