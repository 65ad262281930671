import Foundation
import TestSupport
import Testing

/// A fenced block of code in the documentation.
struct CodeBlock: Sendable, CustomTestStringConvertible {
  /// What the tests do with a block; its language decides.
  enum Treatment: Sendable, CaseIterable {
    /// Each line is a filter with its result in a comment; it is evaluated.
    case filter
    /// Commands after `$ `, each followed by what it prints; they are run.
    case console
    /// Commands that must work; those of the tool are run.
    case script
    /// Swift that is word for word in what is compiled and run.
    case swift
    /// A JSON document; it is read.
    case json
    /// C over `swexpr.h`; it is compiled.
    case c
    /// Python over the package in `bindings/python`, whose tests run it.
    case python
    /// Marked as `text`: layouts, drawings and output, neither compiled nor run.
    case plain

    init?(language: String) {
      switch language {
      case "filter", "filter cel": self = .filter
      case "console": self = .console
      case "sh": self = .script
      case "swift": self = .swift
      case "json": self = .json
      case "c": self = .c
      case "python": self = .python
      case "text": self = .plain
      default: return nil
      }
    }
  }

  /// The file, from the repository on.
  let file: String
  /// The number of the line after the opening fence.
  let line: Int
  /// The text after the opening fence: `swift`, `filter cel`, `console`.
  let language: String
  let lines: [String]
  /// Whether the fence is closed.
  let isClosed: Bool

  var testDescription: String { "\(file):\(line) \(language)" }

  /// What the tests do with it; `nil` for a language that they do not know.
  var treatment: Treatment? { Treatment(language: language) }

  /// All blocks of the documents and of the comments of public libraries.
  static let all: [CodeBlock] = documents.flatMap { Page($0).blocks }

  /// The blocks that are treated in a way.
  static func treated(_ treatment: Treatment) -> [CodeBlock] {
    all.filter { $0.treatment == treatment }
  }

  /// Markdown files, and the Swift files whose comments become documentation, as paths from the
  /// repository on, sorted.
  static let documents: [String] = {
    var found: [String] = []
    for folder in ["docs", "Sources", "Examples", "corpus", "grammar", "benchmarks"] {
      for path in paths(in: folder) {
        let isLibrary = ["AudienceFilters", "CampaignCore", "CampaignMatcher", "CampaignStore"]
          .contains {
            path.hasPrefix("Sources/Runtime/\($0)/")
          }
        if path.hasSuffix(".md") || isLibrary && path.hasSuffix(".swift") { found.append(path) }
      }
    }
    let root = try? FileManager.default.contentsOfDirectory(atPath: TestFiles.root.path)
    found += (root ?? []).filter { $0.hasSuffix(".md") }
    return found.sorted()
  }()

  /// The files below a folder of the repository, without what builds leave behind.
  static func paths(in folder: String) -> [String] {
    var found: [String] = []
    let paths = FileManager.default.enumerator(atPath: TestFiles.root.appending(path: folder).path)
    while let path = paths?.nextObject() as? String {
      let name = path.split(separator: "/").last ?? ""
      if name.hasPrefix(".") {
        paths?.skipDescendants()
      } else {
        found.append("\(folder)/\(path)")
      }
    }
    return found
  }
}

/// The lines of a document, cut into fenced blocks and what is between them.
struct Page {
  private(set) var blocks: [CodeBlock] = []
  /// The numbers of lines that Markdown takes for code because they are indented. Such code has no
  /// language, so that nothing can be done with it.
  private(set) var indentedLines: [Int] = []

  init(_ file: String) {
    let url = TestFiles.root.appending(path: file)
    let text = (try? String(contentsOf: url, encoding: .utf8)) ?? ""
    let isSwift = file.hasSuffix(".swift")
    var open: (line: Int, language: String, indentation: Int, lines: [String])?
    var isAfterBlank = true
    var isInList = false
    for (index, whole) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      guard let line = isSwift ? Self.comment(whole) : whole[...] else { continue }
      let indentation = line.prefix { $0 == " " }.count
      let content = line.dropFirst(indentation)
      guard content.hasPrefix("```") else {
        if let indented = open?.indentation {
          open?.lines.append(String(line.dropFirst(min(indentation, indented))))
        } else if !isSwift {
          if content.isEmpty {
            isAfterBlank = true
            continue
          }
          if indentation == 0 { isInList = Self.startsItem(content) }
          if isAfterBlank, indentation >= 4, !isInList { indentedLines.append(index + 1) }
        }
        isAfterBlank = false
        continue
      }
      if let block = open {
        add(block.lines, of: file, block.line, block.language, isClosed: true)
        open = nil
      } else {
        open = (index + 2, String(content.dropFirst(3)), indentation, [])
      }
      isAfterBlank = false
    }
    if let block = open {
      add(block.lines, of: file, block.line, block.language, isClosed: false)
    }
  }

  private mutating func add(
    _ lines: [String], of file: String, _ line: Int, _ language: String, isClosed: Bool
  ) {
    blocks.append(
      CodeBlock(file: file, line: line, language: language, lines: lines, isClosed: isClosed))
  }

  /// The text of a documentation comment; `nil` for code.
  private static func comment(_ line: Substring) -> Substring? {
    let content = line.drop { $0 == " " }
    guard content.hasPrefix("///") else { return nil }
    let text = content.dropFirst(3)
    return text.first == " " ? text.dropFirst() : text
  }

  /// Whether a line starts an item of a list, in which indentation is layout.
  private static func startsItem(_ line: Substring) -> Bool {
    let mark = line.drop(while: \.isNumber)
    return ["* ", "- ", "+ ", ". ", ") "].contains { mark.hasPrefix($0) }
  }
}

/// The built tool beside the tests.
let tool: URL = {
  let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
  let folder =
    bundle?.deletingLastPathComponent()
    ?? URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
  return folder.appending(component: "swexpr")
}()

/// A folder that looks like the repository, in which commands may write files.
final class Workbench {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "swexpr-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for name in try FileManager.default.contentsOfDirectory(atPath: TestFiles.root.path)
    where !name.hasPrefix(".") {
      try FileManager.default.createSymbolicLink(
        at: folder.appending(path: name),
        withDestinationURL: TestFiles.root.appending(path: name))
    }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// The names of the files that commands have written into the folder.
  func written() throws -> [String] {
    try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: [.isSymbolicLinkKey]
    ).filter { try $0.resourceValues(forKeys: [.isSymbolicLinkKey]).isSymbolicLink != true }
      .map(\.lastPathComponent)
  }

  /// What a shell command prints on both channels, and its exit code. The tool is in its path.
  func run(_ command: String) throws -> (output: String, status: Int32) {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", command]
    process.environment = [
      "PATH": tool.deletingLastPathComponent().path + ":/usr/bin:/bin", "LC_ALL": "C.UTF-8",
      "COLUMNS": "100",
    ]
    process.currentDirectoryURL = folder
    let pipe = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (String(decoding: output, as: UTF8.self), process.terminationStatus)
  }
}
