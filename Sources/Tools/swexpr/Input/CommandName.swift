import ArgumentParser
import ExpressionSyntax

/// The argument that selects the command.
enum CommandName {
  /// Reports an unknown command with a helpful message. The argument parser would report unexpected
  /// arguments, or show the general help.
  static func check(_ arguments: [String]) throws(InputError) {
    let asksForHelp = arguments.first == "help"
    guard let name = asksForHelp ? arguments.dropFirst().first : arguments.first,
      !name.hasPrefix("-"), name != "help"
    else { return }
    let names = Swexpr.configuration.subcommands.map { $0._commandName }
    guard !names.contains(name) else { return }
    let looksLikeFilter = !name.utf8.allSatisfy { isLetter($0) || $0 == UInt8(ascii: "-") }
    let help =
      Suggestions.help(for: name, among: names)
      ?? (looksLikeFilter
        ? "`swexpr eval` evaluates a filter" : "`swexpr help` lists the commands")
    throw InputError("there is no command `\(name)`\n  = help: \(help)")
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }
}
