import ArgumentParser
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

      With --markdown, the whole reference of both dialects, which is docs/functions.md. Exit codes: \
      0 done, 1 no function matches.
      """)

  @Argument(help: "Part of a name, or a name with * for anything.")
  var pattern: String?

  @OptionGroup var dialect: DialectOptions

  @Flag(help: "Print the reference of both dialects as Markdown.")
  var markdown = false

  func run() throws {
    if markdown { return Output.write(ReferencePages.functions) }
    let found = FunctionPages.matching(pattern ?? "", in: dialect.dialect)
    let ofSDKs = FunctionPages.tableOfSDKs(pattern ?? "")
    guard !found.isEmpty || !ofSDKs.isEmpty else {
      Output.error("no function matches `\(pattern ?? "")`")
      throw ExitStatus.no
    }
    Output.write(FunctionPages.table(found))
    if !ofSDKs.isEmpty {
      Output.write((found.isEmpty ? "" : "\nFunctions of the SDKs:\n") + ofSDKs)
    }
  }
}
