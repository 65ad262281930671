import Foundation
import Testing

@Suite("Examples of the specification")
struct SpecificationTests {
  private static let all = SpecificationExamples()

  @Test("the superscript dialect gives the results that its specification lists")
  func superscript() throws {
    #expect(Self.all.examples.count > 600)
    let output = try Self.run(Self.all.corpus())
    // The names of failed cases are the lines of the document.
    #expect(output.contains(" 0 failed, 0 skipped"), "\(output)")
  }

  private static func run(_ corpus: String) throws -> String {
    let file = FileManager.default.temporaryDirectory.appending(path: "spec-\(UUID()).corpus")
    defer { try? FileManager.default.removeItem(at: file) }
    try corpus.write(to: file, atomically: true, encoding: .utf8)
    return try Workbench().run("swexpr conform --verbose '\(file.path)'").output
  }
}
