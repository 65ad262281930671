import ArgumentParser
import AudienceFilters
import ExpressionSyntax
import FilterAnalysis

/// `swexpr doc`: shows a page about a function, an operator, an attribute or an error.
struct Doc: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Explain a function, an operator, an attribute or an error.",
    discussion: """
        swexpr doc contains
        swexpr doc '&&'
        swexpr doc device.appVersion
        swexpr doc E0105
        swexpr doc version

      A subject that is not a name lists the attributes, functions and warnings that are about it. \
      With --markdown and without a name, the language reference, which is docs/language.md. Exit \
      codes: 0 done, 2 there is nothing of that name.
      """)

  @Argument(help: "The name, the operator, the path of the attribute, or the id.")
  var name: String?

  @OptionGroup var dialect: DialectOptions
  @OptionGroup var schema: SchemaOptions

  @Flag(help: "Print the language reference as Markdown.")
  var markdown = false

  func validate() throws {
    guard (name == nil) == markdown else {
      throw ValidationError(markdown ? "--markdown takes no name" : "name what to explain")
    }
  }

  func run() throws {
    guard let name else { return Output.write(ReferencePages.language) }
    if let page = FunctionPages.page(name, in: dialect.dialect) { return Output.write(page) }
    let schema = try schema.schema()
    if let path = AttributePath(name), let attribute = schema.attribute(at: path) {
      return Output.write(AttributePages.page(attribute, at: path))
    }
    let found = SubjectPages.page(name, in: schema, dialect.dialect)
    if !found.isEmpty { return Output.write(found) }
    let guess = AttributePages.suggestion(for: name, in: schema, dialect.dialect)
    throw InputError("there is nothing about `\(name)`" + (guess.map { "; \($0)" } ?? ""))
  }
}
