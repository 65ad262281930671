/// The formulas of a set as bit rows with one bit per filter, for sets whose attributes have few
/// constants.
///
/// A filter is true if all of its clauses are true, and a clause is true if any of its conditions
/// is. Most clauses are a single condition. For these there is a row for every position on the line
/// of every attribute, with the filters that the position does not make false. An evaluation
/// intersects one row of each attribute. Clauses of several conditions are stored in planes, with
/// at most one clause of a filter in each: a row has the filters whose clause the position makes
/// true, and an evaluation forms the union of the rows of all attributes.
///
/// The work is a few words for each attribute of the set, whatever is true. It needs neither a
/// queue nor branches that depend on values, so it is several times faster than a ``FilterGraph``
/// as long as there are few rows.
struct FilterBitmap {
  /// The rows of an attribute or a test, one for each position or for both results.
  struct Rows: BitwiseCopyable {
    /// The number of the row for position 0, or -1.
    var required = -1
    /// The corresponding row in each plane.
    var planes = SIMD4<Int32>(repeating: -1)
  }

  /// The maximum number of clauses with several conditions in a filter.
  static let maximumPlanes = 4
  /// The maximum number of positions on all lines. Each needs a row, and a further one in each of
  /// its planes.
  static let maximumPlaces = 1024
  /// The maximum number of rows. A row takes an eighth of a byte per filter.
  static let maximumRows = 4 * maximumPlaces

  let wordCount: Int
  let planeCount: Int
  /// The rows of each attribute, in the order of ``FilterGraph/attributes``.
  let attributes: UnsafeBufferPointer<Rows>
  /// The rows of each test, in the order of ``FilterGraph/tests``.
  let tests: UnsafeBufferPointer<Rows>
  let words: UnsafeBufferPointer<UInt64>
  /// The filters that are not always false, then for each plane the filters without a clause in it.
  let initial: UnsafeBufferPointer<UInt64>
  /// The filters that must be evaluated when their formula is true.
  let checked: UnsafeBufferPointer<UInt64>
  /// For each filter its number, or its marked number among the checked filters.
  let filters: UnsafeBufferPointer<UInt32>

  /// Applies the rows of a position.
  ///
  /// - Parameters:
  ///   - rows: The rows of an attribute, or of a test.
  ///   - index: The position, or 1 if the test holds.
  ///   - result: The filters that may still be true, then the planes.
  @inline(__always)
  func join(_ rows: Rows, _ index: Int, _ result: UnsafeMutablePointer<UInt64>) {
    let words = words.baseAddress.unsafelyUnwrapped
    if rows.required >= 0 {
      let row = words + (rows.required &+ index) &* wordCount
      for word in 0..<wordCount { result[word] &= row[word] }
    }
    for plane in 0..<planeCount where rows.planes[plane] >= 0 {
      let row = words + (Int(rows.planes[plane]) &+ index) &* wordCount
      let target = result + (plane &+ 1) &* wordCount
      for word in 0..<wordCount { target[word] |= row[word] }
    }
  }

  /// Keeps in `result` the filters whose clauses are all true.
  @inline(__always)
  func finish(_ result: UnsafeMutablePointer<UInt64>) {
    for plane in 0..<planeCount {
      let clauses = result + (plane &+ 1) &* wordCount
      for word in 0..<wordCount { result[word] &= clauses[word] }
    }
  }
}

/// Builds a ``FilterBitmap``.
struct FilterBitmapBuilder {
  /// What a condition depends on: an attribute, or a test by itself.
  private enum Subject: Equatable {
    case attribute(Int)
    case test(UInt32)
  }

  private let wordCount: Int
  /// For each condition node, the filters that need it, and those with the node in a clause of a
  /// plane, as bits.
  private var required: [UInt32: [UInt64]] = [:]
  private var inPlane: [[UInt32: [UInt64]]] = []
  /// The conditions that replace several of one attribute, numbered after the nodes.
  private var merged: [(attribute: Int, positions: MutablePositionSet)] = []
  private var initial: [UInt64]
  private var words: [UInt64] = []
  private var attributes: [FilterBitmap.Rows] = []
  private var tests: [FilterBitmap.Rows] = []
  private var filters: [UInt32] = []
  private var checked: [UInt64]

