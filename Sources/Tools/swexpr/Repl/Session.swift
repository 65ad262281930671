import AudienceFilters
import ExpressionEngine
import ExpressionPrinting
import ExpressionSyntax
import FilterAnalysis
import FilterAuthoring
import FilterCorpus

/// The state of a REPL between lines: the dialect, the variables, the results of the app's
/// functions, and the filters so far. It does not depend on a terminal.
struct Session: Sendable {
  /// The reply to a line.
  struct Reply: Sendable, Equatable {
    /// The text for standard output.
    var output = ""
    /// The text for standard error.
    var errors = ""
    /// Whether the line failed.
    var hasFailed = false
    /// Whether the session is over.
    var ends = false

    init(_ output: String = "") { self.output = output }

    /// Returns the reply to a command that does not exist, or whose name is too short to tell which
    /// one it is.
    static func unknownCommand(_ name: String) -> Reply {
      let names = ReplCommand.all.map(\.name)
      let longer = names.filter { !name.isEmpty && $0.hasPrefix(name) }.map { "`:\($0)`" }
      guard longer.isEmpty else {
        return failure("`:\(name)` may be short for \(longer.joined(separator: ", "))")
      }
      return failure(
        "there is no command `:\(name)`",
        help: Suggestions.closest(to: name, among: names).first.map { "did you mean `:\($0)`?" }
          ?? "`:help` lists the commands")
    }

    /// Returns the reply to a mistaken command, with advice.
    static func failure(_ message: String, help: String? = nil) -> Reply {
      var reply = Reply()
      reply.errors = "error: \(message)\n" + (help.map { "  = help: \($0)\n" } ?? "")
      reply.hasFailed = true
      return reply
    }
  }

  var dialect: Dialect.Name
  /// The variables by name.
  var variables: [String: Value] = emptyVariables
  /// The results of the app's functions, by call; see ``ContextOptions/host``.
  var answers: [String: Value] = [:]
  /// The file that the variables came from.
  var contextPath: String?
  /// The user's own schema, which extends the vocabulary of the SDKs.
  var ownSchema = AttributeSchema()
  /// Whether results and diagnostics are coloured. Colour only repeats information that the text
  /// gives.
  var usesColor = false
  /// Whether diagnostics are written as sentences, for screen readers.
  var usesPlainDiagnostics = false
  /// The filters so far with the contexts that they were evaluated over, for `:save`.
  var requests: [CaseRequest] = []
  /// The filter that commands without an argument use.
  private(set) var lastFilter: String?

  static let emptyVariables: [String: Value] = [
    "user": .map([:]), "device": .map([:]), "params": .map([:]),
  ]

  init(dialect: Dialect.Name) { self.dialect = dialect }

  /// The environment that filters are compiled against.
  var environment: FilterEnvironment {
    CaseRequest.environment(dialect: dialect, answers: answers)
  }

  var context: Context { Context(variables: variables) }

  /// Returns the brackets that a text leaves open, outermost first; empty if the text is complete.
  func openBrackets(in text: String) -> String {
    guard let (command, argument) = Self.command(in: text) else {
      return OpenBrackets.text(of: text, dialect: .named(dialect))
    }
    guard let known = ReplCommand.named(command), known.argument.isExpression else { return "" }
    return OpenBrackets.text(of: argument, dialect: .named(dialect))
  }

  /// Returns the reply to a line (or to the lines of an expression in brackets).
  mutating func reply(to line: String) -> Reply {
    let text = line.trimmingSpaces
    guard !text.isEmpty else { return Reply() }
    guard let (name, argument) = Self.command(in: text) ?? wordCommand(text) else {
      return evaluate(text)
    }
    guard let command = ReplCommand.named(name) else { return .unknownCommand(name) }
    if argument.isEmpty, command.argument.isRequired {
      return .failure("`:\(command.name)` needs \(command.argument.need): \(command.usage)")
    }
    if !argument.isEmpty, case .none = command.argument {
      return .failure("`:\(command.name)` takes nothing after it, found `\(argument)`")
    }
    return command.run(&self, argument)
  }

  /// Returns the name and the argument of a line that is a command.
  private static func command(in line: String) -> (name: String, argument: String)? {
    guard line.utf8.first == UInt8(ascii: ":") else { return nil }
    let name = line.dropFirst().prefix { !$0.isWhitespace }
    let argument = line.dropFirst(1 + name.count)
    return (String(name), String(argument).trimmingSpaces)
  }

  /// Returns the command that a bare word means: `quit`, `exit` and `help` are what people type,
  /// and the value of a variable of that name is what they get if there is one.
  private func wordCommand(_ text: String) -> (name: String, argument: String)? {
    guard variables[text] == nil else { return nil }
    switch text {
    case "quit", "exit": return ("quit", "")
    case "help": return ("help", "")
    default: return nil
    }
  }

  // MARK: Filters

