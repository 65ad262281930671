import AudienceFilters
import CampaignCore
import ExpressionCoding
import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis
import FilterCorpus
import FilterSQL
import Foundation
import TestSupport

/// The filters that databases and the engine are compared over.
enum DifferentialSources {
  /// The folders of the corpus with filters.
  static let folders = ["superscript", "cel", "sql", "cookbook"]

  /// The cases of folders and files in `corpus`.
  static func corpus(_ paths: [String]) throws -> [DifferentialGroup] {
    let cases = try paths.flatMap { path in
      try CaseFile.cases(at: TestFiles.path("corpus/\(path)"))
    }
    return DifferentialGroup.groups(of: cases) { id in String(id.prefix { $0 != "#" }) }
  }

  /// The conformance data beside the repository, if there are any.
  static func conformance() throws -> [DifferentialGroup] {
    let path = TestFiles.shared.appending(path: "conformance").path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return try names.filter { $0.hasSuffix(".jsonl") }.sorted().flatMap { name in
      let cases = try CaseFile.cases(at: "\(path)/\(name)")
      return DifferentialGroup.groups(of: cases) { _ in name }
    }
  }

  // MARK: Campaigns

  /// The filters of all configs in `corpus/campaigns`, over rows with the attributes that they
  /// read. What the functions of the SDKs return is in columns.
  static func campaigns() throws -> DifferentialGroup {
    let folder = TestFiles.root.appending(path: "corpus/campaigns")
    var texts: Set<String> = []
    for path in try TextFile.paths(in: folder.path, suffix: ".json").sorted() {
      guard let document = try? ConfigDocument(json: try TextFile.read(path)),
        let (config, _) = try? ConfigDecoder().decode(document)
      else { continue }
      texts.formUnion(config.triggers.flatMap(\.audiences).compactMap(\.expression))
    }
    let environment = FilterEnvironment(functionsOf: .builtIn, answer: answer)
    return DifferentialGroup(
      environment: environment, contexts: try contexts.map { try variables($0) },
      items: texts.sorted().map { .init(file: "campaigns", id: "campaigns", text: $0) },
      hasHostColumns: true)
  }

  /// The result of a function, from the column that holds it.
  @Sendable private static func answer(
    _ root: String, _ name: String, _ arguments: [Value], _ row: (any Sendable)?
  ) -> Value {
    guard let row = row as? [String: Value], case .map(let entries)? = row[root],
      case .string(let event)? = arguments.first
    else { return .null }
    return entries[.string("\(name)(\(event))")] ?? .null
  }

  private static func variables(_ json: String) throws -> [String: Value] {
    guard case .map(let entries) = try Value(json: json) else { return [:] }
    var result: [String: Value] = [:]
    for case (.string(let name), let value) in entries { result[name] = value }
    return result
  }

  /// Users with all attributes that the configs read.
  private static let contexts = [
    #"""
    {"user": {"seed": 8, "isLoggedIn": true, "sessions": 120, "homeSpot": "Pipeline", "plan": "team",
      "email": "kai@tidewise.example", "tags": ["longboard", "dawn"], "name": "kai", "age": 30,
      "fallback": true},
     "device": {"platform": "iOS", "interfaceType": "iphone", "appVersionPadded": "005.010.000",
      "preferredLanguageCode": "es", "ipCountry": "Portugal", "ipContinent": "Europe",
      "demandTier": "high", "activeEntitlements": ["skipper"], "subscriptionStatus": "ACTIVE",
      "customerInfo": {"subscriptions": [{"productId": "com.tidewise.monthly", "isActive": true}]},
      "totalPaywallViews": 3, "daysSinceLastPaywallView": 9, "localTime": "18:30:00",
      "latestSubscriptionWillAutoRenew": false, "latestSubscriptionPeriodType": "trial",
      "daysSince_app_install": 20, "hoursSince_paywall_close": 30, "daysSince_app_open": 2,
      "hoursSince_app_open": 5, "weeksSince_app_open": 0, "minutesSince_p": 1, "daysSince_x": 3,
      "minutesSince(p)": 0, "daysSince(app_open)": 5, "placementsInDay(session_start)": 1,
      "placementsSinceInstall(x)": 2, "placementsInWeek(session_logged)": 6, "daysSince(x)": 0,
      "placementsSinceInstall(user_attributes)": 1, "placementsSinceInstall(session_start)": 2,
      "placementsSinceInstall(device_attributes)": 1, "placementsSinceInstall(deepLink_open)": 1,
      "placementsSinceInstall(app_install)": 1, "minutesSince(view)": 4, "hoursSince(view)": 0,
      "daysSince(first_seen)": 12, "daysSince(app_install)": 12},
     "computed": {"placementsInDay(y)": 3},
     "params": {"days": 9, "pages": 60, "event_name": "x", "$is_feature_gatable": true,
      "abandoned_product_id": "com.tidewise.yearly", "abandoned_product_trial_period_days": "7",
      "paywall_name": "Forecast Week", "feature_gating": "NON_GATED", "discount": 20,
      "survey_selected_option_title": "Too expensive", "host": "offer", "code": "swell",
      "path": "/captain", "$host": "promo", "$path": "/upgrade", "offer": "summer", "name": "café"}}
    """#,
    #"""
    {"user": {"seed": 70, "isLoggedIn": false, "sessions": 1, "plan": "x", "tags": []},
     "device": {"platform": "Android", "interfaceType": "", "appVersionPadded": "004.000.000",
      "activeEntitlements": [], "daysSince_app_open": 4},
     "params": {"days": 1, "pages": 2, "host": "promo", "path": "/upgrade", "discount": 30}}
    """#,
  ]
}
