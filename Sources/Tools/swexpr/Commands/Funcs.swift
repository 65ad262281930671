import ArgumentParser
import ExpressionCoding
import ExpressionEngine
import ExpressionSyntax

/// `swexpr funcs`: lists the functions.
struct Funcs: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the functions that filters can call, the SDKs' included.",
    discussion: """
      A pattern is part of a name, or a name with * for anything.

        swexpr funcs
        swexpr funcs 'starts*'

      With --json, the name, signatures, summary and examples of each. With --markdown, the whole \
      reference of both dialects, which is docs/functions.md. Exit codes: 0 done, 1 no function \
      matches.
      """)

  @Argument(help: "Part of a name, or a name with * for anything.")
  var pattern: String?

  @OptionGroup var dialect: DialectOptions

  @Flag(help: "Print the reference of both dialects as Markdown.")
  var markdown = false

  @Flag(help: "Print the functions as JSON.")
  var json = false

  func validate() throws {
    guard !markdown || !json else {
      throw ValidationError("--markdown and --json are two forms; use one")
    }
  }

  func run() throws {
    if markdown { return Output.write(ReferencePages.functions) }
    let found = FunctionPages.matching(pattern ?? "", in: dialect.dialect)
    let ofSDKs = FunctionPages.functionsOfSDKs(pattern ?? "")
    guard !found.isEmpty || !ofSDKs.isEmpty else {
      Output.error("no function matches `\(pattern ?? "")`")
      throw ExitStatus.no
    }
    if json {
      let list = found.map(FunctionPages.value) + ofSDKs.map(FunctionPages.value)
      return Output.line(Value.map(["functions": .list(list)]).jsonText(pretty: true))
    }
    Output.write(FunctionPages.table(found))
    if !ofSDKs.isEmpty {
      Output.write(
        (found.isEmpty ? "" : "\nFunctions of the SDKs:\n") + FunctionPages.table(ofSDKs: ofSDKs))
    }
  }
}
