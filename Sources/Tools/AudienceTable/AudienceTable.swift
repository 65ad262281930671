package import CampaignCore
package import CampaignMatcher
import ExpressionCoding
package import ExpressionEngine
import ExpressionPrinting
package import ExpressionSyntax

/// The result of each audience's filter for each user, as a text for people and as JSON.
package struct AudienceTable {
  /// A column: a user, and the results of the history functions for them.
  package struct User {
    let name: String
    let request: MatchRequest
    let historyAnswers: [String: Value]

    /// - Parameters:
    ///   - name: The title of the column.
    ///   - request: The attributes; its placement is ignored.
    ///   - historyAnswers: Values that history functions return, as for `Matcher.audienceAnswers`.
    package init(name: String, request: MatchRequest, historyAnswers: [String: Value]) {
      self.name = name
      self.request = request
      self.historyAnswers = historyAnswers
    }
  }

  /// The result of a filter for a user.
  enum Outcome: String {
    /// True, and no earlier audience is true: this audience decides the placement.
    case match
    /// True, but an earlier audience is true as well.
    case late
    /// True, but the limit of the audience does not admit the user.
    case limit
    /// Not true.
    case no
    /// No value.
    case error
  }

  /// One cell of the table.
  private struct Cell {
    var outcome: Outcome
    var value: Value?
    var diagnostic: Diagnostic?
  }

  /// One audience of a placement.
  private struct Row {
    var trigger: CampaignTrigger
    var audience: Audience
    var source: SourceText?
    var cells: [Cell]
  }

  private let path: String
  private let users: [User]
  private var rows: [Row] = []

  /// - Parameters:
  ///   - config: The campaigns. If two triggers have the same placement, the later one is used.
  ///   - path: The name of the config, for people.
  ///   - placement: The placement to show; `nil` for all.
  ///   - users: The columns.
  ///   - matcher: The matcher of a new user, with the config loaded.
  /// - Throws: `StoreError` when the store of the matcher cannot be read.
  package init(
    config: CampaignConfig, path: String, placement: String?, users: [User], matcher: Matcher
  ) throws(StoreError) {
    self.path = path
    self.users = users
    var triggers: [ExactName: CampaignTrigger] = [:]
    for trigger in config.triggers { triggers[ExactName(trigger.placement)] = trigger }
    var names = config.triggers.map { ExactName($0.placement) }
    if let placement { names = [ExactName(placement)] }
    for name in names {
      // Removing the trigger makes each placement appear once.
      guard let inForce = triggers.removeValue(forKey: name) else { continue }
      var columns: [[Cell]] = []
      for user in users {
        var request = user.request
        request.placement = inForce.placement
        let answers = try matcher.audienceAnswers(
          for: request, historyAnswers: user.historyAnswers)
        columns.append(Self.cells(answers ?? []))
      }
      for (index, audience) in inForce.audiences.enumerated() {
        rows.append(
          Row(
            trigger: inForce, audience: audience,
            source: audience.source(path: path, placement: inForce.placement),
            cells: columns.map { $0[index] }))
      }
    }
  }

  /// Returns the results of the audiences of a placement for a user.
  private static func cells(_ answers: [AudienceAnswer]) -> [Cell] {
    var isTaken = false
    return answers.map { answer in
      var cell = Cell(outcome: .no, value: answer.value, diagnostic: answer.diagnostic)
      if answer.isMatch {
        cell.outcome = isTaken ? .late : .match
        isTaken = true
      } else if answer.value == nil {
        cell.outcome = .error
      } else if answer.value == .bool(true) {
        cell.outcome = .limit
      }
      return cell
    }
  }

  // MARK: - Text

  /// Returns the table with its title and legend.
  package func page(width: Int) -> String {
    let placements = Set(rows.map { ExactName($0.trigger.placement) }).count
    let heading =
      "\(path): \(placements) placement\(placements == 1 ? "" : "s"), "
      + "\(rows.count) audience\(rows.count == 1 ? "" : "s"), "
      + "\(users.count) context\(users.count == 1 ? "" : "s")\n\n"
    let names = users.map(\.name)
    let placementWidth = rows.map(\.trigger.placement.count).max() ?? 0
    let audienceWidth = max(8, rows.map { title(of: $0).count }.max() ?? 0)
    let cellWidth = names.reduce(0) { $0 + max($1.count, 5) + 2 }
    // Filters get the rest of the line, but at least enough to be distinguishable.
    let room = max(44, width - max(placementWidth, 9) - audienceWidth - cellWidth - 4)
    var table = TextTable(
      [("placement", .left), ("audience", .left), ("filter", .left)]
        + names.map { ($0, .left) })
    var previous: ExactName?
    for row in rows {
      let placement = ExactName(row.trigger.placement)
      let isFirst = previous != placement
      if previous != nil, isFirst { table.addGap() }
      previous = placement
      table.add(
        [isFirst ? row.trigger.placement : "", title(of: row), shortened(row.source, to: room)]
          + row.cells.map(Self.mark))
    }
    return heading + table.text + "\n" + summary + legend + footnotes
  }

  /// Returns the name of an audience, which is its experiment.
  private func title(of row: Row) -> String { row.audience.experimentID }

  private func shortened(_ source: SourceText?, to length: Int) -> String {
    guard let source else { return "(everyone)" }
    let line = source.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return line.count > length ? line.prefix(length - 1) + "…" : line
  }

  private static func mark(_ cell: Cell) -> String {
    switch cell.outcome {
    case .match: "MATCH"
    case .late: "(yes)"
    case .limit: "limit"
    case .no: cell.value == .null ? "null" : "-"
    case .error: cell.diagnostic?.id.rawValue ?? "error"
    }
  }

  /// One line per user with the placements that have an audience for them.
  private var summary: String {
    var text = ""
    for (index, user) in users.enumerated() {
      let matched = rows.filter { $0.cells[index].outcome == .match }.map(\.trigger.placement)
      text += "\(user.name) is in an audience of "
      text += matched.isEmpty ? "no placement" : matched.joined(separator: ", ")
      text += ".\n"
    }
    return text.isEmpty ? "" : text + "\n"
  }

  private var legend: String {
    let cells = rows.flatMap(\.cells)
    var lines = [("MATCH", "the filter is true and no audience above is: this audience decides")]
    if cells.contains(where: { $0.outcome == .late }) {
      lines.append(("(yes)", "the filter is true, but an audience above was first"))
    }
    if cells.contains(where: { $0.outcome == .limit }) {
      lines.append(("limit", "the filter is true, but the audience's limit lets no user in"))
    }
    lines.append(("-", "the filter is not true"))
    if cells.contains(where: { $0.value == .null }) {
      lines.append(("null", "the filter is null, because something it needs is missing; no match"))
    }
    if cells.contains(where: { $0.outcome == .error }) {
      lines.append(("E0…", "the filter has no value, see below; no match"))
    }
    return lines.map { mark, meaning in
      mark + String(repeating: " ", count: max(1, 7 - mark.count)) + meaning + "\n"
    }.joined()
  }

  /// The errors, each with the place in its filter.
  private var footnotes: String {
    var text = ""
    var seen: Set<String> = []
    for row in rows {
      guard let source = row.source else { continue }
      for cell in row.cells {
        guard let diagnostic = cell.diagnostic else { continue }
        let rendered = DiagnosticRenderer().render(diagnostic, in: source)
        if seen.insert(rendered).inserted { text += "\n" + rendered }
      }
    }
    return text
  }

  // MARK: - JSON

  /// The results as one JSON document.
  package var document: String {
    JSONWriter.document(pretty: true) { writer in
      writer.member("audiences", rows) { writer, row in
        writer.object { writer in
          writer.member("placement", row.trigger.placement)
          writer.member("campaign", row.audience.campaignID)
          writer.member("experiment", row.audience.experimentID)
          writer.member("filter", row.source?.text)
          writer.member("results", zip(users, row.cells)) { writer, result in
            let (user, cell) = result
            writer.object { writer in
              writer.member("context", user.name)
              writer.member("outcome", cell.outcome.rawValue)
              writer.member("value", value: cell.value)
              if let diagnostic = cell.diagnostic {
                writer.member("error", "\(diagnostic.id.rawValue): \(diagnostic.message)")
              }
            }
          }
        }
      }
    }
  }
}

extension Audience {
  /// The filter, named by placement and experiment; `nil` if everyone belongs to the audience.
  ///
  /// - Parameter path: The name of the config.
  package func source(path: String, placement: String) -> SourceText? {
    expression.map { SourceText($0, name: "\(path)#\(placement)/\(experimentID)") }
  }
}
