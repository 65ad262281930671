import AudienceFilters
import ExpressionEngine
import ExpressionSyntax

// The commands that explain.
extension Session {
  /// `:funcs [PATTERN]`
  func funcsCommand(_ argument: String) -> Reply {
    let found = FunctionPages.matching(argument, in: dialect)
    guard !found.isEmpty else {
      return .failure(
        "no function matches `\(argument)`", help: "`:funcs` lists all of them")
    }
    return Reply(FunctionPages.table(found))
  }

  /// `:doc NAME`
  func docCommand(_ argument: String) -> Reply {
    if let page = FunctionPages.page(argument, in: dialect) { return Reply(page) }
    if let value = AttributePath(argument)?.value(in: variables) {
      return Reply("\(argument) = \(answer(value))")
    }
    return .failure(
      "there is nothing about `\(argument)`",
      help: FunctionPages.suggestion(for: argument, in: dialect) ?? "`:funcs` lists the functions")
  }

  /// `:help [COMMAND]`
  func helpCommand(_ argument: String) -> Reply {
    let name = argument.hasPrefix(":") ? String(argument.dropFirst()) : argument
    guard name.isEmpty else {
      guard let command = ReplCommand.named(name) else {
        let names = ReplCommand.all.map(\.name)
        return .failure(
          "there is no command `:\(name)`", help: Suggestions.help(for: name, among: names))
      }
      return Reply("\(command.usage)\n    \(command.summary)\n")
    }
    let width = ReplCommand.all.map(\.usage.count).max() ?? 0
    var text = """
      Type a filter and see its value and type: user.age >= 18 && user.plan == "pro"
      A line goes on while a bracket is open; tab completes attributes, functions and commands.


      """
    for command in ReplCommand.all {
      let space = String(repeating: " ", count: width - command.usage.count + 2)
      text += "  \(command.usage)\(space)\(command.summary)\n"
    }
    text +=
      "\nCommands about a filter mean the last one when none is given. They may be shortened.\n"
    return Reply(text)
  }
}
