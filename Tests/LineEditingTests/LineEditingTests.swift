import LineEditing
import TestSupport
import Testing

@Suite("Editing a line")
struct LineEditingTests {
  /// Returns the state after some bytes.
  private func typed(_ text: String, history: [String] = []) -> LineEditing {
    var editing = LineEditing()
    for entry in history { editing.history.append(entry) }
    editing.begin()
    var decoder = KeyDecoder()
    for key in decoder.keys(text.utf8) { _ = editing.handle(key) }
    return editing
  }

  @Test(
    "keys change the line",
    arguments: [
      ("abc\u{1}x", "xabc", 1), ("abc\u{2}\u{2}x", "axbc", 2), ("abc\u{1B}[Dx", "abxc", 3),
      ("abc\u{1B}OD\u{1B}OCx", "abcx", 4), ("ab\u{7F}c", "ac", 2), ("abc\u{1}\u{4}", "bc", 0),
      ("abc\u{1}\u{1B}[3~", "bc", 0), ("a b\u{17}c", "a c", 3), ("a b\u{15}c", "c", 1),
      ("a b\u{2}\u{B}", "a ", 2), ("one two\u{17}\u{1}\u{19}", "twoone ", 3),
      ("ab\u{14}", "ba", 2), ("ab cd\u{1B}b\u{1B}bx", "xab cd", 1),
      ("ab cd\u{1}\u{1B}fx", "abx cd", 3), ("ab cd\u{1}\u{1B}d", " cd", 0),
      ("ab cd\u{1B}\u{7F}", "ab ", 3), ("ab cd\u{1B}[1;5Dx", "ab xcd", 4),
      ("ab\u{1B}[Hx\u{1B}[Fy", "xaby", 4), ("ab\u{1B}[1~x\u{1B}[4~y", "xaby", 4),
      ("e\u{301}\u{7F}", "", 0), ("é\u{2}x", "xé", 1), ("ab\u{0}\u{1B}[99zc", "abc", 3),
      ("ab\u{1B}[200~c\u{1B}[201~", "abc", 3),
    ])
  func keys(typing: String, text: String, cursor: Int) {
    let editing = typed(typing)
    #expect(editing.line.text == text)
    #expect(editing.line.cursor == cursor)
  }

  @Test("a mark that is typed after a letter joins it")
  func marks() {
    let line = typed("e\u{301}").line
    #expect(line.characters == ["e\u{301}"])
    #expect(line.cursor == 1)
  }

  @Test("arrows go through the history, and keep the new line")
  func history() {
    let entries = ["one", "two"]
    #expect(typed("new\u{1B}[A", history: entries).line.text == "two")
    #expect(typed("new\u{1B}[A\u{10}\u{10}", history: entries).line.text == "one")
    #expect(typed("new\u{1B}[A\u{1B}[B", history: entries).line.text == "new")
    #expect(typed("new\u{1B}[B", history: entries).line.text == "new")
  }

  @Test("a search finds older entries, and the line comes back")
  func search() {
    let entries = ["user.age > 1", "device.x", "user.age > 2"]
    #expect(typed("\u{12}age", history: entries).line.text == "user.age > 2")
    #expect(typed("\u{12}age\u{12}", history: entries).line.text == "user.age > 1")
    #expect(typed("\u{12}agx\u{7F}\u{12}", history: entries).line.text == "user.age > 1")
    #expect(typed("new\u{12}age\u{7}", history: entries).line.text == "new")
    let failed = typed("\u{12}zzz", history: entries)
    #expect(failed.searchPrompt == "(failed search) zzz: ")
    let accepted = typed("\u{12}age\u{1}x", history: entries)
    #expect(accepted.line.text == "xuser.age > 2")
    #expect(accepted.searchPrompt == nil)
  }

  @Test("keys that end a line")
  func actions() {
    var editing = LineEditing()
    editing.begin()
    #expect(editing.handle(.endOfInput) == .end)
    #expect(editing.handle(.text("a")) == .show)
    #expect(editing.handle(.endOfInput) == .show)
    #expect(editing.handle(.abandon) == .abandon)
    #expect(editing.handle(.search) == .show)
    #expect(editing.handle(.enter) == .submit)
    #expect(editing.handle(.suspend) == .suspend)
  }

  @Test("the file of the history keeps every text, and reads that of libedit")
  func file() {
    var history = LineHistory()
    for entry in ["a b\\c", "\"é\"\nx\t", "\\040", "a b\\c", "a b\\c"] { history.append(entry) }
    #expect(history.entries.count == 4)
    #expect(LineHistory(fileText: history.fileText) == history)
    let old = Array("_HiStOrY_V2_\nuser.age\\040>\\0401\n".utf8)
    #expect(LineHistory(fileText: old).entries == ["user.age > 1"])
  }

