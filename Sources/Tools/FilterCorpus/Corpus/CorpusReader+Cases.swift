import ExpressionEngine
import ExpressionSyntax

/// The content of the indented lines of a case so far.
struct CaseBody {
  var question: CaseRequest.Question?
  /// Whether an option has been read; the expression ends there.
  var hasOptions = false
  var context: CorpusContextContent
  var container = ""
  var declarations: [CaseDeclaration] = []
  var flags: CaseRequest.Flags = []
  var needs: [String] = []
}

/// The words that start an option line of a case.
enum CorpusOption: String, CaseIterable {
  case with
  case device
  case computed
  case host
  case container
  case declare
  case flags
  case needs
  case quoted
  case definition
  case quotedDefinition = "quoted-definition"

  /// The option that `line` starts with, and what follows its word.
  static func split(_ line: Substring) -> (CorpusOption, Substring)? {
    guard let space = line.firstIndex(of: " "), let option = Self(rawValue: String(line[..<space]))
    else { return nil }
    return (option, line[line.index(after: space)...])
  }

  /// The spelling of the flags.
  static let flagNames: [(name: String, flag: CaseRequest.Flags)] = [
    ("no-macros", .disablesMacros), ("no-check", .disablesCheck), ("check-only", .checksOnly),
    ("lints", .lints),
  ]
}

extension CorpusReader {
  /// Reads an indented line, its two spaces removed.
  func readBodyLine(_ line: Substring, into body: inout CaseBody) throws(CorpusError) {
    guard let (option, rest) = CorpusOption.split(line) else {
      guard !body.hasOptions else {
        throw error("expected an option; the lines of the expression come before the options")
      }
      switch body.question {
      case nil: body.question = .expression(String(line))
      case .expression(let text): body.question = .expression(text + "\n" + line)
      case .definition: throw error("a definition is one line")
      }
      return
    }
    switch option {
    case .quoted: try setQuestion(.expression(try readQuoted(rest)), in: &body)
    case .definition: try setQuestion(.definition(String(rest)), in: &body)
    case .quotedDefinition: try setQuestion(.definition(try readQuoted(rest)), in: &body)
    default:
      guard body.question != nil else {
        throw error("the expression comes before its options")
      }
      body.hasOptions = true
      try readOption(option, rest, into: &body)
    }
  }

  private func setQuestion(
    _ question: CaseRequest.Question, in body: inout CaseBody
  ) throws(CorpusError) {
    guard body.question == nil else { throw error("the case has two questions") }
    body.question = question
    body.hasOptions = true
  }

  private func readOption(
    _ option: CorpusOption, _ rest: Substring, into body: inout CaseBody
  ) throws(CorpusError) {
    switch option {
    case .with: try readWith(rest, into: &body)
    case .device, .computed, .host:
      try constant { () throws(ConstantReader.Failure) in
        var reader = ConstantReader(rest)
        _ = try body.context.read(section: option.rawValue, from: &reader)
        try reader.expectEnd()
      }
    case .container: body.container = rest.trimmed
    case .declare: try readDeclaration(rest, into: &body)
    case .needs: body.needs += rest.split(separator: " ").map(String.init)
    case .flags:
      for word in rest.split(separator: " ") {
        guard let flag = CorpusOption.flagNames.first(where: { $0.name == word })?.flag else {
          let names = CorpusOption.flagNames.map { "`\($0.name)`" }.joined(separator: ", ")
          throw error("unknown flag `\(word)`, expected \(names)")
        }
        body.flags.insert(flag)
      }
    case .quoted, .definition, .quotedDefinition: break
    }
  }

  /// Reads `NAME`, `{…}`, `NAME + {…}` or `+ {…}`.
  private func readWith(_ text: Substring, into body: inout CaseBody) throws(CorpusError) {
    var rest = Substring(text.trimmed)
    if let first = rest.first, first != "{" && first != "+" {
      let name = String(rest.prefix { $0 != " " && $0 != "+" })
      guard let context = contexts[name] else { throw error(unknownContext(name)) }
      body.context = context
      rest = Substring(rest.dropFirst(name.count).trimmed)
      if rest.isEmpty { return }
    } else if rest.first == "{" {
      body.context = CorpusContextContent()
    }
    if rest.first == "+" { rest.removeFirst() }
    try constant { () throws(ConstantReader.Failure) in
      var reader = ConstantReader(rest)
      _ = try body.context.read(section: "vars", from: &reader)
      try reader.expectEnd()
    }
  }

  /// Reads `x : int` or `[member] f(int, string) -> bool [as ID]`.
  private func readDeclaration(_ text: Substring, into body: inout CaseBody) throws(CorpusError) {
    let form = "expected `declare NAME : TYPE` or `declare [member] NAME(TYPE, …) -> TYPE [as ID]`"
    var rest = Substring(text.trimmed)
    let isMember = rest.hasPrefix("member ")
    if isMember { rest = Substring(rest.dropFirst(7).trimmed) }
    let name = String(rest.prefix { $0 != " " && $0 != ":" && $0 != "(" })
    rest = Substring(rest.dropFirst(name.count).trimmed)
    guard !name.isEmpty, let mark = rest.popFirst() else { throw error(form) }
    if mark == ":" && !isMember {
      let type = rest.trimmed
      guard !type.isEmpty else { throw error(form) }
      body.declarations.append(CaseDeclaration(name: name, kind: .variable(type: type)))
      return
    }
    guard mark == "(", let close = closingParenthesis(of: rest) else { throw error(form) }
    let parameters = splitTypes(rest[..<close])
    rest = Substring(rest[rest.index(after: close)...].trimmed)
    guard rest.hasPrefix("->") else { throw error(form) }
    var result = rest.dropFirst(2).trimmed
    var id = ""
    if let mark = result.firstRange(ofText: " as ") {
      id = result[mark.upperBound...].trimmed
      result = result[..<mark.lowerBound].trimmed
    }
    let overload = CaseDeclaration.Overload(
      id: id, isMember: isMember, parameters: parameters, result: result)
    if let last = body.declarations.last, last.name == name,
      case .function(let overloads) = last.kind
    {
      body.declarations[body.declarations.count - 1].kind = .function(overloads + [overload])
    } else {
      body.declarations.append(CaseDeclaration(name: name, kind: .function([overload])))
    }
  }

