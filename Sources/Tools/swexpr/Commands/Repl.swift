import ArgumentParser
import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// `swexpr repl`: evaluates filters interactively.
struct Repl: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Evaluate filters as you type them.",
    discussion: """
      Prints the value and the type of each filter: true : bool. A line goes on while a bracket is \
      open; on a terminal an empty line ends it. The tabulator key completes attributes, \
      functions and commands; :help lists the commands, and control-C stops what takes too long. \
      History is kept in $XDG_STATE_HOME/swexpr/history (~/.local/state if that is not set).

        swexpr repl --context user.json
        printf '%s\\n' ':set user.age 25' 'user.age >= 18' | swexpr repl

      Without a terminal there is no prompt: results go to standard output, diagnostics to \
      standard error. Exit codes then: 0 all lines succeeded, 1 some failed; always 2 if \
      --context cannot be read.
      """)

  @Option(
    help: ArgumentHelp(
      #"A JSON file of variables, such as {"user": {…}, "device": {…}, "host": {…}}."#,
      valueName: "file"))
  var context: String?

  @OptionGroup var schema: SchemaOptions
  @OptionGroup var dialect: DialectOptions
  @OptionGroup var diagnostics: DiagnosticOptions

  func run() throws {
    let isInteractive = Self.isInteractive
    var session = Session(dialect: dialect.dialect)
    if let context { try session.load(context: context) }
    session.ownSchema = try schema.own()
    session.usesPlainDiagnostics = diagnostics.plain
    session.usesColor =
      switch diagnostics.color {
      case .auto:
        isInteractive && Output.isTerminal(STDOUT_FILENO)
          && Output.environment("NO_COLOR") == nil
      case .always: true
      case .never: false
      }
    if isInteractive, let editor = LineEditor(history: HistoryFile()) {
      Self.converse(&session, editor)
    } else {
      try Self.run(&session)
    }
  }

  // MARK: On a terminal

  private static var isInteractive: Bool {
    isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0
  }

  /// Makes control-C harmless if the arguments start a session on a terminal, where it never ends
  /// the process: it has a meaning as soon as there is a prompt.
  static func ignoreInterruptions(_ arguments: [String]) {
    if arguments.first == _commandName, isInteractive {
      signal(SIGINT, SIG_IGN)
    }
  }

  private static func converse(_ session: inout Session, _ editor: LineEditor) {
    var interruption = Interruption()
    // A terminal that goes away ends the input, as control-D does.
    signal(SIGHUP, SIG_IGN)
    Output.line(
      "swexpr \(Swexpr.configuration.version.split(separator: " ").last ?? ""), "
        + "\(session.dialect.rawValue) dialect. :help lists the commands, :quit leaves.")
    while let entry = entry(editor, session, &interruption) {
      editor.remember(entry.historyText)
      guard let reply = reply(to: entry, &session, &interruption) else {
        editor.discardKeys()
        Output.errorPiece("\ninterrupted\n")
        continue
      }
      Output.write(reply.output)
      Output.errorPiece(reply.errors)
      if reply.ends { return }
    }
  }

  /// Returns the reply to an entry; `nil` if control-C interrupted it, which leaves the session as
  /// it was.
  private static func reply(
    to entry: String, _ session: inout Session, _ interruption: inout Interruption?
  ) -> Session.Reply? {
    let before = session
    let outcome: (session: Session, reply: Session.Reply)?
    let work = { @Sendable in
      var session = before
      let reply = session.reply(to: entry)
      return (session: session, reply: reply)
    }
    if interruption == nil { outcome = work() } else { outcome = interruption?.run(work) }
    guard let outcome else { return nil }
    session = outcome.session
    return outcome.reply
  }

  /// Reads an entry: a line, and the following ones while brackets are open; `nil` at the end of
  /// the input.
  private static func entry(
    _ editor: LineEditor, _ session: Session, _ interruption: inout Interruption?
  ) -> String? {
    var lines: [String] = []
    var open = ""
    let completion = Completion(session)
    while true {
      // The continuation prompt shows the open brackets.
      let prompt = lines.isEmpty ? "\(session.dialect.rawValue)> " : "\(open) … "
      let line = editor.read(prompt: prompt, completion: completion) {
        interruption?.clear() ?? false
      }
      // From the next row on, control-C is for what the line starts.
      interruption?.clear()
      Output.write("\n")
      switch line {
      case .end:
        if lines.isEmpty { return nil }
        return lines.joined(separator: "\n")
      case .abandoned: lines = []
      case .text(let line):
        if !lines.isEmpty, line.allSatisfy(\.isWhitespace) {
          return lines.joined(separator: "\n")
        }
        lines.append(line)
        open = session.openBrackets(in: lines.joined(separator: "\n"))
        if open.isEmpty { return lines.joined(separator: "\n") }
      }
    }
  }

  // MARK: Piped

  private static func run(_ session: inout Session) throws {
    var hasFailed = false
    var lines: [String] = []
    while let line = readLine() {
      lines.append(line)
      let text = lines.joined(separator: "\n")
      guard session.openBrackets(in: text).isEmpty else { continue }
      lines = []
      let reply = answer(text, &session)
      hasFailed = hasFailed || reply.hasFailed
      if reply.ends { break }
    }
    if !lines.isEmpty {
      hasFailed = answer(lines.joined(separator: "\n"), &session).hasFailed || hasFailed
    }
    if hasFailed { throw ExitStatus.no }
  }

  private static func answer(_ text: String, _ session: inout Session) -> Session.Reply {
    let reply = session.reply(to: text)
    Output.write(reply.output)
    Output.errorPiece(reply.errors)
    return reply
  }
}

extension String {
  /// The entry as a single line of history, if its meaning is the same as one line.
  fileprivate var historyText: String {
    contains(text: "//") || contains(text: "\"\"\"")
      ? self : split(separator: "\n").joined(separator: " ")
  }
}
