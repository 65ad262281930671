import CampaignCore
import ExpressionEngine
import Foundation
import Testing

@Suite("Pure functions")
struct PureFunctionTests {
  @Test("days and civil dates are inverse to each other")
  func civilDates() {
    for days in stride(from: Int64(-1_000_000), through: 1_000_000, by: 97) {
      #expect(CivilDate(daysSince1970: days).daysSince1970 == days)
    }
    #expect(CivilDate(daysSince1970: 0) == CivilDate(year: 1970, month: 1, day: 1))
    #expect(CivilDate(daysSince1970: 19_782) == CivilDate(year: 2024, month: 2, day: 29))
  }

  @Test("instants read what they print")
  func instants() {
    for milliseconds in stride(
      from: Int64(-5_000_000_000_000), to: 9e12.magnitudeInt, by: 777_777_777_777)
    {
      let instant = WallTime(milliseconds: milliseconds)
      #expect(WallTime(rfc3339: instant.description) == instant)
    }
    #expect(WallTime(rfc3339: "2026-03-01T10:20:30.456Z")?.milliseconds == 1_772_360_430_456)
    #expect(
      WallTime(rfc3339: "2026-03-01T12:20:30.4569+02:00")
        == WallTime(rfc3339: "2026-03-01T10:20:30.456Z"))
    for bad in [
      "", "2026", "2026-02-30T00:00:00Z", "2026-03-01T10:20:30", "2026-13-01T00:00:00Z",
      "2026-03-01T24:00:00Z", "2026-03-01T10:20:30.Z", "2026-03-01T10:20:30Zx",
    ] {
      #expect(WallTime(rfc3339: bad) == nil, "\(bad)")
    }
  }

  @Test("every month ends with its last day")
  func months() {
    let days = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    for (year, leapDay) in [(2023, 0), (2024, 1), (1900, 0), (2000, 1)] {
      for (index, days) in days.enumerated() {
        let month = Int64(index + 1)
        let last = Int64(index == 1 ? days + leapDay : days)
        #expect(CivilDate.daysInMonth(month, of: Int64(year)) == last)
        let head = "\(year)-\(month < 10 ? "0" : "")\(month)-"
        #expect(WallTime(rfc3339: "\(head)\(last)T00:00:00Z") != nil, "\(head)\(last)")
        #expect(WallTime(rfc3339: "\(head)\(last + 1)T00:00:00Z") == nil, "\(head)\(last + 1)")
      }
    }
  }

  @Test("a time with an offset names a zone")
  func fixedZones() {
    for (time, seconds) in [
      ("2026-03-01T10:20:30Z", 0), ("2026-03-01T10:20:30+02:00", 7_200),
      ("2026-03-01T10:20:30-05:30", -19_800), ("Z", 0),
    ] as [(String, Int64)] {
      #expect(ZoneRules.fixed(rfc3339: time).offsetSeconds(at: WallTime(seconds: 0)) == seconds)
    }
  }

  @Test("random ids are UUIDs of version 4")
  func uuids() throws {
    let random = SeededRandomSource(seed: 5)
    let pattern = /[0-9A-F]{8}-[0-9A-F]{4}-4[0-9A-F]{3}-[89AB][0-9A-F]{3}-[0-9A-F]{12}/
    for _ in 0..<100 { #expect(try pattern.wholeMatch(in: random.uuid()) != nil) }
  }

  @Test("calendar differences agree with Foundation in a zone with summer time")
  func calendarAgainstFoundation() throws {
    let zone = try #require(TimeZone(identifier: "America/New_York"))
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    let rules = ZoneRules { instant in
      Int64(
        zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant.milliseconds) / 1000)))
    }
    let random = SeededRandomSource(seed: 7)
    let components: [(CalendarUnit, Calendar.Component)] = [
      (.minutes, .minute), (.hours, .hour), (.days, .day), (.months, .month), (.years, .year),
    ]
    for _ in 0..<2_000 {
      // Whole seconds of the years 2020 to 2027; half of the pairs lie close together.
      let start = 1_577_836_800 + Int64(random.uniform(below: 250_000_000))
      let span = Int64(random.uniform(below: random.uniform(below: 2) == 0 ? 400_000 : 90_000_000))
      let end = start + span
      for (unit, component) in components {
        let ours = CalendarArithmetic.wholeUnits.difference(
          unit, from: WallTime(seconds: start), to: WallTime(seconds: end), in: rules)
        let theirs = calendar.dateComponents(
          [component], from: Date(timeIntervalSince1970: Double(start)),
          to: Date(timeIntervalSince1970: Double(end))
        ).value(for: component)
        #expect(ours == Int64(theirs ?? -1), "\(unit) from \(start) to \(end)")
      }
    }
  }

  @Test("semantic versions are ordered as the standard says")
  func semanticVersions() throws {
    let order = [
      "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2",
      "1.0.0-beta.11", "1.0.0-rc.1", "1.0.0", "2.0.0", "2.1.0", "2.1.1",
      "99999999999999999999.0.0",
    ]
    let versions = try order.map { try #require(SemanticVersion($0, strict: true)) }
    for (index, version) in versions.enumerated() {
      for later in versions[(index + 1)...] { #expect(version < later && !(later < version)) }
    }
    for bad in [
      "1", "1.2", "v1.2.3", "01.2.3", "1.2.3-01", "1.2.3-", "1.2.3+", "1.2.3-a..b", "",
      "1.2.3-ä", "-1.2.3", "1..2.3", ".1.2.3", "1.2.3.",
    ] {
      #expect(SemanticVersion(bad, strict: true) == nil, "\(bad)")
    }
    for bad in ["", "v", "1..2", "1.", ".1", "1.2.3.4"] {
      #expect(SemanticVersion(bad) == nil, "\(bad)")
    }
    #expect(SemanticVersion("v1.2") == SemanticVersion("1.2.0+build"))
  }

  @Test("version padding never traps, whatever the text")
  func paddingIsTotal() {
    let random = SeededRandomSource(seed: 3)
    let alphabet = Array("0123456789.-+ vx١٢😀")
    for _ in 0..<5_000 {
      let text = String(
        (0..<Int(random.uniform(below: 14))).map { _ in
          alphabet[Int(random.uniform(below: UInt64(alphabet.count)))]
        })
      for padding in VersionPadding.allCases { _ = padding.padded(text) }
      _ = SemanticVersion(text)
    }
    #expect(VersionPadding.iOS.padded("9999999999999999999999") == "000")
    #expect(VersionPadding.iOS.padded("3000000000") == "-1294967296")
  }

  @Test(
    "e-mail addresses",
    arguments: [
      ("ann@example.com", true), ("a.b+c%d@x-y.co", true), ("ann@example", false),
      ("ann@example.c", false), ("@example.com", false), ("ann@@example.com", false),
      ("ann@.com", false), ("ann@example.com\n", false), ("änn@example.com", false),
      ("ann@exa mple.com", false), ("ann@example.c0m", false),
    ])
  func emails(text: String, isValid: Bool) {
    let changes = AttributeSanitizer().userAttributeChanges(["email": .string(text)])
    #expect(changes["email"] == .some(isValid ? .string(text) : nil))
  }

  @Test("device attributes carry the names and text forms of each platform")
  func deviceAttributes() {
    var device = DeviceAttributes()
    device.appVersion = "3.10.1-rc.30"
    device.vendorID = "V"
    device.isSandbox = true
    device.fontScale = 1.0
    device.appBuildString = "77b"
    device.capabilities = ["a", "b"]
    device.platformWrapper = "Flutter"
    device.localResourceIDs = ["z", "y"]
    var gold = UserEntitlement(identifier: "gold")
    gold.isActive = true
    gold.expiresAt = WallTime(rfc3339: "2001-01-01T00:00:10Z")
    device.subscriptionStatus = .active([gold])
    let apple = device.values(platform: .iOS)
    #expect(apple["appVersionPadded"] == .string("003.010.001-rc.030"))
    #expect(apple["deviceId"] == .string("$SuperwallDevice:V"))
    #expect(apple["isSandbox"] == .string("true"))
    #expect(apple["fontScale"] == .int(1))
    #expect(apple["appBuildStringNumber"] == nil)
    #expect(apple["capabilities"] == .string("a,b"))
    #expect(apple["platformWrapper"] == .string("Flutter"))
    #expect(apple["localResourceIds"] == .string("y,z"))
    #expect(apple["subscriptionStatus"] == .string("ACTIVE"))
    #expect(apple["activeEntitlements"] == .list([.string("gold")]))
    guard case .list(let objects)? = apple["activeEntitlementObjects"],
      case .map(let object)? = objects.first
    else {
      Issue.record("no entitlement objects")
      return
    }
    #expect(object[.string("expiresAt")] == .int(10))
    #expect(object[.string("state")] == nil)
    let android = device.values(platform: .android)
    #expect(android["platform_wrapper"] == .string("Flutter"))
    #expect(android["capabilities"] == .list([.string("a"), .string("b")]))
    #expect(android["fontScale"] == nil)
    #expect(android["activeEntitlementsObject"] != nil)
    #expect(UserSubscriptionStatus.active([]).wireName == "INACTIVE")
  }

  @Test("the record of a customer has every member that is known")
  func customerRecord() {
    let start = WallTime(rfc3339: "2001-01-01T00:00:00Z") ?? WallTime(seconds: 0)
    let end = start.advanced(byMilliseconds: 1_500)
    var subscription = CustomerRecord.Subscription(
      transactionID: "t", productID: "p", purchasedAt: start)
    subscription.willRenew = true
    subscription.expiresAt = end
    subscription.offerType = .winback
    subscription.subscriptionGroupID = "g"
    subscription.store = .stripe
    var purchase = CustomerRecord.NonSubscription(
      transactionID: "t2", productID: "p2", purchasedAt: end)
    purchase.isConsumable = true
    var gold = UserEntitlement(identifier: "gold", productIDs: ["p"])
    gold.isActive = true
    gold.latestProductID = "p"
    gold.store = .playStore
    gold.startsAt = start
    gold.renewedAt = end
    gold.expiresAt = end
    gold.isLifetime = false
    gold.willRenew = true
    gold.offerType = .trial
    var record = CustomerRecord(entitlements: [gold])
    record.subscriptions = [subscription]
    record.nonSubscriptions = [purchase]
    #expect(
      record.value
        == .map([
          "isPlaceholder": false,
          "subscriptions": [
            .map([
              "transactionId": "t", "productId": "p", "purchaseDate": 0, "willRenew": true,
              "isRevoked": false, "isInGracePeriod": false, "isInBillingRetryPeriod": false,
              "isActive": false, "expirationDate": 1.5, "offerType": "winback",
              "subscriptionGroupId": "g", "store": "STRIPE",
            ])
          ],
          "nonSubscriptions": [
            .map([
              "transactionId": "t2", "productId": "p2", "purchaseDate": 1.5,
              "isConsumable": true, "isRevoked": false, "store": "APP_STORE",
            ])
          ],
          "entitlements": [
            .map([
              "identifier": "gold", "type": .string(gold.type), "isActive": true,
              "productIds": ["p"], "latestProductId": "p", "store": "PLAY_STORE", "startsAt": 0,
              "renewedAt": 1.5, "expiresAt": 1.5, "isLifetime": false, "willRenew": true,
              "offerType": "trial",
            ])
          ],
        ]))
    #expect(CustomerRecord.placeholder.value.objectValue?["isPlaceholder"] == true)
  }

  /// A list in a list and so on, with a text inside.
  private static func nested(_ depth: Int) -> Value {
    (0..<depth).reduce(.string("x")) { value, number in
      number.isMultiple(of: 2) ? .list([value]) : .map(["k": value])
    }
  }

  /// The number of containers around the innermost value, and that value.
  private static func innermost(_ value: Value?) -> (depth: Int, value: Value?) {
    var depth = 0
    var value = value
    while true {
      switch value {
      case .list(let elements)? where !elements.isEmpty: value = elements.first
      case .map(let entries)? where !entries.isEmpty: value = entries["k"]
      default: return (depth, value)
      }
      depth += 1
    }
  }

  @Test("an attribute has at most 128 levels, its text included")
  func depths() {
    let (fits, isTooDeep) = (Self.nested(127), Self.nested(128))
    let (apple, android) = (
      AttributeSanitizer(options: .iOS), AttributeSanitizer(options: .android)
    )
    let kept = apple.userAttributeChanges(["fits": fits, "deep": isTooDeep])
    #expect(kept == ["fits": fits])
    let cut = android.userAttributeChanges(["fits": fits, "deep": isTooDeep])
    #expect(cut["fits"] == fits)
    #expect(Self.innermost(cut["deep"] ?? nil) == (128, .null))
    #expect(apple.contextValue(fits) == fits)
    #expect(Self.innermost(apple.contextValue(isTooDeep)) == (128, .map([:])))
    #expect(Self.innermost(android.contextValue(isTooDeep)) == (128, .null))
  }

  @Test("dates among the parameters become texts, on Android milliseconds")
  func dates() {
    let date = Value.timestamp(Value.Timestamp(seconds: 1, nanoseconds: 2_999_999))
    let (apple, android) = (
      AttributeSanitizer(options: .iOS), AttributeSanitizer(options: .android)
    )
    #expect(
      apple.placementParameters(["d": date, "n": .null, "l": .list([])])
        == ["d": .string("1970-01-01T00:00:01.002Z"), "n": .map([:])])
    #expect(
      android.placementParameters(["d": date, "n": .null, "x": .double(.nan)]) == ["d": 1_002])
    // Where JSON has nothing for a value, a filter sees nothing.
    #expect(apple.contextValue(date) == .map([:]))
    #expect(android.contextValue(date) == .null)
  }
}

extension Double {
  fileprivate var magnitudeInt: Int64 { Int64(magnitude) }
}
