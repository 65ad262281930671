import CampaignCore
import ExpressionEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The file of a store.
///
/// When a process closes any descriptor of a file, it loses all its locks on that file, those of
/// SQLite's connections, too. Another process would then remove the write-ahead log of a store that is
/// in use, and what is written later would be lost. So nothing here opens a file of which this process
/// has a store.
struct StoreFile: Sendable, Hashable {
  private let device: UInt64
  private let number: UInt64

  /// The file that has the path now; `nil` if there is none.
  init?(_ path: String) {
    guard let status = Self.status(path) else { return nil }
    device = UInt64(truncatingIfNeeded: status.st_dev)
    number = UInt64(truncatingIfNeeded: status.st_ino)
  }

  /// Whether the path refers to the file.
  func has(_ path: String) -> Bool { StoreFile(path) == self }

  // MARK: Files in use

  /// How many stores of this process have a file open, or are about to open it.
  private static let uses = Locked<[StoreFile: Int]>([:])

  /// Notes that a store is about to open a file. If there is none, an empty one is made first, which
  /// only its user may read and write; the files that SQLite keeps beside it get the same rights.
  ///
  /// - Returns: The file, to be released later; `nil` if there is none and none can be made, of which
  ///   the attempt to open it tells more.
  static func claim(_ path: String) -> StoreFile? {
    uses.withLock { uses in
      createIfMissing(path)
      guard let file = StoreFile(path) else { return nil }
      uses[file, default: 0] += 1
      return file
    }
  }

  /// Notes that a store has closed its file.
  func release() {
    Self.uses.withLock { uses in
      let count = (uses[self] ?? 1) - 1
      uses[self] = count > 0 ? count : nil
    }
  }

  /// Copies a file, unless a store of this process has it open.
  ///
  /// - Returns: Whether it was copied.
  /// - Throws: ``StoreProblem`` if a file cannot be read or written.
  static func copyUnused(_ source: String, to target: String) throws(StoreProblem) -> Bool {
    try uses.withLock { uses throws(StoreProblem) in
      guard let file = StoreFile(source), uses[file] == nil else { return false }
      try copy(source, to: target)
      return true
    }
  }

  /// Whether there is a file, also if this user may not look.
  static func exists(_ path: String) -> Bool {
    access(path, F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR)
  }

  /// The length of a file; 0 if there is none.
  static func length(_ path: String) -> Int64 { Int64(status(path)?.st_size ?? 0) }

  static func status(_ path: String) -> stat? {
    var status = stat()
    return stat(path, &status) == 0 ? status : nil
  }

  /// The folder of a file, as a path that can be opened.
  static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  // MARK: Before it is opened

  /// Returns the reason why the file at a path cannot be a store, as far as it shows without reading;
  /// `nil` otherwise.
  static func problem(of path: String) -> StoreProblem? {
    guard let status = status(path) else { return nil }
    guard status.st_mode & S_IFMT != S_IFDIR else {
      return StoreProblem(kind: .other, reason: "it is a directory")
    }
    // SQLite takes a file that is shorter than its smallest page for an empty one.
    guard status.st_size == 0 || status.st_size >= 512 else {
      return StoreProblem(
        kind: .damaged, reason: "the file is cut off after \(status.st_size) bytes")
    }
    return nil
  }

  /// Returns the right that this process lacks to read a file, or to write it as SQLite does; `nil` if
  /// it lacks none.
  static func missingRight(to path: String, writing: Bool) -> StoreProblem? {
    func may(_ path: String, _ mode: Int32) -> Bool {
      // The rights of the effective user count, as they do when a file is opened.
      faccessat(AT_FDCWD, path, mode, AT_EACCESS) == 0
    }
    func problem(_ reason: String) -> StoreProblem {
      errno == EROFS
        ? StoreProblem(kind: .notPermitted, reason: "the file system is read-only")
        : StoreProblem(kind: .notPermitted, reason: reason)
    }
    let folder = folder(of: path)
    if may(folder, F_OK), !may(folder, X_OK) {
      return problem("this user may not look into the folder")
    }
    if exists(path) {
      guard may(path, R_OK) else { return problem("this user may not read the file") }
      guard writing else { return nil }
      guard may(path, W_OK) else {
        return problem("this user may only read the file; a copy can be opened")
      }
    }
    guard writing, may(folder, F_OK) else { return nil }
    return may(folder, W_OK)
      ? nil : problem("this user may not write into the folder, where SQLite keeps two more files")
  }

