import LineEditing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Reads lines from the terminal of the process, with editing, history and completion.
final class LineEditor {
  /// The outcome of reading a line.
  enum Line: Equatable {
    case text(String)
    /// Control-C: the typed text is discarded.
    case abandoned
    /// Control-D on an empty line, or the terminal is gone.
    case end
  }

  /// How long an Escape waits for the rest of its sequence.
  private static let escapeMilliseconds: Int32 = 50

  private let settings: TerminalSettings
  private let file: HistoryFile?
  private var editing = LineEditing()
  private var display = LineDisplay()
  private var decoder = KeyDecoder()
  /// Keys that were typed ahead.
  private var keys: [Key] = []

  /// Creates an editor on the terminal of the process, which sends signals between lines.
  ///
  /// - Returns: `nil` if standard input is not a terminal.
  init?(history file: HistoryFile?) {
    guard let settings = TerminalSettings(), settings.apply(sendsSignals: true) else { return nil }
    self.settings = settings
    self.file = file
    if let file { editing.history = file.read() }
    display.hasEscapes = Output.isTerminal(STDOUT_FILENO)
  }

  deinit { settings.restore() }

  /// Reads a line, and leaves the cursor at its end.
  ///
  /// - Parameters:
  ///   - completion: The completions for the tab key.
  ///   - wasInterrupted: Returns whether control-C was a signal since the last line. Keys that were
  ///     typed before are discarded then.
  func read(prompt: String, completion: Completion, wasInterrupted: () -> Bool) -> Line {
    guard settings.apply(sendsSignals: false) else { return .end }
    defer { settings.apply(sendsSignals: true) }
    // From here on, control-C is a key.
    if wasInterrupted() { discardKeys() }
    editing.begin()
    display.reset()
    while true {
      guard let key = nextKey(prompt) else { return .end }
      switch editing.handle(key) {
      case .show: break
      case .submit:
        finish(prompt)
        return .text(editing.line.text)
      case .abandon:
        finish(prompt)
        return .abandoned
      case .end: return .end
      case .complete: complete(completion, prompt)
      case .clearScreen: clearScreen()
      case .suspend:
        finish(prompt)
        guard suspendProcess() else { return .end }
      }
    }
  }

  /// Adds an entry to the history, unless it repeats the last one.
  func remember(_ text: String) {
    editing.history.append(text)
    file?.write(editing.history)
  }

  /// Discards keys that were typed ahead, as a terminal does at control-C with those that are not
  /// read yet.
  func discardKeys() {
    keys = []
    decoder = KeyDecoder()
  }

  /// Stops the process until its shell continues it.
  ///
  /// - Returns: Whether the terminal is ready for editing again.
  private func suspendProcess() -> Bool {
    settings.restore()
    Output.write("\r\n")
    raise(SIGTSTP)
    display.reset()
    return settings.apply(sendsSignals: false)
  }

  // MARK: Keys

  /// Returns the next key, after the line is shown that earlier keys made; `nil` at the end of the
  /// input.
  private func nextKey(_ prompt: String) -> Key? {
    while keys.isEmpty {
      show(prompt)
      guard let bytes = readBytes() else { return nil }
      // The last key comes first, so that taking one is cheap.
      keys = decoder.keys(bytes).reversed()
    }
    return keys.popLast()
  }

  /// Returns bytes that were typed; `nil` at the end of the input.
  private func readBytes() -> [UInt8]? {
    if decoder.hasOpenEscape {
      var descriptor = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
      if poll(&descriptor, 1, Self.escapeMilliseconds) == 0 { decoder.closeEscape() }
    }
    var bytes = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = posixRead(STDIN_FILENO, &bytes, bytes.count)
      if count > 0 { return Array(bytes.prefix(count)) }
      if count == 0 || errno != EINTR { return nil }
    }
  }

  // MARK: The screen

  private func show(_ prompt: String) {
    var size = winsize()
    if ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 {
      (display.width, display.height) = (Int(size.ws_col), Int(size.ws_row))
    }
    let line = editing.line
    Output.write(
      display.show(
        prompt: editing.searchPrompt ?? prompt, characters: line.characters, cursor: line.cursor))
  }

  /// Shows the line for the last time, with the cursor at its end.
  private func finish(_ prompt: String) {
    editing.line.moveToEnd()
    show(prompt)
  }

  private func clearScreen() {
    guard display.hasEscapes else { return }
    Output.write("\u{1B}[H\u{1B}[2J")
    display.reset()
  }

  /// Completes the word before the cursor as far as the choices agree, or lists the choices.
  private func complete(_ completion: Completion, _ prompt: String) {
    let answer = completion.answer(before: editing.line.textBeforeCursor)
    let choices = answer.isFile ? Completion.files(answer.word) : answer.choices
    guard let first = choices.first else { return }
    let common = choices.dropFirst().reduce(first.text) { $0.commonPrefix(with: $1.text) }
    if common.count > answer.word.count {
      editing.line.insert(String(common.dropFirst(answer.word.count)))
    } else if choices.count > 1 {
      finish(prompt)
      Output.write("\r\n" + Completion.columns(choices, width: Output.width))
      display.reset()
    }
  }
}

/// The settings of the terminal: those of a session, and those from before.
///
/// A session reads each key at once and shows it by itself, so that keys typed ahead keep their
/// meaning. Output stays as it was.
private struct TerminalSettings {
  private let before: termios

  /// Reads the settings; `nil` if standard input is not a terminal.
  init?() {
    var settings = termios()
    guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return nil }
    before = settings
  }

  /// Makes the terminal ready for a session.
  ///
  /// - Parameter sendsSignals: Whether control-C is a signal, and not a key.
  /// - Returns: Whether the terminal is there.
  @discardableResult
  func apply(sendsSignals: Bool) -> Bool {
    var settings = before
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN)
    if !sendsSignals { settings.c_lflag &= ~tcflag_t(ISIG) }
    settings.c_iflag &= ~tcflag_t(ICRNL | INLCR | IXON | ISTRIP)
    withUnsafeMutableBytes(of: &settings.c_cc) {
      $0[Int(VMIN)] = 1
      $0[Int(VTIME)] = 0
    }
    return tcsetattr(STDIN_FILENO, TCSADRAIN, &settings) == 0
  }

  func restore() {
    var settings = before
    _ = tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
  }
}

private func posixRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
  read(descriptor, bytes, count)
}

extension String {
  /// Returns the longest common prefix.
  fileprivate func commonPrefix(with other: String) -> String {
    String(zip(self, other).prefix { $0 == $1 }.map(\.0))
  }
}
