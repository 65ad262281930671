#if os(Linux)
  import CampaignCore
  import CampaignHost
  import CampaignMatcher
  import CampaignStore
  import ExpressionEngine
  import Foundation
  import Glibc
  import PaywallLogic
  import TestSupport
  import Testing

  /// Kills a process in the middle of purchases, restores and redemptions, again and again.
  ///
  /// The child is this test program itself: with `SWEXPR_KILL_SESSION` set, ``child()`` buys for
  /// ever, and prints what was acknowledged.
  @Suite("Sudden death of a session", .serialized)
  struct SessionKillTests {
    static let childStore = ProcessInfo.processInfo.environment["SWEXPR_KILL_SESSION"]
    /// How often the child is killed; set `SWEXPR_KILLS` to 200 for the long run.
    static let kills = Int(ProcessInfo.processInfo.environment["SWEXPR_KILLS"] ?? "") ?? 3

    /// A shop that tells the host what the user owns before it answers.
    final class Till: BillingController {
      let host = Locked(PaywallHost?.none)
      let number = Locked(0)

      private func load() async {
        let entitlement = UserEntitlement(active: "device\(number.withLock { $0 })")
        await host.withLock { $0 }?.didLoadPurchases(CustomerRecord(entitlements: [entitlement]))
      }

      func purchase(product: PaywallProduct) async -> PaywallPurchaseResult {
        await load()
        return .purchased
      }

      func restorePurchases() async -> PaywallRestoreResult {
        await load()
        return .restored
      }
    }

    struct NoScreen: Presenter {
      func present(_ paywall: PaywallDetails) async throws(MatchError) {}
      func dismiss(_ paywall: PaywallDetails) async {}
    }

    private static func host(_ path: String, _ till: Till) throws -> PaywallHost {
      var configuration = PaywallHost.Configuration()
      configuration.callbacks = .host
      return PaywallHost(
        matcher: try Matcher(.init(store: SQLiteStore(path: path), zone: .utc)),
        presenter: NoScreen(), store: till, configuration: configuration)
    }

    private static func acknowledge(_ text: String) {
      _ = "ACK \(text)\n".withCString { write(1, $0, strlen($0)) }
    }

    @Test("buys until it is killed", .enabled(if: childStore != nil))
    func child() async throws {
      let till = Till()
      let host = try Self.host(#require(Self.childStore), till)
      till.host.withLock { $0 = host }
      let product = PaywallProduct(id: "monthly", period: BillingPeriod(1, .month))
      var number = Seen(await host.session.state).highest
      while true {
        number += 1
        till.number.withLock { $0 = number }
        let isPurchase = number.isMultiple(of: 2)
        if isPurchase {
          _ = await host.purchase(product)
        } else {
          _ = await host.restorePurchases()
        }
        Self.acknowledge("device \(number)")
        let code = "code\(number)"
        await host.send(.redemption(.link(code: code)))
        let web = CustomerRecord(entitlements: [UserEntitlement(active: "web\(number)")])
        await host.send(
          .redemptionReturned(
            .init(results: [.success(code: code, .init())], customerInfo: web), at: .now))
        Self.acknowledge("web \(number)")
      }
    }

    /// The numbers in a state.
    private struct Seen {
      var device: Int
      var web: Int
      var codes: Set<Int>
      var isConsistent: Bool

      init(_ state: SessionState) {
        func number(_ info: CustomerRecord?, _ prefix: String) -> Int {
          info?.entitlements.first.flatMap { Int($0.identifier.dropFirst(prefix.count)) } ?? 0
        }
        device = number(state.device, "device")
        web = number(state.web, "web")
        codes = Set(state.codes.compactMap { Int($0.dropFirst(4)) })
        let expected = [(device, "device"), (web, "web")].filter { $0.0 > 0 }.map { "\($1)\($0)" }
        isConsistent = Set(state.status.entitlements.map(\.identifier)) == Set(expected)
      }

      var highest: Int { max(device, web, codes.max() ?? 0) }
    }

    @Test(
      "no status, code or entitlement that was acknowledged is lost",
      .enabled(if: childStore == nil), .timeLimit(.minutes(10)))
    func kill() async throws {
      let folder = try TemporaryFolder()
      let path = folder.storePath
      let random = SeededRandomSource(seed: UInt64(Date().timeIntervalSince1970))
      var (device, web) = (0, 0)
      var codes: Set<Int> = []
      for _ in 0..<Self.kills {
        let pause = UInt32(random.uniform(below: 20_000))
        let output =
          try await OwnThreads.run {
            try PeerProcess.output(
              of: "CampaignHostTests.SessionKillTests", environment: ["SWEXPR_KILL_SESSION": path],
              killedAfter: pause)
          } ?? Data()
        // The number of a line that was cut is smaller, and was acknowledged before.
        for line in String(decoding: output, as: UTF8.self).split(separator: "\n") {
          let words = line.split(separator: " ")
          guard words.count == 3, words[0] == "ACK", let number = Int(words[2]) else { continue }
          if words[1] == "device" {
            device = max(device, number)
          } else {
            web = max(web, number)
            codes.insert(number)
          }
        }
        let host = try Self.host(path, Till())
        let seen = Seen(await host.session.state)
        #expect(seen.device >= device)
        #expect(seen.web >= web)
        #expect(seen.codes.isSuperset(of: codes))
        #expect(seen.isConsistent, "the status does not follow from the purchases")
        // Filters see the same status.
        let names = await host.session.entitlements.active.map(\.identifier)
        let texts = names.map { "\"\($0)\"" }.joined(separator: ", ")
        #expect(
          try host.matcher.evaluate(
            "device.activeEntitlements == [\(texts)]", for: MatchRequest("any"))
            == .value(.bool(true)), "\(names)")
        (device, web) = (seen.device, seen.web)
      }
      #expect(web > 0)
      withExtendedLifetime(folder) {}
    }
  }
#endif
