import ExpressionChecking
import ExpressionCoding
import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis
import FilterAuthoring

/// Collects the completions of one place.
struct CompletionFinder {
  let language: FilterLanguage
  let source: SourceText
  let place: CompletionPlace
  let samples: SampleAttributes
  let events: [String]
  private(set) var items: [CompletionItem] = []
  private var seen: Set<String> = []

  init(
    language: FilterLanguage, source: SourceText, place: CompletionPlace,
    samples: SampleAttributes, events: [String]
  ) {
    self.language = language
    self.source = source
    self.place = place
    self.samples = samples
    self.events = events
  }

  private var tokens: ArraySlice<Token> { place.tokens }

  mutating func find() {
    switch place.word {
    case .string(let quote): findTexts(quote)
    case .name:
      if let dot = tokens.indices.last, tokens[dot].kind == .dot {
        findMembers(afterDot: dot)
      } else if let last = tokens.last, last.kind.endsOperand {
        findOperators()
      } else {
        findOperands()
      }
    }
  }

  // MARK: Items

  private mutating func add(
    _ label: String, _ kind: CompletionItem.Kind, _ detail: String, _ documentation: String = "",
    inserting replacement: String? = nil, at span: SourceSpan? = nil, rank: Int
  ) {
    guard seen.insert(label).inserted else { return }
    items.append(
      CompletionItem(
        label: label, kind: kind, detail: detail, documentation: documentation,
        replacement: replacement ?? label, span: span ?? place.span, rank: rank))
  }

  // MARK: Operators

  private mutating func findOperators() {
    for row in OperatorTable.rows
    where row.fixity == .infix && row.dialects.contains(language.dialect) {
      add(row.spelling, .operator, row.summary, rank: row.isComparison ? 0 : 1)
    }
  }

  // MARK: Operands

  private mutating func findOperands() {
    if let path = comparedPath() { findValues(of: path, quote: nil) }
    for variable in loopVariables() { add(variable, .variable, "variable of the loop", rank: 1) }
    for root in roots { add(root, .object, "attributes", rank: 2) }
    for keyword in Dialect.named(language.dialect).keywords where keyword != "in" {
      add(keyword, .keyword, FilterDocumentation.keywords[keyword] ?? "", rank: 3)
    }
    for function in language.functions where function.isGlobal {
      add(
        "\(function.name)", .function, function.signatures.first ?? "",
        FilterDocumentation.page(function), inserting: "\(function.name)(", rank: 4)
    }
  }

  /// The variables that paths start with.
  private var roots: [String] {
    let paths = language.attributes.map { $0.path } + Array(samples.entries.keys)
    return Set(paths.map { String($0.prefix { $0 != "." && $0 != "[" }) }).sorted()
  }

  /// Returns the variables of the loops around the cursor, innermost first.
  private func loopVariables() -> [String] {
    var open: [Int] = []
    for index in tokens.indices {
      switch tokens[index].kind {
      case .leftParen: open.append(index)
      case .rightParen: _ = open.popLast()
      default: break
      }
    }
    var names: [String] = []
    for paren in open.reversed() {
      guard paren >= 2, tokens[paren - 2].kind == .dot, tokens[paren - 1].kind == .identifier else {
        continue
      }
      let macro = source.text(of: tokens[paren - 1].span)
      // One variable at least; a second one only if it is a name, too, and a third argument
      // follows.
      var index = paren + 1
      for _ in 0..<language.declarations.variableCount(ofMacro: macro) {
        guard index + 1 < tokens.endIndex, tokens[index].kind == .identifier,
          tokens[index + 1].kind == .comma
        else { break }
        names.append(source.text(of: tokens[index].span))
        index += 2
      }
    }
    return names
  }

  // MARK: Members

