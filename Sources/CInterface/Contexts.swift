// The names are those of C, and the documentation is in the header.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, AllPublicDeclarationsHaveDocumentation

import AudienceFilters
public import CSwexpr
import ExpressionEngine

// The functions of swexpr.h for contexts.

@c @implementation
public func swexpr_context_create(
  _ format: swexpr_format, _ json: UnsafePointer<CChar>?, _ length: Int,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> OpaquePointer? {
  reporting(to: error, or: nil) {
    let text = TextArgument("json", json, length)
    switch try ValueFormat(format) {
    case .plain: return Handle.make(try Context(json: try text.bytes()))
    case .tagged: return Handle.make(try Context(passableJSON: try text.string()))
    case .literal: throw ValueFormat.literalIsNotJSON
    }
  }
}

@c @implementation
public func swexpr_context_replacing(
  _ context: OpaquePointer?, _ layer: swexpr_layer, _ format: swexpr_format,
  _ json: UnsafePointer<CChar>?, _ length: Int,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> OpaquePointer? {
  reporting(to: error, or: nil) {
    let context = try Handle<Context>.content(of: context, "context")
    let text = TextArgument("json", json, length)
    let attributes: Context.Layer
    switch try ValueFormat(format) {
    case .plain: attributes = try Context.Layer(json: try text.bytes())
    case .tagged: attributes = try Context.Layer(passableJSON: try text.string())
    case .literal: throw ValueFormat.literalIsNotJSON
    }
    switch Int(layer) {
    case Int(SWEXPR_USER): return Handle.make(context.replacing(user: attributes))
    case Int(SWEXPR_DEVICE): return Handle.make(context.replacing(device: attributes))
    case Int(SWEXPR_PARAMS): return Handle.make(context.replacing(params: attributes))
    default: throw InterfaceError("\(layer) is no `swexpr_layer`")
    }
  }
}

@c @implementation
public func swexpr_context_free(_ context: OpaquePointer?) { Handle<Context>.free(context) }
