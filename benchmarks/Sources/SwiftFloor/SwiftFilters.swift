/// A filter as a compiled Swift function over struct fields.
package typealias SwiftFilter = @Sendable (FilterContext) -> Bool

/// A filter and its name.
///
/// A struct and not a dictionary's entry: a function stored in a generic container is called
/// through a thunk.
package struct NamedSwiftFilter: Sendable {
  package let name: String
  package let filter: SwiftFilter
}

/// The thirteen filters.
package let swiftFilters: [NamedSwiftFilter] = [
  NamedSwiftFilter(name: "simple_eq", filter: simpleEqual),
  NamedSwiftFilter(name: "two_and", filter: twoAnd),
  NamedSwiftFilter(name: "expr_classic", filter: exprClassic),
  NamedSwiftFilter(name: "version", filter: version),
  NamedSwiftFilter(name: "string_ops", filter: stringOperations),
  NamedSwiftFilter(name: "in_list", filter: inList),
  NamedSwiftFilter(name: "regex", filter: regex),
  NamedSwiftFilter(name: "wide_and", filter: wideAnd),
  NamedSwiftFilter(name: "arithmetic", filter: arithmetic),
  NamedSwiftFilter(name: "macro_all", filter: macroAll),
  NamedSwiftFilter(name: "macro_filter", filter: macroFilter),
  NamedSwiftFilter(name: "ternary", filter: ternary),
  NamedSwiftFilter(name: "short_circuit", filter: shortCircuit),
]

/// Evaluates `count` times; returns how often the filter matched.
///
/// The filter arrives as a value, so the optimiser can neither inline it nor move it out of the
/// loop.
@inline(never)
package func repeatSwift(_ filter: SwiftFilter, over context: FilterContext, count: Int) -> UInt64 {
  var matches: UInt64 = 0
  for _ in 0..<count where filter(context) { matches &+= 1 }
  return matches
}

@Sendable @inline(never)
private func simpleEqual(_ context: FilterContext) -> Bool { context.device.platform == "iOS" }

@Sendable @inline(never)
private func twoAnd(_ context: FilterContext) -> Bool {
  context.user.age >= 18 && context.device.platform == "iOS"
}

@Sendable @inline(never)
private func exprClassic(_ context: FilterContext) -> Bool {
  (context.params.origin == "MOW" || context.params.country == "RU")
    && (context.params.value >= 100 || context.params.adults == 1)
}

@Sendable @inline(never)
private func version(_ context: FilterContext) -> Bool {
  context.device.appVersionPadded >= "002.010.000" && context.device.osVersion != "16.0"
}

@Sendable @inline(never)
private func stringOperations(_ context: FilterContext) -> Bool {
  context.user.email.hasSuffix("@example.com") && context.user.name.hasPrefix("Al")
}

private let regions = ["US", "CA", "GB", "AU", "NZ", "IE", "DE", "FR"]

@Sendable @inline(never)
private func inList(_ context: FilterContext) -> Bool {
  regions.contains(context.device.regionCode)
}

/// `^[a-z0-9._]+@example\.(com|org)$`, matched by hand over the bytes.
@Sendable @inline(never)
private func regex(_ context: FilterContext) -> Bool {
  context.user.email.utf8.withContiguousStorageIfAvailable { bytes in
    var at = 0
    while at < bytes.count, isInLocalPart(bytes[at]) { at += 1 }
    let rest = UnsafeBufferPointer(rebasing: bytes[at...])
    return at > 0 && (hasBytes(rest, "@example.com") || hasBytes(rest, "@example.org"))
  } ?? false
}

private func isInLocalPart(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
    UInt8(ascii: "."), UInt8(ascii: "_"):
    return true
  default: return false
  }
}

private func hasBytes(_ bytes: UnsafeBufferPointer<UInt8>, _ text: StaticString) -> Bool {
  guard bytes.count == text.utf8CodeUnitCount else { return false }
  for at in bytes.indices where bytes[at] != text.utf8Start[at] { return false }
  return true
}

@Sendable @inline(never)
private func wideAnd(_ context: FilterContext) -> Bool {
  context.user.age >= 18 && context.user.plan == "trial" && context.user.sessions > 5
    && context.user.purchases < 10 && context.device.platform == "iOS"
    && context.device.appVersionPadded >= "002.010.000" && context.device.languageCode == "en"
    && context.device.regionCode != "CN" && context.device.isSandbox == false
    && context.device.daysSinceInstall >= 7 && context.device.totalPaywallViews < 20
    && context.params.placement == "onboarding_end"
}

@Sendable @inline(never)
private func arithmetic(_ context: FilterContext) -> Bool {
  let (sessions, firstOverflow) = context.user.sessions.multipliedReportingOverflow(by: 3)
  let (purchases, secondOverflow) = context.user.purchases.multipliedReportingOverflow(by: 10)
  let (sum, thirdOverflow) = sessions.addingReportingOverflow(purchases)
  let (total, fourthOverflow) = sum.subtractingReportingOverflow(context.device.daysSinceInstall)
  guard !firstOverflow, !secondOverflow, !thirdOverflow, !fourthOverflow else { return false }
  return total > 50 && Double(context.user.credits / 2) < 100.5
}

@Sendable @inline(never)
private func macroAll(_ context: FilterContext) -> Bool {
  context.device.activeEntitlements.contains("gold")
    || context.device.activeEntitlements.contains("silver")
}

@Sendable @inline(never)
private func macroFilter(_ context: FilterContext) -> Bool {
  var kept = 0
  for score in context.user.scores where score > 50 { kept &+= 1 }
  return kept > 3
}

@Sendable @inline(never)
private func ternary(_ context: FilterContext) -> Bool {
  (context.user.plan == "trial" ? context.user.trialDaysLeft : context.user.daysSincePaid) <= 3
}

@Sendable @inline(never)
private func shortCircuit(_ context: FilterContext) -> Bool {
  context.device.platform == "Android" && wideAnd(context)
}
