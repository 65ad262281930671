import AudienceFilters
import ExpressionCoding
import ExpressionEngine
import ExpressionSyntax
import Foundation
import TestSupport
import Testing

@Suite("Code in the documentation")
struct CodeBlockTests {
  // MARK: All of them

  @Test("every document is looked at")
  func documents() {
    for file in [
      "README.md", "CONTRIBUTING.md", "docs/campaigns.md", "docs/language.md", "docs/vm.md",
      "Examples/README.md", "corpus/README.md", "benchmarks/README.md",
      "Sources/Runtime/AudienceFilters/AudienceFilters.docc/GettingStarted.md",
      "Sources/Runtime/CampaignMatcher/CampaignMatcher.docc/Campaigns.md",
      "Sources/Runtime/AudienceFilters/Interface.swift",
    ] {
      #expect(CodeBlock.documents.contains(file), "\(file)")
    }
    for treatment in CodeBlock.Treatment.allCases where treatment != .json {
      #expect(!CodeBlock.treated(treatment).isEmpty, "no block is a \(treatment)")
    }
  }

  @Test("every block is compiled, run, or marked as plain text", arguments: CodeBlock.all)
  func treatment(_ block: CodeBlock) {
    #expect(block.isClosed, "the fence is not closed")
    #expect(block.lines.contains { !$0.isEmpty }, "the block is empty")
    #expect(block.treatment != nil, "no test knows what to do with `\(block.language)`")
  }

  @Test(
    "no code is hidden in indentation, where it has no language", arguments: CodeBlock.documents)
  func indentation(_ file: String) {
    #expect(Page(file).indentedLines == [], "\(file): fence the block and name its language")
  }

  @Test("what is marked as plain text is no code", arguments: CodeBlock.treated(.plain))
  func plain(_ block: CodeBlock) {
    for line in block.lines {
      let word = line.split(separator: " ").first ?? ""
      #expect(!["$", "swexpr", "make", "swift", "import", "let"].contains(word), "\(line)")
    }
  }

  // MARK: Filters

  /// What `docs/context.json` says.
  private static let surroundings = Result { () throws -> (Context, [String: Value]) in
    let data = try Data(
      contentsOf: TestFiles.root.appending(path: "docs/context.json"))
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

  private static func environment(_ dialect: Dialect) throws -> FilterEnvironment {
    let answers = try surroundings.get().1
    var environment = FilterEnvironment(dialect: dialect)
    for name in Set(answers.keys.map { String($0.prefix { $0 != "(" }) }) {
      environment.deviceFunctions[name] = { arguments, _ in
        guard case .string(let first)? = arguments.first else { return .null }
        return answers["\(name)(\(first))"] ?? .null
      }
    }
    return environment
  }

  @Test("a filter has the result in its comment", arguments: CodeBlock.treated(.filter))
  func filters(_ block: CodeBlock) throws {
    let environment = try Self.environment(block.language.hasSuffix("cel") ? .cel : .superscript)
    let context = try Self.surroundings.get().0
    for (index, line) in block.lines.enumerated() where !line.isEmpty {
      let mark = try #require(line.range(of: " // ", options: .backwards), "\(line)")
      let wanted = line[mark.upperBound...].trimmingCharacters(in: .whitespaces)
      let result: String
      do {
        // The whole line, comment included, as a reader would paste it.
        result = try evaluate(Filter(line, environment: environment), context).literal
      } catch let error as FilterError {
        result = error.diagnostics.isEmpty ? "" : "error"
      } catch is EvaluationError {
        result = "error"
      }
      #expect(result == wanted, "\(block.file):\(block.line + index): \(line)")
    }
  }

  // MARK: Shell

  @Test("a command prints what is below it", arguments: CodeBlock.treated(.console))
  func console(_ block: CodeBlock) throws {
    var commands: [(command: String, output: [String])] = []
    var isContinued = false
    for line in block.lines {
      if isContinued {
        commands[commands.count - 1].command += "\n" + line
      } else if line.hasPrefix("$ ") {
        commands.append((String(line.dropFirst(2)), []))
      } else {
        try #require(!commands.isEmpty, "a console block starts with a command")
        commands[commands.count - 1].output.append(line)
        continue
      }
      isContinued = line.hasSuffix("\\")
    }
    let workbench = try Workbench()
    for (command, output) in commands {
      let run = try workbench.run(command)
      #expect(run.output == output.map { $0 + "\n" }.joined(), "\(command)")
    }
    try expectIgnored(workbench)
  }

  /// A reader who follows a document leaves no files that git reports.
  private func expectIgnored(_ workbench: Workbench) throws {
    let patterns = try text(of: ".gitignore").split(separator: "\n").filter { $0.hasPrefix("/") }
    for file in try workbench.written() {
      let isIgnored = patterns.contains { pattern in
        pattern.hasSuffix("*")
          ? "/\(file)".hasPrefix(pattern.dropLast()) : "/\(file)" == String(pattern)
      }
      #expect(isIgnored, ".gitignore lacks /\(file)")
    }
  }

  @Test("a command of a script exists and works", arguments: CodeBlock.treated(.script))
  func script(_ block: CodeBlock) throws {
    let workbench = try Workbench()
    let makefile = try text(of: "Makefile")
    var folder = ""
    let text = block.lines.joined(separator: "\n").replacing("\\\n", with: " ")
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      let words = line.split(separator: " ").prefix { !$0.hasPrefix("#") }
      let first = String(try #require(words.first))
      switch first {
      case "make":
        for target in words.dropFirst() where !target.contains("=") {
          #expect(makefile.contains("\n\(target):"), "\(line)")
        }
      case "cd":
        folder = String(line) + " && "
        #expect(try workbench.run(String(line)).status == 0, "\(line)")
      case "swexpr", "cp":
        let run = try workbench.run(folder + String(line))
        #expect(run.status == 0, "\(line)\n\(run.output)")
      case "swift" where words.dropFirst().first == "run":
        // `make examples` runs the program; here it is enough that there is one.
        let program = try #require(words.dropFirst(4).first)
        #expect(try self.text(of: "Examples/Package.swift").contains("name: \"\(program)\""))
      case "curl":
        let path = try #require(words.last?.split(separator: "/", maxSplits: 1).last)
        #expect(try self.text(of: "Examples/check").contains("/\(path)"), "\(line)")
      default:
        let program = TestFiles.root.appending(path: first).path
        #expect(
          first.contains("/") && FileManager.default.isExecutableFile(atPath: program),
          "nothing is known about: \(line)")
      }
    }
    try expectIgnored(workbench)
  }

