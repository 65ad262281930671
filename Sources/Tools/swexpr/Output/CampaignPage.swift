import CampaignAnalysis
import CampaignCore
import CampaignMatcher
import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis
import FilterAuthoring

/// A campaign config as one HTML page that needs no other file and no script.
struct CampaignPage {
  /// The config.
  let config: ConfigInput
  let title: String
  /// The findings of the prover about the config.
  let proof: CampaignProof
  /// What else is wrong with the config as a whole.
  let notes: [ConfigNote]
  /// The counted users; `nil` without a file of users.
  var simulation: Simulation?
  /// The changes since an earlier config.
  var changes: (changes: CampaignChanges, old: String)?
  private let environment: FilterEnvironment
  private let findings: [String: [Diagnostic]]

  /// Examines the filters of a config.
  init(
    config: ConfigInput, title: String, proof: CampaignProof, notes: [ConfigNote],
    schema: AttributeSchema, environment: FilterEnvironment
  ) {
    self.config = config
    self.title = title
    self.proof = proof
    self.notes = notes
    self.environment = environment
    findings = Self.findings(config, schema, environment)
  }

  /// The whole document.
  var document: String {
    let placements = config.config.triggers.map { section($0) }
    let body = [HTML("h1", [], [HTML(title)]), summary] + general + placements + difference
    let head =
      "<meta charset=\"utf-8\">"
      + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
      + HTML("title", [], [HTML(title)]).text + "<style>\(Self.style)</style>"
    return "<!DOCTYPE html>\n<html lang=\"en\"><head>\(head)</head><body><main>\n"
      + body.map(\.text).joined(separator: "\n") + "\n</main></body></html>\n"
  }

  // MARK: Overview

  private var summary: HTML {
    let audiences = config.config.triggers.reduce(0) { $0 + $1.audiences.count }
    let found = findings.values.reduce(0) { $0 + $1.count }
    var facts = [
      ("placements", "\(config.config.triggers.count)"), ("audiences", "\(audiences)"),
      ("faults", "\(proof.faults.count)"), ("remarks on filters", "\(found)"),
    ]
    if let simulation { facts.append(("users", simulation.users.grouped)) }
    if let changes {
      facts.append(("placements that change", "\(changes.changes.placements.count)"))
    }
    return HTML(
      "dl", [("class", "facts")],
      facts.map { name, value in
        HTML("div", [], [HTML("dt", [], [HTML(name)]), HTML("dd", [], [HTML(value)])])
      })
  }

  /// What is wrong with the config as a whole.
  private var general: [HTML] {
    let placements = Set(config.config.triggers.map(\.placement))
    let open = proof.faults.filter { $0.placement.map { !placements.contains($0) } ?? true }
    let lines = notes.map { "\($0.message) (\($0.path))" } + open.map(\.message)
    guard !lines.isEmpty else { return [] }
    return [HTML("h2", [], [HTML("The config")]), Self.list(lines, style: "faults")]
  }

  private var difference: [HTML] {
    guard let changes else { return [] }
    let heading = HTML("h2", [], [HTML("Changes since \(changes.old)")])
    guard !changes.changes.isEmpty else {
      return [heading, HTML("p", [], [HTML("Every user gets the same at every placement.")])]
    }
    return [heading, HTML("pre", [], [HTML(changes.changes.text())])]
  }

  // MARK: Placements

  private func section(_ trigger: CampaignTrigger) -> HTML {
    var parts = [HTML("h2", [], [HTML(trigger.placement)])]
    let faults = proof.findings.filter {
      $0.placement == trigger.placement && $0.audience == nil && $0.kind.isFault
    }
    if !faults.isEmpty { parts.append(Self.list(faults.map(\.message), style: "faults")) }
    if trigger.audiences.isEmpty {
      parts.append(HTML("p", class: "quiet", "No audience: nothing is shown."))
    }
    for (index, audience) in trigger.audiences.enumerated() {
      parts.append(article(audience, index, trigger))
    }
    if let simulation,
      let rest = simulation.unmatched.first(where: { $0.placement == trigger.placement })
    {
      parts.append(
        HTML("p", class: "quiet", "In no audience: \(share(rest.count, of: simulation.users))"))
    }
    return HTML("section", [], parts)
  }

