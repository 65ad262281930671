/// One command of the REPL. Everything that depends on the commands reads this table.
struct ReplCommand: Sendable {
  /// The kind of text after the name.
  enum Argument: Sendable {
    case none
    case file(isRequired: Bool)
    case expression
    case attribute(isRequired: Bool)
    case assignment
    case function(isRequired: Bool)
    /// The name of anything that can be explained.
    case name
    case dialect
    case command
    case json

    /// The name of the argument in the help.
    var placeholder: String {
      switch self {
      case .none: ""
      case .file(let isRequired): isRequired ? "FILE" : "[FILE]"
      case .expression: "[EXPR]"
      case .attribute(let isRequired): isRequired ? "PATH" : "[PATH]"
      case .assignment: "PATH VALUE"
      case .function(let isRequired): isRequired ? "NAME" : "[PATTERN]"
      case .name: "NAME"
      case .dialect: "[NAME]"
      case .command: "[COMMAND]"
      case .json: "[JSON]"
      }
    }

    /// The description of the missing argument, for a command without one.
    var need: String {
      switch self {
      case .file: "a file"
      case .assignment: "a path and a value"
      case .attribute: "a path"
      default: "a name"
      }
    }

    var isRequired: Bool {
      switch self {
      case .file(let isRequired), .attribute(let isRequired), .function(let isRequired): isRequired
      case .assignment, .name: true
      default: false
      }
    }

    var isExpression: Bool {
      switch self {
      case .expression, .assignment, .json: true
      default: false
      }
    }
  }

  let name: String
  let argument: Argument
  /// A one-line summary.
  let summary: String
  /// Further details and examples, for the help about this command.
  let details: String
  let run: @Sendable (inout Session, String) -> Session.Reply

  init(
    _ name: String, _ argument: Argument, _ summary: String, details: String = "",
    run: @escaping @Sendable (inout Session, String) -> Session.Reply
  ) {
    self.name = name
    self.argument = argument
    self.summary = summary
    self.details = details
    self.run = run
  }

  /// The notation of the command with its argument.
  var usage: String {
    argument.placeholder.isEmpty ? ":\(name)" : ":\(name) \(argument.placeholder)"
  }

  /// The commands, in the order of the help.
  static let all = aboutAttributes + aboutFilters + aboutTheLanguage + aboutTheSession

  /// Returns the command with a name, or the only command whose name starts with it.
  static func named(_ name: String) -> ReplCommand? {
    if let exact = all.first(where: { $0.name == name }) { return exact }
    let candidates = all.filter { !name.isEmpty && $0.name.hasPrefix(name) }
    return candidates.count == 1 ? candidates[0] : nil
  }
}
