// The table of commands.
extension ReplCommand {
  static let aboutAttributes: [ReplCommand] = [
    ReplCommand(
      "context", .file(isRequired: false), "read the attributes from a JSON file",
      details: """
        The file has {"user": {…}, "device": {…}, "params": {…}}, and under "host" the results of \
        the
        app's functions. It replaces all attributes. Without a file, prints the name of the last \
        one.
          :context docs/context.json
        """
    ) { $0.contextCommand($1) },
    ReplCommand(
      "set", .assignment, "give an attribute a value: :set user.age 25",
      details: """
        The value is JSON, or a filter over the attributes. Put names with other characters in \
        brackets.
          :set user.plan "pro"
          :set user.tags ["dawn", "dusk"]
          :set user.sessions user.sessions + 1
          :set params["$source"] "menu"
        """
    ) { $0.setCommand($1) },
    ReplCommand(
      "unset", .attribute(isRequired: true), "remove an attribute",
      details: "  :unset user.age"
    ) { $0.unsetCommand($1) },
    ReplCommand(
      "host", .json, "set the results of the app's functions: {\"daysSince(app_open)\": 3}",
      details: """
        By name and first argument, else by name. Without a value, lists the results.
          :host {"daysSince(app_open)": 3, "daysSince": null}
          device.daysSince("app_open") < 7
        """
    ) { $0.hostCommand($1) },
    ReplCommand(
      "show", .attribute(isRequired: false), "show the attributes, all or some",
      details: """
        With a path, the attribute and everything below it.
          :show
          :show device
        """
    ) { $0.showCommand($1) },
  ]

  static let aboutFilters: [ReplCommand] = [
    ReplCommand(
      "explain", .expression, "why a filter matches or not, and what to change",
      details: """
        Each condition with its value, what it read and what was missing; > marks the one that \
        decided.
          :explain user.age >= 18 && user.plan == "pro"
        """
    ) { $0.explainCommand($1) },
    ReplCommand(
      "check", .expression, "find what is probably a mistake",
      details: """
        Uses the attributes of the context, of --schema and of the SDKs. :doc W0709 explains a \
        finding.
          :check device.appVersion >= "2.9.0"
        """
    ) { $0.checkCommand($1) },
    ReplCommand(
      "ast", .expression, "the syntax tree of a filter", details: "  :ast user.age >= 18"
    ) { $0.stageCommand(.ast, $1) },
    ReplCommand(
      "ir", .expression, "its intermediate form", details: "  :ir user.age >= 18"
    ) { $0.stageCommand(.ir, $1) },
    ReplCommand(
      "dis", .expression, "its compiled code", details: "  :dis user.age >= 18"
    ) { $0.stageCommand(.dis, $1) },
    ReplCommand(
      "time", .expression, "measure an evaluation",
      details: """
        Nanoseconds for one evaluation over the attributes, the median and the fastest of several \
        rounds.
          :time user.age >= 18
        """
    ) { $0.timeCommand($1) },
  ]

  static let aboutTheLanguage: [ReplCommand] = [
    ReplCommand(
      "dialect", .dialect, "the dialect: superscript or cel",
      details: """
        Chooses the dialect of the filters that follow. Without a name, prints the current one.
          :dialect cel
        """
    ) { $0.dialectCommand($1) },
    ReplCommand(
      "funcs", .function(isRequired: false), "list functions: :funcs starts*",
      details: """
        A pattern is part of a name, or a name with * for anything.
          :funcs with
          :funcs get*
        """
    ) { $0.funcsCommand($1) },
    ReplCommand(
      "doc", .name, "explain a function, an operator, an attribute or an error",
      details: """
          :doc startsWith
          :doc &&
          :doc device.appVersion
          :doc E0210
        """
    ) { $0.docCommand($1) },
  ]

  static let aboutTheSession: [ReplCommand] = [
    ReplCommand(
      "save", .file(isRequired: true), "write the session to a corpus file",
      details: """
        One case for each filter of the dialect so far, with the attributes that it was evaluated \
        over and
        its answer. `swexpr conform FILE` runs them, :load does so here. An existing file is \
        replaced.
          :save mine.corpus
        """
    ) { $0.saveCommand($1) },
    ReplCommand(
      "load", .file(isRequired: true), "run the filters of a corpus file again",
      details: """
        Prints the answers that differ from the recorded ones. The attributes of the last case stay.
          :load mine.corpus
        """
    ) { $0.loadCommand($1) },
    ReplCommand(
      "help", .command, "this list, or help for one command", details: "  :help set"
    ) { $0.helpCommand($1) },
    ReplCommand("quit", .none, "leave; control-D does too") { _, _ in
      var reply = Session.Reply()
      reply.ends = true
      return reply
    },
  ]
}
