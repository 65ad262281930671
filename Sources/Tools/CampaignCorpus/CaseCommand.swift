import CampaignCore
import CampaignMatcher
import ExpressionCoding
import ExpressionEngine

/// The commands of a case, by name. Each returns the lines that are expected of it.
enum CaseCommand {
  typealias Command =
    @Sendable (_ runner: CampaignCaseRunner, _ argument: String) throws(CaseProblem) -> [String]

  /// The table of all commands.
  static let all: [String: Command] = [
    "clock": setClock, "wait": wait, "load": load, "user": setUser, "device": setDevice,
    "enrich": enrich, "preloaded": notePreload, "installed": setInstalled, "draw": draw,
    "restart": restart,
    "register": { runner, text throws(CaseProblem) in try runner.register(text, .register) },
    "getPaywall": { runner, text throws(CaseProblem) in try runner.register(text, .getPaywall) },
    "preview": { runner, text throws(CaseProblem) in try runner.register(text, .preview) },
    "fire": fire,
    "explain": { runner, text throws(CaseProblem) in try runner.register(text, .explain) },
    "feature": { runner, text throws(CaseProblem) in try runner.register(text, .feature) },
    "registerWhenReady": whenReady(.presentation), "getPaywallWhenReady": whenReady(.getPaywall),
    "previewWhenReady": whenReady(.getPresentationResult),
    "configUnavailable": configUnavailable, "status": setStatus, "giveUp": giveUp,
    "link": link, "presented": presented, "failed": failed, "dismissed": dismissed,
    "track": track, "identify": identify, "reset": reset, "server": server,
    "confirmAll": confirmAll, "sent": markSent, "assignments": assignments, "preload": preload,
    "events": events, "identity": identity, "attributes": attributes, "evaluate": evaluate,
    "activate": activate, "deactivate": deactivate, "install": install,
    "pad": CaseFunction.pad, "seed": CaseFunction.seed, "between": CaseFunction.between,
    "versions": CaseFunction.versions, "parse": CaseFunction.parse,
    "sanitize": CaseFunction.sanitize, "bucket": CaseFunction.bucket,
  ]

  // MARK: Clock and circumstances

  private static let setClock: Command = { runner, text throws(CaseProblem) in
    guard let instant = WallTime(rfc3339: text) else {
      throw .input("`clock` needs a date and time")
    }
    runner.clock.set(instant)
    return []
  }

  private static let wait: Command = { runner, text throws(CaseProblem) in
    runner.clock.advance(byMilliseconds: try milliseconds(text))
    return []
  }

  /// Reads spans such as `23h 59m`.
  static func milliseconds(_ text: String) throws(CaseProblem) -> Int64 {
    var milliseconds: Int64 = 0
    let units: [String: Int64] = [
      "d": 86_400_000, "h": 3_600_000, "m": 60_000, "s": 1_000, "ms": 1,
    ]
    for part in text.split(separator: " ") {
      let digits = part.prefix { $0.isNumber || $0 == "-" }
      guard let number = Int64(digits), let unit = units[String(part.dropFirst(digits.count))]
      else {
        throw .input("`wait` needs spans such as `23h 59m`")
      }
      let (span, isTooLong) = number.multipliedReportingOverflow(by: unit)
      let (sum, overflows) = milliseconds.addingReportingOverflow(span)
      guard !isTooLong, !overflows else { throw .input("`\(text)` is too long") }
      milliseconds = sum
    }
    return milliseconds
  }

  private static let load: Command = { runner, name throws(CaseProblem) in
    guard let text = runner.readFile(name) else { throw .input("there is no file `\(name)`") }
    let json: ConfigDocument
    do throws(JSONError) {
      json = try ConfigDocument(json: text)
    } catch {
      return ["no JSON: \(error.description)"]
    }
    do throws(LoadError) {
      return try runner.matcher.load(json).map { "\($0.kind.rawValue) \($0.path)" }
    } catch {
      switch error {
      case .config(let error): return ["error \(error.description)"]
      case .store(let error): throw .store(error)
      }
    }
  }

  private static let setUser: Command = { runner, text throws(CaseProblem) in
    let attributes = try object(text)
    try store { () throws(StoreError) in try runner.matcher.user.setAttributes(attributes) }
    return []
  }

  private static let setDevice: Command = { runner, text throws(CaseProblem) in
    runner.device = try object(text)
    if runner.device["subscriptionStatus"] != nil { runner.hasToldStatus = true }
    runner.matcher.device.set(values: runner.device)
    return []
  }

  private static let enrich: Command = { runner, text throws(CaseProblem) in
    runner.matcher.device.mergeEnrichment(try object(text))
    return []
  }

  /// `preloaded 3` says that three paywalls were preloaded, from the beginning to the end.
  private static let notePreload: Command = { runner, text throws(CaseProblem) in
    guard let count = Int(text) else { throw .input("`preloaded` needs a number") }
    try store { () throws(StoreError) in
      try runner.matcher.paywalls.didStartPreloading(count: count)
      try runner.matcher.paywalls.didPreload(count: count)
    }
    return []
  }

