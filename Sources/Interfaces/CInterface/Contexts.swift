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
  reporting(to: error, or: nil) { () throws(InterfaceError) in
    let text = TextArgument("json", json, length)
    switch try ValueFormat(format) {
    case .plain:
      let bytes = try text.bytes()
      return Handle.make(
        try InterfaceError.describing { () throws(JSONError) in try Context(json: bytes) })
    case .tagged:
      let text = try text.string()
      return Handle.make(
        try InterfaceError.describing { () throws(JSONError) in try Context(passableJSON: text) })
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
  reporting(to: error, or: nil) { () throws(InterfaceError) in
    let context = try Handle<Context>.content(of: context, "context")
    let text = TextArgument("json", json, length)
    let attributes: Context.Layer
    switch try ValueFormat(format) {
    case .plain:
      let bytes = try text.bytes()
      attributes = try InterfaceError.describing { () throws(JSONError) in
        try Context.Layer(json: bytes)
      }
    case .tagged:
      let text = try text.string()
      attributes = try InterfaceError.describing { () throws(JSONError) in
        try Context.Layer(passableJSON: text)
      }
    case .literal: throw ValueFormat.literalIsNotJSON
    }
    switch Int(layer) {
    case Int(SWEXPR_USER): return Handle.make(context.replacing(user: attributes))
    case Int(SWEXPR_DEVICE): return Handle.make(context.replacing(device: attributes))
    case Int(SWEXPR_PARAMS): return Handle.make(context.replacing(params: attributes))
    default: throw InterfaceError("\(layer) is not a `swexpr_layer`")
    }
  }
}

@c @implementation
public func swexpr_context_free(_ context: OpaquePointer?) { Handle<Context>.free(context) }
