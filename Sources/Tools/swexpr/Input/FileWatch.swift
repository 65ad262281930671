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

  private let paths: () -> [String]
  private var stamps: [String: Stamp]

  /// Notes the present state of files, which need not exist.
  init(_ paths: [String]) { self.init { paths } }

  /// Notes the present state of files; which files there are may change, too.
  init(_ paths: @escaping () -> [String]) {
    self.paths = paths
    stamps = Self.stamps(paths())
  }

  /// Runs a command at once and after each change, and prints which file has changed.
  mutating func repeatForever(_ run: () throws(InputError) -> Void) -> Never {
    while true {
      do throws(InputError) {
        try run()
      } catch {
        // A file that is being edited may be readable the next time.
        Output.error("error: \(error.message)")
      }
      Output.line("\n\(next()) has changed")
    }
  }

  /// Waits until a file has changed, has come or has gone, and returns its path.
  private mutating func next() -> String {
    while true {
      let present = Self.stamps(paths())
      let changed = Set(present.keys).union(stamps.keys).filter { present[$0] != stamps[$0] }
      if let first = changed.min() {
        // Editors write in several steps; the last one counts.
        usleep(50_000)
        stamps = Self.stamps(paths())
        return first
      }
      usleep(200_000)
    }
  }

  private static func stamps(_ paths: [String]) -> [String: Stamp] {
    Dictionary(paths.map { ($0, stamp($0)) }, uniquingKeysWith: { first, _ in first })
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