  /// - Returns: `nil` if a filter has too many clauses, or the attributes too many constants.
  init?(_ builder: borrowing FilterGraphBuilder, _ layout: FilterGraphLayout) {
    let count = builder.roots.count
    wordCount = (count + 63) / 64
    let places = builder.lines.reduce(0) { $0 + Int($1.count) }
    guard places <= FilterBitmap.maximumPlaces else { return nil }
    initial = [UInt64](repeating: 0, count: wordCount)
    checked = initial
    var checkedNumber: UInt32 = 0
    for (filter, root) in builder.roots.enumerated() {
      guard let clauses = Self.clauses(root, builder, depth: 0) else { return nil }
      if !clauses.contains([]) { initial[filter / 64] |= 1 << UInt64(filter % 64) }
      guard add(clauses, of: filter, builder) else { return nil }
      if builder.reader.coverage[filter].isChecked {
        checked[filter / 64] |= 1 << UInt64(filter % 64)
        filters.append(checkedNumber | FilterGraph.isChecked)
        checkedNumber += 1
      } else {
        filters.append(builder.firstFilter &+ UInt32(truncatingIfNeeded: filter))
      }
    }
    for attribute in builder.lines.indices { makeRows(ofAttribute: attribute, builder) }
    for test in layout.tests { makeRows(of: test, builder) }
    guard words.count <= FilterBitmap.maximumRows * wordCount else { return nil }
    for plane in inPlane {
      var without = [UInt64](repeating: .max, count: wordCount)
      for row in plane.values {
        for word in without.indices { without[word] &= ~row[word] }
      }
      initial += without
    }
  }

  /// The total size in bytes, including the maximum padding of each row.
  var byteCount: Int {
    8 * (words.count + initial.count + checked.count) + 4 * filters.count
      + MemoryLayout<FilterBitmap.Rows>.stride * (attributes.count + tests.count) + 256
  }

  /// Moves everything into memory.
  consuming func finish(in arena: inout Arena) -> FilterBitmap {
    FilterBitmap(
      wordCount: wordCount, planeCount: inPlane.count, attributes: arena.copyRow(attributes),
      tests: arena.copyRow(tests), words: arena.copyRow(words), initial: arena.copyRow(initial),
      checked: arena.copyRow(checked), filters: arena.copyRow(filters))
  }

  // MARK: Clauses

  private static let maximumClauses = 64

  /// Returns the clauses of a node, each a list of conditions, or `nil` if there are too many.
  private static func clauses(
    _ id: UInt32, _ builder: borrowing FilterGraphBuilder, depth: Int
  ) -> [[UInt32]]? {
    let (isAnd, operands): (Bool, GraphNode.Operands)
    switch builder.nodes[Int(id)] {
    case .positions, .test: return [[id]]
    case .and(let all): (isAnd, operands) = (true, all)
    case .or(let any): (isAnd, operands) = (false, any)
    }
    guard depth < 16 else { return nil }
    var result: [[UInt32]] = isAnd ? [] : [[]]
    for operand in operands {
      guard let child = clauses(operand, builder, depth: depth + 1) else { return nil }
      result =
        isAnd
        ? result + child : result.flatMap { one in child.map { other in one + other } }
      guard result.count <= maximumClauses else { return nil }
    }
    return result
  }

  private mutating func add(
    _ clauses: [[UInt32]], of filter: Int, _ builder: borrowing FilterGraphBuilder
  ) -> Bool {
    let bit: UInt64 = 1 << UInt64(filter % 64)
    // Rows change by single bits, so that a filter, or a clause, has one condition of an attribute.
    var needed: [UInt32] = []
    var plane = 0
    for clause in clauses where !clause.isEmpty {
      let conditions = merge(clause, isUnion: true, builder)
      guard conditions.count > 1 else {
        needed += conditions
        continue
      }
      guard plane < FilterBitmap.maximumPlanes else { return false }
      if plane == inPlane.count { inPlane.append([:]) }
      for id in conditions {
        inPlane[plane][id, default: [UInt64](repeating: 0, count: wordCount)][filter / 64] |= bit
      }
      plane += 1
    }
    for id in merge(needed, isUnion: false, builder) {
      required[id, default: [UInt64](repeating: 0, count: wordCount)][filter / 64] |= bit
    }
    return true
  }

