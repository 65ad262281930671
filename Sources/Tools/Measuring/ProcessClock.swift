import CAllocationCount

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The processor time and the memory of this process.
package enum ProcessClock {
  /// The processor time that this process has used, in nanoseconds.
  ///
  /// Other processes and sleeping do not count, so a shared machine disturbs it less than a wall
  /// clock.
  package static var now: Double {
    var time = timespec()
    guard clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 else { return .nan }
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }

  /// The resident memory of this process in bytes; `nil` if the system has no `/proc/self/statm`.
  ///
  /// Freed memory is returned to the system first, so that the number counts only memory in use.
  package static var residentBytes: Int? {
    allocation_trim()
    #if os(Linux)
      guard let file = fopen("/proc/self/statm", "r") else { return nil }
      defer { fclose(file) }
      var octets = [UInt8](repeating: 0, count: 256)
      let count = fread(&octets, 1, octets.count, file)
      // The second number counts resident pages.
      let numbers = octets[..<count].split(separator: UInt8(ascii: " "))
      guard numbers.count > 1, let pages = Int(String(decoding: numbers[1], as: UTF8.self)) else {
        return nil
      }
      return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    #else
      return nil
    #endif
  }
}
