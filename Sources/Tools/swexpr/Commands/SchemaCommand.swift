import ArgumentParser
import AudienceFilters
import AudienceTable
import ExpressionEngine
import FilterAnalysis

/// `swexpr schema`: shows the attributes that exist.
struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "List the attributes that filters can read, or infer them from samples.",
    subcommands: [List.self, Infer.self], defaultSubcommand: List.self)
}

extension SchemaCommand {
  /// `swexpr schema list`: lists the vocabulary.
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List the vocabulary of the SDKs and your own attributes with their types.",
      discussion: """
          swexpr schema list device.app
          swexpr schema list --schema mine.json --json

        Exit codes: 0 done, 1 no attribute starts so, 2 the file cannot be read.
        """)

    @Argument(help: "The beginning of the path.")
    var prefix: String?

    @OptionGroup var schema: SchemaOptions

    @Flag(help: "Print one JSON document.")
    var json = false

    func run() throws {
      var schema = try schema.schema()
      if let prefix {
        for attribute in schema.sorted where !attribute.path.hasPrefix(prefix) {
          schema[attribute.path] = nil
        }
      }
      if json { return Output.line(schema.jsonText()) }
      guard !schema.attributes.isEmpty else {
        Output.error("no attribute starts with `\(prefix ?? "")`")
        throw ExitStatus.no
      }
      var table = TextTable([("attribute", .left), ("type", .left), ("meaning", .left)])
      for attribute in schema.sorted {
        let deprecated = attribute.deprecated.map { " Deprecated: \($0)" } ?? ""
        table.add([attribute.path, attribute.type.name, attribute.summary + deprecated])
      }
      Output.write(table.text)
      let functions = FunctionPages.table(
        ofSDKs: FunctionPages.functionsOfSDKs(prefix ?? ""))
      if !functions.isEmpty { Output.write("\nFunctions of the SDKs:\n" + functions) }
    }
  }

  /// `swexpr schema infer`: infers a schema from samples.
  struct Infer: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Infer attributes and their types from sample contexts, as JSON for --schema.",
      discussion: """
          swexpr schema infer contexts/*.json > mine.json
          swexpr check --schema mine.json filters/*.expr

        Exit codes: 0 done, 2 a file cannot be read.
        """)

    @Argument(help: "JSON files of variables, such as {\"user\": {…}, \"device\": {…}}.")
    var contexts: [String]

    func run() throws {
      var input = StandardInputUse()
      var samples: [Context] = []
      for path in contexts {
        try input.note(path, for: "one context and another")
        var variables = try ContextOptions.object(
          try InputFile.json(path), InputFile.name(path))
        variables["host"] = nil
        samples.append(Context(variables: variables))
      }
      Output.line(AttributeSchema(inferring: samples).jsonText())
    }
  }
}
