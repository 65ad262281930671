import CampaignCore
import ExpressionCoding
public import ExpressionEngine

/// A registration or preview in the forms that people and programs read.
public struct MatchReport: Sendable {
  /// The outcome that is reported.
  public var registration: MatchOutcome
  /// The remarks for a person beside the result, one sentence each.
  public var notes: [String]

  /// Creates a report. Ask with `ReportDetail.full`, so that there is something to say about each
  /// audience.
  ///
  /// - Parameters:
  ///   - registration: The outcome to report.
  ///   - notes: The remarks for a person beside the result.
  public init(_ registration: MatchOutcome, notes: [String] = []) {
    self.registration = registration
    self.notes = notes
  }

  // MARK: JSON

  /// The report as JSON: `placement`, `at`, `result`, `experiment`, `error`, `unmatched`,
  /// `confirm`, `notes`, `audiences`.
  public var value: Value {
    var object: [String: Value] = [
      "placement": .string(registration.placement),
      "at": .string(registration.instant.description),
      "result": .string(registration.result.caseName),
      "audiences": .list(registration.audiences.map(value)),
    ]
    if let experiment = registration.result.experiment {
      var members: [String: Value] = [
        "id": .string(experiment.id), "campaign": .string(experiment.campaignID),
        "variant": .string(experiment.variant.id),
        "type": .string(experiment.variant.kind.rawValue),
      ]
      if let paywall = experiment.variant.paywallIdentifier {
        members["paywall"] = .string(paywall)
      }
      object["experiment"] = Value(object: members)
    }
    if case .error(let error) = registration.result {
      object["error"] = Value(object: [
        "domain": .string(error.domain), "code": .int(Int64(error.code)),
        "message": .string(error.message),
      ])
    }
    if case .noAudienceMatch(let unmatched) = registration.result {
      object["unmatched"] = .list(
        unmatched.map { audience in
          Value(object: [
            "experiment": .string(audience.experimentID),
            "source": .string(audience.source.rawValue),
          ])
        })
    }
    if !notes.isEmpty { object["notes"] = Value(texts: notes) }
    if let confirmation = registration.confirmation {
      object["confirm"] = Value(object: [
        "experiment_id": .string(confirmation.experimentID),
        "variant_id": .string(confirmation.variantID),
      ])
    }
    return Value(object: object)
  }

  private func value(_ audience: AudienceReport) -> Value {
    var object: [String: Value] = [
      "index": .int(Int64(audience.index)), "experiment": .string(audience.experimentID),
      "campaign": .string(audience.campaignID), "outcome": .string(audience.outcome.rawValue),
    ]
    if let expression = audience.expression { object["expression"] = .string(expression) }
    switch audience.answer {
    case .value(let value): object["answer"] = value
    case .error(let message), .invalid(let message): object["error"] = .string(message)
    case nil: break
    }
    if let condition = audience.failingCondition { object["failing"] = .string(condition) }
    if !audience.changes.isEmpty { object["changes"] = Value(texts: audience.changes) }
    if audience.outcome != .notTried, !audience.readings.isEmpty {
      object["read"] = Value(
        object: Dictionary(
          audience.readings.compactMap { reading in reading.value.map { (reading.name, $0) } },
          uniquingKeysWith: { first, _ in first }))
      object["missing"] = Value(texts: audience.missing)
    }
    if !audience.computed.isEmpty {
      object["computed"] = Value(
        object: Dictionary(
          audience.computed.map { ($0.name, $0.value ?? .null) },
          uniquingKeysWith: { first, _ in first }))
    }
    if let limit = audience.limit {
      var members: [String: Value] = [
        "key": .string(limit.key), "count": .int(Int64(limit.count)), "max": .int(limit.maximum),
      ]
      if case .minutes(let minutes) = limit.interval { members["minutes"] = .int(minutes) }
      if let reopensAt = limit.reopensAt { members["reopens_at"] = .string(reopensAt.description) }
      object["limit"] = Value(object: members)
    }
    return Value(object: object)
  }

  // MARK: Text

  /// The report as text: the result, then each audience with the reason.
  public var text: String {
    var lines = ["\(registration.placement): \(headline)"]
    if let experiment = registration.result.experiment {
      lines.append(
        "  campaign \(experiment.campaignID), experiment \(experiment.id),"
          + " variant \(experiment.variant.id)")
    }
    lines += notes.map { "  note: \($0)" }
    if !registration.audiences.isEmpty { lines.append("") }
    for audience in registration.audiences {
      lines += audience.description.split(separator: "\n").map { "  \($0)" }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private var headline: String {
    switch registration.result {
    case .placementNotFound: "no campaign has this placement"
    case .noAudienceMatch: "no audience matched"
    case .holdout: "held out, nothing is shown"
    case .paywall(let experiment):
      "shows paywall \(experiment.variant.paywallIdentifier ?? "without identifier")"
    case .error(let error): "error: \(error)"
    }
  }
}

extension MatchReport: CustomStringConvertible {
  /// The report as text, without the last line break; see ``text``.
  public var description: String { String(text.dropLast()) }
}
