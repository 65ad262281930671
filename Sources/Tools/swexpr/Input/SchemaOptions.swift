import ArgumentParser
import AudienceFilters
import FilterAnalysis

/// The attributes that exist.
struct SchemaOptions: ParsableArguments {
  @Option(
    name: .customLong("schema"),
    help: ArgumentHelp(
      """
      A JSON file with attributes of your own, as `swexpr schema infer` writes it; it adds to the \
      vocabulary of the SDKs.
      """, valueName: "file"))
  var path: String?

  /// Returns the user's own attributes.
  func own() throws(InputError) -> AttributeSchema {
    guard let path else { return AttributeSchema() }
    return try SchemaFile.read(path)
  }

  /// Returns the vocabulary of the SDKs and the user's own attributes.
  func schema() throws(InputError) -> AttributeSchema {
    var schema = AttributeSchema.builtIn
    schema.merge(try own())
    return schema
  }
}

/// A schema in a file.
enum SchemaFile {
  static func read(_ path: String) throws(InputError) -> AttributeSchema {
    let octets = try InputFile.octets(path)
    // Mistakes in the JSON are reported as for every document; the remaining ones concern the
    // schema.
    _ = try InputFile.json(octets, name: InputFile.name(path))
    do {
      return try AttributeSchema(json: String(decoding: octets, as: UTF8.self))
    } catch {
      throw InputError("\(InputFile.name(path)): \(error)")
    }
  }
}