  private mutating func findMembers(afterDot dot: Int) {
    let reference =
      dot > 0
      ? AnalyzedFilter.reference(endingAt: dot - 1, in: tokens, of: source)?.path : nil
    let isLocal = reference.map { loopVariables().contains($0.root) } ?? false
    if let reference, !isLocal { findAttributes(under: reference, dot: dot) }
    let kind = reference.flatMap { isLocal ? nil : self.kind(of: $0) } ?? ""
    let isRoot = reference.map { !isLocal && $0.names.isEmpty } ?? false
    guard !isRoot, dot > 0, tokens[dot - 1].kind.endsOperand else { return }
    for function in language.functions where function.isMethod(of: kind) {
      add(
        function.name, .method, function.signatures.first ?? "",
        FilterDocumentation.page(function), inserting: "\(function.name)(", rank: 3)
    }
  }

  private mutating func findAttributes(under path: AttributePath, dot: Int) {
    for (name, detail, documentation, isObject) in members(of: path) {
      let spelled = AttributePath(root: "_", names: [name]).description.dropFirst(1)
      guard spelled.hasPrefix("[") else {
        add(name, isObject ? .object : .attribute, detail, documentation, rank: isObject ? 2 : 1)
        continue
      }
      // A name that cannot follow a dot takes brackets in its place.
      let span = SourceSpan(start: tokens[dot].start, end: place.span.end)
      add(
        name, .attribute, detail, documentation, inserting: String(spelled), at: span, rank: 1)
    }
    let prefix = path.description + "."
    for (name, type) in language.schema.hostFunctions where name.hasPrefix(prefix) {
      let function = String(name.dropFirst(prefix.count))
      add(
        function, .method, "\(name)(event) -> \(type.name)",
        FilterDocumentation.hostFunction(name, type), inserting: "\(function)(\"", rank: 2)
    }
  }

  private typealias Member = (name: String, detail: String, documentation: String, isObject: Bool)

  /// Returns the members of a path, from the schema and from the sample users.
  private func members(of path: AttributePath) -> [Member] {
    var members: [String: Member] = [:]
    func note(_ full: AttributePath, _ detail: String, _ documentation: String) {
      let depth = path.names.count
      guard full.root == path.root, full.names.count > depth,
        full.names.prefix(depth).elementsEqual(path.names)
      else { return }
      let name = full.names[depth]
      if full.names.count == depth + 1 {
        let isObject = members[name]?.isObject ?? (detail == "map")
        if members[name]?.documentation.isEmpty ?? true {
          members[name] = (name, detail, documentation, isObject)
        }
      } else {
        members[name] = (
          name, members[name]?.detail ?? "object", members[name]?.documentation ?? "", true
        )
      }
    }
    let prefix = path.description
    for attribute in language.attributes where attribute.path.hasPrefix(prefix) {
      guard let full = AttributePath(splitting: attribute.path) else { continue }
      note(full, attribute.type.name, FilterDocumentation.facts(about: attribute))
    }
    for (name, entry) in samples.entries where name.hasPrefix(prefix) {
      guard language.schema[name] == nil, let full = AttributePath(splitting: name) else {
        continue
      }
      note(full, entry.kind, "")
    }
    return members.values.sorted { $0.name < $1.name }
  }

  // MARK: Values

  /// Returns the attribute whose value the word is: in a comparison, in a list after `in`, or as
  /// the argument of a method.
  private func comparedPath() -> AttributePath? {
    guard let last = tokens.indices.last, last > 0 else { return nil }
    switch tokens[last].kind {
    case let kind where kind.isComparison: return path(endingAt: last - 1)
    case .leftBracket, .comma:
      var index = last
      while index > 0, tokens[index].kind != .leftBracket {
        guard [.comma, .string, .int, .uint, .float, .true, .false].contains(tokens[index].kind)
        else { return nil }
        index -= 1
      }
      guard index >= 2, tokens[index].kind == .leftBracket, tokens[index - 1].kind == .in else {
        return nil
      }
      return path(endingAt: index - 2)
    case .leftParen:
      guard last >= 3, tokens[last - 1].kind == .identifier, tokens[last - 2].kind == .dot else {
        return nil
      }
      let name = source.text(of: tokens[last - 1].span)
      guard ["contains", "startsWith", "endsWith"].contains(name) else { return nil }
      return path(endingAt: last - 3)
    default: return nil
    }
  }

