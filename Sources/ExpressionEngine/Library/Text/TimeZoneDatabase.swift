import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The reason why a time zone's text has no offset.
enum TimeZoneError: Error, Hashable {
  /// No zone of that name is in the database.
  case unknownZone
  /// The text is neither a valid zone name nor `±hh:mm`.
  case malformed
  /// The system has no time zone database at any of the usual locations.
  case noDatabase
  /// The file of the zone cannot be read or is not a time zone file.
  case unreadable

  /// A readable description of the problem.
  var message: String {
    switch self {
    case .unknownZone: "there is no time zone of this name"
    case .malformed: "a time zone is a name such as Europe/Paris or an offset such as +02:00"
    case .noDatabase: "this system has no time zone database; offsets such as +02:00 work"
    case .unreadable: "the system's data for this time zone cannot be read"
    }
  }
}

/// The time zones of the system, read on demand from its IANA database.
///
/// It is safe to use from many threads. It keeps a bounded number of zones and evicts the least
/// recently used one.
final class TimeZoneDatabase: Sendable {
  /// The database at the usual locations of this system.
  static let system = TimeZoneDatabase(directories: [
    "/usr/share/zoneinfo", "/var/db/timezone/zoneinfo", "/usr/lib/zoneinfo",
    "/usr/share/lib/zoneinfo", "/etc/zoneinfo",
  ])

  private struct Entry {
    var name: [UInt8]
    var data: TimeZoneData
    var lastUse: UInt64
  }

  private struct State {
    var entries: [Entry] = []
    var clock: UInt64 = 0
  }

  private let directories: [String]
  private let capacity: Int
  private let state = Mutex(State())

  /// Creates a database.
  ///
  /// - Parameters:
  ///   - directories: The directories to search for files, in order.
  ///   - capacity: The maximum number of zones to keep, at least 1.
  init(directories: [String], capacity: Int = 64) {
    self.directories = directories
    self.capacity = max(capacity, 1)
  }

  /// The current number of zones in the cache.
  var cachedZoneCount: Int { state.withLock { $0.entries.count } }

  /// Returns a zone's seconds east of UTC at an instant (docs/spec/cel.md §12.4).
  ///
  /// - Parameters:
  ///   - zone: Empty or `UTC`, an offset `[+-]hh:mm`, or a name of the database.
  ///   - seconds: The instant, in seconds from 1970.
  func offset(of zone: UTF8Bytes, at seconds: Int64) throws(TimeZoneError) -> Int {
    if zone.isEmpty || zone.elementsEqual("UTC".utf8) { return 0 }
    if let fixed = try TimeZoneDatabase.fixedOffset(zone) { return fixed }
    guard TimeZoneDatabase.isName(zone) else { throw .malformed }
    let cached: Int? = state.withLock { state in
      state.clock &+= 1
      for index in state.entries.indices where state.entries[index].name.elementsEqual(zone) {
        state.entries[index].lastUse = state.clock
        return state.entries[index].data.offset(at: seconds)
      }
      return nil
    }
    if let cached { return cached }
    let data = try load(String(decoding: zone, as: UTF8.self))
    let entry = Entry(name: Array(zone), data: data, lastUse: 0)
    state.withLock { insert(entry, into: &$0) }
    return data.offset(at: seconds)
  }

  private func insert(_ entry: Entry, into state: inout State) {
    // Two threads may have read the same zone; one copy is sufficient.
    if state.entries.contains(where: { $0.name == entry.name }) { return }
    var entry = entry
    entry.lastUse = state.clock
    if state.entries.count < capacity {
      state.entries.append(entry)
    } else if let oldest = state.entries.indices.min(by: {
      state.entries[$0].lastUse < state.entries[$1].lastUse
    }) {
      state.entries[oldest] = entry
    }
  }

  /// Parses `[+-]hh:mm`. Returns `nil` for a text without a colon, which must be a name.
  static func fixedOffset(_ zone: UTF8Bytes) throws(TimeZoneError) -> Int? {
    guard zone.contains(UInt8(ascii: ":")) else { return nil }
    let hasSign = zone.first == 0x2B || zone.first == 0x2D
    let digits = UTF8Bytes(rebasing: zone[(hasSign ? 1 : 0)...])
    guard digits.count == 5, digits[2] == UInt8(ascii: ":") else { throw .malformed }
    func pair(_ index: Int) -> Int? {
      let tens = digits[index] &- 0x30
      let ones = digits[index + 1] &- 0x30
      return tens < 10 && ones < 10 ? Int(tens) * 10 + Int(ones) : nil
    }
    guard let hours = pair(0), let minutes = pair(3), minutes < 60 else { throw .malformed }
    let offset = hours * 3_600 + minutes * 60
    return zone.first == 0x2D ? 0 - offset : offset
  }

  /// Returns whether the text is a valid zone name: it must not lead out of the database's
  /// directory, or to a file in it whose content depends on the machine.
  private static func isName(_ zone: UTF8Bytes) -> Bool {
    guard zone.count <= 64, zone.first != UInt8(ascii: "/"), zone.last != UInt8(ascii: "/"),
      let first = zone.first, (first | 0x20) &- 0x61 < 26
    else { return false }
    for byte in zone {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
        UInt8(ascii: "+"), UInt8(ascii: "/"):
        continue
      default: return false
      }
    }
    return !zone.elementsEqual("localtime".utf8) && !zone.elementsEqual("posixrules".utf8)
  }

  private func load(_ name: String) throws(TimeZoneError) -> TimeZoneData {
    var hasDirectory = false
    for directory in directories {
      var status = stat()
      guard stat(directory, &status) == 0 else { continue }
      hasDirectory = true
      guard let bytes = try TimeZoneDatabase.contents(ofFile: "\(directory)/\(name)")
      else { continue }
      guard let data = bytes.withUnsafeBufferPointer({ TimeZoneData($0) })
      else { throw .unreadable }
      return data
    }
    throw hasDirectory ? .unknownZone : .noDatabase
  }

  /// Returns the bytes of a file, or `nil` if there is no accessible regular file at the path.
  private static func contents(ofFile path: String) throws(TimeZoneError) -> [UInt8]? {
    // Swift's overlay of the C library has `open`, `errno` and the constants below, but brings all
    // of the mathematical library into static executables.
    let (kindMask, regularFile): (mode_t, mode_t) = (0o170000, 0o100000)
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & kindMask == regularFile else { return nil }
    // The largest file of the database has a few kilobytes.
    guard status.st_size > 0, status.st_size <= 1 << 20, let file = fopen(path, "rbe") else {
      throw .unreadable
    }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    guard fread(&bytes, 1, bytes.count, file) == bytes.count else { throw .unreadable }
    return bytes
  }
}
