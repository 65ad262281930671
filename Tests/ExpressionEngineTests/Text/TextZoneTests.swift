import TestSupport
import Testing

@testable import ExpressionEngine

@Suite("Time zones")
struct TextZoneTests {
  private func offset(
    _ zone: String, _ time: String = "2009-02-13T23:31:30Z",
    in database: TimeZoneDatabase = .system
  ) throws -> Result<Int, TimeZoneError> {
    let timestamp = try attempt(time) { bytes throws(TimestampTextError) in
      try TimestampText.parse(bytes, rules: .superscript)
    }.get()
    return attempt(zone) { bytes throws(TimeZoneError) in
      try database.offset(of: bytes, at: timestamp.seconds)
    }
  }

  @Test(
    "Offsets need no database (docs/spec/cel.md §12.4)",
    arguments: [
      ("", 0), ("UTC", 0), ("+11:00", 39_600), ("-02:30", -9_000), ("02:00", 7_200),
      ("-00:00", 0), ("-09:30", -34_200), ("+30:00", 108_000),
    ])
  func fixedOffsets(zone: String, expected: Int) throws {
    let empty = TimeZoneDatabase(directories: [])
    #expect(try offset(zone, in: empty) == .success(expected))
  }

  @Test(
    "Texts that name no zone",
    arguments: [
      ("+0530", .malformed), ("+02:60", .malformed), ("+2:00", .malformed), ("1:2:3", .malformed),
      ("../../../etc/passwd", .malformed), ("/etc/localtime", .malformed),
      ("localtime", .malformed),
      ("Europe//../UTC", .malformed), ("Europe/", .malformed), ("tzdata.zi", .malformed),
      ("Europe/Nowhere", .unknownZone), ("Europe", .unknownZone), ("Z", .unknownZone),
      ("Europe/Paris/x", .unknownZone), ("é", .malformed), (" ", .malformed),
    ] as [(String, TimeZoneError)])
  func unknown(zone: String, expected: TimeZoneError) throws {
    #expect(try offset(zone) == .failure(expected))
  }

  @Test("Without a database a name has a clear error")
  func noDatabase() throws {
    let empty = TimeZoneDatabase(directories: ["/nonexistent"])
    #expect(try offset("Europe/Paris", in: empty) == .failure(.noDatabase))
    #expect(TimeZoneError.noDatabase.message.contains("no time zone database"))
  }

  @Test(
    "Zones of the database: before, between and after the transitions of the file",
    arguments: [
      ("US/Central", "2009-02-13T23:31:30Z", -21_600),
      ("America/St_Johns", "2009-02-13T02:00:00Z", -12_600),
      ("Europe/Paris", "2024-03-31T00:59:59Z", 3_600),
      ("Europe/Paris", "2024-03-31T01:00:00Z", 7_200),
      ("Europe/Paris", "2024-10-27T00:59:59Z", 7_200),
      ("Europe/Paris", "2024-10-27T01:00:00Z", 3_600),
      ("Europe/Paris", "2500-07-01T00:00:00Z", 7_200),
      ("Europe/Paris", "2500-12-31T23:59:59Z", 3_600),
      ("Australia/Sydney", "2500-01-01T00:00:00Z", 39_600),
      ("Australia/Sydney", "2500-07-01T00:00:00Z", 36_000),
      ("Asia/Kolkata", "2024-01-01T00:00:00Z", 19_800),
      ("America/New_York", "1850-01-01T00:00:00Z", -17_762),
      ("EST", "2024-07-01T00:00:00Z", -18_000),
      ("Pacific/Kiritimati", "2024-01-01T00:00:00Z", 50_400),
      ("Asia/Gaza", "2300-07-01T00:00:00Z", 10_800),
    ])
  func zones(zone: String, time: String, expected: Int) throws {
    let result = try offset(zone, time)
    if result == .failure(.noDatabase) { return }
    #expect(result == .success(expected))
  }

  @Test("The number of zones that are kept is bounded")
  func bounded() throws {
    let database = TimeZoneDatabase(directories: ["/usr/share/zoneinfo"], capacity: 2)
    guard try offset("Europe/Paris", in: database) != .failure(.noDatabase) else { return }
    for zone in ["Europe/Berlin", "Asia/Tokyo", "Europe/Paris", "Asia/Tokyo"] {
      _ = try offset(zone, in: database).get()
    }
    #expect(database.cachedZoneCount == 2)
  }

  @Test(
    "Rules for the time after the last transition",
    arguments: [
      ("UTC0", 0, 0), ("<+03>-3", 10_800, 10_800), ("EST5EDT,M3.2.0,M11.1.0", -18_000, -14_400),
      ("AEST-10AEDT,M10.1.0,M4.1.0/3", 39_600, 36_000), ("XXX3EDT4,J1/0,J365/23", -14_400, -14_400),
      ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", -7_200, -3_600), ("ABC-5:30:15", 19_815, 19_815),
      ("IST-1GMT0,0/0,364/24", 0, 0),
    ])
  func rules(text: String, january: Int, july: Int) throws {
    let rule = try #require(withBytes(text) { TimeZoneRule($0) })
    // 15 January and 15 July 2041.
    #expect(rule.offset(at: 2_241_820_800) == january)
    #expect(rule.offset(at: 2_257_459_200) == july)
  }

  @Test(
    "Malformed rules are refused",
    arguments: [
      "", "AB1", "EST", "EST5EDT", "EST5EDT,M13.1.0,M1.1.0", "EST5EDT,M3.2.0", "<+03", "EST5x",
    ])
  func malformedRules(text: String) {
    #expect(withBytes(text) { TimeZoneRule($0) } == nil)
  }

  @Test("Damaged files are refused or read, but never trap")
  func damagedFiles() throws {
    var file: [UInt8] = Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15)
    for count in [0, 0, 0, 1, 1, 4] { file += [0, 0, 0, UInt8(count)] }
    let header = file
    let types: [UInt8] = [0, 0, 0x0E, 0x10, 0, 0] + Array("CET\0".utf8)
    file += [UInt8](repeating: 0, count: 5)
    file += types
    file += header
    file += [UInt8](repeating: 0, count: 9)
    file += types
    file += Array("\nCET-1\n".utf8)
    let whole = try #require(file.withUnsafeBufferPointer { TimeZoneData($0) })
    #expect(whole.offset(at: 5) == 3_600)
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<20_000 {
      var damaged = file
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        damaged[Int.random(in: 4..<file.count, using: &generator)] = UInt8.random(
          in: 0...255, using: &generator)
      }
      damaged.removeLast(Int.random(in: 0...8, using: &generator))
      let data = damaged.withUnsafeBufferPointer { TimeZoneData($0) }
      for seconds in [Int64.min, -1, 0, 1, .max] { _ = data?.offset(at: seconds) }
    }
  }
}
