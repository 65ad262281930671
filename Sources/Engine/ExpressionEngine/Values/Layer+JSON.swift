// Conversion of JSON text to layers: tokens become slots, without a `Value` in between.

extension Context.Layer {
  /// Creates a layer from the members of a JSON object.
  ///
  /// Objects become maps with string keys and arrays become lists. Numbers written as integers
  /// become ints, or uints above `Int64.max`; all other numbers become doubles. The last of
  /// repeated names wins.
  ///
  /// - Parameters:
  ///   - text: A JSON document whose value is an object.
  ///   - maximumDepth: The maximum nesting depth of arrays and objects: 0 ... 1,024.
  /// - Throws: ``JSONError`` with the position of the mistake.
  /// - Complexity: O(n). Nesting does not use the stack.
  public init(json text: String, maximumDepth: Int = 128) throws(JSONError) {
    self = try text.withJSONBytes { (bytes) throws(JSONError) -> Context.Layer in
      try Context.Layer(json: bytes, maximumDepth: maximumDepth)
    }
  }

  /// Creates a layer from a JSON object in UTF-8; see ``init(json:maximumDepth:)-(String,_)``.
  public init(
    json bytes: UnsafeBufferPointer<UInt8>, maximumDepth: Int = 128
  ) throws(JSONError) {
    var scanner = JSONScanner(bytes, options: .init(maximumDepth: maximumDepth))
    let token = try scanner.nextToken()
    guard token == .beginObject else {
      throw scanner.shapeError(expected: "an object of attributes", found: token)
    }
    var arena = Arena(forJSON: bytes.count)
    var stack = SlotStack()
    let map = try stack.readContainer(from: &scanner, in: &arena)
    _ = try scanner.nextToken()
    self.init(storage: LayerStorage(map: map, in: arena))
  }
}

extension Context {
  /// Creates a context from a JSON object of variables.
  ///
  /// The objects named `user`, `device` and `params` become layers, everything else becomes a
  /// further root. Roots that are not given are undeclared. Values are read as by
  /// ``Layer/init(json:maximumDepth:)-(String,_)``.
  ///
  /// - Throws: ``JSONError`` with the position of the mistake.
  /// - Complexity: O(n). Nesting does not use the stack.
  public init(json text: String, maximumDepth: Int = 128) throws(JSONError) {
    self = try text.withJSONBytes { (bytes) throws(JSONError) -> Context in
      try Context(json: bytes, maximumDepth: maximumDepth)
    }
  }

  /// Creates a context from a JSON object in UTF-8; see ``init(json:maximumDepth:)-(String,_)``.
  public init(
    json bytes: UnsafeBufferPointer<UInt8>, maximumDepth: Int = 128
  ) throws(JSONError) {
    var scanner = JSONScanner(bytes, options: .init(maximumDepth: maximumDepth))
    let first = try scanner.nextToken()
    guard first == .beginObject else {
      throw scanner.shapeError(expected: "an object of variables", found: first)
    }
    var arena = Arena(forJSON: bytes.count)
    // The tables of the three layers, null for an absent layer, followed by the further roots.
    var stack = SlotStack()
    let firstOther = Root.other.index
    for _ in 0..<firstOther { stack.push(.null) }
    while try scanner.nextToken() == .key {
      let root = Root(layerNamed: scanner.stringBytes)
      let key = try scanner.copyString(to: &arena)
      let token = try scanner.nextToken()
      let value = try stack.readValue(token, from: &scanner, in: &arena)
      if let root {
        // The last of repeated names wins, whatever its value.
        stack.removeEntry(key, from: firstOther)
        stack.replace(at: root.index, with: token == .beginObject ? value : .null)
        if token == .beginObject { continue }
      }
      stack.push(key)
      stack.push(value)
    }
    _ = try scanner.nextToken()
    let other =
      stack.count > firstOther
      ? try stack.buildMap(from: firstOther, scanner, in: &arena) : .null
    stack.push(other)
    self.init(storage: .make(stack.layers(in: arena), nil))
  }
}