  /// Evaluates a filter and remembers it.
  mutating func evaluate(_ text: String) -> Reply {
    lastFilter = text
    let source = SourceText(text)
    var reply = Reply()
    do throws(FilterError) {
      let filter = try Filter(source, environment: environment)
      requests.append(request(text))
      do throws(EvaluationError) {
        reply.output = answer(try filter.evaluate(context))
      } catch {
        reply = failure([error.showingValues.diagnostic], in: source)
      }
      reply.errors += hints(about: filter)
    } catch {
      reply = failure(error.diagnostics, in: source)
    }
    return reply
  }

  /// Returns `value : type`, with the type in a dimmer colour.
  func answer(_ value: Value) -> String {
    let type = " : \(value.kindName)"
    return value.literal + (usesColor ? "\u{1B}[2m\(type)\u{1B}[0m" : type) + "\n"
  }

  /// Returns the diagnostics as a reply.
  func failure(_ diagnostics: [Diagnostic], in source: SourceText) -> Reply {
    var reply = Reply()
    reply.errors = rendered(diagnostics, in: source)
    reply.hasFailed = diagnostics.contains { $0.severity == .error }
    return reply
  }

  func rendered(_ diagnostics: [Diagnostic], in source: SourceText) -> String {
    let renderer = DiagnosticRenderer(
      style: usesPlainDiagnostics ? .plain : .rich, usesColor: usesColor)
    return renderer.render(diagnostics, in: source)
  }

  /// Returns the filter with everything that its result depends on.
  func request(_ text: String) -> CaseRequest {
    let names = Set(answers.keys.map { String($0.prefix { $0 != "(" }) })
    let functions = Dictionary(uniqueKeysWithValues: names.map { ($0, [] as [Value]) })
    return CaseRequest(
      .expression(text), dialect: dialect, variables: variables, deviceFunctions: functions,
      computedFunctions: functions, hostAnswers: answers.mapValues { .value($0) })
  }

  /// Returns notes about names that a filter uses and that do not exist.
  func hints(about filter: Filter) -> String {
    guard let tree = try? parse(SourceText(filter.text), dialect: .named(dialect)) else {
      return ""
    }
    let notes = missingNotes(filter.requirements, except: askedFor(in: tree))
    // All findings are looked for to get at these.
    guard tree.nodes.contains(where: { $0.kind == .call }) else { return notes }
    let calls = filter.check().filter { $0.id == .uncallableFunction }.map { finding in
      note(finding.message + (finding.helps.first.map { "; \($0)" } ?? ""))
    }
    return notes + calls.joined()
  }

  /// Returns the attributes for which a filter itself asks whether they are there.
  private func askedFor(in tree: SyntaxTree) -> Set<String> {
    let asked = tree.nodes.filter { $0.kind == .call && tree.name(of: $0) == "has" }
      .compactMap { tree.children(of: $0).first }
    return Set(asked.map { tree.text(ofNode: NodeID($0)) })
  }

  /// Returns a note for each name that a filter reads and the context lacks, because the result
  /// alone does not show that mistake.
  private func missingNotes(
    _ requirements: Requirements, except asked: Set<String>
  ) -> String {
    var notes = ""
    let attributes = Attributes(variables)
    for attribute in requirements.attributes where !asked.contains(attribute.path) {
      let path = attribute.root.map { AttributePath(root: $0, names: [attribute.name]) }
      guard (path ?? AttributePath(root: attribute.name)).value(in: variables) == nil else {
        continue
      }
      let root = attribute.root ?? attribute.name
      let known = variables[root] != nil
      let name = known ? attribute.path : root
      if !known, dialect == .cel { continue }
      let guess =
        known
        ? Self.sibling(of: attribute.name, under: root, among: attributes.paths)
        : Suggestions.help(for: name, among: Array(variables.keys))
      let fact = known ? "`\(name)` is missing here" : "there is no variable `\(name)`"
      notes += note(fact + (guess.map { "; \($0)" } ?? ""))
    }
    return notes
  }

  private func note(_ text: String) -> String {
    usesColor ? "\u{1B}[2m  note: \(text)\u{1B}[0m\n" : "  note: \(text)\n"
  }

  /// Returns advice about a missing attribute. Only the names under the root are compared: the
  /// paths `user.age` and `user.name` look more alike than their names are.
  private static func sibling(
    of name: String, under root: String, among paths: [String]
  ) -> String? {
    let prefix = root + "."
    let names = paths.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
    let closest = Suggestions.closest(to: name, among: names).map { "`\(root).\($0)`" }
    return closest.isEmpty ? nil : "did you mean \(closest.joined(separator: " or "))?"
  }

  /// Returns the filter that a command refers to: its argument, or else the last filter.
  mutating func filter(_ argument: String) -> String? {
    if !argument.isEmpty { lastFilter = argument }
    return lastFilter
  }
}

extension String {
  /// The text without white space at its ends.
  var trimmingSpaces: String {
    var text = self[...]
    while let first = text.first, first.isWhitespace { text.removeFirst() }
    while let last = text.last, last.isWhitespace { text.removeLast() }
    return String(text)
  }
}
