import CArrow
import ExpressionEngine

// Reads maps and lists other than plain ones.

extension ArrowReader {
  /// Returns maps, which are lists of entries of a key and a value.
  func maps(
    _ first: Int, _ count: Int, _ depth: Int
  ) throws(ColumnBatchError) -> Column.Storage {
    let bounds = try offsets(isLong: false, first, count)
    let entries = try child
    let (start, length) = try entries.bounds()
    guard count == 0 || bounds.end(first + count - 1) <= length else {
      throw damaged("has maps that end after \(length) entries")
    }
    let parts = try entries.children(first: start, count: length)
    guard parts.count == 2 else { throw damaged("has entries of \(parts.count) parts") }
    let keys = try parts[0].column(depth: depth + 1)
    let values = try parts[1].column(depth: depth + 1)
    return .values { place in
      let range = bounds.range(place)
      var map: [Value.Key: Value] = [:]
      for index in range.first..<(range.first + range.count) {
        guard let key = keys.value(at: keys.start + index).flatMap({ Value.Key($0) }) else {
          continue
        }
        map[key] = values.value(at: values.start + index) ?? .null
      }
      return .map(map)
    }
  }

  /// Returns lists that all have the same number of elements.
  func lists(
    ofSize size: Substring, _ first: Int, _ count: Int, _ depth: Int
  ) throws(ColumnBatchError) -> Column.Storage {
    guard let size = Int(size), size >= 0, size <= 1 << 20 else {
      throw damaged("has lists of `\(format)`")
    }
    let elements = try child.column(depth: depth + 1)
    let (end, overflow) = (first + count).multipliedReportingOverflow(by: size)
    guard !overflow, end <= elements.count else {
      throw damaged("has lists that end after \(elements.count) elements")
    }
    return .values { place in
      .list((0..<size).map { elements.value(at: elements.start + place * size + $0) ?? .null })
    }
  }

  /// Returns lists that are in any order, with a start and a size for each.
  func listViews(_ depth: Int) throws(ColumnBatchError) -> Column.Storage {
    let elements = try child.column(depth: depth + 1)
    let isLong = format == "+vL"
    let firsts = isLong ? nil : try values(1, as: Int32.self)
    let sizes = isLong ? nil : try values(2, as: Int32.self)
    let longFirsts = isLong ? try values(1, as: Int64.self) : nil
    let longSizes = isLong ? try values(2, as: Int64.self) : nil
    nonisolated(unsafe) let range = { (place: Int) -> Range<Int>? in
      let start = firsts.map { Int($0[place]) } ?? longFirsts.map { Int($0[place]) } ?? 0
      let size = sizes.map { Int($0[place]) } ?? longSizes.map { Int($0[place]) } ?? 0
      guard start >= 0, size >= 0, start <= elements.count, size <= elements.count - start
      else { return nil }
      return start..<(start + size)
    }
    return .values { place in
      range(place).map { range in
        .list(range.map { elements.value(at: elements.start + $0) ?? .null })
      }
    }
  }
}
