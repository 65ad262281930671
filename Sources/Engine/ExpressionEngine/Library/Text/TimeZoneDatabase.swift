#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

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
  private let state = Locked(State())

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
    if let fixed = try TimeZoneText.fixedOffset(zone) { return fixed }
    guard TimeZoneText.isName(zone) else { throw .malformed }
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
