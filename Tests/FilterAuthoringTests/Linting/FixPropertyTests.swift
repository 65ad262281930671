import AudienceFilters
import ExpressionEngine
import ExpressionPrinting
import ExpressionSyntax
import FilterAuthoring
import FilterCorpus
import Foundation
import TestSupport
import Testing

/// What holds for every fix that the catalogue of mistakes offers.
@Suite("Fixes are certain") struct FixPropertyTests {
  private static func count(_ diagnostic: Diagnostic, in found: [Diagnostic]) -> Int {
    found.count { $0.id == diagnostic.id && $0.message == diagnostic.message }
  }

  @Test("a finding is gone once its fix is applied")
  func gone() throws {
    var tried = 0
    for mistake in CheckedCorpus.entries {
      let before = mistake.findings
      for (found, fix) in before.flatMap({ found in found.fixIts.map { (found, $0) } }) {
        // Of several fixes the author chooses one.
        var diagnostic = found
        diagnostic.fixIts = [fix]
        let (text, fixed) = SourceText(mistake.text).applyingFixes(of: [diagnostic])
        #expect(fixed == [diagnostic], "\(mistake.id)")
        let after = CheckedCorpus.findings(text, mistake.dialect)
        #expect(
          Self.count(diagnostic, in: after) < Self.count(diagnostic, in: before),
          "\(mistake.id): \(mistake.text) became \(text), with \(after.map(\.message))")
        tried += 1
      }
    }
    #expect(tried > 80)
  }

  @Test("fixing ends, and fixing again changes nothing")
  func idempotent() throws {
    for mistake in CheckedCorpus.entries {
      var text = mistake.text
      var found = mistake.findings
      var rounds = 0
      while rounds < 12 {
        let (next, fixed) = SourceText(text).applyingFixes(of: found)
        if fixed.isEmpty || next == text { break }
        text = next
        found = CheckedCorpus.findings(text, mistake.dialect)
        rounds += 1
      }
      #expect(rounds < 12, "\(mistake.id): \(mistake.text) became \(text)")
    }
  }

  /// Fixes that change how a filter is written, and not its value once it has one.
  private static let keepMeaning: [(String, String)] = [
    ("user.age-1 > 3", "user.age - 1 > 3"), ("(user.age is null)", "(user.age == null)"),
    ("user.plan in (\"a\", \"b\")", "user.plan in [\"a\", \"b\"]"),
    ("user.plan == `a`", "user.plan == \"a\""), ("user.age \u{2265} 18", "user.age >= 18"),
    ("user.age > = 18", "user.age >= 18"), ("user.age! > 18", "user.age > 18"),
    ("not(user.vip)", "!(user.vip)"), ("user.in == 1", "user[\"in\"] == 1"),
    ("user.age > 18;", "user.age > 18"),
    ("user.created > 2024-01-01", "user.created > \"2024-01-01\""),
    ("device.appVersion == 1.2.3", "device.appVersion == \"1.2.3\""),
    ("user.name == None", "user.name == null"),
    ("user.plan == \"pro\u{201D}", "user.plan == \"pro\""),
    ("user.time > 10:30", "user.time > \"10:30\""), ("user:age > 18", "user.age > 18"),
    ("user..age > 18", "user.age > 18"), ("user.age IS NOT NULL", "user.age != null"),
    ("device.regionCode == \"se\"", "device.regionCode == \"SE\""),
    ("device.deviceLocale == \"en-US\"", "device.deviceLocale == \"en_US\""),
    ("user.age > +5", "user.age > 5"),
  ]

  @Test("fixes write what was meant", arguments: keepMeaning)
  func writing(text: String, expected: String) {
    let (fixed, applied) = SourceText(text).applyingFixes(
      of: CheckedCorpus.findings(text, .superscript))
    #expect(fixed == expected)
    #expect(!applied.isEmpty)
    #expect(CheckedCorpus.findings(fixed, .superscript) == [])
  }
}

/// What `swexpr fmt` keeps.
@Suite("Formatting keeps filters") struct FormatPropertyTests {
  @Test("over the corpora and their filters with comments: same tree, same comments, stable")
  func corpora() throws {
    var count = 0
    for folder in ["superscript", "cel", "diagnostics"] {
      let path = TestFiles.path("corpus/\(folder)")
      for item in try CaseFile.cases(at: path) {
        guard case .expression(let text) = item.request.question else { continue }
        let dialect = Dialect.named(item.request.dialect)
        for source in [text, "// first\n\(text) // last", "(\n  // inside\n  \(text)\n)"] {
          guard let tree = try? parse(SourceText(source), dialect: dialect) else { continue }
          for width in [100, 40] {
            let formatted = SyntaxPrinter.format(tree, width: width)
            let again = try parse(SourceText(formatted), dialect: dialect)
            #expect(tree.isStructurallyEqual(to: again), "\(item.id): \(formatted)")
            #expect(SyntaxPrinter.format(again, width: width) == formatted, "\(item.id)")
            #expect(
              again.comments.map(again.source.text(of:))
                == tree.comments.map(tree.source.text(of:)),
              "\(item.id)")
          }
          count += 1
        }
      }
    }
    #expect(count > 8_000)
  }
}
