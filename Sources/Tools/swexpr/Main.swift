import ArgumentParser

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The entry point: parses and runs the command, and maps its outcome to the documented exit codes.
@main
enum Main {
  static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    Repl.ignoreInterruptions(arguments)
    let status = await run(arguments)
    exit(status.rawValue)
  }

  /// Runs one command line. It is nonisolated so that commands do not run as closures of the main
  /// actor.
  nonisolated private static func run(_ arguments: [String]) async -> ExitStatus {
    do {
      try CommandName.check(arguments)
      var command = try Swexpr.parseAsRoot(LeadingDash.protectingExpressions(in: arguments))
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
      return .done
    } catch let status as ExitStatus {
      return status
    } catch let error as InputError {
      Output.error("error: \(error.message)")
      return .unusable
    } catch {
      // Requests for help also end here; they are not failures.
      var message = Swexpr.fullMessage(for: error)
      // As all other errors are written.
      if message.hasPrefix("Error: ") { message = "error: " + message.dropFirst(7) }
      guard Swexpr.exitCode(for: error) == .success else {
        Output.error(message)
        return .unusable
      }
      if !message.isEmpty { Output.line(message) }
      return .done
    }
  }
}

/// The exit codes that scripts rely on.
enum ExitStatus: Int32, Error {
  /// The command did what was asked.
  case done = 0
  /// The result is negative: a check or a case failed, or a filter has no value or is not true.
  case no = 1
  /// The command line cannot be understood, or input cannot be read.
  case unusable = 2
}

/// Input that cannot be read: a file, JSON, an option's value. Ends with ``ExitStatus/unusable``.
struct InputError: Error {
  let message: String

  init(_ message: String) { self.message = message }
}

/// The root command.
struct Swexpr: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "swexpr",
    abstract: "Evaluates, checks and explains audience filters.",
    discussion: """
      A filter is an expression over attributes of a user, a device and a placement:

        swexpr eval 'user.age >= 18 && device.platform == "iOS"' \\
          --user '{"age": 25}' --device '{"platform": "iOS"}'

      EXPR is the filter itself; - reads it from standard input. Quote it for the shell. \
      A filter that starts with a minus sign needs no --, but may follow one.

      Values are printed as literals of the language, diagnostics go to standard error. Exit \
      codes: 0 done, 1 a negative result (a filter has no value, a check or a case failed, \
      --exit-status and not true), 2 the command line or the input cannot be read.
      """,
    version: "swexpr 0.2.0",
    groupedSubcommands: [
      CommandGroup(
        name: "Filters",
        subcommands: [
          Eval.self, Explain.self, Repl.self, Check.self, Fix.self, Format.self, Audiences.self,
          SchemaCommand.self, Funcs.self, Doc.self, ExplainError.self,
          LanguageServerCommand.self,
        ]),
      CommandGroup(
        name: "Campaigns",
        subcommands: [
          Match.self, Simulate.self, Prove.self, Diff.self, Report.self, Synthesize.self,
          TestUsers.self, SampleUsers.self,
        ]),
      CommandGroup(name: "Warehouses", subcommands: [SQLCommand.self, Size.self]),
      CommandGroup(
        name: "Stages",
        subcommands: [Tokens.self, SyntaxTreeText.self, Intermediate.self, Disassemble.self]),
      CommandGroup(
        name: "Quality", subcommands: [Conform.self, Corpus.self, Bench.self]),
    ])
}
