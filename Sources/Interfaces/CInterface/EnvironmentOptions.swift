import ExpressionCoding
import ExpressionEngine
import ExpressionSyntax

/// The options of an environment, as `swexpr_environment_create` takes them in JSON.
struct EnvironmentOptions {
  /// The environment without the host functions.
  private(set) var environment = FilterEnvironment()
  /// The form of host functions' arguments and results.
  private(set) var format = ValueFormat.plain
  /// The names of the host functions under `device`.
  private(set) var deviceFunctions: [String] = []
  /// The names of the host functions under `computed`.
  private(set) var computedFunctions: [String] = []

  /// Reads options.
  ///
  /// - Throws: ``InterfaceError`` if the text is not JSON, and for a member that is unknown or has
  ///   a value that cannot be used.
  init(json text: String) throws(InterfaceError) {
    let reading = Value.JSONReading(duplicates: .error)
    let options = try InterfaceError.describing { () throws(JSONError) in
      try Value(json: text, reading: reading)
    }
    guard case .map(let members) = options else {
      throw InterfaceError("the options are not a JSON object")
    }
    // In the order of the names, so that of several mistakes the same one is reported every time.
    for (key, value) in members.sorted(by: { $0.key.text < $1.key.text }) {
      try read(key.text, value)
    }
  }

  private mutating func read(_ name: String, _ value: Value) throws(InterfaceError) {
    switch name {
    case "dialect": environment.dialect = try Self.dialect(value)
    case "container": environment.container = try Self.text(name, value)
    case "values": format = try Self.format(value)
    case "device": deviceFunctions = try functions(name, value)
    case "computed": computedFunctions = try functions(name, value)
    case "steps": environment.limits.steps = try Self.limit(name, value, 1_000_000_000)
    case "memory": environment.limits.memory = try Self.limit(name, value, 1 << 30)
    case "sourceLength":
      environment.parserLimits.sourceLength = try Self.limit(
        name, value, ParserLimits.standard.sourceLength)
    case "nesting":
      environment.parserLimits.nesting = try Self.limit(name, value, ParserLimits.standard.nesting)
    default: throw InterfaceError("there is no option `\(name)`")
    }
  }

  private static func text(_ name: String, _ value: Value) throws(InterfaceError) -> String {
    guard case .string(let text) = value else {
      throw InterfaceError("the option `\(name)` must be a string")
    }
    return text
  }

  static func dialect(_ value: Value) throws(InterfaceError) -> Dialect {
    let text = try text("dialect", value)
    guard let name = Dialect.Name(rawValue: text) else {
      throw InterfaceError("there is no dialect `\(text)`: use `superscript` or `cel`")
    }
    return .named(name)
  }

  private static func format(_ value: Value) throws(InterfaceError) -> ValueFormat {
    switch try text("values", value) {
    case "plain": return .plain
    case "tagged": return .tagged
    case let text: throw InterfaceError("values are `plain` or `tagged`, not `\(text)`")
    }
  }

  private static func limit(
    _ name: String, _ value: Value, _ maximum: Int
  ) throws(InterfaceError) -> Int {
    guard case .int(let number) = value, let limit = Int(exactly: number), limit >= 1,
      limit <= maximum
    else { throw InterfaceError("the option `\(name)` must be an integer from 1 to \(maximum)") }
    return limit
  }

  /// Reads host functions by name, with examples of their arguments.
  private mutating func functions(
    _ root: String, _ value: Value
  ) throws(InterfaceError) -> [String] {
    guard case .map(let functions) = value else {
      throw InterfaceError("the option `\(root)` must be an object of functions by name")
    }
    var names: [String] = []
    for (key, value) in functions {
      guard case .list(let examples) = value else {
        throw InterfaceError("the example arguments of `\(root).\(key.text)` must be an array")
      }
      // The host gets the name as a C string.
      guard !key.text.utf8.contains(0) else {
        throw InterfaceError("the name of a function of `\(root)` contains a NUL")
      }
      names.append(key.text)
      environment.hostFunctionArguments["\(root).\(key.text)"] = examples
    }
    return names
  }
}
