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

  /// The bytes of the heap that this process uses; `nil` if the C library does not tell.
  ///
  /// Unlike the resident memory, the number does not depend on which pages of the program are
  /// loaded.
  package static var heapBytes: Int? {
    let bytes = allocation_bytes_in_use()
    return bytes < 0 ? nil : Int(bytes)
  }
}
