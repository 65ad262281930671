/// One command of the REPL; everything that knows commands reads this table.
struct ReplCommand: Sendable {
  /// What stands behind the name.
  enum Argument: Sendable {
    case none
    case file(isRequired: Bool)
    case expression
    case attribute(isRequired: Bool)
    case assignment
    case function(isRequired: Bool)
    /// Anything that can be explained.
    case name
    case dialect
    case command
    case json

    /// How help calls it.
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

    /// What is missing where it is empty.
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
  /// One line for people.
  let summary: String
  /// What else there is to know, and examples, for the help about this command.
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

  /// How it is written.
  var usage: String {
    argument.placeholder.isEmpty ? ":\(name)" : ":\(name) \(argument.placeholder)"
  }

  /// The commands in the order of help.
  static let all = aboutAttributes + aboutFilters + aboutTheLanguage + aboutTheSession

  /// The command of that name, or the only one that starts so.
  static func named(_ name: String) -> ReplCommand? {
    if let exact = all.first(where: { $0.name == name }) { return exact }
    let candidates = all.filter { !name.isEmpty && $0.name.hasPrefix(name) }
    return candidates.count == 1 ? candidates[0] : nil
  }
}
