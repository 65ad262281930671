#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Standard output for results, standard error for everything else.
enum Output {
  /// Writes a line of the result.
  static func line(_ text: String) { write(text.hasSuffix("\n") ? text : text + "\n") }

  /// Writes a part of a line of the result.
  static func write(_ text: String) { emit(text, STDOUT_FILENO) }

  /// Writes octets to standard output.
  static func write(_ octets: [UInt8]) {
    octets.withUnsafeBufferPointer { emit($0, STDOUT_FILENO) }
  }

  /// Writes a line to standard error.
  static func error(_ text: String) { errorPiece(text.hasSuffix("\n") ? text : text + "\n") }

  /// Writes a part of a line to standard error.
  static func errorPiece(_ text: String) { emit(text, STDERR_FILENO) }

  /// Returns whether a file descriptor is a terminal that supports escape sequences.
  static func isTerminal(_ descriptor: Int32) -> Bool {
    guard let terminal = environment("TERM") else { return false }
    return isatty(descriptor) != 0 && terminal != "dumb"
  }

  /// The width of a line of standard output, in characters.
  static var width: Int {
    if let columns = environment("COLUMNS").flatMap({ Int($0) }), columns > 20 { return columns }
    var size = winsize()
    if ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 20 {
      return Int(size.ws_col)
    }
    return 110
  }

  /// Returns the value of an environment variable, or `nil` if it is not set or empty.
  static func environment(_ name: String) -> String? {
    guard let value = getenv(name) else { return nil }
    let text = String(cString: value)
    return text.isEmpty ? nil : text
  }

  private static func emit(_ text: String, _ descriptor: Int32) {
    var text = text
    text.withUTF8 { emit($0, descriptor) }
  }

  private static func emit(_ bytes: UnsafeBufferPointer<UInt8>, _ descriptor: Int32) {
    var start = 0
    while start < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[start...])
      let count = posixWrite(descriptor, rest.baseAddress, rest.count)
      if count > 0 {
        start += count
      } else if errno != EINTR {
        // The reader has closed the pipe, so an error would not be read.
        return
      }
    }
  }
}

/// The system's `write`, which a type with a function of that name hides.
func posixWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
