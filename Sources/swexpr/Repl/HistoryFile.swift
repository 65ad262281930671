import CEditLine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Where the lines of earlier sessions are kept: `swexpr/history` in the folder for state of the XDG
/// base directory specification, in libedit's own format, readable by its owner alone.
struct HistoryFile {
  /// How many entries are kept.
  static let limit = 2_000

  let path: String

  /// The file of this user, its folder made if need be; `nil` where there is no place for it.
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

  /// Reads what there is.
  func read() { read_history(path) }

  /// Writes all entries. A history that cannot be written is no reason to bother anyone.
  func write() {
    let mask = umask(0o077)
    defer { umask(mask) }
    write_history(path)
  }

  /// Makes a folder and the folders around it.
  private static func makeFolder(_ path: String) -> Bool {
    var made = ""
    for part in path.split(separator: "/") {
      made += "/\(part)"
      if mkdir(made, 0o700) != 0, errno != EEXIST, access(made, X_OK) != 0 { return false }
    }
    return access(path, W_OK) == 0
  }
}
