import ExpressionCoding
import ExpressionEngine
import Foundation
import TestSupport
import Testing

@testable import LanguageServer

/// A running `swexpr lsp`.
final class ServerProcess {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var framer = MessageFramer()
  private var lastID: Int64 = 0
  /// The messages that the server sent on its own, oldest first.
  private(set) var notes: [Value] = []

  /// The tool that was built beside the tests.
  static let tool: URL = {
    // On Apple platforms the tests are in a bundle, elsewhere an executable.
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
    let folder =
      bundle?.deletingLastPathComponent()
      ?? URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    return folder.appending(component: "swexpr")
  }()

  init(_ arguments: String...) throws {
    process.executableURL = Self.tool
    process.arguments = ["lsp"] + arguments
    process.currentDirectoryURL = TestFiles.root
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  deinit { if process.isRunning { process.terminate() } }

  /// Sends bytes as they are.
  func send(_ bytes: [UInt8]) throws {
    try input.fileHandleForWriting.write(contentsOf: Data(bytes))
  }

  func notify(_ method: String, _ params: Value) throws {
    try send(MessageFramer.frame(Session.message(method, params, id: nil)))
  }

  /// Sends a request and returns its answer, with `result` or `error`.
  func request(_ method: String, _ params: Value) throws -> Value {
    lastID += 1
    try send(MessageFramer.frame(Session.message(method, params, id: .int(lastID))))
    while let message = try next() {
      if message["id"] == .int(lastID), message["method"] == nil { return message }
      notes.append(message)
    }
    throw EndOfOutput()
  }

  /// Returns the next message of a method that the server sends on its own.
  func note(_ method: String) throws -> Value {
    while true {
      if let index = notes.firstIndex(where: { $0["method"] == .string(method) }) {
        return notes.remove(at: index)
      }
      guard let message = try next() else { throw EndOfOutput() }
      notes.append(message)
    }
  }

  /// Returns the next message; `nil` at the end of the output.
  func next() throws -> Value? {
    while true {
      if let frame = framer.next() {
        guard case .message(let content) = frame else { throw EndOfOutput() }
        return try Value(json: String(decoding: content, as: UTF8.self))
      }
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { return nil }
      framer.append(data)
    }
  }

  /// Ends the input, and returns the exit code.
  func finish() throws -> Int32 {
    try? input.fileHandleForWriting.close()
    // A process that waits for its output to be read would never end.
    while try next() != nil {}
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    return process.terminationStatus
  }

  struct EndOfOutput: Error {}
}
