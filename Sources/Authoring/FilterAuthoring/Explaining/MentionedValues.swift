import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

/// The constants of a filter and the values of the attributes that it reads, with their neighbours:
/// what an attribute may have to be where no single condition says it.
struct MentionedValues {
  private var constants: [Value] = []

  /// The largest number of constants, so that long filters stay cheap.
  private static let limit = 24

  init(_ tree: SyntaxTree, _ context: Context) {
    var seen: Set<Value> = []
    for index in tree.nodes.indices where constants.count < Self.limit {
      let id = NodeID(UInt32(index))
      let value: Value? =
        switch tree[id].kind {
        case .select, .index: tree.attributePath(of: id).flatMap { context.value(at: $0) }
        default: tree.isLiteral(id) ? tree.constant(of: id) : nil
        }
      guard let value, seen.insert(value).inserted else { continue }
      switch value {
      case .map: break
      case .list(let elements):
        constants += [value] + elements.prefix(4)
      default: constants.append(value)
      }
    }
  }

  /// Returns values to try; `nil` removes the attribute.
  func values(current: Value?) -> [Value?] {
    var result: [Value?] = constants.map { Optional($0) }
    let numbers: [Double] = constants.compactMap { $0.plainNumber }
    let offsets: [Double] = [1, -1] + numbers.prefix(6) + numbers.prefix(6).map { -$0 }
    var neighbours: [Value] = []
    for number in numbers {
      for offset in offsets {
        let sum = number + offset
        if sum == sum.rounded(), abs(sum) < 1e15 {
          neighbours.append(.int(Int64(sum)))
        } else if sum.isFinite {
          neighbours.append(.double(sum))
        }
      }
    }
    result += neighbours.prefix(120).map { Optional($0) }
    result += [.bool(true), .bool(false), .int(0), .string(""), .string("a"), .list([]), nil]
    // A filter without constants may need only some element, or a null where nothing is missing.
    result += [.list([.string("a")]), .list([.int(1)]), .null]
    var existing: [Value] = []
    if case .list(let some)? = current { existing = some }
    for element in constants + neighbours.prefix(24) {
      result.append(.list([element]))
      if !existing.isEmpty {
        result.append(.list(existing + [element]))
        result.append(.list(existing.filter { $0 != element }))
      }
    }
    return result
  }
}
