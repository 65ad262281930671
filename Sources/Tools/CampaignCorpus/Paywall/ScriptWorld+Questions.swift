import CampaignCore
import ExpressionCoding
import ExpressionEngine
import PaywallLogic

extension ScriptWorld {
  /// Answers a step that asks and changes nothing; `nil` for any other step.
  func ask(_ name: String, _ rest: String) throws(CaseProblem) -> [String]? {
    switch name {
    case "parameters": return try parameters(rest)
    case "filterParameters":
      return lines(try event(named: rest).filterParameters)
    case "cohort": return lines(try event(named: rest).cohortAttributes.mapValues { .bool($0) })
    case "evaluate":
      var variables = session.filterRoots
      variables["params"] = Value(
        object: adaptyParameters ?? tracked.last?.filterParameters ?? [:])
      return [evaluate(rest, variables)]
    case "entitlements": return entitlementLists()
    case "byProductIds":
      let ids = Set(rest.split(separator: ",").map(String.init))
      let found = session.entitlements.byProductIDs(ids).map(\.identifier)
      return [found.isEmpty ? "none" : found.joined(separator: " ")]
    case "merge": return try merge(rest)
    case "pick": return try pick(rest)
    case "gating": return try gating(rest)
    case "products": return try overridden(rest)
    case "offer": return try offer(rest)
    case "attribute":
      let words = Self.words(rest, 2)
      let product = try product(words.first ?? "")
      let names = (words.last ?? "").split(separator: " ").map(String.init)
      return names.map { name in
        "\(name) = \(product.attributes[name].map { Value.string($0).jsonText() } ?? "missing")"
      }
    case "situation": return try situation(rest)
    case "skipReason":
      return [try version3(rest)]
    case "message": return try message(rest)
    default: return nil
    }
  }

  private func event(named name: String) throws(CaseProblem) -> AnalyticsEvent {
    guard let event = tracked.last(where: { $0.trackedName == name }) else {
      throw .input("no `\(name)` was tracked")
    }
    return event
  }

  /// All parameters of the last event of a name, or only some of them.
  private func parameters(_ rest: String) throws(CaseProblem) -> [String] {
    let words = rest.split(separator: " ").map(String.init)
    let all = try event(named: words.first ?? "").parameters()
    let names = words.dropFirst()
    if names.isEmpty { return lines(all) }
    return names.map { "\($0) = \(all[$0]?.jsonText() ?? "missing")" }
  }

