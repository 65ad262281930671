/// The attributes that filters are evaluated over, frozen for fast reading.
///
/// A context has layers that change at different rates: `user` (long-lived), `device` (rarely
/// changes), `params` (one placement), and any further roots. Each layer is an immutable hash table
/// whose keys are hashed once. Replacing a layer builds only that layer and shares the others.
///
/// Creating a layer takes time proportional to its size; reading an attribute takes one probe. A
/// context is immutable and can be used from many threads at once.
public struct Context: Sendable {
  // Nothing writes to the storage.
  nonisolated(unsafe) let storage: ContextStorage
  /// The addresses of the rows in `storage`, so that reading attributes does not touch the object.
  nonisolated(unsafe) let roots: UnsafePointer<UInt>

  init(storage: ContextStorage) {
    self.storage = storage
    roots = storage.roots
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
      storage: .make(Layers(user: user, device: device, params: params, other: roots), nil))
  }

  /// Creates a context from variables by name.
  ///
  /// Maps with string keys named `user`, `device` and `params` become layers; everything else
  /// becomes a further root. Roots that are not given are undeclared.
  ///
  /// - Complexity: O(size of the variables).
  public init(variables: [String: Value]) {
    var layers = Layers()
    var others: [String: Value] = [:]
    for (name, value) in variables {
      if let root = Root(layerNamed: name), case .map(let entries) = value {
        layers[root] = Layer(entries: entries)
      } else {
        others[name] = value
      }
    }
    layers.other = others.isEmpty ? nil : Layer(others)
    self.init(storage: .make(layers, nil))
  }

  /// Returns a copy with a different `user` layer. The other layers are shared. Constant time.
  public func replacing(user: Layer) -> Context { replacing(user, for: .user) }

  /// Returns a copy with a different `device` layer. The other layers are shared. Constant time.
  public func replacing(device: Layer) -> Context { replacing(device, for: .device) }

  /// Returns a copy with a different `params` layer. The other layers are shared. Constant time.
  public func replacing(params: Layer) -> Context { replacing(params, for: .params) }

  /// Returns a copy with different further roots. The other layers are shared. Constant time.
  public func replacing(roots: Layer) -> Context { replacing(roots, for: .other) }

  private func replacing(_ layer: Layer, for root: Root) -> Context {
    var layers = storage.layers
    layers[root] = layer
    return Context(storage: .make(layers, storage.host))
  }

  /// Returns a copy that passes `hostState` to every host function called during evaluation.
  ///
  /// - Parameter hostState: The data that host functions need besides their arguments, such as an
  ///   event history and a clock.
  public func replacing(hostState: HostStateValue?) -> Context {
    Context(storage: .make(storage.layers, hostState.map { HostState($0) }))
  }

  /// Returns a copy with other layers and another host state, each if it is not `nil`.
  package func replacing(
    user: Layer?, device: Layer?, params: Layer?, hostState: HostStateValue?
  ) -> Context {
    guard user != nil || device != nil || params != nil || hostState != nil else { return self }
    var layers = storage.layers
    if let user { layers[.user] = user }
    if let device { layers[.device] = device }
    if let params { layers[.params] = params }
    return Context(storage: .make(layers, hostState.map { HostState($0) } ?? storage.host))
  }

  /// The value passed to ``replacing(hostState:)``.
  public var hostState: HostStateValue? { storage.hostState }

  /// Returns the value of an attribute.
  ///
  /// - Parameters:
  ///   - root: The variable: `user`, `device`, `params`, or another.
  ///   - names: The names under it, outermost first; empty for the variable itself.
  /// - Returns: A copy of the value, or `nil` if the attribute does not exist.
  package func value(root: String, names: [String]) -> Value? {
    var names = names[...]
    let start =
      Root(layerNamed: root).flatMap { storage.layers[$0]?.storage.map }
      ?? storage.layers.other?.storage.find(root)
    guard var slot = start else { return nil }
    while let name = names.popFirst() {
      guard slot.isA(.map), let member = slot.table.find(name) else { return nil }
      slot = member
    }
    return Value(slot)
  }

  /// Returns a copy of all values, for debugging and display.
  ///
  /// - Complexity: O(size of the context).
  public func snapshot() -> [String: Value] {
    var result: [String: Value] = [:]
    if case .map(let entries)? = storage.layers.other?.value {
      for case (.string(let name), let value) in entries { result[name] = value }
    }
    for root in [Root.user, .device, .params] {
      if let layer = storage.layers[root] { result[root.name] = layer.value }
    }
    return result
  }
}

