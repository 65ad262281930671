public import CampaignCore
public import ExpressionEngine

/// An effect of a state machine. The host performs effects in order.
///
/// ``command(_:)`` is the exception: it is for another machine, and a session performs it by itself.
public indirect enum PaywallEffect: Sendable, Equatable {
  // MARK: The handler of the registration

  /// Calls `onPresent`.
  case onPresent(PaywallDetails)
  /// Calls `onWillDismiss`.
  case onWillDismiss(PaywallDetails, PaywallOutcome)
  /// Calls `onDismiss`.
  case onDismiss(PaywallDetails, PaywallOutcome)
  /// Calls `onSkip`.
  case onSkip(SkipReason)
  /// Calls `onError`.
  case onError(MatchError)
  /// Calls `onCustomCallback`; its result comes back as an event.
  case onCustomCallback(PaywallCallback)
  /// Runs the feature that the placement guards.
  case runFeature

  // MARK: The caller of getPaywall

  /// Returns the paywall to the app, which presents it.
  case returnPaywall(PaywallDetails)
  /// Throws the reason why there is none.
  case throwSkip(SkipReason)
  /// Throws the error.
  case throwError(MatchError)
  /// Tells the app's delegate that the paywall finished; it dismisses if `shouldDismiss`.
  case didFinish(PaywallDetails, PaywallOutcome, shouldDismiss: Bool)

  // MARK: The delegate

  /// Calls one method of the delegate.
  case delegate(DelegateCall)

  // MARK: The paywall

  /// Loads a paywall; its end comes back as an event.
  case load(PaywallDetails)
  /// Presents a paywall.
  case present(PaywallDetails)
  /// Loads the paywall again.
  case retryLoading(PaywallDetails?)
  /// Takes the paywall from the screen.
  case dismiss(PaywallDetails)
  /// Shows or hides the spinner on the paywall.
  case spinner(Bool)
  /// Asks whether a survey is due, and shows it.
  case offerSurvey(PaywallDetails, PaywallOutcome, CloseReason)
  /// Asks the matcher whether `paywall_decline` leads to another paywall.
  case lookForExitOffer(PaywallDetails)
  /// Sends a message to the paywall's page.
  case message(PaywallMessage)
  /// Lets the paywall run the actions that follow a purchase.
  case runPostPurchaseActions

  // MARK: Purchases

  /// Buys the product through the app's purchase controller.
  case purchaseByController(PaywallProduct)
  /// Buys the product in the App Store.
  case purchaseInStore(PaywallProduct)
  /// Asks the tester what becomes of the purchase.
  case simulatePurchase(PaywallProduct)
  /// Restores through the app's purchase controller.
  case restoreByController
  /// Restores from the App Store.
  case restoreFromStore
  /// Asks the tester what is restored.
  case simulateRestore
  /// Returns the result to the app, which asked for the purchase of the product.
  case returnPurchase(PaywallPurchaseResult, product: String? = nil)
  /// Returns the result to the app, which asked for the restore.
  case returnRestore(PaywallRestoreResult)
  /// Shows an alert.
  case alert(PaywallAlert)
  /// Reads the receipts again.
  case reloadReceipts
  /// Schedules the notifications of a free trial after these delays in milliseconds.
  case scheduleTrialNotifications([Int64])

  // MARK: Entitlements

  /// Stores the subscription status.
  case saveStatus(UserSubscriptionStatus)
  /// Yields a value to the stream of customer infos.
  case yieldCustomerInfo(CustomerRecord)
  /// Returns the customer info to everyone who waits for it.
  case returnCustomerInfo(CustomerRecord)

  // MARK: Web checkout

  /// Sends codes to the server, now or after a pause in milliseconds. The answer names the id, because
  /// several requests can be under way.
  case redeem([RedemptionFlow.Code], afterMilliseconds: Int64, id: Int = 0)
  /// Fetches the web entitlements.
  case fetchWebEntitlements

  /// Asks the server for the result of a checkout; it comes back as an event of the recovery.
  case pollCheckout(contextID: String)
  /// Reports ``CheckoutRecovery/Event/pauseEnded(at:)`` after a pause.
  case pauseCheckout(milliseconds: Int64)
  /// Calls `didRedeemLink` of the delegate after a pause.
  case announceRedemption(PaywallRedemptionResult, afterMilliseconds: Int64)

  // MARK: Introductory offers

  /// Fetches tokens from the server; they come back as an event.
  case fetchOfferTokens(IntroOfferTokens.Request)

  // MARK: Actions of the paywall

  /// Calls back with the time-out of a callback after this many milliseconds.
  case startTimer(requestID: String, milliseconds: Int64)
  /// Asks the system for a permission.
  case requestPermission(Permission, requestID: String)
  /// Merges attributes into those of the user.
  case mergeUserAttributes([String: Value?])
  /// Opens a web address.
  case openURL(String)
  /// Opens a link that leads back into the app.
  case openDeepLink(String)
  /// Asks for a review.
  case requestReview

  // MARK: Links

  /// Tracks `deepLink_open` for the link, which may present a paywall.
  case openLink(String)
  /// Opens the preview of a paywall.
  case openPreview(String)

  // MARK: Test mode

  /// Shows the modal of test mode.
  case showTestModal
  /// Stores what the tester chose.
  case saveTestSettings(TestMode.Settings)

  // MARK: Events

  /// Tracks an event.
  case track(AnalyticsEvent)

  // MARK: Other machines

  /// Commands another machine. ``PaywallSession/handle(_:)`` returns no such effect.
  case command(SessionCommand)
}

