@testable import ExpressionEngine
@testable import ExpressionSyntax

// Names, members and indexes (§2, §9, §14).

extension ReferenceEvaluator {
  func identifier(_ name: String) throws(ReferenceFailure) -> Value {
    if let local = scope.last(where: { $0.name == name }) { return local.value }
    switch name {
    case "device":
      // The functions of the host, with the attributes over them.
      var entries = functionTable("device", environment.deviceFunctions)
      if case .map(let attributes)? = variables["device"] {
        entries.merge(attributes) { _, attribute in attribute }
      }
      return .map(entries)
    case "computed":
      return .map(functionTable("computed", environment.computedFunctions))
    default:
      guard let value = variables[name] else { throw .undeclared }
      return value
    }
  }

  private func functionTable(
    _ table: String, _ functions: [String: FilterEnvironment.HostFunction]
  ) -> [Value.Key: Value] {
    var entries: [Value.Key: Value] = [:]
    for name in functions.keys {
      let examples = environment.hostFunctionArguments["\(table).\(name)"] ?? []
      entries[.string(name)] = .function(
        name: name, receiver: examples.isEmpty ? nil : .list(examples))
    }
    return entries
  }

  /// `operand.name` or `operand[index]`. In safe mode a key that is missing anywhere inside makes
  /// the access null.
  mutating func access(
    _ node: SyntaxNode, _ mode: Mode
  ) throws(ReferenceFailure) -> Value {
    do {
      let operand = try evaluate(node.first, mode)
      if node.kind == .select { return try member(tree.name(of: node), of: operand) }
      return try element(evaluate(node.second, .verbatim), of: operand)
    } catch {
      if case .noSuchKey = error, mode == .safe { return .null }
      throw error
    }
  }

  /// An attribute wins over a function of the same name, and a function over nothing.
  private func member(_ name: String, of operand: Value) throws(ReferenceFailure) -> Value {
    if case .map(let entries) = operand, let value = entries[.string(name)] { return value }
    if isFunction(name) { return .function(name: name, receiver: operand) }
    throw .noSuchKey
  }

  private func element(_ index: Value, of operand: Value) throws(ReferenceFailure) -> Value {
    switch (operand, index) {
    case (.list(let elements), .int(let position)):
      guard let position = Int(exactly: position), elements.indices.contains(position) else {
        return .null
      }
      return elements[position]
    case (.list, _): throw .quoting([index])
    case (.string(let text), .int(let offset)):
      // By byte; null where that is no whole character.
      let bytes = Array(text.utf8)
      guard let offset = Int(exactly: offset), bytes.indices.contains(offset),
        bytes[offset] < 0x80
      else { return .null }
      return .string(String(decoding: [bytes[offset]], as: UTF8.self))
    case (.map(let entries), _):
      guard let key = Value.Key(index) else { throw .quoting([index]) }
      return entries[key] ?? key.crossNumeric.flatMap { entries[$0] } ?? .null
    default: throw .quoting([operand, index])
    }
  }

  /// Whether a name is registered as a function: of the library or of the host.
  func isFunction(_ name: String) -> Bool {
    Self.libraryNames.contains(name) || environment.deviceFunctions[name] != nil
      || environment.computedFunctions[name] != nil
  }

  /// §10.
  private static let libraryNames: Set<String> = [
    "contains", "size", "has", "map", "filter", "all", "exists", "exists_one", "max",
    "startsWith", "endsWith", "matches", "duration", "timestamp", "string", "bytes", "double",
    "int", "uint", "maybe", "hasFn", "intToString", "uintToString", "floatToString",
    "boolToString", "unknownFunction", "test_custom_func",
  ]
}

extension Value.Key {
  /// The same number as a key of the other integer kind.
  fileprivate var crossNumeric: Value.Key? {
    switch self {
    case .int(let value): UInt64(exactly: value).map { .uint($0) }
    case .uint(let value): Int64(exactly: value).map { .int($0) }
    default: nil
    }
  }
}
