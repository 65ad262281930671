import CampaignMatcher
import Foundation
import Testing

// The campaign of the README, compiled and run.

@Suite("Swift in the README")
@MainActor struct ReadmeSnippets {
  @Test("a campaign in six lines")
  func campaign() async throws {
    let config = try String(
      contentsOf: repository.appending(path: "corpus/campaigns/sample/config.json"),
      encoding: .utf8)
    let matcher = try Matcher()
    try matcher.load(ConfigDocument(json: config))
    try matcher.device.setSubscriptionStatus(.inactive)
    let outcome = try await matcher.register("open_forecast", parameters: ["days": 5])
    if case .paywall(let experiment) = outcome.result { print("show", experiment.variant.id) }
    try outcome.presentation?.didPresent()  // the limit counts from now on
    #expect(outcome.result != .placementNotFound)
  }
}
