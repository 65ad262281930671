import AudienceFilters
import CSwexpr
import ExpressionCoding
import ExpressionEngine
import Superscript

/// The C function that stands for all host functions of an environment.
///
/// Unchecked Sendable: the header demands that the function may be called on any thread with its
/// data.
final class Host: @unchecked Sendable {
  private let function: swexpr_host?
  private let data: UnsafeMutableRawPointer?
  private let release: swexpr_release?

  /// Creates a host, which calls `release` when it is no longer needed.
  init(_ function: swexpr_host?, _ data: UnsafeMutableRawPointer?, _ release: swexpr_release?) {
    self.function = function
    self.data = data
    self.release = release
  }

  deinit { release?(data) }

  /// Whether there is a function to call.
  var isPresent: Bool { function != nil }

  /// Calls a host function.
  ///
  /// - Parameters:
  ///   - name: The name with its root, such as `device.daysSince`.
  ///   - arguments: The arguments as a JSON array.
  ///   - reads: Reads a value that the function replies with.
  func call(
    _ name: String, arguments: String, reads: @escaping (String) throws(InterfaceError) -> Value
  ) -> Reply {
    let reply = Reply(reads: reads)
    withExtendedLifetime(reply) {
      function?(
        data, name, arguments, OpaquePointer(Unmanaged.passUnretained(reply).toOpaque()))
    }
    return reply
  }

  /// Returns a host function for an environment.
  ///
  /// - Parameters:
  ///   - name: The name with its root, such as `device.daysSince`.
  ///   - format: The form of arguments and results.
  func function(_ name: String, _ format: ValueFormat) -> FilterEnvironment.HostFunction {
    { (arguments, _) throws(HostFailure) in
      do throws(InterfaceError) {
        return try self.value(of: name, arguments, format)
      } catch {
        throw HostFunctionError(error.description)
      }
    }
  }

  private func value(
    of name: String, _ arguments: [Value], _ format: ValueFormat
  ) throws(InterfaceError) -> Value {
    var writer = JSONWriter()
    writer.beginArray()
    for argument in arguments { try format.write(argument, to: &writer) }
    writer.endArray()
    let reply = call(name, arguments: writer.text) { (text) throws(InterfaceError) in
      try format.value(of: text)
    }
    return try reply.result.get()
  }
}

extension Host: ReferenceInterface.HostContext {
  func computedProperty(name: String, args: String) -> String { text("computed.\(name)", args) }
  func deviceProperty(name: String, args: String) -> String { text("device.\(name)", args) }

  /// Returns the text of a reply; the reference takes every text, and reads a text that is not a
  /// value as null.
  private func text(_ name: String, _ arguments: String) -> String {
    let reply = call(name, arguments: arguments) { (text) throws(InterfaceError) in
      try ValueFormat.tagged.value(of: text)
    }
    guard case .success(let value) = reply.result else { return "" }
    return PassableValue.text(value)
  }
}
