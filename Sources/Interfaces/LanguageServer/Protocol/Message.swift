import ExpressionCoding
import ExpressionEngine

/// A message of the client.
struct Message {
  /// The id of a request, an integer or a text; `nil` for notifications.
  var id: Value?
  /// The method.
  var method: String
  /// The parameters.
  var params: Value

  /// Reads a message.
  ///
  /// - Returns: `nil` for a response to a request of the server.
  /// - Throws: The error to respond with, and the id if the message has one.
  init?(_ content: [UInt8]) throws(MalformedMessage) {
    let document: Value
    do throws(JSONError) {
      let outcome = content.withUnsafeBufferPointer { bytes -> Result<Value, JSONError> in
        do throws(JSONError) {
          return .success(try Value(json: bytes))
        } catch {
          return .failure(error)
        }
      }
      document = try outcome.get()
    } catch {
      throw MalformedMessage(.parseError, "the message is not JSON: \(error)")
    }
    guard case .map = document else {
      throw MalformedMessage(.invalidRequest, "a message is a JSON object")
    }
    let id = document["id"]
    switch id {
    case nil, .int, .uint, .string, .null: break
    default: throw MalformedMessage(.invalidRequest, "an id is an integer or a text")
    }
    guard let method = document["method"] else {
      if id != nil, document["result"] != nil || document["error"] != nil { return nil }
      throw MalformedMessage(.invalidRequest, "the message has no method", id: id)
    }
    guard case .string(let name) = method else {
      throw MalformedMessage(.invalidRequest, "a method is a text", id: id)
    }
    self.id = id
    self.method = name
    params = document["params"] ?? .null
  }
}

/// A message that cannot be understood.
struct MalformedMessage: Error {
  var error: ResponseError
  var id: Value?

  init(_ code: ResponseError.Code, _ message: String, id: Value? = nil) {
    error = ResponseError(code, message)
    self.id = id
  }
}

extension Value {
  /// Reads a position: `{"line": 0, "character": 0}`.
  func position() throws(ResponseError) -> Position {
    guard let line = self["line"]?.intValue, let character = self["character"]?.intValue,
      line >= 0, character >= 0
    else { throw ResponseError(.invalidParams, "a position has a line and a character") }
    return Position(line: Int(clamping: line), character: Int(clamping: character))
  }

  /// Reads a range: `{"start": …, "end": …}`.
  func range() throws(ResponseError) -> (start: Position, end: Position) {
    guard let start = self["start"], let end = self["end"] else {
      throw ResponseError(.invalidParams, "a range has a start and an end")
    }
    return (try start.position(), try end.position())
  }

  /// Returns a member with a text.
  func text(_ name: String) throws(ResponseError) -> String {
    guard case .string(let text)? = self[name] else {
      throw ResponseError(.invalidParams, "`\(name)` is missing, or is not a text")
    }
    return text
  }

  /// Returns a member.
  func member(_ name: String) throws(ResponseError) -> Value {
    guard let value = self[name] else {
      throw ResponseError(.invalidParams, "`\(name)` is missing")
    }
    return value
  }
}
