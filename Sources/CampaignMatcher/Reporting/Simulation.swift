public import AudienceFilters
public import ExpressionEngine

/// How many of many users fall into each audience and variant of a config.
///
/// Each user is new: without history, so that no limit is reached and no event has happened, and with
/// a variant chosen for them alone. Memory does not grow with the number of users.
public final class Simulation {
  /// What happened at one audience.
  public struct AudienceTally: Sendable, Hashable {
    /// The placement.
    public var placement: String
    /// The position in the trigger, from 0.
    public var index: Int
    /// The experiment.
    public var experimentID: String
    /// How many users were tried at this audience.
    public var tried = 0
    /// How many of them matched.
    public var matched = 0
    /// How many of those got each variant, in the order of the config.
    public var variants: [VariantTally] = []
  }

  /// How many users got a variant.
  public struct VariantTally: Sendable, Hashable {
    /// The variant.
    public var id: String
    /// Treatment or holdout.
    public var kind: Variant.Kind
    /// The number of users.
    public var count = 0
  }

  /// How many users matched no audience of a placement.
  public struct UnmatchedTally: Sendable, Hashable {
    /// The placement.
    public var placement: String
    /// The number of users.
    public var count = 0
  }

  /// The number of users so far.
  public private(set) var users = 0
  /// How many users matched no audience, per placement in the order of the config.
  public private(set) var unmatched: [UnmatchedTally] = []
  /// The audiences in the order of the config.
  public private(set) var tallies: [AudienceTally] = []
  /// What a person should know about the config.
  public let diagnostics: [ConfigDiagnostic]

  private let triggers: [CompiledTrigger]
  private let random: any RandomSource
  private let choice: MatchingOptions.VariantChoice
  private let unanswered: EvaluationState

  /// Prepares a simulation.
  /// - Parameters:
  ///   - config: the config.
  ///   - diagnostics: what decoding it had to say.
  ///   - placements: only these are tried; `nil` means all.
  ///   - options: decide how variants are chosen.
  ///   - random: chooses variants when they are chosen at random.
  ///   - now: the instant at which all users are tried.
  ///   - zone: decides local times.
  ///   - dialect: the language of the filters.
  public init(
    _ config: CampaignConfig, diagnostics: [ConfigDiagnostic] = [], placements: Set<String>? = nil,
    options: MatchingOptions = .iOS, random: any RandomSource, now: Instant,
    zone: ZoneRules = .utc, dialect: Dialect = .superscript
  ) {
    let environment = MatcherFunctions.environment(
      dialect: dialect, includesVersions: dialect != .superscript)
    let compiled = CompiledConfig(config, diagnostics: diagnostics, environment: environment)
    self.diagnostics = compiled.diagnostics
    self.random = random
    choice = options.variantChoice
    triggers = compiled.campaignTriggers(representativeOnly: false).filter {
      placements?.contains($0.trigger.placement) ?? true
    }
    unanswered = EvaluationState(
      reader: HistoryReader(now: now, zone: zone, options: options), transaction: nil)
    for trigger in triggers {
      unmatched.append(UnmatchedTally(placement: trigger.trigger.placement))
      for (index, compiled) in trigger.audiences.enumerated() {
        var tally = AudienceTally(
          placement: trigger.trigger.placement, index: index,
          experimentID: compiled.audience.experimentID)
        tally.variants = compiled.audience.variants.map {
          VariantTally(id: $0.id, kind: $0.kind)
        }
        tallies.append(tally)
      }
    }
  }

  /// Counts a user.
  /// - Parameters:
  ///   - context: the user's attributes.
  ///   - id: what deterministic bucketing goes by.
  public func add(_ context: Context, id: String = "") {
    users += 1
    let context = context.with(hostState: unanswered)
    var offset = 0
    for (triggerIndex, trigger) in triggers.enumerated() {
      defer { offset += trigger.audiences.count }
      let match = trigger.audiences.indices.first { index in
        tallies[offset + index].tried += 1
        return matches(trigger.audiences[index], context)
      }
      guard let match else {
        unmatched[triggerIndex].count += 1
        continue
      }
      tallies[offset + match].matched += 1
      let audience = trigger.audiences[match]
      if let variant = choose(audience, id: id) {
        tallies[offset + match].variants[variant].count += 1
      }
    }
  }

