/// The error of a response.
package struct ResponseError: Error, Sendable, Hashable {
  /// The kind of an error, by its number in JSON-RPC or in the protocol.
  package enum Code: Int64, Sendable, Hashable {
    /// The message is not JSON.
    case parseError = -32_700
    /// The message is JSON, but no request.
    case invalidRequest = -32_600
    /// The method is unknown.
    case methodNotFound = -32_601
    /// The parameters are not those of the method.
    case invalidParams = -32_602
    /// The server has not been initialized.
    case serverNotInitialized = -32_002
    /// The request was cancelled.
    case requestCancelled = -32_800
    /// The request is right, but cannot be carried out.
    case requestFailed = -32_803
  }

  /// The kind.
  package var code: Code
  /// The message for people.
  package var message: String

  /// Creates an error.
  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}
