import CampaignCore
import PaywallLogic

// Steps about checkouts whose result is unknown, and about purchases that the app makes itself.
extension ScriptWorld {
  /// The event that a step is; `nil` for another step.
  func recoveryEvent(_ name: String, _ rest: String) throws(CaseProblem) -> PaywallSession.Event? {
    switch name {
    case "launched" where !rest.isEmpty: return .launched(at: try Self.date(rest))
    case "foreground": return .foregrounded(at: try Self.date(rest))
    case "page": return .recovery(try page(Self.words(rest, 4)))
    case "poll": return .recovery(try poll(Self.words(rest, 4)))
    case "pause": return .recovery(.pauseEnded(at: try Self.date(rest)))
    case "confirmed": return .recovery(.confirmed)
    case "transactions":
      var listed: [ObservedTransactions.Listed] = []
      for part in rest.split(separator: " ") { listed.append(try Self.listed(String(part))) }
      return .transactionsListed(listed)
    case "payment":
      let words = Self.words(rest, 3)
      guard words.count >= 2 else { throw .input("a payment is `STEP PRODUCT`") }
      return .paymentObserved(
        try Self.step(words[0], words.count > 2 ? words[2] : ""), productID: words[1])
    default: return nil
    }
  }

  private static func date(_ text: String) throws(CaseProblem) -> WallTime {
    try word(WallTime(rfc3339: text), text)
  }

  /// `submitted CONTEXT PRODUCT DATE`, `completed CONTEXT PRODUCT DATE`, or `left PRODUCT`.
  private func page(_ words: [String]) throws(CaseProblem) -> CheckoutRecovery.Event {
    switch (words.first, words.count) {
    case ("submitted", 4):
      return .submitted(contextID: words[1], productID: words[2], at: try Self.date(words[3]))
    case ("completed", 4):
      return .completed(contextID: words[1], productID: words[2], at: try Self.date(words[3]))
    case ("left", 2): return .abandoned(productID: words[1])
    default:
      throw .input("a page is `submitted CONTEXT PRODUCT DATE`, `completed …`, `left PRODUCT`")
    }
  }

  /// `pending DATE`, `failed DATE`, `complete DATE`, `unreachable DATE`, or `code CODE DATE INFO`.
  private func poll(_ words: [String]) throws(CaseProblem) -> CheckoutRecovery.Event {
    guard words.count >= 2 else { throw .input("an answer is `RESULT DATE`") }
    if words[0] == "unreachable" { return .requestFailed(at: try Self.date(words[1])) }
    guard words[0] == "code", words.count >= 3 else {
      let status = try CampaignCorpus.word(RedeemResponse.Status(rawValue: words[0]), words[0])
      return .responded(RedeemResponse(status: status), at: try Self.date(words[1]))
    }
    let info = try customerInfo(words.count > 3 ? words[3] : "")
    let response = RedeemResponse(
      results: [.success(code: words[1], .init())], customerInfo: info, status: .complete)
    return .responded(response, at: try Self.date(words[2]))
  }

  /// `ID:PRODUCT@DATE`, with `renewal:` or `offer:` before it.
  private static func listed(_ text: String) throws(CaseProblem) -> ObservedTransactions.Listed {
    var (head, date) = text.parts(around: "@")
    let isRenewal = head.hasPrefix("renewal:")
    let hasOffer = head.hasPrefix("offer:")
    if isRenewal || hasOffer { head = head.parts(around: ":").after ?? "" }
    let (id, product) = head.parts(around: ":")
    guard let product, let date, let instant = WallTime(rfc3339: date) else {
      throw .input("`\(text)` is not a transaction")
    }
    return .init(
      id: id, productID: product, purchasedAt: instant, isRenewal: isRenewal, hasOffer: hasOffer)
  }

  private static func step(
    _ name: String, _ detail: String
  ) throws(CaseProblem) -> ObservedTransactions.Step {
    switch name {
    case "starts": .purchasing
    case "succeeds": .purchased(transactionID: detail.isEmpty ? nil : detail)
    case "fails": .failed(message: detail)
    case "left": .cancelled
    case "late": .timedOut
    case "deferred": .deferred
    case "removed": .removed
    default: throw .input("`\(name)` is not a step of a payment")
    }
  }
}
