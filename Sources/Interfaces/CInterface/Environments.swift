// The names are those of C, and the documentation is in the header.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, AllPublicDeclarationsHaveDocumentation

public import CSwexpr
import ExpressionEngine

// The functions of swexpr.h for versions, strings, environments and replies. The header says what
// they do; the compiler compares the declarations.

@c @implementation
public func swexpr_abi_version() -> UInt32 { UInt32(SWEXPR_ABI_VERSION) }

@c @implementation
public func swexpr_version() -> UnsafePointer<CChar>? {
  let version: StaticString = "0.2.0"
  return UnsafeRawPointer(version.utf8Start).assumingMemoryBound(to: CChar.self)
}

@c @implementation
public func swexpr_string_free(_ string: UnsafeMutablePointer<CChar>?) { OwnedString.free(string) }

@c @implementation
public func swexpr_environment_create(
  _ options: UnsafePointer<CChar>?, _ length: Int, _ host: swexpr_host?,
  _ data: UnsafeMutableRawPointer?, _ release: swexpr_release?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> OpaquePointer? {
  // Made first, so that the data are released if something fails.
  let host = Host(host, data, release)
  return reporting(to: error, or: nil) { () throws(InterfaceError) in
    let text = try TextArgument("options", options, length).string()
    let options = try EnvironmentOptions(json: text)
    var environment = options.environment
    let names = options.deviceFunctions + options.computedFunctions
    guard host.isPresent || names.isEmpty else { throw InterfaceError.missing("host") }
    for name in options.deviceFunctions {
      environment.deviceFunctions[name] = host.function("device.\(name)", options.format)
    }
    for name in options.computedFunctions {
      environment.computedFunctions[name] = host.function("computed.\(name)", options.format)
    }
    return Handle.make(environment)
  }
}

@c @implementation
public func swexpr_environment_free(_ environment: OpaquePointer?) {
  Handle<FilterEnvironment>.free(environment)
}

@c @implementation
public func swexpr_reply_value(
  _ reply: OpaquePointer?, _ value: UnsafePointer<CChar>?, _ length: Int
) -> Bool {
  Reply.at(reply)?.set(value: TextArgument("value", value, length)) ?? false
}

@c @implementation
public func swexpr_reply_error(
  _ reply: OpaquePointer?, _ message: UnsafePointer<CChar>?, _ length: Int
) -> Bool {
  Reply.at(reply)?.set(failure: TextArgument("message", message, length)) ?? false
}

/// Returns the environment of a handle, or the standard one for NULL.
func environment(_ pointer: OpaquePointer?) throws(InterfaceError) -> FilterEnvironment {
  guard pointer != nil else { return .standard }
  return try Handle<FilterEnvironment>.content(of: pointer, "environment")
}
