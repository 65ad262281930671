import AudienceFilters
import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// The commands that explain.
extension Session {
  /// `:funcs [PATTERN]`
  func funcsCommand(_ argument: String) -> Reply {
    let found = FunctionPages.matching(argument, in: dialect)
    let part = argument.lowercased().filter { $0 != "*" }
    let ofTheApp = Set(answers.keys.map { String($0.prefix { $0 != "(" }) }).sorted()
      .filter { part.isEmpty || $0.lowercased().contains(text: part) }
    guard !found.isEmpty || !ofTheApp.isEmpty else {
      return .failure(
        "no function matches `\(argument)`", help: "`:funcs` lists all of them")
    }
    let lines = ofTheApp.map { "device.\($0)(…)  a function of the app; :host lists its answers\n" }
    return Reply(FunctionPages.table(found) + lines.joined())
  }

  /// `:doc NAME`
  func docCommand(_ argument: String) -> Reply {
    if argument.utf8.count > 1, argument.hasPrefix(":") { return helpCommand(argument) }
    if let page = FunctionPages.page(argument, in: dialect) { return Reply(page) }
    if let path = AttributePath(argument) {
      let value = path.value(in: variables)
      if let known = schema.attribute(at: path) {
        let here = value.map { "    here: \($0.literal)\n" } ?? "    missing here\n"
        return Reply(AttributePages.page(known, at: path) + here)
      }
      if let value { return Reply("\(path) = \(answer(value))") }
    }
    return .failure(
      "there is nothing about `\(argument)`",
      help: AttributePages.suggestion(for: argument, in: schema, dialect)
        ?? "`:funcs` lists the functions, `:show` the attributes")
  }

  /// `:help [COMMAND]`
  func helpCommand(_ argument: String) -> Reply {
    let name = argument.hasPrefix(":") ? String(argument.dropFirst()) : argument
    guard name.isEmpty else {
      guard let command = ReplCommand.named(name) else { return .unknownCommand(name) }
      let details = command.details.split(separator: "\n").map { "    \($0)\n" }.joined()
      return Reply(
        "\(command.usage)\n    \(command.summary)\n" + (details.isEmpty ? "" : "\n" + details))
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
    text += ":help NAME has examples.\n"
    return Reply(text)
  }
}
