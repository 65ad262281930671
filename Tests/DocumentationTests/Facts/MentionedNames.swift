import Foundation
import Testing

/// A name in code font that looks like one of our API.
struct MentionedName: Sendable, CustomTestStringConvertible {
  let file: String
  let line: Int
  let text: String

  var testDescription: String { "\(file):\(line) \(text)" }

  /// The pages for users: the README, `docs`, and the articles of DocC.
  static let pages = Repository.markdownFiles.filter { file in
    let isPage = file.hasPrefix("docs/") && file.split(separator: "/").count == 2
    return isPage && !generated.contains(file) || file == "README.md" || file.contains(".docc/")
      || file == "Examples/README.md" || file == "macros/README.md"
  }

  private static let generated = [
    "docs/attributes.md", "docs/errors.md", "docs/functions.md", "docs/language.md",
    "docs/paywall-timelines.md",
  ]

  /// Columns of tables with other people's names, by words of their heading.
  private static let foreignColumns = [
    "SuperwallKit", "SuperwallOptions", "version 3", "version 4", "the documents", "reference",
    "the SDK",
    "instead of", "heading",
  ]

  /// The names in a page, without those in code blocks and in columns about others.
  static func all(in file: String) -> [MentionedName] {
    var found: [MentionedName] = []
    var foreign: Set<Int> = []
    var isInTable = false
    for (number, text) in Repository.prose(of: file) {
      guard text.hasPrefix("|") else {
        isInTable = false
        found += spans(text).map { MentionedName(file: file, line: number, text: $0) }
        continue
      }
      let cells = text.replacing("\\|", with: " ").split(
        separator: "|", omittingEmptySubsequences: false)
      if !isInTable {
        isInTable = true
        foreign = Set(
          cells.indices.filter { index in foreignColumns.contains { cells[index].contains($0) } })
        continue
      }
      for (index, cell) in cells.enumerated() where !foreign.contains(index) {
        found += spans(String(cell)).map { MentionedName(file: file, line: number, text: $0) }
      }
    }
    return found
  }

  /// The texts in code font, single or double.
  private static func spans(_ text: String) -> [String] {
    text.matches(of: /``([^`]+)``|`([^`]+)`/).map { match in
      // A symbol of DocC: `Matcher/Events/onEvent(_:)`.
      let symbol = match.output.1.map { String($0).replacing("/", with: ".") }
      return symbol ?? String(match.output.2 ?? "")
    }
  }

  /// What is wrong with the name; `nil` if nothing is, or if it is not a name of an API.
  var problem: String? {
    if let match = text.wholeMatch(of: /((?:[A-Z]\w*\.)+)(\w+)(\(([\w:]*)\))?/) {
      let owner = String(match.output.1.dropLast())
      return member(String(match.output.2), call: match.output.3, of: owner)
    }
    if text.wholeMatch(of: /[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+/) != nil {
      let isKnown = DeclaredNames.types.contains(text) || Self.others.contains(text)
      return isKnown ? nil : "no type or module has this name"
    }
    if text.wholeMatch(of: /[a-z]\w*\((?:\w+:)+\)/) != nil {
      return DeclaredNames.allMembers.contains(text) ? nil : "no public function has these labels"
    }
    if let match = text.wholeMatch(of: /(?:matcher|host|session)((?:\.[a-z]\w*)+)(?:\(.*\))?/) {
      let names = match.output.1.split(separator: ".").map(String.init)
      let unknown = names.filter { !DeclaredNames.allMembers.contains($0) }
      return unknown.isEmpty ? nil : "no public member is called \(unknown.joined(separator: ", "))"
    }
    return nil
  }

  private func member(_ name: String, call: Substring?, of owner: String) -> String? {
    // A file: `OperatorTable.swift`.
    if ["swift", "md", "corpus", "json"].contains(name) { return nil }
    // A type within a type.
    if name.first?.isUppercase == true {
      return DeclaredNames.types.contains(name) ? nil : "there is no type \(name)"
    }
    let last = String(owner.split(separator: ".").last ?? "")
    let types = DeclaredNames.publicTypes(named: owner)
    if types.isEmpty {
      // An internal type, of which nothing but the words is known.
      if Self.others.contains(last) { return nil }
      guard DeclaredNames.types.contains(last) else { return "there is no type \(owner)" }
      return DeclaredNames.words.contains(name) ? nil : "no source has \(name)"
    }
    var wanted = name
    if let call, call.contains(":") || name == "init" { wanted += call }
    let isDeclared = types.contains { type in
      guard let members = DeclaredNames.members[type], members.contains(wanted) else {
        return false
      }
      // `events()` is not the property `events`.
      return call == nil || members.contains { $0.hasPrefix(name + "(") }
    }
    // Members of protocols and those that the compiler makes are not listed with the type.
    let isInherited = ["rawValue", "allCases", "init"].contains(name)
    // A limit may be a constant that is not public.
    let isConstant = (try? Constants.numbers(of: "\(owner).\(name)").isEmpty) == false
    if isDeclared || isInherited || isConstant { return nil }
    return "\(types.sorted().joined(separator: ", ")) has no public \(wanted)"
  }

  /// Names of Swift and of other projects that look like types.
  private static let others: Set<String> = [
    "AsyncStream", "CodingKeys", "Duration", "EncodingError", "FoundationEssentials",
    "LocalizedError",
    "PaywallPresentationHandler", "SimpleTest", "StoreKit", "SuperwallDelegate", "StringProcessing",
    "UserDefaults", "DuckDB", "JSONLogic",
  ]
}
