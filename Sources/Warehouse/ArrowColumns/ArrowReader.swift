import CArrow
import ExpressionCoding
import ExpressionEngine

/// An array with its type and its name.
struct ArrowReader {
  let array: ArrowArray
  let schema: ArrowSchema
  let name: String
  let owner: ArrowOwner

  /// The most levels of structs, lists and maps.
  static let maximumDepth = 64

  init(array: ArrowArray, schema: ArrowSchema, name: String, owner: ArrowOwner) {
    self.array = array
    self.schema = schema
    self.name = name
    self.owner = owner
  }

  var format: String { schema.format.map { String(cString: $0) } ?? "" }

  /// The first place of the values.
  var offset: Int { Int(truncatingIfNeeded: array.offset) }

  func damaged(_ what: String) -> ColumnBatchError {
    ColumnBatchError("the column `\(name)` \(what)")
  }

  /// Returns the first place of the values and their number.
  func bounds() throws(ColumnBatchError) -> (first: Int, count: Int) {
    guard let first = Int(exactly: array.offset), let count = Int(exactly: array.length),
      first >= 0, count >= 0, first <= Int.max >> 8, count <= Int.max >> 8
    else { throw damaged("has an offset of \(array.offset) and a length of \(array.length)") }
    return (first, count)
  }

  // MARK: Parts

  /// Returns a buffer; `nil` if it is absent.
  func buffer(_ number: Int) throws(ColumnBatchError) -> UnsafeRawPointer? {
    guard array.n_buffers > number, let buffers = array.buffers else {
      throw damaged("has \(array.n_buffers) buffers")
    }
    return buffers[number]
  }

  /// Returns a buffer of values.
  func values<Element>(
    _ number: Int, as type: Element.Type
  ) throws(ColumnBatchError) -> UnsafePointer<Element> {
    guard let buffer = try buffer(number) else {
      // A buffer of no values may be absent.
      guard array.length == 0 else { throw damaged("has no values") }
      return UnsafeRawPointer(Self.noOffsets).assumingMemoryBound(to: Element.self)
    }
    guard Int(bitPattern: buffer) & (MemoryLayout<Element>.alignment - 1) == 0 else {
      throw damaged("has values that are not aligned")
    }
    return buffer.assumingMemoryBound(to: Element.self)
  }

  /// Returns a bit for each place that is set if there is a value, or `nil` if all have one.
  func validity() throws(ColumnBatchError) -> UnsafePointer<UInt8>? {
    guard array.null_count != 0, let bits = try buffer(0) else {
      guard array.null_count <= 0 || array.length == 0 else {
        throw damaged("has \(array.null_count) null values, but does not say which")
      }
      return nil
    }
    return bits.assumingMemoryBound(to: UInt8.self)
  }

  /// Returns the children, which have places up to `first + count`.
  func children(first: Int, count: Int) throws(ColumnBatchError) -> [ArrowReader] {
    guard array.n_children == schema.n_children, array.n_children >= 0,
      array.n_children == 0 || array.children != nil && schema.children != nil
    else {
      throw damaged("has \(array.n_children) children, and \(schema.n_children) in its type")
    }
    var result: [ArrowReader] = []
    for index in 0..<Int(array.n_children) {
      guard let child = array.children?[index], let type = schema.children?[index] else {
        throw damaged("has no child \(index)")
      }
      let own = type.pointee.name.map { String(cString: $0) } ?? ""
      let reader = ArrowReader(
        array: child.pointee, schema: type.pointee, name: own, owner: owner)
      let (_, length) = try reader.bounds()
      guard length >= first + count else {
        throw reader.damaged("has \(length) values instead of \(first + count)")
      }
      // The parent's places are those of its children after their own offset.
      result.append(reader.moved(by: first, count: count))
    }
    return result
  }

  /// Returns the same array with other places.
  private func moved(by first: Int, count: Int) -> ArrowReader {
    var array = array
    array.offset += Int64(first)
    array.length = Int64(count)
    if array.null_count > 0 { array.null_count = -1 }
    return ArrowReader(array: array, schema: schema, name: name, owner: owner)
  }

  var child: ArrowReader {
    get throws(ColumnBatchError) {
      guard array.n_children == 1, schema.n_children == 1, let child = array.children?[0],
        let type = schema.children?[0]
      else { throw damaged("has no elements") }
      return ArrowReader(array: child.pointee, schema: type.pointee, name: name, owner: owner)
    }
  }

