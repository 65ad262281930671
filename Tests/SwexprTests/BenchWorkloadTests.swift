import Foundation
import Testing

@Suite("swexpr bench --workload")
struct BenchWorkloadTests {
  /// A folder with 30 filters, of which an age of `n` matches those up to `n`, and two contexts.
  private func app() throws -> ScratchFolder {
    let scratch = try ScratchFolder()
    let filters = (0..<30).map { "{\"swexpr\": \"user.age >= \($0)\", \"note\": [{\"a\": 1}]}" }
    _ = try scratch.file("filters.json", "[\(filters.joined(separator: ",\n"))]\n")
    _ = try scratch.file(
      "contexts.jsonl",
      """
      {"user": {"age": 4, "plan": "free"}, "params": {"step": 1}}
      {"user": {"age": 24}}

      """)
    return scratch
  }

  private func run(_ scratch: ScratchFolder, _ options: String...) throws -> ToolRun {
    try swexpr(arguments: ["bench", "--workload", scratch.url.path, "--rounds", "2"] + options)
  }

  private func matches(_ document: [String: Any], _ name: String) throws -> Int? {
    let figure = try #require(document[name] as? [String: Any], "\(name)")
    #expect(Set(figure.keys) == ["ns", "matches"])
    #expect((figure["ns"] as? Double ?? -1) > 0, "\(name)")
    return figure["matches"] as? Int
  }

  @Test("an app's filters are counted one by one and as a set")
  func counts() throws {
    let run = try run(app(), "--json")
    #expect(run.status == 0)
    let document = try #require(try run.json() as? [String: Any])
    #expect(document["filters"] as? Int == 30)
    #expect(document["contexts"] as? Int == 2)
    for name in ["each20", "set20"] { #expect(try matches(document, name) == 5 + 20) }
    // Those of the first context, whatever the number of rounds.
    for name in ["once", "set_once"] { #expect(try matches(document, name) == 5) }
    #expect(try matches(document, "context_json") == 4)
    #expect(try matches(document, "load") == 30)
    #expect(try matches(document, "build") == nil)
    #expect(document["each200"] == nil)
    #expect(document["set200"] == nil)
    #expect(document["first20"] == nil)
    #if os(Linux)
      #expect((document["bytes"] as? Double ?? -1) >= 0)
    #endif
  }

  @Test("events are evaluated by the set of all filters, and the first ones are listed")
  func events() throws {
    let scratch = try ScratchFolder()
    _ = try scratch.file(
      "filters.txt", (0..<210).map { "user.a1 > 0 && user.a1 < \($0)\n" }.joined())
    _ = try scratch.file(
      "events.jsonl", (1...25).map { "{\"user\":{\"a\($0 % 2)\":\($0)}}\n" }.joined())
    let run = try run(scratch, "--json")
    #expect(run.status == 0)
    let document = try #require(try run.json() as? [String: Any])
    let wanted = (1...20).map { $0 % 2 == 1 ? 209 - $0 : 0 }
    #expect(document["first20"] as? [Int] == wanted)
    #expect(try matches(document, "set_once") == 208)
    #expect(try matches(document, "once") == 208)
    let sum = (1...25).reduce(0) { $0 + ($1 % 2 == 1 ? 199 - $1 : 0) }
    for name in ["each200", "set200"] { #expect(try matches(document, name) == sum) }
  }

  @Test("the table has a row for each figure")
  func table() throws {
    let run = try run(app())
    #expect(run.status == 0)
    #expect(run.output.hasPrefix("30 filters, 2 contexts\n"))
    let rows = Set(run.output.split(separator: "\n").compactMap { $0.split(separator: " ").first })
    #expect(
      rows.isSuperset(of: [
        "each20", "once", "set20", "set_once", "context_json", "load", "build",
      ]))
    #expect(!rows.contains("each200"))
  }

  @Test("a filter that does not compile is named by file and number")
  func brokenFilter() throws {
    let scratch = try ScratchFolder()
    let path = try scratch.file("filters.txt", "user.a > 1\nuser.a >\n")
    _ = try scratch.file("events.jsonl", "{\"user\":{\"a\":1}}\n")
    let run = try run(scratch)
    #expect(run.status == 1)
    #expect(run.output == "")
    #expect(run.errors.contains(" --> \(path) (filter 2):1:"))
    #expect(run.errors.hasSuffix("error: \(path): filter 2 does not compile\n"))
  }

  @Test("the dialect is that of the option")
  func dialect() throws {
    let scratch = try ScratchFolder()
    _ = try scratch.file("filters.txt", "[1, 2].exists(x, x == int(user.a)) && {1: 2}[1] == 2\n")
    _ = try scratch.file("events.jsonl", "{\"user\":{\"a\":1}}\n")
    let document = try #require(
      try run(scratch, "--json", "--dialect", "cel").json() as? [String: Any])
    #expect(document["first20"] as? [Int] == [1])
  }

  static let unreadableFolders: [(files: [String: String], message: String)] = [
    ([:], "has neither `filters.json` nor `filters.txt`"),
    (["filters.txt": "true\n"], "events.jsonl: "),
    (["filters.txt": ""], "filters.txt: there are no filters"),
    (["filters.txt": "true\n", "events.jsonl": ""], "events.jsonl: there are no contexts"),
    (["filters.json": "[{\"expr\": 1}]"], "filters.json:1:12: filter 1 has no member `swexpr`"),
    (["filters.json": "[{\"swexpr\": 1}]"], "expected the text of a filter"),
    (
      ["filters.txt": "true\n", "events.jsonl": "{}\n{\"a\":}\n"],
      "events.jsonl:2:6: expected a value"
    ),
  ]

  @Test("files that cannot be read end with 2", arguments: unreadableFolders)
  func unreadable(_ item: (files: [String: String], message: String)) throws {
    let scratch = try ScratchFolder()
    for (name, text) in item.files { _ = try scratch.file(name, text) }
    let run = try run(scratch)
    #expect(run.status == 2)
    #expect(run.output == "")
    #expect(run.errors.contains(item.message), "\(run.errors)")
  }

  @Test("one of the two options is needed, and only one")
  func options() throws {
    let message = "give either --filters with a file or --workload with a folder"
    for arguments in [["bench"], ["bench", "--filters", "a", "--workload", "b"]] {
      let run = try swexpr(arguments: arguments)
      #expect(run.status == 2)
      #expect(run.errors.contains(message))
    }
  }
}
