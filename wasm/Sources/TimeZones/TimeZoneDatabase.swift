import WasmLibc

/// The time zones of the host: JavaScript knows them, and there are no files.
struct TimeZoneDatabase {
  static let system = TimeZoneDatabase()

  /// Returns a zone's seconds east of UTC at an instant (docs/spec/cel.md §12.4).
  func offset(of zone: UTF8Bytes, at seconds: Int64) throws(TimeZoneError) -> Int {
    if let fixed = try TimeZoneText.fixedOffset(zone) { return fixed }
    guard TimeZoneText.isName(zone), let start = zone.baseAddress else { throw .malformed }
    let offset = host_zone_offset(start, zone.count, seconds)
    // No zone is a week from UTC.
    guard abs(offset) < 7 * 86_400 else { throw .unknownZone }
    return Int(offset)
  }
}
