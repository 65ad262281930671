/// The attributes that filters are evaluated over, frozen for fast reading.
///
/// A context has layers that change at different speeds: `user` (long-lived), `device` (changes
/// rarely), `params` (one placement), and any further roots. Each layer is an immutable hash table
/// whose keys were hashed once; replacing a layer builds only that layer and shares the others.
///
/// Freezing costs time proportional to the layer, reading an attribute one probe. A context is
/// immutable and may be used from many threads at once.
public struct Context: Sendable {
  let storage: ContextStorage
  /// The row of table addresses in `storage`, so that reading attributes does not touch the object.
  nonisolated(unsafe) let roots: UnsafePointer<UInt>

  init(storage: ContextStorage) {
    self.storage = storage
    roots = UnsafePointer(storage.roots)
  }

  /// Creates a context from layers.
  ///
  /// - Parameters:
  ///   - user: The attributes under `user`; `nil` leaves the root undeclared.
  ///   - device: The attributes under `device`; `nil` leaves the root undeclared.
  ///   - params: The attributes under `params`; `nil` leaves the root undeclared.
  ///   - roots: Further variables by name.
  public init(
    user: Layer? = Layer(), device: Layer? = Layer(), params: Layer? = Layer(),
    roots: Layer? = nil
  ) {
    self.init(
      storage: ContextStorage(layers: [user, device, params, roots], hostState: nil))
  }

  /// Creates a context from variables by name.
  ///
  /// Maps with string keys named `user`, `device` and `params` become layers; everything else becomes
  /// a further root. Roots that are not given are undeclared.
  ///
  /// - Complexity: O(size of the variables).
  public init(variables: [String: Value]) {
    var layers: [Layer?] = [nil, nil, nil, nil]
    var others: [String: Value] = [:]
    for (name, value) in variables {
      if let root = Root(layerNamed: name), case .map(let entries) = value {
        layers[root.index] = Layer(entries: entries)
      } else {
        others[name] = value
      }
    }
    layers[Root.other.index] = others.isEmpty ? nil : Layer(others)
    self.init(storage: ContextStorage(layers: layers, hostState: nil))
  }

  /// A copy with another `user` layer. The other layers are shared. Constant time.
  public func replacing(user: Layer) -> Context { replacing(user, for: .user) }

  /// A copy with another `device` layer. The other layers are shared. Constant time.
  public func replacing(device: Layer) -> Context { replacing(device, for: .device) }

  /// A copy with another `params` layer. The other layers are shared. Constant time.
  public func replacing(params: Layer) -> Context { replacing(params, for: .params) }

  /// A copy with other values of the further roots. The other layers are shared. Constant time.
  public func replacing(roots: Layer) -> Context { replacing(roots, for: .other) }

  private func replacing(_ layer: Layer, for root: Root) -> Context {
    Context(storage: storage.replacing(layer, at: root.index))
  }

  /// A copy that hands `hostState` to every host function called while it is evaluated.
  ///
  /// - Parameter hostState: What host functions need beside their arguments, such as an event
  ///   history and a clock.
  public func with(hostState: (any Sendable)?) -> Context {
    Context(storage: ContextStorage(layers: storage.layers, hostState: hostState))
  }

  /// What ``with(hostState:)`` was given.
  public var hostState: (any Sendable)? { storage.hostState }

  /// All values, copied out, for debugging and for showing to people.
  ///
  /// - Complexity: O(size of the context).
  public func snapshot() -> [String: Value] {
    var result: [String: Value] = [:]
    if let roots = storage.layers[Root.other.index], case .map(let entries) = roots.value {
      for case (.string(let name), let value) in entries { result[name] = value }
    }
    for root in [Root.user, .device, .params] {
      if let layer = storage.layers[root.index] { result[root.name] = layer.value }
    }
    return result
  }
}

/// Where a name's value is looked up first.
enum Root: UInt8, CaseIterable {
  case user
  case device
  case params
  /// Any other variable; its name is a key of the layer of further roots.
  case other

  var index: Int { Int(rawValue) }

  var name: String {
    switch self {
    case .user: "user"
    case .device: "device"
    case .params: "params"
    case .other: ""
    }
  }

  init?(layerNamed name: ArraySlice<UInt8>) {
    guard name.count <= 8 else { return nil }
    switch Self.packed(name) {
    case Self.packedUser: self = .user
    case Self.packedDevice: self = .device
    case Self.packedParams: self = .params
    default: return nil
    }
  }

  private static let packedUser = packed(user.name.utf8)
  private static let packedDevice = packed(device.name.utf8)
  private static let packedParams = packed(params.name.utf8)

  /// A short name in one word.
  @inline(__always)
  private static func packed(_ name: some Sequence<UInt8>) -> UInt64 {
    name.reduce(0) { $0 << 8 | UInt64($1) }
  }

  init?(layerNamed name: String) {
    switch name {
    case "user": self = .user
    case "device": self = .device
    case "params": self = .params
    default: return nil
    }
  }
}

/// The two ways in which a dialect may read the values of a context.
enum ValueForm: UInt8 {
  /// As they were given.
  case asGiven
  /// With bool words as bools and timestamps as seconds; see ``Slot/normalized(in:)``.
  case normalized
}

/// What a context owns: its layers, and the table of their addresses that the machine reads.
final class ContextStorage: Sendable {
  let layers: [Context.Layer?]
  let hostState: (any Sendable)?
  /// The addresses of the layers' map tables or 0: the four roots as given, then normalized; behind
  /// them the shapes of the four, packed into a word, for both forms, 0 where one has no shape.
  ///
  /// The tables belong to `layers`. The row is written once, in `init`, and freed in `deinit`, which
  /// is why it may be shared.
  nonisolated(unsafe) let roots: UnsafeMutablePointer<UInt>

  static let rootCount = Root.allCases.count

  init(layers: [Context.Layer?], hostState: (any Sendable)?) {
    self.layers = layers
    self.hostState = hostState
    roots = .allocate(capacity: 2 * Self.rootCount + 2)
    for form in [ValueForm.asGiven, .normalized] {
      let first = Int(form.rawValue) * Self.rootCount
      var shapes: UInt64 = 0
      var areKnown = true
      for index in 0..<Self.rootCount {
        let layer = index < layers.count ? layers[index] : nil
        roots[first + index] = layer?.storage.address(form) ?? 0
        let shape = layer?.storage.shape(form) ?? .absent
        areKnown = areKnown && shape != .none
        shapes = shapes << 16 | UInt64(shape.number)
      }
      roots[Self.shapesIndex(form)] = areKnown ? UInt(shapes) : 0
    }
  }

  /// Where in ``roots`` the packed shapes of a form are.
  static func shapesIndex(_ form: ValueForm) -> Int { 2 * rootCount + Int(form.rawValue) }

  deinit { roots.deallocate() }

  func replacing(_ layer: Context.Layer, at index: Int) -> ContextStorage {
    var layers = layers
    layers[index] = layer
    return ContextStorage(layers: layers, hostState: hostState)
  }
}