  /// `status inactive`, or `status active GOLD,SILVER`.
  private static let setStatus: Command = { runner, text throws(CaseProblem) in
    let parts = text.split(separator: " ", maxSplits: 1)
    let status: UserSubscriptionStatus
    switch parts.first {
    case "unknown": status = .unknown
    case "inactive": status = .inactive
    case "active":
      let ids = parts.count > 1 ? parts[1].split(separator: ",") : []
      status = .active(Set(ids.map { UserEntitlement(active: String($0)) }))
    default: throw .input("`status` needs `unknown`, `inactive` or `active ID,…`")
    }
    runner.hasToldStatus = true
    try store { () throws(StoreError) in try runner.matcher.device.setSubscriptionStatus(status) }
    return []
  }

  private static let giveUp: Command = { runner, _ throws(CaseProblem) in
    runner.matcher.assignments.giveUpWaiting()
    return []
  }

  private static func whenReady(_ kind: RequestKind) -> Command {
    { runner, text throws(CaseProblem) in
      let (name, parameters) = try nameAndObject(text)
      return runner.submit(MatchRequest(name, parameters: parameters, kind: kind))
    }
  }

  private static let setInstalled: Command = { runner, text throws(CaseProblem) in
    guard let instant = WallTime(rfc3339: text) else { throw .input("`installed` needs a date") }
    try store { () throws(StoreError) in try runner.matcher.app.setInstallationDate(instant.date) }
    return []
  }

  private static let draw: Command = { runner, text throws(CaseProblem) in
    runner.random.append(
      text.split(whereSeparator: { ", ".contains($0) }).compactMap { UInt64($0) })
    return []
  }

  private static let restart: Command = { runner, _ throws(CaseProblem) in
    do throws(CampaignCaseError) {
      try runner.restart()
    } catch {
      throw .input(error.problem)
    }
    return []
  }

  // MARK: Presentation

  private static let link: Command = { runner, text throws(CaseProblem) in
    try runner.fire(.deepLinkOpen, runner.matcher.request(deepLink: text))
  }

  private static let fire: Command = { runner, text throws(CaseProblem) in
    let (name, parameters) = try nameAndObject(text)
    guard let event = BuiltInEvent(rawValue: name) else {
      return try runner.register(text, .register)
    }
    return try runner.fire(event, Matcher.request(event, parameters))
  }

  private static let configUnavailable: Command = { runner, _ throws(CaseProblem) in
    runner.matcher.configUnavailable()
    return []
  }

  private static let presented: Command = { runner, _ throws(CaseProblem) in
    guard let presentation = runner.presentation else { throw .input("there is no paywall") }
    try store { () throws(StoreError) in try presentation.didPresent() }
    return []
  }

  private static let failed: Command = { runner, _ throws(CaseProblem) in
    guard let presentation = runner.presentation else { throw .input("there is no paywall") }
    presentation.didFail()
    return []
  }

  private static let dismissed: Command = { runner, text throws(CaseProblem) in
    let kinds: [String: FeatureGating.Dismissal] = [
      "purchased": .purchased, "restored": .restored, "declined": .declined,
      "forNextPaywall": .forNextPaywall, "contentFailed": .contentFailed,
    ]
    guard let presentation = runner.presentation, let kind = kinds[text] else {
      throw .input("`dismissed` needs a paywall and one of \(kinds.keys.sorted())")
    }
    let feature = try store { () throws(StoreError) in try presentation.didDismiss(kind) }
    return [String(describing: feature)]
  }

  private static let track: Command = { runner, text throws(CaseProblem) in
    let (name, parameters) = try nameAndObject(text)
    try store { () throws(StoreError) in
      try runner.matcher.events.track(name, parameters: parameters)
    }
    return []
  }

  private static let activate: Command = { runner, _ throws(CaseProblem) in
    let isNew = try store { () throws(StoreError) in try runner.matcher.app.didBecomeActive() }
    return [isNew ? "new session" : "same session"]
  }

  private static let deactivate: Command = { runner, _ throws(CaseProblem) in
    try store { () throws(StoreError) in try runner.matcher.app.willResignActive() }
    return []
  }

  private static let install: Command = { runner, _ throws(CaseProblem) in
    try store { () throws(StoreError) in try runner.matcher.app.didInstall() }
    return []
  }

  // MARK: Identity and assignments

  private static let identify: Command = { runner, text throws(CaseProblem) in
    let restores = text.hasSuffix(" restore")
    let id = restores ? String(text.dropLast(8)) : text
    let outcome = try store { () throws(StoreError) in
      try runner.matcher.user.identify(id, restorePaywallAssignments: restores)
    }
    guard case .identified(let userID, let afterReset, let mustWait) = outcome else {
      return ["unchanged"]
    }
    return [
      "identified \(userID)" + (afterReset ? " after reset" : "") + (mustWait ? ", waiting" : "")
    ]
  }

