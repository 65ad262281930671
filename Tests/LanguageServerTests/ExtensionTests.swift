import ExpressionCoding
import ExpressionEngine
import Foundation
import TestSupport
import Testing

/// The extension in `editors/`.
@Suite("The extension for editors")
struct ExtensionTests {
  @Test("the manifest of the extension names files that exist")
  func manifest() throws {
    let folder = "editors/vscode"
    let package = try Value(json: TestFiles.text("\(folder)/package.json"))
    let contributes = package["contributes"]
    var files = [package["main"]?.stringValue]
    for key in ["languages", "grammars"] {
      for entry in contributes[key]?.listValue ?? [] {
        files.append((entry["configuration"] ?? entry["path"])?.stringValue)
      }
    }
    for file in files {
      let name = try #require(file).dropFirst(2)
      #expect(try !TestFiles.text("\(folder)/\(name)").isEmpty)
    }
    _ = try Value(json: TestFiles.text("\(folder)/language-configuration.json"))
    let version = try #require(package["version"]?.stringValue)
    #expect(try TestFiles.text("Sources/Tools/swexpr/Main.swift").contains("\"swexpr \(version)\""))
    // No third-party code: nothing is depended on, and only parts of Node and the editor are
    // loaded.
    #expect(package["dependencies"] == nil && package["devDependencies"] == nil)
    for name in ["extension.js", "connection.js", "convert.js"] {
      let code = try TestFiles.text("\(folder)/\(name)")
      for match in code.matches(of: /require\("([^"]*)"\)/) {
        #expect(["vscode", "child_process", "./connection", "./convert"].contains(match.1))
      }
    }
  }

  @Test("the extension works against the server")
  func extensionTests() throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["node", "--test", "editors/vscode/test/extension.test.js"]
    process.currentDirectoryURL = TestFiles.root
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["SWEXPR": ServerProcess.tool.path]
    ) { _, own in own }
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    // The exit code of `env` for a program that does not exist.
    guard process.terminationStatus != 127 else {
      print("not here, so not tested: node")
      return
    }
    #expect(process.terminationStatus == 0, "\(String(decoding: data, as: UTF8.self))")
  }
}
