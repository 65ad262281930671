import Foundation
import TestSupport

/// What came of running the built tool as a process.
struct ToolRun {
  /// The exit code; 128 and more if a signal ended it.
  let status: Int32
  /// Standard output.
  let output: String
  /// Standard error.
  let errors: String
  /// The wall time in seconds.
  let seconds: Double

  /// Standard output as a JSON document.
  func json() throws -> Any {
    try JSONSerialization.jsonObject(with: Data(output.utf8), options: .fragmentsAllowed)
  }
}

/// The tool that was built beside the tests.
let tool: URL = {
  // On Apple platforms the tests are in a bundle, elsewhere an executable.
  let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
  let folder =
    bundle?.deletingLastPathComponent()
    ?? URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
  return folder.appending(component: "swexpr")
}()

/// A folder for files of one test, removed when the value goes.
final class ScratchFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory
      .appending(component: "swexpr-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// Writes a file and returns its path.
  func file(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
    let file = url.appending(component: name)
    try Data(bytes).write(to: file)
    return file.path
  }

  /// Writes a file and returns its path.
  func file(_ name: String, _ text: String) throws -> String { try file(name, text.utf8) }

  /// What a file holds.
  func text(_ name: String) throws -> String {
    try String(contentsOf: url.appending(component: name), encoding: .utf8)
  }
}

/// Runs the tool.
///
/// - Parameters:
///   - input: What it reads from standard input.
///   - environment: Variables beside `PATH`; the ones of the test run are not passed on.
func swexpr(
  _ arguments: String..., input: some Sequence<UInt8> = [], environment: [String: String] = [:]
) throws -> ToolRun {
  try swexpr(arguments: arguments, input: input, environment: environment)
}

/// What the tool must know, too: where in the world it is, and whether the tests were built with a
/// sanitizer or count what they reach.
let inherited = ProcessInfo.processInfo.environment.filter {
  $0.key.hasSuffix("SAN_OPTIONS")
    || ["LLVM_PROFILE_FILE", "TZ", "LANG", "LC_ALL", "LOCPATH", "TMPDIR"].contains($0.key)
}

/// Runs the tool with a list of arguments.
func swexpr(
  arguments: [String], input: some Sequence<UInt8> = [], environment: [String: String] = [:]
) throws -> ToolRun {
  let scratch = try ScratchFolder()
  // Files instead of pipes, so that no size of input or output can block.
  let inputURL = URL(filePath: try scratch.file("input", input))
  let outputURL = URL(filePath: try scratch.file("output", []))
  let errorURL = URL(filePath: try scratch.file("errors", []))
  let process = Process()
  process.executableURL = tool
  process.arguments = arguments
  process.environment =
    environment.merging(["PATH": "/usr/bin:/bin"]) { own, _ in own }
    .merging(inherited) { own, _ in own }
  process.currentDirectoryURL = TestFiles.root
  process.standardInput = try FileHandle(forReadingFrom: inputURL)
  process.standardOutput = try FileHandle(forWritingTo: outputURL)
  process.standardError = try FileHandle(forWritingTo: errorURL)
  let start = ContinuousClock.now
  try process.run()
  process.waitUntilExit()
  let elapsed = start.duration(to: .now).components
  let isSignal = process.terminationReason == .uncaughtSignal
  return ToolRun(
    status: process.terminationStatus + (isSignal ? 128 : 0),
    output: String(decoding: try Data(contentsOf: outputURL), as: UTF8.self),
    errors: String(decoding: try Data(contentsOf: errorURL), as: UTF8.self),
    seconds: Double(elapsed.seconds) + Double(elapsed.attoseconds) / 1e18)
}
