import CampaignCore
import FilterAnalysis
import Testing

@Suite("The events of the vocabulary")
struct EventVocabularyTests {
  @Test("they are those of the SDK")
  func agreement() {
    let placements = BuiltInEvent.allCases.filter(\.canTrigger).map(\.rawValue)
    #expect(EventVocabulary.placements.sorted() == placements.sorted())
    let others = BuiltInEvent.allCases.filter { !$0.canTrigger }.map(\.rawValue)
    #expect(EventVocabulary.others.sorted() == others.sorted())
  }

  @Test(
    "other spellings are recognised, and names of an app are left alone",
    arguments: [
      ("deeplink_open", "deepLink_open"), ("PAYWALL_OPEN", "paywall_open"),
      ("appOpen", "app_open"), ("transaction_abandoned", "transaction_abandon"),
      ("paywall_closed", "paywall_close"), ("transaction_abandn", "transaction_abandon"),
      ("app_open", nil), ("workout_started", nil), ("app_opened", nil),
      ("paywall_opens", nil), ("", nil),
    ])
  func spelling(name: String, expected: String?) {
    #expect(EventVocabulary.event(meantBy: name) == expected)
  }
}