  private func closingParenthesis(of text: Substring) -> Substring.Index? {
    var depth = 1
    for index in text.indices {
      if text[index] == "(" { depth += 1 }
      if text[index] == ")" { depth -= 1 }
      if depth == 0 { return index }
    }
    return nil
  }

  private func splitTypes(_ text: Substring) -> [String] {
    var types: [String] = []
    var depth = 0
    var current = ""
    for character in text {
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      if character == "," && depth == 0 {
        types.append(current.trimmed)
        current = ""
      } else {
        current.append(character)
      }
    }
    if !current.trimmed.isEmpty || !types.isEmpty { types.append(current.trimmed) }
    return types
  }

  private func readQuoted(_ text: Substring) throws(CorpusError) -> String {
    var result = ""
    try constant { () throws(ConstantReader.Failure) in
      var reader = ConstantReader(text)
      reader.skipBlanks()
      result = try reader.readText()
      try reader.expectEnd()
    }
    return result
  }

  /// Runs a reader of constants, its failure turned into an error of the current line.
  private func constant(
    _ body: () throws(ConstantReader.Failure) -> Void
  ) throws(CorpusError) {
    do throws(ConstantReader.Failure) { try body() } catch { throw self.error(error.message) }
  }
}

// MARK: - Answers

extension CorpusReader {
  /// Reads the answer lines after a question.
  mutating func readAnswer(
    of name: String, startedAt start: Int
  ) throws(CorpusError) -> Expectation {
    guard index < lines.count else { throw missingAnswer(name, start) }
    let line = content(of: index)
    let rest = line.dropFirst(2).trimmed
    if line.hasPrefix("--") {
      let expectation = try readValueAnswer(rest)
      index += 1
      guard case .value(let value, _) = expectation, index < lines.count,
        lines[index].hasPrefix("->")
      else { return expectation }
      let type = content(of: index).dropFirst(2).trimmed
      index += 1
      return .value(value, type: type)
    }
    if line.hasPrefix("!!") {
      index += 1
      return try readErrorAnswer(rest)
    }
    guard line.hasPrefix("->"), !rest.isEmpty else { throw missingAnswer(name, start) }
    index += 1
    return .type(rest)
  }

  private func missingAnswer(_ name: String, _ start: Int) -> CorpusError {
    error(
      "the case `\(name)` has no answer: expected `-- value : type`, `!!` or `-> type` "
        + "right after the question", at: start)
  }

  private func readValueAnswer(_ text: String) throws(CorpusError) -> Expectation {
    if text == "any" { return .any }
    var expectation = Expectation.any
    try constant { () throws(ConstantReader.Failure) in
      var reader = ConstantReader(text)
      let value = try reader.readValue()
      try reader.expect(":")
      reader.skipBlanks()
      let start = reader.position
      var kind = reader.readWord()
      if reader.skip(".") { kind += "." + reader.readWord() }
      guard kind == value.kindName else {
        throw ConstantReader.Failure(
          message: "the value is of kind `\(value.kindName)`, not `\(kind)`", offset: start)
      }
      try reader.expectEnd()
      expectation = .value(value, type: nil)
    }
    return expectation
  }

  /// Reads `any: advice` or `[ID] [@line:column] [message]`, and the `|` lines below.
  private mutating func readErrorAnswer(_ text: String) throws(CorpusError) -> Expectation {
    if text.hasPrefix("any:") { return .anyError(advice: text.dropFirst(4).trimmed) }
    var error = CaseError(message: "")
    var rest = Substring(text)
    if let word = rest.split(separator: " ").first, word.isDiagnosticID {
      error.id = String(word)
      rest = Substring(rest.dropFirst(word.count).trimmed)
    }
    if rest.hasPrefix("@") {
      let place = rest.dropFirst().prefix { $0 != " " }
      let numbers = place.split(separator: ":").map { Int($0) }
      guard numbers.count == 2, let line = numbers[0], let column = numbers[1] else {
        throw self.error("expected a place such as `@1:14`", at: index - 1)
      }
      (error.line, error.column) = (line, column)
      rest = Substring(rest.dropFirst(place.count + 1).trimmed)
    }
    error.message = String(rest)
    var rendered: [String] = []
    while index < lines.count, lines[index].hasPrefix("|") {
      let line = content(of: index).dropFirst()
      rendered.append(String(line.first == " " ? line.dropFirst() : line))
      index += 1
    }
    if !rendered.isEmpty { error.rendered = rendered.joined(separator: "\n") }
    let isAny =
      error.id == nil && error.line == nil && error.message.isEmpty && error.rendered == nil
    return isAny ? .anyError(advice: "") : .error(error)
  }
}

extension StringProtocol {
  /// Whether the text is an identifier of a diagnostic: `E0203`, `W0704`.
  var isDiagnosticID: Bool {
    guard let first = utf8.first, first == UInt8(ascii: "E") || first == UInt8(ascii: "W") else {
      return false
    }
    return utf8.count == 5 && utf8.dropFirst().allSatisfy { $0.isDigit }
  }
}