  /// Creates an empty file that only its user may read and write, unless there is a file.
  static func createIfMissing(_ path: String) {
    let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR)
    if file >= 0 { close(file) }
  }

  // MARK: Copies

  private static func copy(_ source: String, to target: String) throws(StoreProblem) {
    let input = open(source, O_RDONLY | O_CLOEXEC)
    guard input >= 0 else { throw StoreProblem(errno: errno) }
    defer { close(input) }
    let output = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR)
    guard output >= 0 else { throw StoreProblem(errno: errno) }
    defer { close(output) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(input, &bytes, bytes.count)
      guard count != 0 else { return }
      guard count > 0, write(output, bytes, count) == count else {
        throw StoreProblem(errno: count > 0 ? ENOSPC : errno)
      }
    }
  }

  /// Makes a folder that only its user may look into, for temporary files.
  ///
  /// - Throws: ``StoreProblem`` if there is no place for one.
  static func temporaryFolder() throws(StoreProblem) -> String {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent.isEmpty ? "/tmp" : parent)/swexpr-store-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw StoreProblem(errno: errno) }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  // MARK: Seals

  /// The mark before the checksum at the end of a backup, after the pages, where SQLite does not
  /// look. A store that is opened there and written loses it.
  private static let sealMark = Array("swexpr 1".utf8)

  /// Adds a checksum to a file.
  ///
  /// - Throws: ``StoreProblem`` if the file cannot be read or written.
  static func seal(_ path: String) throws(StoreProblem) {
    let contents = try contents(path)
    let seal = sealMark + checksum(contents[...])
    let file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
    guard file >= 0 else { throw StoreProblem(errno: errno) }
    defer { close(file) }
    let count = write(file, seal, seal.count)
    guard count == seal.count else { throw StoreProblem(errno: count < 0 ? errno : ENOSPC) }
  }

  /// Checks the checksum of a file that has one.
  ///
  /// - Throws: ``StoreProblem`` if the file has other contents than when it was sealed, or cannot be
  ///   read.
  static func checkSeal(_ path: String) throws(StoreProblem) {
    let contents = try contents(path)
    let end = contents.suffix(sealMark.count + 8)
    guard end.starts(with: sealMark) else { return }
    guard end.suffix(8).elementsEqual(checksum(contents.dropLast(end.count))) else {
      throw StoreProblem(kind: .damaged, reason: "it was changed after it had been written")
    }
  }

  /// A checksum that any accidental change alters (FNV-1a of 64 bits).
  private static func checksum(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    let hash = bytes.withUnsafeBufferPointer { bytes in
      var hash: UInt64 = 0xCBF2_9CE4_8422_2325
      for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
      return hash
    }
    return (0..<8).map { UInt8(truncatingIfNeeded: hash >> (8 * $0)) }
  }

  private static func contents(_ path: String) throws(StoreProblem) -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw StoreProblem(errno: errno) }
    defer { close(file) }
    var result: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(file, &bytes, bytes.count)
      guard count >= 0 else { throw StoreProblem(errno: errno) }
      guard count > 0 else { return result }
      result += bytes[..<count]
    }
  }

  /// Gives a finished file its name, in place of a file that may have it already: afterwards, and also
  /// after a power failure, the name refers to the one or to the other.
  ///
  /// - Throws: ``StoreProblem`` if the system refuses.
  static func publish(_ partial: String, as path: String) throws(StoreProblem) {
    try synchronize(partial, O_RDWR)
    guard rename(partial, path) == 0 else { throw StoreProblem(errno: errno) }
    // Some file systems cannot do that for a folder, and the name is there already.
    try? synchronize(folder(of: path), O_RDONLY)
  }

  private static func synchronize(_ path: String, _ mode: Int32) throws(StoreProblem) {
    let file = open(path, mode | O_CLOEXEC)
    guard file >= 0 else { throw StoreProblem(errno: errno) }
    defer { close(file) }
    guard fsync(file) == 0 else { throw StoreProblem(errno: errno) }
  }

  static func remove(_ path: String) { _ = unlink(path) }

  static func removeFolder(_ path: String) { _ = rmdir(path) }

  /// The instant of the last change and the length, which tell whether a file was changed.
  static func version(of path: String) -> [Int64] {
    guard let status = status(path) else { return [] }
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    return [
      Int64(time.tv_sec), Int64(time.tv_nsec), Int64(status.st_size),
      Int64(truncatingIfNeeded: status.st_ino),
    ]
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

/// The reason why the file of a store cannot be used.
struct StoreProblem: Error, Hashable, CustomStringConvertible {
  let kind: StoreError.Kind
  let reason: String

  var description: String { reason }

  init(kind: StoreError.Kind, reason: String) {
    self.kind = kind
    self.reason = reason
  }

  /// The reason of a call of the system that failed.
  init(errno number: Int32) {
    kind =
      switch number {
      case EACCES, EPERM, EROFS: .notPermitted
      case ENOSPC, EDQUOT: .noSpace
      default: .other
      }
    reason = String(cString: strerror(number))
  }
}
