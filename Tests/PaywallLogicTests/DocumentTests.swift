import CampaignCore
import CampaignCorpus
import Foundation
import PaywallLogic
import TestSupport
import Testing

/// `docs/paywall.md` and `docs/coverage.md` against the module.
@Suite("The documents about paywalls")
struct DocumentTests {

  /// The transitions between phases: which events lead from one to which others.
  private func lines<Machine: StateMachine>(
    _ name: String, _ table: TransitionTable<Machine>, phase: (Machine) -> String,
    kind: (Machine.Event) -> String
  ) -> [String] {
    var order: [String] = []
    var moves: [String: [String]] = [:]
    for row in table.rows where !row.isIgnored {
      let from = phase(row.state)
      if moves[from] == nil { order.append(from) }
      let to = phase(row.next)
      let move = to == from ? kind(row.event) : "\(kind(row.event)) → \(to)"
      if moves[from]?.contains(move) != true { moves[from, default: []].append(move) }
    }
    return ["\(name)"] + order.map { "  \($0): \((moves[$0] ?? []).joined(separator: ", "))" }
  }

  private func overview() -> String {
    let presentation = lines(
      "PresentationFlow",
      TransitionTable(
        from: [PresentationFlow()],
        events: Samples.presentationEvents.filter { $0.kind != .contentChanged },
        maximumStates: 400),
      phase: { flow in
        switch flow.phase {
        case .deciding: "deciding"
        case .loading: "loading"
        case .loaded: "loaded"
        case .makingRoom: "making room"
        case .vacated: "vacated"
        case .presenting: "presenting"
        case .presented: "presented"
        case .surveying: "surveying"
        case .lookingForExitOffer: "looking for exit offer"
        case .awaitingReplacement: "awaiting replacement"
        case .dismissing: "dismissing"
        case .ended: "ended"
        }
      }, kind: \.kind.rawValue)
    let purchases = lines(
      "PurchaseFlow",
      TransitionTable(
        from: Samples.purchaseFlows, events: Samples.purchaseEvents, maximumStates: 500),
      phase: { flow in
        switch (flow.purchases.isEmpty, flow.restores.isEmpty) {
        case (true, true): "idle"
        case (false, true): "purchasing"
        case (true, false): "restoring"
        case (false, false): "purchasing and restoring"
        }
      }, kind: \.kind.rawValue)
    let entitlements = lines(
      "EntitlementBook",
      TransitionTable(
        from: [EntitlementBook()], events: Samples.entitlementEvents, maximumStates: 2_000),
      phase: { $0.status.wireName }, kind: \.kind.rawValue)
    let actions = lines(
      "ActionChain",
      TransitionTable(
        from: [ActionChain(callbackTimeout: 5_000)], events: Samples.actionEvents,
        maximumStates: 1_000),
      phase: { chain in
        "\(chain)".hasPrefix("no paywall")
          ? "no paywall" : chain.pendingRequestIDs.isEmpty ? "paywall" : "waiting"
      }, kind: \.kind.rawValue)
    var options = RedemptionFlow.Options()
    options.maximumRetries = 1
    let redemption = lines(
      "RedemptionFlow",
      TransitionTable(
        from: [RedemptionFlow(options: options)],
        events: Samples.redemptionEvents.filter { $0 != .link(code: "def") },
        maximumStates: 5_000),
      phase: { $0.running.isEmpty ? "idle" : "redeeming" }, kind: \.kind.rawValue)
    let all = [presentation, purchases, entitlements, actions, redemption]
    return all.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
  }

  @Test("the overview of the machines is theirs")
  func tables() throws {
    let file = TestFiles.root.appending(path: "docs/paywall.md")
    var text = try String(contentsOf: file, encoding: .utf8)
    let begin = try #require(text.range(of: "<!-- tables begin -->\n"))
    let end = try #require(text.range(of: "<!-- tables end -->"))
    let table = "```text\n\(overview())\n```\n"
    if ProcessInfo.processInfo.environment["SWEXPR_BLESS"] != nil {
      text.replaceSubrange(begin.upperBound..<end.lowerBound, with: table)
      try text.write(to: file, atomically: true, encoding: .utf8)
    } else {
      #expect(text[begin.upperBound..<end.lowerBound] == table)
    }
  }

  /// The rows of the tables of `docs/coverage.md`, by cells.
  private static let rows: [[String]] = {
    let file = TestFiles.root.appending(path: "docs/coverage.md")
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").filter { $0.hasPrefix("|") }.map { line in
      line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }()

  @Test("the coverage names all 61 pieces of logic, each with a verdict")
  func pieces() {
    let numbered = Self.rows.filter { Int($0.first ?? "") != nil }
    #expect(numbered.compactMap { Int($0[0]) } == Array(1...61))
    for row in numbered {
      #expect(row.count == 4, "\(row)")
      #expect(["done", "partly", "host", "no"].contains(row[2]), "\(row)")
    }
  }

  /// The words of the coverage that name a case of this corpus: `file#case`.
  private static let references: [(file: String, name: String)] = rows.flatMap { row in
    row.flatMap { cell in
      cell.split(whereSeparator: { " ,;()`.".contains($0) }).compactMap { word in
        let sides = word.split(separator: "#").map(String.init)
        return sides.count == 2 ? (sides[0], sides[1]) : nil
      }
    }
  }

  @Test("the cases that it names exist")
  func cases() throws {
    #expect(Self.references.count > 60)
    for reference in Self.references {
      let file = Corpus.folder.appending(path: reference.file + ".txt")
      let text = try String(contentsOf: file, encoding: .utf8)
      #expect(
        text.contains("== \(reference.name)\n"), "there is no \(reference.file)#\(reference.name)")
    }
  }

  @Test("the stories that it names exist")
  func stories() {
    var count = 0
    for word in Self.rows.joined().flatMap({ $0.split(separator: " ") }) {
      guard let name = word.firstMatch(of: /`stories\/([a-z-]+)`/)?.1 else { continue }
      count += 1
      let file = Corpus.folder.appending(path: "stories/\(name).txt")
      #expect(FileManager.default.fileExists(atPath: file.path), "there is no stories/\(name)")
    }
    #expect(count > 5)
  }

  @Test("the folders of campaigns that it names exist")
  func campaigns() {
    let folder = TestFiles.root.appending(path: "corpus/campaigns")
    var count = 0
    for word in Self.rows.joined().flatMap({ $0.split(separator: " ") }) {
      guard let name = word.firstMatch(of: /`campaigns\/([a-z-]+)`/)?.1 else { continue }
      count += 1
      #expect(
        FileManager.default.fileExists(atPath: folder.appending(path: String(name)).path),
        "there is no campaigns/\(name)")
    }
    #expect(count > 10)
  }
}
