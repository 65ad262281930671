import ExpressionSyntax
import TestSupport

@testable import ExpressionEngine

/// Makes columns of every kind, together with the values that they should have.
struct ColumnGenerator {
  var filters: FilterSetGenerator

  init(seed: UInt64) { filters = FilterSetGenerator(seed: seed) }

  private mutating func values(_ count: Int, _ choices: [Value]) -> [Value?] {
    let missing = filters.pick([0, 0, 3])
    return (0..<count).map { _ in
      filters.number(below: 10) < missing ? nil : filters.pick(choices)
    }
  }

  /// Returns a column of a random kind, and its values.
  mutating func column(_ count: Int) -> (Column, [Value?]) {
    switch filters.number(below: 9) {
    case 0:
      let values = values(count, [.int(0), .int(1), .int(2), .int(-3), .int(10), .int(.max)])
      return (Column(values.map { $0.flatMap(\.intValue) }), values)
    case 1:
      let values = values(
        count, [.double(1.5), .double(2.5), .double(-0.0), .double(.nan), .double(1)])
      return (Column(values.map { $0.flatMap(\.doubleValue) }), values)
    case 2:
      let values = values(count, [.bool(true), .bool(false)])
      return (Column(values.map { $0.flatMap(\.boolValue) }), values)
    case 3, 4:
      let values = values(count, Self.texts)
      return (Column(values.map { $0.flatMap(\.textValue) }), values)
    case 5: return dictionary(count)
    case 6: return lists(count)
    case 7: return slice(count)
    default:
      let values = (0..<count).map { _ in
        filters.number(below: 5) == 0 ? nil : filters.value()
      }
      return (Column(values: values), values)
    }
  }

  static let texts: [Value] = [
    "x", "y", "", "10", "2.5", "true", "false", "xyz", "x0", "z\u{0}", "a longer text than words",
    "k",
  ]

  /// A dictionary, one of whose entries is missing.
  private mutating func dictionary(_ count: Int) -> (Column, [Value?]) {
    var entries: [Value?] = Self.texts
    entries.append(nil)
    let indices = (0..<count).map { _ in
      filters.number(below: 8) == 0 ? nil : filters.number(below: entries.count)
    }
    let texts = Column(entries.map { $0.flatMap(\.textValue) })
    return (
      Column(.dictionary(indices: Column(indices), entries: texts), count: count),
      indices.map { $0.flatMap { entries[$0] } }
    )
  }

  mutating func lists(_ count: Int) -> (Column, [Value?]) {
    var elements: [Value?] = []
    var ends: [Int32] = [0]
    var values: [Value?] = []
    for _ in 0..<count {
      let list = (0..<filters.number(below: 4)).map { _ in filters.pick(Self.texts + [.null]) }
      elements += list.map { $0 == .null ? nil : $0 }
      ends.append(Int32(elements.count))
      values.append(.list(list))
    }
    let memory = UnsafeMutablePointer<Int32>.allocate(capacity: ends.count)
    memory.initialize(from: ends, count: ends.count)
    return (
      Column(
        .list(
          ColumnBounds(UnsafePointer(memory)),
          elements: Column(elements.map { $0.flatMap(\.textValue) })),
        count: count, owner: Freed(memory)),
      values
    )
  }

  /// Ints of 8 bits that start inside of their memory.
  private mutating func slice(_ count: Int) -> (Column, [Value?]) {
    let start = filters.number(below: 70)
    let memory = UnsafeMutablePointer<Int8>.allocate(capacity: start + count)
    for place in 0..<(start + count) {
      memory[place] = Int8(filters.number(below: 8)) - 4
    }
    let column = Column(.int8(memory), count: count, start: start, owner: Freed(memory))
    return (column, (0..<count).map { .int(Int64(memory[start + $0])) })
  }

  private final class Freed: @unchecked Sendable {
    let memory: UnsafeMutableRawPointer
    init(_ memory: UnsafeMutableRawPointer) { self.memory = memory }
    deinit { memory.deallocate() }
  }

  /// Returns a batch, and its users as contexts.
  mutating func batch(_ count: Int) throws -> (ColumnBatch, [Context]) {
    var columns: [AttributePath: Column] = [:]
    var users = [[String: Value]](repeating: [:], count: count)
    var devices = users
    var parameters = users
    var others = users
    for name in ["a", "b", "c", "d"] where filters.number(below: 8) != 0 {
      let (column, values) = column(count)
      columns[AttributePath(root: "user", names: [name])] = column
      for (row, value) in values.enumerated() { users[row][name] = value }
    }
    if filters.number(below: 3) == 0 {
      for row in users.indices {
        devices[row] = ["a": filters.value(), "b": filters.value()]
      }
      columns["device"] = Column(layers: devices.map { Context.Layer($0) })
    } else {
      for name in ["a", "b"] {
        let (column, values) = column(count)
        columns[AttributePath(root: "device", names: [name])] = column
        for (row, value) in values.enumerated() { devices[row][name] = value }
      }
    }
    let (column, values) = column(count)
    columns["params.a"] = column
    for (row, value) in values.enumerated() { parameters[row]["a"] = value }
    let hasVariable = filters.number(below: 3) == 0
    if hasVariable {
      let (column, values) = self.column(count)
      columns["bare"] = column
      for (row, value) in values.enumerated() { others[row]["bare"] = value }
    }
    let contexts = (0..<count).map { row in
      Context(
        user: Context.Layer(users[row]), device: Context.Layer(devices[row]),
        params: Context.Layer(parameters[row]),
        roots: hasVariable ? Context.Layer(others[row]) : nil)
    }
    return (try ColumnBatch(columns), contexts)
  }
}

extension Value {
  fileprivate var intValue: Int? {
    if case .int(let int) = self { Int(int) } else { nil }
  }
  fileprivate var doubleValue: Double? {
    if case .double(let double) = self { double } else { nil }
  }
  fileprivate var boolValue: Bool? {
    if case .bool(let bool) = self { bool } else { nil }
  }
  fileprivate var textValue: String? {
    if case .string(let text) = self { text } else { nil }
  }
}
