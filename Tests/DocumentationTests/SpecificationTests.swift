import Foundation
import Testing

@Suite("Examples of the specification")
struct SpecificationTests {
  private static let all = SpecificationExamples()

  /// Returns whether `docs/spec/README.md` lists the rule as not implemented yet.
  private static func isOpen(_ example: SpecificationExamples.Example) -> Bool {
    let isNested = example.section == "6" && example.expression.hasPrefix("[[double(\"NaN\")]]")
    return example.section == "2.1" || isNested && example.result.hasSuffix("(true)")
  }

  @Test("the superscript dialect gives the results that its specification lists")
  func superscript() throws {
    #expect(Self.all.examples.count > 600)
    let output = try Self.run(Self.all.corpus { !Self.isOpen($0) })
    // The names of failed cases are the lines of the document.
    #expect(output.contains(" 0 failed, 0 skipped"), "\(output)")
  }

  @Test("what is listed as not implemented is not")
  func open() throws {
    let output = try Self.run(Self.all.corpus(where: Self.isOpen))
    #expect(!output.contains(" 0 failed"), "remove it from docs/spec/README.md and from here")
  }

  private static func run(_ corpus: String) throws -> String {
    let file = FileManager.default.temporaryDirectory.appending(path: "spec-\(UUID()).corpus")
    defer { try? FileManager.default.removeItem(at: file) }
    try corpus.write(to: file, atomically: true, encoding: .utf8)
    return try Workbench().run("swexpr conform --verbose '\(file.path)'").output
  }
}
