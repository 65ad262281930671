import ExpressionCoding
import ExpressionEngine
import ExpressionSyntax

/// Reads the JSON Lines formats of conformance data; the keys of a line identify its format.
///
/// * `definition`: a text for the drop-in interface of the superscript dialect;
/// * `expression`: a superscript case with variables, host functions and the reference's answer;
/// * `expr`: a case of the `cel` dialect.
package enum ConformanceReader {
  /// Reads every line of `bytes`.
  ///
  /// - Parameter path: The path, for errors; nothing is opened.
  /// - Throws: ``CorpusError`` with the line of the first mistake.
  package static func read(
    _ bytes: UnsafeBufferPointer<UInt8>, path: String
  ) throws(CorpusError) -> [ConformanceCase] {
    var cases: [ConformanceCase] = []
    var lines = JSONLines(bytes)
    while let line = lines.next() {
      do throws(JSONError) {
        cases.append(try readCase(line))
      } catch {
        throw CorpusError(
          path: path, line: lines.lineNumber, message: "\(error.message) (column \(error.column))")
      }
    }
    return cases
  }

  /// Reads every line of `text`; see ``read(_:path:)-(UnsafeBufferPointer<UInt8>,_)``.
  package static func read(
    _ text: String, path: String
  ) throws(CorpusError) -> [ConformanceCase] {
    var text = text
    let result = text.withUTF8 { bytes in
      do throws(CorpusError) {
        return Result<[ConformanceCase], CorpusError>.success(try read(bytes, path: path))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  private static func readCase(
    _ line: UnsafeBufferPointer<UInt8>
  ) throws(JSONError) -> ConformanceCase {
    let fields = try CaseFields(line)
    if fields.places["definition"] != nil { return try fields.definitionCase() }
    if fields.places["expression"] != nil { return try fields.superscriptCase() }
    if fields.places["expr"] != nil { return try fields.celCase() }
    throw JSONError(
      kind: .unexpectedShape,
      message: "a case has one of the members `definition`, `expression` and `expr`", offset: 0,
      line: 1, column: 1)
  }
}

/// The members of an object: where their values are, to be read in the order that suits.
struct CaseFields {
  let line: UnsafeBufferPointer<UInt8>
  private(set) var places: [String: Range<Int>] = [:]

  init(_ line: UnsafeBufferPointer<UInt8>) throws(JSONError) {
    self.line = line
    var scanner = JSONScanner(line, options: Self.options(.nearest))
    let first = try scanner.nextToken()
    guard first == .beginObject else {
      throw scanner.shapeError(expected: "an object", found: first)
    }
    while try scanner.nextToken() == .key {
      let name = scanner.stringValue
      let start = scanner.offset
      try scanner.skipValue()
      places[name] = start..<scanner.offset
    }
    _ = try scanner.nextToken()
  }

  static func options(_ doubles: JSONScanner.DoubleReading) -> JSONScanner.Options {
    JSONScanner.Options(maximumDepth: 1024, doubles: doubles)
  }

  /// Reads the value of a member with `body`; returns `nil` if there is no such member.
  func read<T>(
    _ name: String, doubles: JSONScanner.DoubleReading = .nearest,
    _ body: (inout JSONScanner) throws(JSONError) -> T
  ) throws(JSONError) -> T? {
    guard let bytes = bytes(of: name) else { return nil }
    var scanner = JSONScanner(bytes, options: Self.options(doubles))
    do throws(JSONError) {
      return try body(&scanner)
    } catch {
      let offset = error.offset + (places[name]?.lowerBound ?? 0)
      throw JSONError(
        kind: error.kind, message: "`\(name)`: \(error.message)", offset: offset, line: 1,
        column: offset + 1)
    }
  }

  /// The text of a member's value.
  func bytes(of name: String) -> UnsafeBufferPointer<UInt8>? {
    places[name].map { UnsafeBufferPointer(rebasing: line[$0]) }
  }

  func plain(_ name: String) throws(JSONError) -> Value? {
    try read(name) { (scanner) throws(JSONError) in
      try Value(readingFrom: &scanner, reading: Value.JSONReading(maximumDepth: 1024))
    }
  }

  func text(_ name: String) throws(JSONError) -> String? {
    guard case .string(let text)? = try plain(name) else { return nil }
    return text
  }

  func required(_ name: String) throws(JSONError) -> String {
    guard let text = try text(name) else { throw shapeError("`\(name)` is a string") }
    return text
  }

  func flag(_ name: String) throws(JSONError) -> Bool {
    try plain(name) == .bool(true)
  }

  func shapeError(_ message: String) -> JSONError {
    JSONError(kind: .unexpectedShape, message: message, offset: 0, line: 1, column: 1)
  }
}