  private func text(of file: String) throws -> String {
    try String(contentsOf: TestFiles.root.appending(path: file), encoding: .utf8)
  }

  @Test("C compiles with the header", arguments: CodeBlock.treated(.c))
  func c(_ block: CodeBlock) throws {
    // The toolchain has the compiler, wherever it is.
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let run = try Workbench().run(
      """
      export PATH='\(path)'
      clang -x c -std=c11 -Wall -Werror -Wno-unused-function -fsyntax-only \
        -I Sources/Interfaces/CSwexpr/include -include string.h -include swexpr.h - <<'END'
      \(block.lines.joined(separator: "\n"))
      END
      """)
    #expect(run.status == 0, "\(run.output)")
  }

  @Test("JSON is JSON", arguments: CodeBlock.treated(.json))
  func json(_ block: CodeBlock) throws {
    _ = try Value(json: block.lines.joined(separator: "\n"))
  }

  // MARK: Swift

  /// The lines of the snippets that are compiled, and of the examples, without indentation.
  private static let compiled: [[String]] = {
    let folders = ["Tests/DocumentationTests/Snippets", "Examples/Sources"]
    return folders.flatMap(CodeBlock.paths).filter { $0.hasSuffix(".swift") }.map { path in
      let text = try? String(
        contentsOf: TestFiles.root.appending(path: path), encoding: .utf8)
      return unindented((text ?? "").split(separator: "\n").map(String.init))
    }
  }()

  private static func unindented(_ lines: [String]) -> [String] {
    lines.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
  }

  @Test("Swift is part of what is compiled and run", arguments: CodeBlock.treated(.swift))
  func swift(_ block: CodeBlock) throws {
    // The snippets have their imports at the top of their files.
    let lines = Self.unindented(block.lines).filter { !$0.hasPrefix("import ") }
    let first = try #require(lines.first)
    if first.hasPrefix(".product(") || first.hasPrefix(".package(") {
      try package(lines)
      return
    }
    let file = Self.compiled.first { file in
      file.indices.contains { start in
        file[start] == first && file[start...].starts(with: lines)
      }
    }
    let snippet = try #require(file, "copy the block into Tests/DocumentationTests/Snippets")
    for (name, value) in lines.compactMap(Self.claim) {
      let isProved =
        snippet.contains("#expect(\(name) == \(value))")
        || value == "true" && snippet.contains("#expect(\(name))")
      #expect(isProved, "nothing proves that \(name) is \(value)")
    }
  }

  /// What a line such as `let value = try evaluate(filter, context)  // 13` claims.
  private static func claim(_ line: String) -> (name: String, value: String)? {
    guard line.hasPrefix("let "), let mark = line.range(of: "  // "),
      let equals = line.range(of: " = ")
    else { return nil }
    let value = String(line[mark.upperBound...])
    guard (try? Filter(value))?.requirements.attributes.isEmpty == true else { return nil }
    return (String(line[..<equals.lowerBound].dropFirst(4)), value)
  }

  /// Lines of a package manifest name products that exist.
  private func package(_ lines: [String]) throws {
    let manifest = try String(
      contentsOf: TestFiles.root.appending(path: "Package.swift"), encoding: .utf8)
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
      contentsOf: TestFiles.root.appending(path: page.file), encoding: .utf8)
    let isCurrent = try Workbench().run(page.command).output == committed
    #expect(isCurrent, "run `make reference`, or `\(page.command) > \(page.file)`")
  }
}
