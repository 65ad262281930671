import AudienceFilters
import CampaignAnalysis
import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis
import FilterCorpus
import Foundation
import TestSupport
import Testing

/// Findings about the logic of one filter.
@Suite("Proofs about one filter")
struct FilterProverTests {
  private static let schema: AttributeSchema = {
    var schema = AttributeSchema.builtIn
    schema.merge(
      AttributeSchema([
        .init("user.plan", .string, values: ["free", "trial", "pro"]),
        .init("user.age", .int, minimum: 0, maximum: 120),
        .init("user.isMember", .bool),
        .init("user.nick", .string, isOptional: true),
        .init("user.tags", .list(.string)),
      ]))
    return schema
  }()

  private static func findings(_ text: String, besides known: [Diagnostic] = []) -> [String] {
    let filter = ParsedFilter(SourceText(text), environment: .standard)
    guard let tree = filter.tree else { return [] }
    let silence = LintSuppression(tree)
    return FilterProver(schema: schema).diagnostics(filter, besides: known)
      .filter { !silence.silences($0) }
      .map { "\($0.id.rawValue) \(filter.source.text(of: $0.primary.span))" }
  }

  @Test(
    "conditions that decide nothing are found",
    arguments: [
      (
        #"user.nick.startsWith("A") && user.nick.startsWith("B")"#,
        #"W0704 user.nick.startsWith("B")"#
      ),
      (
        #"user.plan == "pro" && user.age > 30 && !(user.plan == "pro" || user.isMember)"#,
        #"W0704 !(user.plan == "pro" || user.isMember)"#
      ),
      (
        #"user.isMember || user.age < 9 && (user.plan == "pro" && user.plan == "free")"#,
        #"W0704 user.plan == "free""#
      ),
      (
        #"user.plan != "free" && user.plan != "trial" && user.plan != "pro""#,
        #"W0704 user.plan != "pro""#
      ),
      (#"user.isMember || user.isMember && user.age > 30"#, "W0724 user.isMember && user.age > 30"),
      (
        #"user.age > 20 && (user.age > 10 || user.isMember)"#,
        "W0724 user.age > 10 || user.isMember"
      ),
      (#"user.age < 18 ? user.isMember : user.age >= 18"#, "W0705 user.age >= 18"),
      (#"user.plan == "pro" ? user.plan == "free" : user.isMember"#, #"W0704 user.plan == "free""#),
      (#"user.age < 18 || user.age >= 18 || user.isMember"#, "W0705"),
      (
        #"device.daysSince("install") > 7 && device.daysSince("install") < 3"#,
        #"W0704 device.daysSince("install") < 3"#
      ),
      (#"user.tags.contains("a") && !("a" in user.tags)"#, #"W0704 !("a" in user.tags)"#),
      (#"size(user.tags) == 0 && user.tags.contains("vip")"#, #"W0704 user.tags.contains("vip")"#),
    ])
  func found(_ text: String, _ wanted: String) {
    let found = Self.findings(text)
    #expect(found.count == 1)
    #expect(found.first?.replacingOccurrences(of: "W0705 \(text)", with: "W0705") == wanted)
  }

  @Test(
    "what people write on purpose is left alone",
    arguments: [
      "user.age >= 18", "true", "user.plan == \"pro\" && user.isMember",
      // Guards say more than is needed.
      #"has(user.nick) && user.nick == "Ann""#, #"user.nick != null && user.nick.startsWith("A")"#,
      #"size(user.tags) > 0 && user.tags.contains("vip")"#,
      #"user.nick != "" && user.nick == "Ann""#,
      // Cases beside each other, of which one could leave out what the other has.
      #"user.plan == "pro" && user.age >= 21 || user.plan != "pro" && user.age >= 18"#,
      #"user.isMember || !user.isMember && user.age > 60"#,
      #"user.isMember ? true : user.age > 60"#,
      // Functions of the app, whose results nobody knows here.
      "device.streak() >= 3", #"hasFn("device.streak") && device.streak() > 2"#,
      // A text that superscript reads as a bool.
      #"user.nick == "true""#,
      // Users without the attribute.
      #"user.plan in ["free", "trial", "pro"]"#,
      "user.tags.exists(t, t == \"a\") && user.tags.exists(t, t == \"b\")",
      "params.count > 20 && params.count + 1 < 20",
    ])
  func notFound(_ text: String) {
    #expect(Self.findings(text) == [])
  }

  @Test(
    "right filters have no findings",
    arguments: ["corpus/diagnostics/right-filters.corpus", "corpus/cookbook"])
  func right(_ path: String) throws {
    var count = 0
    for item in try CaseFile.cases(at: TestFiles.path(path)) {
      guard case .expression(let text) = item.request.question else { continue }
      var schema = AttributeSchema.builtIn
      schema.merge(AttributeSchema(inferring: [Context(variables: item.request.variables)]))
      let filter = ParsedFilter(
        SourceText(text), environment: FilterEnvironment(dialect: .named(item.request.dialect)))
      #expect(FilterProver(schema: schema).diagnostics(filter) == [], "\(text)")
      count += 1
    }
    #expect(count > 10)
  }

  @Test("comments silence findings, and other findings come first")
  func silenced() throws {
    let text = #"user.isMember || user.isMember && user.age > 30"#
    #expect(Self.findings(text + " // swexpr:ignore W0724") == [])
    #expect(Self.findings(text + " // swexpr:ignore W0704").count == 1)
    let known = Diagnostic(
      .wrongCase, "", at: SourceSpan(start: 17, length: UInt32(text.utf8.count) - 17))
    #expect(Self.findings(text, besides: [known]) == [])
    #expect(Self.findings("user.age >") == [])
  }

  /// The number of random filters; `SWEXPR_CONFIGS` for a long run.
  private static let count =
    ProcessInfo.processInfo.environment["SWEXPR_CONFIGS"].flatMap { Int($0) } ?? 240

  @Test("what is said holds for every user that the conditions tell apart", arguments: 0..<4)
  func holds(_ part: Int) throws {
    var random = TestRandom(state: 700 + UInt64(part))
    var count = 0
    for _ in 0..<Self.count / 4 {
      let text = SmallWorld.filter(&random).text
      let source = SourceText(text)
      let filter = try Filter(text)
      let prover = FilterProver(schema: AttributeSchema())
      for finding in prover.diagnostics(ParsedFilter(filter)) {
        count += 1
        let span = finding.primary.span
        let operand = try Filter(source.text(of: span))
        let isTrue =
          finding.id == .alwaysTrue || finding.message.hasSuffix("implied by the others")
        let changed = try Filter(
          String(decoding: source.bytes[..<Int(span.start)], as: UTF8.self)
            + (isTrue ? "(true)" : "(false)")
            + String(decoding: source.bytes[Int(span.end)...], as: UTF8.self))
        let exception = SmallWorld.users.first { user in
          // Of the others it is said that they do not get there.
          if finding.id == .alwaysTrue, operand.matches(user) { return false }
          if finding.id == .alwaysFalse, !operand.matches(user) { return false }
          return filter.matches(user) != changed.matches(user)
        }
        #expect(
          exception == nil, "\(text): \(finding.message) at \(source.text(of: span))")
      }
    }
    #expect(count > Self.count / 40)
  }

  @Test("of a filter that no user matches, something is said", arguments: 0..<4)
  func complete(_ part: Int) throws {
    var random = TestRandom(state: 900 + UInt64(part))
    var count = 0
    for _ in 0..<Self.count / 4 {
      let text = SmallWorld.filter(&random).text
      let filter = try Filter(text)
      guard !SmallWorld.users.contains(where: { filter.matches($0) }) else { continue }
      count += 1
      let prover = FilterProver(schema: AttributeSchema())
      #expect(!prover.diagnostics(ParsedFilter(filter)).isEmpty, "\(text)")
    }
    #expect(count > Self.count / 40)
  }
}