  // MARK: Columns

  /// Returns the column.
  func column(depth: Int = 0) throws(ColumnBatchError) -> Column {
    guard depth < Self.maximumDepth else { throw damaged("is nested too deep") }
    let (first, count) = try bounds()
    if let entries = array.dictionary, let type = schema.dictionary {
      return Column(
        .dictionary(
          indices: try plain(first, count),
          entries: try ArrowReader(
            array: entries.pointee, schema: type.pointee, name: name, owner: owner
          ).column(depth: depth + 1)),
        count: count, start: first, owner: owner)
    }
    if format.hasPrefix("+") { return try nested(first, count, depth) }
    if isJSON { return try jsonColumn() }
    if format == "vu" || format == "vz" { return try views(first, count) }
    return try plain(first, count)
  }

  private func plain(_ first: Int, _ count: Int) throws(ColumnBatchError) -> Column {
    let storage: Column.Storage =
      switch format {
      case "n": .missing
      case "b": .bool(try values(1, as: UInt8.self))
      case "c": .int8(try values(1, as: Int8.self))
      case "C": .uint8(try values(1, as: UInt8.self))
      case "s": .int16(try values(1, as: Int16.self))
      case "S": .uint16(try values(1, as: UInt16.self))
      case "i": .int32(try values(1, as: Int32.self))
      case "I": .uint32(try values(1, as: UInt32.self))
      case "l": .int64(try values(1, as: Int64.self))
      case "L": .uint64(try values(1, as: UInt64.self))
      case "f": .float(try values(1, as: Float.self))
      case "g": .double(try values(1, as: Double.self))
      case "u", "U":
        try texts(isLong: format == "U", first, count)
      default: try unusual(first, count)
      }
    return Column(
      storage, count: count, start: first,
      validity: format == "n" ? nil : try validity(), owner: owner)
  }

  private func texts(
    isLong: Bool, _ first: Int, _ count: Int
  ) throws(ColumnBatchError) -> Column.Storage {
    let bounds = try offsets(isLong: isLong, first, count)
    return .text(bounds, try bytes(bounds, first, count))
  }

  /// Returns the bytes of texts, which may be absent if there are none.
  func bytes(
    _ bounds: ColumnBounds, _ first: Int, _ count: Int
  ) throws(ColumnBatchError) -> UnsafePointer<UInt8>? {
    let bytes = try buffer(2)?.assumingMemoryBound(to: UInt8.self)
    guard bytes != nil || count == 0 || bounds.end(first + count - 1) == 0 else {
      throw damaged("has no bytes")
    }
    return bytes
  }

  /// Returns the ends of texts or lists, which are in ascending order.
  func offsets(
    isLong: Bool, _ first: Int, _ count: Int
  ) throws(ColumnBatchError) -> ColumnBounds {
    func check<Offset: FixedWidthInteger>(
      _ offsets: UnsafePointer<Offset>
    ) throws(ColumnBatchError) {
      var isAscending = offsets[first] >= 0
      for place in first..<(first + count) {
        isAscending = isAscending && offsets[place] <= offsets[place + 1]
      }
      guard isAscending else { throw damaged("has offsets that are not in ascending order") }
    }
    // An array of nothing needs no offsets.
    guard count > 0 else { return ColumnBounds(Self.noOffsets) }
    if isLong {
      let offsets = try values(1, as: Int64.self)
      try check(offsets)
      return ColumnBounds(offsets)
    }
    let offsets = try values(1, as: Int32.self)
    try check(offsets)
    return ColumnBounds(offsets)
  }

  /// Two zeros that live forever.
  nonisolated(unsafe) private static let noOffsets: UnsafePointer<Int64> = {
    let zeros = UnsafeMutablePointer<Int64>.allocate(capacity: 2)
    zeros.initialize(repeating: 0, count: 2)
    return UnsafePointer(zeros)
  }()

  // MARK: Nested

