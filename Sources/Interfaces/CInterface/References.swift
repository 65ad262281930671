// The names are those of C, and the documentation is in the header.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, AllPublicDeclarationsHaveDocumentation

import AudienceFilters
public import CSwexpr
import ExpressionCoding
import Superscript

// The functions of swexpr.h that are the reference evaluator's, JSON in and out.

@c @implementation
public func swexpr_reference_evaluate_with_context(
  _ definition: UnsafePointer<CChar>?, _ length: Int, _ host: swexpr_host?,
  _ data: UnsafeMutableRawPointer?
) -> UnsafeMutablePointer<CChar>? {
  answer(TextArgument("definition", definition, length)) {
    ReferenceInterface.evaluateWithContext(definition: $0, host: Host(host, data, nil))
  }
}

@c @implementation
public func swexpr_reference_evaluate_ast_with_context(
  _ definition: UnsafePointer<CChar>?, _ length: Int, _ host: swexpr_host?,
  _ data: UnsafeMutableRawPointer?
) -> UnsafeMutablePointer<CChar>? {
  answer(TextArgument("definition", definition, length)) {
    ReferenceInterface.evaluateAstWithContext(definition: $0, host: Host(host, data, nil))
  }
}

@c @implementation
public func swexpr_reference_evaluate_ast(
  _ ast: UnsafePointer<CChar>?, _ length: Int
) -> UnsafeMutablePointer<CChar>? {
  answer(TextArgument("ast", ast, length)) { ReferenceInterface.evaluateAst(ast: $0) }
}

@c @implementation
public func swexpr_reference_parse_to_ast(
  _ expression: UnsafePointer<CChar>?, _ length: Int
) -> UnsafeMutablePointer<CChar>? {
  answer(TextArgument("expression", expression, length)) {
    ReferenceInterface.parseToAst(expression: $0)
  }
}

/// Returns the result of a function as a string; an argument that is not a text is `{"Err": text}`.
private func answer(
  _ argument: TextArgument, _ function: (String) -> String
) -> UnsafeMutablePointer<CChar> {
  do throws(InterfaceError) {
    return OwnedString.make(function(try argument.string()))
  } catch {
    return OwnedString.make(JSONWriter.document { $0.member("Err", "\(error)") })
  }
}
