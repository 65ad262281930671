import CEditLine
import ExpressionEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Reads lines from a terminal, with editing, history and completion by libedit.
///
/// libedit keeps its state in globals, so a process has only one editor, used from one thread.
struct LineEditor: ~Copyable {
  /// The outcome of reading a line.
  enum Line: Equatable {
    case text(String)
    /// Control-C: the typed text is discarded.
    case abandoned
    /// Control-D on an empty line.
    case end
  }

  private let history: HistoryFile?

  init(history: HistoryFile?) {
    self.history = history
    Self.useUTF8()
    swexpr_set_readline_name(Self.lasting("swexpr"))
    rl_initialize()
    using_history()
    stifle_history(Int32(HistoryFile.limit))
    history?.read()
    rl_add_defun("swexpr-abandon", abandonLine, 3)
    // libedit's own completion rings the bell each time and cannot show types.
    rl_add_defun("swexpr-complete", completeWord, 9)
    swexpr_before_prompt(prepareTerminal)
    rl_parse_and_bind(Self.lasting("bind ^\\\\ ed-redisplay"))
  }

  /// Reads a line.
  ///
  /// - Parameter completion: The completions for the tab key.
  func read(prompt: String, completion: Completion) -> Line {
    state.withLock { $0 = State(completion: completion) }
    guard let line = readline(prompt) else {
      let isAbandoned = state.withLock(\.isAbandoned)
      return isAbandoned ? .abandoned : .end
    }
    defer { free(line) }
    return .text(String(cString: line))
  }

  /// Adds an entry to the history, unless it repeats the last one.
  func remember(_ text: String) {
    guard !text.isEmpty else { return }
    if let last = history_get(firstNumber + swexpr_history_length() - 1),
      let line = last.pointee.line, String(cString: line) == text
    {
      return
    }
    add_history(text)
    history?.write()
  }

  /// The number of the first entry in libedit's numbering.
  private var firstNumber: Int32 { 1 }

  /// Makes libedit read UTF-8 even if no locale is set.
  private static func useUTF8() {
    setlocale(LC_CTYPE, "")
    guard let codeset = nl_langinfo(nl_item(CODESET)), String(cString: codeset) != "UTF-8" else {
      return
    }
    if setlocale(LC_CTYPE, "C.UTF-8") == nil { setlocale(LC_CTYPE, "en_US.UTF-8") }
  }

  /// Returns a C string that libedit may keep. It is never freed, but few are created.
  private static func lasting(_ text: String) -> UnsafeMutablePointer<CChar>? { strdup(text) }
}

/// The state that the functions called by libedit need.
private struct State {
  var completion: Completion
  var isAbandoned = false
}

/// The state is global because libedit passes no context to its callbacks.
private let state = Locked<State?>(nil)

extension Optional where Wrapped == State {
  fileprivate var isAbandoned: Bool { self?.isAbandoned ?? false }
}

/// Handles control-C.
private func abandonLine(_ count: Int32, _ key: Int32) -> Int32 {
  state.withLock { $0?.isAbandoned = true }
  swexpr_abandon_line()
  return 0
}

/// The key that redraws the line, control-backslash. It is passed to libedit as if it were typed,
/// because libedit does not show text that a function inserts.
private let redrawKey: Int32 = 0x1C

/// Handles the tab key: completes as far as the choices agree, or lists the choices.
private func completeWord(_ count: Int32, _ key: Int32) -> Int32 {
  guard let buffer = swexpr_line_buffer() else { return 0 }
  let line = String(cString: buffer)
  let before = String(decoding: line.utf8.prefix(Int(swexpr_point())), as: UTF8.self)
  let answer = state.withLock { $0?.completion.answer(before: before) }
  guard let answer else { return 0 }
  let choices = answer.isFile ? Completion.files(answer.word) : answer.choices
  guard let first = choices.first else { return 0 }
  let common = choices.dropFirst().reduce(first.text) { $0.commonPrefix(with: $1.text) }
  let typed = answer.word.utf8.count
  if common.utf8.count > typed {
    rl_insert_text(String(decoding: common.utf8.dropFirst(typed), as: UTF8.self))
    rl_insert(1, redrawKey)
  } else if choices.count > 1 {
    Output.write("\n" + Completion.columns(choices, width: Output.width))
    rl_forced_update_display()
  }
  return 0
}

extension String {
  /// Returns the longest common prefix.
  fileprivate func commonPrefix(with other: String) -> String {
    String(zip(self, other).prefix { $0 == $1 }.map(\.0))
  }
}

/// Prepares the terminal before the prompt is shown.
private func prepareTerminal() -> Int32 {
  // libedit would do this only after the prompt, so that keys typed at once would be shown twice.
  // It restores the terminal after reading the line.
  rl_prep_terminal(1)
  // While a line is read, control-C is a key that discards it, not a signal that ends the process.
  var settings = termios()
  guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return 0 }
  let off = fpathconf(STDIN_FILENO, Int32(_PC_VDISABLE))
  withUnsafeMutableBytes(of: &settings.c_cc) { $0[Int(VINTR)] = UInt8(truncatingIfNeeded: off) }
  tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
  return 0
}
