public import ExpressionEngine

extension Simulation {
  /// Counts many users given as columns, as if each of them had been added as a context.
  ///
  /// Columns are read as the parameters, the device and the user of a registration are: values are
  /// sanitized, and attributes that a user does not have are those of a new user.
  ///
  /// - Throws: `ColumnBatchError` if a column cannot be read.
  /// - Complexity: O(users × conditions / 64), and more for placements whose filters need a whole user.
  public func add(_ users: ColumnBatch) throws(ColumnBatchError) {
    guard let columns = sanitized(users) else {
      for row in 0..<users.rowCount { add(users.context(at: row)) }
      return
    }
    countColumns()
    let completed = completed(columns, users.rowCount)
    counter.count(columnTrial, try ColumnBatch(completed, rowCount: users.rowCount))
  }

  /// The columns as filters may see them; `nil` if users must be tried one by one.
  private func sanitized(_ users: ColumnBatch) -> [AttributePath: Column]? {
    guard !counter.needsRecords, !users.hasLayers else { return nil }
    let sanitizer = campaigns.sanitizer
    func isStripped(_ column: Column) -> Bool {
      sanitizer.options.stripsDollarSigns
        && column.mayHaveTexts(with: SanitationRules.reservedByte)
    }
    var columns: [AttributePath: Column] = [:]
    for (path, column) in users.columns {
      guard path.root == "params" else {
        let isPlain = path.names.isEmpty || !(isStripped(column) || column.mayNeedConversion)
        columns[path] = isPlain ? column : column.mapValues { sanitizer.contextValue($0) }
        continue
      }
      // A parameter that is not finite may make all filters false.
      if column.mayNest || column.hasNonFinite { return nil }
      guard let name = path.names.first, SanitationRules.acceptsName(name) else { continue }
      columns[path] =
        isStripped(column) ? column.mapValues { sanitizer.contextValue($0) } : column
    }
    return columns
  }

  /// The columns with the attributes of users who do not bring them along.
  private func completed(
    _ columns: [AttributePath: Column], _ count: Int
  ) -> [AttributePath: Column] {
    var columns = columns
    func complete(_ path: AttributePath, with value: @escaping @Sendable (Int) -> Value) {
      guard reads(path) else { return }
      columns[path] =
        columns[path]?.filled(with: value) ?? Column(values: (0..<count).map { value($0) })
    }
    for (path, value) in defaults where reads(path) && !Self.drawn.contains(path) {
      columns[path] =
        columns[path]?.filled { _ in value } ?? Column(repeating: value, count: count)
    }
    if reads(Self.seed), columns[Self.seed]?.mayLack ?? true {
      let seeds = (0..<count).map { _ in
        Value.int(Int64(random.uniform(below: UserIdentity.seedCount)))
      }
      complete(Self.seed) { seeds[$0] }
    }
    if filtersReadAlias {
      let sanitizer = campaigns.sanitizer
      let aliases = (0..<count).map { _ in
        sanitizer.contextValue(.string(UserIdentity.aliasPrefix + random.uuid()))
      }
      complete(Self.alias) { aliases[$0] }
      complete(Self.aliases) { .list([aliases[$0]]) }
    }
    return columns
  }

  private static let seed = AttributePath(root: "user", names: ["seed"])
  private static let alias = AttributePath(root: "user", names: ["aliasId"])
  private static let aliases = AttributePath(
    root: "device", names: [DerivedAttribute.aliases.rawValue])
  /// The attributes that are drawn for each user.
  private static let drawn: Set<AttributePath> = [seed, alias, aliases]
}
