import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The tool's REPL in a pseudo-terminal, driven key by key.
final class ReplTerminal {
  /// What went wrong while driving it.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// What the terminal shows.
  private(set) var screen = ReplScreen()
  private let terminal: Int32
  private var process: pid_t = 0
  private var status: Int32?

  /// Starts the REPL in the repository.
  ///
  /// - Parameters:
  ///   - state: The folder for its history.
  ///   - environment: Variables beside those that a terminal needs.
  init(
    state: URL, arguments: [String] = [], environment: [String: String] = ["NO_COLOR": "1"]
  ) throws {
    terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    guard terminal >= 0, let name = Self.unlock(terminal) else {
      throw Failure(description: "there is no pseudo-terminal")
    }
    // Wide enough that no line of a session wraps.
    var size = winsize(ws_row: 60, ws_col: 160, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)
    _ = fcntl(terminal, F_SETFD, FD_CLOEXEC)
    _ = fcntl(terminal, F_SETFL, fcntl(terminal, F_GETFL) | O_NONBLOCK)

    var variables = [
      "PATH": "/usr/bin:/bin", "TERM": "xterm", "LC_ALL": "C.UTF-8",
      "XDG_STATE_HOME": state.path, "HOME": state.path,
    ]
    variables.merge(environment) { _, new in new }
    variables.merge(inherited) { own, _ in own }
    try spawn(
      ["repl"] + arguments, terminalName: name,
      variables: variables.map { "\($0)=\($1)" })
  }

  /// Makes the other side of a pseudo-terminal usable and returns its name.
  private static func unlock(_ terminal: Int32) -> String? {
    #if canImport(Darwin)
      guard grantpt(terminal) == 0, unlockpt(terminal) == 0, let name = ptsname(terminal) else {
        return nil
      }
      return String(cString: name)
    #else
      // Glibc declares the functions for this only with a macro that Swift does not set.
      var lock: Int32 = 0
      var number: UInt32 = 0
      let unlock: UInt = 0x4004_5431  // TIOCSPTLCK
      let getNumber: UInt = 0x8004_5430  // TIOCGPTN
      guard ioctl(terminal, unlock, &lock) == 0, ioctl(terminal, getNumber, &number) == 0 else {
        return nil
      }
      return "/dev/pts/\(number)"
    #endif
  }

  deinit {
    if status == nil {
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
    }
    close(terminal)
  }

  private func spawn(_ arguments: [String], terminalName: String, variables: [String]) throws {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // The first terminal that the leader of a new session opens becomes its controlling one.
    posix_spawn_file_actions_addopen(&actions, 0, terminalName, O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, 0, 1)
    posix_spawn_file_actions_adddup2(&actions, 0, 2)
    #if !canImport(Darwin)
      // Without the pipes of other tests, whose readers would wait for this process to end.
      for descriptor: Int32 in 3..<256 { posix_spawn_file_actions_addclose(&actions, descriptor) }
    #endif
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    #if canImport(Darwin)
      let newSession = Int16(POSIX_SPAWN_SETSID | POSIX_SPAWN_CLOEXEC_DEFAULT)
    #else
      let newSession: Int16 = 0x80  // POSIX_SPAWN_SETSID, which glibc hides from Swift.
    #endif
    posix_spawnattr_setflags(&attributes, newSession)
    var arguments = ([tool.path] + arguments).map { strdup($0) } + [nil]
    var variables = variables.map { strdup($0) } + [nil]
    defer {
      for pointer in arguments + variables { free(pointer) }
    }
    // The tool runs in the folder of the tests, which is the repository for `swift test`.
    guard posix_spawn(&process, tool.path, &actions, &attributes, &arguments, &variables) == 0
    else { throw Failure(description: "the tool does not start: \(tool.path)") }
  }

  /// Types keys: `\r` is the return key, `\t` the tabulator, `\u{3}` control-C.
  ///
  /// The REPL echoes while it reads. Its echo has to be read meanwhile: a terminal holds a few
  /// thousand bytes each way, and then both sides would wait for each other.
  func type(_ keys: String) throws {
    var rest = Array(keys.utf8)[...]
    let start = ContinuousClock.now
    while !rest.isEmpty {
      guard start.duration(to: .now) < .seconds(60) else {
        throw Failure(description: "the terminal takes no keys; the screen:\n\(screen.text)")
      }
      var poll = pollfd(fd: terminal, events: Int16(POLLIN | POLLOUT), revents: 0)
      guard Foundation.poll(&poll, 1, 200) > 0 else { continue }
      if poll.revents & Int16(POLLIN) != 0, try !read(milliseconds: 0) {
        throw Failure(description: "the terminal is gone")
      }
      guard poll.revents & Int16(POLLOUT) != 0 else { continue }
      let count = rest.withUnsafeBytes { write(terminal, $0.baseAddress, $0.count) }
      guard count > 0 || errno == EAGAIN else {
        throw Failure(description: "the terminal is gone")
      }
      rest = rest.dropFirst(max(count, 0))
    }
  }

