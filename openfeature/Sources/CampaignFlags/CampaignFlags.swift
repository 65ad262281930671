import AudienceFilters
public import CampaignCore

/// The placements of a campaign config as flags of OpenFeature.
///
/// A placement `open_forecast` is three flags, one for each type that a client may ask for:
///
/// | flag | type | value |
/// |---|---|---|
/// | `open_forecast` | string | the paywall of the variant; the client's default without one |
/// | `open_forecast.shows` | boolean | whether there is a paywall to show |
/// | `open_forecast.decision` | object | `result`, `campaign`, `experiment`, `variant`, `paywall` |
///
/// Nothing is remembered: occurrence limits count nothing, history functions know no events, and
/// variants are chosen by hash, so that a unit always gets the same one. One instance serves any
/// number of threads.
public struct CampaignFlags: Sendable {
  private let campaigns: CompiledCampaigns
  /// The keys of all flags, sorted.
  public let keys: [String]
  /// Identifies the config: the id of its build.
  public var version: String { campaigns.config.buildID }
  /// The findings about the config, for the operator.
  public var diagnostics: [ConfigDiagnostic] { campaigns.diagnostics }

  /// Reads a config and compiles its filters.
  ///
  /// - Parameter text: The config as JSON.
  /// - Throws: `ConfigError` or `JSONError`.
  public init(config text: String) throws {
    let (config, diagnostics) = try ConfigDecoder().decode(ConfigDocument(json: text))
    campaigns = CompiledCampaigns(config, diagnostics: diagnostics)
    keys = config.triggers.flatMap { trigger in
      Form.allCases.map { trigger.placement + $0.suffix }
    }.sorted()
  }

  /// The forms in which a placement is a flag.
  private enum Form: CaseIterable {
    case paywall
    case shows
    case decision

    var suffix: String {
      switch self {
      case .paywall: ""
      case .shows: ".shows"
      case .decision: ".decision"
      }
    }
  }

  /// Returns the response to a request for one flag.
  ///
  /// - Parameters:
  ///   - key: The flag.
  ///   - body: The body of the request: `{"context": {"targetingKey", …}}`.
  ///   - now: The time of the request.
  /// - Returns: The flag as JSON.
  /// - Throws: ``FlagError``.
  public func flag(
    _ key: String, body: some Sequence<UInt8>, now: WallTime = .now
  ) throws(FlagError) -> String {
    guard let (placement, form) = placement(of: key) else {
      throw FlagError(.flagNotFound, "the config has no flag `\(key)`")
    }
    let context = try FlagContext(body: body)
    return flag(key, form, try decide(placement, context, now)).jsonText()
  }

  /// Returns the response to a request for all flags.
  ///
  /// - Throws: ``FlagError``.
  public func allFlags(
    body: some Sequence<UInt8>, now: WallTime = .now
  ) throws(FlagError) -> String {
    let context = try FlagContext(body: body)
    var flags: [Value] = []
    for trigger in campaigns.config.triggers {
      let result = try decide(trigger.placement, context, now)
      flags += Form.allCases.map { flag(trigger.placement + $0.suffix, $0, result) }
    }
    let metadata: Value = ["version": .string(version)]
    return Value(object: ["flags": .list(flags), "metadata": metadata]).jsonText()
  }

  /// Returns the placement and the form of a flag. A placement that is called like a form wins.
  private func placement(of key: String) -> (String, Form)? {
    for form in Form.allCases where key.hasSuffix(form.suffix) {
      let name = String(key.dropLast(form.suffix.count))
      if campaigns.contains(name) { return (name, form) }
    }
    return nil
  }

  private func decide(
    _ placement: String, _ context: FlagContext, _ now: WallTime
  ) throws(FlagError) -> PlacementResult {
    let situation = MatchSituation(
      now: now,
      attributes: BaseAttributes(
        user: context.user, device: context.device,
        identity: UserIdentity(
          aliasID: context.unitID, userID: context.unitID,
          seed: UserSeed.iOS.seed(of: context.unitID))),
      assignments: BucketedAssignments(campaigns, unitID: context.unitID))
    // A peek: the placement is not counted, and built-in events are placements as well.
    let request = MatchRequest(
      placement, parameters: context.parameters, kind: .getPresentationResult)
    do throws(StoreError) {
      return try campaigns.decide(request, in: situation).result
    } catch {
      throw FlagError(.general, error.description)
    }
  }

  private func flag(_ key: String, _ form: Form, _ result: PlacementResult) -> Value {
    let experiment = result.experiment
    let paywall = experiment?.variant.paywallIdentifier
    var flag: [String: Value] = [
      "key": .string(key), "reason": .string(reason(for: result)),
      "variant": .string(experiment?.variant.id ?? "none"),
    ]
    var facts: [String: Value] = ["result": .string(result.caseName)]
    if let experiment {
      facts["campaign"] = .string(experiment.campaignID)
      facts["experiment"] = .string(experiment.id)
    }
    flag["metadata"] = Value(object: facts)
    switch form {
    // Without a value, the client's default counts.
    case .paywall: flag["value"] = paywall.map { .string($0) }
    case .shows: flag["value"] = .bool(result.caseName == "paywall")
    case .decision:
      facts["variant"] = experiment.map { .string($0.variant.id) }
      facts["paywall"] = paywall.map { .string($0) }
      flag["value"] = Value(object: facts)
    }
    return Value(object: flag)
  }

  private func reason(for result: PlacementResult) -> String {
    // The protocol does not have the reason DEFAULT of the SDKs.
    guard let experiment = result.experiment else { return "STATIC" }
    let variants =
      campaigns.config.triggers.lazy.flatMap(\.audiences)
      .first { $0.experimentID == experiment.id }?.variants.count ?? 1
    return variants > 1 ? "SPLIT" : "TARGETING_MATCH"
  }
}