extension Arena {
  /// Creates an arena for the content of a JSON text of `count` bytes. A member takes about six
  /// times the space of its text.
  fileprivate init(forJSON count: Int) { self.init(firstChunk: 256 &+ 6 &* min(count, 1 << 18)) }
}

/// How JSON becomes attributes.
package struct JSONConversion: Sendable {
  /// Whether null inside an array or object becomes an empty map.
  package var turnsNestedNullIntoEmptyMap = false
  /// A byte that string values lose; it must be ASCII.
  package var removedByte: UInt8?
  /// The first byte of the names of parameters that are passed over.
  package var reservedFirstByte: UInt8?
  /// What null becomes as a parameter.
  package var parameterNull = ParameterNull.null
  /// Whether arrays are passed over as parameters.
  package var dropsListParameters = false

  /// What null becomes as a parameter.
  package enum ParameterNull: Sendable {
    case null
    case emptyMap
    case nothing
  }

  /// Creates rules that change nothing.
  package init() {}
}

/// A stack with the slots of all open containers.
struct SlotStack: ~Copyable {
  private var slots: UnsafeMutablePointer<Slot>
  private var capacity = 128
  private(set) var count = 0
  private let conversion: JSONConversion

  init(conversion: JSONConversion = JSONConversion()) {
    slots = .allocate(capacity: capacity)
    self.conversion = conversion
  }

  deinit { slots.deallocate() }

  /// Removes all slots, keeping the memory.
  mutating func removeAll() { count = 0 }

  @inline(__always)
  mutating func push(_ slot: Slot) {
    if count == capacity { grow() }
    slots[count] = slot
    count &+= 1
  }

  @inline(never)
  private mutating func grow() {
    let larger = UnsafeMutablePointer<Slot>.allocate(capacity: 2 &* capacity)
    larger.update(from: slots, count: count)
    slots.deallocate()
    slots = larger
    capacity &*= 2
  }

  /// Replaces the slot at `index`.
  mutating func replace(at index: Int, with slot: Slot) {
    precondition(index >= 0 && index < count)
    slots[index] = slot
  }

  /// Removes the pair with the key `key`, if any, among the pairs from `start` on.
  mutating func removeEntry(_ key: Slot, from start: Int) {
    for index in stride(from: start, to: count &- 1, by: 2)
    where MapTable.sameKey(slots[index], key, crossNumeric: false) {
      let rest = count &- index &- 2
      (slots + index).update(from: slots + index + 2, count: rest)
      count &-= 2
      return
    }
  }

  /// Returns the layers of the lowest four slots, each a root's table or null. They share the
  /// arena.
  func layers(in arena: consuming Arena) -> Layers {
    var arena = arena
    let user = tables(.user, in: &arena)
    let device = tables(.device, in: &arena)
    let params = tables(.params, in: &arena)
    let other = tables(.other, in: &arena)
    let memory = FrozenArena(arena)
    func layer(_ tables: LayerStorage.Tables?) -> Context.Layer? {
      tables.map { Context.Layer(storage: LayerStorage($0, arena: memory)) }
    }
    return Layers(
      user: layer(user), device: layer(device), params: layer(params), other: layer(other))
  }

  private func tables(_ root: Root, in arena: inout Arena) -> LayerStorage.Tables? {
    let map = slots[root.index]
    return map.isA(.map) ? LayerStorage.Tables(map, in: &arena) : nil
  }

  /// Reads the value that begins with `token`.
  mutating func readValue(
    _ token: JSONToken, from scanner: inout JSONScanner, in arena: inout Arena
  ) throws(JSONError) -> Slot {
    switch token {
    case .beginObject, .beginArray: return try readContainer(from: &scanner, in: &arena)
    default: return try scalar(token, from: &scanner, in: &arena)
    }
  }

  /// Returns what null becomes as a parameter.
  mutating func parameterNull(
    _ scanner: borrowing JSONScanner, in arena: inout Arena
  ) throws(JSONError) -> Slot? {
    switch conversion.parameterNull {
    case .null: .null
    case .emptyMap: try buildMap(from: count, scanner, in: &arena)
    case .nothing: nil
    }
  }

