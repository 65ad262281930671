import Foundation
import TestSupport

/// A reference to a section of a specification, such as `docs/spec/cel.md §12.4`.
struct SectionReference: Sendable, Hashable, CustomStringConvertible {
  let document: Specification
  let section: String
  let line: Int

  var description: String { "line \(line): \(document.path) §\(section)" }
}

/// The specifications in `docs/spec`.
enum Specification: String, Sendable, CaseIterable {
  case superscript, cel, campaigns

  var path: String { "docs/spec/\(rawValue).md" }

  /// The document that a bare section number means in a file that cites none.
  /// `docs/spec/README.md` states the rule.
  init(defaultOf file: String) {
    let name = file.split(separator: "/").last ?? ""
    if let own = Self.allCases.first(where: { file == $0.path }) {
      self = own
    } else if ["docs/campaigns.md", "docs/paywall.md", "docs/coverage.md"].contains(file)
      || [
        "/CampaignCore/", "/CampaignMatcher/", "/CampaignAnalysis/", "/CampaignCorpus/",
        "/PaywallLogic/", "/CampaignHost/", "/CampaignMatcherTests/", "/PaywallLogicTests/",
      ].contains(where: file.contains)
      || ["corpus/campaigns/", "corpus/paywall/"].contains(where: file.hasPrefix)
    {
      self = .campaigns
    } else if name.hasPrefix("CEL") || file.hasPrefix("Sources/Authoring/ExpressionChecking/") {
      self = .cel
    } else {
      self = .superscript
    }
  }

  /// The numbers of the document's sections, from its headings.
  var sections: Set<String> {
    var found: Set<String> = []
    for line in Repository.lines(of: path) where line.hasPrefix("#") {
      let words = line.drop { $0 == "#" }.split(separator: " ")
      guard let first = words.first, first.first?.isNumber == true else { continue }
      found.insert(first.hasSuffix(".") ? String(first.dropLast()) : String(first))
    }
    return found
  }
}

/// A link of a Markdown file to a file of the repository.
struct DocumentLink: Sendable, Hashable {
  let target: String
  let line: Int
}

/// The text files of the repository and what they refer to.
enum Repository {
  static let folders = [
    "Sources", "Tests", "docs", "corpus", "grammar", "benchmarks", "Examples", "scripts",
  ]

  /// All files that may cite a specification, as paths from the repository on, sorted.
  static let textFiles: [String] = {
    let kinds = [".swift", ".md", ".corpus", ".txt", ".ebnf", ".h", ".c", ".py"]
    var found = folders.flatMap(CodeBlock.paths)
    let root = try? FileManager.default.contentsOfDirectory(atPath: TestFiles.root.path)
    found += root ?? []
    return found.filter { path in kinds.contains { path.hasSuffix($0) } }.sorted()
  }()

  static let markdownFiles = textFiles.filter { $0.hasSuffix(".md") }

