extension Report.Table {
  /// The table as Markdown: one row per case, one column per subject, each cell the median of
  /// nanoseconds per evaluation, the ratio to the baseline and the allocations, where there are
  /// any.
  package var markdown: String {
    var columns: [String] = []
    for cell in cases.flatMap(\.subjects) where !columns.contains(cell.subject) {
      columns.append(cell.subject)
    }
    var grid = [[name] + columns]
    for row in cases {
      grid.append(
        [row.name]
          + columns.map { column in
            row.subjects.first { $0.subject == column }.map(text) ?? "–"
          })
    }
    if baseline != nil {
      grid.append(
        ["geometric mean"]
          + columns.map { column in
            geometricMeans[column].map { "(\(fixed($0, digits: 2))×)" } ?? "–"
          })
    }
    var lines = align(grid)
    lines.insert(summary + "\n", at: 0)
    return lines.joined(separator: "\n")
  }

  private func text(_ cell: Report.Cell) -> String {
    var text = duration(cell.nsMedian)
    if let ratio = cell.ratio, cell.subject != baseline {
      text += " (\(fixed(ratio, digits: 2))×)"
    }
    if let mallocs = cell.mallocs, mallocs > 0 {
      text += " \(fixed(mallocs, digits: mallocs < 10 ? 1 : 0))m"
    }
    return text
  }

  private func align(_ grid: [[String]]) -> [String] {
    let widths = (grid.first ?? []).indices.map { column in
      grid.map { $0[column].count }.max() ?? 0
    }
    func line(_ cells: [String]) -> String {
      let padded = cells.enumerated().map { column, cell in
        let space = String(repeating: " ", count: widths[column] - cell.count)
        return column == 0 ? cell + space : space + cell
      }
      return "| " + padded.joined(separator: " | ") + " |"
    }
    let rule = widths.enumerated().map { column, width in
      String(repeating: "-", count: column == 0 ? width : max(1, width - 1))
        + (column == 0 ? "" : ":")
    }
    guard let header = grid.first else { return [] }
    return [line(header), line(rule)] + grid.dropFirst().map(line)
  }
}

/// Nanoseconds in the unit that reads best: `12.3`, `4.56 µs`, `7.89 ms`.
func duration(_ nanoseconds: Double) -> String {
  switch nanoseconds {
  case ..<1_000: return fixed(nanoseconds, digits: 1)
  case ..<1_000_000: return fixed(nanoseconds / 1_000, digits: 2) + " µs"
  default: return fixed(nanoseconds / 1_000_000, digits: 2) + " ms"
  }
}

/// A number with a fixed count of decimals, without Foundation.
func fixed(_ value: Double, digits: Int) -> String {
  guard value.isFinite, value.magnitude < 1e15 else { return "\(value)" }
  var scale = 1
  for _ in 0..<digits { scale *= 10 }
  let scaled = Int((value.magnitude * Double(scale)).rounded())
  let sign = value < 0 && scaled > 0 ? "-" : ""
  guard digits > 0 else { return "\(sign)\(scaled)" }
  let fraction = String(scaled % scale)
  let zeros = String(repeating: "0", count: digits - fraction.count)
  return "\(sign)\(scaled / scale).\(zeros)\(fraction)"
}
