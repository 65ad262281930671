/// An event of one of Adapty's paywalls (docs/spec/campaigns.md §8.11).
public enum AdaptyEvent: Sendable, Equatable {
  /// The paywall was presented.
  case didAppear
  /// The paywall was dismissed.
  case didDisappear
  /// A button was tapped.
  case didPerformAction(Action)
  /// A product was selected, by the user or by the system.
  case didSelectProduct(AdaptyProduct)
  /// A purchase began.
  case didStartPurchase(AdaptyProduct)
  /// A purchase ended without an error, which a cancelled one does, too.
  case didFinishPurchase(AdaptyProduct, PurchaseOutcome)
  /// A purchase failed.
  case didFailPurchase(AdaptyProduct, AdaptyError)
  /// A purchase on the web is about to begin.
  case shouldContinueWebPaymentNavigation(AdaptyProduct)
  /// The page of a purchase on the web could not be opened.
  case didFailWebPaymentNavigation(AdaptyProduct, AdaptyError)
  /// The page of a purchase on the web was opened.
  case didFinishWebPaymentNavigation
  /// A restore began.
  case didStartRestore
  /// A restore succeeded.
  case didFinishRestore(AdaptyProfile)
  /// A restore failed.
  case didFailRestore(AdaptyError)
  /// Products could not be loaded.
  case didFailLoadingProducts(AdaptyError)
  /// Some products could not be loaded.
  case didPartiallyLoadProducts
  /// The paywall could not be drawn.
  case didFailRendering(AdaptyError)

  /// An action of a button.
  public enum Action: Sendable, Equatable {
    /// It closes the paywall.
    case close
    /// It opens an address.
    case openURL(String)
    /// Whatever the app does for this id of the builder.
    case custom(String)
  }

  /// How a purchase ended.
  public enum PurchaseOutcome: Sendable, Equatable {
    /// The product was bought.
    case success(AdaptyProfile)
    /// The user cancelled.
    case cancelled
  }

  /// The names of the events.
  public enum Name: String, Sendable, Hashable, CaseIterable {
    /// See ``AdaptyEvent/didAppear``.
    case didAppear
    /// See ``AdaptyEvent/didDisappear``.
    case didDisappear
    /// See ``AdaptyEvent/didPerformAction(_:)``.
    case didPerformAction
    /// See ``AdaptyEvent/didSelectProduct(_:)``.
    case didSelectProduct
    /// See ``AdaptyEvent/didStartPurchase(_:)``.
    case didStartPurchase
    /// See ``AdaptyEvent/didFinishPurchase(_:_:)``.
    case didFinishPurchase
    /// See ``AdaptyEvent/didFailPurchase(_:_:)``.
    case didFailPurchase
    /// See ``AdaptyEvent/shouldContinueWebPaymentNavigation(_:)``.
    case shouldContinueWebPaymentNavigation
    /// See ``AdaptyEvent/didFailWebPaymentNavigation(_:_:)``.
    case didFailWebPaymentNavigation
    /// See ``AdaptyEvent/didFinishWebPaymentNavigation``.
    case didFinishWebPaymentNavigation
    /// See ``AdaptyEvent/didStartRestore``.
    case didStartRestore
    /// See ``AdaptyEvent/didFinishRestore(_:)``.
    case didFinishRestore
    /// See ``AdaptyEvent/didFailRestore(_:)``.
    case didFailRestore
    /// See ``AdaptyEvent/didFailLoadingProducts(_:)``.
    case didFailLoadingProducts
    /// See ``AdaptyEvent/didPartiallyLoadProducts``.
    case didPartiallyLoadProducts
    /// See ``AdaptyEvent/didFailRendering(_:)``.
    case didFailRendering

    /// Whether an app has to handle the event.
    public var isRequired: Bool {
      switch self {
      case .didFailPurchase, .didFinishRestore, .didFailRestore, .didFailRendering: true
      default: false
      }
    }

    /// Whether the event comes in Observer mode, in which the app makes purchases itself.
    public var comesInObserverMode: Bool {
      switch self {
      case .didStartPurchase, .didFinishPurchase, .didFailPurchase: false
      default: true
      }
    }
  }

  /// The name of the event.
  public var name: Name {
    switch self {
    case .didAppear: .didAppear
    case .didDisappear: .didDisappear
    case .didPerformAction: .didPerformAction
    case .didSelectProduct: .didSelectProduct
    case .didStartPurchase: .didStartPurchase
    case .didFinishPurchase: .didFinishPurchase
    case .didFailPurchase: .didFailPurchase
    case .shouldContinueWebPaymentNavigation: .shouldContinueWebPaymentNavigation
    case .didFailWebPaymentNavigation: .didFailWebPaymentNavigation
    case .didFinishWebPaymentNavigation: .didFinishWebPaymentNavigation
    case .didStartRestore: .didStartRestore
    case .didFinishRestore: .didFinishRestore
    case .didFailRestore: .didFailRestore
    case .didFailLoadingProducts: .didFailLoadingProducts
    case .didPartiallyLoadProducts: .didPartiallyLoadProducts
    case .didFailRendering: .didFailRendering
    }
  }
}