  /// Reads to the end of the container that the scanner has just entered.
  mutating func readContainer(
    from scanner: inout JSONScanner, in arena: inout Arena
  ) throws(JSONError) -> Slot {
    let depth = scanner.depth
    var start = count
    while true {
      if conversion.removedByte == nil { scanner.copyPlainMembers(to: &self, in: &arena) }
      let token = try scanner.nextToken()
      switch token {
      case .key: push(try scanner.copyString(to: &arena))
      case .beginObject, .beginArray:
        // Below a container's slots is the start of the enclosing container.
        push(.int(Int64(start)))
        start = count
      case .endObject, .endArray:
        let slot =
          token == .endObject
          ? try buildMap(from: start, scanner, in: &arena)
          : try buildList(from: start, scanner, in: &arena)
        if scanner.depth < depth { return slot }
        // Building popped the slots down to `start`; the scanner closes only what it has opened.
        start = Int(slots[count &- 1].intValue)
        slots[count &- 1] = slot
      case .null where conversion.turnsNestedNullIntoEmptyMap:
        push(try buildMap(from: count, scanner, in: &arena))
      default: push(try scalar(token, from: &scanner, in: &arena))
      }
    }
  }

  @inline(__always)
  private func scalar(
    _ token: JSONToken, from scanner: inout JSONScanner, in arena: inout Arena
  ) throws(JSONError) -> Slot {
    switch token {
    case .string:
      guard let removed = conversion.removedByte else { return try scanner.copyString(to: &arena) }
      return try scanner.copyString(without: removed, to: &arena)
    case .int: return .int(scanner.intValue)
    case .uint: return .uint(scanner.uintValue)
    case .double: return .double(scanner.doubleValue)
    case .true: return .bool(true)
    case .false: return .bool(false)
    case .null: return .null
    default: throw scanner.shapeError(expected: "a value", found: token)
    }
  }

  private mutating func buildList(
    from start: Int, _ scanner: borrowing JSONScanner, in arena: inout Arena
  ) throws(JSONError) -> Slot {
    let elements = UnsafeBufferPointer(start: slots + start, count: count &- start)
    count = start
    guard let slot = arena.copyList(elements) else { throw scanner.tooLarge() }
    return slot
  }

  /// Builds the table of the pairs from `start` on and pops them.
  mutating func buildMap(
    from start: Int, _ scanner: borrowing JSONScanner, in arena: inout Arena
  ) throws(JSONError) -> Slot {
    let pairs = UnsafeBufferPointer(start: slots + start, count: count &- start)
    count = start
    do {
      return try MapTable.build(
        pairs, duplicates: .lastWins, crossNumeric: false, in: &arena)
    } catch {
      throw scanner.tooLarge()
    }
  }
}

extension JSONScanner {
  /// Copies the current key or string into an arena.
  @inline(__always)
  func copyString(to arena: inout Arena) throws(JSONError) -> Slot {
    // Whole words can be read if the text continues for at least one word after the string.
    let slot =
      if !stringIsDecoded, let base = bytes.baseAddress,
        bytes.count &- stringStart &- stringCount >= 8
      {
        arena.copyWords(from: base + stringStart, count: stringCount)
      } else {
        arena.copy(stringBytes, as: .string)
      }
    guard let slot else { throw tooLarge() }
    return slot
  }

  /// Copies the current string without one of its bytes into an arena.
  @inline(never)
  func copyString(
    without byte: UInt8, to arena: inout Arena
  ) throws(JSONError) -> Slot {
    guard stringBytes.contains(byte) else { return try copyString(to: &arena) }
    let rest = stringBytes.filter { $0 != byte }
    let slot = rest.withUnsafeBufferPointer { arena.copy($0, as: .string) }
    guard let slot else { throw tooLarge() }
    return slot
  }

  /// The error for a document with more than four billion bytes or members in one place.
  func tooLarge() -> JSONError {
    errorAtToken(.unexpectedShape, "the text is too large")
  }
}
