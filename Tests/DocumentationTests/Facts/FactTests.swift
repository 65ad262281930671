import AudienceFilters
import ExpressionEngine
import ExpressionSyntax
import Foundation
import TestSupport
import Testing

// Facts in documents that the sources, the corpus or other documents state, too.

@Suite("Facts in the documentation")
struct FactTests {
  // MARK: Names

  @Test("names of our API exist", arguments: MentionedName.pages)
  func names(_ page: String) {
    for name in MentionedName.all(in: page) {
      let problem = name.problem
      #expect(problem == nil, "\(page):\(name.line): `\(name.text)`: \(problem ?? "")")
    }
  }

  @Test("wrong names are found")
  func wrongNames() {
    let wrong = [
      "Matcher.events()", "Matcher.User.restet()", "Context.setting(path:)", "FilterSett",
      "Filter.evaluate(_:until:)", "NoSuchModule", "matcher.events.streams()", "evaluate(_:until:)",
      "PaywallHost.register(placement:)",
    ]
    for text in wrong {
      #expect(MentionedName(file: "", line: 0, text: text).problem != nil, "\(text)")
    }
    let right = [
      "Matcher.load", "Matcher.Events.onEvent(_:)", "matcher.events.stream()", "E0601",
      "Filter.evaluate(_:unless:)", "user.age", "PaywallHost", "EvaluationLimits.steps", "true",
    ]
    for text in right {
      #expect(MentionedName(file: "", line: 0, text: text).problem == nil, "\(text)")
    }
    let mentioned = MentionedName.pages.flatMap { MentionedName.all(in: $0) }
    let names = mentioned.filter { $0.text.contains(/^[A-Z]\w+\.[a-z]/) }
    #expect(names.count > 100, "only \(names.count) members found")
  }

  // MARK: Limits

  /// The rows of tables that say by what a limit is set, if that is an option or a constant.
  private static let limits: [(place: String, stated: String, constant: String)] =
    MentionedName.pages.flatMap { page in
      DocumentTable.all(in: page).flatMap { table -> [(String, String, String)] in
        let number = table.column("default") ?? table.column("value")
        guard let number, let setter = table.column("set by") else { return [] }
        return table.rows.compactMap { row in
          guard row.count > max(number, setter),
            let match = row[setter].firstMatch(of: /`([A-Z]\w+\.[a-z]\w+)`/)
          else { return nil }
          return ("\(page): \(row[0])", row[number], String(match.output.1))
        }
      }
    }