/// The root under which a name is first looked up.
enum Root: UInt8, CaseIterable {
  case user
  case device
  case params
  /// Any other variable. Its name is a key of the layer of further roots.
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

  init?(layerNamed name: UTF8Bytes) {
    guard name.count <= 7 else { return nil }
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

  /// A name of up to seven bytes in one word. The leading 1 distinguishes it from names with
  /// leading zeros.
  @inline(__always)
  private static func packed(_ name: some Sequence<UInt8>) -> UInt64 {
    name.reduce(1) { $0 << 8 | UInt64($1) }
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

/// The two forms in which a dialect can read the values of a context.
enum ValueForm: UInt8 {
  /// The values as given.
  case asGiven
  /// Bool words as bools and timestamps as seconds; see ``Slot/normalized(in:)``.
  case normalized
}

/// A layer for each root that is present.
struct Layers: Sendable, Equatable {
  var user: Context.Layer?
  var device: Context.Layer?
  var params: Context.Layer?
  var other: Context.Layer?

  subscript(_ root: Root) -> Context.Layer? {
    get {
      switch root {
      case .user: user
      case .device: device
      case .params: params
      case .other: other
      }
    }
    set {
      switch root {
      case .user: user = newValue
      case .device: device = newValue
      case .params: params = newValue
      case .other: other = newValue
      }
    }
  }
}

/// The host state of a context, in a box that contexts share.
final class HostState: Sendable {
  let value: HostStateValue

  init(_ value: HostStateValue) { self.value = value }
}

/// The owners of the memory that ``ContextStorage/roots`` refers to.
struct ContextOwners {
  fileprivate let layers: Layers
  fileprivate let host: HostState?
}

#if hasFeature(Embedded)
  /// Owners, and memory of its own for the addresses: Embedded Swift 6.3 allocates subclasses of
  /// `ManagedBuffer` with a wrong size.
  class ContextMemory {
    let header: ContextOwners
    private let elements: UnsafeMutablePointer<UInt>

    init(_ header: ContextOwners) {
      self.header = header
      elements = .allocate(capacity: ContextStorage.rowCount)
    }

    deinit { elements.deallocate() }

    static func create(_ owners: ContextOwners) -> ContextStorage { ContextStorage(owners) }

    final func withUnsafeMutablePointerToElements<Result>(
      _ body: (UnsafeMutablePointer<UInt>) -> Result
    ) -> Result {
      body(elements)
    }
  }
#else
  typealias ContextMemory = ManagedBuffer<ContextOwners, UInt>

  extension ContextStorage {
    @inline(__always)
    fileprivate static func create(_ owners: ContextOwners) -> ContextStorage {
      // The buffer is created as an object of this class.
      unsafeDowncast(create(minimumCapacity: rowCount) { _ in owners }, to: ContextStorage.self)
    }
  }
#endif

/// The contents of a context: its layers and, in the same allocation, the array that the machine
/// reads, ``ContextStorage/roots``.
///
/// It is shareable because nothing is written after ``make(_:_:)``; its superclass is not declared
/// to be.
final class ContextStorage: ContextMemory {
  static let rootCount = Root.allCases.count

  /// Creates storage for layers.
  static func make(_ layers: Layers, _ host: HostState?) -> ContextStorage {
    let storage = create(ContextOwners(layers: layers, host: host))
    storage.withUnsafeMutablePointerToElements { rows in
      place(layers.user, .user, rows)
      place(layers.device, .device, rows)
      place(layers.params, .params, rows)
      place(layers.other, .other, rows)
      (rows + nullRowIndex).initialize(to: LayerRow.null.address)
    }
    return storage
  }

  @inline(__always)
  private static func place(
    _ layer: Context.Layer?, _ root: Root, _ rows: UnsafeMutablePointer<UInt>
  ) {
    let current = layer?.storage.currentRows() ?? .absent
    (rows + root.index).initialize(to: current.asGiven.address)
    (rows + rootCount + root.index).initialize(to: current.normalized.address)
  }

  /// The index in ``roots`` of the row for decisions that read no attribute.
  static let nullRowIndex = 2 * rootCount
  /// The number of addresses in ``roots``.
  static let rowCount = 2 * rootCount + 1

  /// The addresses of the layers' rows (``LayerRow``): the four roots as given, then normalized,
  /// then ``LayerRow/null``.
  @inline(__always) var roots: UnsafePointer<UInt> {
    // The elements do not move while the object lives.
    withUnsafeMutablePointerToElements { UnsafePointer($0) }
  }

  var layers: Layers { header.layers }

  /// The host state passed to ``Context/replacing(hostState:)``.
  var host: HostState? { header.host }

  var hostState: HostStateValue? { host?.value }
}