  /// Counts a user given as JSON: an object with `user`, `device` and `params`, or the attributes of
  /// the user alone.
  public func add(_ value: Value) {
    let object = value.object ?? [:]
    var roots = object
    if object["user"]?.object == nil, object["device"]?.object == nil { roots = ["user": value] }
    for root in ["user", "device", "params"] where roots[root]?.object == nil {
      roots[root] = .map([:])
    }
    var id = ""
    for key in ["appUserId", "id", "aliasId"] {
      guard id.isEmpty, case .string(let text)? = roots["user"]?.object?[key] else { continue }
      id = text
    }
    add(Context(variables: roots), id: id)
  }

  private func matches(_ compiled: CompiledAudience, _ context: Context) -> Bool {
    if let limit = compiled.limit, limit.maximum < 1 { return false }
    switch compiled.filter {
    case .everyone: return true
    case .invalid: return false
    case .compiled(let filter): return filter.matches(context)
    }
  }

  private func choose(_ compiled: CompiledAudience, id: String) -> Int? {
    let variants = compiled.audience.variants
    guard variants.count > 1 else { return variants.isEmpty ? nil : 0 }
    let chosen =
      switch choice {
      case .random: VariantChooser(random: random).choose(from: variants)
      case .deterministic:
        DeterministicBucketing.choose(
          from: variants, unitID: id, experimentID: compiled.audience.experimentID)
      }
    return chosen.flatMap { chosen in variants.firstIndex { $0.id == chosen.id } }
  }

  // MARK: Reporting

  /// The result as JSON: `users`, and per placement its audiences with their variants.
  public var value: Value {
    let placements = unmatched.map { entry in
      Value(object: [
        "placement": .string(entry.placement), "unmatched": .int(Int64(entry.count)),
        "audiences": .list(
          tallies.filter { $0.placement == entry.placement }.map { tally in
            Value(object: [
              "experiment": .string(tally.experimentID), "tried": .int(Int64(tally.tried)),
              "matched": .int(Int64(tally.matched)),
              "variants": .list(
                tally.variants.map { variant in
                  Value(object: [
                    "id": .string(variant.id), "type": .string(variant.kind.rawValue),
                    "count": .int(Int64(variant.count)),
                  ])
                }),
            ])
          }),
      ])
    }
    return Value(object: ["users": .int(Int64(users)), "placements": .list(placements)])
  }

  /// The result as a table.
  public var text: String {
    var rows: [[String]] = [["placement", "experiment", "variant", "users", "share"]]
    for entry in unmatched {
      var placement = entry.placement
      for tally in tallies where tally.placement == entry.placement {
        rows.append([
          placement, tally.experimentID, "", String(tally.matched), share(tally.matched),
        ])
        placement = ""
        for variant in tally.variants where tally.variants.count > 1 || variant.kind == .holdout {
          let name = variant.id + (variant.kind == .holdout ? " (holdout)" : "")
          rows.append(["", "", name, String(variant.count), share(variant.count)])
        }
      }
      rows.append([placement, "nobody matched", "", String(entry.count), share(entry.count)])
    }
    return Table(rows: rows, rightAligned: [3, 4]).text
  }

  private func share(_ count: Int) -> String {
    guard users > 0 else { return "-" }
    let perMille = (Double(count) * 1_000 / Double(users)).rounded()
    return "\(Int(perMille) / 10).\(Int(perMille) % 10) %"
  }
}

/// Text in columns.
struct Table {
  var rows: [[String]]
  var rightAligned: Set<Int>

  var text: String {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in
      rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    return rows.map { row in
      let cells = row.enumerated().map { column, cell in
        let space = String(repeating: " ", count: widths[column] - cell.count)
        return rightAligned.contains(column) ? space + cell : cell + space
      }
      return trimmedEnd(cells.joined(separator: "  ")) + "\n"
    }.joined()
  }

  private func trimmedEnd(_ text: String) -> String {
    guard let last = text.lastIndex(where: { $0 != " " }) else { return "" }
    return String(text[...last])
  }
}
