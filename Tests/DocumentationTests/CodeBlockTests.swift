import AudienceFilters
import ExpressionEngine
import ExpressionSyntax
import Foundation
import Testing

@Suite("Code in the documentation")
struct CodeBlockTests {
  @Test("there is documentation, and every block of code is of a kind that is tested")
  func languages() {
    #expect(CodeBlock.files.contains("docs/language.md"))
    #expect(CodeBlock.all.count > 40)
    for block in CodeBlock.all {
      #expect(
        ["swift", "filter", "filter cel", "console", "sh", "json"].contains(block.language),
        "\(block.testDescription)")
    }
  }

  // MARK: Filters

  /// What `docs/context.json` says.
  private static let surroundings = Result { () throws -> (Context, [String: Value]) in
    let data = try Data(
      contentsOf: CodeBlock.repository.appending(path: "docs/context.json"))
    var variables: [String: Value] = [:]
    var answers: [String: Value] = [:]
    let document = try Value(json: String(decoding: data, as: UTF8.self))
    guard case .map(let entries) = document else { return (Context(), [:]) }
    for (key, value) in entries {
      guard key.text == "host", case .map(let functions) = value else {
        variables[key.text] = value
        continue
      }
      for (call, answer) in functions { answers[call.text] = answer }
    }
    return (Context(variables: variables), answers)
  }

  private static func environment(_ dialect: Dialect) throws -> Environment {
    let answers = try surroundings.get().1
    var environment = Environment(dialect: dialect)
    for name in Set(answers.keys.map { String($0.prefix { $0 != "(" }) }) {
      environment.deviceFunctions[name] = { arguments, _ in
        guard case .string(let first)? = arguments.first else { return .null }
        return answers["\(name)(\(first))"] ?? .null
      }
    }
    return environment
  }

  @Test(
    "a filter answers what stands behind it",
    arguments: CodeBlock.inLanguage("filter", "filter cel"))
  func filters(_ block: CodeBlock) throws {
    let environment = try Self.environment(block.language.hasSuffix("cel") ? .cel : .superscript)
    let context = try Self.surroundings.get().0
    for (index, line) in block.lines.enumerated() where !line.isEmpty {
      let mark = try #require(line.range(of: " -- ", options: .backwards), "\(line)")
      let text = line[..<mark.lowerBound].trimmingCharacters(in: .whitespaces)
      let wanted = line[mark.upperBound...].trimmingCharacters(in: .whitespaces)
      let answer: String
      do {
        answer = try evaluate(Filter(text, environment: environment), context).literal
      } catch let error as FilterError {
        answer = error.diagnostics.isEmpty ? "" : "error"
      } catch is EvaluationError {
        answer = "error"
      }
      #expect(answer == wanted, "\(block.file):\(block.line + index): \(text)")
    }
  }

  // MARK: Shell

  @Test("a command prints what stands below it", arguments: CodeBlock.inLanguage("console"))
  func console(_ block: CodeBlock) throws {
    var commands: [(command: String, output: [String])] = []
    for line in block.lines {
      if line.hasPrefix("$ ") {
        commands.append((String(line.dropFirst(2)), []))
      } else {
        try #require(!commands.isEmpty, "a console block starts with a command")
        commands[commands.count - 1].output.append(line)
      }
    }
    for (command, output) in commands {
      let run = try shell(command)
      #expect(run.output == output.map { $0 + "\n" }.joined(), "\(command)")
    }
  }

  @Test("a command of a script exists and can be understood", arguments: CodeBlock.inLanguage("sh"))
  func script(_ block: CodeBlock) throws {
    let makefile = try String(
      contentsOf: CodeBlock.repository.appending(path: "Makefile"), encoding: .utf8)
    let text = block.lines.joined(separator: "\n").replacing("\\\n", with: " ")
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      let words = line.split(separator: " ").prefix { !$0.hasPrefix("#") }
      switch words.first {
      case "make":
        for target in words.dropFirst() where !target.contains("=") {
          #expect(makefile.contains("\n\(target):"), "\(line)")
        }
      case "swexpr":
        #expect(try shell(String(line)).status < 2, "\(line)")
      case "git", "cd", "swift", "brew", "sudo": break
      default: Issue.record("nothing is known about: \(line)")
      }
    }
  }

  @Test("JSON is JSON", arguments: CodeBlock.inLanguage("json"))
  func json(_ block: CodeBlock) throws {
    _ = try Value(json: block.lines.joined(separator: "\n"))
  }

  // MARK: Swift

  /// The lines of the snippets that are compiled, and of the examples, without indentation.
  private static let compiled: [[String]] = {
    var files: [[String]] = []
    for folder in ["Tests/DocumentationTests/Snippets", "Examples/Sources"] {
      let root = CodeBlock.repository.appending(path: folder)
      let paths = FileManager.default.enumerator(atPath: root.path)
      while let path = paths?.nextObject() as? String {
        guard path.hasSuffix(".swift"),
          let text = try? String(contentsOf: root.appending(path: path), encoding: .utf8)
        else { continue }
        files.append(unindented(text.split(separator: "\n").map(String.init)))
      }
    }
    return files
  }()

  private static func unindented(_ lines: [String]) -> [String] {
    lines.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
  }

  @Test("Swift is part of what is compiled and run", arguments: CodeBlock.inLanguage("swift"))
  func swift(_ block: CodeBlock) throws {
    // The snippets have their imports at the top of their files.
    let lines = Self.unindented(block.lines).filter { !$0.hasPrefix("import ") }
    let first = try #require(lines.first)
    if first.hasPrefix(".product(") || first.hasPrefix(".package(") {
      try package(lines)
      return
    }
    let isCompiled = Self.compiled.contains { file in
      file.indices.contains { start in
        file[start] == first && file[start...].starts(with: lines)
      }
    }
    #expect(isCompiled, "copy the block into Tests/DocumentationTests/Snippets")
  }

  /// Lines of a package manifest name products that exist.
  private func package(_ lines: [String]) throws {
    let manifest = try String(
      contentsOf: CodeBlock.repository.appending(path: "Package.swift"), encoding: .utf8)
    for line in lines where line.hasPrefix(".product(") {
      let name = try #require(line.split(separator: "\"").dropFirst().first)
      #expect(manifest.contains(".library(name: \"\(name)\""))
    }
  }

  // MARK: Generated pages

  static let pages: [(file: String, command: String)] = [
    ("docs/language.md", "swexpr doc --markdown"),
    ("docs/functions.md", "swexpr funcs --markdown"),
  ]

  @Test("generated pages are what the tables say now", arguments: pages)
  func generated(_ page: (file: String, command: String)) throws {
    let committed = try String(
      contentsOf: CodeBlock.repository.appending(path: page.file), encoding: .utf8)
    let isCurrent = try shell(page.command).output == committed
    #expect(isCurrent, "run `make reference`, or `\(page.command) > \(page.file)`")
  }
}