  // MARK: Conditions

  /// Returns conditions with one for each subject: the positions where any of its conditions holds,
  /// or all of them.
  private mutating func merge(
    _ conditions: [UInt32], isUnion: Bool, _ builder: borrowing FilterGraphBuilder
  ) -> [UInt32] {
    var result: [UInt32] = []
    for id in conditions {
      let subject = subject(id, builder)
      guard let known = result.firstIndex(where: { self.subject($0, builder) == subject }) else {
        result.append(id)
        continue
      }
      guard result[known] != id, case .attribute(let attribute) = subject else { continue }
      var both = MutablePositionSet()
      withPositions(result[known], builder) { one in
        withPositions(id, builder) { other in
          if isUnion {
            both.append(unionOf: one, other)
          } else {
            both.append(intersectionOf: one, other)
          }
        }
      }
      result[known] = UInt32(truncatingIfNeeded: builder.nodes.count + merged.count)
      merged.append((attribute, both))
    }
    return result
  }

  private func subject(_ id: UInt32, _ builder: borrowing FilterGraphBuilder) -> Subject? {
    let number = Int(id) - builder.nodes.count
    if number >= 0 { return .attribute(merged[number].attribute) }
    switch builder.nodes[Int(id)] {
    case .positions(let attribute, _): return .attribute(attribute)
    case .test(let condition): return .test(condition)
    case .and, .or: return nil
    }
  }

  /// Calls `body` with the positions where a condition on an attribute holds.
  private func withPositions(
    _ id: UInt32, _ builder: borrowing FilterGraphBuilder, _ body: (PositionSet) -> Void
  ) {
    let number = Int(id) - builder.nodes.count
    if number >= 0 {
      merged[number].positions.withView(body)
    } else {
      body(builder.nodes.positions(of: id))
    }
  }

  // MARK: Rows

  private mutating func makeRows(
    ofAttribute attribute: Int, _ builder: borrowing FilterGraphBuilder
  ) {
    let subject = Subject.attribute(attribute)
    let count = Int(builder.lines[attribute].count)
    var rows = FilterBitmap.Rows()
    let own = required.filter { self.subject($0.key, builder) == subject }
    if !own.isEmpty { rows.required = append(own, positions: count, isRequired: true, builder) }
    for plane in inPlane.indices {
      let own = inPlane[plane].filter { self.subject($0.key, builder) == subject }
      guard !own.isEmpty else { continue }
      rows.planes[plane] = Int32(append(own, positions: count, isRequired: false, builder))
    }
    attributes.append(rows)
  }

  /// Appends a row for each position. Consecutive rows differ only in the conditions that begin or
  /// end at the position.
  private mutating func append(
    _ conditions: [UInt32: [UInt64]], positions: Int, isRequired: Bool,
    _ builder: borrowing FilterGraphBuilder
  ) -> Int {
    var changes = [[UInt32]](repeating: [], count: positions + 1)
    var row = [UInt64](repeating: isRequired ? .max : 0, count: wordCount)
    for (id, filters) in conditions {
      // No condition holds before the first position.
      if isRequired { for word in row.indices { row[word] &= ~filters[word] } }
      withPositions(id, builder) { positions in
        for run in positions {
          changes[Int(run.lowerBound)].append(id)
          changes[Int(run.upperBound) + 1].append(id)
        }
      }
    }
    let first = words.count / wordCount
    for position in 0..<positions {
      for id in changes[position] {
        guard let filters = conditions[id] else { continue }
        for word in row.indices { row[word] ^= filters[word] }
      }
      words += row
    }
    return first
  }

  private mutating func makeRows(
    of test: FilterGraph.Test, _ builder: borrowing FilterGraphBuilder
  ) {
    let node = builder.conditionNodes[Int(test.condition)].node
    var rows = FilterBitmap.Rows()
    if let filters = required[node] {
      rows.required = words.count / wordCount
      words += filters.map { ~$0 }
      words += [UInt64](repeating: .max, count: wordCount)
    }
    for plane in inPlane.indices {
      guard let filters = inPlane[plane][node] else { continue }
      rows.planes[plane] = Int32(words.count / wordCount)
      words += [UInt64](repeating: 0, count: wordCount)
      words += filters
    }
    tests.append(rows)
  }
}
