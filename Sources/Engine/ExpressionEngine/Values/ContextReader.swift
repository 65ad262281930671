#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(WasmLibc)
  import WasmLibc
#endif

/// Reads many contexts from JSON, keeping only the attributes that given filters read.
///
/// A record is either an object with `user`, `device` and `params`, or a user's attributes alone;
/// it is the former if any of the three is an object. Attributes that no filter reads are skipped:
/// their grammar is checked, but no value is built. The kept attributes have the same order in
/// every context, however the records are written, unless a filter reads a root as a whole.
///
/// The reader reuses its memory for the next record.
package struct ContextReader: ~Copyable {
  /// The attributes of a root to keep: a range of ``names``.
  private struct Selection {
    /// Whether to keep everything, because a filter reads the root as a whole.
    var isWhole = false
    var range = 0..<0
    /// The layer of a record without this root.
    var absent = Context.Layer()
    /// Whether a default was replaced, so that `absent` is out of date.
    var hasFreshDefault = false
    /// The lengths of the names, one bit each; lengths above 63 share a bit.
    var lengths: UInt64 = 0
    /// The first wanted name in the last record.
    var first = 0
    /// The stamp of the last record's values; 0 if it does not have the root.
    var stamp: UInt64 = 0
    /// The last record's values as a map, or ``Slot/absent``.
    var map = Slot.absent
  }

  private var selections: [Selection]
  /// The owner of the names' bytes.
  private let arena: Arena
  /// The wanted names of all roots, as slots in `arena`. Parallel arrays that live as long as the
  /// reader hold the value found in a record and the stamp of that record.
  private let names: UnsafeMutablePointer<Slot>
  private let values: UnsafeMutablePointer<Slot>
  private let stamps: UnsafeMutablePointer<UInt64>
  /// The wanted name that came after each one in the last record.
  private let following: UnsafeMutablePointer<Int32>
  /// The values used for attributes that a record does not have.
  private(set) var defaults: [Value?]
  private var stack: SlotStack
  private var stamp: UInt64 = 0
  /// Whether the roots of records become maps.
  private var buildsMaps = true
  /// The records that have been read into columns.
  var rows: AttributeRows?
  /// Whether the last record was a user's attributes alone; the next one probably is as well.
  private var expectsBareUser = false
  private let maximumDepth: Int
  /// The rules for the values of a record.
  private let conversion: JSONConversion
  /// Whether the last record had a member with the name of a root that is not an object.
  package private(set) var hasMisshapenRoot = false

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - requirements: The attributes that the filters read.
  ///   - userDefaults: The user's attributes for records that do not set them.
  ///   - deviceDefaults: The device's attributes for records that do not set them.
  ///   - conversion: The rules for the values of a record. Defaults are taken as they are.
  ///   - maximumDepth: The maximum nesting depth of arrays and objects in a record.
  package init(
    for requirements: [Requirements], userDefaults: [String: Value] = [:],
    deviceDefaults: [String: Value] = [:], conversion: JSONConversion = JSONConversion(),
    maximumDepth: Int = 128
  ) {
    stack = SlotStack(conversion: conversion)
    self.conversion = conversion
    self.maximumDepth = maximumDepth
    var wanted: [Set<String>] = Array(repeating: [], count: 3)
    selections = Array(repeating: Selection(), count: 3)
    for attribute in requirements.flatMap({ $0.attributes }) {
      if let root = attribute.root.flatMap(Root.init(layerNamed:)) {
        wanted[root.index].insert(attribute.name)
      } else if let root = Root(layerNamed: attribute.name) {
        selections[root.index].isWhole = true
      }
    }
    var arena = Arena(firstChunk: 1024)
    var slots: [Slot] = []
    defaults = []
    for (root, standIns) in [
      (Root.user, userDefaults), (.device, deviceDefaults), (.params, [:]),
    ] {
      if selections[root.index].isWhole { wanted[root.index] = Set(standIns.keys) }
      let first = slots.count
      for name in wanted[root.index].sorted() {
        if root == .params, let reserved = conversion.reservedFirstByte,
          name.utf8.first == reserved
        {
          continue
        }
        // The arena has no limit, so a name always fits.
        guard let slot = arena.copy(name) else { continue }
        slots.append(slot)
        defaults.append(standIns[name])
        selections[root.index].lengths |= 1 << UInt64(min(Int(slot.aux), 63))
      }
      selections[root.index].range = first..<slots.count
      selections[root.index].absent = Context.Layer(
        standIns.filter { wanted[root.index].contains($0.key) })
    }
    self.arena = arena
    let room = max(1, slots.count)
    names = .allocate(capacity: room)
    names.initialize(from: slots, count: slots.count)
    values = .allocate(capacity: room)
    values.initialize(repeating: .null, count: room)
    stamps = .allocate(capacity: room)
    stamps.initialize(repeating: 0, count: room)
    following = .allocate(capacity: room)
    for index in 0..<room { following[index] = Int32(truncatingIfNeeded: index &+ 1) }
  }

  deinit {
    names.deallocate()
    values.deallocate()
    stamps.deallocate()
    following.deallocate()
  }

  /// Returns the number of a wanted name of a root. Records resemble one another, so it is usually
  /// `guess`, the one that followed in the last record.
  @inline(__always)
  private func index(
    of name: UnsafeBufferPointer<UInt8>, _ lengths: UInt64, _ range: Range<Int>, guess: Int
  ) -> Int? {
    guard lengths >> UInt64(min(name.count, 63)) & 1 == 1 else { return nil }
    if range.contains(guess), isName(guess, name) { return guess }
    var index = range.lowerBound
    while index < range.upperBound {
      if isName(index, name) { return index }
      index &+= 1
    }
    return nil
  }

  @inline(__always)
  private func isName(_ index: Int, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
    guard Int(names[index].aux) == name.count, let bytes = name.baseAddress else {
      return name.isEmpty && names[index].aux == 0
    }
    return memcmp(names[index].address, bytes, name.count) == 0
  }

  /// The numbers of the wanted attributes of a root.
  func range(of root: Root) -> Range<Int> { selections[root.index].range }

  /// The name of a wanted attribute.
  func name(_ index: Int) -> String { names[index].text }

  /// Whether a filter reads a root as a whole.
  func isWhole(_ root: Root) -> Bool { selections[root.index].isWhole }

  /// Replaces the default of a user attribute that has one and is read.
  package mutating func setDefault(user name: String, to value: Value) {
    setDefault(name, of: .user, to: value)
  }

  /// Replaces the default of a device attribute that has one and is read.
  package mutating func setDefault(device name: String, to value: Value) {
    setDefault(name, of: .device, to: value)
  }

  private mutating func setDefault(_ name: String, of root: Root, to value: Value) {
    let root = root.index
    var name = name
    let found = name.withUTF8 { bytes in selections[root].range.first { isName($0, bytes) } }
    guard let index = found else { return }
    defaults[index] = value
    selections[root].hasFreshDefault = true
    rows?.setDefault(index, to: value)
  }

  /// Reads a record.
  ///
  /// - Parameters:
  ///   - bytes: One JSON document in UTF-8, an object.
  ///   - hostState: The state passed to host functions; see ``Context/replacing(hostState:)``.
  /// - Throws: ``JSONError`` with the position of the mistake.
  package mutating func read(
    _ bytes: UnsafeBufferPointer<UInt8>, hostState: HostStateValue? = nil
  ) throws(JSONError) -> Context {
    var arena = Arena(firstChunk: 1_024)
    try scan(bytes, buildsMaps: true, in: &arena)
    let user = tables(.user, in: &arena)
    let device = tables(.device, in: &arena)
    let params = tables(.params, in: &arena)
    let memory = FrozenArena(arena)
    func layer(_ root: Root, _ tables: LayerStorage.Tables?) -> Context.Layer {
      tables.map { Context.Layer(storage: LayerStorage($0, arena: memory)) }
        ?? selections[root.index].absent
    }
    return Context(
      storage: .make(
        Layers(
          user: layer(.user, user), device: layer(.device, device), params: layer(.params, params)),
        hostState.map { HostState($0) }))
  }

  /// The tables of a root of the last record; `nil` if it has what a record without the root has.
  private func tables(_ root: Root, in arena: inout Arena) -> LayerStorage.Tables? {
    let map = selections[root.index].map
    return map.isA(.map) ? LayerStorage.Tables(map, in: &arena) : nil
  }

  /// Finds the values of the wanted attributes of a record.
  ///
  /// - Parameter buildsMaps: Whether the roots become maps.
  mutating func scan(
    _ bytes: UnsafeBufferPointer<UInt8>, buildsMaps: Bool, in arena: inout Arena
  ) throws(JSONError) {
    self.buildsMaps = buildsMaps
    hasMisshapenRoot = false
    if expectsBareUser, try scanUser(bytes, unlessRootsAreFound: true, in: &arena) { return }
    expectsBareUser = try !scanRoots(bytes, in: &arena)
    if expectsBareUser { _ = try scanUser(bytes, unlessRootsAreFound: false, in: &arena) }
  }

  private func scanner(
    _ bytes: UnsafeBufferPointer<UInt8>
  ) throws(JSONError) -> JSONScanner {
    var scanner = JSONScanner(bytes, options: .init(maximumDepth: maximumDepth))
    let token = try scanner.nextToken()
    guard token == .beginObject else {
      throw scanner.shapeError(expected: "an object of attributes", found: token)
    }
    return scanner
  }

  /// Forgets the last record.
  private mutating func begin() {
    for root in selections.indices {
      selections[root].stamp = 0
      selections[root].map = .absent
    }
  }

  /// Reads a record with roots. Returns `false` if it has none.
  private mutating func scanRoots(
    _ bytes: UnsafeBufferPointer<UInt8>, in arena: inout Arena
  ) throws(JSONError) -> Bool {
    begin()
    var scanner = try scanner(bytes)
    var hasRoots = false
    while try scanner.nextToken() == .key {
      guard let root = Root(layerNamed: scanner.stringBytes) else {
        try scanner.skipValue()
        continue
      }
      let token = try scanner.nextToken()
      if token == .beginObject {
        hasRoots = true
        _ = try scanMembers(of: root, &scanner, unlessRootsAreFound: false, in: &arena)
      } else {
        hasMisshapenRoot = true
        try scanner.skipRest(of: token)
      }
    }
    _ = try scanner.nextToken()
    if hasRoots { try finish(scanner, in: &arena) }
    return hasRoots
  }

  /// Reads the whole record as a user's attributes. Returns `false` if it turns out to have roots.
  private mutating func scanUser(
    _ bytes: UnsafeBufferPointer<UInt8>, unlessRootsAreFound: Bool, in arena: inout Arena
  ) throws(JSONError) -> Bool {
    begin()
    var scanner = try scanner(bytes)
    guard
      try scanMembers(
        of: .user, &scanner, unlessRootsAreFound: unlessRootsAreFound, in: &arena)
    else { return false }
    _ = try scanner.nextToken()
    try finish(scanner, in: &arena)
    return true
  }

  /// Builds the roots that the record does not have but defaults.
  private mutating func finish(
    _ scanner: borrowing JSONScanner, in arena: inout Arena
  ) throws(JSONError) {
    guard buildsMaps else { return }
    for root in [Root.user, .device]
    where selections[root.index].stamp == 0 && selections[root.index].hasFreshDefault {
      stack.removeAll()
      stamp &+= 1
      try buildMap(of: root, scanner, in: &arena)
    }
  }

  /// Reads the object that the scanner has just entered. Returns `false` if roots are found in it.
  private mutating func scanMembers(
    of root: Root, _ scanner: inout JSONScanner, unlessRootsAreFound: Bool, in arena: inout Arena
  ) throws(JSONError) -> Bool {
    stack.removeAll()
    stamp &+= 1
    let stamp = stamp
    let isWhole = selections[root.index].isWhole
    let range = selections[root.index].range
    let lengths = selections[root.index].lengths
    var guess = selections[root.index].first
    var last: Int?
    while try scanner.nextToken() == .key {
      let isRoot = unlessRootsAreFound && Root(layerNamed: scanner.stringBytes) != nil
      let index = index(of: scanner.stringBytes, lengths, range, guess: guess)
      guard index != nil || isWhole || isRoot else {
        try scanner.skipValue()
        continue
      }
      if let index {
        if let last {
          following[last] = Int32(truncatingIfNeeded: index)
        } else {
          selections[root.index].first = index
        }
        last = index
        guess = Int(following[index])
      }
      if isWhole { stack.push(try scanner.copyString(to: &arena)) }
      let token = try scanner.nextToken()
      if isRoot {
        guard token != .beginObject else { return false }
        hasMisshapenRoot = true
      }
      guard index != nil || isWhole else {
        try scanner.skipRest(of: token)
        continue
      }
      var value: Slot?
      switch token {
      case .beginArray where root == .params && conversion.dropsListParameters && !isWhole:
        try scanner.skipRest(of: token)
      case .null where root == .params && !isWhole:
        value = try stack.parameterNull(scanner, in: &arena)
      default: value = try stack.readValue(token, from: &scanner, in: &arena)
      }
      guard let value else {
        // The last of repeated names wins.
        if let index { stamps[index] = 0 }
        continue
      }
      if isWhole { stack.push(value) }
      if let index {
        values[index] = value
        stamps[index] = stamp
      }
    }
    selections[root.index].stamp = stamp
    if buildsMaps { try buildMap(of: root, scanner, in: &arena) }
    return true
  }

  /// Returns the value of a wanted attribute in the last record, or `nil` if it is not there.
  @inline(__always)
  func value(_ index: Int, of root: Root) -> Slot? {
    let stamp = selections[root.index].stamp
    return stamp != 0 && stamps[index] == stamp ? values[index] : nil
  }

  /// Builds the map of the values found, and of the defaults of the others.
  private mutating func buildMap(
    of root: Root, _ scanner: borrowing JSONScanner, in arena: inout Arena
  ) throws(JSONError) {
    let isWhole = selections[root.index].isWhole
    for index in selections[root.index].range {
      var value: Slot?
      if stamps[index] == stamp {
        // A root that is kept as a whole is on the stack already.
        value = isWhole ? nil : values[index]
      } else if let standIn = defaults[index] {
        value = Slot.make(standIn, in: &arena)
      }
      guard let value else { continue }
      guard let key = arena.copy(names[index].byteBuffer, as: .string) else {
        throw scanner.tooLarge()
      }
      stack.push(key)
      stack.push(value)
    }
    selections[root.index].map = try stack.buildMap(from: 0, scanner, in: &arena)
  }
}
