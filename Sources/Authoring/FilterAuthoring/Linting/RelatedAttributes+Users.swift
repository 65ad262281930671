import ExpressionEngine
import FilterAnalysis

// What the SDKs say about one user or one device in several attributes.

extension RelatedAttributes {
  /// An app for macOS is not an app for iOS on a Mac, but runs on the same platform. That Android
  /// has no Macs is a finding of its own.
  static let macs: [[Value?]] = [
    [.string("iOS"), .bool(false)], [.string("Android"), .bool(false)],
    [.string("Android"), .bool(true)],
    [.string("macOS"), .bool(true)], [.string("macOS"), .bool(false)],
  ]

  /// Statuses with active entitlements: none, each that is named, all of them, and others.
  static func statuses(_ constants: [Value]) -> [[Value?]] {
    let named = texts(constants).map { Value.string($0) }
    let others = (1...20).map { Value.string("other \($0)") }
    var lists = named.map { [$0] } + others.indices.map { Array(others[...$0]) }
    lists += [named, named + others].filter { !$0.isEmpty }
    // Nothing is known of the entitlements while the status is unknown.
    return [[.string("INACTIVE"), .list([])], [.string("UNKNOWN"), .list([])]]
      + lists.flatMap { list -> [[Value?]] in
        [[.string("ACTIVE"), .list(list)], [.string("UNKNOWN"), .list(list)]]
      }
  }

  static func identities(_ constants: [Value]) -> [[Value?]] {
    let ids = Set(texts(constants).flatMap { [$0, "\($0)1", "1\($0)", "1\($0)1"] } + ["1"])
    return [[.bool(false), nil, .string("")], [.bool(false), nil, nil]]
      + ids.filter { !$0.isEmpty }.map { [.bool(true), .string($0), .string($0)] }
  }

  static let purchaseLists = ["subscriptions", "nonSubscriptions", "entitlements"]

  /// Nothing is bought while the purchases are not loaded; later there may be anything.
  static func placeholders(_ constants: [Value]) -> [[Value?]] {
    let named = texts(constants)
    let purchases = [true, false].flatMap { truth in
      (named + ["other"]).map { text in
        purchase(text, truth)
      }
    }
    let lists = [purchases, []] + purchases.prefix(6).map { [$0] }
    var rows: [[Value?]] = [[]]
    for _ in purchaseLists { rows = rows.flatMap { row in lists.map { row + [.list($0)] } } }
    let empty = purchaseLists.map { _ -> Value? in .list([]) }
    return [[.bool(true)] + empty] + rows.map { [.bool(false)] + $0 }
  }

  private static func purchase(_ text: String, _ truth: Bool) -> Value {
    let flags = ["isActive", "willRenew", "isRevoked", "isInGracePeriod", "isLifetime"]
    let names = ["productId", "identifier", "latestProductId", "store", "state", "offerType"]
    return Value(
      object: Dictionary(
        uniqueKeysWithValues: flags.map { ($0, .bool(truth)) }
          + names.map { ($0, .string(text)) }))
  }
}
