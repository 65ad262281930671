import CEditLine
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Reads lines from a terminal, with editing, history and completion by libedit.
///
/// libedit keeps its state in globals, so that there is one editor in a process, used from one
/// thread.
struct LineEditor: ~Copyable {
  /// What came of asking for a line.
  enum Line: Equatable {
    case text(String)
    /// Control-C: what was typed is to be forgotten.
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

  /// Asks for a line.
  ///
  /// - Parameter completion: What the tabulator key offers.
  func read(prompt: String, completion: Completion) -> Line {
    state.withLock { $0 = State(completion: completion) }
    guard let line = readline(prompt) else {
      let isAbandoned = state.withLock(\.isAbandoned)
      return isAbandoned ? .abandoned : .end
    }
    defer { free(line) }
    return .text(String(cString: line))
  }

  /// Adds what was entered to the history, unless it repeats the last entry.
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

  /// The number of the first entry, as libedit counts.
  private var firstNumber: Int32 { 1 }

  /// Lets libedit read UTF-8, also where no locale is set.
  private static func useUTF8() {
    setlocale(LC_CTYPE, "")
    guard let codeset = nl_langinfo(nl_item(CODESET)), String(cString: codeset) != "UTF-8" else {
      return
    }
    if setlocale(LC_CTYPE, "C.UTF-8") == nil { setlocale(LC_CTYPE, "en_US.UTF-8") }
  }

  /// A C string that libedit may keep: it is never freed, and there are a few of them.
  private static func lasting(_ text: String) -> UnsafeMutablePointer<CChar>? { strdup(text) }
}

/// What the functions that libedit calls need to know.
private struct State {
  var completion: Completion
  var isAbandoned = false
}

/// libedit calls without a context, so that it is here.
private let state = Mutex<State?>(nil)

extension Optional where Wrapped == State {
  fileprivate var isAbandoned: Bool { self?.isAbandoned ?? false }
}

/// Called for control-C.
private func abandonLine(_ count: Int32, _ key: Int32) -> Int32 {
  state.withLock { $0?.isAbandoned = true }
  swexpr_abandon_line()
  return 0
}

/// The key that draws the line anew, control-backslash, which libedit is given as if it were typed:
/// text that a function inserts is not shown by itself.
private let redrawKey: Int32 = 0x1C

/// Called for the tabulator key: completes as far as there is no choice, else lists the choices.
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
  /// The longest common beginning.
  fileprivate func commonPrefix(with other: String) -> String {
    String(zip(self, other).prefix { $0 == $1 }.map(\.0))
  }
}

/// Called before the prompt is shown.
private func prepareTerminal() -> Int32 {
  // libedit would do this only after the prompt, so that keys typed at once would be shown twice.
  // It takes the terminal back to what it was when the line is read.
  rl_prep_terminal(1)
  // While a line is read, control-C is a key that abandons it, not a signal that ends the process.
  var settings = termios()
  guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return 0 }
  let off = fpathconf(STDIN_FILENO, Int32(_PC_VDISABLE))
  withUnsafeMutableBytes(of: &settings.c_cc) { $0[Int(VINTR)] = UInt8(truncatingIfNeeded: off) }
  tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
  return 0
}
