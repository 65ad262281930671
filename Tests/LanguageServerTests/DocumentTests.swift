import AudienceFilters
import ExpressionChecking
import ExpressionCoding
import ExpressionEngine
import ExpressionPrinting
import ExpressionSyntax
import FilterAnalysis
import FilterAuthoring
import Foundation
import TestSupport
import Testing

@testable import LanguageServer
@testable import LanguageService

/// Code actions, formatting, renaming, tokens, symbols and hints.
@Suite("Documents in editors")
struct DocumentTests {
  /// The filters of the superscript dialect that parse.
  private static let valid = CorpusFilters.sample.filter {
    (try? parse(SourceText($0), dialect: .superscript)) != nil
  }

  /// The filters of a config, as the decoder of JSON reads them.
  private static func filters(of config: String) throws -> [String] {
    let rules = try Value(json: config)["trigger_options"][0]["rules"]?.listValue ?? []
    return rules.compactMap { $0["expression_cel"]?.stringValue }
  }

  // MARK: Code actions

  @Test("each fix of the library is an action that makes the same text")
  func fixes() throws {
    var random = SeededGenerator(seed: 9)
    let session = try Session()
    var count = 0
    for text in CorpusFilters.superscript {
      let diagnostics = Filter.check(text)
      // Every fix by itself.
      let expected = diagnostics.flatMap { diagnostic in
        diagnostic.fixIts.map { fix in
          var alone = diagnostic
          alone.fixIts = [fix]
          return SourceText(text).applyingFixes(of: [alone]).text
        }
      }
      count += expected.count
      let config = Configs.text([text]) { Configs.quotedAtRandom($0, &random) }
      for (uri, document) in [("file:///a.filter", text), ("file:///config.json", config)] {
        session.open(uri, document)
        let actions = try session.request("textDocument/codeAction", uri).listValue ?? []
        let fixes = actions.filter {
          $0["kind"] == "quickfix" && $0["diagnostics"] != nil
            && $0["title"]?.stringValue?.hasPrefix("Silence") == false
        }
        let results = try fixes.map { action in
          let edits = action["edit"]["changes"]?[uri]?.listValue ?? []
          let result = try DocumentText(document).applying(edits)
          return uri.hasSuffix("json") ? try Self.filters(of: result)[0] : result
        }
        #expect(results == expected, "\(document)")
        #expect(
          fixes.count { $0["isPreferred"] == true } == diagnostics.count { $0.fixIts.count == 1 })
      }
    }
    #expect(count > 50)
  }

  @Test("an action silences a warning, and nothing else")
  func silencing() throws {
    let session = try Session()
    for text in [
      "device.platfrm == \"iOS\"", "device.platfrm == \"iOS\" // why", "\"a\" == \"a\"\n",
    ] {
      for uri in ["file:///a.filter", "file:///config.json"] {
        let document = uri.hasSuffix("json") ? Configs.text([text]) : text
        let warnings = session.open(uri, document)
        #expect(warnings.count == 1, "\(text)")
        let actions = try session.request("textDocument/codeAction", uri).listValue ?? []
        let silence = try #require(
          actions.first { $0["title"]?.stringValue?.hasPrefix("Silence") == true })
        let edits = silence["edit"]["changes"]?[uri]?.listValue ?? []
        let result = try DocumentText(document).applying(edits)
        #expect(session.open(uri, result) == [], "\(result)")
      }
    }
  }

  @Test("one action corrects several mistakes at once")
  func severalFixes() throws {
    let session = try Session()
    let uri = "file:///a.filter"
    let text = "user.age = 1 and user.plan = \"x\""
    #expect(session.open(uri, text).count > 1)
    let actions = try session.request("textDocument/codeAction", uri).listValue ?? []
    let all = try #require(actions.first { $0["title"]?.stringValue?.hasPrefix("Correct") == true })
    let edits = all["edit"]["changes"]?[uri]?.listValue ?? []
    #expect(try DocumentText(text).applying(edits) == "user.age == 1 && user.plan == \"x\"")
  }

  @Test("a client that wants one kind of actions is given no other")
  func kinds() throws {
    let session = try Session()
    session.open("file:///a.filter", "user.age==1 && device.platfrm == 1")
    for kind in ["quickfix", "refactor", "refactor.rewrite", "source"] {
      let answer = try session.request(
        "textDocument/codeAction",
        [
          "textDocument": ["uri": "file:///a.filter"],
          "range": ["start": ["line": 0, "character": 0], "end": ["line": 9, "character": 0]],
          "context": ["diagnostics": [], "only": [.string(kind)]],
        ])
      let kinds = Set((answer.listValue ?? []).compactMap { $0["kind"]?.stringValue })
      #expect(kinds.allSatisfy { $0.hasPrefix(kind) })
      #expect(kinds.isEmpty == (kind == "source"), "\(kind)")
    }
  }

  // MARK: Formatting

  @Test("formatting a file is `swexpr fmt`, and formatting again changes nothing")
  func formatting() throws {
    let session = try Session()
    let uri = "file:///a.filter"
    for text in Self.valid {
      session.open(uri, text)
      let edits = try session.request("textDocument/formatting", uri).listValue ?? []
      let result = try DocumentText(text).applying(edits)
      let tree = try parse(SourceText(text), dialect: .superscript)
      #expect(result == SyntaxPrinter.format(tree) + "\n")
      session.open(uri, result)
      #expect(try session.request("textDocument/formatting", uri) == [])
    }
    session.open(uri, "user.age ==")
    #expect(try session.request("textDocument/formatting", uri) == [])
  }

  @Test("formatting a config changes the filters and nothing around them")
  func configFormatting() throws {
    let session = try Session()
    let uri = "file:///config.json"
    for filters in Self.valid.chunked(30) {
      let config = Configs.text(filters)
      session.open(uri, config)
      let edits = try session.request("textDocument/formatting", uri).listValue ?? []
      let result = try DocumentText(config).applying(edits)
      let formatted = try Self.filters(of: result)
      #expect(result == Configs.text(formatted))
      for (before, after) in zip(filters, formatted) {
        let old = try parse(SourceText(before), dialect: .superscript)
        let new = try parse(SourceText(after), dialect: .superscript)
        #expect(SyntaxPrinter.print(old) == SyntaxPrinter.print(new))
        #expect(before.contains("\n") || before.contains("//") || !after.contains("\n"))
      }
      session.open(uri, result)
      #expect(try session.request("textDocument/formatting", uri) == [])
    }
  }

  // MARK: Renaming

  private func rename(_ text: String, at offset: Int, to name: String) throws -> (
    Value, DocumentText
  ) {
    let session = try Session()
    let document = DocumentText(text)
    session.open("file:///a.filter", text)
    let answer = try session.response(
      "textDocument/rename",
      [
        "textDocument": ["uri": "file:///a.filter"], "newName": .string(name),
        "position": document.position(of: offset).value,
      ])
    return (answer, document)
  }

  @Test("a renamed loop variable leaves a filter of the same meaning")
  func renaming() throws {
    var count = 0
    for text in Self.valid {
      let filter = AnalyzedFilter(SourceText(text), FilterLanguage())
      for variable in filter.localVariables {
        for span in variable.spans {
          let (answer, document) = try rename(text, at: Int(span.start), to: "renamed_")
          let edits = answer["result"]["changes"]?["file:///a.filter"]?.listValue ?? []
          #expect(edits.count == variable.spans.count)
          let result = try document.applying(edits)
          // The way back is the old text.
          let (back, renamed) = try rename(
            result, at: Int(variable.declaration.start), to: variable.name)
          let again = back["result"]["changes"]?["file:///a.filter"]?.listValue ?? []
          #expect(try renamed.applying(again) == text)
          count += 1
        }
      }
    }
    #expect(count > 20)
  }

  @Test(
    "of nested loops only the right one is renamed",
    arguments: [
      (0, "a.all(y, y.all(x, x > 1) && y > 1)"), (1, "a.all(x, x.all(y, y > 1) && x > 1)"),
      (2, "a.all(x, x.all(y, y > 1) && x > 1)"), (3, "a.all(y, y.all(x, x > 1) && y > 1)"),
    ])
  func shadows(_ place: Int, _ expected: String) throws {
    let text = "a.all(x, x.all(x, x > 1) && x > 1)"
    // The declarations and uses of `x`: outer, its use, inner, its use, and again outer.
    let offsets = [6, 15, 18, 28]
    let (answer, document) = try rename(text, at: offsets[place], to: "y")
    let edits = answer["result"]["changes"]?["file:///a.filter"]?.listValue ?? []
    #expect(try document.applying(edits) == expected)
  }

  @Test("names that are no names, or mean something else in the loop, are refused")
  func refusals() throws {
    let text = "user.tags.exists(t, t == user.plan)"
    for name in ["in", "true", "a b", "", "1a", "user", "a.b", "ü", " x"] {
      let (answer, _) = try rename(text, at: 17, to: name)
      #expect(answer["error"]["code"] == -32_803, "\(name)")
    }
    let (answer, _) = try rename(text, at: 1, to: "x")
    #expect(answer["error"]["code"] == -32_803)
    let session = try Session()
    session.open("file:///a.filter", text)
    let prepared = try session.request(
      "textDocument/prepareRename", "file:///a.filter", at: Position(line: 0, character: 17))
    #expect(prepared["placeholder"] == "t")
    let none = try session.request(
      "textDocument/prepareRename", "file:///a.filter", at: Position(line: 0, character: 1))
    #expect(none.isNull)
    let marks = try session.request(
      "textDocument/documentHighlight", "file:///a.filter", at: Position(line: 0, character: 20))
    #expect(marks.listValue?.count == 2)
  }

  // MARK: Tokens

  /// The tokens of an answer with their texts and roles.
  private static func tokens(_ answer: Value, in text: DocumentText) throws -> [(String, String)] {
    let data = (answer["data"]?.listValue ?? []).compactMap(\.intValue).map(Int.init)
    #expect(data.count % 5 == 0)
    var line = 0
    var character = 0
    var result: [(String, String)] = []
    for index in stride(from: 0, to: data.count, by: 5) {
      #expect(data[index] > 0 || index == 0 || data[index + 1] > 0, "tokens are in order")
      character = data[index] > 0 ? data[index + 1] : character + data[index + 1]
      line += data[index]
      let start = text.offset(of: Position(line: line, character: character))
      let end = text.offset(of: Position(line: line, character: character + data[index + 2]))
      let role = SemanticToken.Role.allCases[data[index + 3]]
      result.append((String(decoding: text.bytes[start..<end], as: UTF8.self), role.name))
    }
    return result
  }

  @Test("tokens have the roles that the tree gives them")
  func roles() throws {
    let text = "user.tags.exists(t, t == \"é😀\") && size(user.plan) in [1, 2] // x\n|| !true"
    let session = try Session()
    session.open("file:///a.filter", text)
    let answer = try session.request("textDocument/semanticTokens/full", "file:///a.filter")
    let tokens = try Self.tokens(answer, in: DocumentText(text))
    let expected = [
      ("user", "variable"), ("tags", "property"), ("exists", "macro"), ("t", "parameter"),
      ("t", "parameter"), ("==", "operator"), ("\"é😀\"", "string"), ("&&", "operator"),
      ("size", "function"), ("user", "variable"), ("plan", "property"), ("in", "keyword"),
      ("1", "number"), ("2", "number"), ("// x", "comment"), ("||", "operator"), ("!", "operator"),
      ("true", "keyword"),
    ]
    #expect(tokens.map(\.0) == expected.map(\.0))
    #expect(tokens.map(\.1) == expected.map(\.1))
  }

  @Test("the tokens of all filters of a config, put together, are the filters without brackets")
  func tokensOfConfigs() throws {
    let session = try Session()
    let uri = "file:///config.json"
    for filters in CorpusFilters.sample.chunked(40) {
      var random = SeededGenerator(seed: 10)
      let config = Configs.text(filters) { Configs.quotedAtRandom($0, &random) }
      session.open(uri, config)
      let answer = try session.request("textDocument/semanticTokens/full", uri)
      let texts = try Self.tokens(answer, in: DocumentText(config)).map { token in
        try Value(json: "\"\(token.0)\"").stringValue ?? ""
      }
      let expected = filters.flatMap { filter in
        let analysis = AnalyzedFilter(SourceText(filter), FilterLanguage())
        return analysis.semanticTokens.map { analysis.source.text(of: $0.span) }
      }
      #expect(texts == expected)
    }
  }

  @Test("a token over several lines is one for each line")
  func lines() throws {
    let text = "user.note == \"a\nbc\n\nd\""
    let session = try Session()
    session.open("file:///a.filter", text)
    let answer = try session.request("textDocument/semanticTokens/full", "file:///a.filter")
    let tokens = try Self.tokens(answer, in: DocumentText(text)).filter { $0.1 == "string" }
    #expect(tokens.map(\.0) == ["\"a", "bc", "d\""])
  }

  // MARK: Symbols and hints

  @Test("the outline has the placements with their audiences")
  func symbols() throws {
    let session = try Session()
    let uri = "file:///config.json"
    let config = try TestFiles.text("corpus/campaigns/sample/config.json")
    session.open(uri, config)
    let symbols = try session.request("textDocument/documentSymbol", uri).listValue ?? []
    let triggers = try Value(json: config)["trigger_options"]?.listValue ?? []
    #expect(!triggers.isEmpty)
    #expect(symbols.map { $0["name"] } == triggers.map { $0["event_name"] })
    let text = DocumentText(config)
    for (symbol, trigger) in zip(symbols, triggers) {
      let audiences = symbol["children"]?.listValue ?? []
      let rules = trigger["rules"]?.listValue ?? []
      #expect(audiences.map { $0["name"] } == rules.map { $0["experiment_id"] })
      for symbol in [symbol] + audiences {
        let whole = try text.text(in: symbol["range"])
        let selection = try text.text(in: symbol["selectionRange"])
        #expect(whole.hasPrefix("{") && whole.hasSuffix("}") && whole.contains(selection))
        #expect(try Value(json: selection) == symbol["name"])
      }
    }
  }

  @Test("hints count the sample users whom the filter matches")
  func hints() throws {
    let folder = "corpus/campaigns/sample"
    var files: [String: String] = [:]
    var contexts: [Context] = []
    for name in ["new-visitor", "portuguese-regular", "subscribed-skipper"] {
      let text = try TestFiles.text("\(folder)/contexts/\(name).json")
      files["/p/contexts/\(name).json"] = text
      guard case .map(let roots) = try Value(json: text) else { continue }
      contexts.append(
        Context(variables: Dictionary(uniqueKeysWithValues: roots.map { ($0.key.text, $0.value) })))
    }
    let session = try Session(files: files)
    let uri = "file:///p/config.json"
    let config = try TestFiles.text("\(folder)/config.json")
    session.open(uri, config)
    let hints = try session.request("textDocument/inlayHint", uri).listValue ?? []
    let text = DocumentText(config)
    var labels: [String] = []
    for hint in hints {
      let position = try #require(hint["position"]).position()
      let line = text.bytes[..<text.offset(of: position)].split(separator: 0x0A).last ?? []
      // The hint stands after the string, which the line ends with.
      let json = String(decoding: line, as: UTF8.self).drop { $0 != ":" }.dropFirst()
      let filter = try Filter(try Value(json: String(json)).stringValue ?? "")
      guard filter.requirements.hostCalls.isEmpty else { continue }
      let matches = contexts.count { filter.matches($0) }
      #expect(hint["label"] == .string("matches \(matches) of 3 sample users"))
      labels.append(hint["label"]?.stringValue ?? "")
    }
    #expect(Set(labels).count > 2)
    // Without users there are none.
    session.open("file:///q/config.json", config)
    #expect(try session.request("textDocument/inlayHint", "file:///q/config.json") == [])
  }

  @Test("a sample user has no history but the answers in `host`")
  func history() throws {
    let session = try Session(files: [
      "/p/context.json": #"{"host": {"placementsInDay(menu)": 3, "daysSince": 5}}"#
    ])
    for (filter, matches) in [
      ("device.placementsInDay(\"menu\") == 3", 1), ("device.placementsInDay(\"other\") == 0", 1),
      ("device.placementsInWeek(\"menu\") > 0", 0), ("device.daysSince(\"any\") == 5", 1),
      ("device.hoursSince(\"any\") == null", 1), ("computed.placementsInHour(\"menu\") == 0", 1),
    ] {
      session.open("file:///p/a.filter", filter)
      let hints = try session.request("textDocument/inlayHint", "file:///p/a.filter")
      #expect(hints[0]["label"] == .string("matches \(matches) of 1 sample user"), "\(filter)")
    }
  }

  @Test("hints follow the sample users while these are edited")
  func liveHints() throws {
    let session = try Session(
      files: ["/p/context.json": #"{"user": {"age": 5}}"#],
      capabilities: ["workspace": ["inlayHint": ["refreshSupport": true]]])
    let uri = "file:///p/a.filter"
    session.open(uri, "user.age > 10\n\n")
    func label() throws -> Value? {
      let hints = try session.request("textDocument/inlayHint", uri).listValue ?? []
      #expect(hints.first?["position"] == Position(line: 0, character: 13).value)
      return hints.first?["label"]
    }
    #expect(try label() == "matches 0 of 1 sample user")
    session.open("file:///p/context.json", #"{"user": {"age": 15}}"#)
    #expect(try label() == "matches 1 of 1 sample user")
    #expect(session.notes.contains { $0["method"] == "workspace/inlayHint/refresh" })
    session.notify("textDocument/didClose", ["textDocument": ["uri": "file:///p/context.json"]])
    #expect(try label() == "matches 0 of 1 sample user")
  }
}