  static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: TestFiles.root.appending(path: path).path)
  }

  static func lines(of path: String) -> [Substring] {
    let url = TestFiles.root.appending(path: path)
    let text = (try? String(contentsOf: url, encoding: .utf8)) ?? ""
    return text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  /// The sections of specifications that a file cites. Inside a specification, another one is cited
  /// for the rest of a line only.
  static func sectionReferences(in file: String) -> [SectionReference] {
    var found: [SectionReference] = []
    let isSpecification = file.hasPrefix("docs/spec/")
    var document = Specification(defaultOf: file)
    for (index, line) in lines(of: file).enumerated() {
      if isSpecification { document = Specification(defaultOf: file) }
      var numbers: [Substring] = []
      if file.hasSuffix("/steps.txt"), line.hasPrefix("spec: ") {
        numbers = line.dropFirst(6).split { $0 == "," || $0 == " " }
      }
      if line.contains("§") || line.contains(".md") {
        // A section of an RFC is not one of ours.
        let text = line.replacing(/RFC \d+ §[\d.]+/, with: "")
        for match in text.matches(
          of: /(spec\/)?(superscript|cel|campaigns)\.md|§(\d+(?:\.\d+)*)(?:–§?(\d+(?:\.\d+)*))?/)
        {
          let (_, folder, name, first, last) = match.output
          if let name, isSpecification || folder != nil {
            document = Specification(rawValue: String(name)) ?? document
          }
          for number in [first, last].compactMap(\.self) {
            found.append(
              SectionReference(document: document, section: String(number), line: index + 1))
          }
        }
      }
      found += numbers.map {
        SectionReference(document: .campaigns, section: String($0), line: index + 1)
      }
    }
    return found
  }

  /// The lines of a Markdown file that are not code, with their numbers.
  static func prose(of file: String) -> [(number: Int, text: String)] {
    var found: [(number: Int, text: String)] = []
    var isCode = false
    for (index, line) in lines(of: file).enumerated() {
      if line.drop(while: { $0 == " " }).hasPrefix("```") {
        isCode.toggle()
      } else if !isCode {
        found.append((index + 1, String(line)))
      }
    }
    return found
  }

  /// The relative links of a Markdown file.
  static func links(in file: String) -> [DocumentLink] {
    var found: [DocumentLink] = []
    for (number, text) in prose(of: file) {
      let plain = text.replacing(/`[^`]*`/, with: "")
      for match in plain.matches(of: /\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]+)"/) {
        let target = String(match.output.1 ?? match.output.2 ?? "")
        if target.contains("://") || target.hasPrefix("mailto:") { continue }
        found.append(DocumentLink(target: target, line: number))
      }
    }
    return found
  }

  /// The articles of DocC that a Markdown file links to: `<doc:Limits>`.
  static func articleLinks(in file: String) -> [DocumentLink] {
    prose(of: file).flatMap { number, text in
      text.matches(of: /<doc:([A-Za-z]+)>/).map {
        DocumentLink(target: String($0.output.1), line: number)
      }
    }
  }

  /// The files and folders that are named in code font: `docs/vm.md`,
  /// `Sources/Tools/swexpr/Commands`.
  static func namedPaths(in file: String) -> [DocumentLink] {
    let isMarkdown = file.hasSuffix(".md")
    let lines =
      isMarkdown
      ? prose(of: file)
      : lines(of: file).enumerated().compactMap { index, line in
        line.drop { $0 == " " }.hasPrefix("//") ? (index + 1, String(line)) : nil
      }
    return lines.flatMap { number, text in
      text.matches(of: /`([A-Za-z][A-Za-z0-9_.+\-]*\/[^`\s]*)`/).compactMap { match in
        let path = String(match.output.1)
        let root = path.split(separator: "/").first.map(String.init) ?? ""
        let isPattern = path.contains { "*{<…$#".contains($0) }
        if isPattern || path.contains("/.build") || !folders.contains(root) { return nil }
        return DocumentLink(target: path, line: number)
      }
    }
  }

  /// The anchors of a Markdown file's headings, as code hosts make them.
  static func anchors(of file: String) -> Set<String> {
    var found: Set<String> = []
    var counts: [String: Int] = [:]
    for (_, text) in prose(of: file) where text.hasPrefix("#") {
      let title = text.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces).lowercased()
      let kept = title.filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_" }
      let anchor = kept.replacing(" ", with: "-")
      let count = counts[anchor, default: 0]
      found.insert(count == 0 ? anchor : "\(anchor)-\(count)")
      counts[anchor] = count + 1
    }
    return found
  }

  /// A path relative to the folder of a file, as a path from the repository on; `nil` outside of
  /// it.
  static func resolve(_ path: String, from file: String) -> String? {
    var parts = file.split(separator: "/").dropLast().map(String.init)
    for part in path.split(separator: "/") {
      switch part {
      case ".": continue
      case "..":
        if parts.isEmpty { return nil }
        parts.removeLast()
      default: parts.append(String(part))
      }
    }
    return parts.joined(separator: "/")
  }
}
