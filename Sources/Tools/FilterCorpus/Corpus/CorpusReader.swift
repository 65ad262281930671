import ExpressionEngine
import ExpressionSyntax

extension CorpusFile {
  /// Reads the text of a `.corpus` file.
  ///
  /// - Parameter path: The path, for addresses and errors; nothing is opened.
  /// - Throws: ``CorpusError`` with the line of the first mistake.
  package init(reading text: String, path: String) throws(CorpusError) {
    var reader = CorpusReader(path: path, text: text)
    try reader.readFile()
    self.init(
      path: path, items: reader.items, header: reader.header, dialect: reader.dialect)
  }
}

/// Reads a `.corpus` file line by line.
struct CorpusReader {
  let path: String
  let lines: [String]
  var index = 0

  var items: [CorpusFile.Item] = []
  var header: [String: String] = [:]
  var dialect = Dialect.Name.superscript
  var contexts: [String: CorpusContextContent] = [:]
  var used = CorpusContextContent()
  var names: [String: Int] = [:]
  var isInHeader = true

  init(path: String, text: String) {
    self.path = path
    // By bytes, because a carriage return and a line feed are one character.
    lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
  }

  mutating func readFile() throws(CorpusError) {
    while index < lines.count {
      let line = content(of: index)
      if line.hasPrefix("==") {
        isInHeader = false
        try readCase()
      } else if line.hasPrefix("@") {
        isInHeader = false
        try readDirective(line)
      } else if line.isEmpty || line.hasPrefix("#") {
        if isInHeader { try readHeader(line) }
        items.append(.line(lines[index]))
        index += 1
      } else {
        throw error(
          "expected `== name`, `@context`, `@use`, a `#` comment or a blank line; "
            + "the lines of a case are indented")
      }
    }
  }

  /// The line without white space at its end.
  func content(of index: Int) -> Substring {
    var line = lines[index][...]
    while let last = line.last, last == " " || last == "\t" || last == "\r" { line.removeLast() }
    return line
  }

  func error(_ message: String, at line: Int? = nil) -> CorpusError {
    CorpusError(path: path, line: (line ?? index) + 1, message: message)
  }

  private mutating func readHeader(_ line: Substring) throws(CorpusError) {
    guard line.hasPrefix("# "), let colon = line.firstIndex(of: ":") else { return }
    let key = String(line[line.index(line.startIndex, offsetBy: 2)..<colon])
    guard ["topic", "description", "dialect"].contains(key) else { return }
    let value = line[line.index(after: colon)...].trimmed
    header[key] = value
    guard key == "dialect" else { return }
    guard let name = Dialect.Name(rawValue: value) else {
      let names = Dialect.Name.allCases.map { "`\($0.rawValue)`" }.joined(separator: " or ")
      throw error("unknown dialect `\(value)`, expected \(names)")
    }
    dialect = name
  }

  private mutating func readDirective(_ line: Substring) throws(CorpusError) {
    let words = line.split(separator: " ", omittingEmptySubsequences: true)
    guard words.count == 2 else {
      throw error("expected `@context NAME` or `@use NAME`")
    }
    let name = String(words[1])
    switch words[0] {
    case "@use":
      guard let context = contexts[name] else { throw error(unknownContext(name)) }
      used = context
      items.append(.line(lines[index]))
      index += 1
    case "@context":
      guard contexts[name] == nil else { throw error("the context `\(name)` is defined twice") }
      let start = index
      index += 1
      skipBody()
      let content = try readContext(start + 1..<index)
      contexts[name] = content
      items.append(
        .context(CorpusContext(name: name, content: content, lines: Array(lines[start..<index]))))
    default: throw error("unknown directive `\(words[0])`, expected `@context` or `@use`")
    }
  }

  func unknownContext(_ name: String) -> String {
    let known = contexts.keys.sorted().map { "`\($0)`" }.joined(separator: ", ")
    return known.isEmpty
      ? "there is no context `\(name)`: define it with `@context \(name)` above"
      : "there is no context `\(name)`; known are \(known)"
  }

  /// Moves over indented lines.
  private mutating func skipBody() {
    while index < lines.count, let first = lines[index].first, first == " " || first == "\t" {
      index += 1
    }
  }

  /// Reads the sections `vars`, `device`, `computed` and `host` of a context.
  private func readContext(_ range: Range<Int>) throws(CorpusError) -> CorpusContextContent {
    var content = CorpusContextContent()
    var reader = ConstantReader(lines[range].joined(separator: "\n"))
    do throws(ConstantReader.Failure) {
      reader.skipBlanks()
      while reader.peek() != nil {
        let start = reader.position
        let section = reader.readWord()
        if !(try content.read(section: section, from: &reader)) {
          throw ConstantReader.Failure(
            message: "expected `vars`, `device`, `computed` or `host`", offset: start)
        }
        reader.skipBlanks()
      }
    } catch {
      throw self.error(error.message, at: range.lowerBound + error.line(in: reader.bytes))
    }
    return content
  }

