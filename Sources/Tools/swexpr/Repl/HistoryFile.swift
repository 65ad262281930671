import CEditLine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The file with the lines of earlier sessions: `swexpr/history` in the state folder of the XDG
/// base directory specification, in libedit's own format, readable only by its owner.
struct HistoryFile {
  /// The number of entries that are kept.
  static let limit = 2_000

  let path: String

  /// Locates the file of this user and creates its folder if necessary; `nil` if there is no place
  /// for it.
  init?() {
    let folder: String
    if let state = Output.environment("XDG_STATE_HOME"), state.hasPrefix("/") {
      folder = state
    } else if let home = Output.environment("HOME"), home.hasPrefix("/") {
      folder = home + "/.local/state"
    } else {
      return nil
    }
    guard Self.makeFolder(folder + "/swexpr") else { return nil }
    path = folder + "/swexpr/history"
  }

  /// Reads the entries in the file into a history of libedit.
  func read(into entries: OpaquePointer) { _ = swexpr_history_load(entries, path) }

  /// Writes all entries of a history of libedit. Failures are ignored, because the history is not
  /// important enough to report them.
  func write(_ entries: OpaquePointer) {
    let mask = umask(0o077)
    defer { umask(mask) }
    _ = swexpr_history_save(entries, path)
  }

  /// Creates a folder and the folders above it.
  private static func makeFolder(_ path: String) -> Bool {
    var made = ""
    for part in path.split(separator: "/") {
      made += "/\(part)"
      if mkdir(made, 0o700) != 0, errno != EEXIST, access(made, X_OK) != 0 { return false }
    }
    return access(path, W_OK) == 0
  }
}
