import Foundation
import TestSupport
import Testing

@Suite("swexpr report")
struct ReportCommandTests {
  @Test("the page has every placement and audience, what is wrong, the sizes and the changes")
  func page() throws {
    let folder = try ScratchFolder()
    let config = try folder.file(
      "new.json", Self.config(filter: #"user.note == \"<b>&\" && device.platform == \"ios\""#))
    let old = try folder.file("old.json", Self.config(filter: "true"))
    let users = try folder.file(
      "users.ndjson",
      """
      {"user": {"note": "<b>&"}}
      {"user": {"vip": true}}
      {"user": {}}

      """)
    let run = try swexpr(
      arguments: ["report", config, "--users", users, "--old", old, "--title", "Spring & more"],
      environment: [:])
    #expect(run.status == 0, "\(run.errors)")
    let page = run.output
    for part in [
      "<!DOCTYPE html>", "<h1>Spring &amp; more</h1>", "<h2>open</h2>",
      "&quot;&lt;b&gt;&amp;&quot;", "is never `&quot;ios&quot;`", "1 users, 33.3 %",
      "At most 2 times in a day.", "Changes since", "holdout",
    ] {
      #expect(page.contains(part), "\(part)")
    }
    #expect(!page.contains("<b>&"))
    // Every element is closed.
    for name in ["html", "body", "main", "section", "article", "code", "table", "tr", "ul", "li"] {
      #expect(
        page.components(separatedBy: "<\(name)").count
          == page.components(separatedBy: "</\(name)>").count, "\(name)")
    }
  }

  private static func config(filter: String) -> String {
    func audience(_ id: String, _ filter: String, _ limit: String) -> String {
      """
      {"experiment_group_id": "1", "experiment_id": "\(id)", "expression_cel": "\(filter)",
       "preload": {"behavior": "ALWAYS"}, \(limit)
       "variants": [{"percentage": 60, "variant_type": "TREATMENT", "variant_id": "\(id)a",
         "paywall_identifier": "pw"},
        {"percentage": 40, "variant_type": "HOLDOUT", "variant_id": "\(id)b"}]}
      """
    }
    let limit =
      #""occurrence": {"key": "k", "max_count": 2, "interval": {"type": "MINUTES", "minutes": 1440}},"#
    return """
      {"trigger_options": [{"event_name": "open", "rules": [\(audience("10", filter, limit)),
        \(audience("11", "user.vip == true", ""))]}],
       "paywall_responses": [], "build_id": "b", "log_level": 10, "products_v3": [],
       "localization": {"locales": []}, "app_session_timeout_ms": 3600000, "toggles": [],
       "disable_preload": {"all": false, "triggers": []}}
      """
  }
}

/// Text that a process writes while a test looks at it.
private final class Gathered: @unchecked Sendable {
  private let lock = NSLock()
  private var gathered = ""

  var text: String { lock.withLock { gathered } }

  func add(_ text: String) { lock.withLock { gathered += text } }
}

@Suite("swexpr check --watch")
struct CheckWatchTests {
  @Test("files of a folder are checked again when one changes, comes or goes")
  func watch() throws {
    let folder = try ScratchFolder()
    _ = try folder.file("a.expr", "user.age >= 18\n")
    let process = Process()
    process.executableURL = tool
    process.arguments = ["check", "--watch", folder.url.path]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    defer { process.terminate() }
    let output = Gathered()
    pipe.fileHandleForReading.readabilityHandler = { handle in
      let text = String(decoding: handle.availableData, as: UTF8.self)
      output.add(text)
    }
    func wait(for text: String) -> Bool {
      for _ in 0..<200 {
        if output.text.contains(text) { return true }
        Thread.sleep(forTimeInterval: 0.05)
      }
      return false
    }
    #expect(wait(for: "1 filter, 0 errors"))
    _ = try folder.file("b.expr", "user.age >=\n")
    #expect(wait(for: "b.expr has changed\n2 filters, 1 error"))
    try FileManager.default.removeItem(at: folder.url.appending(component: "b.expr"))
    #expect(wait(for: "b.expr has changed\n1 filter, 0 errors"))
  }
}
