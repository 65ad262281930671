#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Files of which the content may change.
struct FileWatch {
  /// The state of a file: changed files differ in it.
  private struct Stamp: Equatable {
    var seconds = 0
    var nanoseconds = 0
    var size = 0
    var inode: UInt64 = 0
  }

  private let paths: [String]
  private var stamps: [Stamp]

  /// Notes the present state of files, which need not exist.
  init(_ paths: [String]) {
    self.paths = paths
    stamps = paths.map { Self.stamp($0) }
  }

  /// Waits until a file has changed, and returns its path.
  mutating func next() -> String {
    while true {
      for (index, path) in paths.enumerated() {
        let stamp = Self.stamp(path)
        guard stamp != stamps[index] else { continue }
        // Editors write in several steps; the last one counts.
        usleep(50_000)
        stamps = paths.map { Self.stamp($0) }
        return path
      }
      usleep(200_000)
    }
  }

  private static func stamp(_ path: String) -> Stamp {
    var status = stat()
    guard stat(path, &status) == 0 else { return Stamp() }
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    return Stamp(
      seconds: Int(time.tv_sec), nanoseconds: Int(time.tv_nsec), size: Int(status.st_size),
      inode: UInt64(status.st_ino))
  }
}
