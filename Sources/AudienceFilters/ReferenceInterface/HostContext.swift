import ExpressionCoding
import ExpressionEngine

extension ReferenceInterface {
  /// The app's implementation of host functions.
  ///
  /// The functions are called synchronously, on the thread that evaluates; like the SDK's, they must be
  /// callable from any thread, and from several at once. They may evaluate filters themselves.
  public protocol HostContext: Sendable {
    /// Answers `computed.name(…)`.
    ///
    /// - Parameters:
    ///   - name: The name of the function.
    ///   - args: The evaluated arguments as a JSON list of tagged values
    ///     (`[{"type":"string","value":"app_open"}]`).
    /// - Returns: A tagged value; anything else, an empty text for instance, is null.
    func computedProperty(name: String, args: String) -> String

    /// Answers `device.name(…)`; see ``computedProperty(name:args:)``.
    func deviceProperty(name: String, args: String) -> String
  }
}

extension FilterEnvironment {
  /// The superscript dialect with the host functions that a definition declares.
  init(
    device: [String: [Value]]?, computed: [String: [Value]]?,
    host: any ReferenceInterface.HostContext
  ) {
    self.init()
    for (name, examples) in device ?? [:] {
      hostFunctionArguments["device.\(name)"] = examples
      deviceFunctions[name] = { arguments, _ in
        Self.answer(host.deviceProperty(name: name, args: Self.text(of: arguments)))
      }
    }
    for (name, examples) in computed ?? [:] {
      hostFunctionArguments["computed.\(name)"] = examples
      computedFunctions[name] = { arguments, _ in
        Self.answer(host.computedProperty(name: name, args: Self.text(of: arguments)))
      }
    }
  }

  private static func text(of arguments: [Value]) -> String {
    var writer = JSONWriter()
    writer.beginArray()
    for argument in arguments { PassableValue.write(argument, to: &writer) }
    writer.endArray()
    return writer.text
  }

  private static func answer(_ text: String) -> Value {
    do throws(JSONError) { return try PassableValue.read(text) } catch { return .null }
  }
}
