import CampaignCore
import CampaignMatcher
import ExpressionCoding
import ExpressionEngine

/// A simulation counts the same users given as columns, as contexts and as JSON, and those whom a
/// matcher finds.
///
/// The parts of an input are the filters of a placement's audiences, at most four.
enum SimulateTarget {
  private static let now = WallTime(milliseconds: 1_772_366_400_000)
  private static let userCount = 24

  static func run(_ input: FuzzInput) {
    let texts = Array(input.texts.prefix(4))
    // A simulation has the standard limits.
    guard texts.allSatisfy({ Filter.isCheap($0, FilterEnvironment()) }) else { return }
    let config = config(texts, input.choice)
    var options = input.choice & 1 == 0 ? MatchingOptions.iOS : .android
    options.variantChoice = .deterministic(.userOrAlias)
    let users = users(texts, input.choice)
    func simulation() -> Simulation {
      Simulation(config, options: options, random: SeededRandomSource(seed: 1), now: now)
    }
    let single = simulation()
    for user in users { single.add(user) }
    let text = "\(options.platform): \(texts)\n"

    let columns = simulation()
    do throws(ColumnBatchError) {
      try columns.add(batch(users))
    } catch {
      report("no columns: \(error)\n\(text)")
    }
    expectSame(columns, single, "columns", text)

    let (lines, fromLines) = (simulation(), simulation())
    for user in users {
      let json = Value(object: user.snapshot()).jsonText()
      guard let read = try? Context(json: json) else { report("a context as JSON: \(json)") }
      fromLines.add(read)
      do throws(JSONError) {
        try Array(json.utf8).withUnsafeBufferPointer { bytes throws(JSONError) in
          try lines.add(json: bytes)
        }
      } catch {
        report("\(error): \(json)")
      }
    }
    expectSame(lines, fromLines, "lines of JSON", text)
    compareWithMatcher(config, options, users, single, text)
  }

  private static func expectSame(
    _ found: Simulation, _ wanted: Simulation, _ way: String, _ text: String
  ) {
    require(
      found.users == wanted.users && found.tallies == wanted.tallies
        && found.unmatched == wanted.unmatched,
      "\(way) give another result than users one by one\n\(text)\(found.text)\n\(wanted.text)")
  }

  /// Counts the users whom a matcher finds in each audience. Each gets a matcher of their own.
  private static func compareWithMatcher(
    _ config: CampaignConfig, _ options: MatchingOptions, _ users: [Context],
    _ simulation: Simulation, _ text: String
  ) {
    var counts = [Int](repeating: 0, count: config.triggers[0].audiences.count)
    for user in users.prefix(6) {
      do {
        let found = try experiment(config, options, user)
        let alone = Simulation(
          config, options: options, random: SeededRandomSource(seed: 1), now: now)
        alone.add(user)
        let matched = alone.tallies.first { $0.matched > 0 }?.experimentID
        require(
          found == matched,
          "a matcher finds \(found ?? "nothing"), a simulation \(matched ?? "nothing") for "
            + "\(user.snapshot())\n\(text)")
        if let index = alone.tallies.firstIndex(where: { $0.matched > 0 }) { counts[index] += 1 }
      } catch {
        report("\(error)\n\(text)")
      }
    }
    for (tally, count) in zip(simulation.tallies, counts) {
      require(tally.matched >= count, "fewer users than those of a part of them\n\(text)")
    }
  }

  private static func experiment(
    _ config: CampaignConfig, _ options: MatchingOptions, _ user: Context
  ) throws -> String? {
    let matcher = try Matcher(
      Matcher.Configuration(
        options: options, clock: ManualClock(now), zone: .utc,
        random: SeededRandomSource(seed: 1)))
    try matcher.load(config)
    let roots = user.snapshot()
    let layers = ["user", "device", "params"].map { roots[$0]?.objectValue ?? [:] }
    var request = MatchRequest("open", parameters: layers[2], kind: .getPresentationResult)
    request.user = layers[0]
    request.device = layers[1]
    return try matcher.previewNow(request).result.experiment?.id
  }

  // MARK: Config and users

  private static func config(_ texts: [String], _ choice: UInt64) -> CampaignConfig {
    var config = CampaignConfig(buildID: "b")
    let audiences = texts.enumerated().map { index, text in
      let variants = (0...Int(choice >> (4 + index) & 1)).map {
        Variant(id: "v\($0)", kind: .treatment, percentage: $0 == 0 ? 30 : 70)
      }
      var audience = Audience(campaignID: "c", experimentID: "e\(index)", variants: variants)
      audience.expression = text.isEmpty ? nil : text
      return audience
    }
    config.triggers = [CampaignTrigger(placement: "open", audiences: audiences)]
    return config
  }

  /// Users with an id and a seed of their own, without which chance would give them one.
  private static func users(_ texts: [String], _ choice: UInt64) -> [Context] {
    let all = SmallContexts(for: texts, in: .standard, seed: choice).all
    let step = max(1, all.count / userCount)
    return stride(from: 0, to: all.count, by: step).map { index in
      let snapshot = all[index].snapshot()
      // A user given as JSON has no other variables.
      var roots: [String: Value] = [:]
      var user = snapshot["user"]?.objectValue ?? [:]
      user["seed"] = .int(Int64(index % 100))
      user["id"] = .string("user \(index)")
      roots["user"] = Value(object: user)
      // A root that is no object makes a user of another form.
      for root in ["device", "params"] {
        roots[root] = Value(object: snapshot[root]?.objectValue ?? [:])
      }
      return Context(variables: roots)
    }
  }

  private static func batch(_ users: [Context]) throws(ColumnBatchError) -> ColumnBatch {
    let snapshots = users.map { $0.snapshot() }
    var columns: [AttributePath: Column] = [:]
    for root in Set(snapshots.flatMap(\.keys)) {
      let objects = snapshots.map { $0[root]?.objectValue }
      guard ["user", "device", "params"].contains(root) else {
        columns[AttributePath(root: root)] = Column(values: snapshots.map { $0[root] })
        continue
      }
      for name in Set(objects.flatMap { $0.map { Array($0.keys) } ?? [] }) {
        columns[AttributePath(root: root, names: [name])] = Column(
          values: objects.map { $0?[name] })
      }
    }
    return try ColumnBatch(columns, rowCount: users.count)
  }
}
