import ExpressionCoding
import ExpressionEngine

@testable import LanguageServer

/// After any edits the language server has the text of a plain model of them, and says of it what
/// it says of the same text opened anew.
///
/// The first part of an input is the text of a document, the second the edits: each byte, or a few
/// of them, are a place or a piece of text. Places may be out of order, inside a character or
/// beyond the text.
enum EditsTarget {
  private static let pieces = [
    "", "\n", "\r\n", "\r", "é", "😀", "\u{301}", "\"", "\\", "{", "}", "[", "]", ",", ":", "(", ")",
    "user.age", " && ", " == ", "'x'", "// x", "\"expression_cel\": \"user.age > 3\"", "\\u0041",
    "user.tags.exists(t, t == 'x')", "1", ".", "\0", "\u{FEFF}", "\u{2028}",
  ]

  static func run(_ input: FuzzInput) {
    guard let second = input.secondBytes else { return }
    var choices = InputChoices(second)
    let encoding: PositionEncoding = choices.below(2) == 0 ? .utf16 : .utf8
    let isConfig = input.first.utf8.first == UInt8(ascii: "{")
    let uri = "file:///p/document.\(isConfig ? "json" : choices.below(2) == 0 ? "filter" : "cel")"
    var client = Client(encoding)
    var model = PlainText(input.first, encoding)
    client.open(uri, input.first)
    var version: Int64 = 1
    var count = 0
    while !choices.isAtEnd, count < 32 {
      count += 1
      // Versions need not grow.
      version = choices.below(8) == 0 ? Int64(choices.below(3)) : version + 1
      var changes: [Value] = []
      var next = model
      var isRefused = false
      for _ in 0...choices.below(3) {
        let piece =
          choices.below(4) == 0 ? choices.text(choices.below(12)) : choices.pick(pieces)
        guard choices.below(32) > 0 else {
          next = PlainText(piece, encoding)
          changes.append(["text": .string(piece)])
          continue
        }
        let (start, end) = (place(in: next, &choices), place(in: next, &choices))
        // The protocol has no negative numbers.
        if min(start.line, start.character, end.line, end.character) < 0 { isRefused = true }
        changes.append([
          "range": ["start": value(start), "end": value(end)], "text": .string(piece),
        ])
        next.replace(from: start, to: end, with: piece)
      }
      if !isRefused { model = next }
      client.change(uri, version, changes)
      let text = client.server.documents[uri]?.text.string
      require(
        text.map { Array($0.utf8) } == Array(model.string.utf8),
        "after \(changes) the text is \(text ?? "gone"), not \(model.string)")
    }
    var fresh = Client(encoding)
    fresh.open(uri, model.string)
    let position = place(in: model, &choices)
    let (old, new) = (client.state(uri, position), fresh.state(uri, position))
    for (first, second) in zip(old, new) where first != second {
      report(
        "after edits the server says \(first.jsonText()), of the same text opened anew "
          + "\(second.jsonText()): \(model.string)")
    }
  }

  private static func place(
    in model: PlainText, _ choices: inout InputChoices
  ) -> (line: Int64, character: Int64) {
    switch choices.below(16) {
    case 0: return (Int64(choices.below(8)) - 2, Int64(choices.below(70)) - 5)
    case 1: return (.max, .max)
    case 2: return (0, .max)
    case 3: return (.min, .min)
    default: return model.position(Int(choices.byte()) * (model.scalars.count + 1) / 256)
    }
  }

  private static func value(_ place: (line: Int64, character: Int64)) -> Value {
    ["line": .int(place.line), "character": .int(place.character)]
  }

  /// A text as its characters, with positions found by counting from the start.
  private struct PlainText {
    var scalars: [Unicode.Scalar]
    let encoding: PositionEncoding

    init(_ text: String, _ encoding: PositionEncoding) {
      scalars = Array(text.unicodeScalars)
      self.encoding = encoding
    }

    var string: String {
      var view = String.UnicodeScalarView()
      view.append(contentsOf: scalars)
      return String(view)
    }

    private func units(_ scalar: Unicode.Scalar) -> Int64 {
      encoding == .utf8 ? Int64(UTF8.width(scalar)) : Int64(UTF16.width(scalar))
    }

    /// The number of characters of a line break at an index; 0 without one.
    private func breakLength(_ index: Int) -> Int {
      switch scalars[index] {
      case "\n": 1
      case "\r": index + 1 < scalars.count && scalars[index + 1] == "\n" ? 2 : 1
      default: 0
      }
    }

