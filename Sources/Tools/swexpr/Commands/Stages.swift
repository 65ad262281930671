import ArgumentParser
import AudienceFilters
import ExpressionCoding
import ExpressionEngine
import ExpressionPrinting
import ExpressionSyntax
import Superscript

/// `swexpr tokens`: prints the tokens.
struct Tokens: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print the tokens of a filter.",
    discussion: """
      One token per line: its bytes, its kind and its text. Text that is not a token has the kind \
      invalid.

        swexpr tokens 'user.age >= 18'

      With --json, one document: {"tokens": [{"kind", "start", "end", "text"}]}; positions are \
      bytes. Exit codes: 0 done, also where a token is invalid; 2 the filter cannot be read.
      """)

  @OptionGroup var expression: ExpressionOptions
  @OptionGroup var diagnostics: DiagnosticOptions

  @Flag(help: "Print one JSON document.")
  var json = false

  func run() throws {
    let source = try expression.source()
    do throws(SyntaxError) {
      let list = try tokenize(source, dialect: .named(expression.dialect.dialect))
      json ? Output.line(Self.document(list)) : Output.write(list.dump)
    } catch {
      diagnostics.report(error.diagnostics, in: source)
      throw ExitStatus.no
    }
  }

  private static func document(_ list: TokenList) -> String {
    JSONWriter.document { writer in
      writer.member("tokens", list.tokens) { writer, token in
        writer.object { writer in
          writer.member("kind", "\(token.kind)")
          writer.member("start", Int(token.start))
          writer.member("end", Int(token.end))
          writer.member("text", list.source.text(of: token.span))
        }
      }
    }
  }
}

/// `swexpr ast`: prints the syntax tree.
struct SyntaxTreeText: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ast",
    abstract: "Print the syntax tree of a filter.",
    discussion: """
      The whole tree on one line, every node in parentheses: (>= (. user age) 18).

        swexpr ast 'user.age >= 18 && user.plan in ["pro", "team"]'

      With --json, one document: the tree as the reference evaluator's JSON interface writes it, \
      for the superscript dialect only. Exit codes: 0 done, 1 the text is not a filter, 2 it \
      cannot be read.
      """)

  @OptionGroup var expression: ExpressionOptions
  @OptionGroup var diagnostics: DiagnosticOptions

  @Flag(help: "Print one JSON document.")
  var json = false

  func validate() throws {
    guard !json || expression.dialect.dialect == .superscript else {
      throw ValidationError("--json is for the superscript dialect only")
    }
  }

  func run() throws {
    let source = try expression.source()
    do throws(SyntaxError) {
      let tree = try ExpressionSyntax.parse(source, dialect: .named(expression.dialect.dialect))
      Output.line(
        json ? ReferenceInterface.parseToAst(expression: source.text) : SyntaxDump.dump(tree))
    } catch {
      diagnostics.report(error.diagnostics, in: source)
      throw ExitStatus.no
    }
  }
}

/// `swexpr ir`: prints the intermediate representation.
struct Intermediate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ir",
    abstract: "Print the intermediate form of a filter, in which the dialect's rules are explicit.",
    discussion: """
      One node per line: its number, its operation, its operands by number, and its source. \
      The last line is the whole filter; nodes that folding has left over are shown too.

        swexpr ir 'user.age >= 18'

      Exit codes: 0 done, 1 the text is not a filter, 2 it cannot be read.
      """)

  @OptionGroup var expression: ExpressionOptions
  @OptionGroup var diagnostics: DiagnosticOptions

  func run() throws {
    let source = try expression.source()
    do throws(FilterError) {
      Output.write(
        try Filter.intermediateText(
          of: source, environment: expression.dialect.environment))
    } catch {
      diagnostics.report(error.diagnostics, in: source)
      throw ExitStatus.no
    }
  }
}

/// `swexpr dis`: prints the compiled code.
struct Disassemble: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dis",
    abstract: "Print the compiled code of a filter.",
    discussion: """
      One instruction a line: its number, its opcode, its operands (r0 is a register), its mode, \
      and the source it was made from; then where failures continue. --legend explains the opcodes.

      --graph prints the fast form instead, if the filter has one: a graph of decisions, one test \
      a line with the targets of its outcomes. Where the graph cannot decide, the machine runs \
      the code.

        swexpr dis 'user.age >= 18 && device.platform == "iOS"' --legend
        swexpr dis 'user.age >= 18 || user.vip' --graph

      Exit codes: 0 done, 1 the text is not a filter, 2 it cannot be read.
      """)

  @OptionGroup var expression: ExpressionOptions
  @OptionGroup var diagnostics: DiagnosticOptions

  @Flag(help: "Print the graph of decisions.")
  var graph = false

  @Flag(help: "Explain the opcodes below the code.")
  var legend = false

  func run() throws {
    var input = StandardInputUse()
    try input.note(expression.expression, for: "the filter")
    let source = try expression.source()
    do throws(FilterError) {
      let filter = try Filter(source, environment: expression.dialect.environment)
      Output.write(
        graph
          ? filter.decisionListing ?? "no decisions: a machine runs the code\n" : filter.disassembly
      )
      if legend { Output.write("opcodes\n" + filter.opcodeLegend) }
    } catch {
      diagnostics.report(error.diagnostics, in: source)
      throw ExitStatus.no
    }
  }
}
