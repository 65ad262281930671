// JSON text becomes layers here: tokens turn into slots, without a `Value` in between.

extension Context.Layer {
  /// Freezes the members of a JSON object.
  ///
  /// Objects become maps with string keys and arrays lists; what is written as an integer becomes an
  /// int, beyond `Int64` a uint, every other number a double. Of repeated names the last one wins.
  ///
  /// - Parameters:
  ///   - text: One JSON document, an object.
  ///   - maximumDepth: How many arrays and objects may enclose one another: 0 ... 1,024.
  /// - Throws: ``JSONError`` with the position of the mistake.
  /// - Complexity: O(n); the nesting does not use the stack.
  public init(json text: String, maximumDepth: Int = 128) throws(JSONError) {
    self = try text.withJSONBytes { (bytes) throws(JSONError) -> Context.Layer in
      try Context.Layer(json: bytes, maximumDepth: maximumDepth)
    }
  }

  /// Freezes the members of a JSON object in UTF-8; see ``init(json:maximumDepth:)-(String,_)``.
  public init(
    json bytes: UnsafeBufferPointer<UInt8>, maximumDepth: Int = 128
  ) throws(JSONError) {
    var scanner = JSONScanner(bytes, options: .init(maximumDepth: maximumDepth))
    let token = try scanner.nextToken()
    guard token == .beginObject else {
      throw scanner.shapeError(expected: "an object of attributes", found: token)
    }
    self = try Context.Layer(
      readingObjectFrom: &scanner, sizeHint: bytes.count, stack: SlotStack())
    _ = try scanner.nextToken()
  }

  /// Freezes the object that `scanner` has just entered.
  fileprivate init(
    readingObjectFrom scanner: inout JSONScanner, sizeHint: Int, stack: consuming SlotStack
  ) throws(JSONError) {
    // A member takes about twice the room in slots and buckets that it takes as text.
    var arena = Arena(firstChunk: 256 &+ 3 &* min(sizeHint, 1 << 20))
    let map = try stack.readLayer(from: &scanner, in: &arena)
    self.init(storage: LayerStorage(map: map, in: arena))
  }
}

extension Context {
  /// Creates a context from a JSON object of variables.
  ///
  /// The objects named `user`, `device` and `params` become layers, everything else further roots;
  /// roots that are not there are undeclared. Values are read as ``Layer/init(json:maximumDepth:)-(String,_)``
  /// reads them.
  ///
  /// - Throws: ``JSONError`` with the position of the mistake.
  /// - Complexity: O(n); the nesting does not use the stack.
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
    var layers = Layers()
    let first = try scanner.nextToken()
    guard first == .beginObject else {
      throw scanner.shapeError(expected: "an object of variables", found: first)
    }
    var others = SlotStack()
    var arena = Arena(firstChunk: 256)
    while try scanner.nextToken() == .key {
      let root = Root(layerNamed: scanner)
      if root == nil { others.push(try scanner.copyString(to: &arena)) }
      let token = try scanner.nextToken()
      if let root {
        // Of repeated names the last one wins, whatever it is.
        others.removeEntry(named: root.name)
        layers[root] = nil
        if token == .beginObject {
          layers[root] = try Layer(
            readingObjectFrom: &scanner, sizeHint: bytes.count, stack: SlotStack())
          continue
        }
        guard let key = arena.copy(root.name) else { throw scanner.tooLarge() }
        others.push(key)
      }
      others.push(try others.readValue(token, from: &scanner, in: &arena))
    }
    _ = try scanner.nextToken()
    if others.count > 0 {
      let map = try others.buildLayer(scanner, in: &arena)
      layers.other = Layer(storage: LayerStorage(map: map, in: arena))
    }
    self.init(storage: .make(layers, nil))
  }
}

extension Root {
  /// The layer that the scanner's current key names.
  init?(layerNamed scanner: borrowing JSONScanner) {
    for root in [Root.user, .device, .params] where scanner.currentStringEquals(root.name) {
      self = root
      return
    }
    return nil
  }
}

/// What becomes of JSON on its way into a filter's context (spec/campaigns.md §6.7).
package struct JSONSanitation: Sendable {
  /// Whether null inside an array or object becomes an empty map.
  package var turnsNestedNullIntoEmptyMap = false
  /// Whether texts that are values lose every `$`.
  package var stripsDollarSigns = false

  /// Creates rules that leave everything as it is.
  package init() {}
}

