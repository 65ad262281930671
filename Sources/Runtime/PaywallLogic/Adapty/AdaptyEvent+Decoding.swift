import CampaignCore
import ExpressionCoding
public import ExpressionEngine

/// Why an event of Adapty could not be read.
public enum AdaptyDecodingError: Error, Sendable, Equatable, CustomStringConvertible {
  /// There is no event with this name.
  case unknownEvent(String)
  /// The payload is no JSON.
  case notJSON(String)
  /// A member is missing.
  case missing(String)
  /// A member has another kind.
  case mismatch(String, expected: String)

  /// The error as a sentence for people.
  public var description: String {
    switch self {
    case .unknownEvent(let name): "Adapty has no event `\(name)`"
    case .notJSON(let reason): "the payload is no JSON: \(reason)"
    case .missing(let path): "`\(path)` is missing"
    case .mismatch(let path, let expected): "`\(path)` must be \(expected)"
    }
  }
}

extension AdaptyEvent {
  /// Reads an event from its name and the JSON of its payload, such as
  /// `{"product": {"vendorProductId": "premium_monthly", …}}`.
  ///
  /// Members that are not known are ignored.
  public init(name: String, json text: String = "{}") throws(AdaptyDecodingError) {
    let value: Value
    do {
      value = try Value(json: text)
    } catch {
      throw .notJSON("\(error)")
    }
    try self.init(name: name, payload: value)
  }

  /// Reads an event from its name and its payload.
  public init(name: String, payload: Value) throws(AdaptyDecodingError) {
    guard let name = Name(rawValue: name) else { throw .unknownEvent(name) }
    let reader = try Reader(payload, path: "")
    switch name {
    case .didAppear: self = .didAppear
    case .didDisappear: self = .didDisappear
    case .didPerformAction: self = .didPerformAction(try Action(reader))
    case .didSelectProduct: self = .didSelectProduct(try reader.product())
    case .didStartPurchase: self = .didStartPurchase(try reader.product())
    case .didFinishPurchase:
      self = .didFinishPurchase(try reader.product(), try PurchaseOutcome(reader))
    case .didFailPurchase: self = .didFailPurchase(try reader.product(), try reader.error())
    case .shouldContinueWebPaymentNavigation:
      self = .shouldContinueWebPaymentNavigation(try reader.product())
    case .didFailWebPaymentNavigation:
      self = .didFailWebPaymentNavigation(try reader.product(), try reader.error())
    case .didFinishWebPaymentNavigation: self = .didFinishWebPaymentNavigation
    case .didStartRestore: self = .didStartRestore
    case .didFinishRestore: self = .didFinishRestore(try reader.profile())
    case .didFailRestore: self = .didFailRestore(try reader.error())
    case .didFailLoadingProducts: self = .didFailLoadingProducts(try reader.error())
    case .didPartiallyLoadProducts: self = .didPartiallyLoadProducts
    case .didFailRendering: self = .didFailRendering(try reader.error())
    }
  }
}

extension AdaptyEvent.Action {
  /// An action is `"close"`, `"openURL"` with a `url` beside it, or any other id of the builder.
  fileprivate init(_ reader: Reader) throws(AdaptyDecodingError) {
    switch try reader.text("action") {
    case "close": self = .close
    case "openURL": self = .openURL(try reader.text("url"))
    case let id: self = .custom(id)
    }
  }
}

extension AdaptyEvent.PurchaseOutcome {
  fileprivate init(_ reader: Reader) throws(AdaptyDecodingError) {
    let result = try reader.object("purchaseResult")
    switch try result.text("type") {
    case "success": self = .success(try result.profile())
    case "cancelled": self = .cancelled
    default: throw .mismatch(result.place("type"), expected: "`success` or `cancelled`")
    }
  }
}

/// Reads the members of an object.
private struct Reader {
  private let members: [String: Value]
  private let path: String

