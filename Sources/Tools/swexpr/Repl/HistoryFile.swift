import LineEditing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The file with the lines of earlier sessions: `swexpr/history` in the state folder of the XDG
/// base directory specification, in the format of libedit,
/// readable only by its owner.
struct HistoryFile {
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

  /// Returns the entries in the file; none if it cannot be read.
  func read() -> LineHistory {
    (try? InputFile.octets(path)).map { LineHistory(fileText: $0) } ?? LineHistory()
  }

  /// Writes all entries. Failures are ignored, because the history is not important enough to
  /// report them; the file then stays as it was.
  func write(_ history: LineHistory) {
    let new = path + ".new"
    let descriptor = open(new, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    guard descriptor >= 0 else { return }
    let text = history.fileText
    let isWritten = text.withUnsafeBytes {
      posixWrite(descriptor, $0.baseAddress, $0.count) == $0.count
    }
    if close(descriptor) == 0, isWritten { rename(new, path) } else { unlink(new) }
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