  private func nested(
    _ first: Int, _ count: Int, _ depth: Int
  ) throws(ColumnBatchError) -> Column {
    var validity: UnsafePointer<UInt8>?
    if format != "+r" { validity = try self.validity() }
    let storage: Column.Storage
    switch format {
    case "+l", "+L":
      let bounds = try offsets(isLong: format == "+L", first, count)
      let elements = try child.column(depth: depth + 1)
      guard count == 0 || bounds.end(first + count - 1) <= elements.count else {
        throw damaged("has lists that end after \(elements.count) elements")
      }
      storage = .list(bounds, elements: elements)
    case "+m": storage = try maps(first, count, depth)
    case "+s":
      var fields: [Column.Field] = []
      for part in try children(first: first, count: count) {
        fields.append(Column.Field(name: part.name, column: try part.column(depth: depth + 1)))
      }
      storage = .record(fields)
    case "+vl", "+vL": storage = try listViews(depth)
    case "+r": storage = try runs(depth)
    case let list where list.hasPrefix("+w:"):
      storage = try lists(ofSize: list.dropFirst(3), first, count, depth)
    default: throw damaged("has the type `\(format)`, which no attribute has")
    }
    return Column(storage, count: count, start: first, validity: validity, owner: owner)
  }

  /// Returns the values of runs.
  private func runs(_ depth: Int) throws(ColumnBatchError) -> Column.Storage {
    guard array.n_children == 2, schema.n_children == 2, let children = array.children,
      let types = schema.children, let ends = children[0], let endType = types[0],
      let values = children[1], let valueType = types[1]
    else { throw damaged("has no runs") }
    let endColumn = try ArrowReader(
      array: ends.pointee, schema: endType.pointee, name: name, owner: owner
    ).column(depth: depth + 1)
    let valueColumn = try ArrowReader(
      array: values.pointee, schema: valueType.pointee, name: name, owner: owner
    ).column(depth: depth + 1)
    let count = min(endColumn.count, valueColumn.count)
    return .values { place in
      var low = 0
      var high = count
      while low < high {
        let middle = (low + high) / 2
        guard case .int(let end)? = endColumn.value(at: endColumn.start + middle) else {
          return nil
        }
        if end <= place { low = middle + 1 } else { high = middle }
      }
      return low < count ? valueColumn.value(at: valueColumn.start + low) : nil
    }
  }

  // MARK: JSON

  /// Whether the type is marked as JSON.
  private var isJSON: Bool { ArrowMetadata.extensionName(schema.metadata) == "arrow.json" }

  /// Returns a column of values that are written as JSON. A text that is not JSON is a string.
  func jsonColumn() throws(ColumnBatchError) -> Column {
    let texts = try textColumn()
    return Column(
      .values { place in
        guard case .string(let text)? = texts.value(at: place) else { return nil }
        return (try? Value(json: text)) ?? .string(text)
      }, count: texts.count, start: texts.start, owner: owner)
  }

  /// Returns a column of whole layers, from maps or from JSON objects. What is neither is an empty
  /// layer.
  func layerColumn() throws(ColumnBatchError) -> Column {
    if format == "+m" {
      let maps = try column()
      return Column(
        .layers { place in
          guard case .map(let entries)? = maps.value(at: place) else { return nil }
          return Context.Layer(entries: entries)
        }, count: maps.count, start: maps.start, owner: owner)
    }
    let texts = try textColumn()
    return Column(
      .layers { place in
        guard case .string(let text)? = texts.value(at: place) else { return nil }
        return try? Context.Layer(json: text)
      }, count: texts.count, start: texts.start, owner: owner)
  }

  private func textColumn() throws(ColumnBatchError) -> Column {
    var type = schema
    type.metadata = nil
    let texts = try ArrowReader(array: array, schema: type, name: name, owner: owner).column()
    guard texts.hasTexts else { throw damaged("has the type `\(format)` instead of text") }
    return texts
  }
}

/// The metadata of a type: a number of pairs of texts, each with its length before it.
enum ArrowMetadata {
  static func extensionName(_ metadata: UnsafePointer<CChar>?) -> String? {
    guard let metadata else { return nil }
    let bytes = UnsafeRawPointer(metadata)
    var place = 0
    func number() -> Int {
      defer { place += 4 }
      return Int(bytes.loadUnaligned(fromByteOffset: place, as: Int32.self))
    }
    func text() -> String? {
      let count = number()
      guard count >= 0, count <= 1 << 24 else { return nil }
      defer { place += count }
      return String(
        decoding: UnsafeRawBufferPointer(start: bytes + place, count: count), as: UTF8.self)
    }
    let count = number()
    guard count >= 0, count <= 1 << 16 else { return nil }
    for _ in 0..<count {
      guard let key = text(), let value = text() else { return nil }
      if key == "ARROW:extension:name" { return value }
    }
    return nil
  }
}
