import Foundation
import TestSupport
import Testing

@Suite("swexpr test")
struct TestCommandTests {
  private static let sample = "corpus/campaigns/sample/config.json"

  private static func line(_ age: Int, _ expect: String, _ more: String = "") -> String {
    #"{"placement": "open_forecast", "context": {"user": {"seed": \#(age)}}, "expect": \#(expect)\#(more)}"#
      + "\n"
  }

  @Test("failures have a file and a line, and end with 1")
  func failures() throws {
    let folder = try ScratchFolder()
    let file = try folder.file("users.test", Self.line(1, "null") + "\n" + Self.line(2, "\"none\""))
    let run = try swexpr("test", Self.sample, file)
    #expect(run.status == 1)
    #expect(run.output.contains("\(file):3: open_forecast gives"))
    #expect(run.output.contains("2 users, "))
    let json = try #require(
      try swexpr("test", Self.sample, file, "--json").json() as? [String: Any])
    #expect(json["tests"] as? Int == 2)
    #expect(json["coverage"] == nil)
    let failures = try #require(json["failures"] as? [[String: Any]])
    #expect(failures.last?["line"] as? Int == 3)
  }

  @Test("synthetic users of the sample pass, and reach all audiences")
  func coverage() throws {
    let folder = try ScratchFolder()
    let users = try folder.file("users.test", try swexpr("synthesize", Self.sample).output)
    let run = try swexpr("test", Self.sample, users, "--coverage")
    #expect(run.status == 0, "\(run.output)")
    #expect(run.output.contains("coverage: 23 of 23 audiences reached"), "\(run.output)")
    let json = try #require(
      try swexpr("test", Self.sample, users, "--coverage", "--json").json() as? [String: Any])
    let coverage = try #require(json["coverage"] as? [String: Any])
    #expect(coverage["reached"] as? Int == coverage["audiences"] as? Int)
  }

  @Test("stories run beside users, with their own config")
  func stories() throws {
    let story = "corpus/campaigns/limit-window/steps.txt"
    let run = try swexpr("test", Self.sample, story)
    #expect(run.status == 0, "\(run.output)")
    #expect(run.output == "1 story, 0 with another outcome\n")
    let folder = try ScratchFolder()
    let root = TestFiles.root.appending(path: "corpus/campaigns/limit-window")
    _ = try folder.file(
      "config.json", String(contentsOf: root.appending(path: "config.json"), encoding: .utf8))
    let text = try String(contentsOf: root.appending(path: "steps.txt"), encoding: .utf8)
    let file = try folder.file("limits.txt", text.replacing("variant 20a", with: "variant 20b"))
    let failed = try swexpr("test", Self.sample, file)
    #expect(failed.status == 1)
    #expect(failed.output.contains("\(file):6: register hourly gives"), "\(failed.output)")
    let broken = try folder.file("broken.txt", "no story")
    #expect(try swexpr("test", Self.sample, broken).status == 2)
  }

  @Test("what cannot be read ends with 2 and says why")
  func unreadable() throws {
    let folder = try ScratchFolder()
    let typo = try folder.file("typo.test", Self.line(1, "null", ", \"varient\": \"x\""))
    let run = try swexpr("test", Self.sample, typo)
    #expect(run.status == 2)
    #expect(run.errors.contains("typo.test:1: a test has no member `varient`"), "\(run.errors)")
    #expect(try swexpr("test", Self.sample, "-", "--watch").status == 2)
    #expect(try swexpr("test", Self.sample, typo, "--watch", "--json").status == 2)
    #expect(try swexpr("test", Self.sample).status == 2)
  }

  @Test("--watch runs again when a file changes, also after one that cannot be read")
  func watch() throws {
    let folder = try ScratchFolder()
    let users = try folder.file("users.test", Self.line(1, "\"none\""))
    let process = Process()
    let output = Pipe()
    process.executableURL = tool
    process.arguments = ["test", Self.sample, users, "--watch"]
    process.currentDirectoryURL = TestFiles.root
    process.standardOutput = output
    process.standardError = output
    try process.run()
    defer { process.terminate() }
    // Ends the output, and so the test, if a text never appears.
    let limit = DispatchWorkItem { process.terminate() }
    DispatchQueue.global().asyncAfter(deadline: .now() + 120, execute: limit)
    defer { limit.cancel() }
    var text = ""
    /// Reads until a text appears.
    func read(until part: String) {
      while !text.contains(part) {
        let data = output.fileHandleForReading.availableData
        if data.isEmpty { break }
        text += String(decoding: data, as: UTF8.self)
      }
      #expect(text.contains(part), "\(text)")
      text = ""
    }
    read(until: "1 user, 1 with another outcome")
    _ = try folder.file("users.test", "{")
    read(until: "error: \(users):1:")
    _ = try folder.file("users.test", Self.line(1, "null") + Self.line(2, "\"none\""))
    read(until: "2 users, ")
    #expect(process.isRunning)
  }
}
