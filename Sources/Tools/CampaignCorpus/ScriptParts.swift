import CampaignCore
import CampaignHost
import ExpressionCoding
import ExpressionEngine
import PaywallLogic

/// The lines that came of a step.
final class ScriptTimeline: Sendable {
  private let lines = Locked([String]())

  func note(_ line: String) { lines.withLock { $0.append(line) } }

  func note(_ entry: HostOutlet.Entry) {
    switch entry {
    case .decision(let outcome): note("\(outcome)")
    case .effect(let effect): note("\(effect)")
    case .event(let event): note("track \(event)")
    }
  }

  func take() -> [String] {
    lines.withLock { lines in
      defer { lines = [] }
      return lines
    }
  }
}

/// A screen that has every paywall, on which each appears and goes at once, unless the script says that it
/// fails or that paywalls have to be loaded; and the app's answers to callbacks.
final class ScriptScreen: Presenter {
  private let loads = Locked(false)
  private let missing = Locked([String]())
  private let products = Locked([PaywallProduct]())
  private let fault = Locked(MatchError?.none)
  private let answers = Locked([String: PaywallCallbackResult]())
  private let survey = Locked(String?.none)
  private let timeline: ScriptTimeline

  init(_ timeline: ScriptTimeline) { self.timeline = timeline }

  func fail(_ error: MatchError?) { fault.withLock { $0 = error } }

  func setAnswer(to callback: String, _ answer: PaywallCallbackResult) {
    answers.withLock { $0[callback] = answer }
  }

  func answer(to callback: String) -> PaywallCallbackResult {
    answers.withLock { $0[callback] } ?? .failure()
  }

  /// Sets whether paywalls have to be loaded, and the products that the store does not know.
  func setLoads(_ loads: Bool, missing: [String] = []) {
    self.loads.withLock { $0 = loads }
    self.missing.withLock { $0 = missing }
  }

  /// Sets the products that come with the paywalls that are loaded.
  func setProducts(_ products: [PaywallProduct]) { self.products.withLock { $0 = products } }

  func isLoaded(_ paywall: PaywallDetails) async -> Bool { !loads.withLock { $0 } }

  func load(_ paywall: PaywallDetails) async throws(MatchError) -> LoadedPaywall {
    try check(at: .load)
    let (missing, all) = (missing.withLock { $0 }, products.withLock { $0 })
    let ids = Set(paywall.products.map(\.id))
    var loaded = LoadedPaywall(
      paywall, products: all.filter { ids.contains($0.id) && !missing.contains($0.id) })
    loaded.missingProducts = missing.filter(ids.contains)
    return loaded
  }

  func findView(for paywall: PaywallDetails) async throws(MatchError) { try check(at: .view) }

  func present(_ paywall: PaywallDetails) async throws(MatchError) { try check(at: .presentation) }

  /// The stages in which a screen can fail.
  private enum Stage {
    case load
    case view
    case presentation
  }

  /// Throws the fault of the script in the stage where it happens.
  private func check(at stage: Stage) throws(MatchError) {
    guard let error = fault.withLock({ $0 }) else { return }
    let own: Stage =
      switch error.statusReason {
      case MatchError.noPresenter.statusReason: .view
      case MatchError.paywallNotFound.statusReason: .load
      default: .presentation
      }
    if own == stage { throw error }
  }

  func dismiss(_ paywall: PaywallDetails) async {}

  /// Sets the answer to surveys; `nil` closes them.
  func setSurveyAnswer(_ option: String?) { survey.withLock { $0 = option } }

  func ask(_ survey: Survey, options: [Survey.Option]) async -> SurveyAnswer? {
    let answer = self.survey.withLock { $0 }
    guard let option = options.first(where: { $0.id == answer }) else {
      timeline.note("the user closes the survey")
      return nil
    }
    timeline.note("the user answers \(option.title)")
    return SurveyAnswer(survey: survey, option: option)
  }
}

/// A store, or a purchase controller, that returns the results that the script has set.
final class ScriptStore: BillingController {
  /// The result of purchases or restores.
  enum Answer: Sendable {
    case purchase(PaywallPurchaseResult, transaction: String?, hasOffer: Bool)
    case restoration(PaywallRestoreResult)

    /// Reads `purchased t1`, `purchased t1 with offer`, `cancelled`, `pending`, `failed TEXT`,
    /// `restored`, `nothing to restore`.
    init?(_ text: String) {
      let words = text.split(separator: " ").map(String.init)
      switch words.first {
      case "purchased":
        self = .purchase(
          .purchased, transaction: words.dropFirst().first, hasOffer: text.hasSuffix("with offer"))
      case "cancelled": self = .purchase(.cancelled, transaction: nil, hasOffer: false)
      case "pending": self = .purchase(.pending, transaction: nil, hasOffer: false)
      case "failed":
        let message = words.dropFirst().joined(separator: " ")
        self = .purchase(.failed(PurchaseError.message(message)), transaction: nil, hasOffer: false)
      case "restored": self = .restoration(.restored)
      case "nothing": self = .restoration(.failed(nil))
      default: return nil
      }
    }
  }

  private struct State {
    var purchase = PaywallPurchaseResult.cancelled
    var transaction: String?
    var hasOffer = false
    var restoration = PaywallRestoreResult.failed(nil)
  }

  private let timeline: ScriptTimeline
  private let state = Locked(State())

  init(_ timeline: ScriptTimeline) { self.timeline = timeline }

  func answer(_ answer: Answer) {
    state.withLock { state in
      switch answer {
      case .purchase(let result, let transaction, let hasOffer):
        (state.purchase, state.transaction, state.hasOffer) = (result, transaction, hasOffer)
      case .restoration(let result): state.restoration = result
      }
    }
  }

  func purchase(product: PaywallProduct) async -> PaywallPurchaseResult {
    let result = state.withLock { $0.purchase }
    timeline.note("the store answers \(result)")
    return result
  }

  func restorePurchases() async -> PaywallRestoreResult {
    let result = state.withLock { $0.restoration }
    timeline.note("the store answers \(result)")
    return result
  }

  func transaction(of product: PaywallProduct) async -> PaywallTransaction? {
    state.withLock { state in
      state.transaction.map {
        PaywallTransaction(id: $0, productID: product.id, hasOffer: state.hasOffer)
      }
    }
  }
}
