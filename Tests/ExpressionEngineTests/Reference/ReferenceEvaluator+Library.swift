import LinearRegex

@testable import ExpressionEngine
@testable import ExpressionSyntax

// The library functions (§10, §13).

extension ReferenceEvaluator {
  /// Calls a function over evaluated arguments. Arguments are evaluated and their kinds tested one
  /// after the other, as far as the function asks for them.
  mutating func library(
    _ name: String, _ target: Value?, _ given: [UInt32], _ mode: Mode
  ) throws(ReferenceFailure) -> Value {
    var arguments = given
    switch name {
    case "unknownFunction", "test_custom_func": return .null
    case "contains":
      let whole = try subject(target, &arguments, mode)
      return .bool(try contains(whole, next(&arguments, mode)))
    case "startsWith", "endsWith", "matches":
      let text = try string(subject(target, &arguments, mode))
      let part = try string(next(&arguments, mode))
      return .bool(try compareTexts(name, text, part))
    case "string", "int", "uint", "double", "intToString", "uintToString", "floatToString",
      "boolToString":
      return try convert(name, subject(target, &arguments, mode))
    case "size": return .int(try size(next(&arguments, mode)))
    case "bytes": return .bytes(Array(try string(next(&arguments, mode)).utf8))
    case "duration": return try duration(string(next(&arguments, mode)))
    case "timestamp": return try timestamp(string(next(&arguments, mode)))
    case "max":
      var values: [Value] = []
      for argument in arguments { values.append(try evaluate(argument, mode)) }
      return try max(values)
    default: throw .undeclared
    }
  }

  private mutating func next(
    _ arguments: inout [UInt32], _ mode: Mode
  ) throws(ReferenceFailure) -> Value {
    guard !arguments.isEmpty else { throw .other }
    return try evaluate(arguments.removeFirst(), mode)
  }

  private func string(_ value: Value) throws(ReferenceFailure) -> String {
    guard case .string(let text) = value else { throw .quoting([value]) }
    return text
  }

  private func size(_ value: Value) throws(ReferenceFailure) -> Int64 {
    switch value {
    case .string(let text): return Int64(text.utf8.count)
    case .bytes(let bytes): return Int64(bytes.count)
    case .list(let elements): return Int64(elements.count)
    case .map(let entries): return Int64(entries.count)
    default: throw .quoting([value])
    }
  }

  private func contains(_ whole: Value, _ part: Value) throws(ReferenceFailure) -> Bool {
    switch (whole, part) {
    case (.string(let text), .string(let needle)):
      return Array(text.utf8).hasPiece(Array(needle.utf8))
    case (.list(let elements), _):
      return elements.contains { ReferenceOperators.areEqual($0, part) }
    case (.map(let entries), _):
      guard let key = Value.Key(part) else { throw .quoting([part]) }
      return entries[key] != nil
    case (.bytes(let bytes), .bytes(let run)):
      // The reference aborts on an empty run.
      guard !run.isEmpty else { throw .other }
      return bytes.hasPiece(run)
    default: return false
    }
  }

  private func compareTexts(
    _ name: String, _ text: String, _ part: String
  ) throws(ReferenceFailure) -> Bool {
    let bytes = Array(text.utf8)
    let other = Array(part.utf8)
    switch name {
    case "startsWith": return bytes.starts(with: other)
    case "endsWith": return bytes.reversed().starts(with: other.reversed())
    default:
      do throws(RegexError) {
        return try other.withUnsafeBufferPointer { (pattern) throws(RegexError) in
          let regex = try CompiledRegex(pattern, syntax: .rust)
          return try bytes.withUnsafeBufferPointer { (text) throws(RegexError) in
            try regex.matches(text)
          }
        }
      } catch {
        throw .quoting([.string(part)])
      }
    }
  }

  private func max(_ arguments: [Value]) throws(ReferenceFailure) -> Value {
    var values = arguments
    if values.count == 1 {
      guard case .list(let elements) = values[0] else { return values[0] }
      values = elements
    }
    guard var largest = values.first else { return .null }
    for value in values.dropFirst() {
      // Of equal values the later one wins.
      if try !ReferenceOperators.relation(.greater, largest, value) { largest = value }
    }
    return largest
  }

  // MARK: Times

  private func duration(_ text: String) throws(ReferenceFailure) -> Value {
    do {
      return .duration(
        try Array(text.utf8).withUnsafeBufferPointer { try DurationText.parseSuperscript($0) })
    } catch {
      throw .quoting([.string(text)])
    }
  }

  private func timestamp(_ text: String) throws(ReferenceFailure) -> Value {
    do {
      return .timestamp(
        try Array(text.utf8).withUnsafeBufferPointer {
          try TimestampText.parse($0, rules: .superscript)
        })
    } catch {
      throw .other
    }
  }

  // MARK: Conversions

  private func convert(_ name: String, _ value: Value) throws(ReferenceFailure) -> Value {
    switch (name, value) {
    case ("int", .int), ("uint", .uint), ("double", .double), ("string", .string): return value
    case ("int", .uint(let number)): return try .int(exactly(Int64(exactly: number)))
    case ("uint", .int(let number)): return try .uint(exactly(UInt64(exactly: number)))
    case ("int", .double(let number)):
      // Both ends of the range count, as doubles, and saturate.
      guard !(number > 0x1p63), !(number < -0x1p63) else { throw .other }
      return .int(number.isNaN ? 0 : Int64(exactly: number.rounded(.towardZero)) ?? .max)
    case ("uint", .double(let number)):
      guard !(number > 0x1p64), !(number < 0) else { throw .other }
      return .uint(number.isNaN ? 0 : UInt64(exactly: number.rounded(.towardZero)) ?? .max)
    case ("double", .int(let number)): return .double(Double(number))
    case ("double", .uint(let number)): return .double(Double(number))
    case ("int", .string(let text)):
      return try .int(exactly(parse(text) { try? IntegerText.parseInt($0) }))
    case ("uint", .string(let text)):
      return try .uint(
        exactly(parse(text) { try? IntegerText.parseUInt($0, allowsPlus: true) }))
    case ("double", .string(let text)):
      return try .double(exactly(parse(text) { try? DoubleText.parseSuperscript($0) }))
    case ("string", _): return .string(try text(of: value))
    case ("intToString", .int), ("uintToString", .uint), ("floatToString", .double):
      return .string(try text(of: value))
    case ("boolToString", .bool(let truth)): return .string(truth ? "true" : "false")
    default: throw .quoting([value])
    }
  }

  private func exactly<T>(_ value: T?) throws(ReferenceFailure) -> T {
    guard let value else { throw .other }
    return value
  }

  private func parse<T>(_ text: String, _ body: (UTF8Bytes) -> T?) -> T? {
    Array(text.utf8).withUnsafeBufferPointer(body)
  }

  private func text(of value: Value) throws(ReferenceFailure) -> String {
    var output: [UInt8] = []
    switch value {
    case .int(let number): return String(number)
    case .uint(let number): return String(number)
    case .double(let number): DoubleText.appendSuperscript(number, to: &output)
    case .timestamp(let instant): TimestampText.appendSuperscript(instant, to: &output)
    case .duration(let span): DurationText.appendSuperscript(span, to: &output)
    case .bytes(let bytes): return String(decoding: bytes, as: UTF8.self)
    default: throw .quoting([value])
    }
    return String(decoding: output, as: UTF8.self)
  }
}
