import CampaignMatcher
import ExpressionEngine
import ExpressionSyntax
import FilterCorpus

/// A context with the name of its file, and what the app's functions answer for it.
struct AudiencePerson {
  let name: String
  let context: Context
  let answers: [String: Value]

  init(_ path: String) throws(InputError) {
    let file = path.split(separator: "/").last.map(String.init) ?? path
    name =
      path == "-" ? "stdin" : file.hasSuffix(".json") ? String(file.dropLast(5)) : file
    var variables = try ContextOptions.object(
      try InputFile.json(path), InputFile.name(path))
    answers =
      try variables.removeValue(forKey: "host").map { value throws(InputError) in
        try ContextOptions.object(value, "\(InputFile.name(path)): `host`")
      } ?? [:]
    for root in ["user", "device", "params"] where variables[root] == nil {
      variables[root] = .map([:])
    }
    context = Context(variables: variables)
  }
}

/// What every audience's filter says about every person.
struct AudienceOverview {
  /// What a filter says about a person.
  enum Outcome: String {
    /// True, and no audience above is: this audience decides the placement.
    case match
    /// True, but an audience above is true as well.
    case late
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
    var trigger: Trigger
    var audience: Audience
    var source: Source?
    var cells: [Cell]
  }

  let config: ConfigInput
  let people: [AudiencePerson]
  private(set) var rows: [Row] = []

  init(config: ConfigInput, triggers: [Trigger], people: [AudiencePerson], dialect: Dialect.Name) {
    self.config = config
    self.people = people
    let environments = people.map { person in
      CaseRequest.environment(
        dialect: dialect,
        answers: Self.emptyHistory.merging(person.answers) { _, given in given })
    }
    for trigger in triggers {
      var isTaken = [Bool](repeating: false, count: people.count)
      for audience in trigger.audiences {
        let source = config.source(of: audience, in: trigger)
        var cells: [Cell] = []
        for (index, person) in people.enumerated() {
          var cell = Self.cell(source, environments[index], person.context)
          if cell.outcome == .match {
            if isTaken[index] { cell.outcome = .late }
            isTaken[index] = true
          }
          cells.append(cell)
        }
        rows.append(Row(trigger: trigger, audience: audience, source: source, cells: cells))
      }
    }
  }

  /// What the functions about the event history answer while nothing has happened: counts are zero,
  /// times since an event are null.
  private static let emptyHistory = Dictionary(
    uniqueKeysWithValues: HistoryFunction.allCases.map { function in
      (function.rawValue, function.rawValue.hasPrefix("placements") ? Value.int(0) : .null)
    })

  /// What a filter says; no filter takes everyone.
  private static func cell(
    _ source: Source?, _ environment: Environment, _ context: Context
  ) -> Cell {
    guard let source else { return Cell(outcome: .match, value: .bool(true)) }
    do {
      let value = try CompiledFilter(source, environment: environment).evaluate(context)
      return Cell(outcome: value == .bool(true) ? .match : .no, value: value)
    } catch let error as FilterError {
      return Cell(outcome: .error, diagnostic: error.diagnostics.first)
    } catch let error as EvaluationError {
      return Cell(outcome: .error, diagnostic: error.diagnostic)
    } catch {
      return Cell(outcome: .error)
    }
  }

  // MARK: - Text

  /// The table with its title and legend.
  func page(width: Int) -> String {
    let placements = Set(rows.map(\.trigger.placement)).count
    let heading =
      "\(config.path): \(placements) placement\(placements == 1 ? "" : "s"), "
      + "\(rows.count) audience\(rows.count == 1 ? "" : "s"), "
      + "\(people.count) context\(people.count == 1 ? "" : "s")\n\n"
    let names = people.map(\.name)
    let placementWidth = rows.map(\.trigger.placement.count).max() ?? 0
    let audienceWidth = max(8, rows.map { title(of: $0).count }.max() ?? 0)
    let cellWidth = names.reduce(0) { $0 + max($1.count, 5) + 2 }
    // Filters get what is left of the line, but never so little that they cannot be told apart.
    let room = max(44, width - max(placementWidth, 9) - audienceWidth - cellWidth - 4)
    var table = TextTable(
      [("placement", .left), ("audience", .left), ("filter", .left)]
        + names.map { ($0, .left) })
    var previous: String?
    for row in rows {
      if let previous, previous != row.trigger.placement { table.addGap() }
      let isFirst = previous != row.trigger.placement
      previous = row.trigger.placement
      table.add(
        [isFirst ? row.trigger.placement : "", title(of: row), shortened(row.source, to: room)]
          + row.cells.map(Self.mark))
    }
    return heading + table.text + "\n" + summary + legend + footnotes
  }

  /// How an audience is called: by its experiment.
  private func title(of row: Row) -> String { row.audience.experimentID }

  private func shortened(_ source: Source?, to length: Int) -> String {
    guard let source else { return "(everyone)" }
    let line = source.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return line.count > length ? line.prefix(length - 1) + "…" : line
  }

  private static func mark(_ cell: Cell) -> String {
    switch cell.outcome {
    case .match: "MATCH"
    case .late: "(yes)"
    case .no: cell.value == .null ? "null" : "-"
    case .error: cell.diagnostic?.id.rawValue ?? "error"
    }
  }

  /// One line per person: which placements have an audience for them.
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

  /// Errors, each with the place in its filter.
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
    var writer = JSONWriter(pretty: true)
    writer.beginObject()
    writer.key("audiences")
    writer.beginArray()
    for row in rows {
      writer.beginObject()
      for (name, text) in [
        ("placement", row.trigger.placement), ("campaign", row.audience.campaignID),
        ("experiment", row.audience.experimentID),
      ] {
        writer.key(name)
        writer.string(text)
      }
      writer.key("filter")
      if let source = row.source { writer.string(source.text) } else { writer.null() }
      writer.key("results")
      writer.beginArray()
      for (person, cell) in zip(people, row.cells) {
        writer.beginObject()
        writer.key("context")
        writer.string(person.name)
        writer.key("outcome")
        writer.string(cell.outcome.rawValue)
        writer.key("value")
        cell.value?.writePlain(to: &writer) ?? writer.null()
        if let diagnostic = cell.diagnostic {
          writer.key("error")
          writer.string("\(diagnostic.id.rawValue): \(diagnostic.message)")
        }
        writer.endObject()
      }
      writer.endArray()
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
    return writer.text
  }
}
