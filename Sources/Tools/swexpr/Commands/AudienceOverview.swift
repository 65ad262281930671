import CampaignCore
import CampaignMatcher
import ExpressionCoding
import ExpressionEngine
import ExpressionPrinting
import ExpressionSyntax

/// A context with the name of its file, and the results of the history functions for it.
struct AudiencePerson {
  let name: String
  let context: ContextFile

  init(_ path: String) throws(InputError) {
    let file = path.split(separator: "/").last.map(String.init) ?? path
    name =
      path == "-" ? "stdin" : file.hasSuffix(".json") ? String(file.dropLast(5)) : file
    context = try ContextFile(path)
    for call in context.host.keys.sorted() {
      let function = String(call.prefix { $0 != "(" })
      if HistoryFunction(rawValue: function) == nil {
        Output.error(
          "\(InputFile.name(path)): note: `host`: filters have no function `\(function)`")
      }
    }
  }
}

/// The result of each audience's filter for each person.
struct AudienceOverview {
  /// The result of a filter for a person.
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
  struct Cell {
    var outcome: Outcome
    var value: Value?
    var diagnostic: Diagnostic?
  }

  /// One audience of a placement.
  struct Row {
    var trigger: CampaignTrigger
    var audience: Audience
    var source: SourceText?
    var cells: [Cell]
  }

  let config: ConfigInput
  let people: [AudiencePerson]
  private(set) var rows: [Row] = []

  /// - Parameters:
  ///   - placement: The placement to show; `nil` for all. If two triggers have the same placement,
  ///     the later one is used.
  ///   - matcher: The matcher of a new user, with the config loaded.
  init(
    config: ConfigInput, placement: String?, people: [AudiencePerson], matcher: Matcher
  ) throws(StoreError) {
    self.config = config
    self.people = people
    var triggers: [ExactName: CampaignTrigger] = [:]
    for trigger in config.config.triggers { triggers[ExactName(trigger.placement)] = trigger }
    var names = config.config.triggers.map { ExactName($0.placement) }
    if let placement { names = [ExactName(placement)] }
    for name in names {
      // Removing the trigger makes each placement appear once.
      guard let inForce = triggers.removeValue(forKey: name) else { continue }
      var columns: [[Cell]] = []
      for person in people {
        let answers = try matcher.audienceAnswers(
          for: person.context.request(inForce.placement), historyAnswers: person.context.host)
        columns.append(Self.cells(answers ?? []))
      }
      for (index, audience) in inForce.audiences.enumerated() {
        rows.append(
          Row(
            trigger: inForce, audience: audience, source: config.source(of: audience, in: inForce),
            cells: columns.map { $0[index] }))
      }
    }
  }

  /// Returns the results of the audiences of a placement for a person.
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
  func page(width: Int) -> String {
    let placements = Set(rows.map { ExactName($0.trigger.placement) }).count
    let heading =
      "\(config.path): \(placements) placement\(placements == 1 ? "" : "s"), "
      + "\(rows.count) audience\(rows.count == 1 ? "" : "s"), "
      + "\(people.count) context\(people.count == 1 ? "" : "s")\n\n"
    let names = people.map(\.name)
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

  /// One line per person with the placements that have an audience for them.
  private var summary: String {
    var text = ""
    for (index, person) in people.enumerated() {
      let matched = rows.filter { $0.cells[index].outcome == .match }.map(\.trigger.placement)
      text += "\(person.name) is in an audience of "
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
  var document: String {
    JSONWriter.document(pretty: true) { writer in
      writer.member("audiences", rows) { writer, row in
        writer.object { writer in
          writer.member("placement", row.trigger.placement)
          writer.member("campaign", row.audience.campaignID)
          writer.member("experiment", row.audience.experimentID)
          writer.member("filter", row.source?.text)
          writer.member("results", zip(people, row.cells)) { writer, result in
            let (person, cell) = result
            writer.object { writer in
              writer.member("context", person.name)
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