  private func lines(_ values: [String: Value]) -> [String] {
    values.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value.jsonText())" }
  }

  private func entitlementLists() -> [String] {
    let book = session.entitlements
    return [
      ("active", book.active), ("inactive", book.inactive), ("all", book.all), ("web", book.web),
    ]
    .map { "\($0.0) [\($0.1.map(\.identifier).joined(separator: " "))]" }
  }

  /// `[{"note": "a", "isActive": true}, {"note": "b"}]`: which record of one entitlement stays.
  private func merge(_ text: String) throws(CaseProblem) -> [String] {
    guard case .list(let elements) = try Self.json(text) else {
      throw .input("records are a list")
    }
    var records: [UserEntitlement] = []
    var notes: [String] = []
    for element in elements {
      guard let members = element.objectValue else { throw .input("a record is an object") }
      records.append(try Self.entitlement(members))
      notes.append(members["note"]?.text ?? "")
    }
    return records.merged().map { winner in
      // The winner has the products of all, so it is found by the rest.
      let index = records.firstIndex { record in
        var copy = record
        copy.productIDs = winner.productIDs
        return copy == winner
      }
      let products = winner.productIDs.joined(separator: " ")
      return "\(index.map { notes[$0] } ?? "?")\(products.isEmpty ? "" : " with \(products)")"
    }
  }

  private static func entitlement(
    _ members: [String: Value]
  ) throws(CaseProblem) -> UserEntitlement {
    var entitlement = UserEntitlement(
      identifier: members["id"]?.text ?? "pro")
    for (name, value) in members {
      switch (name, value) {
      case ("id", _), ("note", _): break
      case ("isActive", .bool(let flag)): entitlement.isActive = flag
      case ("latestProductId", .string(let text)): entitlement.latestProductID = text
      case ("store", .string(let text)): entitlement.store = try word(.init(rawValue: text), text)
      case ("isLifetime", .bool(let flag)): entitlement.isLifetime = flag
      case ("isRevoked", .bool(let flag)):
        if flag { entitlement.state = .revoked }
      case ("willRenew", .bool(let flag)): entitlement.willRenew = flag
      case ("state", .string(let text)): entitlement.state = try word(.init(rawValue: text), text)
      case ("expiresAt", .string(let text)):
        entitlement.expiresAt = try word(WallTime(rfc3339: text), text)
      case ("productIds", .list(let ids)):
        entitlement.productIDs = ids.compactMap(\.text)
      default: throw .input("an entitlement has no member `\(name)` like this")
      }
    }
    return entitlement
  }

  /// `pick PAYWALL RESULT REASON PROBABILITY [KEY]`: which survey follows.
  private func pick(_ rest: String) throws(CaseProblem) -> [String] {
    let words = rest.split(separator: " ").map(String.init)
    guard words.count >= 4 else {
      throw .input("a survey is picked by `paywall result reason probability key`")
    }
    let info = try paywall(words[0])
    var surveys = info.surveys
    let probability = try word(Double(words[3]), words[3])
    for index in surveys.indices {
      surveys[index].probability = probability
      surveys[index].options = [.init(id: "a", title: "A"), .init(id: "b", title: "B")]
      surveys[index].includesOtherOption = true
    }
    var random = SplitMix64(seed: 1)
    let outcome = SurveyPicker.pick(
      from: surveys, after: try result(words[1]),
      try word(CloseReason(rawValue: words[2]), words[2]),
      storedKey: words.count > 4 ? words[4] : nil, using: &random)
    return ["\(outcome)"]
  }

  private func result(_ text: String) throws(CaseProblem) -> PaywallOutcome {
    switch text {
    case "purchased": .purchased("monthly")
    case "declined": .declined
    case "restored": .restored
    default: throw .input("`\(text)` is not a result")
    }
  }

  /// Returns the effects of `gating RESULT REASON GATING` on `onDismiss`.
  private func gating(_ rest: String) throws(CaseProblem) -> [String] {
    let words = rest.split(separator: " ").map(String.init)
    guard words.count == 3 else { throw .input("gating is asked by `result reason gating`") }
    let effects = PresentationFlow.consequence(
      of: try result(words[0]), try word(CloseReason(rawValue: words[1]), words[1]),
      gating: try word(FeatureGating(rawValue: words[2]), words[2]))
    return effects.isEmpty ? ["nothing"] : effects.map(\.description)
  }

  /// `products PAYWALL`, or `products PAYWALL with primary=other`, or `… with nothing`.
  private func overridden(_ rest: String) throws(CaseProblem) -> [String] {
    let (name, overrides) = rest.parts(around: " with ")
    let perCall = try overrides.map { text throws(CaseProblem) in
      text == "nothing" ? [:] : try pairs(text)
    }
    return options.overrides.apply(to: try paywall(name).products, perCall: perCall)
      .map { "\($0.name ?? "unnamed") \($0.id)" }
  }

  /// `offer PRODUCT SETTING [eligible] [OVERRIDE]`: whether a trial is offered.
  private func offer(_ rest: String) throws(CaseProblem) -> [String] {
    let words = rest.split(separator: " ").map(String.init)
    guard words.count >= 2 else { throw .input("an offer is asked by `product setting`") }
    let setting = try word(OfferEligibility.allCases.first { "\($0)" == words[1] }, words[1])
    let offers = setting.offersTrial(
      of: try product(words[0]), isEligibleInStore: words.contains("eligible"),
      customer: session.entitlements.customerInfo,
      override: words.compactMap(TestMode.TrialOverride.init).first ?? .useDefault)
    return [offers ? "trial" : "no trial"]
  }

  private func situation(_ rest: String) throws(CaseProblem) -> [String] {
    let members = try CaseCommand.object(rest)
    func texts(_ name: String) -> Set<String> {
      guard case .list(let list)? = members[name] else { return [] }
      return Set(list.compactMap(\.text))
    }
    let behavior = members["behavior"]?.text ?? "automatic"
    let situation = TestMode.Situation(
      behavior: try word(.init(rawValue: behavior), behavior), userIDs: texts("users"),
      testUserIDs: texts("testUsers"), bundleID: members["bundle"]?.text,
      configBundleID: members["configBundle"]?.text, isUITest: members["uiTest"] == true)
    return [situation.reason.map { "\($0)" } ?? "off"]
  }

  private func version3(_ text: String) throws(CaseProblem) -> String {
    switch text {
    case "holdout": SkipReason.holdout(Self.experiment("1", "1a")).version3Name
    case "noAudienceMatch": SkipReason.noAudienceMatch.version3Name
    case "placementNotFound": SkipReason.placementNotFound.version3Name
    default: throw .input("`\(text)` is not a reason to skip")
    }
  }

  private func message(_ text: String) throws(CaseProblem) -> [String] {
    [PaywallCallback(message: try Self.json(text)).map { "\($0)" } ?? "ignored"]
  }

  /// Returns the events that `adapty NAME JSON` becomes.
  mutating func adapty(_ rest: String) throws(CaseProblem) -> [String] {
    let words = Self.words(rest, 2)
    let event: AdaptyEvent
    do {
      event = try AdaptyEvent(name: words.first ?? "", json: words.count > 1 ? words[1] : "{}")
    } catch {
      return ["error: \(error)"]
    }
    let info = session.presentation.paywall ?? PaywallDetails(identifier: "adapty")
    let events = event.analyticsEvents(on: info)
    tracked += events
    adaptyParameters = event.parameters
    return events.map { "track \($0)" } + (event.profile.map { ["status \($0.status)"] } ?? [])
      + lines(event.parameters).map { "params." + $0 }
  }
}
