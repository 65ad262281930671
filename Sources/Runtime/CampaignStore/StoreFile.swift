import CampaignCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The file of an open store.
struct StoreFile: Sendable {
  private let path: String
  private let device: UInt64
  private let number: UInt64

  /// Records the file that has the path now; `nil` if there is no such file.
  init?(_ path: String) {
    guard let status = Self.status(path) else { return nil }
    self.path = path
    device = UInt64(truncatingIfNeeded: status.st_dev)
    number = UInt64(truncatingIfNeeded: status.st_ino)
  }

  /// Whether the path still refers to the file.
  var isInPlace: Bool {
    guard let status = Self.status(path) else { return false }
    return UInt64(truncatingIfNeeded: status.st_dev) == device
      && UInt64(truncatingIfNeeded: status.st_ino) == number
  }

  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Returns the reason why the file at a path cannot be a store, as far as its length shows it;
  /// `nil` otherwise.
  ///
  /// SQLite treats a file shorter than its smallest page as empty, and detects only some of the
  /// pages that are missing at the end.
  static func damage(of path: String) -> String? {
    guard let status = status(path) else { return nil }
    guard status.st_mode & S_IFMT != S_IFDIR else { return "it is a directory" }
    guard status.st_size > 0 else { return nil }
    guard status.st_size >= 512, let header = header(of: path) else {
      return "the file is cut off after \(status.st_size) bytes"
    }
    // The missing part may still be in the write-ahead log.
    guard (Self.status(path + "-wal")?.st_size ?? 0) == 0, let length = length(by: header),
      status.st_size < length
    else { return nil }
    return "the file is cut off after \(status.st_size) of \(length) bytes"
  }

  /// Returns the first 100 bytes of a file.
  private static func header(of path: String) -> [UInt8]? {
    let file = open(path, O_RDONLY)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 100)
    return read(file, &bytes, bytes.count) == bytes.count ? bytes : nil
  }

  /// Returns the length of the file according to its header (fileformat2.html, 1.3); `nil` if the
  /// header does not contain it.
  private static func length(by header: [UInt8]) -> Int64? {
    func number(at index: Int, bytes: Int) -> Int64 {
      header[index..<index + bytes].reduce(0) { $0 << 8 | Int64($1) }
    }
    guard header.starts(with: "SQLite format 3\0".utf8),
      number(at: 24, bytes: 4) == number(at: 92, bytes: 4)
    else { return nil }
    let pageSize = number(at: 16, bytes: 2)
    return number(at: 28, bytes: 4) * (pageSize == 1 ? 65_536 : pageSize)
  }

  private static func status(_ path: String) -> stat? {
    var status = stat()
    return stat(path, &status) == 0 ? status : nil
  }

  /// Renames the file and those beside it.
  ///
  /// - Returns: The new path.
  static func moveAside(_ path: String) throws(StoreError) -> String {
    var number = 1
    while exists("\(path).damaged-\(number)") { number += 1 }
    let target = "\(path).damaged-\(number)"
    for suffix in ["", "-wal", "-shm"] where suffix.isEmpty || exists(path + suffix) {
      guard rename(path + suffix, target + suffix) == 0 else {
        throw StoreError(
          operation: "move store at \(path) aside", reason: String(cString: strerror(errno)))
      }
    }
    return target
  }
}
