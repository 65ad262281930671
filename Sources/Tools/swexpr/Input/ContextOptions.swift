import ArgumentParser
import ExpressionEngine
import ExpressionSyntax
import FilterCorpus

/// The attributes that a filter is evaluated over.
struct ContextOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      A JSON file of variables, such as {"user": {…}, "device": {…}, "params": {…}}; - reads it \
      from standard input.
      """, valueName: "file"))
  var context: String?

  @Option(
    help: ArgumentHelp("Attributes under user, added to those of the context.", valueName: "json"))
  var user: String?

  @Option(help: ArgumentHelp("Attributes under device, added likewise.", valueName: "json"))
  var device: String?

  @Option(help: ArgumentHelp("Attributes under params, added likewise.", valueName: "json"))
  var params: String?

  @Option(
    help: ArgumentHelp(
      """
      The results of functions of the app, such as {"daysSince(app_open)": 3, "daysSince": 9}: by \
      name and first argument, else by name.
      """, valueName: "json"))
  var host: String?

  /// Returns the variables. Without `--context`, the roots user, device and params start empty.
  func variables() throws(InputError) -> [String: Value] {
    var variables: [String: Value]
    if let context {
      variables = try Self.object(
        try InputFile.json(context), InputFile.name(context)
      )
    } else {
      variables = ["user": .map([:]), "device": .map([:]), "params": .map([:])]
    }
    for (name, text) in [("user", user), ("device", device), ("params", params)] {
      guard let text else { continue }
      let added = try Self.object(try InputFile.json(text, option: "--\(name)"), "--\(name)")
      var entries: [Value.Key: Value] = [:]
      if case .map(let old) = variables[name] { entries = old }
      for (key, value) in added { entries[.string(key)] = value }
      variables[name] = .map(entries)
    }
    return variables
  }

  /// Returns the results of the host functions, by call.
  func hostAnswers() throws(InputError) -> [String: Value] {
    guard let host else { return [:] }
    return try Self.object(try InputFile.json(host, option: "--host"), "--host")
  }

  /// Returns the members of an object.
  static func object(_ value: Value, _ name: String) throws(InputError) -> [String: Value] {
    guard case .map(let entries) = value else {
      throw InputError("\(name): must be a JSON object, found \(value.kindName.withArticle)")
    }
    return Dictionary(uniqueKeysWithValues: entries.map { ($0.key.text, $0.value) })
  }
}

extension CaseRequest {
  /// Returns the environment for compiling an expression, with host functions that return fixed
  /// results.
  ///
  /// - Parameter answers: The results by call (`daysSince(app_open)`) or, for all other calls, by
  ///   name.
  static func environment(
    dialect: Dialect.Name, answers: [String: Value]
  ) -> FilterEnvironment {
    let names = Set(answers.keys.map { String($0.prefix { $0 != "(" }) })
    let request = CaseRequest(
      .expression(""), dialect: dialect,
      deviceFunctions: Dictionary(uniqueKeysWithValues: names.map { ($0, []) }),
      computedFunctions: Dictionary(uniqueKeysWithValues: names.map { ($0, []) }),
      hostAnswers: answers.mapValues { .value($0) })
    return request.environment
  }
}
