import CampaignCore
import CampaignMatcher
import ExpressionCoding
import ExpressionEngine

/// How outcomes are written in a case.
enum CaseText {
  static func line(_ result: PlacementResult) -> String {
    switch result {
    case .placementNotFound: "placementNotFound"
    case .noAudienceMatch(let unmatched):
      "noAudienceMatch" + unmatched.map { " \($0.experimentID)=\($0.source.rawValue)" }.joined()
    case .holdout(let experiment):
      "holdout experiment \(experiment.id) variant \(experiment.variant.id)"
    case .paywall(let experiment):
      "paywall \(experiment.variant.paywallIdentifier ?? "-") experiment \(experiment.id)"
        + " variant \(experiment.variant.id)"
    case .error(let error): "error \(error.domain) \(error.code)"
    }
  }

  static func line(_ answer: FilterAnswer) -> String {
    switch answer {
    case .value(let value): value.jsonText()
    case .error(let message): "error: \(message)"
    case .invalid(let message): "does not compile: \(message)"
    }
  }

  /// JSON with its members in the order of their names.
  static func json(_ object: [String: Value]) -> String {
    Value(object: object).jsonText()
  }

  /// Describes the result of an audience: a line for its outcome, and one for each further fact.
  static func lines(_ report: AudienceReport) -> [String] {
    var line = "\(report.experimentID) \(report.outcome.rawValue)"
    if let limit = report.limit {
      line += " \(limit.count) of \(limit.maximum)"
      if let reopensAt = limit.reopensAt { line += " until \(reopensAt)" }
    }
    if report.outcome == .expression, let answer = report.answer { line += " " + self.line(answer) }
    if report.outcome != .notTried, !report.missing.isEmpty {
      line += " missing " + report.missing.joined(separator: " ")
    }
    var lines = [line]
    if let condition = report.failingCondition { lines.append("because \(condition)") }
    for part in report.computed {
      lines.append("\(part.name) = \((part.value ?? .null).jsonText())")
    }
    return lines
  }
}

extension CampaignCaseRunner {
  /// The ways to ask for a result.
  enum Way {
    case register
    case getPaywall
    case preview
    case explain
    case feature
  }

  func register(_ text: String, _ way: Way) throws(CaseProblem) -> [String] {
    let (name, parameters) = try CaseCommand.nameAndObject(text)
    var request = MatchRequest(name, parameters: parameters)
    if way == .getPaywall { request.kind = .getPaywall }
    if way == .explain { request.detail = .full }
    let finished = request
    let registration = try CaseCommand.store { () throws(StoreError) in
      switch way {
      case .register, .feature, .getPaywall: try matcher.registerNow(finished)
      case .preview, .explain: try matcher.previewNow(finished)
      }
    }
    // A request without a paywall leaves the one on screen where it is.
    if let next = registration.presentation { presentation = next }
    let feature = way == .feature ? [registration.runsFeatureNow ? "run" : "doNotRun"] : []
    return [CaseText.line(registration.result)] + feature
      + registration.audiences.flatMap(CaseText.lines)
  }
}
