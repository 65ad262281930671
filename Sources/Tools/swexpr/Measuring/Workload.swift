import AudienceFilters
import ExpressionEngine
import FilterCorpus

/// Many filters and many contexts, read from a folder.
struct Workload: Sendable {
  /// The form of the files in the folder.
  enum Form: Sendable {
    /// `filters.json` and `contexts.jsonl`: the filters of an app, and a context for each of its
    /// users.
    case app
    /// `filters.txt` and `events.jsonl`: a large set of filters, and the events that are matched
    /// against it.
    case set
  }

  let form: Form
  /// The path of the file that holds the filters.
  let filterPath: String
  let filters: [String]
  /// The JSON text of each context.
  let contextTexts: [String]
  private(set) var contexts: [Context]
  /// The number of attributes in all contexts: the members of the objects at their top level, and
  /// all other values there.
  let attributeCount: Int

  /// Reads the files of a folder.
  init(folder: String) throws(InputError) {
    let json = "\(folder)/filters.json"
    let lines = "\(folder)/filters.txt"
    let contextPath: String
    if InputFile.exists(json) {
      (form, filterPath, contextPath) = (.app, json, "\(folder)/contexts.jsonl")
      filters = try Self.filters(inJSON: json)
    } else if InputFile.exists(lines) {
      (form, filterPath, contextPath) = (.set, lines, "\(folder)/events.jsonl")
      filters = try Self.lines(lines)
    } else {
      throw InputError("\(folder): has neither `filters.json` nor `filters.txt`")
    }
    guard !filters.isEmpty else { throw InputError("\(filterPath): there are no filters") }
    contextTexts = try Self.lines(contextPath)
    guard !contextTexts.isEmpty else { throw InputError("\(contextPath): there are no contexts") }
    var contexts: [Context] = []
    contexts.reserveCapacity(contextTexts.count)
    var attributeCount = 0
    for (index, text) in contextTexts.enumerated() {
      do throws(JSONError) {
        contexts.append(try Context(json: text))
        attributeCount += try Self.attributeCount(text)
      } catch {
        throw InputError("\(contextPath):\(index + 1):\(error.column): \(error.message)")
      }
    }
    self.contexts = contexts
    self.attributeCount = attributeCount
  }

  /// Returns the same workload with newly created contexts, because an app compiles its filters
  /// before the first context arrives.
  func remakingContexts() -> Workload {
    var copy = self
    copy.contexts = contextTexts.compactMap { text in
      do throws(JSONError) { return try Context(json: text) } catch { return nil }
    }
    return copy
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

  private static func attributeCount(_ text: String) throws(JSONError) -> Int {
    var text = text
    let outcome = text.withUTF8 { bytes in
      Result { () throws(JSONError) -> Int in
        var scanner = JSONScanner(bytes)
        _ = try scanner.nextToken()
        var count = 0
        while try scanner.nextToken() == .key {
          let token = try scanner.nextToken()
          guard token == .beginObject else {
            try scanner.skipRest(of: token)
            count += 1
            continue
          }
          while try scanner.nextToken() == .key {
            try scanner.skipValue()
            count += 1
          }
        }
        return count
      }
    }
    return try outcome.get()
  }
}
