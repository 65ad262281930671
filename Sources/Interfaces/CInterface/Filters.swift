// The names are those of C, and the documentation is in the header.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, AllPublicDeclarationsHaveDocumentation

import AudienceFilters
public import CSwexpr
import ExpressionEngine
import ExpressionPrinting
import ExpressionSyntax
import FilterAnalysis
import FilterAuthoring

// The functions of swexpr.h for filters.

@c @implementation
public func swexpr_filter_create(
  _ text: UnsafePointer<CChar>?, _ length: Int, _ environment: OpaquePointer?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> OpaquePointer? {
  reporting(to: error, or: nil) { () throws(InterfaceError) in
    let text = try TextArgument("text", text, length).string()
    let environment = try CInterface.environment(environment)
    return Handle.make(
      try InterfaceError.describing { () throws(FilterError) in
        try Filter(text, environment: environment)
      })
  }
}

@c @implementation
public func swexpr_filter_free(_ filter: OpaquePointer?) { Handle<Filter>.free(filter) }

@c @implementation
public func swexpr_filter_matches(
  _ filter: OpaquePointer?, _ context: OpaquePointer?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Bool {
  reporting(to: error, or: false) { () throws(InterfaceError) in
    try Handle<Filter>.content(of: filter, "filter")
      .matches(try Handle<Context>.content(of: context, "context"))
  }
}

@c @implementation
public func swexpr_filter_evaluate(
  _ filter: OpaquePointer?, _ context: OpaquePointer?, _ format: swexpr_format,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> UnsafeMutablePointer<CChar>? {
  reporting(to: error, or: nil) { () throws(InterfaceError) in
    let filter = try Handle<Filter>.content(of: filter, "filter")
    let context = try Handle<Context>.content(of: context, "context")
    let format = try ValueFormat(format)
    let value = try InterfaceError.describing { () throws(EvaluationError) in
      try filter.evaluate(context)
    }
    return OwnedString.make(format.text(of: value))
  }
}

@c @implementation
public func swexpr_filter_explain(
  _ filter: OpaquePointer?, _ context: OpaquePointer?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> UnsafeMutablePointer<CChar>? {
  reporting(to: error, or: nil) { () throws(InterfaceError) in
    let filter = try Handle<Filter>.content(of: filter, "filter")
    let context = try Handle<Context>.content(of: context, "context")
    return OwnedString.make(filter.explain(context).jsonText())
  }
}

@c @implementation
public func swexpr_check(
  _ text: UnsafePointer<CChar>?, _ length: Int, _ environment: OpaquePointer?,
  _ schema: UnsafePointer<CChar>?, _ schemaLength: Int,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> UnsafeMutablePointer<CChar>? {
  reporting(to: error, or: nil) { () throws(InterfaceError) in
    let text = try TextArgument("text", text, length).string()
    let environment = try CInterface.environment(environment)
    var attributes = AttributeSchema.builtIn
    if schema != nil {
      let schema = try TextArgument("schema", schema, schemaLength).string()
      attributes = try InterfaceError.describing { () throws(AttributeSchema.ReadingError) in
        try AttributeSchema(json: schema)
      }
    }
    let diagnostics = Filter.check(text, environment: environment, schema: attributes)
    return OwnedString.make(DiagnosticRenderer.json(diagnostics, in: SourceText(text)))
  }
}

@c @implementation
public func swexpr_layout(
  _ text: UnsafePointer<CChar>?, _ length: Int, _ environment: OpaquePointer?, _ width: Int,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> UnsafeMutablePointer<CChar>? {
  reporting(to: error, or: nil) { () throws(InterfaceError) in
    let text = try TextArgument("text", text, length).string()
    let environment = try CInterface.environment(environment)
    guard (20...1_000).contains(width) else { throw InterfaceError("`width` is out of range") }
    do throws(SyntaxError) {
      let tree = try parse(
        SourceText(text), dialect: environment.dialect, limits: environment.parserLimits)
      return OwnedString.make(SyntaxPrinter.format(tree, width: width))
    } catch {
      let error = FilterError(source: SourceText(text), diagnostics: error.diagnostics)
      throw InterfaceError(error.description)
    }
  }
}