    func position(_ index: Int) -> (line: Int64, character: Int64) {
      var (line, column, place) = (Int64(0), Int64(0), 0)
      while place < min(index, scalars.count) {
        let length = breakLength(place)
        if length > 0 {
          (line, column, place) = (line + 1, 0, place + length)
        } else {
          (column, place) = (column + units(scalars[place]), place + 1)
        }
      }
      return (line, column)
    }

    /// The index of a position: the end of a line for a column past it, the end of the text for a
    /// line past it, and the start of the character that a column is inside of.
    func index(_ position: (line: Int64, character: Int64)) -> Int {
      guard position.line >= 0 else { return 0 }
      var (line, place) = (Int64(0), 0)
      while line < position.line {
        guard place < scalars.count else { return scalars.count }
        let length = breakLength(place)
        if length > 0 { line += 1 }
        place += max(1, length)
      }
      var column = Int64(0)
      while place < scalars.count, breakLength(place) == 0 {
        column += units(scalars[place])
        guard column <= position.character else { break }
        place += 1
      }
      return place
    }

    mutating func replace(
      from start: (line: Int64, character: Int64), to end: (line: Int64, character: Int64),
      with text: String
    ) {
      let from = index(start)
      scalars.replaceSubrange(from..<max(from, index(end)), with: text.unicodeScalars)
    }
  }

  /// A client that edits.
  private struct Client {
    let server = LanguageServer(files: NoFiles())
    private var lastID: Int64 = 0
    private var published: [Value] = []

    init(_ encoding: PositionEncoding) {
      _ = request(
        "initialize",
        ["capabilities": ["general": ["positionEncodings": [.string(encoding.rawValue)]]]])
      notify("initialized", [:])
    }

    mutating func open(_ uri: String, _ text: String) {
      notify(
        "textDocument/didOpen",
        ["textDocument": ["uri": .string(uri), "version": 1, "text": .string(text)]])
    }

    mutating func change(_ uri: String, _ version: Int64, _ changes: [Value]) {
      notify(
        "textDocument/didChange",
        [
          "textDocument": ["uri": .string(uri), "version": .int(version)],
          "contentChanges": .list(changes),
        ])
    }

    /// What the server says about a document, without versions.
    mutating func state(_ uri: String, _ position: (line: Int64, character: Int64)) -> [Value] {
      let document: Value = ["uri": .string(uri)]
      var state = published
      for method in [
        "documentSymbol", "semanticTokens/full", "inlayHint", "formatting", "codeAction",
      ] {
        state.append(
          request(
            "textDocument/\(method)",
            [
              "textDocument": document, "context": ["diagnostics": []],
              "range": [
                "start": ["line": 0, "character": 0], "end": ["line": 1_000_000, "character": 0],
              ],
            ]))
      }
      for method in ["hover", "completion", "documentHighlight"] {
        state.append(
          request(
            "textDocument/\(method)",
            ["textDocument": document, "position": EditsTarget.value(position)]))
      }
      return state
    }

    private mutating func notify(_ method: String, _ params: Value) {
      _ = send(["jsonrpc": "2.0", "method": .string(method), "params": params])
    }

    private mutating func request(_ method: String, _ params: Value) -> Value {
      lastID += 1
      let id = Value.int(lastID)
      let responses = send([
        "jsonrpc": "2.0", "id": id, "method": .string(method), "params": params,
      ]).filter { $0["id"] == id }
      require(responses.count == 1, "\(method): \(responses.count) responses")
      return responses[0]["result"] ?? responses[0]["error"] ?? .null
    }

    /// Sends a message, and returns what comes back but diagnostics, which are kept.
    private mutating func send(_ message: Value) -> [Value] {
      server.receive(Array(message.jsonText().utf8))
      var result: [Value] = []
      while let messages = server.respond() {
        for bytes in messages {
          let text = String(decoding: bytes, as: UTF8.self)
          guard let value = try? Value(json: text) else { report("not JSON: \(text)") }
          if value["method"] == "textDocument/publishDiagnostics" {
            published = value["params"]["diagnostics"]?.listValue ?? []
          } else {
            result.append(value)
          }
        }
      }
      return result
    }
  }

  private struct NoFiles: WorkspaceFiles {
    func contents(of path: String) -> [UInt8]? { nil }
    func names(in folder: String) -> [String] { [] }
  }
}
