public import ExpressionEngine

extension Simulation {
  /// The result as JSON: `users`, `skipped`, and per placement its audiences with their variants.
  ///
  /// - Parameter skipped: The number of records that were no users.
  public func value(skipped: Int = 0) -> Value {
    let placements = unmatched.map { entry in
      Value(object: [
        "placement": .string(entry.placement), "unmatched": .int(Int64(entry.count)),
        "audiences": .list(
          tallies.filter { $0.placement.isExactly(entry.placement) }.map { tally in
            Value(object: [
              "experiment": .string(tally.experimentID), "tried": .int(Int64(tally.tried)),
              "matched": .int(Int64(tally.matched)),
              "variants": .list(
                tally.variants.map { variant in
                  Value(object: [
                    "id": .string(variant.id), "type": .string(variant.kind.rawValue),
                    "count": .int(Int64(variant.count)),
                  ])
                }),
            ])
          }),
      ])
    }
    return Value(object: [
      "users": .int(Int64(users)), "skipped": .int(Int64(skipped)),
      "placements": .list(placements),
    ])
  }

  /// The result as a table.
  public var text: String {
    var rows: [[String]] = [["placement", "experiment", "variant", "users", "share"]]
    for entry in unmatched {
      var placement = entry.placement
      for tally in tallies where tally.placement.isExactly(entry.placement) {
        rows.append([
          placement, tally.experimentID, "", String(tally.matched), share(tally.matched),
        ])
        placement = ""
        for variant in tally.variants where tally.variants.count > 1 || variant.kind == .holdout {
          let name = variant.id + (variant.kind == .holdout ? " (holdout)" : "")
          rows.append(["", "", name, String(variant.count), share(variant.count)])
        }
      }
      rows.append([placement, "nobody matched", "", String(entry.count), share(entry.count)])
    }
    return Table(rows: rows, rightAligned: [3, 4]).text
  }

  private func share(_ count: Int) -> String {
    guard users > 0 else { return "-" }
    let perMille = (Double(count) * 1_000 / Double(users)).rounded()
    return "\(Int(perMille) / 10).\(Int(perMille) % 10) %"
  }
}

/// Text in columns.
struct Table {
  var rows: [[String]]
  var rightAligned: Set<Int>

  var text: String {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in
      rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    return rows.map { row in
      let cells = row.enumerated().map { column, cell in
        let space = String(repeating: " ", count: widths[column] - cell.count)
        return rightAligned.contains(column) ? space + cell : cell + space
      }
      return trimmedEnd(cells.joined(separator: "  ")) + "\n"
    }.joined()
  }

  private func trimmedEnd(_ text: String) -> String {
    guard let last = text.lastIndex(where: { $0 != " " }) else { return "" }
    return String(text[...last])
  }
}
