/// The users of a chunk as contexts with some of the attributes, made when they are needed.
struct RowContexts {
  /// An attribute of a layer; a class, because a copy for each user costs more than its value.
  private final class Member {
    let name: String
    let column: Column

    init(name: String, column: Column) {
      self.name = name
      self.column = column
    }
  }

  /// The attributes by the index of their root.
  private var members: [[Member]]
  private var contexts: [Context?] = []

  /// - Parameter paths: The attributes; `nil` for all.
  init(_ batch: ColumnBatch, _ paths: Set<AttributePath>?) {
    members = Array(repeating: [], count: ContextStorage.rootCount)
    for (path, column) in batch.columns where paths?.contains(path) ?? true {
      let root = Root(layerNamed: path.root)
      members[(root ?? .other).index].append(
        Member(name: root == nil ? path.root : path.names[0], column: column))
    }
  }

  /// Forgets the users.
  mutating func removeAll() { contexts.removeAll(keepingCapacity: true) }

  /// Returns a user as a context.
  ///
  /// - Parameters:
  ///   - row: The user's place among the rows of the chunk.
  ///   - layers: The layers of the chunk's users, for each root that is given whole.
  mutating func context(
    _ row: Int, of rows: Range<Int>, _ layers: [Root: [Context.Layer?]],
    _ hostState: HostState?
  ) -> Context {
    if contexts.isEmpty { contexts = Array(repeating: nil, count: rows.count) }
    if let context = contexts[row] { return context }
    func layer(_ root: Root) -> Context.Layer {
      if let given = layers[root] { return given[row] ?? Context.Layer() }
      return self.layer(members[root.index], rows.lowerBound &+ row)
    }
    let others = members[Root.other.index].isEmpty ? nil : layer(.other)
    let context = Context(
      storage: .make(
        Layers(user: layer(.user), device: layer(.device), params: layer(.params), other: others),
        hostState))
    contexts[row] = context
    return context
  }

  private static let empty = Context.Layer()

  private func layer(_ members: [Member], _ place: Int) -> Context.Layer {
    guard !members.isEmpty else { return Self.empty }
    return Context.Layer(
      storage: LayerStorage(count: members.count) { pairs, arena in
        for member in members {
          let column = member.column
          let slot = column.slot(at: column.start &+ place, in: &arena)
          guard !slot.isA(.error), let key = arena.copy(member.name) else { continue }
          pairs.append(key, slot)
        }
      })
  }
}
