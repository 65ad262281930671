import CampaignCore
import ExpressionEngine
import Testing

/// The differences between the SDKs, once more and as one list.
@Suite("Platforms")
struct PlatformTests {
  @Test("without a word the options are those of iOS, with three exceptions and limits for waiting")
  func defaults() {
    let options = MatchingOptions()
    #expect(options.platform == .iOS)
    #expect(options.assignmentPersistence == .immediate)
    #expect(options.variantChoice == .random)
    #expect(!options.resolvesVariantFromConfig)
    #expect(!options.assignsOnlyRepresentativeTriggers)
    #expect(options.calendar == .wholeUnits)
    #expect(options.neverOccurred == .null)
    #expect(options.monthWindow == .thirtyDays)
    #expect(options.peekEffects == [])
    #expect(options.unmatchedKeys == .audience)
    #expect(!options.preloadsOnlyFirstMatch)
    #expect(options.resetKeepsInstallEvents)
    #expect(options.userSeed == .iOS)
    #expect(options.implicitLoopGuard == .afterAnyFollowUp)
    #expect(options.failsOnNonFiniteParameters)
    #expect(options.allowsOnePaywallOnly)
    #expect(!options.reservesFetchedPaywalls)
    #expect(options.comparesPlacementsCanonically)
    #expect(options.encodesNestedNullAsEmptyMap)
    #expect(!options.stripsDollarSigns)
    let limits = options.readinessLimits
    #expect(limits.config == .seconds(30) && limits.presentation == .seconds(30))
    #expect(limits.subscriptionStatus == .seconds(5) && limits.identity == .seconds(5))
    #expect(options.config == ConfigRules())
    #expect(!options.config.rejectsUnknownIntervals)
    #expect(!options.config.treatsMissingMinutesAsZero)
    #expect(!options.config.rejectsUnknownVariantTypes)
    #expect(!options.config.rejectsUnknownComputedProperties)
    #expect(!options.config.ignoresCaseOfPreload)
    #expect(!options.config.requiresPostbackAndProducts)
    #expect(!options.config.requiresPaywallAppearance)
    var apple = options
    apple.readinessLimits.config = nil
    apple.readinessLimits.identity = nil
    apple.readinessLimits.presentation = nil
    #expect(MatchingOptions.iOS == apple)
  }

  @Test("Android differs in these options, and in no other")
  func android() {
    let options = MatchingOptions.android
    var expected = MatchingOptions()
    expected.platform = .android
    expected.assignmentPersistence = .onConfirmation
    expected.calendar = .androidFields
    expected.neverOccurred = .zero
    expected.monthWindow = .calendarMonth
    expected.peekEffects = [.holdoutOccurrence, .confirmation, .timeout]
    expected.unmatchedKeys = []
    expected.preloadsOnlyFirstMatch = true
    expected.resetKeepsInstallEvents = false
    expected.userSeed = .android
    expected.implicitLoopGuard = .afterSamePlacement
    expected.readinessLimits.config = .seconds(6)
    expected.readinessLimits.presentation = nil
    expected.failsOnNonFiniteParameters = false
    expected.comparesPlacementsCanonically = false
    expected.encodesNestedNullAsEmptyMap = false
    expected.stripsDollarSigns = true
    expected.config.rejectsUnknownIntervals = true
    expected.config.treatsMissingMinutesAsZero = true
    expected.config.rejectsUnknownVariantTypes = true
    expected.config.rejectsUnknownComputedProperties = true
    expected.config.ignoresCaseOfPreload = true
    expected.config.requiresPostbackAndProducts = true
    #expect(options == expected)
  }

  @Test("a response is read as a tree with every kind of value")
  func tree() throws {
    let json =
      #"{"a": [true, false, null, 1, -1, 18446744073709551615, 1.5, "x", {}], "b": {"c": []}}"#
    let log = ConfigLog(try ConfigDocument(json: json), naming: .response)
    let value = ConfigValue(log)
    let elements: [Value] = [true, false, .null, 1, -1, .uint(.max), 1.5, "x", .map([:])]
    #expect(value.tree == .map(["a": .list(elements), "b": .map(["c": .list([])])]))
    #expect(try value.object().members.map(\.name) == ["a", "b"])
  }
}
