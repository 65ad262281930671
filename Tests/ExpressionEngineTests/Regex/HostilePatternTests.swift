import ExpressionPrinting
import ExpressionSyntax
import Testing

@testable import ExpressionEngine

@Suite("Hostile regular expressions in filters") struct HostilePatternTests {
  /// A pattern that makes backtracking explode, a text, and whether it matches.
  static let rows: [(pattern: String, text: String, matches: Bool)] = {
    let many = String(repeating: "a", count: 100_000)
    let ends = many + "!"
    let digits = String(repeating: "1", count: 100_000) + "x"
    let mixed = String(repeating: "ab", count: 50_000) + "!"
    return [
      ("(a+)+$", ends, false), ("(a+)+$", many, true), ("^(a+)+$", ends, false),
      ("(a|aa)+$", ends, false), ("^(a|a)*$", ends, false), ("(a*)*$", ends, true),
      ("^(a*)*$", ends, false), ("(a?){50}a{50}$", ends, false), ("^(.*a){12}$", ends, false),
      ("(x+x+)+y", many, false), ("^(([a-z])+.)+[A-Z]([a-z])+$", ends, false),
      (".*.*.*=.*", ends, false), ("(.*)(.*)(.*)(.*)(.*)[^a!]", ends, false),
      ("^(\\d+)*$", digits, false), ("(\\w+\\s?)*$", ends + "?", true),
      ("^(\\w+\\s?)*$", ends, false), ("^(ab|a|b)+$", mixed, false), ("(ab*)*c$", mixed, false),
      ("^((a+)(b+)?)+$", ends, false), ("(?i)(A+)+$", ends, false), ("(a+?)+?$", ends, false),
      ("(?:a+)+b", many, false), ("^(a{1,5}){1,5}$", ends, false), ("(a|b|ab)*bc", mixed, false),
      ("[a-z]+[a-z]+[a-z]+\\d", many, false), ("^(?:[a-z]+)+\\z", ends, false),
      ("^(?:.|\\s)+$", ends, true), ("(\\S+)*\\s", ends, false), ("(a+)+b|a+!$", ends, true),
      ("^(a|b|c|d)*[^a-d!]", ends, false), ("(?s)(.+)+\\n", ends, false),
    ]
  }()

  @Test(
    "answer rightly, or say that the pattern is too costly, within a bounded time",
    arguments: rows.indices, [Dialect.superscript, .cel])
  func bounded(row: Int, dialect: Dialect) throws {
    let (pattern, text, matches) = Self.rows[row]
    let filter = try Filter(
      SourceText("params.t.matches(params.p)"), environment: FilterEnvironment(dialect: dialect))
    let literal = try Filter(
      SourceText("params.t.matches(r'\(pattern)')"),
      environment: FilterEnvironment(dialect: dialect))
    let context = Context(variables: ["params": ["t": .string(text), "p": .string(pattern)]])
    for filter in [filter, literal] {
      let clock = ContinuousClock()
      var outcome: Result<Value, EvaluationError>?
      let time = clock.measure {
        do throws(EvaluationError) {
          outcome = .success(try filter.evaluate(context))
        } catch {
          outcome = .failure(error)
        }
      }
      #expect(time < .seconds(20), "`\(pattern)` took \(time)")
      switch outcome {
      case .success(let value): #expect(value == .bool(matches), "\(pattern)")
      case .failure(let error): #expect(error.diagnostic.id == .patternLimit, "\(pattern)")
      case nil: Issue.record("no outcome")
      }
    }
  }

  /// Patterns that RE2 takes, and a text that they match.
  static let accepted: [(pattern: String, text: String)] = [
    ("(?P<n>a)b", "ab"), ("(?<n>a)b", "ab"), ("\\pL+", "é"), ("\\p{Greek}", "Ω"),
    ("\\P{Greek}", "a"), ("\\p{^Greek}", "a"), ("[[:alpha:]]+", "a"), ("[[:^alpha:]]", "1"),
    ("(?i)ABC", "abc"), ("(?i:A)b", "ab"), ("a(?-i)b", "ab"), ("(?m)^b$", "a\nb"),
    ("(?s)a.b", "a\nb"), ("(?U)a+", "a"), ("a\\z", "a"), ("\\Aa", "a"), ("\\Qa.b\\E", "a.b"),
    ("\\Qa.b", "a.b"), ("a{1000}", String(repeating: "a", count: 1000)), ("\\x{1F600}", "😀"),
    ("\\x41", "A"), ("\\0101", "\u{8}1"), ("\\101", "A"), ("^[[.a.]]$", "a]"), ("[[=a=]]", "=]"),
    ("(?P<1>a)", "a"), ("\\bfoo\\b", "a foo b"), ("a\\Bb", "ab"), ("[\\d_]", "_"),
    ("a**", "a"), ("\\C", "a"), ("x{,2}", "x{,2}"), ("[]a]", "]"), ("\\a|b", "b"), ("a||b", "b"),
    ("(|a)b", "ab"), ("[^\\n]", "x"), ("^$", ""), ("\\t\\v?", "\t"),
  ]

  @Test("what RE2 takes is taken in cel, or refused with a reason", arguments: accepted.indices)
  func re2(row: Int) throws {
    let (pattern, text) = Self.accepted[row]
    let context = Context(variables: ["t": .string(text), "p": .string(pattern)])
    let filter = try Filter(SourceText("t.matches(p)"), environment: .cel)
    // RE2 refuses `a**` and `\C` has no meaning for text of code points.
    let isRefused = ["a**", "\\C"].contains(pattern)
    do {
      #expect(try filter.evaluate(context) == true, "\(pattern)")
      #expect(!isRefused)
    } catch {
      #expect(
        isRefused && !error.diagnostic.message.isEmpty, "\(pattern): \(error.diagnostic.message)")
    }
  }

  @Test(
    "what only PCRE knows is refused in cel, with the place and the reason",
    arguments: [
      "(?=a)", "(?!a)", "(?<=a)b", "(?<!a)b", "(a)\\1", "(?P<n>a)(?P=n)", "(?<n>a)\\k<n>", "a++",
      "a*+", "a?+", "a{2}+", "(?>a)", "(?|a|b)", "(?(1)a|b)", "(?R)", "(?1)", "(?&n)", "(*ACCEPT)",
      "(*UTF)a", "a(?#c)b", "(?x)a b", "\\Ka", "\\Ga", "\\Za", "\\Xa", "\\Ra", "\\Na", "\\ha",
      "\\Ha",
      "\\e", "\\cA", "\\g{1}", "\\o{101}", "(?'n'a)", "a{1001}", "a{2,1001}", "(a{1000}){1000}",
      "a{5,2}", "\\p{Foo}", "[[:foo:]]", "[b-a]", "(", ")", "[",
      "a{1,2}{3}++",
      "(?P<n>a)(?P<n>b)", "(?<n", "\\8", "*a", "+", "?", "(?z)", "\\",
    ])
  func pcreOnly(pattern: String) throws {
    let context = Context(variables: ["p": .string(pattern)])
    let filter = try Filter(SourceText("'aab'.matches(p)"), environment: .cel)
    do throws(EvaluationError) {
      let value = try filter.evaluate(context)
      Issue.record("`\(pattern)` is taken: \(value)")
    } catch {
      #expect(error.diagnostic.id == .invalidPattern, "\(pattern)")
      // The pattern is a value of an attribute, so that only who may see it gets the reason.
      let message = error.showingValues.diagnostic.message
      #expect(message.count > 40, "\(pattern): \(message)")
    }
  }
}
