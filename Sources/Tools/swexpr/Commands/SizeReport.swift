import AudienceFilters
import AudienceTable
import CampaignCore
import ExpressionCoding
import ExpressionEngine
import FilterSQL

/// The counts of a campaign's audiences, as a table and as bars.
struct SizeReport {
  let placements: [CampaignQuery.Placement]
  /// The number of all rows.
  private let total: Int
  private let seconds: Double
  private let countsVariants: Bool
  /// The counts of audiences and of their variants; those that are not known are absent.
  private var counts: [Key: Int] = [:]

  private struct Key: Hashable {
    let placement: String
    let audience: Int?
    let share: CampaignQuery.Share?
  }

  /// Creates the report of a query.
  ///
  /// - Parameter counts: The number of all rows, followed by the value of each column of the query.
  init(
    placements: [CampaignQuery.Placement], query: CampaignQuery, counts: [Int], seconds: Double
  ) {
    self.placements = placements
    self.seconds = seconds
    total = counts.first ?? 0
    countsVariants = query.countsVariants
    for (column, count) in zip(query.columns, counts.dropFirst()) {
      self.counts[
        Key(placement: column.placement, audience: column.audience, share: column.share)] = count
    }
  }

  /// Creates the report of a document of ``Simulation/value(skipped:)`` with its seconds.
  ///
  /// - Throws: ``InputError`` if it is not such a document.
  init(
    placements: [CampaignQuery.Placement], document: [Value.Key: Value]
  ) throws(InputError) {
    self.placements = placements
    countsVariants = true
    guard case .int(let users)? = document["users"],
      case .double(let seconds)? = document["seconds"],
      case .list(let entries)? = document["placements"]
    else { throw InputError("the package returned no counts") }
    total = Int(users)
    self.seconds = seconds
    for entry in entries.compactMap(\.objectValue) {
      guard case .string(let placement)? = entry["placement"],
        case .list(let audiences)? = entry["audiences"]
      else { continue }
      func note(_ value: Value?, _ audience: Int?, _ share: CampaignQuery.Share? = nil) {
        guard case .int(let count)? = value else { return }
        counts[Key(placement: placement, audience: audience, share: share)] = Int(count)
      }
      note(entry["unmatched"], nil)
      for (index, audience) in audiences.compactMap(\.objectValue).enumerated() {
        note(audience["matched"], index)
        guard case .list(let variants)? = audience["variants"] else { continue }
        for (position, variant) in variants.compactMap(\.objectValue).enumerated() {
          note(variant["count"], index, .variant(position))
        }
      }
    }
  }

  /// Adds the counts of a placement that the engine has evaluated. Rows that it was not given match
  /// no audience.
  mutating func add(_ simulation: Simulation, for placement: CampaignQuery.Placement) {
    var matched = 0
    for tally in simulation.tallies {
      matched += tally.matched
      counts[Key(placement: placement.name, audience: tally.index, share: nil)] = tally.matched
      for (position, variant) in tally.variants.enumerated() {
        counts[
          Key(placement: placement.name, audience: tally.index, share: .variant(position))] =
          variant.count
      }
    }
    counts[Key(placement: placement.name, audience: nil, share: nil)] = total - matched
  }

  private func count(
    _ placement: String, _ audience: Int?, _ share: CampaignQuery.Share? = nil
  ) -> Int? {
    counts[Key(placement: placement, audience: audience, share: share)]
  }

  /// Returns the parts of an audience with their names: each variant, and the users whose variant
  /// is not determined, if there are any.
  private func shares(
    _ placement: String, _ index: Int, _ audience: CampaignQuery.Audience
  ) -> [(name: String, count: Int)] {
    guard audience.variants.count > 1 else { return [] }
    var result: [(String, Int)] = []
    for (position, variant) in audience.variants.enumerated() {
      guard let count = count(placement, index, .variant(position)) else { return [] }
      result.append((variant.id, count))
    }
    for (share, name) in [
      (CampaignQuery.Share.byChance, "by chance, no id"), (.undecided, "not decided"),
    ] {
      if let count = count(placement, index, share), count > 0 { result.append((name, count)) }
    }
    return result
  }

  /// The report for people.
  var text: String {
    var table = TextTable([
      ("placement", .left), ("audience", .left), ("users", .right), ("share", .right), ("", .left),
    ])
    for placement in placements {
      for (index, audience) in placement.audiences.enumerated() {
        table.add(
          row(index == 0 ? placement.name : "", audience.name, count(placement.name, index)))
        for share in shares(placement.name, index, audience) {
          table.add(row("", "  \(share.name)", share.count))
        }
      }
      table.add(row("", "none of them", count(placement.name, nil)))
      table.addGap()
    }
    return table.text + "\(total.grouped) users in \(seconds.text(places: 2)) s\n"
  }

  private func row(_ placement: String, _ audience: String, _ count: Int?) -> [String] {
    guard let count else { return [placement, audience, "not known"] }
    let share = total > 0 ? Double(count) / Double(total) : 0
    let bar = String(repeating: "█", count: Int((share * 30).rounded()))
    return [placement, audience, count.grouped, "\((share * 100).text(places: 1)) %", bar]
  }

  /// The report as a JSON document.
  var json: String {
    JSONWriter.document(pretty: true) { writer in
      writer.member("users", total)
      writer.member("placements", placements) { writer, placement in
        writer.object { writer in
          writer.member("placement", placement.name)
          writer.member("audiences", placement.audiences.enumerated()) { writer, item in
            writer.object { writer in
              writer.member("experiment", item.element.name)
              writer.member("matched", count(placement.name, item.offset))
              writeVariants(placement.name, item.offset, item.element, to: &writer)
            }
          }
          writer.member("unmatched", count(placement.name, nil))
        }
      }
    }
  }

  private func writeVariants(
    _ placement: String, _ index: Int, _ audience: CampaignQuery.Audience,
    to writer: inout JSONWriter
  ) {
    guard countsVariants else { return }
    writer.member("variants") { writer in
      for (position, variant) in audience.variants.enumerated() {
        guard let count = count(placement, index, .variant(position)) else { continue }
        writer.member(variant.id, count)
      }
    }
    for (key, share) in [("byChance", CampaignQuery.Share.byChance), ("notDecided", .undecided)] {
      guard let count = count(placement, index, share) else { continue }
      writer.member(key, count)
    }
  }
}