  private mutating func readCase() throws(CorpusError) {
    let start = index
    let name = content(of: index).dropFirst(2).trimmed
    guard !name.isEmpty, !name.contains(where: { $0 == " " || $0 == "\t" || $0 == "#" }) else {
      throw error("expected a name without spaces and `#` after `==`")
    }
    if let first = names[name] {
      throw error("the name `\(name)` is taken by line \(first + 1)")
    }
    names[name] = index
    index += 1
    var body = CaseBody(context: used)
    while index < lines.count {
      let line = lines[index]
      if line.hasPrefix("#") {
        index += 1
        continue
      }
      guard line.hasPrefix("  ") else { break }
      let content = line.dropFirst(2)
      try readBodyLine(content.last == "\r" ? content.dropLast() : content, into: &body)
      index += 1
    }
    guard let question = body.question else {
      throw error("the case `\(name)` has no expression: indent it by two spaces", at: start)
    }
    let answerStart = index
    let expectation = try readAnswer(of: name, startedAt: start)
    let answerEnd = index
    let skipReason = try readSkip()
    items.append(
      .entry(
        CorpusCase(
          name: name,
          request: CaseRequest(
            question, dialect: dialect, variables: body.context.variables,
            deviceFunctions: body.context.deviceFunctions,
            computedFunctions: body.context.computedFunctions,
            hostAnswers: body.context.hostAnswers, container: body.container,
            declarations: body.declarations, flags: body.flags),
          expectation: expectation, needs: body.needs, skipReason: skipReason, line: start + 1,
          questionLines: Array(lines[start..<answerStart]),
          answerLines: Array(lines[answerStart..<answerEnd]),
          trailingLines: Array(lines[answerEnd..<index]))))
  }

  /// Reads `?? skip: reason`, with comments before it.
  private mutating func readSkip() throws(CorpusError) -> String? {
    var ahead = index
    while ahead < lines.count, lines[ahead].hasPrefix("#") { ahead += 1 }
    guard ahead < lines.count, lines[ahead].hasPrefix("??") else { return nil }
    index = ahead
    let text = content(of: index).dropFirst(2).trimmed
    guard text.hasPrefix("skip:"), text.count > 5 else {
      throw error("expected `?? skip: reason`")
    }
    index += 1
    return text.dropFirst(5).trimmed
  }
}

extension CorpusContextContent {
  /// Reads the braces of a section; returns false if there is no section of that name.
  mutating func read(
    section: String, from reader: inout ConstantReader
  ) throws(ConstantReader.Failure) -> Bool {
    switch section {
    case "vars":
      try reader.readMembers { (reader, name) throws(ConstantReader.Failure) in
        variables[name] = try reader.readValue()
      }
    case "device":
      try reader.readMembers { (reader, name) throws(ConstantReader.Failure) in
        deviceFunctions[name] = try reader.readArguments()
      }
    case "computed":
      try reader.readMembers { (reader, name) throws(ConstantReader.Failure) in
        computedFunctions[name] = try reader.readArguments()
      }
    case "host":
      try reader.readMembers { (reader, name) throws(ConstantReader.Failure) in
        hostAnswers[name] = try reader.readHostAnswer()
      }
    default: return false
    }
    return true
  }
}

extension ConstantReader {
  fileprivate mutating func readArguments() throws(Failure) -> [Value] {
    let start = position
    guard case .list(let arguments) = try readValue() else {
      throw Failure(message: "expected a list of example arguments", offset: start)
    }
    return arguments
  }

  /// Reads a value, or `raw("text")` for an answer that is passed as it is.
  fileprivate mutating func readHostAnswer() throws(Failure) -> HostAnswer {
    skipBlanks()
    let start = position
    if readWord() == "raw", skip("(") {
      skipBlanks()
      let text = try readText()
      try expect(")")
      return .raw(text)
    }
    position = start
    return .value(try readValue())
  }
}

extension ConstantReader.Failure {
  /// The number of line feeds before the mistake.
  func line(in bytes: [UInt8]) -> Int {
    bytes.prefix(offset).reduce(0) { $0 + ($1 == 0x0A ? 1 : 0) }
  }
}

extension StringProtocol {
  /// The text without white space at either end.
  var trimmed: String {
    var text = Substring(self)
    while let first = text.first, first == " " || first == "\t" || first == "\r" {
      text.removeFirst()
    }
    while let last = text.last, last == " " || last == "\t" || last == "\r" { text.removeLast() }
    return String(text)
  }
}
