import CampaignCore
import CampaignMatcher
import ExpressionCoding
import ExpressionEngine
import Foundation
import TestSupport
import Testing

/// A decision makes only the attributes that filters read; one with all details makes all of them.
@Suite("Layers of attributes")
struct LayerTests {
  private static let sample = TestFiles.root.appending(path: "corpus/campaigns/sample")

  private func value(_ name: String) throws -> Value {
    try Value(
      json: try String(contentsOf: Self.sample.appending(path: name), encoding: .utf8))
  }

  @Test(
    "what is made for filters alone decides as everything does",
    arguments: ["new-visitor", "portuguese-regular", "subscribed-skipper"])
  func agree(_ context: String) throws {
    let matcher = try Matcher(
      .init(clock: ManualClock(WallTime(seconds: 1_800_000_000)), zone: .utc))
    try matcher.load(try value("config.json"))
    let layers = try value("contexts/\(context).json").objectValue ?? [:]
    let user = layers["user"]?.objectValue ?? [:]
    matcher.device.set(values: layers["device"]?.objectValue ?? [:])
    // Half of the attributes are stored, and some of those are replaced by the request.
    let names = user.keys.sorted()
    let stored = names.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
    try matcher.user.setAttributes(user.filter { stored.contains($0.key) })
    let placements = try #require(matcher.config?.triggers.map(\.placement))
    #expect(placements.count == 9)
    for placement in placements {
      for drops in [0, 1, 2] {
        var request = MatchRequest(placement, parameters: layers["params"]?.objectValue ?? [:])
        request.user = user.filter { name, _ in
          drops == 0 || (names.firstIndex(of: name) ?? 0) % 3 != drops
        }
        let plain = try matcher.previewNow(request)
        request.detail = .full
        let full = try matcher.previewNow(request)
        #expect(plain.result == full.result, "\(placement) without \(drops)")
      }
    }
  }
}
