import Foundation
import TestSupport
import Testing

@Suite("Generated pages")
struct GeneratedPageTests {
  @Test("pages that are made from the tool's output are what it prints now")
  func pages() throws {
    let isBlessing = ProcessInfo.processInfo.environment["SWEXPR_BLESS"] != nil
    for (file, text) in try GeneratedPages.all() {
      let url = TestFiles.root.appending(path: file)
      if isBlessing { try text.write(to: url, atomically: true, encoding: .utf8) }
      let committed = try String(contentsOf: url, encoding: .utf8)
      // The whole pages would drown the message.
      let isCurrent = committed == text
      #expect(isCurrent, "\(file) is out of date: run `make reference`")
      #expect(!text.contains("describe it in GeneratedPages.swift"), "\(file)")
    }
  }

  @Test("every id of an error has an entry")
  func errors() throws {
    let page = try #require(try GeneratedPages.all().last)
    for id in ["E0101", "E0213", "E0505", "E0607", "W0701"] {
      #expect(page.text.contains("\n### \(id)\n"), "\(id)")
    }
  }
}
