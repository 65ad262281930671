import Foundation
import Testing

/// A fenced block of code in the documentation.
struct CodeBlock: Sendable, CustomTestStringConvertible {
  /// The file, from the repository on.
  let file: String
  /// The number of the line behind the opening fence.
  let line: Int
  /// What stands behind the opening fence: `swift`, `filter cel`, `console`.
  let language: String
  let lines: [String]

  var testDescription: String { "\(file):\(line) \(language)" }

  /// All blocks of the README, docs/ and the DocC articles.
  static let all: [CodeBlock] = files.flatMap { blocks(of: $0) }

  /// The blocks in one of some languages.
  static func inLanguage(_ languages: String...) -> [CodeBlock] {
    all.filter { languages.contains($0.language) }
  }

  /// The repository, found from this file.
  static let repository = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The documents, as paths from the repository on, sorted.
  static let files: [String] = {
    var found: [String] = []
    for folder in ["docs", "Sources", "Examples"] {
      let paths = FileManager.default.enumerator(
        atPath: repository.appending(path: folder).path)
      while let path = paths?.nextObject() as? String {
        guard path.hasSuffix(".md"), !path.contains(".build/") else { continue }
        found.append("\(folder)/\(path)")
      }
    }
    let readme = repository.appending(path: "README.md").path
    if FileManager.default.fileExists(atPath: readme) { found.append("README.md") }
    return found.sorted()
  }()

  private static func blocks(of file: String) -> [CodeBlock] {
    guard let text = try? String(contentsOf: repository.appending(path: file), encoding: .utf8)
    else { return [] }
    var result: [CodeBlock] = []
    var open: (line: Int, language: String, lines: [String])?
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      guard line.hasPrefix("```") else {
        open?.lines.append(String(line))
        continue
      }
      if let block = open {
        result.append(
          CodeBlock(file: file, line: block.line, language: block.language, lines: block.lines))
        open = nil
      } else {
        open = (index + 2, String(line.dropFirst(3)), [])
      }
    }
    return result
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

/// What a shell command prints on both channels, and its exit code. The tool is in its path.
func shell(_ command: String) throws -> (output: String, status: Int32) {
  let process = Process()
  process.executableURL = URL(filePath: "/bin/sh")
  process.arguments = ["-c", command]
  process.environment = [
    "PATH": tool.deletingLastPathComponent().path + ":/usr/bin:/bin", "LC_ALL": "C.UTF-8",
    "COLUMNS": "100",
  ]
  process.currentDirectoryURL = CodeBlock.repository
  let pipe = Pipe()
  process.standardInput = FileHandle.nullDevice
  process.standardOutput = pipe
  process.standardError = pipe
  try process.run()
  let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
  process.waitUntilExit()
  return (String(decoding: output, as: UTF8.self), process.terminationStatus)
}
