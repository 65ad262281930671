import CampaignCore
import CampaignMatcher
import CampaignStore
import ExpressionEngine
import Foundation
import GRDB
import TestSupport
import Testing

/// How many years `make store-growth` simulates.
private let simulatedYears =
  ProcessInfo.processInfo.environment["SWEXPR_STORE_YEARS"].flatMap { Int64($0) } ?? 0

/// How a store grows over the years. `make store-growth` simulates five and prints a table.
///
/// The user opens the app once a day, in a process of its own, and registers six placements ten
/// minutes apart; each has a limit, so that its occurrence is kept.
@Suite("Growth of a store", .serialized)
struct GrowthTests {
  private static let registrations = 6
  private static let millisecondsPerDay: Int64 = 86_400_000
  private static let begin: Int64 = 1_772_366_400_000

  /// The size of a store, and what it costs, at the end of a day.
  private struct Sample {
    var events = 0
    var occurrences = 0
    var bytes = 0
    var compactBytes = 0
    var launch = Duration.zero
    var registration = Duration.zero

    func row(_ label: String) -> String {
      func thousandths(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        return String(
          format: "%.2f", Double(seconds) * 1_000 + Double(attoseconds) / 1e15)
      }
      return "| \(label) | \(events) | \(occurrences) | \(bytes) | \(compactBytes)"
        + " | \(thousandths(launch)) | \(thousandths(registration)) |"
    }
  }

  /// The days of a user.
  private struct Days {
    let folder: TemporaryFolder
    var day: Int64 = 0
    var launches: [Duration] = []
    var registrations: [Duration] = []

    mutating func live(until end: Int64) throws {
      while day < end {
        let clock = ManualClock(WallTime(milliseconds: begin + day * millisecondsPerDay))
        let start = ContinuousClock.now
        let matcher = try Matcher(
          .init(store: SQLiteStore(path: folder.storePath), clock: clock, zone: .utc))
        try matcher.load(TestConfig.limited(maximum: 1_000_000))
        if day == 0 {
          try matcher.app.didInstall()
          try matcher.user.setAttributes(["member": .bool(true), "plan": "yearly"])
        }
        try matcher.app.didBecomeActive()
        launches.append(ContinuousClock.now - start)
        var request = MatchRequest("x")
        request.presentation = .immediate
        for turn in 1...Int64(GrowthTests.registrations) {
          clock.set(
            WallTime(milliseconds: begin + day * millisecondsPerDay + turn * 600_000))
          let start = ContinuousClock.now
          #expect(try matcher.registerNow(request).result.caseName == "paywall")
          registrations.append(ContinuousClock.now - start)
        }
        try matcher.app.willResignActive()
        day += 1
      }
    }

    /// Looks at the store. Times are medians of the last month.
    func sample() throws -> Sample {
      var result = Sample()
      result.launch = launches.suffix(30).sorted()[min(15, launches.count / 2)]
      result.registration = registrations.suffix(180).sorted()[min(90, registrations.count / 2)]
      let backup = folder.storePath + ".backup"
      try SQLiteStore(path: folder.storePath).backUp(to: backup)
      result.compactBytes = Int(try Data(contentsOf: URL(filePath: backup)).count)
      result.bytes = Int(try Data(contentsOf: URL(filePath: folder.storePath)).count)
      (result.events, result.occurrences) = try DatabaseQueue(path: backup).read { database in
        (
          try Int.fetchOne(database, sql: "SELECT count(*) FROM event") ?? 0,
          try Int.fetchOne(database, sql: "SELECT count(*) FROM occurrence") ?? 0
        )
      }
      return result
    }
  }

  @Test("the history stops growing after two months, and nothing is forgotten")
  func steady() throws {
    var days = Days(folder: try TemporaryFolder())
    try days.live(until: 80)
    let early = try days.sample()
    try days.live(until: 200)
    let late = try days.sample()
    #expect(late.events == early.events)
    #expect(late.occurrences == 200 * Self.registrations)
    // Room that old events leave is used again: what grows are occurrences, of twenty bytes.
    let growth = late.bytes - early.bytes
    #expect(growth < 120 * Self.registrations * 30, "\(growth) bytes")
    // A compact copy is hardly smaller, so that there is nothing to gain from compacting the file.
    #expect(late.compactBytes * 2 > late.bytes, "\(late.compactBytes) of \(late.bytes)")
    let store = try SQLiteStore(path: days.folder.storePath)
    try store.read { transaction throws(StoreError) in
      #expect(try transaction.count(of: "x", since: nil) == 200 * Self.registrations)
      #expect(try transaction.count(of: "app_open", since: nil) == 200)
    }
    withExtendedLifetime((days, store)) {}
  }

  @Test("what a reset removes is not left in the file")
  func overwritten() throws {
    let folder = try TemporaryFolder()
    do {
      let matcher = try Matcher(.init(store: SQLiteStore(path: folder.storePath), zone: .utc))
      try matcher.user.setAttributes(["email": "ana@example.com"])
    }
    let marks = Data("ana@example.com".utf8)
    #expect(try Data(contentsOf: URL(filePath: folder.storePath)).range(of: marks) != nil)
    do {
      let matcher = try Matcher(.init(store: SQLiteStore(path: folder.storePath), zone: .utc))
      try matcher.user.reset()
    }
    #expect(try Data(contentsOf: URL(filePath: folder.storePath)).range(of: marks) == nil)
    #expect(!FileManager.default.fileExists(atPath: folder.storePath + "-wal"))
    withExtendedLifetime(folder) {}
  }

  @Test(
    "over years",
    .enabled(if: simulatedYears > 0, "SWEXPR_STORE_YEARS is the number; make store-growth"))
  func overYears() throws {
    var days = Days(folder: try TemporaryFolder())
    print(
      """
      | after | events | occurrences | bytes | compact | launch, ms | register, ms |
      |---|---:|---:|---:|---:|---:|---:|
      """)
    try days.live(until: 30)
    print(try days.sample().row("1 month"))
    for year in 1...simulatedYears {
      try days.live(until: year * 365)
      print(try days.sample().row("\(year) \(year == 1 ? "year" : "years")"))
    }
    do {
      let matcher = try Matcher(
        .init(store: SQLiteStore(path: days.folder.storePath), zone: .utc))
      try matcher.user.reset()
    }
    print(try days.sample().row("a reset"))
  }
}