  init(_ value: Value, path: String) throws(AdaptyDecodingError) {
    guard let members = value.objectValue else {
      throw .mismatch(path.isEmpty ? "payload" : path, expected: "an object")
    }
    self.members = members
    self.path = path
  }

  func place(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

  private func member(_ name: String) throws(AdaptyDecodingError) -> Value {
    guard let value = members[name], value != .null else { throw .missing(place(name)) }
    return value
  }

  func object(_ name: String) throws(AdaptyDecodingError) -> Reader {
    try Reader(try member(name), path: place(name))
  }

  func text(_ name: String) throws(AdaptyDecodingError) -> String {
    guard case .string(let text) = try member(name) else {
      throw .mismatch(place(name), expected: "text")
    }
    return text
  }

  func bool(_ name: String) throws(AdaptyDecodingError) -> Bool {
    guard case .bool(let flag) = try member(name) else {
      throw .mismatch(place(name), expected: "true or false")
    }
    return flag
  }

  func price(_ name: String) throws(AdaptyDecodingError) -> Price {
    let price: Price? =
      switch try member(name) {
      case .int(let number): Price("\(number)")
      case .double(let number): Price(number)
      default: nil
      }
    guard let price else { throw .mismatch(place(name), expected: "an amount of money") }
    return price
  }

  /// An instant as RFC 3339; absent or null is `nil`.
  func instant(_ name: String) throws(AdaptyDecodingError) -> WallTime? {
    guard let value = members[name], value != .null else { return nil }
    guard case .string(let text) = value, let instant = WallTime(rfc3339: text) else {
      throw .mismatch(place(name), expected: "a date such as 2024-02-15T10:30:00Z")
    }
    return instant
  }

  func product() throws(AdaptyDecodingError) -> AdaptyProduct {
    let product = try object("product")
    return AdaptyProduct(
      vendorProductID: try product.text("vendorProductId"),
      localizedTitle: try product.text("localizedTitle"),
      localizedDescription: try product.text("localizedDescription"),
      localizedPrice: try product.text("localizedPrice"), price: try product.price("price"),
      currencyCode: try product.text("currencyCode"))
  }

  func error() throws(AdaptyDecodingError) -> AdaptyError {
    let error = try object("error")
    var underlying: String?
    if error.members["details"] != nil {
      let details = try error.object("details")
      if details.members["underlyingError"] != nil {
        underlying = try details.text("underlyingError")
      }
    }
    return AdaptyError(
      code: AdaptyError.Code(wireName: try error.text("code")),
      message: try error.text("message"), underlyingError: underlying)
  }

  func profile() throws(AdaptyDecodingError) -> AdaptyProfile {
    let profile = try object("profile")
    let levels = try profile.object("accessLevels")
    var accessLevels: [AdaptyProfile.AccessLevel] = []
    for name in levels.members.keys.sorted() {
      let level = try levels.object(name)
      accessLevels.append(
        AdaptyProfile.AccessLevel(
          id: try level.text("id"), isActive: try level.bool("isActive"),
          expiresAt: try level.instant("expiresAt")))
    }
    return AdaptyProfile(
      accessLevels: accessLevels, subscriptions: try profile.subscriptions())
  }

  private func subscriptions() throws(AdaptyDecodingError) -> [AdaptyProfile.Subscription] {
    guard let value = members["subscriptions"], value != .null else { return [] }
    guard case .list(let elements) = value else {
      throw .mismatch(place("subscriptions"), expected: "a list")
    }
    var result: [AdaptyProfile.Subscription] = []
    for (index, element) in elements.enumerated() {
      let subscription = try Reader(element, path: "\(place("subscriptions"))[\(index)]")
      result.append(
        AdaptyProfile.Subscription(
          vendorProductID: try subscription.text("vendorProductId"),
          isActive: try subscription.bool("isActive"),
          expiresAt: try subscription.instant("expiresAt")))
    }
    return result
  }
}
