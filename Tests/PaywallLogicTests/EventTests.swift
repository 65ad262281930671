import CampaignCore
import ExpressionEngine
import Foundation
import PaywallLogic
import Testing

/// The names and parameters of all events (docs/spec/campaigns.md §8.7), against
/// `corpus/paywall/events/parameters.txt`.
@Suite("Events")
struct EventTests {
  @Test("there is a sample of each name")
  func samples() {
    #expect(Set(EventSamples.all.map(\.name)) == Set(BuiltInEvent.allCases))
    #expect(BuiltInEvent.allCases.count == 83)
  }

  /// The parameters of a paywall, which many events share and which stand in the table once.
  private static let shared = Set(EventSamples.info.parameters().keys)
  /// The attributes of a product, likewise.
  private static let product = Set(Samples.monthly.attributes.keys.map { "product_" + $0 })
    .union(["product_id"])

  /// A line for each event: its name, whether it can present a paywall, and its parameters.
  private static func table() -> String {
    var text = """
      # The parameters of each event beyond `is_superwall` and `app_session_id` (docs/spec/campaigns.md §8.7). A star marks events that
      # can present a paywall. `PAYWALL` and `PRODUCT` stand for the parameters at the end.


      """
    func words(_ names: some Sequence<String>) -> String {
      names.sorted().joined(separator: " ")
    }
    for event in EventSamples.all {
      var names = Set(event.parameters(in: EventSamples.context).keys)
      names.subtract(["is_superwall", "app_session_id"])
      var groups: [String] = []
      for (group, members) in [("PAYWALL", shared), ("PRODUCT", product)]
      where members.isSubset(of: names) {
        names.subtract(members)
        groups.append(group)
      }
      let parameters = (groups + names.sorted()).joined(separator: " ")
      text += "\(event.name.rawValue)\(event.canTrigger ? "*" : ""):"
      text += parameters.isEmpty ? "\n" : " \(parameters)\n"
    }
    text += "\nPAYWALL: \(words(shared))\n\nPRODUCT: \(words(product))\n"
    return text
  }

  @Test("the parameters are those of the table")
  func parameters() throws {
    let file = Corpus.folder.appending(path: "events/parameters.txt")
    if ProcessInfo.processInfo.environment["SWEXPR_BLESS"] != nil {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Self.table().write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == Self.table())
  }

  @Test("every event has the two parameters of all events")
  func common() {
    for event in EventSamples.all {
      let parameters = event.parameters(in: EventSamples.context)
      #expect(parameters["is_superwall"] == true)
      #expect(parameters["app_session_id"] == "s1")
      // What a filter sees is part of what is sent, but for the abandoned product.
      for (name, value) in event.filterParameters where !name.hasPrefix("abandoned_") {
        #expect(parameters[name] == value, "\(event.name.rawValue).\(name)")
      }
    }
  }

  @Test("a custom placement is tracked under its own name")
  func trackedName() {
    for event in EventSamples.all {
      if event.name == .customPlacement {
        #expect(event.trackedName == "didTapPro")
      } else {
        #expect(event.trackedName == event.name.rawValue)
      }
    }
  }

  @Test("an observed purchase presents nothing")
  func observed() {
    var details = EventSamples.details
    #expect(AnalyticsEvent.transactionAbandon(details).canTrigger)
    details.isObserved = true
    #expect(!AnalyticsEvent.transactionAbandon(details).canTrigger)
    #expect(!AnalyticsEvent.transactionFail(details, message: "").canTrigger)
  }

  @Test("what is not known is left out")
  func absent() {
    let bare = AnalyticsEvent.paywallOpen(PaywallDetails(identifier: "pw"))
    let names = Set(bare.parameters().keys)
    for name in [
      "experiment_id", "variant_id", "presented_by_event_name", "presentation_id",
      "paywalljs_version", "paywall_response_load_start_time", "attr_demandScore",
    ] {
      #expect(!names.contains(name), "\(name)")
    }
    #expect(bare.parameters()["presented_by"] == "programmatically")
    let page = PaywallPageView(
      pageNodeID: "n", flowPosition: 0, pageName: "p", navigationNodeID: "b",
      navigationType: "entry")
    let view = AnalyticsEvent.paywallPageView(PaywallDetails(identifier: "pw"), page)
    #expect(view.parameters()["previous_page_node_id"] == nil)
    #expect(view.parameters()["flow_position"] == 0)
  }

  @Test("no match names the reason of each audience")
  func noMatch() {
    let event = AnalyticsEvent.triggerFire(
      .init(
        placement: "w",
        result: .noAudienceMatch([
          .init(experimentID: "1", source: .expression),
          .init(experimentID: "2", source: .occurrence),
        ])))
    #expect(event.parameters()["unmatched_audience_2"] == "OCCURRENCE")
    #expect(event.parameters()["result"] == "no_rule_match")
  }
}
