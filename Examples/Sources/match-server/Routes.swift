import AudienceFilters
import CampaignCore

/// The server's routes: from a request to a response, without a socket, so that it can be mounted
/// in any server.
struct Routes: Sendable {
  let audiences: Audiences

  func answer(_ request: HTTPRequest) -> HTTPResponse {
    let prefix = "/placements/"
    if request.path == "/health" {
      guard request.method == "GET" else { return Self.notAllowed("GET") }
      return Self.ok(["placements": .int(Int64(audiences.names.count))])
    }
    guard request.path == "/evaluate" || request.path.hasPrefix(prefix) else {
      return Self.failure(.notFound, "there are /health, /evaluate and /placements/NAME")
    }
    guard request.method == "POST" else { return Self.notAllowed("POST") }
    var variables: [String: Value]
    switch Self.members(request.body) {
    case .success(let members): variables = members
    case .failure(let refusal): return refusal.response
    }
    if request.path == "/evaluate" {
      guard case .string(let text)? = variables.removeValue(forKey: "filter") else {
        return Self.failure(.badRequest, "the member `filter` must be a text")
      }
      return Self.evaluation(text, variables)
    }
    let placement = String(request.path.dropFirst(prefix.count))
    do {
      guard let value = try audiences.answer(placement, variables) else {
        return Self.failure(.notFound, "the placements are \(audiences.names)")
      }
      return Self.ok(value)
    } catch {
      return Self.failure(.unprocessableContent, error.description)
    }
  }

  private struct Refusal: Error {
    let response: HTTPResponse
  }

  /// The members of a body; `user`, `device` and `params` are objects, empty if they are left out.
  private static func members(_ body: [UInt8]) -> Result<[String: Value], Refusal> {
    var variables: [String: Value] = ["user": [:], "device": [:], "params": [:]]
    do throws(JSONError) {
      let document = try body.withUnsafeBufferPointer { bytes throws(JSONError) in
        try Value(json: bytes)
      }
      guard case .map(let entries) = document else {
        return .failure(
          Refusal(response: failure(.badRequest, "the body must be a JSON object")))
      }
      for (key, value) in entries { variables[key.text] = value }
    } catch {
      return .failure(
        Refusal(
          response: failure(
            .badRequest, "\(error.message), at line \(error.line), column \(error.column)")))
    }
    for name in ["user", "device", "params"] {
      guard case .map? = variables[name] else {
        return .failure(Refusal(response: failure(.badRequest, "`\(name)` must be an object")))
      }
    }
    return .success(variables)
  }

  /// A filter that someone is writing: its value, or what is wrong with it.
  private static func evaluation(_ text: String, _ variables: [String: Value]) -> HTTPResponse {
    // Strangers get tight limits.
    let environment = FilterEnvironment(
      parserLimits: ParserLimits(sourceLength: 4_096, nesting: 20),
      limits: EvaluationLimits(steps: 10_000, memory: 1 << 20))
    let filter: Filter
    do throws(FilterError) {
      filter = try Filter(text, environment: environment)
    } catch {
      return failure(.badRequest, error.diagnostics, in: error.text)
    }
    do throws(EvaluationError) {
      let value = try evaluate(filter, Context(variables: variables))
      return ok(["value": value, "kind": .string(value.kindName)])
    } catch {
      return failure(.unprocessableContent, [error.diagnostic], in: text)
    }
  }

  // MARK: Responses

  private static func ok(_ value: Value) -> HTTPResponse {
    HTTPResponse(status: .ok, json: json(value))
  }

  private static func notAllowed(_ method: String) -> HTTPResponse {
    var response = failure(.methodNotAllowed, "send a \(method) request")
    response.headers = ["Allow: \(method)"]
    return response
  }

  static func failure(_ status: HTTPResponse.Status, _ message: String) -> HTTPResponse {
    HTTPResponse(status: status, json: json(["error": .string(message)]))
  }

  /// What is wrong with a filter: the first message, and all diagnostics with their places.
  private static func failure(
    _ status: HTTPResponse.Status, _ diagnostics: [Diagnostic], in text: String
  ) -> HTTPResponse {
    let message = json(.string(diagnostics.first?.message ?? "the filter has no value"))
    let list = DiagnosticRenderer.json(diagnostics, in: text)
    return HTTPResponse(status: status, json: #"{"error":\#(message),"diagnostics":\#(list)}"#)
  }

  private static func json(_ value: Value) -> String {
    value.jsonText()
  }
}