/// A command of one state machine to another.
public indirect enum SessionCommand: Sendable, Equatable {
  /// Ends the presentation with a result.
  case finishPaywall(PaywallOutcome)
  /// Closes the paywall as if by hand.
  case closePaywall
  /// Starts the purchase of the product with this name.
  case startPurchase(productName: String)
  /// Ends the purchase, as the tester chose.
  case finishPurchase(PaywallPurchaseResult)
  /// Starts a restore.
  case startRestore
  /// Ends the restore, as the tester chose.
  case finishRestore(PaywallRestoreResult)
  /// Redeems the code of a link.
  case redeemCode(String)
  /// Redeems the known codes once more.
  case redeemExistingCodes
  /// Adds the customer's purchases on the web to the entitlements.
  case applyWebCustomerInfo(CustomerRecord)
  /// Pins status and customer info to entitlements; `nil` frees them.
  case pinEntitlements(Set<UserEntitlement>?)
}

/// A call of the delegate.
public indirect enum DelegateCall: Sendable, Equatable {
  /// A paywall is about to appear.
  case willPresentPaywall(PaywallDetails)
  /// A paywall appeared.
  case didPresentPaywall(PaywallDetails)
  /// A paywall is about to disappear.
  case willDismissPaywall(PaywallDetails)
  /// A paywall disappeared.
  case didDismissPaywall(PaywallDetails)
  /// The paywall opens a web address.
  case paywallWillOpenURL(String)
  /// The paywall opens a deep link.
  case paywallWillOpenDeepLink(String)
  /// A custom action was tapped.
  case handleCustomPaywallAction(String)
  /// The subscription status changed.
  case subscriptionStatusDidChange(
    from: UserSubscriptionStatus, to: UserSubscriptionStatus)
  /// The customer info changed.
  case customerInfoDidChange(
    from: CustomerRecord, to: CustomerRecord)
  /// Something else than the app changed attributes of the user.
  case userAttributesDidChange([String: Value?])
  /// A code is about to be redeemed.
  case willRedeemLink
  /// A code was redeemed, or could not be.
  case didRedeemLink(PaywallRedemptionResult)
  /// A link of the service was opened.
  case handleSuperwallDeepLink(url: String, pathComponents: [String], query: [String: String])
}

/// A message to the paywall's page.
public enum PaywallMessage: Sendable, Equatable {
  /// The result of a custom callback.
  case callbackResult(requestID: String, name: String, PaywallCallbackResult)
  /// The result of a request for a permission.
  case permissionResult(requestID: String, Permission, PermissionStatus)
}

/// An alert; its texts are the host's.
public enum PaywallAlert: Sendable, Equatable {
  /// The purchase failed.
  case purchaseFailed(String)
  /// The purchase waits for an approval.
  case purchasePending
  /// Nothing could be restored.
  case restoreFailed
  /// The checkout on the web is paid. Closing the alert is ``CheckoutRecovery/Event/confirmed``.
  case checkoutCompleted
  /// The purchase may have been made on the web.
  case restoreOnWeb(hasSubscriptions: Bool)
}
