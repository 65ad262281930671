// Functions of the module that swexpr.h does not have, for editors in a page. The names are those
// of C.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, AllPublicDeclarationsHaveDocumentation

import AudienceFilters
public import CSwexpr
import ExpressionCoding
import ExpressionEngine
import ExpressionPrinting
import ExpressionSyntax
import FilterAnalysis
import LanguageService

/// Creates the language of an environment's dialect; a schema's attributes are added to the
/// built-in ones.
@c
public func swexpr_wasm_language_create(
  _ environment: OpaquePointer?, _ schema: UnsafePointer<CChar>?, _ schemaLength: Int,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> OpaquePointer? {
  reporting(to: error, or: nil) { () throws(InterfaceError) in
    let environment = try CInterface.environment(environment)
    var attributes = AttributeSchema.builtIn
    if schema != nil {
      let schema = try TextArgument("schema", schema, schemaLength).string()
      attributes.merge(
        try InterfaceError.describing { () throws(AttributeSchema.ReadingError) in
          try AttributeSchema(json: schema)
        })
    }
    return Handle.make(FilterLanguage(dialect: environment.dialect.name, schema: attributes))
  }
}

@c
public func swexpr_wasm_language_free(_ language: OpaquePointer?) {
  Handle<FilterLanguage>.free(language)
}

/// Returns the schema of a language as JSON.
@c
public func swexpr_wasm_language_schema(
  _ language: OpaquePointer?, _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> UnsafeMutablePointer<CChar>? {
  reporting(to: error, or: nil) { () throws(InterfaceError) in
    let language = try Handle<FilterLanguage>.content(of: language, "language")
    return OwnedString.make(language.schema.jsonText(pretty: false))
  }
}

/// Returns what an editor shows of a filter: `{"diagnostics", "tokens" ([start, length, role]),
/// "attributes", "calls"}`. Offsets count bytes.
@c
public func swexpr_wasm_analyze(
  _ language: OpaquePointer?, _ text: UnsafePointer<CChar>?, _ length: Int,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> UnsafeMutablePointer<CChar>? {
  reporting(to: error, or: nil) { () throws(InterfaceError) in
    let language = try Handle<FilterLanguage>.content(of: language, "language")
    let source = SourceText(try TextArgument("text", text, length).string())
    let analysis = AnalyzedFilter(source, language)
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("diagnostics")
    writer.raw(DiagnosticRenderer.json(analysis.diagnostics, in: source.text))
    writer.key("tokens")
    writer.beginArray()
    for token in analysis.semanticTokens {
      writer.beginArray()
      writer.uint(UInt64(token.span.start))
      writer.uint(UInt64(token.span.length))
      writer.string(token.role.name)
      writer.endArray()
    }
    writer.endArray()
    let requirements = analysis.filter?.requirements
    writer.key("attributes")
    writer.beginArray()
    for attribute in requirements?.attributes ?? [] { writer.string(attribute.path) }
    writer.endArray()
    writer.key("calls")
    writer.beginArray()
    for call in requirements?.hostCalls ?? [] {
      writer.beginArray()
      writer.string("\(call.table).\(call.name)")
      for argument in call.arguments ?? [] { argument.writePlain(to: &writer) }
      writer.endArray()
    }
    writer.endArray()
    writer.endObject()
    return OwnedString.make(writer.text)
  }
}

/// Returns the words that may be meant at an offset in bytes, best first:
/// `[{"label", "kind", "detail", "documentation", "start", "end", "replacement"}]`.
///
/// `sample` is a context in JSON, whose attributes are offered, too; it may be NULL, and a text
/// that is no context adds nothing.
@c
public func swexpr_wasm_complete(
  _ language: OpaquePointer?, _ text: UnsafePointer<CChar>?, _ length: Int, _ offset: Int,
  _ sample: UnsafePointer<CChar>?, _ sampleLength: Int,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> UnsafeMutablePointer<CChar>? {
  reporting(to: error, or: nil) { () throws(InterfaceError) in
    let language = try Handle<FilterLanguage>.content(of: language, "language")
    let source = SourceText(try TextArgument("text", text, length).string())
    guard let offset = UInt32(exactly: offset) else {
      throw InterfaceError("`offset` is out of range")
    }
    var users: [SampleUser] = []
    if sample != nil {
      let bytes = try TextArgument("sample", sample, sampleLength).bytes()
      if let user = SampleUser(name: "sample", json: Array(bytes)) { users.append(user) }
    }
    let items = AnalyzedFilter(source, language)
      .completions(at: offset, samples: SampleAttributes(users))
    var writer = JSONWriter()
    writer.beginArray()
    for item in items {
      writer.beginObject()
      for (name, text) in [
        ("label", item.label), ("kind", item.kind.rawValue), ("detail", item.detail),
        ("documentation", item.documentation), ("replacement", item.replacement),
      ] {
        writer.key(name)
        writer.string(text)
      }
      writer.key("start")
      writer.uint(UInt64(item.span.start))
      writer.key("end")
      writer.uint(UInt64(item.span.end))
      writer.endObject()
    }
    writer.endArray()
    return OwnedString.make(writer.text)
  }
}
