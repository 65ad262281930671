import Floors
package import Harness

/// Why the floors' context could not be made.
package enum FloorError: Error, CustomStringConvertible {
  case outOfMemory
  case missingAttribute(String)
  case unsupportedValue(root: String, name: String)

  package var description: String {
    switch self {
    case .outOfMemory: return "not enough memory for the floors' context"
    case .missingAttribute(let path): return "the context lacks \(path) or has another type there"
    case .unsupportedValue(let root, let name):
      return "the floors' context cannot hold the value of \(root).\(name)"
    }
  }
}

/// The floors' context in C, filled from a data file.
package final class FloorContext {
  let pointer: OpaquePointer

  /// Makes the context in all the floors' representations.
  package init(_ cases: FilterCases) throws(FloorError) {
    guard let pointer = floor_context_new() else { throw .outOfMemory }
    self.pointer = pointer
    for (root, attributes) in cases.context {
      for (name, value) in attributes {
        guard try Self.set(pointer, root, name, value) else { throw .outOfMemory }
      }
    }
    var culprit: UnsafePointer<CChar>?
    guard floor_context_seal(pointer, &culprit) else {
      throw .missingAttribute(culprit.map { String(cString: $0) } ?? "an attribute")
    }
  }

  deinit {
    floor_context_free(pointer)
  }

  private static func set(
    _ pointer: OpaquePointer, _ root: String, _ name: String, _ value: JSONValue
  ) throws(FloorError) -> Bool {
    switch value {
    case .bool(let value): return floor_context_set_bool(pointer, root, name, value)
    case .integer(let value): return floor_context_set_int(pointer, root, name, value)
    case .number(let value): return floor_context_set_double(pointer, root, name, value)
    case .string(let value):
      return floor_context_set_text(pointer, root, name, value, value.utf8.count)
    case .array(let items):
      let integers = items.compactMap { item -> Int64? in
        if case .integer(let value) = item { value } else { nil }
      }
      if integers.count == items.count {
        return floor_context_set_int_list(pointer, root, name, integers, integers.count)
      }
      let texts = items.compactMap { item -> String? in
        if case .string(let value) = item { value } else { nil }
      }
      guard texts.count == items.count else {
        throw .unsupportedValue(root: root, name: name)
      }
      return withCStrings(texts) {
        floor_context_set_text_list(pointer, root, name, $0, texts.count)
      }
    case .null, .object: throw .unsupportedValue(root: root, name: name)
    }
  }
}

/// Calls `body` with the strings as C strings that live as long as the call.
private func withCStrings<Result>(
  _ strings: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
) -> Result {
  let copies = strings.map { string in
    let bytes = string.utf8CString
    let copy = UnsafeMutableBufferPointer<CChar>.allocate(capacity: bytes.count)
    _ = copy.initialize(from: bytes)
    return copy
  }
  defer { for copy in copies { copy.deallocate() } }
  return copies.map { UnsafePointer($0.baseAddress) }.withUnsafeBufferPointer { buffer in
    // An array's buffer has no address only when it is empty; any address will do then.
    guard let base = buffer.baseAddress else {
      var none: UnsafePointer<CChar>?
      return body(&none)
    }
    return body(base)
  }
}
