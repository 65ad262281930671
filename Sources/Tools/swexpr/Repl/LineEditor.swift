import CEditLine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Reads lines from a terminal, with editing, history and completion by libedit.
struct LineEditor: ~Copyable {
  /// The outcome of reading a line.
  enum Line: Equatable {
    case text(String)
    /// Control-C: the typed text is discarded.
    case abandoned
    /// Control-D on an empty line.
    case end
  }

  /// The state that the functions called by libedit need.
  private final class State {
    var prompt: UnsafeMutablePointer<CChar>?
    var completion: Completion?
    var isAbandoned = false

    deinit { free(prompt) }

    /// Returns the state of an editor.
    static func of(_ editor: OpaquePointer?) -> State? {
      swexpr_el_data(editor).map { Unmanaged<State>.fromOpaque($0).takeUnretainedValue() }
    }
  }

  private let editor: OpaquePointer
  private let entries: OpaquePointer
  private let state = State()
  private let file: HistoryFile?

  /// Creates an editor on the terminal of the process.
  ///
  /// - Returns: `nil` if there is not enough memory.
  init?(history file: HistoryFile?) {
    Self.useUTF8()
    guard let editor = swexpr_el_init("swexpr") else { return nil }
    guard let entries = history_init() else {
      el_end(editor)
      return nil
    }
    self.editor = editor
    self.entries = entries
    self.file = file
    _ = swexpr_history_set_size(entries, Int32(HistoryFile.limit))
    _ = swexpr_history_set_unique(entries)
    file?.read(into: entries)
    _ = swexpr_el_set_data(editor, Unmanaged.passUnretained(state).toOpaque())
    _ = swexpr_el_set_history(editor, entries)
    _ = swexpr_el_set_prompt(editor) { State.of($0)?.prompt }
    _ = swexpr_el_set_keys(editor, "emacs")
    for (key, function) in Self.keys { _ = swexpr_el_bind(editor, key, function) }
    // The user's own keys, from ~/.editrc.
    el_source(editor, nil)
    bind("^C", "swexpr-abandon", "Discard the line.") { editor, _ in
      State.of(editor)?.isAbandoned = true
      return UInt8(CC_EOF)
    }
    bind("^I", "swexpr-complete", "Complete the word, or list the choices.") { editor, _ in
      LineEditor.complete(editor)
    }
  }

  deinit {
    history_end(entries)
    el_end(editor)
  }

  /// The keys that terminals send and libedit does not know by itself.
  private static let keys = [
    ("^R", "em-inc-search-prev"), ("\\e[1~", "ed-move-to-beg"), ("\\e[4~", "ed-move-to-end"),
    ("\\e[7~", "ed-move-to-beg"), ("\\e[8~", "ed-move-to-end"), ("\\e[H", "ed-move-to-beg"),
    ("\\e[F", "ed-move-to-end"), ("\\e[3~", "ed-delete-next-char"),
    ("\\e[1;5C", "em-next-word"), ("\\e[1;5D", "ed-prev-word"),
  ]

  private func bind(
    _ key: String, _ name: String, _ help: String,
    _ function: @escaping @convention(c) (OpaquePointer?, Int32) -> UInt8
  ) {
    _ = swexpr_el_add_function(editor, name, help, function)
    _ = swexpr_el_bind(editor, key, name)
  }

  /// Reads a line.
  ///
  /// - Parameter completion: The completions for the tab key.
  func read(prompt: String, completion: Completion) -> Line {
    free(state.prompt)
    state.prompt = strdup(prompt)
    state.completion = completion
    state.isAbandoned = false
    el_resize(editor)
    prepareTerminal()
    var count: Int32 = 0
    guard let line = el_gets(editor, &count), count > 0 else {
      return state.isAbandoned ? .abandoned : .end
    }
    var text = String(cString: line)
    if text.utf8.last == UInt8(ascii: "\n") { text.unicodeScalars.removeLast() }
    return .text(text)
  }

  /// Adds an entry to the history, unless it repeats the last one.
  func remember(_ text: String) {
    guard !text.isEmpty else { return }
    _ = swexpr_history_enter(entries, text)
    file?.write(entries)
  }

  /// Makes libedit read UTF-8 even if no locale is set.
  private static func useUTF8() {
    setlocale(LC_CTYPE, "")
    guard let codeset = nl_langinfo(nl_item(CODESET)), String(cString: codeset) != "UTF-8" else {
      return
    }
    if setlocale(LC_CTYPE, "C.UTF-8") == nil { setlocale(LC_CTYPE, "en_US.UTF-8") }
  }

  /// Makes control-C a key that discards the line, not a signal that ends the process.
  ///
  /// libedit restores the terminal after reading the line.
  private func prepareTerminal() {
    _ = swexpr_el_prepare_terminal(editor)
    var settings = termios()
    guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return }
    let off = fpathconf(STDIN_FILENO, Int32(_PC_VDISABLE))
    withUnsafeMutableBytes(of: &settings.c_cc) { $0[Int(VINTR)] = UInt8(truncatingIfNeeded: off) }
    tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
  }

  /// Completes the word before the cursor as far as the choices agree, or lists the choices.
  private static func complete(_ editor: OpaquePointer?) -> UInt8 {
    guard let line = el_line(editor)?.pointee, let start = line.buffer, let cursor = line.cursor,
      let completion = State.of(editor)?.completion
    else { return UInt8(CC_ERROR) }
    let typedBytes = UnsafeRawBufferPointer(start: start, count: start.distance(to: cursor))
    let answer = completion.answer(before: String(decoding: typedBytes, as: UTF8.self))
    let choices = answer.isFile ? Completion.files(answer.word) : answer.choices
    guard let first = choices.first else { return UInt8(CC_NORM) }
    let common = choices.dropFirst().reduce(first.text) { $0.commonPrefix(with: $1.text) }
    let typed = answer.word.utf8.count
    if common.utf8.count > typed {
      el_insertstr(editor, String(decoding: common.utf8.dropFirst(typed), as: UTF8.self))
      return UInt8(CC_REFRESH)
    }
    guard choices.count > 1 else { return UInt8(CC_NORM) }
    Output.write("\n" + Completion.columns(choices, width: Output.width))
    return UInt8(CC_REDISPLAY)
  }
}

extension String {
  /// Returns the longest common prefix.
  fileprivate func commonPrefix(with other: String) -> String {
    String(zip(self, other).prefix { $0 == $1 }.map(\.0))
  }
}