  @Test("characters may be cut between two reads")
  func cutCharacters() {
    var decoder = KeyDecoder()
    #expect(decoder.keys([0x61, 0xF0, 0x9F]) == [.text("a")])
    #expect(decoder.keys([0x98, 0x80]) == [.text("😀")])
    #expect(decoder.keys([0xFF, 0xC3, 0x28]) == [.text("(")])
    #expect(decoder.keys([0x1B]) == [])
    #expect(decoder.hasOpenEscape)
    #expect(decoder.keys(Array("[A".utf8)) == [.up])
  }
}

@Suite("Random keys")
struct RandomKeyTests {
  private static let pieces: [[UInt8]] =
    [
      "user.age", " >= ", "18", "\t", "\r", "\u{3}", "\u{12}", "\u{1B}[A", "\u{1B}[B", "\u{1B}[C",
      "\u{1B}[D", "\u{1}", "\u{5}", "\u{B}", "\u{17}", "\u{15}", "\u{19}", "\u{7F}", "(", "\"", "😀",
      "e\u{301}", "\u{200B}", "\u{4}", "\u{14}", "\u{7}", "\u{1B}", "\u{1B}\u{1F}", "\u{C}", "日本",
      "\u{1B}[1;5D", "\u{1B}d", "\u{1B}[", "\u{1B}[999999999999;;;~",
    ].map { Array($0.utf8) } + [
      [0xC3], [0xFF], [0], [0xF0, 0x9F], Array(repeating: 0x78, count: 600),
    ]

  @Test("never trap, and the screen shows the line", arguments: [UInt64(1), 2, 3, 4])
  func survive(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var editing = LineEditing()
    var display = LineDisplay()
    display.hasEscapes = seed % 2 == 0
    var decoder = KeyDecoder()
    editing.begin()
    for _ in 0..<Effort.times(2_000) {
      display.width = Int.random(in: 1...120, using: &random)
      display.height = Int.random(in: 1...40, using: &random)
      let piece = try #require(Self.pieces.randomElement(using: &random))
      for key in decoder.keys(piece) {
        let action = editing.handle(key)
        if action == .submit { editing.history.append(editing.line.text) }
        if action != .show, action != .complete { editing.begin() }
      }
      let line = editing.line
      try #require((0...line.characters.count).contains(line.cursor))
      let shown = display.show(
        prompt: editing.searchPrompt ?? "> ", characters: line.characters, cursor: line.cursor)
      try #require(!shown.utf8.contains(0))
      if line.characters.count > 5_000 { editing.begin() }
    }
  }
}

@Suite("The display of a line")
struct LineDisplayTests {
  private func shown(
    _ text: String, cursor: Int? = nil, width: Int, height: Int = 24, escapes: Bool = true
  ) -> String {
    var display = LineDisplay()
    (display.width, display.height, display.hasEscapes) = (width, height, escapes)
    let characters = Array(text)
    return display.show(
      prompt: "> ", characters: characters, cursor: cursor ?? characters.count)
  }

  @Test("a short line takes a row")
  func short() {
    #expect(shown("abc", width: 20) == "\r\u{1B}[K> abc\u{1B}[J\r\u{1B}[5C")
    #expect(shown("abc", cursor: 1, width: 20) == "\r\u{1B}[K> abc\u{1B}[J\r\u{1B}[3C")
  }

  @Test("a long line continues in the next row, and wide characters are not cut")
  func long() {
    #expect(
      shown("abcdef", width: 6)
        == "\r\u{1B}[K> abc\r\n\u{1B}[Kdef\u{1B}[J\r\u{1B}[3C")
    #expect(
      shown("ab日", cursor: 0, width: 6)
        == "\r\u{1B}[K> ab\r\n\u{1B}[K日\u{1B}[J\r\u{1B}[1A\u{1B}[2C")
  }

  @Test("rows that do not fit are left out around the cursor")
  func tall() {
    let text = shown("abcdefghijkl", width: 5, height: 2)
    #expect(text == "\r\u{1B}[Kghij\r\n\u{1B}[Kkl\u{1B}[J\r\u{1B}[2C")
  }

  @Test("a terminal without escape sequences shows the part around the cursor")
  func plain() {
    #expect(shown("abc", width: 20, escapes: false) == "\r> abc")
    #expect(shown("abcdef", width: 6, escapes: false) == "\rbcdef")
    #expect(shown("abcdef", cursor: 1, width: 6, escapes: false) == "\r> abc\r> a")
  }

  @Test("control characters and changes of direction are not sent to the terminal")
  func safe() {
    #expect(!shown("a\u{1B}b\u{202E}c", width: 20).contains("\u{202E}"))
    #expect(shown("a\u{1B}b", width: 20) == "\r\u{1B}[K> a?b\u{1B}[J\r\u{1B}[5C")
  }
}
