import CampaignCore
import CampaignMatcher
import CampaignStore

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A store whose file was damaged opens and can be used, or says why not.
///
/// An input is a list of changes of a sound file: each four bytes are an offset, of 24 bits, and
/// the byte that belongs there.
enum StoreTarget {
  private static let folder = String(cString: getenv("TMPDIR") ?? strdup("/tmp"))
  private static let path = "\(folder)/swexpr-fuzz-\(getpid()).store"
  /// The bytes of a file with one record of each kind.
  private static let sound = makeSound()

  static func run(_ input: FuzzInput) {
    var file = sound
    var index = 0
    while index + 4 <= input.bytes.count {
      let change = input.bytes[index..<(index + 4)]
      let offset = change.prefix(3).reduce(0) { $0 << 8 | Int($1) } % file.count
      file[offset] = change[index + 3]
      index += 4
    }
    write(file)
    do throws(StoreError) {
      let store = try SQLiteStore(path: path)
      attempt { () throws(StoreError) in try store.readEverything() }
      attempt { () throws(StoreError) in try store.addSampleRecords() }
    } catch {
      require(!error.reason.isEmpty, "an error without a reason")
    }
    remove()
  }

  private static func attempt(_ body: () throws(StoreError) -> Void) {
    do throws(StoreError) {
      try body()
    } catch {
      require(!error.reason.isEmpty, "an error without a reason")
    }
  }

  private static func makeSound() -> [UInt8] {
    remove()
    do throws(StoreError) {
      // Closed by the end of the scope, so that the log is part of the file.
      try SQLiteStore(path: path).addSampleRecords()
    } catch {
      report("no store can be made: \(error)")
    }
    defer { remove() }
    return read()
  }

  // MARK: The file

  private static func read() -> [UInt8] {
    guard let file = fopen(path, "rb") else { report("cannot read \(path)") }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&chunk, 1, chunk.count, file)
      if count == 0 { return bytes }
      bytes += chunk[..<count]
    }
  }

  private static func write(_ bytes: [UInt8]) {
    remove()
    guard let file = fopen(path, "wb") else { report("cannot write \(path)") }
    let count = fwrite(bytes, 1, bytes.count, file)
    require(fclose(file) == 0 && count == bytes.count, "cannot write \(path)")
  }

  /// Removes the file and what SQLite and the store keep beside it.
  private static func remove() {
    for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
  }
}
