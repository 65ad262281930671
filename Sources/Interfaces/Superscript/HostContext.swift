import ExpressionCoding
import ExpressionEngine

extension ReferenceInterface {
  /// The app's implementation of host functions.
  ///
  /// The functions are called synchronously, on the evaluating thread. As in the SDK, they must be
  /// callable from any thread, and from several threads at once. They may evaluate filters
  /// themselves.
  public protocol HostContext: Sendable {
    /// Returns the result of `computed.name(…)`.
    ///
    /// - Parameters:
    ///   - name: The name of the function.
    ///   - args: The evaluated arguments as a JSON list of tagged values
    ///     (`[{"type":"string","value":"app_open"}]`).
    /// - Returns: A tagged value. Any other text, such as an empty one, counts as null.
    func computedProperty(name: String, args: String) -> String

    /// Returns the result of `device.name(…)`; see ``computedProperty(name:args:)``.
    func deviceProperty(name: String, args: String) -> String
  }
}

/// Asks the host for the result of a function: of the table `device` or `computed`, by name, with
/// the arguments as a JSON list of tagged values.
typealias HostCall =
  @Sendable (_ table: HostTable, _ name: String, _ args: String) throws(HostFunctionError) -> String

/// The tables of host functions.
enum HostTable: String {
  case device
  case computed
}

extension ReferenceInterface.HostContext {
  /// The host's functions as one.
  var call: HostCall {
    { (table, name, args) in
      switch table {
      case .device: deviceProperty(name: name, args: args)
      case .computed: computedProperty(name: name, args: args)
      }
    }
  }
}

extension FilterEnvironment {
  /// Creates the environment of the superscript dialect with the host functions that a definition
  /// declares.
  init(device: [String: [Value]]?, computed: [String: [Value]]?, call: @escaping HostCall) {
    self.init()
    for (name, examples) in device ?? [:] {
      hostFunctionArguments["device.\(name)"] = examples
      deviceFunctions[name] = Self.function(.device, name, call)
    }
    for (name, examples) in computed ?? [:] {
      hostFunctionArguments["computed.\(name)"] = examples
      computedFunctions[name] = Self.function(.computed, name, call)
    }
  }

  private static func function(
    _ table: HostTable, _ name: String, _ call: @escaping HostCall
  ) -> HostFunction {
    { (arguments, _) throws(HostFailure) in
      do throws(HostFunctionError) {
        return answer(try call(table, name, text(of: arguments)))
      } catch {
        throw error
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
