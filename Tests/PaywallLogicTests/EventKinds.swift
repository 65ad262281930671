import PaywallLogic

// The kinds of events of each machine. The switches have no default, so that a test that tries one
// event of each kind does not compile until a new event has a kind.

extension PresentationFlow.Event {
  enum Kind: String, CaseIterable {
    case decided, loaded, contentChanged, makeRoom, presented, failed, networkFailed,
      purchased, restored, closed, surveyFinished, exitOffer, replaced, disappeared
  }

  var kind: Kind {
    switch self {
    case .decided: .decided
    case .loaded: .loaded
    case .contentChanged: .contentChanged
    case .makeRoom: .makeRoom
    case .presented: .presented
    case .failed: .failed
    case .networkFailed: .networkFailed
    case .purchased: .purchased
    case .restored: .restored
    case .closed: .closed
    case .surveyFinished: .surveyFinished
    case .exitOffer: .exitOffer
    case .replaced: .replaced
    case .disappeared: .disappeared
    }
  }
}

extension PurchaseFlow.Event {
  enum Kind: String, CaseIterable {
    case purchase, productUnavailable, purchaseFinished, purchaseRestored, sheetTimedOut,
      restore, restoreFinished, observed
  }

  var kind: Kind {
    switch self {
    case .purchase: .purchase
    case .productUnavailable: .productUnavailable
    case .purchaseFinished: .purchaseFinished
    case .purchaseRestored: .purchaseRestored
    case .sheetTimedOut: .sheetTimedOut
    case .restore: .restore
    case .restoreFinished: .restoreFinished
    case .observed: .observed
    }
  }
}

extension RedemptionFlow.Event {
  enum Kind: String, CaseIterable {
    case paywallPresented, paywallDismissed, link, existingCodes, responded, recovered,
      networkFailed, launched, foregrounded, fetched, checkout
  }

  var kind: Kind {
    switch self {
    case .paywallPresented: .paywallPresented
    case .paywallDismissed: .paywallDismissed
    case .link: .link
    case .existingCodes: .existingCodes
    case .responded: .responded
    case .recovered: .recovered
    case .networkFailed: .networkFailed
    case .launched: .launched
    case .foregrounded: .foregrounded
    case .fetched: .fetched
    case .checkout: .checkout
    }
  }
}

extension ActionChain.Event {
  enum Kind: String, CaseIterable {
    case presented, tapped, callbackFinished, timedOut, permissionAnswered, dismissed
  }

  var kind: Kind {
    switch self {
    case .presented: .presented
    case .tapped: .tapped
    case .callbackFinished: .callbackFinished
    case .timedOut: .timedOut
    case .permissionAnswered: .permissionAnswered
    case .dismissed: .dismissed
    }
  }
}

extension EntitlementBook.Event {
  enum Kind: String, CaseIterable {
    case restored, configured, statusSet, deviceLoaded, webLoaded, customerInfoRequested, pinned
  }

  var kind: Kind {
    switch self {
    case .restored: .restored
    case .configured: .configured
    case .statusSet: .statusSet
    case .deviceLoaded: .deviceLoaded
    case .webLoaded: .webLoaded
    case .customerInfoRequested: .customerInfoRequested
    case .pinned: .pinned
    }
  }
}

extension DeepLinkRouter.Event {
  enum Kind: String, CaseIterable {
    case cachedConfig, configured, opened
  }

  var kind: Kind {
    switch self {
    case .cachedConfig: .cachedConfig
    case .configured: .configured
    case .opened: .opened
    }
  }
}

extension TestMode.Event {
  enum Kind: String, CaseIterable {
    case evaluated, modalClosed, resetToDefaults, purchaseChosen, restoreChosen
  }

  var kind: Kind {
    switch self {
    case .evaluated: .evaluated
    case .modalClosed: .modalClosed
    case .resetToDefaults: .resetToDefaults
    case .purchaseChosen: .purchaseChosen
    case .restoreChosen: .restoreChosen
    }
  }
}