  private func article(_ audience: Audience, _ index: Int, _ trigger: CampaignTrigger) -> HTML {
    var parts = [
      HTML("h3", [], [HTML("\(index + 1). experiment \(audience.experimentID)")]),
      HTML("code", [("class", "filter")], [filter(audience.expression)]),
    ]
    let tally = simulation?.tallies.first { $0.placement == trigger.placement && $0.index == index }
    if let tally, let simulation { parts.append(bar(tally.matched, of: simulation.users)) }
    if let limit = audience.limit {
      let window =
        switch limit.interval {
        case .infinity: "ever"
        case .minutes(let minutes): "in \(minutes.formatted(minutesOf: 1_440))"
        }
      parts.append(HTML("p", class: "quiet", "At most \(limit.maximum) times \(window)."))
    }
    parts.append(variants(audience, tally))
    let found = findings[Self.key(trigger, index)] ?? []
    if !found.isEmpty {
      parts.append(
        Self.list(
          found.map { diagnostic in
            let helps = diagnostic.helps + diagnostic.fixIts.map(\.message)
            return "\(diagnostic.message)" + (helps.first.map { ": \($0)" } ?? "")
          }, style: "remarks"))
    }
    let faults = proof.findings.filter {
      $0.placement == trigger.placement && $0.audience?.index == index && $0.kind.isFault
    }
    if !faults.isEmpty { parts.append(Self.list(faults.map(\.message), style: "faults")) }
    return HTML("article", [], parts)
  }

  private func variants(_ audience: Audience, _ tally: Simulation.AudienceTally?) -> HTML {
    let total = audience.variants.reduce(Int64(0)) { $0 &+ max(0, $1.percentage) }
    let rows = audience.variants.map { variant -> HTML in
      let count = tally?.variants.first { $0.id == variant.id }?.count
      let part = total > 0 ? Double(max(0, variant.percentage)) * 100 / Double(total) : 0
      let name = variant.paywallIdentifier ?? (variant.kind == .holdout ? "holdout" : "no paywall")
      var cells = [
        HTML("td", [], [HTML(name)]), HTML("td", class: "number", "\(Self.rounded(part)) %"),
      ]
      if let count { cells.append(HTML("td", class: "number", count.grouped)) }
      return HTML("tr", [], cells)
    }
    return HTML("table", [], rows)
  }

  /// A bar of the users in an audience.
  private func bar(_ count: Int, of users: Int) -> HTML {
    HTML(
      "div", [("class", "bar")],
      [
        HTML("i", [("style", "width:\(percentage(count, of: users))%")]),
        HTML("span", [], [HTML(share(count, of: users))]),
      ])
  }

  private func share(_ count: Int, of users: Int) -> String {
    "\(count.grouped) users, \(percentage(count, of: users)) %"
  }

  /// Returns a share in percent, with one digit after the point.
  private func percentage(_ count: Int, of users: Int) -> String {
    Self.rounded(users > 0 ? Double(count) * 100 / Double(users) : 0)
  }

