import CampaignSource
import ExpressionEngine
import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite("A config from file and server")
struct ConfigSourceTests {
  /// A server whose answers a test sets, and which remembers the requests.
  private actor Server {
    enum Answer {
      case text(String, etag: String?)
      case notModified, offline
    }
    struct Offline: Error {}

    private(set) var requests: [String?] = []
    private var answer: Answer

    init(_ answer: Answer) { self.answer = answer }

    func set(_ answer: Answer) { self.answer = answer }

    func respond(_ etag: String?) async throws -> ConfigSource.Response {
      requests.append(etag)
      // Others get their turn while this request is under way.
      for _ in 0..<20 { await Task.yield() }
      switch answer {
      case .text(let text, let etag): return .document(text, etag: etag)
      case .notModified: return .notModified
      case .offline: throw Offline()
      }
    }
  }

  private static func config(_ build: String) -> String {
    #"""
    {"build_id": "\#(build)", "trigger_options": [], "paywall_responses": [], "log_level": 10,
     "localization": {"locales": []}, "app_session_timeout_ms": 3600000, "toggles": [],
     "disable_preload": {"all": false, "triggers": []}}
    """#
  }

  private let clock = ManualClock(WallTime(milliseconds: 1_700_000_000_000))

  private func source(_ server: Server, file: String? = nil) -> ConfigSource {
    ConfigSource(file: file, maximumAge: .seconds(60), clock: clock) { etag in
      try await server.respond(etag)
    }
  }

  private static func file() -> String {
    FileManager.default.temporaryDirectory.appendingPathComponent(
      "config-\(UInt64.random(in: 0 ... .max))"
    ).path
  }

  /// Waits until a fetch in the background has ended.
  private func wait(for server: Server, requests count: Int) async throws {
    for _ in 0..<100_000 {
      if await server.requests.count >= count { break }
      await Task.yield()
    }
    #expect(await server.requests.count == count)
  }

  @Test("The first launch fetches, the next one starts from the file and sends the ETag")
  func launches() async throws {
    let file = Self.file()
    defer { try? FileManager.default.removeItem(atPath: file) }
    let server = Server(.text(Self.config("one"), etag: "\"1\""))
    let first = try await source(server, file: file).load()
    #expect(first.config.buildID == "one" && first.origin == .server)

    clock.advance(byMilliseconds: 30_000)
    let second = source(server, file: file)
    let kept = try await second.load()
    #expect(kept.config.buildID == "one" && kept.origin == .file && kept.etag == "\"1\"")
    #expect(await server.requests == [nil])

    await server.set(.notModified)
    let confirmed = try await second.refresh()
    #expect(confirmed.confirmedAt == clock.now())
    #expect(await server.requests == [nil, "\"1\""])
    let third = try await source(server, file: file).load()
    #expect(third.confirmedAt == clock.now(), "the file remembers the confirmation")
  }

  @Test("A stale config is used at once, renewed once, and the new one is announced")
  func stale() async throws {
    let server = Server(.text(Self.config("one"), etag: nil))
    let source = source(server)
    _ = try await source.load()
    var updates = await source.updates().makeAsyncIterator()
    await server.set(.text(Self.config("two"), etag: nil))
    clock.advance(byMilliseconds: 60_000)
    for _ in 0..<50 { #expect(try await source.load().config.buildID != "") }
    #expect(await updates.next()?.config.buildID == "two")
    try await wait(for: server, requests: 2)
    #expect(try await source.load().config.buildID == "two")
  }

  @Test("A hundred callers share one request")
  func singleFlight() async throws {
    let server = Server(.text(Self.config("one"), etag: nil))
    let source = source(server)
    await withTaskGroup(of: String?.self) { group in
      for _ in 0..<100 { group.addTask { try? await source.load().config.buildID } }
      for await build in group { #expect(build == "one") }
    }
    #expect(await server.requests.count == 1)
  }

  @Test(
    "A damaged answer replaces neither the config in use nor the file",
    arguments: [
      "", "{", "[]", "null", "<html>offline</html>", #"{"build_id": 3, "trigger_options": 1}"#,
    ])
  func damagedAnswer(_ answer: String) async throws {
    let file = Self.file()
    defer { try? FileManager.default.removeItem(atPath: file) }
    let server = Server(.text(Self.config("one"), etag: nil))
    let source = source(server, file: file)
    _ = try await source.load()
    await server.set(.text(answer, etag: "bad"))
    await #expect(throws: ConfigSourceError.self) { try await source.refresh() }
    #expect(await source.current?.config.buildID == "one")
    #expect(await source.lastError != nil)
    let kept = try await self.source(server, file: file).load()
    #expect(kept.config.buildID == "one" && kept.etag == nil)
  }

  @Test("A file that was cut or changed anywhere is not used")
  func damagedFile() async throws {
    let file = Self.file()
    defer { try? FileManager.default.removeItem(atPath: file) }
    _ = try await source(Server(.text(Self.config("one"), etag: "e")), file: file).load()
    let whole = try Data(contentsOf: URL(fileURLWithPath: file))
    let server = Server(.text(Self.config("two"), etag: nil))
    for index in stride(from: 0, to: whole.count, by: 7) {
      for damaged in [whole.prefix(index), whole.flipped(at: index)] {
        try damaged.write(to: URL(fileURLWithPath: file))
        let snapshot = try await source(server, file: file).load()
        // A change within the line that keeps its meaning, such as the letter of the ETag, is
        // possible; the text is that of the file or of the server, whole.
        #expect(snapshot.config.buildID == (snapshot.origin == .file ? "one" : "two"))
        if index > whole.firstIndex(of: 10) ?? 0 { #expect(snapshot.origin == .server) }
      }
    }
  }

  @Test("Without a server, the file is enough, and retries become rarer")
  func offline() async throws {
    let file = Self.file()
    defer { try? FileManager.default.removeItem(atPath: file) }
    _ = try await source(Server(.text(Self.config("one"), etag: nil)), file: file).load()
    clock.advance(byMilliseconds: 86_400_000)
    let server = Server(.offline)
    let source = source(server, file: file)
    for second in 0..<8 {
      #expect(try await source.load().config.buildID == "one")
      // Fetches at 0, 1, 3 and 7 seconds.
      try await wait(for: server, requests: [1, 2, 2, 3, 3, 3, 3, 4][second])
      while await source.isFetching { await Task.yield() }
      clock.advance(byMilliseconds: 1_000)
    }
    let empty = self.source(server, file: Self.file())
    await #expect(throws: ConfigSourceError.self) { try await empty.load() }
  }

  @Test("A file that cannot be written costs nothing but the next launch's start")
  func unwritable() async throws {
    let server = Server(.text(Self.config("one"), etag: nil))
    let source = source(server, file: "/nonexistent/folder/config")
    #expect(try await source.load().config.buildID == "one")
    guard case .file? = await source.lastError else {
      Issue.record("the problem with the file is not shown")
      return
    }
  }

  @Test("A matcher loads what the source has")
  func matcher() async throws {
    let matcher = try Matcher()
    let server = Server(.text(Self.config("one"), etag: nil))
    try matcher.load(await source(server).load().document)
    #expect(try matcher.previewNow("anything").result == .placementNotFound)
  }
}

extension Data {
  /// The data with one bit turned.
  fileprivate func flipped(at index: Int) -> Data {
    var copy = self
    copy[copy.startIndex + index] ^= 1
    return copy
  }
}
