import ArgumentParser
import CampaignAnalysis
import CampaignCore
import CampaignMatcher
import CampaignStore
import ExpressionCoding
import ExpressionEngine
import ExpressionSyntax

/// `swexpr match`: shows the result of a placement.
struct Match: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Match a user with the audiences of a placement and give the reasons.",
    discussion: """
      Registers the placement as an app would: records it, walks the audiences in order, counts \
      the limit, and shows the result and, for each audience, why not.

        swexpr match --config campaigns.json --context ana.json \\
            --placement open_forecast
        swexpr match --config campaigns.json --placement paywall_x \\
            --params '{"days": 5}' --preview
        swexpr match --config campaigns.json --placement paywall_x \\
            --store ana.sqlite --now \
      2026-03-01T10:00:00Z
        swexpr match --script corpus/paywall/stories/reset.txt

      The context is a JSON file {"user": {…}, "device": {…}, "params": {…}}. History, limits, \
      identity and variants live in the store; without --store they are new in each run, and with \
      --preview nothing is written to it. A paywall counts as shown and closed at once. Built-in \
      placements such as session_start are fired as events.

      A script is a story in plain text: what the app, a person, the store and the server do. It \
      prints the timeline of the effects; docs/paywall.md describes the form. Where the script \
      has the expected effects of a step, a difference ends with 1.

      With --json, one document: {"placement", "at", "result": "paywall" | "holdout" | \
      "noAudienceMatch" | "placementNotFound" | "error", "experiment": {"id", "campaign", \
      "variant", "type", "paywall"}, "error": {"domain", "code", "message"}, "unmatched": \
      [{"experiment", "source"}], "confirm": {"experiment_id", "variant_id"}, "notes", \
      "audiences": [{"index", "experiment", "campaign", "outcome": "matched" | "EXPRESSION" | \
      "OCCURRENCE" | "notTried", "expression", "answer", "error", "failing", "changes", "read", \
      "missing", "computed", "limit": {"key", "count", "max", "minutes", "reopens_at"}}], and \
      with --preview "certain_until" and "changes_at": if nothing happens, the answer is the same \
      before the one and another from the other on; "expires_at" if an entitlement ends first}; \
      members without a value are left out. Exit codes: 0 done, 1 the result is an error, or \
      --exit-status and it is not a paywall, 2 a file or argument cannot be read.
      """)

  @Option(
    help: ArgumentHelp("The campaign config; - reads it from standard input.", valueName: "file"))
  var config: String?

  @Option(help: "The placement.")
  var placement: String?

  @Option(help: ArgumentHelp("A script to run instead of one placement.", valueName: "file"))
  var script: String?

  @Option(
    help: ArgumentHelp("User, device and parameters; - reads standard input.", valueName: "file"))
  var context: String?

  @Option(help: ArgumentHelp("Parameters, added to those of the context.", valueName: "json"))
  var params: String?

  @Option(
    help: ArgumentHelp(
      "An SQLite file that remembers the user; it is created if there is none.", valueName: "file"))
  var store: String?

  @OptionGroup var moment: MomentOptions
  @OptionGroup var dialect: DialectOptions

  @Flag(help: "Only look: nothing is recorded, counted or written.")
  var preview = false

  @Flag(help: "Print one JSON document.")
  var json = false

  @Flag(name: .customLong("exit-status"), help: "Exit with 1 unless a paywall is shown.")
  var exitStatus = false

  func run() async throws {
    if let script { return try await run(script: script) }
    guard let config, let placement else {
      throw InputError("--config and --placement are needed, or --script")
    }
    try run(placement: placement, configPath: config)
  }

  private func run(placement: String, configPath config: String) throws {
    var input = StandardInputUse()
    try input.note(config, for: "--config")
    try input.note(context, for: "--context")
    let config = try ConfigInput.read(config, rules: moment.platform.options.config)
    let request = try MatchInput.request(placement, context: context, params: params)
    let (instant, zone) = try moment.moment()
    let clock = ManualClock(instant)
    let matched: Matched
    do throws(StoreError) {
      matched = try match(request, config: config, clock: clock, zone: zone)
    } catch {
      throw InputError(error.description)
    }
    write(matched)
    try finish(matched.report.registration.result)
  }

  /// The outcome of a request, and, for a preview, the time when that changes.
  private struct Matched {
    let report: MatchReport
    var forecast: ChangeForecast?
  }

  private func match(
    _ request: MatchRequest, config: ConfigInput, clock: ManualClock, zone: ZoneRules
  ) throws(StoreError) -> Matched {
    let matcher = try Matcher(
      .init(
        store: openStore(), options: moment.platform.options, clock: clock, zone: zone,
        random: moment.random, dialect: .named(dialect.dialect),
        explain: FilterExplanation.init(of:in:)))
    let diagnostics: [ConfigDiagnostic]
    do throws(LoadError) {
      diagnostics = try matcher.load(config.config, diagnostics: config.notes)
    } catch {
      throw StoreError(operation: "load config", reason: error.description)
    }
    for diagnostic in diagnostics where config.concerns(diagnostic, request.placement) {
      Output.error("\(config.path): \(diagnostic)")
    }
    if let note = misspelling(of: request.placement, config) { Output.error(note) }
    if preview {
      let report = MatchReport(try matcher.previewNow(request))
      let forecast = try ChangeForecast(
        AnalysisModel(
          config.config, dialect: dialect.dialect, options: moment.platform.options),
        placement: request.placement,
        from: clock.now(), expirations: ChangeForecast.expirations(in: request.device)
      ) { (instant) throws(StoreError) in
        clock.set(instant)
        return try matcher.previewNow(request)
      }
      return Matched(report: report, forecast: forecast)
    }
    let (registration, hasFollowed) = try matcher.fireReportingAudiences(request)
    return Matched(
      report: MatchReport(
        registration, notes: hasFollowed ? [] : [silence(about: request.placement)]))
  }

  private func write(_ matched: Matched) {
    let forecast = matched.forecast
    guard json else {
      Output.write(matched.report.text)
      if let change = forecast?.changesAt {
        Output.line("\nif nothing happens, the answer changes at \(change)")
      } else if let expiration = forecast?.expiresAt {
        Output.line(
          "\nif nothing happens, the answer is the same until \(expiration), when an"
            + " entitlement expires")
      }
      return
    }
    var value = matched.report.value
    if case .map(var members) = value, let forecast {
      members["certain_until"] = .string(forecast.certainUntil.description)
      if let change = forecast.changesAt { members["changes_at"] = .string(change.description) }
      if let end = forecast.expiresAt { members["expires_at"] = .string(end.description) }
      value = .map(members)
    }
    Output.line(value.jsonText(pretty: true))
  }

  func openStore() throws(StoreError) -> any MatcherStore {
    guard let store else { return InMemoryStore() }
    return preview ? try SQLiteStore(copyOf: store) : try SQLiteStore(path: store)
  }

  /// The message for a built-in event that had no result.
  private func silence(about placement: String) -> String {
    guard BuiltInEvent(rawValue: placement)?.canTrigger ?? false else {
      return "\(placement) is a built-in event that never presents; it was recorded, and this is"
        + " what its audiences would say"
    }
    return "\(placement) is a built-in event; it was recorded and nothing followed"
  }

  private func misspelling(of placement: String, _ config: ConfigInput) -> String? {
    let placements = config.config.triggers.map(\.placement)
    guard config.config.trigger(of: placement) == nil, BuiltInEvent(rawValue: placement) == nil
    else {
      return nil
    }
    let close = Suggestions.help(for: placement, among: placements)
    // The result says that there is no such placement.
    return close.map { "\(config.path): \($0)" }
  }

  private func finish(_ result: PlacementResult) throws {
    switch result {
    case .paywall: break
    case .error: throw ExitStatus.no
    case .holdout, .noAudienceMatch, .placementNotFound: if exitStatus { throw ExitStatus.no }
    }
  }
}

/// The request that the options of a command line describe.
enum MatchInput {
  /// Reads the context and the parameters of a request.
  static func request(
    _ placement: String, context: String?, params: String?
  ) throws(InputError) -> MatchRequest {
    var request = MatchRequest(placement)
    if let context {
      let file = try ContextFile(context)
      request = file.request(placement)
      if file.hasHost {
        Output.error(
          "\(InputFile.name(context)): note: `host` is not used; daysSince and the like read"
            + " the history of --store")
      }
    }
    request.detail = .full
    request.presentation = .immediate
    if let params {
      let added = try ContextOptions.object(
        try InputFile.json(params, option: "--params"), "--params")
      request.parameters.merge(added) { _, new in new }
    }
    return request
  }
}