  /// A number with one digit after the point.
  private static func rounded(_ number: Double) -> String {
    let tenths = Int((number * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }

  private static func list(_ lines: [String], style: String) -> HTML {
    HTML("ul", [("class", style)], lines.map { HTML("li", [], [HTML($0)]) })
  }

  // MARK: Filters

  /// Returns the findings about each filter, by placement and number of the audience.
  private static func findings(
    _ config: ConfigInput, _ schema: AttributeSchema, _ environment: FilterEnvironment
  ) -> [String: [Diagnostic]] {
    var result: [String: [Diagnostic]] = [:]
    for trigger in config.config.triggers {
      for (index, audience) in trigger.audiences.enumerated() {
        guard let source = config.source(of: audience, in: trigger) else { continue }
        let filter = ParsedFilter(source, environment: environment)
        let found = filter.diagnostics(schema: schema, proves: false)
        if !found.isEmpty { result[key(trigger, index)] = found }
      }
    }
    return result
  }

  private static func key(_ trigger: CampaignTrigger, _ index: Int) -> String {
    "\(trigger.placement)\u{0}\(index)"
  }

  /// A filter, with its texts, numbers and words in colour.
  private func filter(_ text: String?) -> HTML {
    guard let text else { return HTML("span", class: "quiet", "everyone") }
    let source = SourceText(text)
    var markup = ""
    var end: UInt32 = 0
    for token in ParsedFilter(source, environment: environment).tokens where token.start >= end {
      markup += HTML(source.text(of: SourceSpan(start: end, end: token.start))).text
      let written = source.text(of: token.span)
      let style: String? =
        switch token.kind {
        case .string, .bytes: "text"
        case .int, .uint, .float: "number"
        case .true, .false, .null, .in: "word"
        case .and, .or, .not: "logic"
        default: nil
        }
      markup += style.map { HTML("b", class: $0, written).text } ?? HTML(written).text
      end = token.end
    }
    markup +=
      HTML(source.text(of: SourceSpan(start: end, end: UInt32(clamping: source.bytes.count))))
      .text
    return HTML(markup: markup)
  }

  private static let style = """
    :root{color-scheme:light dark;--ink:#1b1f24;--quiet:#5d6773;--line:#d8dee4;--back:#fff;\
    --panel:#f6f8fa;--bar:#9ec5fe;--fault:#b42318;--remark:#8a5a00;--text:#116329;--number:#0550ae}
    @media(prefers-color-scheme:dark){:root{--ink:#e6edf3;--quiet:#9aa6b2;--line:#30363d;\
    --back:#0d1117;--panel:#161b22;--bar:#1f4b8f;--fault:#ff9b93;--remark:#e3b341;--text:#7ee787;\
    --number:#79c0ff}}
    *{box-sizing:border-box}body{margin:0;background:var(--back);color:var(--ink);\
    font:16px/1.5 system-ui,sans-serif}main{max-width:56rem;margin:0 auto;padding:1rem}
    h1{font-size:1.6rem}h2{margin:2.5rem 0 .5rem;font-size:1.25rem;border-bottom:1px solid \
    var(--line);overflow-wrap:anywhere}h3{margin:0 0 .5rem;font-size:1rem}
    .facts{display:flex;flex-wrap:wrap;gap:.5rem 2rem;margin:0}.facts dt{color:var(--quiet);\
    font-size:.85rem}.facts dd{margin:0;font-size:1.3rem;font-weight:600}
    article{background:var(--panel);border:1px solid var(--line);border-radius:.5rem;\
    padding:.75rem 1rem;margin:.75rem 0;break-inside:avoid}
    code,pre{font:.9rem/1.5 ui-monospace,monospace}.filter{display:block;white-space:pre-wrap;\
    overflow-wrap:anywhere}pre{overflow-x:auto;background:var(--panel);padding:.75rem 1rem}
    b{font-weight:inherit}.text{color:var(--text)}.number{color:var(--number)}\
    .word,.logic{font-weight:600}
    .quiet{color:var(--quiet);margin:.5rem 0}table{border-collapse:collapse;margin-top:.5rem}\
    td{padding:.1rem 1rem .1rem 0}td.number{color:inherit;text-align:right;\
    font-variant-numeric:tabular-nums}
    .bar{position:relative;margin-top:.5rem;border:1px solid var(--line);border-radius:.25rem;\
    overflow:hidden;background:var(--back)}.bar i{position:absolute;inset:0 auto 0 0;\
    background:var(--bar)}.bar span{position:relative;padding:0 .5rem;font-size:.9rem}
    ul{margin:.5rem 0 0;padding-left:1.2rem}.faults{color:var(--fault)}.remarks{color:var(--remark)}
    """
}

extension Int64 {
  /// A number of minutes in words: `3 days`, `90 minutes`.
  fileprivate func formatted(minutesOf day: Int64) -> String {
    if self % day == 0 { return self == day ? "a day" : "\(self / day) days" }
    if self % 60 == 0 { return self == 60 ? "an hour" : "\(self / 60) hours" }
    return self == 1 ? "a minute" : "\(self) minutes"
  }
}