  private func path(endingAt index: Int) -> AttributePath? {
    AnalyzedFilter.reference(endingAt: index, in: tokens, of: source)?.path
  }

  private func kind(of path: AttributePath) -> String? {
    language.schema.attribute(at: path)?.type.name ?? samples.entries[path.description]?.kind
  }

  /// Adds the values of an attribute.
  ///
  /// - Parameter quote: The quote of the string around the cursor; `nil` outside a string.
  private mutating func findValues(of path: AttributePath, quote: UInt8?) {
    let attribute = language.schema.attribute(at: path)
    if attribute?.type == .bool, quote == nil {
      for word in ["true", "false"] { add(word, .value, path.description, rank: 0) }
    }
    var texts = attribute?.values ?? []
    var note = "value of \(path.description)"
    if texts.isEmpty {
      texts = samples.entries[path.description]?.texts ?? []
      note = "\(path.description) of a sample user"
    }
    for text in texts { addText(text, note, .value, quote) }
    guard texts.isEmpty, let example = attribute?.example else { return }
    if case .string(let text)? = try? Value(json: example) {
      addText(text, "for example", .value, quote)
    } else if quote == nil {
      add(example, .value, "for example", rank: 0)
    }
  }

  private mutating func addText(
    _ text: String, _ detail: String, _ kind: CompletionItem.Kind, _ quote: UInt8?
  ) {
    let literal = Value.string(text).literal
    guard let quote else { return add(literal, kind, detail, rank: 0) }
    // A text with escapes is completed outside of quotes only, where the literal is complete.
    guard literal.utf8.count == text.utf8.count + 2, !text.utf8.contains(quote) else { return }
    let closing = place.isClosed ? "" : String(Unicode.Scalar(quote))
    add(text, kind, detail, inserting: text + closing, rank: 0)
  }

  private mutating func findTexts(_ quote: UInt8) {
    guard let last = tokens.indices.last else { return }
    // `device.daysSince("`: the name of an event.
    if tokens[last].kind == .leftParen, let function = path(endingAt: last - 1),
      language.schema.hostFunctions[function.description] != nil
    {
      for event in events { addText(event, "event", .event, quote) }
      return
    }
    // `params["`: a member.
    if tokens[last].kind == .leftBracket, last > 0, let parent = path(endingAt: last - 1) {
      for member in members(of: parent) { addText(member.name, member.detail, .attribute, quote) }
      return
    }
    if let path = comparedPath() { findValues(of: path, quote: quote) }
  }
}

extension FunctionDefinition {
  /// Whether the function is called by its name alone.
  package var isGlobal: Bool { signatures.contains { $0.hasPrefix("\(name)(") } }

  /// Returns whether the function is called on a value of a kind, such as `list(string)`; an
  /// unknown kind may be any.
  package func isMethod(of kind: String) -> Bool {
    let name = String(kind.prefix { $0 != "(" })
    let isKnown = !["", "any", "null", "number"].contains(name)
    return signatures.contains { signature in
      guard !signature.hasPrefix("\(self.name)("),
        let dot = signature.firstOccurrence(of: ".\(self.name)(")
      else { return false }
      let receiver = String(signature[..<dot.lowerBound])
      return !isKnown || receiver.firstOccurrence(of: name) != nil
        || !Self.receiverKinds.contains { receiver.firstOccurrence(of: $0) != nil }
    }
  }

  /// The kinds of receivers in signatures; any other word means any kind.
  private static let receiverKinds = [
    "string", "list", "map", "bytes", "bool", "int", "double", "timestamp", "duration",
    "optional_type", "net.",
  ]
}

extension AttributePath {
  /// Creates a path from its spelling. A path of plain names, the usual case, is not parsed.
  init?(splitting text: String) {
    guard !text.contains("[") else {
      self.init(text)
      return
    }
    let names = text.split(separator: ".").map(String.init)
    guard let root = names.first else { return nil }
    self.init(root: root, names: Array(names.dropFirst()))
  }
}
