import Testing

@Suite("References in sources and documents")
struct ReferenceTests {
  @Test("every cited section of a specification exists")
  func sections() {
    let sections = Dictionary(
      uniqueKeysWithValues: Specification.allCases.map { ($0, $0.sections) })
    var count = 0
    for file in Repository.textFiles {
      for reference in Repository.sectionReferences(in: file) {
        count += 1
        let exists = sections[reference.document]?.contains(reference.section) == true
        #expect(exists, "\(file), \(reference): there is no such section")
      }
    }
    // The sources cite the specifications everywhere; to find few means to look wrongly.
    #expect(count > 400, "only \(count) references found")
  }

  @Test("the specifications have numbered sections", arguments: Specification.allCases)
  func headings(_ document: Specification) {
    #expect(document.sections.count > 8, "\(document.path)")
    #expect(document.sections.contains("1"), "\(document.path)")
  }

  @Test("every relative link leads to a file and a heading", arguments: Repository.markdownFiles)
  func links(_ file: String) {
    var anchors: [String: Set<String>] = [:]
    for link in Repository.links(in: file) {
      let parts = link.target.split(
        separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
      let path = String(parts[0])
      let target = path.isEmpty ? file : Repository.resolve(path, from: file)
      guard let target, Repository.exists(target) else {
        Issue.record("\(file):\(link.line): \(link.target) does not exist")
        continue
      }
      guard parts.count == 2, target.hasSuffix(".md") else { continue }
      let known = anchors[target] ?? Repository.anchors(of: target)
      anchors[target] = known
      let isHeading = known.contains(String(parts[1]))
      #expect(isHeading, "\(file):\(link.line): \(target) has no heading #\(parts[1])")
    }
  }

  @Test("every link to an article leads to one", arguments: Repository.markdownFiles)
  func articles(_ file: String) {
    for link in Repository.articleLinks(in: file) {
      let exists = Repository.markdownFiles.contains { path in
        path.contains(".docc/") && path.hasSuffix("/\(link.target).md")
      }
      #expect(exists, "\(file):\(link.line): there is no article \(link.target)")
    }
  }

  @Test("every path in code font exists")
  func paths() {
    for file in Repository.textFiles where file.hasSuffix(".md") || file.hasSuffix(".swift") {
      for link in Repository.namedPaths(in: file) {
        let fromFile = Repository.resolve(link.target, from: file) ?? ""
        let exists = Repository.exists(link.target) || Repository.exists(fromFile)
        #expect(exists, "\(file):\(link.line): \(link.target) does not exist")
      }
    }
  }

  // MARK: Indexes

  @Test("every decision record is in the index, under a number of its own")
  func decisions() {
    let folder = "docs/decisions/"
    let records = Repository.markdownFiles.filter { $0.hasPrefix(folder + "0") }
      .map { String($0.dropFirst(folder.count)) }
    let linked = Set(Repository.links(in: folder + "README.md").map(\.target))
    for record in records {
      #expect(linked.contains(record), "docs/decisions/README.md does not list \(record)")
    }
    let numbers = records.map { $0.prefix(4) }
    #expect(Set(numbers).count == numbers.count, "two records have one number: \(numbers)")
  }

  @Test("every page of docs is in the index")
  func pages() {
    let index = "docs/README.md"
    let linked = Set(
      Repository.links(in: index).compactMap { Repository.resolve($0.target, from: index) })
    for page in Repository.markdownFiles where page != index {
      let isPage = page.hasPrefix("docs/") && page.split(separator: "/").count == 2
      if isPage { #expect(linked.contains(page), "\(index) does not list \(page)") }
    }
  }

  // MARK: The reader of references

  @Test("section numbers are read with their document")
  func reader() {
    let file = "docs/spec/README.md"
    let references = Repository.sectionReferences(in: file)
    #expect(references.contains { $0.document == .superscript && $0.section == "2.1" })
    #expect(Specification(defaultOf: "Sources/Runtime/CampaignMatcher/Matcher.swift") == .campaigns)
    #expect(Specification(defaultOf: "Sources/Authoring/ExpressionChecking/Checker.swift") == .cel)
    #expect(Specification(defaultOf: "Tests/E/CELReferenceOperators.swift") == .cel)
    #expect(
      Specification(defaultOf: "Sources/Engine/ExpressionEngine/Values/Value.swift") == .superscript
    )
    #expect(Specification(defaultOf: "docs/spec/cel.md") == .cel)
  }

  @Test("paths are resolved from the folder of their file")
  func resolving() {
    #expect(Repository.resolve("../vm.md", from: "docs/spec/cel.md") == "docs/vm.md")
    #expect(Repository.resolve("b.md", from: "a.md") == "b.md")
    #expect(Repository.resolve("../../x", from: "docs/vm.md") == nil)
  }
}
