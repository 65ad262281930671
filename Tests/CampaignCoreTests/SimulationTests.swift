import CampaignCore
import ExpressionEngine
import Testing

@Suite("Simulations of new users")
struct SimulationTests {
  private static func matched(_ filters: [String], users: Int) throws -> [Int] {
    var config = CampaignConfig(buildID: "b")
    config.triggers = filters.enumerated().map { index, filter in
      var audience = Audience(
        campaignID: "c", experimentID: "e\(index)",
        variants: [Variant(id: "v", kind: .treatment, percentage: 100)])
      audience.expression = filter
      return CampaignTrigger(placement: "p\(index)", audiences: [audience])
    }
    let simulation = Simulation(
      config, random: SeededRandomSource(seed: 9), now: WallTime(seconds: 1_000_000))
    for _ in 0..<users {
      try Array("{}".utf8).withUnsafeBufferPointer { try simulation.add(json: $0) }
    }
    return simulation.tallies.map(\.matched)
  }

  @Test(
    "each user without a seed or an alias gets another one, which a filter may read",
    arguments: [
      "user.aliasId < \"$SuperwallAlias:8\"", "user.seed < 50",
      "device.aliases.exists(a, a < \"$SuperwallAlias:8\")",
    ])
  func drawn(_ filter: String) throws {
    let alone = try Self.matched([filter], users: 400)
    #expect((120...280).contains(alone[0]))
    let beside = try Self.matched(["user.plan == \"pro\"", filter], users: 400)
    #expect(beside[0] == 0)
    #expect((120...280).contains(beside[1]))
  }

  @Test("a filter may read parameters that begin with a dollar sign")
  func dollarSigns() throws {
    let filters = [
      "params[\"$is_standard_event\"] == false", "params[\"$own\"] == null",
      "params[\"$event_name\"] == \"p2\"",
    ]
    #expect(try Self.matched(filters, users: 3) == [3, 3, 3])
  }
}