  private static let reset: Command = { runner, _ throws(CaseProblem) in
    try store { () throws(StoreError) in try runner.matcher.user.reset() }
    return []
  }

  private static let server: Command = { runner, text throws(CaseProblem) in
    let pairs = text.split(separator: " ").compactMap { pair -> ServerAssignment? in
      let halves = pair.split(separator: "=")
      guard halves.count == 2 else { return nil }
      return ServerAssignment(experimentID: String(halves[0]), variantID: String(halves[1]))
    }
    try store { () throws(StoreError) in try runner.matcher.assignments.apply(pairs) }
    return []
  }

  private static let confirmAll: Command = { runner, _ throws(CaseProblem) in
    let done = try store { () throws(StoreError) in try runner.matcher.assignments.confirmAll() }
    return [
      "confirm"
        + done.confirmations.map { " \($0.experimentID)=\($0.variantID)" }.joined(),
      "all" + done.assignments.map { " \($0.experimentID)=\($0.variant.id)" }.joined(),
    ]
  }

  private static let markSent: Command = { runner, text throws(CaseProblem) in
    let ids = text.split(separator: " ").map(String.init)
    try store { () throws(StoreError) in try runner.matcher.assignments.markSent(experimentIDs: ids)
    }
    return []
  }

  private static let assignments: Command = { runner, _ throws(CaseProblem) in
    let all = try store { () throws(StoreError) in try runner.matcher.assignments.all() }
    return all.map { assignment in
      "\(assignment.experimentID)=\(assignment.variant.id)" + (assignment.isSent ? " sent" : "")
    }
  }

  private static let preload: Command = { runner, text throws(CaseProblem) in
    let names = Set(text.split(separator: " ").map(String.init))
    let set = try store { () throws(StoreError) in
      try runner.matcher.paywalls.toPreload(placements: names.isEmpty ? nil : names)
    }
    let first = set.prioritized.isEmpty ? [] : ["first " + set.prioritized.joined(separator: " ")]
    return first + ["all " + (set.all.isEmpty ? "none" : set.all.joined(separator: " "))]
  }

  // MARK: Looking

  private static let events: Command = { runner, text throws(CaseProblem) in
    let wanted = Set(text.split(separator: " ").map(String.init))
    return runner.events.take().filter { wanted.isEmpty || wanted.contains($0.name) }.map { event in
      var parameters = event.parameters
      // These two are in every event; the session is random.
      parameters["is_superwall"] = nil
      parameters["app_session_id"] = nil
      return event.name + (parameters.isEmpty ? "" : " " + CaseText.json(parameters))
    }
  }

  private static let identity: Command = { runner, text throws(CaseProblem) in
    let identity = try store { () throws(StoreError) in try runner.matcher.user.identity() }
    let alias = identity.aliasID.hasPrefix(UserIdentity.aliasPrefix) ? "" : " with a strange alias"
    let seed = text == "seed" ? " seed \(identity.seed)" : ""
    return [(identity.userID ?? "anonymous") + seed + alias]
  }

  private static let attributes: Command = { runner, _ throws(CaseProblem) in
    let attributes = try store { () throws(StoreError) in try runner.matcher.user.attributes() }
    return [CaseText.json(attributes)]
  }

  private static let evaluate: Command = { runner, text throws(CaseProblem) in
    var expression = text
    var request = MatchRequest("")
    if text.hasPrefix("("), let end = text.firstIndex(of: ")"), text.hasPrefix("(for ") {
      let (name, parameters) = try nameAndObject(
        String(text[text.index(text.startIndex, offsetBy: 5)..<end]))
      request = MatchRequest(name, parameters: parameters)
      expression = trim(text[text.index(after: end)...])
    }
    let answer = try store { () throws(StoreError) in
      try runner.matcher.evaluate(expression, for: request)
    }
    return [CaseText.line(answer)]
  }

  // MARK: Reading arguments

  static func store<Result>(
    _ body: () throws(StoreError) -> Result
  ) throws(CaseProblem) -> Result {
    do throws(StoreError) {
      return try body()
    } catch {
      throw .store(error)
    }
  }

  static func object(_ text: String) throws(CaseProblem) -> [String: Value] {
    do throws(JSONError) {
      if let object = try Value(json: text).objectValue { return object }
    } catch {
      throw .input("no JSON: \(error.description)")
    }
    throw .input("a JSON object is needed")
  }

  static func nameAndObject(
    _ text: String
  ) throws(CaseProblem) -> (name: String, object: [String: Value]) {
    let parts = text.split(separator: " ", maxSplits: 1)
    guard let name = parts.first else { throw .input("a name is needed") }
    return (String(name), parts.count > 1 ? try object(trim(parts[1])) : [:])
  }
}