  @Test("the limits that are written down are those in force")
  func limitsInForce() throws {
    #expect(Self.limits.count > 20, "only \(Self.limits.count) limits found")
    for (place, stated, constant) in Self.limits where stated != "none" {
      let actual = try Constants.numbers(of: constant)
      #expect(!actual.isEmpty, "\(place): there is no constant \(constant)")
      let numbers = Constants.numbers(in: stated).prefix(actual.count)
      #expect(Array(numbers) == actual, "\(place): \(constant)")
    }
    // The reader of sources agrees with the compiler.
    #expect(try Constants.numbers(of: "ParserLimits.nesting") == [ParserLimits.standard.nesting])
    #expect(
      try Constants.numbers(of: "EvaluationLimits.memory") == [EvaluationLimits.standard.memory])
  }

  /// The numbers that documents may give for levels.
  private static let levels = Result {
    let constants = [
      "NestingLimit.levels", "RegexParser.maximumHeight", "DictionaryFreezer.maximumDepth",
      "ExpressionJSON.maximumDepth", "FilterTranslator.maximumNesting",
      "FilterTranslator.maximumDepth", "DecisionGraphBuilder.maximumDepth",
    ]
    return Set(try constants.flatMap(Constants.numbers(of:)) + [directStackLevels])
  }

  /// Debug builds compile deeper filters on a thread of their own.
  private static let directStackLevels = 200

  @Test("levels of nesting are those of a limit", arguments: MentionedName.pages)
  func levels(_ page: String) throws {
    // A document about tests may have other numbers.
    if page == "docs/robustness.md" { return }
    let known = try Self.levels.get()
    for (line, text) in Repository.prose(of: page) {
      for match in text.matches(of: /(\d[\d,]*) (?:levels|brackets|operators)\b/) {
        let number = Constants.numbers(in: match.output.1).first ?? 0
        #expect(known.contains(number), "\(page):\(line): no limit is \(match.output.0)")
      }
    }
  }

  // MARK: Counts of cases

  @Test("the counts of golden cases are those of the files")
  func counts() throws {
    let page = "docs/conformance.md"
    var checked = 0
    for row in DocumentTable.all(in: page).flatMap(\.rows) where row.count > 1 {
      guard let path = row[0].firstMatch(of: /`(corpus\/[^`]+)`/)?.output.1 else { continue }
      let files = path.hasSuffix(".corpus") ? [String(path)] : CodeBlock.paths(in: String(path))
      let cases = try files.filter { $0.hasSuffix(".corpus") }.reduce(0) { count, file in
        try count + TestFiles.text(file).split(separator: "\n").count { $0.hasPrefix("== ") }
      }
      #expect(Constants.numbers(in: row[1]).first == cases, "\(page): \(path)")
      checked += 1
    }
    #expect(checked >= 4)
  }

  @Test("the count of cases of other people's data is that of the data")
  func conformance() throws {
    guard let text = TestFiles.sharedText("conformance/cel-open.jsonl") else { return }
    let rows = DocumentTable.all(in: "docs/conformance.md").flatMap(\.rows)
    let row = try #require(rows.first { $0[0].hasPrefix("the suite") })
    #expect(Constants.numbers(in: row[1]).first == text.split(separator: "\n").count)
  }

  @Test("counts of conformance cases are in one place", arguments: Repository.markdownFiles)
  func onePlace(_ page: String) {
    if page == "docs/conformance.md" || page == "CHANGELOG.md" { return }
    for (line, text) in Repository.prose(of: page) {
      let isCount = text.contains(
        /\d (?:public )?conformance (?:cases|tests)|conformance data.*\| \d/)
      #expect(!isCount, "\(page):\(line): the counts are in docs/conformance.md")
    }
  }

  // MARK: Measurements

  @Test("figures of other engines are those of the benchmarks")
  func engines() throws {
    let tables = DocumentTable.all(in: "benchmarks/README.md")
    let peers = try #require(tables.first { $0.rows.contains { $0[0].hasPrefix("cel-cpp") } })
    let column = try #require(peers.column("two_and"))
    let readme = DocumentTable.all(in: "README.md")
    let table = try #require(readme.first { $0.heading.first == "engine" })
    #expect(table.rows.count > 5)
    for row in table.rows {
      let name = row[0] == "**swexpr**" ? "**engine, `evaluate`" : row[0]
      let peer = try #require(
        peers.rows.first { $0[0].hasPrefix(name.split(separator: " (")[0]) }, "\(row[0])")
      #expect(row[1] == peer[column] + " ns", "README.md: \(row[0])")
    }
  }

  @Test("sizes are those of the benchmarks")
  func sizes() throws {
    let measured = try #require(
      try Value(json: TestFiles.text("benchmarks/sizes.json")).objectValue)
    let rows = DocumentTable.all(in: "docs/size.md").flatMap(\.rows)
    let readme = try TestFiles.text("README.md")
    for (name, key) in [("`ExpressionEngine`", "engine"), ("`AudienceFilters`", "filters")] {
      let row = try #require(rows.first { $0[0].hasSuffix(name) })
      for (cell, linking) in zip(row[1...], ["shared", "static"]) {
        let bytes = try #require(measured["\(key), \(linking)"]?.intValue)
        let hundredths = (bytes + 5_000) / 10_000
        let digits = "\(hundredths % 100 + 100)".dropFirst()
        #expect(cell == "\(hundredths / 100).\(digits) MB", "docs/size.md: \(name), \(linking)")
      }
      // The README repeats two of them, with one digit.
      let tenths = (try #require(measured["\(key), shared"]?.intValue) + 50_000) / 100_000
      #expect(readme.contains("\(tenths / 10).\(tenths % 10) MB with `\(name.dropFirst())"))
    }
  }

  // MARK: Pictures

  @Test("the picture of an explanation says what the tool says")
  func picture() throws {
    let picture = try TestFiles.text("docs/images/explain.svg")
      .replacing("&gt;", with: ">").replacing("&amp;", with: "&")
    let description = try #require(picture.firstMatch(of: /<desc[^>]*>(.*?)<\/desc>/))
    let output = try Workbench().run(String(description.output.1)).output
    let texts = picture.matches(of: /<text[^>]*>(.*?)<\/text>/).map { String($0.output.1) }
    #expect(texts.count > 5)
    for text in texts where text != "decided" {
      let isSaid = output.contains(text) || description.output.1.contains(text)
      #expect(isSaid, "\(text)")
    }
  }

  // MARK: What is hosted

  @Test("every module is described")
  func modules() throws {
    let manifest = try TestFiles.text("Package.swift")
    let architecture = try TestFiles.text("docs/architecture.md")
    let start = try #require(manifest.range(of: "let wings = ["))
    let wings = manifest[start.upperBound...].prefix { $0 != "}" }
    let names = wings.matches(of: /"(\w+)"(?!:)/).map { String($0.output.1) }
    #expect(names.count > 20)
    for name in names {
      #expect(architecture.contains("**\(name)**"), "docs/architecture.md lacks **\(name)**")
    }
  }

  @Test("the documentation of every library is hosted")
  func hosted() throws {
    let manifest = try TestFiles.text("Package.swift")
    let hosted = try TestFiles.text(".spi.yml").split(separator: "\n").compactMap { line in
      line.wholeMatch(of: /\s+- (\w+)/).map { String($0.output.1) }
    }
    let products = manifest.matches(
      of: /\.library\(\s*name: "(\w+)", targets: \[([^\]]*)\]\)/)
    #expect(products.count > 8)
    // The macro exists only with a trait; docs/macro.md describes it.
    let unhosted = ["_Internals", "FilterMacros"]
    for product in products where !unhosted.contains(String(product.output.1)) {
      for target in product.output.2.matches(of: /"(\w+)"/) {
        #expect(hosted.contains(String(target.output.1)), ".spi.yml lacks \(target.output.1)")
      }
    }
  }
}
