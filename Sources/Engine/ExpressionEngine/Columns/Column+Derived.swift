// Columns that are made of other columns or values.

extension Column {
  /// Creates a column in which every user has the same value.
  package init(repeating value: Value, count: Int) {
    let memory = ColumnMemory(copying: [Int8](repeating: 0, count: count))
    let indices = Column(
      .int8(UnsafePointer(memory.start.assumingMemoryBound(to: Int8.self))), count: count,
      owner: memory)
    self.init(.dictionary(indices: indices, entries: Column(values: [value])), count: count)
  }

  /// Returns a column in which users without a value have another one.
  ///
  /// - Parameter value: Returns the value of a user by number.
  package func filled(with value: @escaping @Sendable (Int) -> Value) -> Column {
    guard mayLack else { return self }
    return Column(
      .values { place in self.value(at: place) ?? value(place &- start) }, count: count,
      start: start)
  }

  /// Returns a column of other values.
  ///
  /// - Parameter transform: Returns the other value, or `nil` for none.
  package func mapValues(_ transform: @escaping @Sendable (Value) -> Value?) -> Column {
    if case .dictionary(let indices, let entries) = storage {
      return Column(
        .dictionary(indices: indices, entries: entries.mapValues(transform)), count: count,
        start: start)
    }
    return Column(
      .values { place in value(at: place).flatMap(transform) }, count: count, start: start)
  }

  /// Whether a user may have no value.
  package var mayLack: Bool { validity != nil || !isFlat }

  /// Whether some value may be, or hold, something that the attributes of an app cannot: null in a
  /// list, or a kind that JSON does not have.
  package var mayNeedConversion: Bool {
    if case .dictionary(_, let entries) = storage { entries.mayNeedConversion } else { !isPlain }
  }

  /// Whether some value may be a list or a map.
  package var mayNest: Bool {
    if case .dictionary(_, let entries) = storage { entries.mayNest } else { !isFlat }
  }

  /// Whether some value is a number that is not finite.
  package var hasNonFinite: Bool {
    func find<Number: BinaryFloatingPoint>(_ values: UnsafePointer<Number>) -> Bool {
      (start..<start &+ count).contains { isValid($0) && !values[$0].isFinite }
    }
    switch storage {
    case .float(let values): return find(values)
    case .double(let values): return find(values)
    case .dictionary(_, let entries): return entries.hasNonFinite
    default: return false
    }
  }

  /// Whether the values are texts, numbers or bools, and are not in a dictionary.
  private var isFlat: Bool {
    switch storage {
    case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64, .float, .double, .bool,
      .text:
      true
    case .missing, .dictionary, .list, .record, .slots, .values, .layers: false
    }
  }

  /// Whether the values are texts, numbers and bools, and lists and maps of such values.
  private var isPlain: Bool {
    switch storage {
    case .list(_, let elements): elements.validity == nil && elements.isPlain
    case .record(let fields): fields.allSatisfy { $0.column.isPlain }
    default: isFlat
    }
  }
}

extension ColumnBatch {
  /// Returns a user as a context.
  ///
  /// - Complexity: O(columns).
  package func context(at row: Int) -> Context {
    var attributes: [Root: [String: Value]] = [:]
    for (path, column) in columns {
      guard let value = column.value(at: column.start &+ row) else { continue }
      let root = Root(layerNamed: path.root) ?? .other
      attributes[root, default: [:]][path.names.first ?? path.root] = value
    }
    func layer(_ root: Root) -> Context.Layer {
      if let column = layers[root] { return column.layer(at: column.start &+ row) ?? .init() }
      return Context.Layer(attributes[root] ?? [:])
    }
    return Context(
      user: layer(.user), device: layer(.device), params: layer(.params),
      roots: attributes[.other].map { Context.Layer($0) })
  }
}
