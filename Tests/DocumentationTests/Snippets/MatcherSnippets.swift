import CampaignMatcher
import Foundation
import Testing

// The Swift of the documentation of CampaignMatcher, compiled and run.

@Suite("Swift in the articles about campaigns")
@MainActor struct MatcherSnippets {
  @Test("the result of a placement as it changes")
  func results() async throws {
    let matcher = try Matcher()
    let task = Task {
      for await result in matcher.results(of: MatchRequest("open_forecast")) {
        print("a paywall would show:", result.experiment != nil)
      }
    }
    task.cancel()
    await task.value
  }

  @Test("campaigns")
  func campaigns() throws {
    let config = try String(
      contentsOf: repository.appending(path: "corpus/campaigns/sample/config.json"),
      encoding: .utf8)
    let matcher = try Matcher()
    for diagnostic in try matcher.load(try ConfigDocument(json: config)) {
      print(diagnostic)
    }
    matcher.device.set(values: ["platform": "iOS", "activeEntitlements": []])
    try matcher.user.setAttributes(["sessions": 12])

    let registration = try matcher.registerNow("open_forecast", parameters: ["days": 5])
    switch registration.result {
    case .paywall(let experiment): print("show", experiment.variant.paywallIdentifier ?? "")
    case .holdout(let experiment): print("holdout of", experiment.id)
    case .noAudienceMatch, .placementNotFound: print("go on")
    case .error(let error): print(error)
    }
    try registration.presentation?.didPresent()

    // The paywall that is on screen by now does not matter here.
    _ = try registration.presentation?.didDismiss(.declined)
    var request = MatchRequest("open_forecast", parameters: ["days": 5])
    request.detail = .full
    print(MatchReport(try matcher.previewNow(request)).value.literal)
    #expect(registration.result != .placementNotFound)
  }

  @Test("campaigns: waiting")
  func waiting() async throws {
    let matcher = try Matcher()
    try matcher.load(CampaignConfig(buildID: "1"))
    try matcher.device.setSubscriptionStatus(.inactive)
    let launch = try await matcher.register("session_opened")
    print(launch.result)
    #expect(launch.result == .placementNotFound)
  }
}