/// The slots of all containers that are open, and where each of them begins.
struct SlotStack: ~Copyable {
  private struct Open {
    var start: Int
    var isObject: Bool
  }

  private var slots: UnsafeMutablePointer<Slot>
  private var capacity = 64
  private(set) var count = 0
  private var open: [Open] = []
  private let sanitation: JSONSanitation

  init(sanitation: JSONSanitation = JSONSanitation()) {
    slots = .allocate(capacity: capacity)
    self.sanitation = sanitation
  }

  deinit { slots.deallocate() }

  /// Forgets everything, and keeps the memory.
  mutating func removeAll() {
    count = 0
    open.removeAll(keepingCapacity: true)
  }

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

  /// Removes the pair whose key is `name`, if there is one.
  mutating func removeEntry(named name: String) {
    for index in stride(from: 0, to: count &- 1, by: 2) where slots[index].text == name {
      let rest = count &- index &- 2
      (slots + index).update(from: slots + index + 2, count: rest)
      count &-= 2
      return
    }
  }

  /// Reads the value that begins with `token`.
  mutating func readValue(
    _ token: JSONToken, from scanner: inout JSONScanner, in arena: inout Arena
  ) throws(JSONError) -> Slot {
    switch token {
    case .beginObject, .beginArray:
      return try readContainer(isObject: token == .beginObject, from: &scanner, in: &arena)
    default: return try scalar(token, from: &scanner, in: &arena)
    }
  }

  /// Reads to the end of the object that the scanner has just entered; the table is one for a layer.
  mutating func readLayer(
    from scanner: inout JSONScanner, in arena: inout Arena
  ) throws(JSONError) -> Slot {
    while try scanner.nextToken() == .key {
      push(try scanner.copyString(to: &arena))
      let token = try scanner.nextToken()
      push(try readValue(token, from: &scanner, in: &arena))
    }
    return try buildLayer(scanner, in: &arena)
  }

  /// The table of all pairs, in canonical order.
  mutating func buildLayer(
    _ scanner: borrowing JSONScanner, in arena: inout Arena
  ) throws(JSONError) -> Slot {
    CanonicalOrder.sort(UnsafeMutableBufferPointer(start: slots, count: count))
    return try buildMap(from: 0, scanner, in: &arena)
  }

  /// Reads to the end of the container that the scanner has just entered.
  mutating func readContainer(
    isObject: Bool, from scanner: inout JSONScanner, in arena: inout Arena
  ) throws(JSONError) -> Slot {
    let outermost = open.count
    open.append(Open(start: count, isObject: isObject))
    while true {
      let token = try scanner.nextToken()
      switch token {
      case .key: push(try scanner.copyString(to: &arena))
      case .beginObject, .beginArray:
        open.append(Open(start: count, isObject: token == .beginObject))
      case .endObject, .endArray:
        guard let container = open.popLast() else {
          throw scanner.shapeError(expected: "a value", found: token)
        }
        let slot =
          container.isObject
          ? try buildMap(from: container.start, scanner, in: &arena)
          : try buildList(from: container.start, scanner, in: &arena)
        if open.count == outermost { return slot }
        push(slot)
      case .null where sanitation.turnsNestedNullIntoEmptyMap:
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
      return sanitation.stripsDollarSigns
        ? try scanner.copyStringWithoutDollarSigns(to: &arena) : try scanner.copyString(to: &arena)
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

  private mutating func buildMap(
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
    guard let slot = arena.copy(stringBytes, as: .string) else { throw tooLarge() }
    return slot
  }

  /// Copies the current string but its `$` into an arena.
  @inline(never)
  func copyStringWithoutDollarSigns(to arena: inout Arena) throws(JSONError) -> Slot {
    let dollar = UInt8(ascii: "$")
    guard stringBytes.contains(dollar) else { return try copyString(to: &arena) }
    let rest = stringBytes.filter { $0 != dollar }
    let slot = rest.withUnsafeBufferPointer { arena.copy($0, as: .string) }
    guard let slot else { throw tooLarge() }
    return slot
  }

  /// The document has more than four billion bytes or members in one place.
  func tooLarge() -> JSONError {
    errorAtToken(.unexpectedShape, "the text is too large")
  }
}
