import ExpressionEngine
import ExpressionSyntax

extension CaseFields {
  func celCase() throws(JSONError) -> ConformanceCase {
    var request = CaseRequest(.expression(try required("expr")), dialect: .cel)
    if try flag("disable_macros") { request.flags.insert(.disablesMacros) }
    if try flag("disable_check") { request.flags.insert(.disablesCheck) }
    if try flag("check_only") { request.flags.insert(.checksOnly) }
    request.container = try text("container") ?? ""
    if case .map(let bindings)? = try plain("bindings") {
      for (name, value) in bindings { request.variables[name.text] = try celValue(value) }
    }
    if case .list(let declarations)? = try plain("type_env") {
      for declaration in declarations {
        request.declarations.append(try celDeclaration(declaration))
      }
    }
    var needs: [String] = []
    if case .list(let names)? = try plain("needs") {
      needs = names.compactMap { if case .string(let name) = $0 { name } else { nil } }
    }
    return ConformanceCase(
      id: try required("id"), request: request, expectation: try celExpectation(), needs: needs)
  }

  private func celExpectation() throws(JSONError) -> Expectation {
    let wanted = try plain("expect")
    if case .string(let text)? = wanted?["error"] { return .anyError(advice: text) }
    var type: String?
    if case .string(let text)? = wanted?["type"] { type = text }
    if let value = wanted?["value"] { return .value(try celValue(value), type: type) }
    guard let type else {
      throw shapeError("`expect` has one of the members `value`, `error` and `type`")
    }
    return .type(type)
  }

  private func celDeclaration(_ value: Value) throws(JSONError) -> CaseDeclaration {
    guard case .string(let name)? = value["name"] else {
      throw shapeError("a declaration of `type_env` has a `name`")
    }
    if case .string(let type)? = value["type"] {
      return CaseDeclaration(name: name, kind: .variable(type: type))
    }
    guard case .list(let overloads)? = value["overloads"] else {
      throw shapeError("the declaration of `\(name)` has a `type` or `overloads`")
    }
    var result: [CaseDeclaration.Overload] = []
    for overload in overloads {
      guard case .list(let parameters)? = overload["params"],
        case .string(let type)? = overload["result"]
      else { throw shapeError("an overload of `\(name)` has `params` and a `result`") }
      var id = ""
      if case .string(let text)? = overload["id"] { id = text }
      result.append(
        CaseDeclaration.Overload(
          id: id, isMember: overload["member"] == .bool(true),
          parameters: parameters.map { if case .string(let type) = $0 { type } else { "dyn" } },
          result: type))
    }
    return CaseDeclaration(name: name, kind: .function(result))
  }

  /// A value from its object of one member: `{"int": "5"}`.
  private func celValue(_ value: Value) throws(JSONError) -> Value {
    guard case .map(let members) = value, let (key, content) = members.first, members.count == 1
    else { throw shapeError("a value is an object of one member, found \(value.literal)") }
    switch (key.text, content) {
    case ("null", _): return .null
    case ("bool", .bool): return content
    case ("string", .string): return content
    case ("type", .string(let name)): return .type(name)
    case ("int", .string(let text)):
      if let number = Int64(text) { return .int(number) }
    case ("uint", .string(let text)):
      if let number = UInt64(text) { return .uint(number) }
    case ("double", .string(let text)):
      if let number = Self.celDouble(text) { return .double(number) }
    case ("bytes", .string(let text)):
      if let octets = [UInt8](base64: text) { return .bytes(octets) }
    case ("timestamp", .string(let text)):
      if let instant = Value.Timestamp(rfc3339: text) { return .timestamp(instant) }
    case ("duration", .string(let text)):
      if let span = Value.Duration(secondsText: text) { return .duration(span) }
    case ("list", .list(let elements)):
      var result: [Value] = []
      for element in elements { result.append(try celValue(element)) }
      return .list(result)
    case ("map", .list(let entries)): return .map(try celEntries(entries))
    case ("optional", _):
      return .optional(content == .null ? Value?.none : try celValue(content))
    default: break
    }
    throw shapeError("unknown value \(value.literal)")
  }

  private func celEntries(_ pairs: [Value]) throws(JSONError) -> [Value.Key: Value] {
    var entries: [Value.Key: Value] = [:]
    for pair in pairs {
      guard case .list(let parts) = pair, parts.count == 2,
        let key = Value.Key(try celValue(parts[0]))
      else { throw shapeError("an entry of a map is a list of a key and a value") }
      entries[key] = try celValue(parts[1])
    }
    return entries
  }

  private static func celDouble(_ text: String) -> Double? {
    switch text {
    case "NaN": .nan
    case "Infinity": .infinity
    case "-Infinity": -.infinity
    default: Double(text)
    }
  }
}

extension Value {
  /// The value of a string key; `nil` if there is none, or if this is not a map.
  fileprivate subscript(name: String) -> ExpressionEngine.Value? {
    guard case .map(let entries) = self else { return nil }
    return entries[.string(name)]
  }
}

extension [UInt8] {
  /// The octets of a text in base64 (RFC 4648 §4), padded or not; `nil` if it is not base64.
  init?(base64 text: String) {
    var octets: [UInt8] = []
    var bits: UInt32 = 0
    var bitCount: UInt32 = 0
    for byte in text.utf8 where byte != UInt8(ascii: "=") {
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit = byte - 0x41
      case UInt8(ascii: "a")...UInt8(ascii: "z"): digit = byte - 0x61 + 26
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - 0x30 + 52
      case UInt8(ascii: "+"): digit = 62
      case UInt8(ascii: "/"): digit = 63
      default: return nil
      }
      bits = (bits << 6 | UInt32(digit)) & 0xFFF
      bitCount += 6
      if bitCount >= 8 {
        bitCount -= 8
        octets.append(UInt8(truncatingIfNeeded: bits >> bitCount))
      }
    }
    // Six bits left over are a digit too many.
    guard bitCount < 6 else { return nil }
    self = octets
  }
}
