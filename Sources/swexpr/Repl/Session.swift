import AudienceFilters
import ExpressionEngine
import ExpressionPrinting
import ExpressionSyntax
import FilterCorpus

/// The state of a REPL between lines: the dialect, the variables, the results of the app's
/// functions, and the filters so far. It does not depend on a terminal.
struct Session {
  /// The reply to a line.
  struct Reply: Equatable {
    /// The text for standard output.
    var output = ""
    /// The text for standard error.
    var errors = ""
    /// Whether the line failed.
    var hasFailed = false
    /// Whether the session is over.
    var ends = false

    init(_ output: String = "") { self.output = output }

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
    guard let (name, argument) = Self.command(in: text) else { return evaluate(text) }
    guard let command = ReplCommand.named(name) else {
      let names = ReplCommand.all.map(\.name)
      return .failure(
        "there is no command `:\(name)`",
        help: Suggestions.closest(to: name, among: names).first.map { "did you mean `:\($0)`?" }
          ?? "`:help` lists the commands")
    }
    if argument.isEmpty, command.argument.isRequired {
      return .failure("`:\(command.name)` needs \(command.argument.need): \(command.usage)")
    }
    if !argument.isEmpty, case .none = command.argument {
      return .failure("`:\(command.name)` takes nothing behind it, found `\(argument)`")
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
        reply = failure([error.diagnostic], in: source)
      }
      reply.errors += missingNotes(filter.requirements)
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

  /// Returns a note for each name that a filter reads and the context lacks, because the result
  /// alone does not show that mistake.
  private func missingNotes(_ requirements: Requirements) -> String {
    var notes = ""
    let attributes = Attributes(variables)
    for attribute in requirements.attributes {
      let path = attribute.root.map { AttributePath(root: $0, names: [attribute.name]) }
      guard (path ?? AttributePath(root: attribute.name)).value(in: variables) == nil else {
        continue
      }
      let root = attribute.root ?? attribute.name
      let known = variables[root] != nil
      let name = known ? attribute.path : root
      if !known, dialect == .cel { continue }
      let candidates = known ? attributes.paths : Array(variables.keys)
      let guess = Suggestions.help(for: name, among: candidates)
      let fact = known ? "`\(name)` is missing here" : "there is no variable `\(name)`"
      notes += note(fact + (guess.map { "; \($0)" } ?? hint(for: name)))
    }
    return notes
  }

  private func note(_ text: String) -> String {
    usesColor ? "\u{1B}[2m  note: \(text)\u{1B}[0m\n" : "  note: \(text)\n"
  }

  private func hint(for name: String) -> String {
    ["quit", "exit", "help", "q"].contains(name)
      ? "; did you mean `:\(name == "exit" || name == "q" ? "quit" : name)`?" : ""
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
