package import ExpressionEngine

extension ConfigValue {
  /// Reads one of the words of the wire.
  package func word<Word: RawRepresentable & CaseIterable>(
    _ type: Word.Type
  ) throws(ConfigError) -> Word where Word.RawValue == String {
    let text = try string()
    if let word = Word(rawValue: text) { return word }
    let words = Word.allCases.map(\.rawValue)
    let list = words.dropLast().joined(separator: ", ")
    throw error("must be \(list) or \(words.last ?? ""), found \"\(text)\"")
  }

  /// Reads a date as milliseconds since 1970; a fraction is cut off.
  package func milliseconds() throws(ConfigError) -> WallTime {
    guard let whole = Int64(exactly: try number().rounded(.down)) else {
      throw mismatch("a number of milliseconds")
    }
    return WallTime(milliseconds: whole)
  }

  /// The value as a tree. Containers deeper than the document is indexed are empty.
  package var tree: Value { document.value(of: node) }
}

extension ConfigObject {
  /// All members in the order of the document, with their names as it spells them.
  package var members: [(name: String, value: ConfigValue)] {
    var result: [(name: String, value: ConfigValue)] = []
    forEachMember { name, node in
      result.append((String(decoding: name, as: UTF8.self), ConfigValue(log, node: node)))
    }
    return result
  }
}

extension ConfigDocument {
  /// The value at a node as a tree. The recursion ends where the index does.
  fileprivate func value(of node: Int) -> Value {
    switch nodes[node].kind {
    case .true: return .bool(true)
    case .false: return .bool(false)
    case .int: return .int(int(of: node))
    case .uint: return .uint(uint(of: node))
    case .double: return .double(double(of: node))
    case .string: return .string(text(of: node))
    case .beginArray:
      var elements: [Value] = []
      var element = node + 1
      while element < end(of: node) {
        elements.append(value(of: element))
        element = end(of: element)
      }
      return .list(elements)
    case .beginObject:
      var entries: [Value.Key: Value] = [:]
      var name = node + 1
      while name < end(of: node) {
        entries[.string(text(of: name))] = value(of: name + 1)
        name = end(of: name + 1)
      }
      return .map(entries)
    default: return .null
    }
  }
}
