import CampaignCore
import ExpressionCoding
import ExpressionEngine
public import PaywallLogic

extension PaywallEffect: CustomStringConvertible {
  /// The effect in the words of the corpus.
  public var description: String {
    switch self {
    case .onPresent(let info): "onPresent \(info.identifier)"
    case .onWillDismiss(let info, let result): "onWillDismiss \(info.identifier) \(result)"
    case .onDismiss(let info, let result): "onDismiss \(info.identifier) \(result)"
    case .onSkip(let reason): "onSkip \(reason)"
    case .onError(let error): "onError \(error.code)"
    case .onCustomCallback(let callback): "onCustomCallback \(callback)"
    case .runFeature: "run feature"
    case .returnPaywall(let info): "return paywall \(info.identifier)"
    case .throwSkip(let reason): "throw \(reason)"
    case .throwError(let error): "throw error \(error.code)"
    case .didFinish(let info, let result, let shouldDismiss):
      "didFinish \(info.identifier) \(result)\(shouldDismiss ? " dismiss" : "")"
    case .delegate(let call): "delegate \(call)"
    case .load(let info): "load \(info.identifier)"
    case .present(let info): "present \(info.identifier)"
    case .retryLoading(let info): "retry loading\(info.map { " " + $0.identifier } ?? "")"
    case .dismiss(let info): "dismiss \(info.identifier)"
    case .spinner(let isShown): isShown ? "show spinner" : "hide spinner"
    case .offerSurvey(_, let result, let reason): "offer survey \(result) \(reason.rawValue)"
    case .lookForExitOffer(let info): "look for exit offer of \(info.identifier)"
    case .message(let message): "message \(message)"
    case .runPostPurchaseActions: "run post-purchase actions"
    case .purchaseByController(let product): "controller purchases \(product.id)"
    case .purchaseInStore(let product): "store purchases \(product.id)"
    case .simulatePurchase(let product): "simulate purchase \(product.id)"
    case .restoreByController: "controller restores"
    case .restoreFromStore: "store restores"
    case .simulateRestore: "simulate restore"
    case .returnPurchase(let result, _): "return \(result)"
    case .returnRestore(let result): "return \(result)"
    case .alert(let alert): "alert \(alert)"
    case .reloadReceipts: "reload receipts"
    case .scheduleTrialNotifications(let delays):
      "schedule notifications \(delays.map(String.init).joined(separator: ","))"
    case .saveStatus(let status): "save status \(status)"
    case .yieldCustomerInfo(let info): "yield customer info \(info.summary)"
    case .returnCustomerInfo(let info): "return customer info \(info.summary)"
    case .redeem(let codes, let pause, _):
      "redeem \(codes.isEmpty ? "no codes" : codes.map(\.description).joined(separator: ","))"
        + (pause > 0 ? " after \(pause) ms" : "")
    case .fetchWebEntitlements: "fetch web entitlements"
    case .pollCheckout(let id): "poll checkout \(id)"
    case .pauseCheckout(let milliseconds): "pause checkout \(milliseconds) ms"
    case .announceRedemption(let result, let pause): "didRedeemLink \(result) after \(pause) ms"
    case .fetchOfferTokens(let request):
      "fetch offer tokens of \(request.productIDs.joined(separator: ","))"
    case .startTimer(let id, let milliseconds): "start timer \(id) \(milliseconds) ms"
    case .requestPermission(let permission, _): "ask the system for \(permission.rawValue)"
    case .mergeUserAttributes(let attributes): "merge user attributes \(json(attributes))"
    case .openURL(let url): "open \(url)"
    case .openDeepLink(let url): "open deep link \(url)"
    case .requestReview: "request review"
    case .openLink(let url): "open link \(url)"
    case .openPreview(let url): "open preview \(url)"
    case .showTestModal: "show test modal"
    case .saveTestSettings(let settings): "save test settings \(settings)"
    case .track(let event): "track \(event)"
    case .command(let command): "\(command)"
    }
  }
}

extension SessionCommand: CustomStringConvertible {
  /// The command in the words of the corpus.
  public var description: String {
    switch self {
    case .finishPaywall(let result): "finish paywall \(result)"
    case .redeemExistingCodes: "redeem existing codes"
    case .applyWebCustomerInfo(let info): "apply web customer info \(info.summary)"
    case .startPurchase(let name): "start purchase of \(name)"
    case .startRestore: "start restore"
    case .closePaywall: "close paywall"
    case .pinEntitlements(let entitlements):
      entitlements.map { "pin status \(UserSubscriptionStatus.active($0).normalized)" }
        ?? "unpin status"
    case .finishPurchase(let result): "finish purchase \(result)"
    case .finishRestore(let result): "finish restore \(result)"
    case .redeemCode(let code): "redeem code \(code)"
    }
  }
}

extension DelegateCall: CustomStringConvertible {
  /// The name of the delegate's method, and the arguments.
  public var description: String {
    switch self {
    case .willPresentPaywall(let info): "willPresentPaywall \(info.identifier)"
    case .didPresentPaywall(let info): "didPresentPaywall \(info.identifier)"
    case .willDismissPaywall(let info): "willDismissPaywall \(info.identifier)"
    case .didDismissPaywall(let info): "didDismissPaywall \(info.identifier)"
    case .paywallWillOpenURL(let url): "paywallWillOpenURL \(url)"
    case .paywallWillOpenDeepLink(let url): "paywallWillOpenDeepLink \(url)"
    case .handleCustomPaywallAction(let name): "handleCustomPaywallAction \(name)"
    case .subscriptionStatusDidChange(let old, let new):
      "subscriptionStatusDidChange from \(old) to \(new)"
    case .customerInfoDidChange(let old, let new):
      "customerInfoDidChange from \(old.summary) to \(new.summary)"
    case .userAttributesDidChange(let attributes): "userAttributesDidChange \(json(attributes))"
    case .willRedeemLink: "willRedeemLink"
    case .didRedeemLink(let result): "didRedeemLink \(result)"
    case .handleSuperwallDeepLink(_, let components, let query):
      "handleSuperwallDeepLink /\(components.joined(separator: "/")) "
        + json(query.mapValues { .string($0) })
    }
  }
}

extension PaywallMessage: CustomStringConvertible {
  /// The name of the message, and what it carries.
  public var description: String { "\(name) \(Value(object: payload).jsonText())" }
}

extension PaywallAlert: CustomStringConvertible {
  /// The alert in a few words.
  public var description: String {
    switch self {
    case .purchaseFailed(let message): "purchase failed: \(message)"
    case .purchasePending: "purchase pending"
    case .restoreFailed: "restore failed"
    case .checkoutCompleted: "checkout completed"
    case .restoreOnWeb(let hasSubscriptions):
      hasSubscriptions ? "restore other purchases on the web" : "restore on the web"
    }
  }
}

/// Attributes as JSON; one that is to be removed is null.
private func json(_ attributes: [String: Value?]) -> String {
  Value(object: attributes.mapValues { $0 ?? .null }).jsonText()
}
