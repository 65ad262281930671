import AudienceFilters
import CampaignCore
import ExpressionCoding
import ExpressionEngine
package import FilterAnalysis

/// A server of the Language Server Protocol for filters and campaign configs.
///
/// It takes messages and gives messages, and does nothing else: its owner carries the bytes, and
/// reads files for it. Add messages with ``receive(_:)``, and take the responses with
/// ``respond()``. Requests that wait can be cancelled by later messages.
///
///     server.receive(content)
///     while let messages = server.respond() { … }
///
/// Not `Sendable`: one thread at a time may use it.
package final class LanguageServer {
  /// The result of a request, which writes itself.
  typealias Reply = (inout JSONWriter) -> Void

  /// A message that waits.
  private enum Pending {
    case message(Message)
    case malformed(MalformedMessage)
  }

  /// The stage of the session.
  enum Stage {
    case started
    case initialized
    case shutDown
    case exited
  }

  let files: any WorkspaceFiles
  let version: String
  let schema: AttributeSchema
  var stage = Stage.started
  var client = ClientCapabilities()
  var documents: [String: Document] = [:]
  var folders: [String: Folder] = [:]
  /// The messages to send: the response, and the server's own notifications and requests.
  var outbox: [[UInt8]] = []
  private var pending: [Pending] = []
  private var requestCount: Int64 = 0

  /// Creates a server.
  ///
  /// - Parameters:
  ///   - files: The files of the workspace.
  ///   - schema: The attributes that exist in all folders.
  ///   - version: The version of the server, for the client.
  package init(
    files: any WorkspaceFiles, schema: AttributeSchema = .builtIn, version: String = ""
  ) {
    self.files = files
    self.schema = schema
    self.version = version
  }

  /// The exit code after the client has ended the session: 0 after a request to shut down, else 1;
  /// `nil` while the session goes on.
  package private(set) var exitStatus: Int32?

  /// The exit code for a connection that ends without the client ending the session.
  package var statusAtEndOfInput: Int32 { stage == .shutDown ? 0 : 1 }

  // MARK: Messages

  /// Adds a message. A cancellation takes effect at once.
  package func receive(_ content: [UInt8]) {
    do throws(MalformedMessage) {
      guard let message = try Message(content) else { return }
      if message.method == "$/cancelRequest" {
        cancel(message.params["id"])
      } else {
        pending.append(.message(message))
      }
    } catch {
      pending.append(.malformed(error))
    }
  }

  /// Adds bytes that were not a message; the response is an error.
  package func receiveMalformed(_ reason: String) {
    pending.append(.malformed(MalformedMessage(.parseError, reason)))
  }

  /// Handles the next message and returns the messages to send; `nil` if none waits.
  package func respond() -> [[UInt8]]? {
    guard !pending.isEmpty, exitStatus == nil else { return nil }
    outbox = []
    switch pending.removeFirst() {
    case .malformed(let message): send(message.error, to: message.id)
    case .message(let message): handle(message)
    }
    return outbox
  }

  private func cancel(_ id: Value?) {
    guard let id else { return }
    let index = pending.firstIndex {
      if case .message(let message) = $0 { message.id == id } else { false }
    }
    guard let index else { return }
    pending[index] = .malformed(
      MalformedMessage(.requestCancelled, "the request was cancelled", id: id))
  }

  /// Returns whether a later change of a document waits, so that its diagnostics would be of no
  /// use.
  func hasPendingChange(of uri: String) -> Bool {
    pending.contains {
      guard case .message(let message) = $0 else { return false }
      return message.method == "textDocument/didChange"
        && message.params["textDocument"]["uri"]?.stringValue == uri
    }
  }

  private func handle(_ message: Message) {
    guard let id = message.id else {
      // Notifications have no response, not even malformed ones.
      try? notify(message.method, message.params)
      return
    }
    do throws(ResponseError) {
      let reply = try reply(to: message.method, message.params)
      send(id) { writer in
        writer.key("result")
        reply(&writer)
      }
    } catch {
      send(error, to: id)
    }
  }

  private func reply(to method: String, _ params: Value) throws(ResponseError) -> Reply {
    switch (stage, method) {
    case (.started, "initialize"): return initialize(params)
    case (.started, _):
      throw ResponseError(.serverNotInitialized, "the first request is `initialize`")
    case (.initialized, "initialize"):
      throw ResponseError(.invalidRequest, "the server is already initialized")
    case (.initialized, "shutdown"):
      stage = .shutDown
      return { $0.null() }
    case (.initialized, _): return try replyInSession(to: method, params)
    case (.shutDown, _), (.exited, _):
      throw ResponseError(.invalidRequest, "the server has been shut down")
    }
  }

  private func replyInSession(to method: String, _ params: Value) throws(ResponseError) -> Reply {
    switch method {
    case "textDocument/completion": return try completion(params)
    case "textDocument/hover": return try hover(params)
    case "textDocument/codeAction": return try codeActions(params)
    case "textDocument/formatting": return try formatting(params)
    case "textDocument/rangeFormatting": return try rangeFormatting(params)
    case "textDocument/semanticTokens/full": return try semanticTokens(params)
    case "textDocument/semanticTokens/range": return try semanticTokensInRange(params)
    case "textDocument/documentSymbol": return try documentSymbols(params)
    case "textDocument/documentHighlight": return try highlights(params)
    case "textDocument/prepareRename": return try prepareRename(params)
    case "textDocument/rename": return try rename(params)
    case "textDocument/inlayHint": return try inlayHints(params)
    default: throw ResponseError(.methodNotFound, "there is no method `\(method)`")
    }
  }

  private func notify(_ method: String, _ params: Value) throws(ResponseError) {
    if method == "exit" {
      exitStatus = statusAtEndOfInput
      stage = .exited
    }
    guard stage == .initialized else { return }
    switch method {
    case "initialized": watchFiles()
    case "textDocument/didOpen": try didOpen(params)
    case "textDocument/didChange": try didChange(params)
    case "textDocument/didClose": try didClose(params)
    case "textDocument/didSave": try didSave(params)
    case "workspace/didChangeWatchedFiles": didChangeWatchedFiles(params)
    default: break
    }
  }

  // MARK: Sending

  private func send(_ id: Value?, _ body: (inout JSONWriter) -> Void) {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("jsonrpc", "2.0")
      writer.key("id")
      (id ?? .null).writePlain(to: &writer)
      body(&writer)
    }
    outbox.append(writer.bytes)
  }

  private func send(_ error: ResponseError, to id: Value?) {
    send(id) { writer in
      writer.member("error") { writer in
        writer.member("code", Int(error.code.rawValue))
        writer.member("message", error.message)
      }
    }
  }

  /// Sends a notification.
  func notifyClient(_ method: String, _ params: (inout JSONWriter) -> Void) {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("jsonrpc", "2.0")
      writer.member("method", method)
      writer.member("params", params)
    }
    outbox.append(writer.bytes)
  }

  /// Sends a request, whose response does not matter.
  func requestFromClient(_ method: String, _ params: ((inout JSONWriter) -> Void)? = nil) {
    requestCount += 1
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("jsonrpc", "2.0")
      writer.member("id", Int(requestCount))
      writer.member("method", method)
      if let params { writer.member("params", params) }
    }
    outbox.append(writer.bytes)
  }
}
