import AudienceFilters
import CampaignAnalysis
import CampaignCore
import CampaignMatcher
import FilterAuthoring
import Foundation

/// An app that forecasts surf, without the surf: it starts, opens screens, and asks the matcher at
/// each of them whether a paywall is to be shown.
@main
struct ForecastApp {
  static func main() {
    guard CommandLine.arguments.count == 2 else {
      fail("usage: forecast-app CONFIG", status: 2)
    }
    do {
      try run(configPath: CommandLine.arguments[1])
    } catch let error as CocoaError {
      fail("error: \(CommandLine.arguments[1]): \(error.localizedDescription)", status: 1)
    } catch {
      // The errors of the library are sentences for people.
      fail("error: \(error)", status: 1)
    }
  }

  private static func fail(_ message: String, status: Int32) -> Never {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    exit(status)
  }

  private static func run(configPath: String) throws {
    let config = try String(contentsOfFile: configPath, encoding: .utf8)
    let app = try ForecastApp(config: config)
    try app.launch()
    try app.open("onboarding_done")
    try app.open("open_forecast", parameters: ["days": 10, "spot": "Ericeira"])
    try app.open("settings_opened")
    try app.explain("open_forecast", parameters: ["days": 3])
    try app.tips()
  }

  /// One matcher for the whole app. It is `Sendable`; keep it beside your other services. With the
  /// product CampaignStore, `SQLiteStore` makes it remember across launches.
  private let matcher: Matcher

  init(config: String) throws {
    matcher = try Matcher(
      .init(
        store: InMemoryStore(), options: .iOS, random: SeededRandomSource(seed: 7),
        explain: FilterExplanation.init(of:in:)))
    for diagnostic in try matcher.load(try ConfigDocument(json: config)) {
      print("config:", diagnostic)
    }
  }

  func launch() throws {
    matcher.events.onEvent { event in print("  event:", event.name) }
    matcher.device.set(values: [
      "platform": "iOS", "interfaceType": "iphone", "appVersion": "5.10.0",
      "appVersionPadded": "005.010.000", "activeEntitlements": [], "preferredLanguageCode": "pt",
    ])
    try matcher.user.identify("marta")
    try matcher.user.setAttributes(["sessions": 34, "homeSpot": "Ericeira"])
    try matcher.app.didInstall()
  }

  /// Opens a screen: its placement decides what is shown.
  func open(_ placement: String, parameters: [String: Value] = [:]) throws {
    print("open \(placement)")
    let registration = try matcher.registerNow(placement, parameters: parameters)
    guard let presentation = registration.presentation else {
      return print("  the screen itself (\(registration.result.caseName))")
    }
    print("  paywall \(presentation.experiment.variant.paywallIdentifier ?? "")")
    try presentation.didPresent()
    let feature = try presentation.didDismiss(.declined)
    print("  declined; the feature: \(feature)")
  }

  /// Says why a placement leads where it leads, without any effect.
  func explain(_ placement: String, parameters: [String: Value]) throws {
    var request = MatchRequest(placement, parameters: parameters)
    request.detail = .full
    let registration = try matcher.previewNow(request)
    print("preview \(placement): \(registration.result.caseName)")
    for audience in registration.audiences {
      print(
        "  \(audience.experimentID): \(audience.outcome.rawValue)  \(audience.expression ?? "")")
    }
  }

  /// Filters of the app's own: which tips are for this user.
  func tips() throws {
    let tips = [
      ("Add a home spot", "!has(user.homeSpot)"),
      ("Invite a friend", "user.sessions > 30 && device.activeEntitlements == []"),
    ]
    let context = Context(variables: try matcher.contextSnapshot())
    for (title, text) in tips {
      let filter = try Filter(text)
      print("tip \(title): \(filter.explain(context).headline)")
    }
  }
}
