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
  }

  private var selections: [Selection]
  /// The owner of the names' bytes.
  private let arena: Arena
  /// The wanted names of all roots, as slots in `arena`. Parallel arrays that live as long as the
  /// reader hold the value found in a record and the stamp of that record.
  private let names: UnsafeMutablePointer<Slot>
  private let values: UnsafeMutablePointer<Slot>
  private let stamps: UnsafeMutablePointer<UInt64>
  /// The values used for attributes that a record does not have.
  private var defaults: [Value?]
  private var stack: SlotStack
  private var stamp: UInt64 = 0
  /// Whether the last record was a user's attributes alone; the next one probably is as well.
  private var expectsBareUser = false
  private let maximumDepth: Int
  /// Whether every parameter must be inspected, because a filter reads one whose name begins with
  /// `$`, or all of them.
  private var readsSpecialParameters = false
  /// Whether the last record may have parameters that an app's placement does not pass on: null, an
  /// array, or a name that begins with `$`.
  package private(set) var hasSpecialParameters = false
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
        // The arena has no limit, so a name always fits.
        guard let slot = arena.copy(name) else { continue }
        slots.append(slot)
        defaults.append(standIns[name])
        if root == .params, let special = conversion.specialFirstByte, name.utf8.first == special {
          readsSpecialParameters = true
        }
        selections[root.index].lengths |= 1 << UInt64(min(Int(slot.aux), 63))
      }
      selections[root.index].range = first..<slots.count
      selections[root.index].absent = Context.Layer(
        standIns.filter { wanted[root.index].contains($0.key) })
    }
    if selections[Root.params.index].isWhole { readsSpecialParameters = true }
    self.arena = arena
    let room = max(1, slots.count)
    names = .allocate(capacity: room)
    names.initialize(from: slots, count: slots.count)
    values = .allocate(capacity: room)
    values.initialize(repeating: .null, count: room)
    stamps = .allocate(capacity: room)
    stamps.initialize(repeating: 0, count: room)
  }

  deinit {
    names.deallocate()
    values.deallocate()
    stamps.deallocate()
  }

  /// Returns the number of a wanted name of a root. Records resemble one another, so it is usually
  /// `guess`.
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

  /// Returns whether any filter reads an attribute of the user.
  package func reads(user name: String) -> Bool { reads(name, of: .user) }

  /// Returns whether any filter reads an attribute of the device.
  package func reads(device name: String) -> Bool { reads(name, of: .device) }

  private func reads(_ name: String, of root: Root) -> Bool {
    let selection = selections[root.index]
    return selection.isWhole || selection.range.contains { names[$0].text == name }
  }

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
    hasSpecialParameters = readsSpecialParameters
    hasMisshapenRoot = false
    if selections[Root.device.index].hasFreshDefault { renewAbsentDevice() }
    if expectsBareUser, let user = try bareUser(bytes, unlessRootsAreFound: true) {
      return context(user: user, hostState: hostState)
    }
    if let layers = try roots(bytes) {
      expectsBareUser = false
      return Context(storage: .make(layers, hostState.map { HostState($0) }))
    }
    expectsBareUser = true
    let user = try bareUser(bytes, unlessRootsAreFound: false)
    return context(user: user ?? selections[Root.user.index].absent, hostState: hostState)
  }

  private func context(user: Context.Layer, hostState: HostStateValue?) -> Context {
    var layers = absentLayers
    layers.user = user
    return Context(storage: .make(layers, hostState.map { HostState($0) }))
  }

  /// The layers of a record without any roots.
  private var absentLayers: Layers {
    Layers(
      user: selections[Root.user.index].absent, device: selections[Root.device.index].absent,
      params: selections[Root.params.index].absent)
  }

  /// Rebuilds the device layer for records without a device. Fresh device defaults are rare; the
  /// user layer is not rebuilt before a record needs it.
  private mutating func renewAbsentDevice() {
    let device = Root.device.index
    var standIns: [String: Value] = [:]
    for index in selections[device].range {
      standIns[names[index].text] = defaults[index]
    }
    selections[device].absent = Context.Layer(standIns)
    selections[device].hasFreshDefault = false
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

  /// Returns the layers of a record with roots, or `nil` if it has no roots.
  private mutating func roots(
    _ bytes: UnsafeBufferPointer<UInt8>
  ) throws(JSONError) -> Layers? {
    var scanner = try scanner(bytes)
    var layers = absentLayers
    var hasRoots = false
    var hasUser = false
    while try scanner.nextToken() == .key {
      guard let root = Root(layerNamed: scanner.stringBytes) else {
        try scanner.skipValue()
        continue
      }
      let token = try scanner.nextToken()
      if token == .beginObject {
        hasRoots = true
        if root == .user { hasUser = true }
        layers[root] = try layer(root, &scanner, unlessRootsAreFound: false)
      } else {
        hasMisshapenRoot = true
        try scanner.skipRest(of: token)
      }
    }
    _ = try scanner.nextToken()
    guard hasRoots else { return nil }
    if !hasUser, selections[Root.user.index].hasFreshDefault {
      stack.removeAll()
      stamp &+= 1
      layers.user = try finish(.user, scanner, Arena(firstChunk: 512))
    }
    return layers
  }

  /// Reads the whole record as a user's attributes. Returns `nil` if it turns out to have roots.
  private mutating func bareUser(
    _ bytes: UnsafeBufferPointer<UInt8>, unlessRootsAreFound: Bool
  ) throws(JSONError) -> Context.Layer? {
    var scanner = try scanner(bytes)
    let user = try layer(.user, &scanner, unlessRootsAreFound: unlessRootsAreFound)
    if user != nil { _ = try scanner.nextToken() }
    return user
  }

  /// Reads the object that the scanner has just entered.
  private mutating func layer(
    _ root: Root, _ scanner: inout JSONScanner, unlessRootsAreFound: Bool
  ) throws(JSONError) -> Context.Layer? {
    stack.removeAll()
    stamp &+= 1
    var arena = Arena(firstChunk: 512)
    let isWhole = selections[root.index].isWhole
    let range = selections[root.index].range
    let lengths = selections[root.index].lengths
    var guess = range.lowerBound
    while try scanner.nextToken() == .key {
      let isRoot = unlessRootsAreFound && Root(layerNamed: scanner.stringBytes) != nil
      let index = index(of: scanner.stringBytes, lengths, range, guess: guess)
      guard index != nil || isWhole || isRoot else {
        try scanner.skipValue()
        continue
      }
      if isWhole { stack.push(try scanner.copyString(to: &arena)) }
      let token = try scanner.nextToken()
      if isRoot {
        guard token != .beginObject else { return nil }
        hasMisshapenRoot = true
      }
      guard index != nil || isWhole else {
        try scanner.skipRest(of: token)
        continue
      }
      if root == .params, token == .beginArray || token == .null { hasSpecialParameters = true }
      let value = try stack.readValue(token, from: &scanner, in: &arena)
      if isWhole { stack.push(value) }
      if let index {
        values[index] = value
        stamps[index] = stamp
        guess = index &+ 1
      }
    }
    return try finish(root, scanner, arena)
  }

  /// Builds the layer of the values found.
  private mutating func finish(
    _ root: Root, _ scanner: borrowing JSONScanner, _ arena: consuming Arena
  ) throws(JSONError) -> Context.Layer {
    try addSelected(root, scanner, in: &arena)
    let map = try stack.buildMap(from: 0, scanner, in: &arena)
    return Context.Layer(storage: LayerStorage(map: map, in: arena))
  }

  /// Pushes the values found, and the defaults of the others.
  private mutating func addSelected(
    _ root: Root, _ scanner: borrowing JSONScanner, in arena: inout Arena
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
  }
}