  /// Waits until the screen satisfies a condition.
  ///
  /// - Returns: The seconds that it took.
  @discardableResult
  func wait(
    for what: String, seconds: Double = 20, _ condition: (ReplScreen) -> Bool
  ) throws -> Double {
    let start = ContinuousClock.now
    while !condition(screen) {
      guard start.duration(to: .now) < .seconds(seconds), try read(milliseconds: 200) else {
        throw Failure(description: "waited in vain for \(what); the screen:\n\(screen.text)")
      }
    }
    let parts = start.duration(to: .now).components
    return Double(parts.seconds) + Double(parts.attoseconds) / 1e18
  }

  /// Reads what is written within a few milliseconds; false at the end.
  func drain() throws -> Bool {
    var poll = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
    while Foundation.poll(&poll, 1, 5) > 0 {
      guard try read(milliseconds: 0) else { return false }
    }
    return true
  }

  /// Reads what there is; false at the end.
  private func read(milliseconds: Int32) throws -> Bool {
    var poll = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
    guard Foundation.poll(&poll, 1, milliseconds) > 0 else { return true }
    var bytes = [UInt8](repeating: 0, count: 4096)
    #if canImport(Darwin)
      let count = Darwin.read(terminal, &bytes, bytes.count)
    #else
      let count = Glibc.read(terminal, &bytes, bytes.count)
    #endif
    guard count > 0 else { return false }
    screen.show(bytes[..<count])
    return true
  }

  /// Waits for the end of the process and returns its exit code.
  func exitCode() throws -> Int32 {
    let start = ContinuousClock.now
    while try read(milliseconds: 200) {
      guard start.duration(to: .now) < .seconds(60) else {
        throw Failure(description: "the process does not end; the screen:\n\(screen.text)")
      }
    }
    var raw: Int32 = 0
    guard waitpid(process, &raw, 0) == process else {
      throw Failure(description: "the process cannot be waited for")
    }
    status = raw
    return raw & 0x7F == 0 ? (raw >> 8) & 0xFF : 128 + raw & 0x7F
  }
}

/// As much of a terminal as the line editor uses: lines, a cursor, and a few escapes.
struct ReplScreen {
  private(set) var lines: [[Character]] = [[]]
  private var column = 0
  private var pending: [UInt8] = []
  /// How often the bell rang.
  private(set) var bells = 0
  /// Whether text was coloured.
  private(set) var hasColor = false

  /// All lines, without spaces at their ends.
  var text: String { lines.map(Self.trimmed).joined(separator: "\n") }

  /// The line with the cursor.
  var lastLine: String { lines.last.map { String($0) } ?? "" }

  private static func trimmed(_ line: [Character]) -> String {
    var line = line
    while line.last == " " { line.removeLast() }
    return String(line)
  }

  mutating func show(_ bytes: some Sequence<UInt8>) {
    pending += bytes
    var text = String(decoding: pending, as: UTF8.self)[...]
    // A character or an escape may be cut in two by a read.
    if text.last == "\u{FFFD}" { return }
    while let scalar = text.unicodeScalars.first {
      if scalar == "\u{1B}" {
        guard let rest = escape(text) else { break }
        text = rest
        continue
      }
      let character = text.removeFirst()
      switch character {
      case "\r\n": newLine()
      case "\n": newLine()
      case "\r": column = 0
      case "\u{8}": column = max(0, column - 1)
      case "\u{7}": bells += 1
      default: put(character)
      }
    }
    pending = Array(text.utf8)
  }

  private mutating func newLine() {
    lines.append([])
    column = 0
  }

  private mutating func put(_ character: Character) {
    var line = lines.removeLast()
    while line.count <= column { line.append(" ") }
    line[column] = character
    lines.append(line)
    column += 1
  }

  /// Obeys the escape that a text starts with and returns what comes after it; `nil` if it is cut.
  private mutating func escape(_ text: Substring) -> Substring? {
    let scalars = Array(text.unicodeScalars.prefix(16))
    guard scalars.count > 1 else { return nil }
    guard scalars[1] == "[" else { return Substring(text.unicodeScalars.dropFirst(2)) }
    guard let end = scalars.dropFirst(2).firstIndex(where: { $0.properties.isAlphabetic }) else {
      return nil
    }
    let parameter = String(String.UnicodeScalarView(scalars[2..<end]))
    let number = Int(parameter) ?? (scalars[end] == "K" ? 0 : 1)
    switch scalars[end] {
    case "K": lines[lines.count - 1].removeLast(max(0, lines[lines.count - 1].count - column))
    case "G": column = max(0, number - 1)
    case "C": column += number
    case "D": column = max(0, column - number)
    case "m": hasColor = true
    default: break
    }
    return Substring(text.unicodeScalars.dropFirst(end + 1))
  }
}
