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
      case .assignment: true
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
  let run: @Sendable (inout Session, String) -> Session.Reply

  init(
    _ name: String, _ argument: Argument, _ summary: String,
    run: @escaping @Sendable (inout Session, String) -> Session.Reply
  ) {
    self.name = name
    self.argument = argument
    self.summary = summary
    self.run = run
  }

  /// How it is written.
  var usage: String {
    argument.placeholder.isEmpty ? ":\(name)" : ":\(name) \(argument.placeholder)"
  }

  /// The commands in the order of help.
  static let all: [ReplCommand] = [
    ReplCommand("context", .file(isRequired: false), "read the attributes from a JSON file") {
      $0.contextCommand($1)
    },
    ReplCommand("set", .assignment, "give an attribute a value: :set user.age 25") {
      $0.setCommand($1)
    },
    ReplCommand("unset", .attribute(isRequired: true), "remove an attribute") {
      $0.unsetCommand($1)
    },
    ReplCommand("host", .json, "say what functions of the app answer: {\"daysSince(app_open)\": 3}")
    { $0.hostCommand($1) },
    ReplCommand("show", .attribute(isRequired: false), "show the attributes, all or some") {
      $0.showCommand($1)
    },
    ReplCommand("explain", .expression, "why a filter matches or not, and what to change") {
      $0.explainCommand($1)
    },
    ReplCommand("check", .expression, "what is probably not meant") { $0.checkCommand($1) },
    ReplCommand("ast", .expression, "the syntax tree of a filter") { $0.stageCommand(.ast, $1) },
    ReplCommand("ir", .expression, "its intermediate form") { $0.stageCommand(.ir, $1) },
    ReplCommand("dis", .expression, "its compiled code") { $0.stageCommand(.dis, $1) },
    ReplCommand("time", .expression, "how long it takes") { $0.timeCommand($1) },
    ReplCommand("dialect", .dialect, "the dialect: superscript or cel") { $0.dialectCommand($1) },
    ReplCommand("funcs", .function(isRequired: false), "list functions: :funcs starts*") {
      session, pattern in session.funcsCommand(pattern)
    },
    ReplCommand("doc", .function(isRequired: true), "explain a function, an operator or an error") {
      session, name in session.docCommand(name)
    },
    ReplCommand("save", .file(isRequired: true), "write the session to a corpus file") {
      session, path in session.saveCommand(path)
    },
    ReplCommand("load", .file(isRequired: true), "run the filters of a corpus file again") {
      $0.loadCommand($1)
    },
    ReplCommand("help", .command, "this list, or help for one command") { session, name in
      session.helpCommand(name)
    },
    ReplCommand("quit", .none, "leave; control-D does too") { _, _ in
      var reply = Session.Reply()
      reply.ends = true
      return reply
    },
  ]

  /// The command of that name, or the only one that starts so.
  static func named(_ name: String) -> ReplCommand? {
    if let exact = all.first(where: { $0.name == name }) { return exact }
    let candidates = all.filter { !name.isEmpty && $0.name.hasPrefix(name) }
    return candidates.count == 1 ? candidates[0] : nil
  }
}
